"""tree: every kernel equals its reading one element at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import tree as naive
from tests.strategies import pages
from thresher.page import Page, tree
from thresher.parse import parse


def numbers(page: Page, length: int) -> np.ndarray:
    """Numbers that differ from row to row, the same for the same page."""
    return np.random.default_rng(len(page.markup)).integers(-5, 100, length)


@settings(max_examples=60, deadline=None)
@given(pages())
def test_sums_over_subtrees_texts_and_blocks_agree_with_loops(page: Page) -> None:
    of_elements, of_texts = numbers(page, len(page)), numbers(page, len(page.text))
    assert tree.subtree_sum(page, of_elements).tolist() == naive.subtree_sum(page, of_elements.tolist())
    assert tree.text_sum(page, of_texts).tolist() == naive.text_sum(page, of_texts.tolist())
    assert tree.block_sum(page, of_texts).tolist() == naive.block_sum(page, of_texts.tolist())
    assert tree.child_count(page).tolist() == naive.child_count(page)


@settings(max_examples=60, deadline=None)
@given(pages(), st.randoms(use_true_random=False))
def test_what_flows_down_the_tree_agrees_with_loops(page: Page, random) -> None:
    chosen = np.array([random.random() < 0.2 for _ in range(len(page))])
    stands = chosen | (np.arange(len(page)) == 0)
    rows = np.arange(len(page))
    assert tree.within(page, chosen).tolist() == naive.within(page, chosen)
    assert tree.inherit(page, rows, stands).tolist() == naive.inherit(page, rows.tolist(), stands)
    assert tree.texts_within(page, chosen).tolist() == tree.within(page, chosen)[page.owner].tolist()


def test_blocks_start_where_a_block_element_or_two_line_breaks_stand_between_texts() -> None:
    page = parse("<p>a <b>b</b></p>c<br>d<br> <br>e<table><tr><td>f<td>g</table>")
    assert page.text == ("a ", "b", "c", "d", "e", "f", "g")
    assert page.block.tolist() == [0, 0, 1, 1, 2, 3, 4]
    assert tree.block_first(page).tolist() == [0, 2, 4, 5, 6]
