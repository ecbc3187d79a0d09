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

from thresher.methods.auto.elements import FACTS, elements
from thresher.methods.auto.kernels.blocks import find_blocks, place_blocks
from thresher.page import Page, memoised
from thresher.page.types import Bools, Ints
from thresher.visible.readable import block_chars, readable

__all__ = ["LEVELS", "SECRET", "Blocks", "blocks", "slots"]

LEVELS = 6
_MAX_JUDGED_BLOCKS = 100_000  # blocks that are judged one by one; two kilobytes are known of each
_ALONE = 80  # characters
_LONG = 400  # characters of a block that is no item of a list and no cell of a table


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The blocks of a page that have readable text; B of them.  On a page of very many, bundles of short ones."""

    number: Ints  # (B,)  their block numbers in the page; the first of a bundle
    first: Ints  # (B,)  their first text
    last: Ints  # (B,)  their last text
    at: Ints  # (B,)  the element of the first text
    level: Ints  # (LEVELS, B)  their containers
    begin: Ints  # (LEVELS, B)  container l of block b holds the blocks begin[l, b]:stop[l, b]
    stop: Ints  # (LEVELS, B)
    alike: Ints  # (B,)  group number: blocks with the same tags and classes on levels 0, 1 and 2
    beside: Ints  # (B,)  group number: the same of levels 1 and 2, and the tag of level 0
    together: Ints  # (B,)  group number: items of a list, cells of a table
    table: Ints  # (4 + 3 LEVELS + 3, B)  all of these, for loops that need several

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
    found = np.empty((3, len(page.block)), np.intp)
    count = find_blocks(page.block, readable(page).view(np.uint8), found)
    found = found[:, :count]
    if count > _MAX_JUDGED_BLOCKS:
        begins = _bundled(block_chars(page)[found[0]]).nonzero()[0]
        found = np.stack((*found[:2, begins], found[2, np.append(begins[1:], count) - 1]))
    table = np.empty((7 + 3 * LEVELS, found.shape[1]), np.int32)
    table[:3] = found
    if not found.shape[1]:
        return _of(table)
    size = max(len(page.tag), len(page.block))
    place_blocks(
        page.owner, block_chars(page), _LONG, FACTS, elements(page), SECRET, slots(found.shape[1]),
        np.empty(found.shape[1], np.uint64), np.empty((5, size + 1), np.int32), table,
    )  # fmt: skip
    return _of(table)


def _of(table: Ints) -> Blocks:
    """The blocks with these columns."""
    number, first, last, at = table[:4]
    level, begin, stop = table[4:-3].reshape(3, LEVELS, -1)
    alike, beside, together = table[-3:]
    return Blocks(number, first, last, at, level, begin, stop, alike, beside, together, table)


def _bundled(size: NDArray[np.integer[Any]]) -> Bools:
    """Which blocks of these sizes begin a bundle: every so many, and those of some length, which stay alone if they are
    not too many.

    A page of a million blocks has a million lines of a word or two; what is said of some in a row is said of each.
    """
    begins: Bools = np.arange(len(size)) % -(-len(size) // _MAX_JUDGED_BLOCKS) == 0
    alone = size >= _ALONE
    alone[1:] |= alone[:-1].copy()
    return begins | alone if np.count_nonzero(alone) <= _MAX_JUDGED_BLOCKS else begins


def slots(entries: int) -> Ints:
    """Room for a hash table of so many entries."""
    return np.empty(1 << (2 * entries + 1).bit_length(), np.int32)


SECRET = int.from_bytes(os.urandom(8), "little") >> 1 | 1  # of the hash tables of this process
