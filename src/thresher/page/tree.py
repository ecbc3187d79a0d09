"""Kernels over the tree of a Page: sums, inheritance, each for all rows at once.

Rows are in document order and the subtree of row i is the slice i:end[i], so sums over subtrees are differences of
running sums.  What flows from parents to children is one pass: parents stand before their children.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.page import Page, memoised
from thresher.page.tree_kernels import mark_texts, mark_within, nearest_marked
from thresher.page.types import Bools, Ints, Numbers, Rows

__all__ = [
    "along_path",
    "block_first",
    "block_sum",
    "child_count",
    "inherit",
    "levels",
    "nearest",
    "run_starts",
    "subtree_sum",
    "text_sum",
    "texts_within",
    "within",
]


def subtree_sum(page: Page, x: Numbers) -> Numbers:
    """S_i = Σ x_j over the rows j of the subtree of i, i included, for every element i.

    With running sums c_k = x_0 + … + x_{k-1} the answer is c[end_i] - c[i].  O(n).
    """
    running = _running(x)
    return running[page.end] - running[:-1]


def text_sum(page: Page, x: Numbers) -> Numbers:
    """S_i = Σ x_k over the text nodes k below element i, for every element i.  c[last_i] - c[first_i], O(n + m)."""
    running = _running(x)
    return running[page.last] - running[page.first]


def block_sum(page: Page, x: Numbers) -> Numbers:
    """S_b = Σ x_k over the text nodes k of block b, for every block b.  Blocks are runs of texts, O(m)."""
    if not len(page.block):
        return np.zeros(0, _wide(x))
    return np.add.reduceat(x, block_first(page), dtype=_wide(x))


@memoised
def block_first(page: Page) -> Rows:
    """The first text node of each block."""
    first = run_starts(page.block)
    first.setflags(write=False)
    return first


def run_starts(x: Numbers) -> Rows:
    """Where runs of equal values start."""
    starts = np.ones(len(x), bool)
    np.not_equal(x[1:], x[:-1], out=starts[1:])
    return starts.nonzero()[0]


def child_count(page: Page) -> Rows:
    """How many child elements each element has."""
    return np.bincount(page.parent + 1, minlength=len(page) + 1)[1:]


def within(page: Page, chosen: Bools) -> Bools:
    """Which elements lie in the subtree of a chosen one, itself included.  O(n)."""
    inside = np.empty(len(page), bool)
    mark_within(page.parent, chosen.view(np.uint8), inside.view(np.uint8))
    return inside


def texts_within(page: Page, chosen: Bools) -> Bools:
    """Which texts lie in the subtree of a chosen element.  O(n + m)."""
    inside = np.empty(len(page.start), bool)
    mark_texts(page.first, page.last, chosen.view(np.uint8), inside.view(np.uint8))
    return inside


def along_path(page: Page, x: Numbers, join: np.ufunc = np.add) -> Numbers:
    """The sum (or what else `join` makes, with 0 for nothing) of x along the path from the root to each element, and
    0 as one more row for what stands above the root, where index -1 leads.

    Each row adds what the row has that its pointer leads to; then all pointers lead twice as far up.  O(n log depth).
    """
    path: Numbers = np.concatenate((x, np.zeros_like(x[:1])))
    for up in _pointers(page):
        join(path, path.take(up, axis=0), out=path)
    return path


@memoised
def _pointers(page: Page) -> list[Rows]:
    """Where the pointers of `along_path` lead in each round: 1, 2, 4, … steps up."""
    up = np.append(page.parent, -1).astype(np.intp)
    pointers = []
    for _ in range(int(page.depth.max(initial=0)).bit_length()):
        pointers.append(up)
        up = up.take(up)
    return pointers


@memoised
def levels(page: Page) -> list[Rows]:
    """The rows of each depth, from the root down."""
    deepest = int(page.depth.max(initial=0))
    key = page.depth.astype(np.int16) if deepest < 1 << 15 else page.depth
    order = np.argsort(key, kind="stable")
    return np.split(order, np.searchsorted(page.depth[order], np.arange(1, deepest + 1)))


def inherit(page: Page, x: Numbers, stands: Bools) -> Numbers:
    """Each element's own x where `stands`, else that of its nearest ancestor that stands; the root always stands.

    v_i = x_i if stands_i else v_parent(i), from the root down.  O(n).
    """
    return x[nearest(page, stands, none=0)]


def nearest(page: Page, chosen: Bools, none: int = -1) -> Ints:
    """For each element itself if it is chosen, else its nearest ancestor that is; `none` where there is none.  O(n)."""
    rows = np.empty(len(page), np.int32)
    nearest_marked(chosen.view(np.uint8), page.parent, none, rows)
    return rows


def _wide(x: Numbers) -> np.dtype[Any]:
    return x.dtype if x.dtype.kind == "f" else np.dtype(np.int64)


def _running(x: Numbers) -> Numbers:
    running = np.zeros(len(x) + 1, _wide(x))
    np.cumsum(x, out=running[1:])
    return running
