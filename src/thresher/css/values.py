"""The different values of an attribute on a page, and the rows that have each."""

from __future__ import annotations

import numpy as np

from thresher.data.tags import TAGS
from thresher.page import Page, attributes, memoised
from thresher.page.types import Rows

__all__ = ["Distinct", "distinct", "tag_names"]


class Distinct:
    """The different values of an attribute, and which of them each row has that has any, in document order."""

    def __init__(self, values: list[bytes], rows: Rows, number: Rows) -> None:
        self.values = values
        self.rows = rows
        self.number = number
        self._groups: list[Rows] | None = None

    def of(self, number: int) -> Rows:
        """The rows that have one of the values."""
        if len(self.values) <= _MAX_UNSORTED_VALUES:
            rows: Rows = self.rows[self.number == number]
            return rows
        if self._groups is None:
            order = np.argsort(self.number, kind="stable")
            ends = np.cumsum(np.bincount(self.number, minlength=len(self.values)))
            self._groups = np.split(self.rows[order], ends[:-1])
        return self._groups[number]

    def of_any(self, numbers: list[int]) -> Rows:
        """The rows that have one of several values."""
        if len(numbers) == 1:
            return self.of(numbers[0])
        wanted = np.zeros(len(self.values), bool)
        wanted[numbers] = True
        return self.rows[wanted[self.number]] if numbers else self.rows[:0]


_NO_ROWS: Rows = np.zeros(0, np.intp)
_MAX_UNSORTED_VALUES = 1_000  # up to this many, comparing all rows is cheaper than to sort them by value


def distinct(page: Page, name: str) -> Distinct:
    """The values of an attribute, each once, unescaped."""
    memo = page._memo
    key = f"css distinct {name}"
    if key not in memo:
        memo[key] = _distinct(page, name)
    result: Distinct = memo[key]
    return result


def _distinct(page: Page, name: str) -> Distinct:
    if not len(attributes.find(page, name).row):
        return Distinct([], _NO_ROWS, _NO_ROWS)
    rows, number, values = attributes.distinct_bytes(page, name)
    if len(rows) > 1 and (rows[1:] < rows[:-1]).any():  # irregular tags come last
        order = np.argsort(rows)
        rows, number = rows[order], number[order]
    return Distinct(values, rows, number)


@memoised
def tag_names(page: Page) -> tuple[dict[bytes, int], Rows]:
    """The names of the elements of a page, each once, in lower case, with a number, and the number of each row's."""
    present = np.flatnonzero(np.bincount(page.tag, minlength=len(TAGS))[1:]) + 1  # 0 are those beyond the table
    known = {TAGS[tag].encode(): number for number, tag in enumerate(present.tolist())}
    place = np.zeros(len(TAGS), np.intp)
    place[present] = np.arange(len(present))
    number: Rows = place[page.tag]
    for row in np.flatnonzero(page.tag == 0).tolist():
        number[row] = known.setdefault(page.name(row).encode(), len(known))
    return known, number
