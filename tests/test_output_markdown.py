"""Markdown: what we write is what a CommonMark reader shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.reference.commonmark import read_html, read_markdown
from tests.strategies import pages
from thresher.output import inline, markdown_line, to_html, to_markdown
from thresher.parse import parse
from thresher.visible.readable import readable

URL = "https://example.org/a/b.html"
_BLOCKS = "div p ul ol li table tr td th h1 h2 h6 pre blockquote dl dt dd figure figcaption details summary".split()
_INLINE = "a b i em strong span code s del sub sup kbd mark".split()
_SIGNS = [
    "word", "two words", " ", "*", "**", "_", "__", "a_b", "`", "``", "[", "]", "[x]", "](", "!", "![", "&lt;b>",
    "&lt;script>", "&lt;", "&amp;amp;", "&amp;", "#", "## x", "1. y", "2) z", "-", "- w", "+ v", "> u", "---",
    "===", "***", "|", "| - |", "a|b", "~", "~~", "~~x~~", "\\", "\\*", ":", "  : d", "[^1]", "[^1]: x", "(y)",
    "https://a_b.c/_d_", "$", "中文", "（注）", "“q”", "1986.", "<br>", "\u200b", "é", "€", "<!--c-->", "^[n]",
    "    code", "[a]: /u", ":-", "\u3000",
]  # fmt: skip
_ATTRIBUTES = [
    "", "", "", " href='/a'", " href='http://x/(y) z'", " href='javascript:x'", " start=7", " colspan=2",
    " reversed", " class='language-py'",
]  # fmt: skip
_MEDIA = ["<img src=/i.png alt='a]*b'>", "<hr>", "<img src='x y.png'>"]


def _soup() -> st.SearchStrategy[str]:
    def element(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        names = st.sampled_from(_BLOCKS + _INLINE * 2)
        content = st.lists(inside, max_size=5).map("".join)
        return st.builds(
            lambda name, attribute, inner: f"<{name}{attribute}>{inner}</{name}>", names, attributes, content
        )

    attributes = st.sampled_from(_ATTRIBUTES)
    leaf = st.sampled_from(_SIGNS * 3 + _MEDIA)
    return st.lists(st.recursive(leaf, element, max_leaves=25), max_size=6).map("".join)


def markdown(html: str, **options: bool) -> str:
    page = parse(html, url=URL)
    return to_markdown(page, readable(page), **options)


@settings(max_examples=200, deadline=None)
@given(html=_soup(), seed=st.integers(0, 50))
def test_markdown_reads_back_as_the_html_of_the_same_verdict(html, seed):
    page = parse(html, url=URL)
    keep = readable(page)
    if seed:
        keep = keep & (np.random.default_rng(seed).random(len(page.start)) < 0.7)
    written = to_markdown(page, keep)
    shown, expected = read_markdown(written, formulas=False), read_html(to_html(page, keep))
    assert shown.html == []
    assert shown.squeezed == expected.squeezed
    assert shown.links == expected.links
    assert shown.images == expected.images
    assert shown.tables == expected.tables
    if not expected.tables:  # a heading in a cell is a line in a pipe table
        assert (shown.headings, shown.items, shown.code) == (expected.headings, expected.items, expected.code)


@settings(max_examples=100, deadline=None)
@given(page=pages())
def test_no_page_smuggles_html_into_markdown(page):
    shown = read_markdown(to_markdown(page, readable(page)), formulas=False)
    assert shown.html == []


def test_an_empty_page_is_an_empty_string():
    assert markdown("") == ""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>Note:</b>text", "**Note**:text"),
        ("word<b>(x)</b>", "word(**x)**"),
        ("中文<b>强调：</b>文字", "中文**强调**：文字"),
        ("a<b>!</b>b", "a!b"),
        ("<b> spaced </b>out", "**spaced** out"),
        ("<i>a</i><b>b</b>", "*a*b"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b><i>both</i></b>", "***both***"),
        ("word<b><a href=/x>link</a></b>", "word[**link**](https://example.org/x)"),
        ("<b>x<sup>2</sup></b>y", "x<sup>2</sup>y"),
        ("<b><b>twice</b></b>", "**twice**"),
        ("un<em>frigging</em>believable", "un*frigging*believable"),
        ("<s>gone</s>", "~~gone~~"),
    ],
)
def test_emphasis_is_written_only_where_it_works(html, expected):
    assert markdown(f"<p>{html}</p>") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1986. A year", "1986\\. A year"),
        ("1986.5 is no item", "1986.5 is no item"),
        ("#tag is no heading", "#tag is no heading"),
        ("# is one", "\\# is one"),
        ("-5 degrees", "-5 degrees"),
        ("- five", "\\- five"),
        ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ("_private", "\\_private"),
        ("AT&T &amp;copy; R&amp;D;", "AT&T &amp;copy; R&amp;D;"),
        ("a < b <c", "a < b &lt;c"),
        ("[1] and [a](b)", "[1] and [a\\](b)"),
        ("In [1]: x", "In [1]: x"),
        ("[1]: x", "[1\\]: x"),
        ("[[^1]: x", "[\\[^1\\]: x"),
        ("Cost: $5 to $6", "Cost: $5 to $6"),
        ("about ~5", "about ~5"),
        ("C:\\dir \\* \\", "C:\\dir \\\\\\* \\\\"),
        ("a | b", "a | b"),
        ("wow!", "wow!"),
    ],
)
def test_escapes_are_few(text, expected):
    assert markdown(f"<p>{text.replace('<', '&lt;')}</p>") == expected


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["", "link", "strong", "em", "del"]), st.text("a1 *[(]_!<.é", min_size=1)),
        min_size=1,
        max_size=5,
    ),
    st.lists(st.integers(0, 2), min_size=5, max_size=5),
)
def test_a_line_with_marks_that_work_is_written_as_any_other(texts: list[tuple[str, str]], gaps: list[int]) -> None:
    marks = [(inline.Mark(kind, row, "/a"),) if kind else () for row, (kind, _) in enumerate(texts)]
    runs = [inline.Run(g, m, inline.TEXT, t) for g, m, (_, t) in zip(gaps, marks, texts, strict=False)]
    assume(all(run.value.strip() == run.value for run in runs))
    runs = inline.joined_runs([runs[0]._replace(gap=0), *runs[1:]])
    parts, special = markdown_line._parts(runs, False)
    written = markdown_line._from_pieces(markdown_line._pieces(runs, False), False, False)
    assert not parts or markdown_line._with_escapes(parts, special, False, False) == written


def test_a_definition_that_begins_before_a_mark_is_none():
    assert markdown("<p>[<s>[^1]: x</s></p>") == "[~~\\[^1\\]: x~~"
    assert markdown("<p>[<s>[x]: y</s></p>") == "[~~\\[x\\]: y~~"
    assert markdown("<p>In <s>[1]: x</s></p>") == "In ~~[1]: x~~"


def test_an_exclamation_before_a_link_makes_no_image():
    assert markdown("<p>Wow!<a href=/x>y</a></p>") == "Wow\\![y](https://example.org/x)"


def test_a_heading_keeps_its_level_and_its_closing_signs():
    assert markdown("<h4>C <b>and</b> C#</h4>") == "#### C and C\\#"


def test_two_lists_in_a_row_stay_two():
    assert markdown("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>") == "- a\n\n* b\n\n1. c\n\n1) d"


def test_numbers_count_dropped_items():
    page = parse("<ol><li>a</li><li>b</li><li>c</li></ol>")
    assert to_markdown(page, np.array([True, False, True])) == "1. a\n3. c"


def test_only_kept_pieces_of_a_paragraph_are_printed():
    page = parse("<p>one <b>two</b> three <a href=/x>four</a></p><ul><li>gone</li></ul>")
    assert to_markdown(page, np.array([True, False, True, True, False])) == "one three [four](/x)"


def test_relative_links_stay_relative_without_a_url():
    page = parse('<p><a href="../x?y=1">z</a></p>')
    assert to_markdown(page, readable(page)) == "[z](../x?y=1)"


@pytest.mark.parametrize(
    ("head", "resolved"),
    [
        ('<link rel="canonical" href="https://example.org/a/b">', "https://example.org/a/c"),
        ('<link href="https://example.org/a/b" rel="CANONICAL alternate">', "https://example.org/a/c"),
        ('<meta property="og:url" content="https://example.org/x/">', "https://example.org/x/c"),
        ('<meta property="og:url" content="javascript:alert(1)">', "c"),
        ('<link rel="canonical" href="/a/b">', "c"),
        (
            '<base href="https://cdn.example/"><link rel="canonical" href="https://example.org/a/b">',
            "https://cdn.example/c",
        ),
        ('<base href="/y/"><link rel="canonical" href="https://example.org/a/b">', "https://example.org/y/c"),
    ],
)
def test_links_are_absolute_where_the_page_names_its_address(head, resolved):
    page = parse(f"<head>{head}</head><p>See <a href=c>this</a>.")
    assert to_markdown(page, np.ones(len(page.start), bool)) == f"See [this]({resolved})."
    given = replace(page, url="https://given.example/z/")
    base = "https://cdn.example/c" if "cdn" in head else "https://given.example/y/c" if "<base" in head else None
    assert to_markdown(given, np.ones(len(page.start), bool)) == f"See [this]({base or 'https://given.example/z/c'})."


def test_a_link_to_nowhere_or_with_a_script_is_its_text():
    assert markdown('<p><a href="#">a</a> <a href="java&#10;script:x">b</a> <a>c</a></p>') == "a b c"


def test_a_destination_cannot_be_left():
    html = '<p><a href="/a) [x](javascript:y) &lt;b&gt;&#10;c|d`e">z</a></p>'
    assert read_markdown(markdown(html)).links == ["https://example.org/a) [x](javascript:y) <b>c|d`e"]


def test_links_images_and_tables_can_be_left_out():
    html = "<p><a href=/x>a</a><img src=/i.png></p><table><tr><th>h</th><th>i</th></tr></table>"
    assert markdown(html, links=False, images=False, tables=False) == "a"


def test_a_link_around_blocks_links_each_of_them():
    assert (
        markdown("<a href=/x><h2>T</h2><p>p</p></a>") == "## [T](https://example.org/x)\n\n[p](https://example.org/x)"
    )


def test_an_image_between_line_breaks_is_a_paragraph():
    assert markdown("<div>a<br><br><img src=/i.png><br><br>b</div>") == "a\n\n![](https://example.org/i.png)\n\nb"


def test_empty_cells_hold_their_columns_and_empty_columns_go():
    html = "<table><tr><th>a</th><th></th><th>b</th></tr><tr><td></td><td></td><td>1</td></tr></table>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n|  | 1 |"


def test_a_listing_in_a_table_does_not_end_the_table():
    html = "<table><tr><th>a</th><th>b</th></tr><tr><td><pre>x\n\ny</pre></td><td>z</td></tr></table><p>after</p>"
    shown = read_markdown(markdown(html))
    assert (shown.code, shown.tables) == (["x\n\ny"], 1)


def test_one_row_of_a_thousand_cells_makes_no_thousand_columns():
    rows = "<tr><td>a</td><td>b</td></tr>" * 1000
    html = f"<table><tr>{'<th>x</th>' * 1000}</tr>{rows}</table>"
    assert len(markdown(html)) < 100_000


@pytest.mark.parametrize(
    ("attributes", "language"),
    [
        ('<pre><code class="language-js x">', "js"),
        ('<pre class="brush: php; gutter: false">', "php"),
        ('<pre class="hljs rust"><code>', "rust"),
        ('<pre lang="go">', "go"),
        ('<pre class="lang-py s-code-block">', "py"),
        ('<div class="highlight-source-c++"><pre>', "c++"),
        ('<div class="highlight-python notranslate"><div class="highlight"><pre>', "python"),
        ('<figure class="highlight yaml"><pre>', "yaml"),
        ('<pre class="sourceCode haskell"><code>', "haskell"),
        ('<pre data-language="toml">', "toml"),
        ('<pre><code class="python">', "python"),
        ('<pre class="rust item-decl"><code>', "rust"),
        ('<div class="mw-highlight mw-highlight-lang-lua mw-content-ltr"><pre>', "lua"),
        ('<div class="highlight hl-ipython3"><pre>', "ipython3"),
        ('<pre data-syntaxhighlighter-params="brush: java; gutter: false">', "java"),
        ('<figure class="highlight js"><table><tr><td class="gutter">1<td class="code"><pre>', "js"),
        ('<pre class="code-block wide">', ""),
        ('<div class="python"><pre>', ""),
        ("<pre>", ""),
    ],
)
def test_a_listing_names_its_language(attributes, language):
    assert markdown(f"{attributes}x") == f"```{language}\nx\n```"


def test_deep_nesting_is_flattened_not_refused():
    for html in (
        "<blockquote>" * 2900 + "x",
        "<ul><li>a" * 1400,
        "<b><i>" * 1400 + "x",
        "<table><tr><th>a<td>" * 500 + "x",
    ):
        assert "a" in markdown(html) or "x" in markdown(html)


def test_a_table_with_one_full_cell_in_each_row_is_none_of_data():
    rows = ["<td></td><td><a href=/up></a></td><td>Title</td>", "<td colspan=2></td><td>by jo</td>"]
    page = parse(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}<tr><td></td><td>Body.</td></tr></table>")
    assert to_markdown(page, readable(page)) == "Title\n\nby jo\n\nBody."
    page = parse("<table><tr><td><img src=/a.png></td><td>Pear</td></tr><tr><td></td><td>Fig</td></tr></table>")
    assert "|" not in to_markdown(page, readable(page))
    page = parse(
        "<table><tr><td>Pear</td><td>3</td></tr><tr><td></td><td>4</td></tr><tr><td>Fig</td><td>5</td></tr></table>"
    )
    assert to_markdown(page, readable(page)).count("\n|") == 4
