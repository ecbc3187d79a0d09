"""Which rules can matter on a page: those whose selectors ask for no name that the page lacks.

The element that a selector chooses carries the names of its last compound: where only some rows are asked about, those
names must be on one of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

import numpy as np

from thresher.css.names import PageNames
from thresher.css.selector_names import (
    BLOCK,
    COLUMNS,
    FIRST,
    HAS_ALL,
    LAST_COMPOUND,
    MAX_PRELUDE_BYTES,
    NUMBER,
    SIGN,
    read_preludes,
    read_selector,
)
from thresher.css.structure import Structure
from thresher.page.types import Bits, Ints

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["choose", "has_names"]

_BLOCK = cython.declare(cython.int, BLOCK)
_FIRST = cython.declare(cython.int, FIRST)
_HAS_ALL = cython.declare(cython.int, HAS_ALL)
_LAST_COMPOUND = cython.declare(cython.int, LAST_COMPOUND)
_NUMBER = cython.declare(cython.int, NUMBER)
_SIGN = cython.declare(cython.int, SIGN)
_ALL_BITS = cython.declare(cython.uint, 0xFFFFFFFF)
_COLON = cython.declare(cython.int, 0x3A)
_NOT_ASKED: Bits = np.zeros(0, np.uint32)
_TABLE_SIZE = MAX_PRELUDE_BYTES + 4_000


def has_names(names: PageNames, selector: bytes) -> bool:
    """Whether the page has all names of a selector that stand outside of brackets; those before an escape, if any."""
    table = np.empty((COLUMNS, len(selector) + 2), np.int32)
    count = read_selector(selector, table.data)
    names.number(selector, table.data, count)
    return count > 0 and bool(table[HAS_ALL, 0])


def choose(names: PageNames, structure: Structure, numbers: Ints, wanted: Bits | None, bits: Bits | None) -> Ints:
    """Those of some declarations whose rules may choose a row of the page; where rows have bits, one that shares a
    bit with those wanted for the declaration."""
    preludes, block = structure.blocks, structure.declared.block
    chosen = np.empty(len(numbers), np.int32)
    reach = np.zeros(len(preludes.open), np.uint32)
    if wanted is None:
        wanted = np.full(len(numbers), 0xFFFFFFFF, np.uint32)
    asked = _NOT_ASKED if bits is None else names.bits_of_names(bits)
    count = _distinct_blocks(block.data, numbers.data, reach.data, chosen.data)
    blocks = chosen[:count]
    table = np.empty((COLUMNS, _TABLE_SIZE), np.int32).data
    done = 0
    while done < count:
        done, selectors = read_preludes(
            structure.text, preludes.prelude.data, preludes.open.data, blocks.data, done, table
        )
        names.number(structure.text, table, selectors)
        _unite(table, selectors, asked.data, reach.data)
    return chosen[: _chosen(block.data, numbers.data, wanted.data, reach.data, chosen.data)]


def _distinct_blocks(
    block: cython.const[cython.int][::1],
    numbers: cython.const[cython.int][::1],
    seen: cython.uint[::1],
    blocks: cython.int[::1],
) -> int:
    """Write the blocks of some declarations, each once; how many they are."""
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    with cython.nogil:
        for at in range(numbers.shape[0]):
            if not seen[block[numbers[at]]]:
                seen[block[numbers[at]]] = 1
                blocks[count] = block[numbers[at]]
                count += 1
        for at in range(count):
            seen[blocks[at]] = 0
    return count


def _unite(
    table: cython.const[cython.int][:, ::1],
    selectors: cython.Py_ssize_t,
    asked: cython.const[cython.uint][::1],
    reach: cython.uint[::1],
) -> None:
    """Add to the bits of each block those of the rows that its selectors may choose."""
    selector: cython.Py_ssize_t
    at: cython.Py_ssize_t
    bits: cython.uint
    asking: cython.bint = asked.shape[0] > 0
    with cython.nogil:
        for selector in range(selectors):
            if not table[_HAS_ALL, selector]:
                continue
            bits = _ALL_BITS
            if asking:
                for at in range(table[_LAST_COMPOUND, selector], table[_FIRST, selector + 1]):
                    if table[_SIGN, at] != _COLON:
                        bits &= asked[table[_NUMBER, at]]
            reach[table[_BLOCK, selector]] |= bits


def _chosen(
    block: cython.const[cython.int][::1],
    numbers: cython.const[cython.int][::1],
    wanted: cython.const[cython.uint][::1],
    reach: cython.const[cython.uint][::1],
    chosen: cython.int[::1],
) -> int:
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    with cython.nogil:
        for at in range(numbers.shape[0]):
            if reach[block[numbers[at]]] & wanted[at]:
                chosen[count] = numbers[at]
                count += 1
    return count
