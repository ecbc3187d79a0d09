"""The methods that read a page as a sequence: BTE, DSC, content code blurring, CETR."""

from __future__ import annotations

import re
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from tests.golden import golden, lines
from tests.reference import bte as naive_bte
from tests.reference import ccb as naive_ccb
from tests.reference import ccb_printed as printed
from tests.reference import cetr as naive_cetr
from tests.reference import dsc as naive_dsc
from tests.reference import tokens as naive
from tests.strategies import pages, tidy
from thresher import extract, methods
from thresher.methods import _blur, _source, _tokens, accb, bte, ccb, cetr, dsc, tccb
from thresher.page import Page
from thresher.page.columns import words
from thresher.page.pieces import cut_texts
from thresher.parse import parse
from thresher.visible.readable import readable

NAMES = ["accb", "bte", "ccb", "cetr", "dsc", "tccb"]
PARAGRAPH = "The harbour was quiet that morning, and the gulls had not yet found the nets that lay along the wall. "

some = settings(max_examples=60, deadline=None)
few = settings(max_examples=25, deadline=None)
anything = pages() | tidy().map(parse)


@pytest.mark.parametrize("name", NAMES)
def test_a_comma_between_two_bold_words_of_a_paragraph_is_kept_with_them(name: str) -> None:
    menu = "<ul><li><a href='/x'>–</a></li></ul>" * 40
    page = parse(f"<p>{PARAGRAPH * 9}<b>Sand and stone</b>, <b>a little salt</b>: {PARAGRAPH * 9}</p>{menu}")
    keep = methods.get(name)(page)
    assert keep[:5].all()
    assert keep[5:].sum() < 10


# ---- tokens and characters -----------------------------------------------------------------------------------


@given(anything)
@some
def test_runs_of_tokens_are_the_tokens_of_the_tree_in_order(page: Page) -> None:
    assert unrolled(_tokens.tokens(page)) == naive.tokens(page)


@given(tidy())
@some
def test_the_tags_of_the_tree_are_those_of_the_markup(html: str) -> None:
    page = parse(html)
    before, total = _tokens.tags_before(page)
    tags = [match.start() for match in re.finditer(rb"<[^!][^>]*>", page.markup)]
    assert total == len(tags)
    assert before.tolist() == [sum(tag < text for tag in tags) for text in page.position]


@pytest.mark.parametrize("anchors", [True, False])
@given(page=anything)
@some
def test_runs_of_characters_are_those_of_the_markup_in_order(anchors: bool, page: Page) -> None:
    assert unrolled(_tokens.characters(page, anchors)) == naive.characters(page, anchors)


def test_indentation_is_not_content() -> None:
    page = parse("<div>\n        <p>\n            three short\n                words\n        </p>\n    </div>")
    assert _tokens.characters(page).content.tolist() == [len("three short words")]


def test_a_chinese_character_is_one_character() -> None:
    assert _tokens.characters(parse("<p>海港的早晨</p>")).content.tolist() == [5]


def unrolled(runs: _tokens.Runs) -> list[int | None]:
    sequence: list[int | None] = []
    for k, content in enumerate(runs.content.tolist()):
        sequence += [None] * int(runs.code[k]) + [k] * content
    return sequence + [None] * int(runs.code[-1])


# ---- each method against its paper ---------------------------------------------------------------------------


@given(anything)
@some
def test_bte_agrees_with_the_paper(page: Page) -> None:
    found = np.flatnonzero(bte.judge(page).keep & (words(page) > 0))
    assert set(found.tolist()) == naive_bte.body(naive.tokens(page))


@given(anything, st.integers(2, 60), st.sampled_from([0.25, 0.5, 1.0]))
@some
def test_dsc_agrees_with_the_paper(page: Page, window: int, share: float) -> None:
    sequence = naive.tokens(page)
    covered = naive_dsc.low_slope(sequence, window, share)
    slow = naive.half(sequence, covered, len(page.text))
    assert (dsc.judge(page, dsc.Options(window, share)).keep & (words(page) > 0)).tolist() == slow


def test_a_window_as_steep_as_the_page_is_not_low() -> None:
    word_by_word = _tokens.Runs(np.array([1] * 10 + [0]), np.ones(10, np.int64))
    assert not dsc.low_slope(word_by_word, dsc.Options(window=2, share=1.0)).any()


@pytest.mark.parametrize(("method", "reach", "read"), [
    (ccb, 6, naive.characters),
    (accb, 6, lambda page: naive.characters(page, anchors=False)),
    (tccb, 3, naive.tokens),
], ids=["ccb", "accb", "tccb"])  # fmt: skip
@given(page=anything, settled=st.sampled_from([0.0, 0.01, 0.4]))
@few
def test_blurring_agrees_with_the_paper(method, reach, read, page: Page, settled: float) -> None:  # type: ignore[no-untyped-def]
    options = method.Options(range=reach, settled=settled)
    slow = naive_ccb.extract(read(page), len(page.text), reach, options.threshold, settled, options.most_passes)
    fast = method.judge(page, options).keep
    if method is tccb:
        fast &= words(page) > 0
    assert fast.tolist() == slow


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 300)), min_size=1, max_size=12), st.integers(1, 15))
@few
def test_bounded_code_and_steps_of_two_hardly_change_a_value(lengths: list[tuple[int, int]], passes: int) -> None:
    reach = 40
    runs = _tokens.Runs(np.array([code for code, _ in lengths] + [0]), np.array([content for _, content in lengths]))
    exact = values_at_content(runs, reach, 1, passes)
    cheap = values_at_content(_blur.bounded(runs, reach), reach, 2, passes)
    assert np.abs(cheap - exact).max(initial=0) < 0.03


def values_at_content(runs: _tokens.Runs, reach: int, step: int, passes: int) -> np.ndarray:
    vector = _tokens.spread(runs)
    if not vector.any():
        return np.zeros(0)
    values = next(islice(_blur.blurred(_blur.shrink(vector, step), _blur.gauss(reach / step)), passes - 1, None))
    return np.repeat(values, step)[: len(vector)][vector == 1]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=120), st.integers(1, 20))
@few
def test_one_pass_is_the_weighted_average_of_the_neighbourhood(vector: list[float], reach: int) -> None:
    fast = next(_blur.blurred(np.array(vector), _blur.gauss(reach)))
    np.testing.assert_allclose(fast, naive_ccb.blur(vector, reach), atol=1e-12)


def test_blurring_ends_when_the_extract_has_settled_and_at_the_latest_after_the_bound() -> None:
    runs = _tokens.Runs(np.array([100] * 37), np.array([100, 80, 70, 60, 50, 45, 40, 35, 30] * 4))
    one, two = (_blur.settle(runs, _blur.Blur(settled=0, passes=passes)).sum() for passes in (1, 2))
    assert one > two > _blur.settle(runs, _blur.Blur(settled=0)).sum()
    # The third pass leaves 12 texts of 1,000 units together, and drops 240.
    assert _blur.settle(runs, _blur.Blur(settled=0.25)).sum() == 12
    assert _blur.settle(runs, _blur.Blur(settled=0.23)).sum() < 12


# ---- content code blurring as printed ------------------------------------------------------------------------

SCRIPTS = st.sampled_from(
    ["", "<script>var a = 1; f('<p>x</p>')</script>", "<style>p > a { color: red }</style>", "<!-- x -->"]
)


@pytest.mark.parametrize(("read", "literal"), [
    (_source.characters, printed.characters),
    (lambda page: _source.characters(page, anchors=False), lambda source: printed.characters(source, anchors=False)),
    (_source.tokens, printed.tokens),
], ids=["ccb", "accb", "tccb"])  # fmt: skip
@given(html=st.lists(st.tuples(tidy(), SCRIPTS), min_size=1, max_size=3), reach=st.integers(1, 6))
@few
def test_words_are_kept_as_the_paper_prints_it(read, literal, html: list[tuple[str, str]], reach: int) -> None:  # type: ignore[no-untyped-def]
    # Two words with nothing but a script between them are one word to us: a reader sees one.
    code = " ".join(part + script for part, script in html)
    page = parse(code, scripts=True)
    source = LexborHTMLParser(code).html or ""
    vector, places, words = literal(source)
    fast = read(page)
    assert fast.content.tolist() == vector
    assert len(fast.start) == len(words)
    kept = _blur.settle_words(fast, _blur.Blur(unit="word", range=reach))
    assert kept.tolist() == printed.extracted(vector, places, reach, 0.75)


@given(anything, st.lists(st.booleans(), min_size=1, max_size=30))
@some
def test_a_page_cut_between_words_has_the_same_words(page: Page, pattern: list[bool]) -> None:
    vector = _source.tokens(page)
    start, stop, number = _source.word_spans(page, vector)
    assert len(start) == sum(len(re.findall(r"[^\x00-\x20]+", text)) for text in page.text)
    assert (np.diff(number) > 0).all()
    cuts = np.unique(stop[[k for k in range(len(stop)) if pattern[k % len(pattern)]]].astype(int))
    cuts = cuts[~np.isin(cuts, page.stop)]
    pieces, of_text = cut_texts(page, cuts)
    joined = [
        "".join(text for text, at in zip(pieces.text, of_text, strict=True) if at == k) for k in range(len(page.text))
    ]
    assert joined == list(page.text)
    assert pieces.owner.tolist() == page.owner[of_text].tolist()
    for row in range(len(page)):
        inside = "".join(pieces.text[pieces.first[row] : pieces.last[row]])
        assert inside == "".join(page.text[page.first[row] : page.last[row]])


@pytest.mark.parametrize("name", ["ccb", "accb", "tccb"])
def test_blurring_as_printed_cuts_words_off_the_ends_of_a_paragraph(name: str) -> None:
    """A unit d units inside a long text among code has the value Φ(d / s): near the edge it is below 0.75."""
    words = [f"word{number}" for number in range(300)]
    tags = "<i></i>" * 80
    page = f"<body>{tags}<p>{' '.join(words)}</p>{tags}"
    text = extract(page, method=f"{name}:unit=word").text.split()
    first, last = words.index(text[0]), words.index(text[-1])
    assert 0 < first < 60
    assert 240 < last < 299
    assert text == words[first : last + 1]
    assert extract(page, method=name).text.split() == words


def test_eight_words_among_tags_are_nothing() -> None:
    """TCCB, range 25: σ = 7.5, so that in the middle of eight words the first pass leaves 0.4."""
    tags = "<i></i>" * 40
    page = f"<body>{tags}one two three four five six seven eight{tags}"
    assert not extract(page, method="tccb:unit=word").keep.any()
    assert extract(page, method="tccb:unit=word:range=1").text.split()[3:5] == ["four", "five"]


def test_scripts_are_code_between_texts() -> None:
    """Two halves of a text close together hold each other up; a script between them does what long code does."""
    half = "<p>" + " ".join(f"word{number}" for number in range(40)) + "</p>"
    apart = extract(f"<body>{half}<script>{'x' * 500}</script>{half}", method="ccb:unit=word").text
    together = extract(f"<body>{half}{half}", method="ccb:unit=word").text
    assert len(apart.split()) < len(together.split())


@given(anything, st.integers(1, 3), st.integers(1, 4))
@some
def test_cetr_agrees_with_the_paper(page: Page, radius: int, ahead: int) -> None:
    ratio = naive_cetr.tag_ratio(page)
    np.testing.assert_allclose(cetr.tag_ratio(page), ratio)
    if not readable(page).any():
        return
    height = naive_cetr.smooth(ratio, radius)
    slope = naive_cetr.smooth(naive_cetr.jump(height, ahead), radius)
    np.testing.assert_allclose(cetr.smooth(np.array(ratio), radius), height, atol=1e-12)
    np.testing.assert_allclose(cetr.jump(np.array(height), ahead), naive_cetr.jump(height, ahead), atol=1e-12)
    points = list(zip(height, slope, strict=True))
    assert cetr.cluster(np.array(points), 100).tolist() == naive_cetr.cluster(points, 100)


# ---- golden pages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", NAMES)
def test_the_paragraphs_of_an_article_between_menus_are_found_and_the_menus_are_not(method: str) -> None:
    page, expected = golden("article-between-menus")
    _, *paragraphs = expected
    found = lines(page, methods.get(method)(page))
    assert set(paragraphs) <= set(found)
    assert not {"News", "Opinion", "Weather", "Jobs", "West coast", "Letters", "Imprint", "Newsletter"} & set(found)


@pytest.mark.parametrize("method", ["accb", "ccb", "tccb"])
def test_blurring_keeps_nothing_but_the_article(method: str) -> None:
    page, expected = golden("article-between-menus")
    assert set(lines(page, methods.get(method)(page))) <= set(expected)


@pytest.mark.parametrize("method", ["accb", "ccb", "tccb"])
def test_blurring_loses_a_headline_among_tags_as_the_paper_says(method: str) -> None:
    page, expected = golden("article-between-menus")
    headline = expected[0]
    assert headline not in lines(page, methods.get(method)(page))


def test_bte_keeps_the_advert_between_two_articles_and_dsc_leaves_it_out() -> None:
    page, expected = golden("advert-between-articles")
    paragraphs, advert = set(expected), {"Parasols", "Lanterns", "Cushions", "Hoses", "Rakes"}
    assert paragraphs | advert <= set(lines(page, bte.judge(page).keep))
    flat = set(lines(page, dsc.judge(page).keep))
    assert paragraphs <= flat
    assert not advert & flat


def test_links_in_the_text_tear_it_up_for_ccb_and_hardly_for_accb() -> None:
    page, expected = golden("links-in-text")
    blind = lines(page, accb.judge(page).keep)
    assert share_of_words(blind, expected) > 0.95
    assert "Help" not in " ".join(blind)
    assert share_of_words(lines(page, ccb.judge(page).keep), expected) < 0.6


def test_ccb_takes_long_comments_for_the_article_as_the_paper_says() -> None:
    page, expected = golden("short-news-long-comments")
    found = lines(page, ccb.judge(page).keep)
    assert set(expected) <= set(found)
    assert len(" ".join(found)) > 5 * len(" ".join(expected))


def test_cetr_keeps_the_short_lines_between_long_ones() -> None:
    page, expected = golden("short-lines-between-long-ones")
    found = set(lines(page, cetr.judge(page).keep))
    assert set(expected) <= found
    assert not {"Recipes", "Tools", "Search", "Brioche", "Crackers", "Pretzels", "Imprint"} & found


def share_of_words(found: list[str], wanted: list[str]) -> float:
    words = set(" ".join(wanted).split())
    return len(set(" ".join(found).split()) & words) / len(words)
