"""The blocks to judge and where they stand: their texts, their elements, their larger containers.

A block's containers are the ancestors that hold more text than the one below: wrappers around the same text are
skipped.

    level 0   the block-level element of the block
    level k   the nearest ancestor of level k-1 with more text
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.columns import block_chars, readable
from thresher.data.tags import BLOCK, group
from thresher.page import Page
from thresher.tree import block_first

__all__ = ["LEVELS", "Blocks", "blocks"]

Rows = NDArray[np.intp]
LEVELS = 6
_MOST = 20_000  # blocks that are judged one by one
_ALONE = 80  # characters

_BLOCK = group(BLOCK)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The blocks of a page that have readable text; B of them.  On a page of very many, bundles of short ones."""

    number: Rows  # (B,)  their block numbers in the page; the first of a bundle
    first: Rows  # (B,)  their first text
    last: Rows  # (B,)  their last text
    at: Rows  # (B,)  the element of the first text
    level: Rows  # (LEVELS, B)  their containers
    begin: Rows  # (LEVELS, B)  container l of block b holds the blocks begin[l, b]:stop[l, b]
    stop: Rows  # (LEVELS, B)
    alike: Rows  # (B,)  group number: blocks with the same tags and classes on levels 0, 1 and 2
    beside: Rows  # (B,)  group number: the same of levels 1 and 2, and the tag of level 0

    def __len__(self) -> int:
        return len(self.number)

    def spread(self, values: NDArray[Any], shown: NDArray[np.bool_]) -> NDArray[Any]:
        """The values of these blocks for every block of the page that is shown: each has that of its bundle."""
        result = np.zeros(len(shown), values.dtype)
        rows = np.flatnonzero(shown)
        result[rows] = values[np.searchsorted(self.number, rows, side="right") - 1]
        return result


def blocks(page: Page) -> Blocks:
    """Find the blocks with readable text and their containers.  Computed once per page."""
    memo = page._memo
    if "judge.blocks" not in memo:
        memo["judge.blocks"] = _blocks(page)
    found: Blocks = memo["judge.blocks"]
    return found


def _blocks(page: Page) -> Blocks:
    seen = readable(page)
    start = block_first(page)
    number = np.flatnonzero(np.logical_or.reduceat(seen, start)) if len(start) else np.zeros(0, np.intp)
    if len(number) > _MOST:
        number = _bundled(page, number)
    shown_texts = np.flatnonzero(seen)
    stop = np.append(start[number[1:]], len(seen))[: len(number)]  # the next one's start: nothing is shown between
    first = shown_texts[np.searchsorted(shown_texts, start[number])]
    last = shown_texts[np.searchsorted(shown_texts, stop) - 1]
    parent = np.maximum(page.parent, 0).astype(np.intp)
    at = page.owner[first].astype(np.intp)
    row = _climb(at, parent, ~_BLOCK[page.tag])
    before = np.concatenate(([0], np.cumsum(np.bincount(first, minlength=len(seen)))))
    opens, closes = before[page.first], before[page.last]
    larger = _larger(closes - opens, parent)
    level = np.empty((LEVELS, len(number)), np.intp)
    level[0] = row
    for k in range(1, LEVELS):
        level[k] = larger[level[k - 1]]
    return Blocks(number, first, last, at, level, opens[level], closes[level], *_signatures(page, level))


def _bundled(page: Page, number: Rows) -> Rows:
    """Which blocks begin a bundle: every so many, and those of some length, which stay alone if they are not too many.

    A page of a million blocks has a million lines of a word or two; what is said of some in a row is said of each.
    """
    begins = np.arange(len(number)) % -(-len(number) // _MOST) == 0
    alone = block_chars(page)[number] >= _ALONE
    alone[1:] |= alone[:-1].copy()
    chosen: Rows = number[begins | alone] if np.count_nonzero(alone) <= _MOST else number[begins]
    return chosen


def _larger(count: Rows, parent: Rows) -> Rows:
    """For each element the nearest ancestor that holds more blocks, or the root.

    Pointers lead to the parent; while one leads to an element that holds as many, it moves on to where that one's
    pointer leads, so the distance doubles in each round.
    """
    larger = parent
    while True:
        same = (count[larger] == count) & (larger > 0)
        if not same.any():
            return larger
        larger = np.where(same, larger[larger], larger)


def _signatures(page: Page, level: Rows) -> tuple[Rows, Rows]:
    """Groups of blocks that are built alike: cards of a listing, posts of a thread, entries of a menu."""
    code = np.zeros(len(page), np.uint64)
    row, value, _ = attributes.distinct_bytes(page, "class")
    code[row] = value.astype(np.uint64) + np.uint64(1)
    sign = (code * np.uint64(512) + page.tag.astype(np.uint64)) * _ODD
    near, far, further = sign[level[0]], sign[level[1]], sign[level[2]]
    path = (near * _ODD + far) * _ODD + further
    place = (far * _ODD + further) * _ODD + page.tag[level[0]].astype(np.uint64)
    return np.unique(path, return_inverse=True)[1], np.unique(place, return_inverse=True)[1]


_ODD = np.uint64(0x9E3779B97F4A7C15)


def _climb(row: Rows, parent: Rows, wanted: NDArray[np.bool_]) -> Rows:
    """Go up while `wanted`."""
    while True:
        moves = wanted[row] & (row > 0)
        if not moves.any():
            return row
        row = np.where(moves, parent[row], row)
