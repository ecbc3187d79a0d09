"""The rows that plain selectors match.

A plain selector is made of tags, `*`, classes and ids, set apart by spaces, `>`, `+` and `~`.  Rows are in document
order, so one pass matches it: with bit k of own(i) set where row i satisfies compound k alone, and bit k of m(i) where
compounds 0 to k match and end at i,

    m(i) = own(i) & (1 | m(ancestors) << 1 where compound k follows a space | m(parent) << 1 where it follows `>` | …)
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return, misc"

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.css.names import PageNames
from thresher.css.selector_names import (
    BEGIN,
    COLUMNS,
    COMBINATOR,
    COMPOUND,
    END,
    FIRST,
    HAS_ALL,
    NUMBER,
    SIGN,
    read_plain,
    read_plain_list,
)
from thresher.page.types import Rows

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["PlainMatcher"]

_BEGIN = cython.declare(cython.int, BEGIN)
_COMBINATOR = cython.declare(cython.int, COMBINATOR)
_COMPOUND = cython.declare(cython.int, COMPOUND)
_END = cython.declare(cython.int, END)
_FIRST = cython.declare(cython.int, FIRST)
_HAS_ALL = cython.declare(cython.int, HAS_ALL)
_NUMBER = cython.declare(cython.int, NUMBER)
_SIGN = cython.declare(cython.int, SIGN)

_MAX_COMPOUNDS = cython.declare(cython.int, 31)
_ID = cython.declare(cython.longlong, 1 << 20)  # the weights of a selector's parts
_CLASS = cython.declare(cython.longlong, 1 << 10)


@cython.cclass
class PlainMatcher:
    """Matches plain selectors on a page."""

    size: cython.Py_ssize_t  # rows of the page
    parent: cython.const[cython.int][::1]
    row_first: cython.const[cython.Py_ssize_t][::1]  # name k is on the rows rows[row_first[k]:row_last[k]]
    row_last: cython.const[cython.Py_ssize_t][::1]
    rows: cython.const[cython.Py_ssize_t][::1]
    row_array: Any
    names: Any

    def __init__(self, names: PageNames, parent: Any) -> None:
        first, last, rows = names.places()
        self.size = len(parent)
        self.parent = parent.data
        self.row_first, self.row_last, self.rows = first.data, last.data, rows.data
        self.row_array = rows
        self.names = names

    def selectors(self, text: bytes, start: int, stop: int) -> list[bytes] | None:
        """The selectors of the list text[start:stop] that ask for no name the page lacks; None if one is not plain."""
        columns = np.empty((COLUMNS, stop - start + 2), np.int32).data
        count: cython.Py_ssize_t = read_plain_list(text, start, stop, columns)
        if count < 0:
            return None
        self.names.number(text, columns, count)
        table: cython.int[:, ::1] = columns
        return [text[table[_BEGIN, at] : table[_END, at]] for at in range(count) if table[_HAS_ALL, at]]

    def match(self, selector: bytes) -> tuple[Rows, int] | None:
        """The rows that a plain selector matches and how specific it is; None where it is not plain."""
        columns = np.empty((COLUMNS, len(selector) + 2), np.int32).data
        compounds: cython.Py_ssize_t = read_plain(selector, columns)
        if not 0 < compounds <= _MAX_COMPOUNDS:
            return None
        self.names.number(selector, columns, 1)
        table: cython.int[:, ::1] = columns
        weight: cython.longlong = self._weight(table)
        if not table[_HAS_ALL, 0]:
            return self.row_array[:0], weight
        if compounds == 1 and table[_FIRST, 1] == 1:
            return self.row_array[self.row_first[table[_NUMBER, 0]] : self.row_last[table[_NUMBER, 0]]], weight
        rows = np.empty(self.size, np.intp)
        if compounds == 1:
            return rows[: self._compound(table, 0, rows.data)].copy(), weight
        work = np.zeros((5, self.size), np.uint32)
        return rows[: self._match(table, compounds, work.data, rows.data)].copy(), weight

    @cython.cfunc
    @cython.exceptval(check=False)
    def _weight(self, table: cython.int[:, ::1]) -> cython.longlong:
        weight: cython.longlong = 0
        at: cython.Py_ssize_t
        for at in range(table[_FIRST, 1]):
            weight += _CLASS if table[_SIGN, at] == 0x2E else _ID if table[_SIGN, at] == 0x23 else 1
        return weight

    @cython.cfunc
    @cython.exceptval(check=False)
    def _match(
        self,
        table: cython.int[:, ::1],
        compounds: cython.Py_ssize_t,
        work: cython.uint[:, ::1],
        rows: cython.Py_ssize_t[::1],
    ) -> cython.Py_ssize_t:
        """Write the rows that match; how many they are."""
        compound: cython.Py_ssize_t
        count: cython.Py_ssize_t
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0  # outside of these rows none can match
        last: cython.Py_ssize_t = -1
        for compound in range(compounds):
            count = self._compound(table, compound, rows)
            if count == 0:
                return 0
            for at in range(count):
                work[0, rows[at]] |= cython.cast(cython.uint, 1) << compound
            if compound == 0:
                first = rows[0]
            last = rows[count - 1]
        return self._walk(table, compounds, work, rows, first, last)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _compound(
        self, table: cython.int[:, ::1], compound: cython.Py_ssize_t, rows: cython.Py_ssize_t[::1]
    ) -> cython.Py_ssize_t:
        """Write the rows that have all names of a compound; how many they are."""
        at: cython.Py_ssize_t
        row: cython.Py_ssize_t
        count: cython.Py_ssize_t = -1  # all rows
        for at in range(table[_COMPOUND, compound], table[_COMPOUND, compound + 1]):
            count = self._intersect(rows, count, table[_NUMBER, at])
        if count < 0:
            count = self.size
            for row in range(self.size):
                rows[row] = row
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _intersect(self, rows: cython.Py_ssize_t[::1], count: cython.Py_ssize_t, name: cython.int) -> cython.Py_ssize_t:
        """Keep those of the first rows, of all if `count` is -1, that have a name."""
        at: cython.Py_ssize_t = self.row_first[name]
        last: cython.Py_ssize_t = self.row_last[name]
        kept: cython.Py_ssize_t = 0
        row: cython.Py_ssize_t
        if count < 0:
            for row in range(last - at):
                rows[row] = self.rows[at + row]
            return last - at
        for row in range(count):
            while at < last and self.rows[at] < rows[row]:
                at += 1
            if at < last and self.rows[at] == rows[row]:
                rows[kept] = rows[row]
                kept += 1
        return kept

    @cython.cfunc
    @cython.exceptval(check=False)
    def _walk(
        self,
        table: cython.int[:, ::1],
        compounds: cython.Py_ssize_t,
        work: cython.uint[:, ::1],
        rows: cython.Py_ssize_t[::1],
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Write the rows at which all compounds match.  The work: own, m, and those of ancestors, of the children so
        far and of the last child."""
        below: cython.uint = _following(table, compounds, 0x20)
        children: cython.uint = _following(table, compounds, 0x3E)
        next_to: cython.uint = _following(table, compounds, 0x2B)
        later: cython.uint = _following(table, compounds, 0x7E)
        row: cython.Py_ssize_t
        up: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        reach: cython.uint
        with cython.nogil:
            for row in range(first, last + 1):
                up = self.parent[row]
                reach = 1
                if up >= 0:
                    work[2, row] = work[2, up] | work[1, up]
                    reach |= (work[2, row] << 1 & below) | (work[1, up] << 1 & children)
                    if next_to | later:
                        reach |= (work[4, up] << 1 & next_to) | (work[3, up] << 1 & later)
                work[1, row] = work[0, row] & reach
                if up >= 0 and next_to | later:
                    work[4, up] = work[1, row]
                    work[3, up] |= work[1, row]
                if work[1, row] >> (compounds - 1) & 1:
                    rows[count] = row
                    count += 1
        return count


@cython.cfunc
@cython.exceptval(check=False)
def _following(table: cython.int[:, ::1], compounds: cython.Py_ssize_t, combinator: cython.int) -> cython.uint:
    """The bits of the compounds that follow a combinator."""
    bits: cython.uint = 0
    compound: cython.Py_ssize_t
    for compound in range(compounds):
        if table[_COMBINATOR, compound] == combinator:
            bits |= cython.cast(cython.uint, 1) << compound
    return bits
