"""The rows that selectors match (selector_table.py), once it is known which rows have each of their parts.

Rows are in document order, so one pass matches a selector: with bit k of own(i) set where row i satisfies compound k
alone, and bit k of m(i) where compounds 0 to k match and end at i,

    m(i) = own(i) & (1 | m(ancestors) << 1 where compound k follows a space | m(parent) << 1 where it follows `>` | …)
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return, misc"

from __future__ import annotations

from typing import Any

from thresher.page.types import Bytes, Ints, LongBits, Rows

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["RESULT_COLUMNS", "RowMatcher"]

_ALL_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
RESULT_COLUMNS = 4  # the selector, its weight, where its rows begin and end


@cython.cclass
class RowMatcher:
    """Matches the selectors of a table on a page.

    Part p of the table has the name k = name[p], which the page numbers n = number[k]; -1 where it lacks it.  The rows
    with it are rows[row_first[n]:row_last[n]], ascending."""

    size: cython.Py_ssize_t  # rows of the page
    parent: cython.const[cython.int][::1]
    first: cython.const[cython.int][::1]  # the columns of the table
    last: cython.const[cython.int][::1]
    compounds: cython.const[cython.int][::1]
    block: cython.const[cython.int][::1]
    parts: cython.const[cython.int][::1]
    combinator: cython.const[cython.int][::1]
    name: cython.const[cython.int][::1]
    number: cython.const[cython.int][::1]
    weight: cython.const[cython.int][::1]  # of each name
    row_first: cython.const[cython.Py_ssize_t][::1]
    row_last: cython.const[cython.Py_ssize_t][::1]
    rows: cython.const[cython.Py_ssize_t][::1]

    def __init__(self, table: Any, parent: Ints, number: Ints) -> None:
        self.size = len(parent)
        self.parent, self.number = parent.data, number.data
        self.first, self.last, self.compounds = table.first.data, table.last.data, table.compounds.data
        self.block, self.parts, self.combinator = table.block.data, table.parts.data, table.combinator.data
        self.name, self.weight = table.name.data, table.weight.data

    def place(self, row_first: Rows, row_last: Rows, rows: Rows) -> None:
        """Set where the names of the page are."""
        self.row_first, self.row_last, self.rows = row_first.data, row_last.data, rows.data

    def reach(self, asked: LongBits, blocks: LongBits) -> None:
        """For each block, the union of the bits that the rows which its selectors may choose can have, where those
        with each name of the page have the bits `asked`."""
        self._reach(asked.data, blocks.data)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _reach(self, asked: cython.const[cython.ulonglong][::1], blocks: cython.ulonglong[::1]) -> cython.void:
        selector: cython.Py_ssize_t
        at: cython.Py_ssize_t
        bits: cython.ulonglong
        with cython.nogil:
            for selector in range(self.block.shape[0]):
                if self._is_live(selector):
                    bits = _ALL_BITS
                    for at in range(self.last[selector], self.first[selector + 1]):
                        bits &= asked[self.number[self.name[at]]]
                    blocks[self.block[selector]] |= bits

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(check=False)
    def _is_live(self, selector: cython.Py_ssize_t) -> cython.bint:
        """Whether the page has all parts."""
        at: cython.Py_ssize_t = self.first[selector]
        while at < self.first[selector + 1] and self.number[self.name[at]] >= 0:
            at += 1
        return at == self.first[selector + 1]

    def use(self, selectors: Ints, used: Bytes) -> None:
        """Mark the names of those of some selectors of which the page has all parts."""
        self._use(selectors.data, used.data)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _use(self, selectors: cython.const[cython.int][::1], used: cython.uchar[::1]) -> cython.void:
        at: cython.Py_ssize_t
        part: cython.Py_ssize_t
        with cython.nogil:
            for at in range(selectors.shape[0]):
                if self._is_live(selectors[at]):
                    for part in range(self.first[selectors[at]], self.first[selectors[at] + 1]):
                        used[self.name[part]] = 1

    def match(
        self,
        selectors: cython.const[cython.int][::1],
        work: cython.uint[:, ::1],
        results: cython.int[:, ::1],
        rows: cython.Py_ssize_t[::1],
        state: cython.longlong[::1],
    ) -> None:
        """Write the results of some selectors, from the state[0]th on, until `rows`, which holds as many as the page
        has or more, may be full or state[2], the budget, is spent; state[1] becomes the number of results.

        A compound costs state[3], each row 1, a combinator of siblings and a compound without parts all rows.  The
        work is zeros, and is left as zeros."""
        at: cython.Py_ssize_t
        result: cython.Py_ssize_t = 0
        used: cython.Py_ssize_t = 0
        count: cython.Py_ssize_t
        selector: cython.Py_ssize_t
        with cython.nogil:
            at = state[0]
            while at < selectors.shape[0] and state[2] > 0 and used + self.size <= rows.shape[0]:
                selector = selectors[at]
                at += 1
                if not self._is_live(selector):
                    continue
                count = self._match(selector, work, rows[used:])
                state[2] -= state[3] * (self.compounds[selector + 1] - self.compounds[selector]) + count
                state[2] -= self._scans(selector) * self.size
                if count:
                    results[0, result] = selector
                    results[1, result] = self._weight(selector)
                    results[2, result], results[3, result] = used, used + count
                    used += count
                    result += 1
            state[0], state[1] = at, result

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _scans(self, selector: cython.Py_ssize_t) -> cython.longlong:
        """How many compounds follow a combinator of siblings or ask for any element."""
        compound: cython.Py_ssize_t
        scans: cython.longlong = 0
        for compound in range(self.compounds[selector], self.compounds[selector + 1]):
            if self.combinator[compound] == 0x2B or self.combinator[compound] == 0x7E:
                scans += 1
            if self.parts[compound] == self.parts[compound + 1]:
                scans += 1
        return scans

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _weight(self, selector: cython.Py_ssize_t) -> cython.int:
        weight: cython.longlong = 0
        at: cython.Py_ssize_t
        for at in range(self.first[selector], self.first[selector + 1]):
            weight += self.weight[self.name[at]]
        return cython.cast(cython.int, min(weight, 0x7FFFFFFF))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _match(
        self, selector: cython.Py_ssize_t, work: cython.uint[:, ::1], rows: cython.Py_ssize_t[::1]
    ) -> cython.Py_ssize_t:
        """Write the rows that match; how many they are."""
        base: cython.Py_ssize_t = self.compounds[selector]
        compounds: cython.Py_ssize_t = self.compounds[selector + 1] - base
        compound: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0  # outside of these rows none can match
        last: cython.Py_ssize_t = -1
        lowest: cython.Py_ssize_t = self.size  # those that are written to
        highest: cython.Py_ssize_t = -1
        if compounds == 1:
            return self._compound(base, rows)
        for compound in range(compounds):
            count = self._compound(base + compound, rows)
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
            count = self._walk(base, compounds, work, rows, first, last)
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
    def _compound(self, compound: cython.Py_ssize_t, rows: cython.Py_ssize_t[::1]) -> cython.Py_ssize_t:
        """Write the rows that have all parts of a compound; how many they are."""
        at: cython.Py_ssize_t
        row: cython.Py_ssize_t
        count: cython.Py_ssize_t = -1  # all rows
        for at in range(self.parts[compound], self.parts[compound + 1]):
            count = self._intersect(rows, count, self.number[self.name[at]])
        if count < 0:
            count = self.size
            for row in range(self.size):
                rows[row] = row
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _intersect(
        self, rows: cython.Py_ssize_t[::1], count: cython.Py_ssize_t, number: cython.int
    ) -> cython.Py_ssize_t:
        """Keep those of the first rows, of all if `count` is -1, that have a name."""
        at: cython.Py_ssize_t = self.row_first[number]
        last: cython.Py_ssize_t = self.row_last[number]
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
        base: cython.Py_ssize_t,
        compounds: cython.Py_ssize_t,
        work: cython.uint[:, ::1],
        rows: cython.Py_ssize_t[::1],
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Write the rows at which all compounds match.  The work: own, m, and those of ancestors, of the children so
        far and of the last child."""
        below: cython.uint = self._following(base, compounds, 0x20)
        children: cython.uint = self._following(base, compounds, 0x3E)
        next_to: cython.uint = self._following(base, compounds, 0x2B)
        later: cython.uint = self._following(base, compounds, 0x7E)
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
    def _following(self, base: cython.Py_ssize_t, compounds: cython.Py_ssize_t, combinator: cython.int) -> cython.uint:
        """The bits of the compounds that follow a combinator."""
        bits: cython.uint = 0
        compound: cython.Py_ssize_t
        for compound in range(compounds):
            if self.combinator[base + compound] == combinator:
                bits |= cython.cast(cython.uint, 1) << compound
        return bits
