"""Elements chosen by what stands in or after them: `:has(…)` and `:empty`.

:has(x)     a row with a match in its subtree, the slice i+1:end_i:   c[end_i] > c[i+1] for the running count c
:has(> x)   the parents of the matches
:has(+ x)   the siblings right before the matches
:has(~ x)   rows before the last match among the children of their parent
:empty      rows without an element and without a text inside
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thresher.css.values import Rows

if TYPE_CHECKING:
    from thresher.css.match import Index
    from thresher.css.selector import Simple

__all__ = ["empty_rows", "having_rows"]


def having_rows(index: Index, simple: Simple) -> Rows:
    """The rows for which the selector inside finds something."""
    page = index.page
    found = index.rows(simple.inner[0])
    parent = page.parent.astype(np.intp)
    if simple.operator == b">":
        return _unique(parent[found])
    if simple.operator == b"+":
        return _unique(index.previous()[found])
    if simple.operator == b"~":
        last = np.full(len(page) + 1, -1, np.intp)
        np.maximum.at(last, parent[found], found)
        return np.flatnonzero((np.arange(len(page)) < last[parent]) & (parent >= 0))
    count = np.zeros(len(page) + 1, np.intp)
    count[found + 1] = 1
    count = np.cumsum(count)
    return np.flatnonzero(count[page.end] > count[1:])


def empty_rows(index: Index, _: Simple) -> Rows:
    """The rows that hold nothing."""
    page = index.page
    return np.flatnonzero((page.end == np.arange(len(page)) + 1) & (page.first == page.last))


def _unique(rows: Rows) -> Rows:
    found: Rows = np.unique(rows)
    return found[found >= 0]
