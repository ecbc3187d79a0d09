"""`layout:strict=true` is paper 003 as printed: pages derived by hand, and random ones against a reading of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.reference import layout_strict
from tests.rendered import rendered
from thresher.methods import layout
from thresher.methods.layout.column_tree import columns
from thresher.methods.layout.zones import zones
from thresher.page import Page

STRICT = layout.Options(strict=True)
PROSE = "This is a sentence. Another one follows it."


def kept(page: Page, options: layout.Options = STRICT) -> list[str]:
    return [page.text[text] for text in np.flatnonzero(layout.judge(page, options).keep)]


def boxes(*lefts: int, width: int, texts: list[str]) -> str:
    return "".join(
        f'<div data-box="{left} {60 * k} {width} 50">{text}</div>'
        for k, (left, text) in enumerate(zip(lefts, texts, strict=True))
    )


def test_a_zone_joins_a_column_within_a_tenth_of_the_column_s_width() -> None:
    """Section 3.2 by hand.  The first column is 0–500, then with the second zone 0–540; the third zone is 80 off, and a
    tenth of the column's width is 54, so it begins the second column, 80–580, then 80–620; so does the fifth."""
    page = rendered(boxes(0, 40, 80, 120, 160, width=500, texts=[PROSE, PROSE, "Menu", "Links", "More"]))
    tree = zones(page)
    strict = columns(tree, strict=True)
    assert [strict.left[1:].tolist(), strict.right[1:].tolist()] == [[0, 80, 160], [540, 620, 660]]
    assert len(columns(tree)) == 2  # each zone is near the one before it
    # All of the score is in the first of the three, and the search goes there.
    assert kept(page) == [PROSE, PROSE]
    assert kept(page, layout.Options()) == [PROSE, PROSE, "Menu", "Links", "More"]


def test_a_column_is_as_wide_as_all_of_its_zones() -> None:
    """0–500, 45–545 joins; the column is 0–545, so 50–550 is within 54.5 of it although 50 off its first zone."""
    tree = zones(rendered(boxes(0, 45, 54, width=500, texts=["a", "b", "c"])))
    assert columns(tree, strict=True).left.tolist() == [0, 0]
    tree = zones(rendered(boxes(0, 45, 55, width=500, texts=["a", "b", "c"])))
    assert columns(tree, strict=True).left.tolist() == [0, 0, 55]


def test_only_zones_of_two_sentences_with_a_verb_each_are_paragraphs() -> None:
    lines = ["This report is on one line and has one sentence.", "So is this line, which says more of it."] * 5
    blog = boxes(*[0] * 10, width=600, texts=lines)
    page = rendered(blog)
    assert kept(page) == []  # no paragraph, no score, no main content
    assert len(kept(page, layout.Options())) == 10
    notice = '<div data-box="700 0 300 50">He went. She came.</div>'
    page = rendered(blog + notice)
    assert kept(page) == ["He went. She came."]  # all of the score
    assert len(kept(page, layout.Options())) == 10


def test_a_float_of_one_word_is_a_block() -> None:
    html = f'<p data-box="0 0 600 50"><span data-box="0 0 20 50 block float:left">T</span>{PROSE}</p>'
    page = rendered(html)
    assert len(set(layout.zone_tree(page, STRICT).of_text.tolist())) == 2
    assert len(set(layout.zone_tree(page).of_text.tolist())) == 1


def test_the_figures_of_section_three() -> None:
    """Figure 3's page by hand: header over all, main column, aside.  Words in paragraphs: 8 × 6 in the main column, 8
    in the aside, so scores 1, 6/7, 1/7; the step to the main column loses 1/7, that to one of its halves 3/7 > 0.3."""
    left = "".join(f'<p data-box="0 {100 + 60 * k} 300 50">{PROSE}</p>' for k in range(3))
    right = "".join(f'<p data-box="320 {100 + 60 * k} 300 50">{PROSE}</p>' for k in range(3))
    page = rendered(f"""<body data-box="0 0 1000 900">
        <header data-box="0 0 1000 50"><p>Journal</p><p>Issue</p></header>
        <main data-box="0 60 620 400"><h1 data-box="0 60 620 30">Title</h1>
        <section data-box="0 100 300 200">{left}</section><section data-box="320 100 300 200">{right}</section></main>
        <aside data-box="700 60 300 400"><p>Related</p><p>{PROSE}</p></aside></body>""")
    assert kept(page) == ["Title", *[PROSE] * 6]


_BLOCKS = st.tuples(st.sampled_from([0, 30, 60, 400]), st.sampled_from([200, 400, 580, 1000]))
_SENTENCES = [PROSE, "He went. She came.", "A sentence that is alone.", "Menu", "<b>Bold</b>"]
_TEXT = st.sampled_from([f"{text} " for text in _SENTENCES] + ["<br>", "<hr>"])


def _block(content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    parts = st.lists(content, min_size=1, max_size=4).map("".join)
    return st.builds(lambda box, inner: f'<div data-box="{box[0]} 0 {box[1]} 50">{inner}</div>', _BLOCKS, parts)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.recursive(_TEXT, _block, max_leaves=16), min_size=1, max_size=5).map("".join))
@example(boxes(0, 40, 80, 120, 160, width=500, texts=[PROSE] * 5))
def test_random_pages_give_what_the_paper_says(html: str) -> None:
    page = rendered(f"<p>English is the language of this page, as every reader of it says.</p>{html}")
    assert np.flatnonzero(layout.judge(page, STRICT).keep).tolist() == layout_strict.kept(page)


@pytest.mark.parametrize("strict", [False, True])
def test_an_empty_page_gives_nothing(strict: bool) -> None:
    assert kept(rendered("<body></body>"), layout.Options(strict=strict)) == []
