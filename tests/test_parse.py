"""parse: the columns equal those of a walk over the tree, whatever the page."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from hypothesis import given, settings

from tests.reference import dom
from tests.strategies import soup, tidy
from thresher.parse import parse

WCXB = Path(os.environ.get("THRESHER_DATA", Path(__file__).parents[2] / "shared/data")) / "wcxb/html"


def assert_same(html: str | bytes) -> None:
    page = parse(html)
    slow = dom.columns(html)
    assert [page.name(row) for row in range(len(page))] == slow.name
    assert page.text == tuple(slow.text)
    for column in ("parent", "end", "depth", "first", "last", "owner", "block", "spaced"):
        np.testing.assert_array_equal(getattr(page, column), getattr(slow, column), column)
    assert [page.attributes(row) for row in range(len(page))] == slow.attributes


@settings(max_examples=300, deadline=None)
@given(tidy())
def test_columns_equal_a_walk_over_the_tree_of_tidy_pages(html: str) -> None:
    assert_same(html)


@settings(max_examples=600, deadline=None)
@given(soup())
def test_columns_equal_a_walk_over_the_tree_of_soup(html: str) -> None:
    assert_same(html)
