"""The rows that plain selectors match.

A plain selector is made of tags, `*`, classes and ids, set apart by spaces, `>`, `+` and `~`.  Rows are in document
order, so one pass matches it: with bit k of own(i) set where row i satisfies compound k alone, and bit k of m(i) where
compounds 0 to k match and end at i,

    m(i) = own(i) & (1 | m(ancestors) << 1 where compound k follows a space | m(parent) << 1 where it follows `>` | …)
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return, misc"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from thresher.css.names import PageNames
from thresher.css.selector_names import (
    BEGIN,
    BLOCK,
    COLUMNS,
    COMBINATOR,
    COMPOUND,
    END,
    FIRST,
    FIRST_COMPOUND,
    HAS_ALL,
    KIND,
    MAX_PRELUDE_BYTES,
    NUMBER,
    PLAIN,
    SIGN,
    read_lists,
    read_plain,
)
from thresher.css.structure import Structure
from thresher.page.types import Bytes, Ints, Rows

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["MatchedSelector", "PlainMatcher"]

_BEGIN = cython.declare(cython.int, BEGIN)
_BLOCK = cython.declare(cython.int, BLOCK)
_COMBINATOR = cython.declare(cython.int, COMBINATOR)
_COMPOUND = cython.declare(cython.int, COMPOUND)
_END = cython.declare(cython.int, END)
_FIRST = cython.declare(cython.int, FIRST)
_FIRST_COMPOUND = cython.declare(cython.int, FIRST_COMPOUND)
_HAS_ALL = cython.declare(cython.int, HAS_ALL)
_KIND = cython.declare(cython.int, KIND)
_NUMBER = cython.declare(cython.int, NUMBER)
_PLAIN = cython.declare(cython.int, PLAIN)
_SIGN = cython.declare(cython.int, SIGN)

_MAX_COMPOUNDS = cython.declare(cython.int, 31)
_ID = cython.declare(cython.longlong, 1 << 20)  # the weights of a selector's parts
_CLASS = cython.declare(cython.longlong, 1 << 10)
_TABLE_SIZE = MAX_PRELUDE_BYTES + 4_000
_RESULT_COLUMNS = 6  # block, where the selector begins and ends, its weight, where its rows begin and end
_MIN_ROWS_ROOM = 10_000


class MatchedSelector(NamedTuple):
    """A selector before a block of a sheet, text[begin:end], and the rows that it matches; of one that is not plain
    only that the page may have what it asks for."""

    block: int
    begin: int
    end: int
    specificity: int
    rows: Rows | None


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

    def match_rules(
        self, structure: Structure, blocks: Ints, kinds: Bytes, compound_cost: int, budget: int
    ) -> Iterator[tuple[int, list[MatchedSelector]]]:
        """The selectors before some blocks that may match, and the rows of the plain ones; some at a time, with what is
        left of the budget: a compound costs so much, each row 1, a combinator of siblings all rows.

        `kinds` becomes the kind of each list: PLAIN, OTHER or, where nothing is known of it, UNSURE."""
        table, work = np.empty((COLUMNS, _TABLE_SIZE), np.int32), np.zeros((5, self.size), np.uint32)
        results = np.empty((_RESULT_COLUMNS, _TABLE_SIZE), np.int64)
        preludes, text = structure.blocks, structure.text
        done = 0
        while done < len(blocks) and budget > 0:
            done, count = read_lists(
                text, preludes.prelude.data, preludes.open.data, blocks.data, done, kinds.data, table.data
            )
            self.names.number(text, table.data, count)
            matched = 0
            while matched < count and budget > 0:
                rows = np.empty(self.size + _MIN_ROWS_ROOM, np.intp)
                state = np.array([matched, 0, budget, compound_cost], np.int64)
                self._match_all(table.data, count, work.data, results.data, rows.data, state.data)
                matched, number, budget, _ = state.tolist()
                columns = zip(*results[:, :number].tolist(), strict=True)
                yield (
                    budget,
                    [
                        MatchedSelector(block, begin, end, weight, rows[first:last] if first >= 0 else None)
                        for block, begin, end, weight, first, last in columns
                    ],
                )

    @cython.cfunc
    @cython.exceptval(check=False)
    def _match_all(
        self,
        table: cython.int[:, ::1],
        selectors: cython.Py_ssize_t,
        work: cython.uint[:, ::1],
        results: cython.longlong[:, ::1],
        rows: cython.Py_ssize_t[::1],
        state: cython.longlong[::1],
    ) -> cython.void:
        """Write the results of all selectors from state[0] on until `rows`, which holds more than the page has, may be
        full or state[2], the budget, is spent; state[1] is the number of the results."""
        at: cython.Py_ssize_t
        result: cython.Py_ssize_t = 0
        used: cython.Py_ssize_t = 0
        count: cython.Py_ssize_t
        compounds: cython.Py_ssize_t
        with cython.nogil:
            at = state[0]
            while at < selectors and state[2] > 0 and used + self.size <= rows.shape[0]:
                if table[_HAS_ALL, at]:
                    compounds = table[_FIRST_COMPOUND, at + 1] - table[_FIRST_COMPOUND, at] - 1
                    results[0, result], results[1, result] = table[_BLOCK, at], table[_BEGIN, at]
                    results[2, result], results[3, result] = table[_END, at], 0
                    results[4, result] = results[5, result] = -1
                    if table[_KIND, at] != _PLAIN or compounds > _MAX_COMPOUNDS:
                        result += 1
                    else:
                        count = self._match(table, at, work, rows[used:])
                        state[2] -= state[3] * compounds + count + self._scans(table, at) * self.size
                        if count:
                            results[3, result] = self._weight(table, at)
                            results[4, result], results[5, result] = used, used + count
                            used += count
                            result += 1
                at += 1
            state[0], state[1] = at, result

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _scans(self, table: cython.int[:, ::1], selector: cython.Py_ssize_t) -> cython.longlong:
        """How many compounds follow a combinator of siblings or ask for any element."""
        compound: cython.Py_ssize_t
        scans: cython.longlong = 0
        for compound in range(table[_FIRST_COMPOUND, selector], table[_FIRST_COMPOUND, selector + 1] - 1):
            if table[_COMBINATOR, compound] == 0x2B or table[_COMBINATOR, compound] == 0x7E:
                scans += 1
            if table[_COMPOUND, compound] == table[_COMPOUND, compound + 1]:
                scans += 1
        return scans

    def match(self, selector: bytes) -> tuple[Rows, int] | None:
        """The rows that a plain selector matches and how specific it is; None where it is not plain."""
        columns = np.empty((COLUMNS, len(selector) + 3), np.int32).data
        compounds: cython.Py_ssize_t = read_plain(selector, columns)
        if not 0 < compounds <= _MAX_COMPOUNDS:
            return None
        self.names.number(selector, columns, 1)
        table: cython.int[:, ::1] = columns
        weight: cython.longlong = self._weight(table, 0)
        if not table[_HAS_ALL, 0]:
            return self.row_array[:0], weight
        if compounds == 1 and table[_FIRST, 1] == 1:
            return self.row_array[self.row_first[table[_NUMBER, 0]] : self.row_last[table[_NUMBER, 0]]], weight
        rows = np.empty(self.size, np.intp)
        work = np.zeros((5, self.size if compounds > 1 else 0), np.uint32)
        return rows[: self._match(table, 0, work.data, rows.data)].copy(), weight

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weight(self, table: cython.int[:, ::1], selector: cython.Py_ssize_t) -> cython.longlong:
        weight: cython.longlong = 0
        at: cython.Py_ssize_t
        for at in range(table[_FIRST, selector], table[_FIRST, selector + 1]):
            weight += _CLASS if table[_SIGN, at] == 0x2E else _ID if table[_SIGN, at] == 0x23 else 1
        return weight

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _match(
        self,
        table: cython.int[:, ::1],
        selector: cython.Py_ssize_t,
        work: cython.uint[:, ::1],
        rows: cython.Py_ssize_t[::1],
    ) -> cython.Py_ssize_t:
        """Write the rows that match; how many they are.  The work, zeros but for one compound, is left as zeros."""
        base: cython.Py_ssize_t = table[_FIRST_COMPOUND, selector]
        compounds: cython.Py_ssize_t = table[_FIRST_COMPOUND, selector + 1] - base - 1
        compound: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0  # outside of these rows none can match
        last: cython.Py_ssize_t = -1
        lowest: cython.Py_ssize_t = self.size  # those that are written to
        highest: cython.Py_ssize_t = -1
        if compounds == 1:
            return self._compound(table, base, rows)
        for compound in range(compounds):
            count = self._compound(table, base + compound, rows)
            if count == 0:
                break
            for at in range(count):
                work[0, rows[at]] |= cython.cast(cython.uint, 1) << compound
            if compound == 0:
                first = rows[0]
            last = rows[count - 1]
            lowest = min(lowest, rows[0])
            highest = max(highest, last)
        if count:
            count = self._walk(table, base, compounds, work, rows, first, last)
        self._clear(work, lowest, highest)
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _clear(self, work: cython.uint[:, ::1], lowest: cython.Py_ssize_t, highest: cython.Py_ssize_t) -> cython.void:
        row: cython.Py_ssize_t
        for row in range(lowest, highest + 1):
            work[0, row] = work[1, row] = work[2, row] = 0
            if self.parent[row] >= 0:
                work[3, self.parent[row]] = work[4, self.parent[row]] = 0

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
    @cython.nogil
    @cython.exceptval(check=False)
    def _walk(
        self,
        table: cython.int[:, ::1],
        base: cython.Py_ssize_t,
        compounds: cython.Py_ssize_t,
        work: cython.uint[:, ::1],
        rows: cython.Py_ssize_t[::1],
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Write the rows at which all compounds match.  The work: own, m, and those of ancestors, of the children so
        far and of the last child."""
        below: cython.uint = _following(table, base, compounds, 0x20)
        children: cython.uint = _following(table, base, compounds, 0x3E)
        next_to: cython.uint = _following(table, base, compounds, 0x2B)
        later: cython.uint = _following(table, base, compounds, 0x7E)
        row: cython.Py_ssize_t
        up: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        reach: cython.uint
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
@cython.nogil
@cython.exceptval(check=False)
def _following(
    table: cython.int[:, ::1], base: cython.Py_ssize_t, compounds: cython.Py_ssize_t, combinator: cython.int
) -> cython.uint:
    """The bits of the compounds that follow a combinator."""
    bits: cython.uint = 0
    compound: cython.Py_ssize_t
    for compound in range(compounds):
        if table[_COMBINATOR, base + compound] == combinator:
            bits |= cython.cast(cython.uint, 1) << compound
    return bits
