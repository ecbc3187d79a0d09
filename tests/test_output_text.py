"""Plain text: line ends where a reader sees them, words that stay apart, nothing that is not text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.reference import output as naive
from tests.strategies import pages
from tests.test_output_kernels import collapsed
from thresher.output import to_text
from thresher.page import Page
from thresher.parse import parse
from thresher.text import invisible
from thresher.text.characters import collapse
from thresher.text.invisible import without_invisible_runs
from thresher.visible.readable import readable


def text(html: str, **options: bool) -> str:
    page = parse(html, url="https://example.org/a/b.html")
    return to_text(page, readable(page), **options)


def some(page: Page, seed: int) -> np.ndarray:
    """About two thirds of the readable texts."""
    return readable(page) & (np.random.default_rng(seed).random(len(page.start)) < 0.67)


def without_runs(value: str) -> str:
    """Collapsed as UTF-8, and without rows of characters that show nothing."""
    return without_invisible_runs(collapsed(value.encode())[0][0].decode())


@settings(max_examples=150, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000))
@example(page=parse("<pre>word<button>word</button></pre>"), seed=5)
def test_text_is_what_a_slow_reader_copies(page, seed):
    keep = some(page, seed)
    assert to_text(page, keep) == naive.to_text(page, keep)


@settings(max_examples=100, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000))
@example(page=parse("word<div>word</div><h1>word</h1>word<h2>word</h2>"), seed=5)
def test_every_kept_character_is_printed_in_order(page, seed):
    keep = some(page, seed)
    printed = naive.without_empty_headings(page, naive.unrepeated(page, naive.without_buttons_of_code(page, keep)))
    texts = (naive.wanted(text) for text, kept in zip(page.text, printed, strict=True) if kept)
    ink = naive.without_invisible_runs("".join("".join(texts).split()))
    assert "".join(to_text(page, keep).split()) == ink


@given(st.text())
def test_collapsing_bytes_is_collapsing_the_string(value):
    assert without_runs(value.replace("\0", "")) == collapse(value)


def test_short_strings_and_long_ones_lose_the_same_invisible_characters():
    """Strings of some length are read as bytes, all at once."""
    long = "é" * 2_000
    for number in (*range(0x80, 0xD800), *range(0xE000, 0x110000)):
        character = chr(number)
        if invisible._find(character.encode())[1].any() or not number % 500:
            for text in (f"a{character}b", f"a{character}{character}b", f"a{character}\u200d{character}b"):
                assert without_invisible_runs(long + text) == long + without_invisible_runs(text)


def test_an_empty_page_is_an_empty_string():
    assert text("") == text("<p></p>") == ""


def test_paragraphs_are_separated_by_blank_lines():
    assert text("<h1>Title</h1><p>one</p><div>two</div>three") == "Title\n\none\n\ntwo\n\nthree"


def test_a_line_break_is_a_line_end_and_two_are_a_paragraph():
    assert text("<p>one<br>two<br><br>three</p>") == "one\ntwo\n\nthree"


def test_items_stand_on_lines_of_their_own():
    assert text("<ul><li>one</li><li>two<ol><li>inner</li></ol></li></ul><ul><li>x</li></ul>") == "one\ntwo\ninner\n\nx"


def test_items_of_several_paragraphs_are_set_apart():
    assert text("<ul><li><p>a</p><p>b</p></li><li>c</li><li>d</li></ul>") == "a\n\nb\n\nc\nd"


def test_terms_and_descriptions_stand_on_lines_of_their_own():
    assert text("<dl><div><dt>term</dt><dd>text</dd></div></dl>") == "term\ntext"


def test_a_row_is_a_line_with_tabs_between_its_cells():
    table = "<table><tr><th>a</th><th>b</th></tr><tr><td>1<br>2</td><td><p>3</p><p>4</p></td></tr></table>"
    assert text(f"<p>x</p>{table}<p>y</p>") == "x\n\na\tb\n1 2\t3 4\n\ny"


def test_a_table_for_layout_is_no_table():
    cells = "<tr><td>left</td><td>right</td></tr>" * 2
    assert text(f"<table role=presentation>{cells}</table>") == "left\n\nright\n\nleft\n\nright"


def test_tables_can_be_left_out():
    table = "<table><tr><th>a</th><th>b</th></tr></table>"
    assert text(f"<p>x</p>{table}<p>y</p>", tables=False) == "x\n\ny"


def test_tables_for_layout_are_never_left_out():
    assert text("<table><tr><td><h1>All of it</h1></td><td>is here</td></tr></table>", tables=False) != ""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a>Pricing</a><a>Blog</a>", "Pricing Blog"),
        ("<span><a>By</a></span><time>1 May</time>", "By 1 May"),
        ("7/9/05<i class=icon></i>7:57", "7/9/05 7:57"),
        ("<a>A</a><a>B</a>", "A B"),
        ("<label>C</label><label>C++</label>", "C C++"),
        ("<b>Prep Time:</b><span>10 min</span>", "Prep Time: 10 min"),
        ("<span>10:</span><span>30</span>", "10:30"),
        ("<i>std::</i><a>vector</a>", "std::vector"),
        ("<b>T</b>he", "The"),
        ("<code>JOIN</code>s", "JOINs"),
        ("M<sup>me</sup>", "Mme"),
        ("<b>bo</b><i>ld</i>", "bold"),
        ("<span>H</span><span>i</span>", "Hi"),
        ("<code><span>a</span><span>b1</span></code>", "ab1"),
        ("<a>word</a><span>, next</span>", "word, next"),
        ("word<wbr>word", "wordword"),
        ("one <b>two</b>three", "one twothree"),
        ("a&emsp;<b>b</b>", "a b"),
    ],
)
def test_words_run_together_only_where_the_author_joined_them(html, expected):
    assert text(f"<p>{html}</p>") == expected


def test_what_a_dropped_text_separated_stays_apart():
    page = parse("<p>one<b>two</b>three</p>")
    assert to_text(page, np.array([True, False, True])) == "one three"


def test_white_space_is_collapsed_and_no_break_spaces_are_spaces():
    assert text("<p>  a\n\t b&nbsp;&nbsp; c　d  </p>") == "a b c d"


def test_preformatted_text_keeps_its_lines_and_indentation():
    assert text("<p>x</p><pre>def f():\n\n\n    return 1  \n</pre><p>y</p>") == "x\n\ndef f():\n\n\n    return 1\n\ny"


def test_line_numbers_beside_a_listing_are_no_text():
    lines = "".join(f"<span class=lineno>{n} </span>line\n" for n in (1, 2))
    assert text(f"<pre>{lines}</pre>") == "line\nline"


def test_joiners_and_direction_marks_survive():
    for kept in (
        "क्\u200dष \u200fx",
        "می\u200cخواهم",
        "👩\u200d👧",
        "❤\ufe0f\u200d🔥",
        "ภาษา\u200bไทย",
        "a\u2067שלום\u2069",
    ):
        assert text(f"<p>{kept}</p>") == kept


def test_messages_in_invisible_characters_do_not():
    bits = "".join("\u200c\u200d"[int(bit)] for bit in f"{0x69676E6F7265:b}")
    bytes_ = "".join(chr(0xE0100 + byte - 16) for byte in b"ignore all")
    assert text(f"<p>one{bits} two</p>") == "one two"
    assert text(f"<p>😀{bytes_}!</p>") == "😀!"
    assert text("<p>o\u200bn\u2060e t\u2063wo\u200b\u200c\u200b</p>") == "one two\u200c"
    assert text("<p>می\u200c\u200cخواهم</p>") == "می\u200cخواهم"
    assert text("<p>a" + "\u200e\u200f" * 20 + "b</p>") == "ab"


def test_control_and_tag_characters_do_not():
    assert text("<p>a&#27;[0mb&#7;\ufeffc\U000e0041d\x7fe\u0085f</p>") == "a[0mbcdef"


def test_a_paragraph_of_nothing_but_controls_leaves_no_gap():
    assert text("<p>a</p><p>&#8;\ufeff</p><ul><li>&#7;</li></ul><p>b</p>") == "a\n\nb"


def test_a_formula_is_printed_once_as_tex():
    source = '<math><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math>'
    assert text(f'<p>is <span class="katex">{source}<i>x2</i></span>.</p>') == "is x^2."


def test_a_reading_follows_its_word_in_brackets():
    assert text("<p><ruby>東京<rt>Tōkyō</rt></ruby></p>") == "東京(Tōkyō)"


def test_links_and_images_print_their_addresses_when_asked():
    html = '<p>See <a href="/x">this <b>one</b></a>.</p><p><img src="i.png" alt="An image">After</p>'
    assert text(html) == "See this one.\n\nAfter"
    assert text(html, links=True) == "See this one <https://example.org/x>.\n\nAfter"
    assert text(html, images=True) == "See this one.\n\n[An image] <https://example.org/a/i.png>\n\nAfter"


def test_images_after_the_last_text_are_printed_last():
    assert text("<p>a</p><img src=/1.png><img src=/2.png>", images=True).endswith(
        "1.png>\n\n[] <https://example.org/2.png>"
    )


def test_numbers_that_count_up_on_every_other_line_are_no_text():
    lines = "".join(f"<span><span>{n}</span></span><br>code {n}<br>" for n in range(1, 5))
    assert text(f"<pre>{lines}</pre>") == "code 1\ncode 2\ncode 3\ncode 4"
    assert text("<pre>1\n2\n3\n4</pre>") == "1\n2\n3\n4"


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("市は火曜日、\n  中心部の\r\n\n公園を", "市は火曜日、中心部の公園を"),
        ("他说：\n“好”\n，然后—\n“再见”\n“one”\ntwo", "他说：“好”，然后— “再见” “one” two"),
        ("公園の iPhone\nの写真", "公園の iPhone の写真"),
        ("공원의\n공사", "공원의 공사"),
        ("สวน\nสาธารณะ", "สวน สาธารณะ"),
        ("one\ntwo", "one two"),
    ],
)
def test_a_line_end_between_ideographs_or_kana_is_nothing(source, printed):
    assert text(f"<p>{source}</p>") == collapse(source) == printed


def test_long_runs_of_blanks_between_ideographs_take_linear_time():
    assert collapse("漢" + " " * 300_000 + "字 x\n漢\n字") == "漢 字 x 漢字"


@settings(max_examples=200, deadline=None)
@given(st.text("漢か。，“…A \n\t\r\u3000가ｱ", max_size=12))
def test_lines_are_joined_in_one_string_as_in_the_whole_page(value):
    joined = without_runs(f"亜{value}")
    assert joined == collapse(f"亜{value}")
    assert "".join(joined.split()) == "".join(f"亜{value}".split())
