"""What readers of real pages stumbled over, in every form at once: text, Markdown, HTML, XML."""

from __future__ import annotations

import pytest

from thresher.output import to_html, to_markdown, to_text, to_xml
from thresher.parse import parse
from thresher.visible.readable import readable


def forms(html: str) -> tuple[str, str, str, str]:
    page = parse(html, url="https://docs.example.org/a/b.html")
    keep = readable(page)
    xml = to_xml(page, keep).removeprefix("<doc>\n<main>\n").removesuffix("\n</main>\n</doc>")
    return to_text(page, keep), to_markdown(page, keep), to_html(page, keep), xml


@pytest.mark.parametrize(
    "html",
    [
        '<pre><button>Copy</button><code class="language-py">a = 1\nb = 2</code></pre>',
        '<pre class="src src-py">a = 1\nb = 2<button aria-label="Copy"><span>Copy</span></button></pre>',
        '<pre data-enlighter-language="py"><div><button>Copy</button></div>a = 1\nb = 2</pre>',
    ],
)
def test_buttons_on_a_listing_are_not_part_of_it(html):
    code = "a = 1\nb = 2"
    assert forms(html) == (
        code,
        f"```py\n{code}\n```",
        f"<pre><code>{code}</code></pre>",
        f'<code lang="py">{code}</code>',
    )


@pytest.mark.parametrize(
    "html",
    [
        '<pre><code><span class="line"><i>a</i> = 1</span><span class="line"></span>'
        '<span class="line">  b</span></code></pre>',
        "<pre><span data-line=''>a = 1</span><span data-line=''></span><span data-line=''>  b</span></pre>",
        '<pre><div class="token-line">a = 1</div><div class="token-line"></div><div class="token-line">  b</div></pre>',
        '<pre><code style="display:grid"><span style="display:block">a = 1</span><span style="display: block;"></span>'
        '<span style="color:red;display:block">  b</span></code></pre>',
        '<pre><code><span class="line"><span class="ln">1</span>a = 1</span><span class="line">'
        '<span class="ln">2</span></span><span class="line"><span class="ln">3</span>  b</span></code></pre>',
        "<p><code>a = 1<br>\n<br>&nbsp;&nbsp;b</code></p>",
        "<div><tt>a\n = <b>1</b><br><br>&nbsp;&nbsp;b</tt></div>",
        '<table><tr><td data-line-number="1"></td><td class="blob-code">a = 1</td></tr><tr>'
        '<td data-line-number="2"></td><td class="blob-code">\n</td></tr><tr><td data-line-number="3"></td>'
        '<td class="blob-code">  b</td></tr></table>',
    ],
)
def test_the_lines_of_a_listing_are_found_however_they_are_drawn(html):
    code = "a = 1\n\n  b"
    assert forms(html) == (code, f"```\n{code}\n```", f"<pre><code>{code}</code></pre>", f"<code>{code}</code>")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>Type <code>a<br>b</code> twice.</p>", "Type `a`\\\n`b` twice."),  # in a sentence
        ("<p><code>a</code><br><code>b</code></p>", "`a`\\\n`b`"),  # one line each
        ('<pre><span class="k">let</span><span class="line">x</span></pre>', "```\nletx\n```"),
        ('<pre><span class="line">a</span> + <span class="line">b</span></pre>', "```\na + b\n```"),
    ],
)
def test_other_code_is_not_taken_apart(html, markdown):
    assert forms(html)[1] == markdown


def test_a_list_that_is_all_of_an_item_takes_its_place():
    assert forms("<ul><li><ul><li>a</li><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>") == (
        "a\nb\nc\nd",
        "- a\n- b\n  - c\n- d",
        "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n<li>d</li>\n</ul>",
        '<list rend="ul">\n<item>a</item>\n<item>b\n<list rend="ul">\n<item>c</item>\n</list></item>'
        "\n<item>d</item>\n</list>",
    )


def test_numbers_of_lists_in_lists_stay():
    assert forms("<ol><li><ol><li>a</li></ol></li></ol>")[1] == "1. 1. a"


def test_a_heading_without_words_is_its_image():
    assert forms('<h2><img src="/i.png" alt="Alt"></h2><p>Text.</p>') == (
        "Text.",
        "![Alt](https://docs.example.org/i.png)\n\nText.",
        '<p><img src="https://docs.example.org/i.png" alt="Alt"></p>\n<p>Text.</p>',
        '<p><graphic src="https://docs.example.org/i.png" alt="Alt"/></p>\n<p>Text.</p>',
    )


@pytest.mark.parametrize(
    "address", ["/", "https://docs.example.org", "https://www.example.org/", "https://example.org/#top"]
)
def test_an_image_that_leads_to_the_front_page_is_a_logo(address):
    html = f'<a href="{address}"><img src="/logo.png" alt="Logo"></a><p>Text.</p>'
    assert forms(html) == ("Text.", "Text.", "<p>Text.</p>", "<p>Text.</p>")


@pytest.mark.parametrize("address", ["/page", "https://other.org/", "/?p=1"])
def test_an_image_that_leads_elsewhere_is_not(address):
    assert "i.png" in forms(f'<a href="{address}"><img src="/i.png"></a><p>Text.</p>')[1]
    assert "i.png" in forms('<a href="/"><img src="/i.png"> Home</a><p>Text.</p>')[1]


def test_emoji_that_are_drawn_are_text():
    assert forms('<p>Well <img class="emoji" alt="🙂" src="/1f642.png"> then.</p>') == (
        "Well then.",
        "Well 🙂 then.",
        "<p>Well 🙂 then.</p>",
        "<p>Well 🙂 then.</p>",
    )


def test_an_image_right_after_itself_is_not_repeated():
    image = '<img src="/i.png" alt="A">'
    written = "![A](https://docs.example.org/i.png)"
    assert forms(f"<p>a</p><div>{image}</div><div>{image}</div><p>b</p>")[1] == f"a\n\n{written}\n\nb"
    assert forms(f"<p>a</p>{image}<p>b</p>{image}<p>c</p>")[1].count(written) == 2


def test_images_that_only_count_are_not_printed():
    pixel = '<img src="https://pixel.example.com/b.gif" style="height:1px;width:1px;overflow:hidden" alt="">'
    assert "b.gif" not in forms(f"<p>Text.</p><noscript>{pixel}</noscript>")[1]
    for style in ("border-width:1px;max-width:100px", "width:0;height:0;min-width:100%;min-height:100%"):
        assert "i.png" in forms(f'<p>Text.<img src="/i.png" style="{style}"></p>')[1]


@pytest.mark.parametrize("price", ["$$-$$$", "$$ – $$", "$$ to $$", "$$ / $$", "from $$$ to $$$$", "$$$$"])
def test_prices_are_no_formulas(price):
    html = f"<p>Price: {price} each.</p>"
    assert forms(html) == (
        f"Price: {price} each.",
        f"Price: {price} each.",
        f"<p>Price: {price} each.</p>",
        f"<p>Price: {price} each.</p>",
    )


@pytest.mark.parametrize("tex", ["x^2", "x", r"\alpha", "a = b", r"\frac{1}{2}"])
def test_formulas_are(tex):
    assert forms(f"<p>So $${tex}$$ holds.</p>")[1] == f"So\n\n$$\n{tex}\n$$\n\nholds."


def test_soft_hyphens_leave_whole_words():
    assert forms("<p>Donau&shy;dampf&shy;schiff</p>") == (
        "Donaudampfschiff",
        "Donaudampfschiff",
        "<p>Donaudampfschiff</p>",
        "<p>Donaudampfschiff</p>",
    )


@pytest.mark.parametrize(
    "inside",
    [
        "<svg><title>Opens in a new window</title><path/></svg>",
        '<img src="data:image/gif;base64,R0"><noscript><img width="1" src="/i.png"></noscript>',
    ],
)
def test_what_shows_nothing_breaks_no_line(inside):
    assert forms(f'<p>See <a href="/x">the docs {inside}</a> for more.</p>') == (
        "See the docs for more.",
        "See [the docs](https://docs.example.org/x) for more.",
        '<p>See <a href="https://docs.example.org/x">the docs</a> for more.</p>',
        '<p>See <ref target="https://docs.example.org/x">the docs</ref> for more.</p>',
    )


def test_code_side_by_side_stays_two():
    assert forms("<p><code>a1 <i>b</i></code> <code>c2</code> <code>d</code><code>e</code></p>") == (
        "a1 b c2 de",
        "`a1 b` `c2` `de`",
        "<p><code>a1 b</code> <code>c2</code> <code>de</code></p>",
        "<p><code>a1 b</code> <code>c2</code> <code>de</code></p>",
    )


_HIDDEN_MATH = """<span class="mwe-math-element"><span style="display: none;"><math alttext="E">
  <semantics>
    <mi>E</mi>
    <annotation encoding="application/x-tex">{\\displaystyle E=mc^{2}}</annotation>
  </semantics>
</math></span><img src="/e.svg" class="mwe-math-fallback-image-inline" alt="E"></span>"""


def test_a_formula_behind_its_picture_is_in_every_form_with_the_space_around_it_and_no_other():
    assert forms(f"<p>It ({_HIDDEN_MATH}), or {_HIDDEN_MATH} alone.</p><p>Then {_HIDDEN_MATH}</p>") == (
        "It (E=mc^{2}), or E=mc^{2} alone.\n\nThen E=mc^{2}",
        "It ($E=mc^{2}$), or $E=mc^{2}$ alone.\n\nThen $E=mc^{2}$",
        "<p>It (\\(E=mc^{2}\\)), or \\(E=mc^{2}\\) alone.</p>\n<p>Then \\(E=mc^{2}\\)</p>",
        '<p>It (<formula notation="TeX">E=mc^{2}</formula>), or <formula notation="TeX">E=mc^{2}</formula> alone.</p>\n'
        '<p>Then <formula notation="TeX">E=mc^{2}</formula></p>',
    )


def test_a_space_before_a_formula_that_mathjax_drew_stays():
    html = '<p>Let <span class="MathJax"><i>x</i></span><script type="math/tex">x_1</script> be.</p>'
    assert forms(html)[:2] == ("Let x_1 be.", "Let $x_1$ be.")


@pytest.mark.parametrize(
    "html",
    [
        '<ul><li><input type="checkbox" disabled checked> a</li>'
        '<li><p><input type="checkbox" disabled> b</p></li></ul>',
        '<ul class="task-list"><li><label><input type="checkbox" checked>a</label></li>'
        '<li><label><input type="checkbox">b</label></li></ul>',
    ],
)
def test_tasks_are_done_or_not(html):
    assert forms(html) == (
        "a\nb",
        "- [x] a\n- [ ] b",
        "<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>",
        '<list rend="ul">\n<item>☑ a</item>\n<item>☐ b</item>\n</list>',
    )


@pytest.mark.parametrize(
    "html",
    ['<ul><li><input type="checkbox" checked> a</li></ul>', '<ul><li>a <input type="checkbox" disabled></li></ul>'],
)
def test_other_boxes_are_not_printed(html):
    assert forms(html)[1] == "- a"


@pytest.mark.parametrize(
    "html",
    [
        # Sphinx
        '<p>Text <a class="footnote-reference brackets" href="#n1" id="r1" role="doc-noteref">[1]</a>.</p>'
        '<aside id="n1"><span class="label"><span>[</span><a role="doc-backlink" href="#r1">1</a><span>]</span></span>'
        "<p>The note.</p></aside>",
        # Sphinx before 5
        '<p>Text <a class="footnote-reference" href="#n1" id="r1">[1]</a>.</p><table class="docutils footnote" id="n1">'
        '<tr><td class="label"><a class="fn-backref" href="#r1">[1]</a></td><td>The note.</td></tr></table>',
        # Asciidoctor
        '<p>Text <sup class="footnote">[<a id="r1" class="footnote" href="#n1">1</a>]</sup>.</p>'
        '<div class="footnote" id="n1"><a href="#r1">1</a>. The note.</div>',
        # Word
        '<p>Text <a href="#_ftn1" name="_ftnref1"><span class="MsoFootnoteReference">[1]</span></a>.</p>'
        '<div id="ftn1"><p class="MsoFootnoteText"><a href="#_ftnref1" name="_ftn1">[1]</a> The note.</p></div>',
        # By hand, and journals
        '<p>Text <sup><a href="#n1">1</a></sup>.</p><p><a name="n1"></a>1. The note.</p>',
        '<p>Text <sup><a href="#n1">1</a></sup>.</p><ol><li id="n1"><span>1.</span><cite>The note.</cite></li></ol>',
        '<p>Text <sup><a href="#n1">(1)</a></sup>.</p><p id="n1">[1] The note.</p>',
    ],
)
def test_footnotes_are_found_in_the_manner_of_many_generators(html):
    assert forms(html)[1] == "Text [^1].\n\n[^1]: The note."


@pytest.mark.parametrize("note", ["1.5 million.", "(see there)", "12 of them", "[2] says so"])
def test_a_note_that_begins_like_its_label_is_whole(note):
    html = f'<p>Text<sup><a href="#n1">1</a></sup>.</p><p id="n1">{note}</p>'
    assert forms(html)[1] == f"Text[^1].\n\n[^1]: {note}"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<p>We have <span class="math-container">$x^2$</span> here.</p>', "We have $x^2$ here."),
        ("<p>We have <math-renderer>$x^2$</math-renderer> here.</p>", "We have $x^2$ here."),
        (
            "<p>$\\alpha$, $\\beta$, $n$ and $x_1$ for $5 or $6.</p>",
            "$\\alpha$, $\\beta$, $n$ and $x_1$ for \\$5 or \\$6.",
        ),
        (
            "<p>\\begin{align*} a &amp;= b \\\\ c \\end{align*}</p>",
            "$$\n\\begin{align*} a &= b \\\\ c \\end{align*}\n$$",
        ),
        ("<p>$n$ for $5 or 6$</p>", "$n$ for $5 or 6$"),  # nobody writes formulas here, and no dollar is escaped
        (
            "<p>\\begin{align} and \\begin{itemize} x \\end{itemize}</p>",
            "\\begin{align} and \\begin{itemize} x \\end{itemize}",
        ),
    ],
)
def test_formulas_that_wait_for_a_script_are_formulas(html, markdown):
    assert forms(html)[1] == markdown


def _latexml_note(mark: str, note: str) -> str:
    mark = f'<sup class="ltx_note_mark">{mark}</sup>'
    return (
        f'<span class="ltx_note ltx_role_footnote">{mark}<span class="ltx_note_outer"><span class="ltx_note_content">'
        f'{mark}<span class="ltx_tag ltx_tag_note">1</span>{note}</span></span></span>'
    )


def test_a_note_in_the_line_does_not_end_it():
    one, other = _latexml_note("1", "One <em>note</em>."), _latexml_note("†", '<a href="/x">Other</a>')
    html = f'<article class="ltx_document"><p>Text{one}, <b>more{other}</b> text.</p></article>'
    text, markdown, markup, xml = forms(html)
    assert text == "Text1 (One note.), more† (Other) text."
    assert markdown == (
        "Text[^1], **more[^2]** text.\n\n[^1]: One *note*.\n\n[^2]: [Other](https://docs.example.org/x)"
    )
    assert markup.startswith('<p>Text<sup><a href="#fn-1">1</a></sup>, <strong>more<sup>')
    assert xml.endswith(
        'text.</p>\n<note n="1">One <hi rend="#i">note</hi>.</note>\n<note n="2"><ref '
        'target="https://docs.example.org/x">Other</ref></note>'
    )


def test_without_links_it_is_still_a_note():
    html = f'<article class="ltx_document"><p>Text{_latexml_note("1", "Note.")} more.</p></article>'
    page = parse(html)
    assert to_markdown(page, readable(page), links=False) == "Text[^1] more.\n\n[^1]: Note."


def test_quotations_have_their_marks_and_no_second_pair():
    assert forms("<p><q>He said <q>no</q>.</q> <q>“Yes.”</q></p>") == (
        "“He said “no”.” “Yes.”",
        "“He said “no”.” “Yes.”",
        "<p><q>He said <q>no</q>.</q> “Yes.”</p>",
        "<p><q>He said <q>no</q>.</q> “Yes.”</p>",
    )


def test_what_a_style_takes_back_is_not_marked():
    html = (
        '<b style="font-weight:normal" id="docs-internal-guid-1"><p>a <b>b</b></p></b>'
        '<p><strong style="font-weight: 400;">c</strong> <em style="font-weight: 400;">d</em></p>'
    )
    assert forms(html)[1] == "a **b**\n\nc *d*"
