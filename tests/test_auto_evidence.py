"""The evidence of `auto` beside the plain numbers: prose, units, vocabulary, signs, what the page's data says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.features import FEATURES, features
from thresher.methods.auto.kernels import columns
from thresher.methods.auto.kernels.prose import write_prose
from thresher.methods.auto.prose import PROSE
from thresher.methods.auto.wording import first_words
from thresher.page import Page

SENTENCE = "The flail loosens the grain from the ear, and the wind carries the chaff away."
TEASERS = "".join(
    f"<div class=card{k}><h3><a href=/story/{k}>Story {k}</a></h3><time>3.4.202{k}</time><p>A teaser of it.</div>"
    for k in range(5)
)
ARTICLE = f"""<title>Threshing by hand</title><ul><li><a href=/a>Home</a></ul>
<article><h1>Threshing by hand</h1><p>{SENTENCE}<p>{SENTENCE.replace("flail", "wind")}<p>{SENTENCE}</article>
<h2>More</h2><div>{TEASERS}</div>"""


def column(html: str | Page, name: str) -> dict[str, float]:
    """One feature by the text of each block."""
    page = html if isinstance(html, Page) else thresher.parse(html)
    found = blocks(page)
    text = [" ".join("".join(page.text[a : b + 1]).split()) for a, b in zip(found.first, found.last, strict=True)]
    return dict(zip(text, features(page)[:, FEATURES.index(name)].tolist(), strict=True))


def test_blocks_know_whether_they_stand_before_in_or_behind_the_prose() -> None:
    inside, behind, before = (column(ARTICLE, f"prose {name}") for name in ("in_run", "after_run", "before_run"))
    assert {text for text, value in inside.items() if value} == {SENTENCE.replace("flail", "wind"), SENTENCE}
    assert before["Home"] > 0
    assert behind["Story 1"] > behind["Story 0"] > 0


def test_a_box_behind_the_prose_is_in_no_part_of_its_container() -> None:
    score, inside = column(ARTICLE, "prose container_score"), column(ARTICLE, "prose in_container")
    assert score[SENTENCE] == inside[SENTENCE] == 1
    assert inside["Story 1"] == 0
    assert column(ARTICLE, "prose same_article")["Story 1"] == -1


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 30), st.booleans()), min_size=1, max_size=12))
def test_the_longest_run_is_the_best_of_all(spoken: list[tuple[int, bool]]) -> None:
    count, run = len(spoken), np.zeros(2, np.intp)
    own, table, elements = (
        np.zeros((count, columns.SUMS), np.float32),
        np.zeros((columns.BLOCK_ROWS, count), np.int32),
        np.zeros((2, columns.ELEMENT_COLUMNS), np.int32),
    )
    for block, (words, ends) in enumerate(spoken):
        own[block, [columns.WORDS, columns.CHARS, columns.ENDS]] = words, 5 * words, ends
    reals, x = np.zeros((7, count + 2)), np.zeros((count, len(PROSE)), np.float32)
    write_prose(table, np.zeros((1, columns.SUMS), np.int32), own, elements, reals, np.zeros(0), run, x, 0)
    value = [words if ends and words >= 4 else -min(4 + words, 25) for words, ends in spoken]
    best = max(sum(value[a:b]) for a in range(len(value) + 1) for b in range(a, len(value) + 1))
    assert sum(value[run[0] : run[1]]) == best
    assert x[:, PROSE.index("in_run")].nonzero()[0].tolist() == [*range(*run)]


def test_units_that_repeat_and_lead_to_different_pages_are_told() -> None:
    size, distinct, dates = (column(ARTICLE, f"unit inner {name}") for name in ("size", "distinct", "dates"))
    assert size["Story 1"] == pytest.approx(np.log1p(5))
    assert distinct["Story 1"] == dates["Story 1"] == 1
    assert size[SENTENCE] == 0, "paragraphs repeat, too, but lead nowhere"
    assert column(ARTICLE.replace("/story/", "#"), "unit inner size")["Story 1"] == 0, "fragments are no pages"


def test_units_are_told_by_their_first_class_without_its_digits() -> None:
    def sizes(*classes: str) -> set[float]:
        divs = [f"<div class='{name}'><a href=/{k}>Story {k}</a></div>" for k, name in enumerate(classes)]
        return {round(value, 3) for value in column("".join(divs), "unit inner size").values()}

    assert sizes("post-12 a", " post-7", "post-", "post-3 b c") == {round(np.log1p(4), 3)}
    assert sizes("12", "", "7 post", "1") == {round(np.log1p(4), 3)}
    assert sizes("post-12", "post-7", "post-", "post") == {0}


def test_links_to_pages_and_to_places_are_told_apart() -> None:
    html = "<p><a href=/a>one</a></p><p><a href=#b>two</a></p><p>three</p>"
    assert column(html, "unit page_links") == {"one": 1, "two": 0, "three": 0}
    assert column(html, "unit other_links") == {"one": 0, "two": 1, "three": 0}


def test_what_speaks_of_the_title_is_told_from_what_does_not() -> None:
    title = column(ARTICLE, "vocabulary title")
    assert title["Threshing by hand"] == 1
    assert title["Story 1"] == 0
    run = column(ARTICLE, "vocabulary run")
    assert run[SENTENCE] > run["A teaser of it."]


def test_ideographs_are_taken_in_pairs() -> None:
    page = thresher.parse("<p>责任编辑 王</p><p>编辑部</p><p>编</p>")
    block, bucket, _ = first_words(page)
    of = [bucket[block == k].tolist() for k in range(3)]
    assert [len(words) for words in of] == [4, 2, 1], "责任 任编 编辑 and 王; 编辑 辑部; 编"
    assert of[0][2] == of[1][0]
    mixed = thresher.parse("<p>编辑 admin 编辑</p>")
    found = first_words(mixed).bucket.tolist()
    assert found[0] == found[2] == of[0][2]
    title = first_words(thresher.parse("<title>编辑 编辑部</title><p>编")).title.tolist()
    assert title == [of[0][2], *of[1]]


def test_dates_prices_and_fields_are_signs() -> None:
    html = """<div><p>12.03.2024</p><p>A plain line of text</p></div><p>€ 19,90</p>
    <p>In 2024 we said no more than this, and that was it.</p><div role=dialog><p>Accept</p></div>
    <div><div><p>Our letter</p><input type=email></div></div>"""
    assert column(html, "sign date")["12.03.2024"] == 1
    assert column(html, "sign dates_1")["A plain line of text"] > 0
    prices = column(html, "sign price")
    assert prices["€ 19,90"] == 1
    assert sum(prices.values()) == 1
    assert column(html, "sign dialog") == {text: float(text == "Accept") for text in prices}
    assert column(html, "sign sign_up")["Our letter"] == 1


def test_the_body_and_the_description_that_a_page_declares_are_found_in_it() -> None:
    body = (SENTENCE + " ") * 4
    head = f"""<script type=application/ld+json>{{"articleBody": "{body}", "headline": "x", "commentCount": 7}}</script>
    <meta name=description content="A teaser, of it: it has some words more.">"""
    html = head + ARTICLE.replace("A teaser of it.", "A teaser of it: it has some words more, and goes on.")
    inside = column(html, "described body")
    assert inside[SENTENCE] == 1
    assert inside["Story 1"] == -1
    assert column(html, "described comment_count")["Home"] > 0
    assert max(column(html, "described description").values()) == 1
    assert set(column(ARTICLE, "described body").values()) == {0}


def test_a_page_without_text_has_no_rows() -> None:
    page = thresher.parse("<title>Nothing</title>")
    assert features(page).shape == (0, len(FEATURES))
