"""`seeker:strict=true` is paper 000 as printed: segment tree, content tree, filter, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.reference import seeker as naive
from tests.strategies import pages, tidy
from thresher.methods import seeker
from thresher.methods.seeker.features import FEATURES, features_of
from thresher.methods.seeker.filters import filtered
from thresher.methods.seeker.model import Classifiers
from thresher.methods.seeker.segments import strict_candidates
from thresher.methods.seeker.trees import Tree
from thresher.page import Page
from thresher.parse import parse

TEXT = FEATURES.index("text")


def tree(*nodes: tuple[int, float, int, int, bool, float]) -> Tree:
    names = ("feature", "threshold", "left", "right", "missing_left", "value")
    return Tree.from_arrays(dict(zip(names, map(np.array, zip(*nodes, strict=True)), strict=True)), len(FEATURES))


def leaf(value: float) -> tuple[int, float, int, int, bool, float]:
    return -1, 0.0, 0, 0, False, value


def cut(characters: float, below: float, above: float) -> Tree:
    """A tree that asks how long the inner text is."""
    return tree((TEXT, float(np.log1p(characters)), 1, 2, True, 0.5), leaf(below), leaf(above))


def texts(page: Page, keep: np.ndarray) -> list[str]:
    return [page.text[k].strip() for k in np.flatnonzero(keep)]


LONG = "A paragraph of the article that is long enough to be told from the other lines of the page."


def test_a_span_is_structural_and_a_bad_leaf_is_lost() -> None:
    """By hand: body, p and both spans are asked.  Body and p are too long to be good, the long span is good, the short
    one is not, and below it there is nothing: its text is in no segment."""
    page = parse(f"<body><p><span>{LONG}</span><span>Short</span></p></body>")
    short_or_whole = tree(
        (TEXT, float(np.log1p(len(LONG.replace(" ", "")) + 2)), 1, 2, True, 0.5),
        (TEXT, float(np.log1p(20)), 3, 4, True, 0.5),
        leaf(0.0), leaf(0.0), leaf(1.0),
    )  # fmt: skip
    trees = Classifiers(short_or_whole, tree(leaf(1.0)))
    assert texts(page, seeker.kept(page, trees, "none", 0.5, strict=True)) == [LONG]
    assert texts(page, seeker.kept(page, trees, "none")) == [LONG, "Short"]  # the p is a leaf, and a segment


def test_content_is_what_the_tree_says_of_the_segment_alone() -> None:
    """By hand: the div is the segment; long text is content, and its parts, which are short, do not count."""
    page = parse(f"<body><div><p>{LONG}</p><p>{LONG}</p></div><p>Menu</p></body>")
    trees = Classifiers(tree(leaf(1.0)), cut(1000, 0.4, 1.0))
    assert texts(page, seeker.kept(page, trees, "none", 0.5, strict=True)) == []  # 0.4, and nobody comes to its rescue
    assert texts(page, seeker.kept(page, trees, "none", 0.5)) == [LONG, LONG, "Menu"]


def test_a_filter_is_applied_whatever_it_leaves() -> None:
    """By hand: in three sections of one paragraph each LBS keeps the longest, less than half of the segment."""
    section = f"<section><p>{LONG}</p></section>"
    page = parse(f"<body><div>{section}<section><p>{LONG} More.</p></section>{section}</div></body>")
    row = np.array([[page.name(k) for k in range(len(page))].index("div")])
    assert texts(page, filtered(page, row, "lbs", strict=True)) == [f"{LONG} More."]
    assert len(texts(page, filtered(page, row, "lbs"))) == 3


@pytest.mark.parametrize("post_filter", ["none", "lbs"])
@settings(max_examples=60, deadline=None)
@given(page=pages() | tidy().map(parse), sizes=st.tuples(*[st.sampled_from([0, 3, 10, 40, 200])] * 2))
def test_random_pages_give_what_the_paper_says(post_filter: str, page: Page, sizes: tuple[int, int]) -> None:
    trees = Classifiers(cut(sizes[0], 1.0, 0.0), cut(sizes[1], 0.0, 1.0))
    rows = strict_candidates(page)
    x = features_of(page, rows)
    good = dict(zip(rows.tolist(), [naive.ask(trees.segment, list(row)) >= 0.5 for row in x], strict=True))
    content = dict(zip(rows.tolist(), [naive.ask(trees.content, list(row)) >= 0.5 for row in x], strict=True))
    keep = seeker.kept(page, trees, post_filter, 0.5, strict=True)  # type: ignore[arg-type]
    assert set(np.flatnonzero(keep).tolist()) == naive.strict(page, good, content, post_filter)


def test_it_is_an_option_of_the_method() -> None:
    html = f"<body><nav><ul><li><a href='/'>Home</a></li></ul></nav><article><h1>T</h1>{f'<p>{LONG}</p>' * 5}</article>"
    result = thresher.extract(html, method="seeker:strict=true")
    assert result.keep.dtype == bool
    assert all(block.reasons for block in result.blocks)
