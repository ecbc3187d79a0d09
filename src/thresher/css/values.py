"""The different values of an attribute on a page, and the rows that have each."""

from __future__ import annotations

import numpy as np

from thresher.page import Page, attributes
from thresher.page.types import Rows

__all__ = ["Distinct", "distinct"]


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


_NONE = Distinct([], _NO_ROWS, _NO_ROWS)


def _distinct(page: Page, name: str) -> Distinct:
    if not attributes.is_used(page, name):
        return _NONE
    rows, number, values = attributes.distinct_bytes(page, name)
    return Distinct(values, rows, number)
