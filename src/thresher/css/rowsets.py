"""Sets of rows as integers, and the rows that stand to those of a set as a combinator says.

Bit i is set where row i is in the set: what two sets share is `a & b`.  A subtree is a slice of rows, so what is below
a row is a run of bits.  For sets of many rows numpy does the same with a flag for each row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.page import Page
from thresher.page.types import Bools, Rows

__all__ = ["RowSets", "bits"]


_MAX_BIT_RUNS = 20  # where runs of bits are cheaper than a running sum over all rows


def bits(flags: Bools) -> int:
    """A set from a flag for each row."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


class RowSets:
    """The relations between the rows of a page.

    x y      y & below(x)          x:has(y)      x & above(y)
    x > y    y & children(x)       x:has(> y)    x & parents(y)
    x + y    y & following(x)      x:has(+ y)    x & preceding(y)
    x ~ y    y & later(x)          x:has(~ y)    x & earlier(y)
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.all = (1 << len(page)) - 1
        self._next: Rows | None = None

    def packed(self, rows: NDArray[np.integer]) -> int:
        """Rows as a set."""
        flags = np.zeros(len(self.page), bool)
        flags[rows] = True
        return bits(flags)

    def flags(self, members: int) -> Bools:
        """For each row whether it is in a set."""
        size = len(self.page)
        bytes_ = np.frombuffer(members.to_bytes((size + 7) // 8, "little"), np.uint8)
        return np.unpackbits(bytes_, count=size, bitorder="little").view(bool)

    def rows(self, members: int) -> Rows:
        """The rows of a set, ascending."""
        return np.flatnonzero(self.flags(members))

    def below(self, members: int) -> int:
        """i+1:end_i for each row i of a set; those in the subtree of another one are passed over."""
        inside = 0
        end = self.page.end
        for _ in range(_MAX_BIT_RUNS):
            if not members:
                return inside
            row = (members & -members).bit_length() - 1
            last = int(end[row])
            inside |= (1 << last) - (1 << row + 1)
            members = members >> last << last
        rows = self.rows(members)
        step = np.zeros(len(self.page) + 1, np.int32)
        step[rows + 1] = 1
        np.subtract.at(step, end[rows], 1)
        return inside | bits(np.cumsum(step[:-1]) > 0)

    def above(self, members: int) -> int:
        """Rows with one of a set in i+1:end_i: c[end_i] > c[i+1] for the running count c."""
        count = np.zeros(len(self.page) + 1, np.int32)
        np.cumsum(self.flags(members), out=count[1:])
        return bits(count[self.page.end] > count[1:])

    def children(self, members: int) -> int:
        return bits(np.append(self.flags(members), False)[self.page.parent])

    def places(self, from_end: bool, of_type: bool, among: Bools | None = None) -> Rows:
        """The number of each row among its siblings, or among those of its own tag, from 1; where some rows are given,
        of these among each other, and 0 for all others."""
        page = self.page
        group = page.parent.astype(np.int64) << 16 | page.tag if of_type else page.parent
        if among is None:
            order = np.argsort(group, kind="stable")
        else:
            chosen = np.flatnonzero(among)
            order = chosen[np.argsort(group[chosen], kind="stable")]
        if from_end:
            order = order[::-1]
        first = np.flatnonzero(np.diff(group[order], prepend=-(1 << 20)))
        count = np.diff(np.append(first, len(order)))
        place = np.zeros(len(page), np.intp)
        place[order] = np.arange(len(order)) - np.repeat(first, count) + 1
        return place

    def parents(self, members: int) -> int:
        rows = self.page.parent[self.rows(members)]
        return self.packed(rows[rows >= 0])

    def following(self, members: int) -> int:
        """The siblings right after."""
        rows = self._siblings()[self.rows(members)]
        return self.packed(rows[rows < len(self.page)])

    def preceding(self, members: int) -> int:
        """The siblings right before."""
        return bits(np.append(self.flags(members), False)[self._siblings()])

    def later(self, members: int) -> int:
        """All siblings after: later than the first one of a set among the children of their parent."""
        rows, parent = self.rows(members), self.page.parent
        first = np.full(len(self.page) + 1, len(self.page))
        np.minimum.at(first, parent[rows], rows)
        return bits(np.arange(len(self.page)) > first[parent])

    def earlier(self, members: int) -> int:
        """All siblings before."""
        rows, parent = self.rows(members), self.page.parent
        last = np.full(len(self.page) + 1, -1)
        np.maximum.at(last, parent[rows], rows)
        return bits((np.arange(len(self.page)) < last[parent]) & (parent >= 0))

    def _siblings(self) -> Rows:
        """The next sibling of each row: it starts where the row's subtree ends, unless that is where its parent's ends;
        then there is none, n."""
        if self._next is None:
            end, size = self.page.end, len(self.page)
            self._next = np.where(end < np.append(end, size)[self.page.parent], end, size).astype(np.intp)
        return self._next
