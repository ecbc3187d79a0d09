"""The blocks to judge and where they stand: their texts, their elements, their larger containers.

A block's containers are the ancestors that hold more text than the one below: wrappers around the same text are
skipped.

    level 0   the block-level element of the block
    level k   the nearest ancestor of level k-1 with more text
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import BLOCK, NUMBER, group
from thresher.methods.auto.kernels.groups import number_keys
from thresher.page import Page, attributes, memoised
from thresher.page.spans import is_among
from thresher.page.tree import along_path, run_starts, subtree_sum
from thresher.page.types import Bools, Ints, Rows
from thresher.visible.readable import block_chars, readable

__all__ = ["LEVELS", "SECRET", "Blocks", "blocks", "numbered", "slots"]

LEVELS = 6
_MAX_JUDGED_BLOCKS = 20_000  # blocks that are judged one by one
_ALONE = 80  # characters
_LONG = 400  # characters of a block that is no item of a list and no cell of a table

_BLOCK = group(BLOCK)
_LIST = group(("ul", "ol", "dl"))
_NO_DATA = group(("table", "div", "form"))
_STEPS = 4  # tags up from an element that make it like another


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
    together: Rows  # (B,)  group number: items of a list, cells of a table

    def __len__(self) -> int:
        return len(self.number)

    def spread(self, values: NDArray[Any], shown: Bools) -> NDArray[Any]:
        """The values of these blocks for every block of the page that is shown: each has that of its bundle."""
        begins = np.zeros(len(shown), np.intp)
        begins[self.number] = 1
        spread: NDArray[Any] = values[begins.cumsum() - 1] * shown
        return spread


@memoised
def blocks(page: Page) -> Blocks:
    """Find the blocks with readable text and their containers."""
    shown = readable(page).nonzero()[0]
    block = page.block[shown]
    begins = run_starts(block)
    if len(begins) > _MAX_JUDGED_BLOCKS:
        begins = begins[_bundled(block_chars(page)[block[begins]])]
    first = shown[begins]
    last = shown[np.concatenate((begins, [len(shown)]))[1:] - 1]
    parent = np.maximum(page.parent, 0).astype(np.intp)
    at = page.owner[first].astype(np.intp)
    before = np.zeros(len(page.start) + 1, np.intp)
    before[first + 1] = 1
    before.cumsum(out=before)
    opens, closes = before.take(page.first), before.take(page.last)
    larger = _larger(opens, closes, parent)
    level = np.empty((LEVELS, len(first)), np.intp)
    level[0] = _climb(at, np.where(_BLOCK.take(page.tag), np.arange(len(page)), parent))
    for k in range(1, LEVELS):
        larger.take(level[k - 1], out=level[k])
    begin, stop = opens.take(level), closes.take(level)
    number = block[begins].astype(np.intp)
    together = _together(page, level[0], block_chars(page)[number] > _LONG)
    return Blocks(number, first, last, at, level, begin, stop, *_signatures(page, level[:3]), together)


def _bundled(size: NDArray[np.integer[Any]]) -> Bools:
    """Which blocks of these sizes begin a bundle: every so many, and those of some length, which stay alone if they are
    not too many.

    A page of a million blocks has a million lines of a word or two; what is said of some in a row is said of each.
    """
    begins: Bools = np.arange(len(size)) % -(-len(size) // _MAX_JUDGED_BLOCKS) == 0
    alone = size >= _ALONE
    alone[1:] |= alone[:-1].copy()
    return begins | alone if np.count_nonzero(alone) <= _MAX_JUDGED_BLOCKS else begins


def _larger(opens: Rows, closes: Rows, parent: Rows) -> Rows:
    """For each element that holds the blocks opens:closes, if any, the nearest ancestor that holds more, or the root.

    Those that hold the same blocks are nested, so among the elements that hold any they follow one another, and the
    answer is the parent of the first.
    """
    larger: Rows = parent.copy()
    filled = (opens < closes).nonzero()[0]
    opens, closes = opens[filled], closes[filled]
    differs = np.ones(len(filled), bool)
    differs[1:] = (opens[1:] != opens[:-1]) | (closes[1:] != closes[:-1])
    outermost = filled[differs]
    larger[filled] = parent[outermost].take(differs.cumsum() - 1)
    return larger


def _climb(row: Rows, step: Rows) -> Rows:
    """Go from row to row until there is no further step."""
    while True:
        above = step.take(row)
        if (above == row).all():
            return row
        row = above


def _signatures(page: Page, level: Rows) -> tuple[Rows, Rows]:
    """Groups of blocks that are built alike: cards of a listing, posts of a thread, entries of a menu."""
    code = np.zeros(len(page), np.intp)
    row, value, _ = attributes.distinct_bytes(page, "class")
    code[row] = value + 1
    tag = page.tag.take(level).astype(np.uint64)
    near, far, further = (code.take(level).view(np.uint64) * np.uint64(512) + tag) * _ODD
    path = (near * _ODD + far) * _ODD + further
    place = (far * _ODD + further) * _ODD + tag[0]
    return numbered(path), numbered(place)


def _together(page: Page, element: Rows, is_long: Bools) -> Rows:
    """Groups of blocks that a reader takes for one: in a list those that stand in like elements, in a table of data all
    cells; every other block is alone, and so are those of a group with a long one, which is a means of layout.

    Rows are in document order, so the innermost list around an element is the last one on its path.
    """
    gathers = _LIST.take(page.tag) | _data_tables(page)
    around = along_path(page, np.where(gathers, np.arange(len(page)) + 1, 0), np.maximum).take(element)
    path = page.depth.take(element).astype(np.uint64)
    for _ in range(_STEPS):
        path = path * _ODD + page.tag.take(element).astype(np.uint64)
        element = page.parent.take(element).astype(np.intp)  # -1 above the root: the last element, the same for all
    path[page.tag.take(around - 1) == NUMBER["table"]] = 0
    key = path * _ODD + around.view(np.uint64)
    alone = around == 0
    if is_long.any():
        alone |= is_among(key, np.sort(key[is_long]))
    number = numbered(key)
    number[alone] = len(number) + alone.nonzero()[0]
    return numbered(number)


def _data_tables(page: Page) -> Bools:
    """The tables that hold no boxes: those with some lay a page out."""
    table: Bools = page.tag == NUMBER["table"]
    return table & (subtree_sum(page, _NO_DATA.take(page.tag)) == 1) if table.any() else table


def numbered(keys: NDArray[Any]) -> Rows:
    """Group numbers 0, 1, …: equal keys, of eight bytes each, have equal ones."""
    number = np.empty(len(keys), np.intp)
    number_keys(keys.view(np.uint64).data, SECRET, slots(len(keys)).data, number.data)
    return number


def slots(entries: int) -> Ints:
    """A hash table for so many entries."""
    return np.full(1 << (2 * entries + 1).bit_length(), -1, np.int32)


SECRET = int.from_bytes(os.urandom(8), "little") >> 1 | 1  # of the hash tables of this process
_ODD = np.uint64(0x9E3779B97F4A7C15)
