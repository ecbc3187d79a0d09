"""Budgets: what exceeds one is cut with a word, and nothing hangs."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import soup
from thresher.parse import parse
from thresher.parse.budget import nesting
from thresher.parse.budget.attributes import may_swell, without_swollen_tags
from thresher.parse.budget.nesting import unnest
from thresher.parse.budget.source_tags import tags
from thresher.parse.limits import Limits, _reopened
from thresher.result.extraction import extract


def codes(page) -> set[str]:
    return {problem.code for problem in page.problems}


@pytest.mark.parametrize("depth", [100, 300, 2_900])
def test_text_above_the_depth_budget_is_kept_without_a_word(depth: int) -> None:
    page = parse("<div>" * depth + "deep words")
    assert page.text == ("deep words",)
    assert not page.problems


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "deep words" + "</div>" * 100_000,
        "<div></b>" * 100_000 + "deep words",
        "<x-a></x-b>" * 100_000 + "deep words",
        "<aaaaaaaaab></aaaaaaaaac>" * 50_000 + "deep words",
        "<b><i>" * 50_000 + "deep words",
        "<ul><li>" * 50_000 + "deep words",
        "<table><tr><td>" * 40_000 + "deep words",
        "<ruby>" + "<rt>" * 100_000 + "deep words",
        "<optgroup>" * 100_000 + "deep words",
        "<title><!--</title>" + "<div>" * 100_000 + "deep words",
        "<svg><p></p><style><!--</style>" + "<div>" * 100_000 + "deep words",
        "<svg><p></p><![CDATA[<!-- ]]>-->" + "<div>" * 100_000 + "deep words",
    ],
    ids=[
        "balanced",
        "stray ends",
        "custom elements",
        "long names",
        "formatting",
        "lists",
        "tables",
        "readings",
        "groups",
        "comment in a title",
        "comment in a style",
        "comment in CDATA",
    ],
)
def test_a_page_of_absurd_depth_is_flattened_in_time_and_keeps_its_text(html: str) -> None:
    started = time.process_time()
    page = parse(html)
    assert time.process_time() - started < 5
    assert "too_deep" in codes(page)
    assert page.depth.max() <= Limits().depth * 4 / 3 + 10  # each table gets a tbody that nobody wrote
    assert " ".join(page.text).split()[-2:] == ["deep", "words"]


@pytest.mark.parametrize(
    "html",
    [
        "<p " + " ".join(f"a{k}=1" for k in range(200_000)) + ">words to keep",
        ("<p " + " ".join(f"a{k}" for k in range(3_000)) + ">") * 300 + "words to keep",
        '<p " ' + " ".join(f"a{k}" for k in range(100_000)) + ' ">words to keep',
        "<p " + " ".join(f"a{k}" for k in range(100_000)).replace("99 ", "99< ") + ">words to keep",
        "<p>words to keep<select>" + "<option>x" * 200_000,
        "<p>words to keep<select>" + "<option value=1>x</option>" * 100_000,
    ],
    ids=[
        "attributes",
        "attributes of many tags",
        "attributes between quotes",
        "angles in names",
        "options",
        "closed options",
    ],
)
def test_what_takes_the_parser_quadratic_time_is_cut_with_a_word(html: str) -> None:
    started = time.process_time()
    page = parse(html)
    assert time.process_time() - started < 5
    assert "too_large" in codes(page)
    assert "words to keep" in page.text


def test_long_attributes_and_scripts_are_no_swollen_tags() -> None:
    style = "background: url(data:image/png;base64," + "A" * 50_000 + ")"
    script = "<script>var a = 1 < 2; " + "x = x + 1; " * 9_000 + "</script>"
    data = '{"key": "a value = with blanks", ' * 3_000
    page = parse(f"<!DOCTYPE html><p style='{style}' data-x='{data}' class='c'>words</p>{script}")
    assert not page.problems
    assert page.attribute(3, "class") == "c"


def test_tags_of_many_attributes_are_read_whole_while_they_are_few() -> None:
    names = [f"a{k}" for k in range(2_000)]
    page = parse(f"<!DOCTYPE html><p {' '.join(names)}>words")
    assert not page.problems
    assert list(page.attributes(3)) == names


_LEFT_OPEN = [
    "<b a=1>", "<b a=1>x</b>", "<i a='1'><span>x</span></i>", "<em a=1><span>x</em>", '<u a="1"><a href="x">y</u>',
    "<a href=x><u a=1><a>y</a></u>", "<code a=1><span><a b=c>x</span></code>", "<s a=1><p>x</s>", "<s a=1>x</S >",
    "<tt a=1 b>x</tt>", "<b/a=1>x</b>", "<font a=1>x</font b>", "<strong a=1></a></span>x</strong>",
    "<big a=1>x<!-- </big> -->", "<small a=1><span title='</small>'>",
]  # fmt: skip
_AROUND = ["{}", "<table><td>{}</table>", "<svg>{}</svg>", "<math><mi>{}", "<button>{}</button>", "<select>{}"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(_AROUND), st.sampled_from(_LEFT_OPEN)), min_size=1, max_size=3))
def test_the_parser_opens_no_more_elements_anew_than_are_counted(parts: list[tuple[str, str]]) -> None:
    blocks = 200
    html = "".join("<p>" + around.format(part.replace("1", str(k))) for k in range(12) for around, part in parts)
    html += "<p>x" * blocks
    written = html.count("<") - html.count("</")
    implied = 4 * 12 * len(parts) + 4  # html, head, body, tbody and tr, one split element for each misnested one
    source = html.encode()
    at = np.array([place.start() for place in re.finditer("<", html)])
    most = _reopened(source, at, 0) + blocks  # an `a` may be open, too
    assert len(parse(html)) <= written + implied + most


def test_many_unclosed_items_are_wide_not_deep() -> None:
    page = parse("<ul>" + "<li>item" * 30_000)
    assert not page.problems
    assert len(page.text) == 30_000
    table = parse("<table>" + "<tr><td>a<td>b" * 20_000)
    assert not table.problems
    assert len(table.text) == 40_000


def test_a_page_with_too_many_tags_or_bytes_is_cut_and_says_so() -> None:
    cut = parse("<p>one</p>" * 100, limits=Limits(tags=20))
    assert codes(cut) == {"too_large"}
    assert cut.text == ("one",) * 10
    short = parse(b"<p>" + b"word " * 1000, limits=Limits(bytes=500))
    assert codes(short) == {"too_large"}
    assert 0 < len(short.text[0]) <= 500


_TAGS = "p li dd dt td tr th table ul div b a svg math select option template button span ruby rt".split()
_tag = st.sampled_from(_TAGS).flatmap(
    lambda name: st.sampled_from([f"<{name}>", f"<{name}>", f"</{name}>", f"<{name}>x"])
)
_raw = st.sampled_from(["<title>", "</title>", "<style>", "</style>", "<!--", "-->", "<![CDATA[", "]]>"])
_nesting = st.lists(_tag, max_size=60).map("".join)
_hiding = st.lists(_tag | _raw, max_size=60).map("".join)


@settings(max_examples=400, deadline=None)
@given(soup() | _nesting | _hiding)
def test_no_page_is_deeper_than_the_walk_over_its_tags_finds_it(html: str) -> None:
    source = html.encode()
    found = next((depth for depth in range(100) if not unnest(source, depth, 10_000, 10_000).deeper), 100)
    implied = 5  # html, head, body, and a tbody and tr that tables get
    assert parse(html).depth.max() <= found + implied + 3 * html.count("<table")


def test_paragraphs_beyond_the_depth_stay_apart() -> None:
    deep = "<div>" * 3_500 + "".join(f"<div><p>{sentence}</p>" for sentence in ("One.", "Two.")) + "<b>Th</b>ree"
    result = extract(deep, method="plain")
    assert result.text == "One.\n\nTwo.\n\nThree"
    assert result.status == "partial"


@settings(max_examples=200, deadline=None)
@given(html=_nesting, depth=st.integers(1, 12), pending=st.integers(1, 5))
def test_unnesting_takes_out_tags_and_puts_nothing_but_gaps_in_their_place(html: str, depth: int, pending: int) -> None:
    flat, deeper, reopened, done = unnest(html.encode(), depth, pending, 1_000)
    assert done == len(html)
    assert (deeper or reopened) or flat == html.encode()
    names = [name for _, _, name, _ in tags(flat) if name != b"br"]
    rest = iter(name for _, _, name, _ in tags(html.encode()))
    assert all(name in rest for name in names), "the tags left stand in their order"
    assert re.sub(rb"<[^>]*>| ", b"", flat) == re.sub(rb"<[^>]*>", b"", html.encode())


@pytest.mark.parametrize(
    "value", ["", '=">"', "='<b>'", ' b=">"', " " + " ".join(f"c{k}" for k in range(900)) + ' d="x > y"'], ids=range(5)
)
@pytest.mark.parametrize("first", ["", 'title=">"'])
def test_no_quoted_end_hides_how_many_attributes_a_tag_has(value: str, first: str) -> None:
    names = (f"a{k}{value.replace(' c', f' c{k}x')}" for k in range(60_000 // max(value.count(" "), 1)))
    source = f"<p>before</p><div {first} {' '.join(names)}>inside</div>".encode()
    began = time.process_time()
    page = parse(source)
    assert time.process_time() - began < 2
    assert [problem.code for problem in page.problems] == ["too_large"]
    assert page.text == ("before", "inside")


def test_where_very_many_elements_are_too_deep_the_rest_is_read_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nesting, "_MAX_UNWRAPPED", 5)
    rest = (
        "<p title='a>b'>one</p><script>if (a<b) {}</script><!-- c --><div>two <b>bold</b> <a href='/x'>three</a>"
        "</div><svg/><style>p {}</style>1 < 2 <textarea>no</textarea><h2>four<title>open"
    )
    source, deeper, _, read = unnest(b"<div>" * 20 + rest.encode(), depth=10, pending=9, most=1000)
    text = source.partition(b"<div>" * 10)[2]
    assert text.replace(b"<br>", b" ").split() == b"one two bold three 1 < 2 four".split()
    assert re.search(rb"one\s*<br>\s*two\s+bold\s+three\s*<br>\s*1 < 2\s*<br>four", text)
    assert deeper == 10 + 6 + 1  # "1 < 2" looks like one more
    assert read == len(b"<div>" * 20 + rest.encode())


@pytest.mark.parametrize("tail", ["<div a='", "<p ", "<b", "<", "</", "<!--", "</div", "<!x", "<script>", "<a b=\"'"])
def test_whatever_a_deep_page_ends_with_nothing_of_it_is_left_open(tail: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nesting, "_MAX_UNWRAPPED", 5)
    source = unnest(f"{'<div>' * 20}text{tail}".encode(), depth=10, pending=9, most=1000).source
    text = source.partition(b"<div>" * 10)[2].replace(b"<br>", b"").strip()
    assert text == b"text" + (tail.encode() if tail in ("<", "</") else b"")
    assert parse(source).text[-1].startswith("text")


def test_one_long_value_calls_for_no_closer_look_and_hides_no_swollen_tag() -> None:
    value = b"<div title='" + b'<p class="a>b">' * 30_000 + b"'>"
    assert not may_swell(value)
    swollen = b"<p " + b"".join(b"a%d='>' " % k for k in range(60_000)) + b">"
    for source in (value + swollen, swollen + value, value[:-2] + swollen + b"'>" + swollen):
        assert may_swell(source)
        assert without_swollen_tags(source)[1] == 1
