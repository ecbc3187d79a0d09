"""The different values of an attribute on a page, and the rows that have each."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import TAGS
from thresher.page import Page, attributes, memoised

__all__ = ["Distinct", "Rows", "Tokens", "classes", "distinct", "tag_names"]

Rows = NDArray[np.intp]


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
    rows, number, values = attributes.distinct_bytes(page, name)
    if len(rows) > 1 and (rows[1:] < rows[:-1]).any():  # irregular tags come last
        order = np.argsort(rows)
        rows, number = rows[order], number[order]
    return Distinct(values, rows, number)


_MAX_SINGLE_SEARCHES = 25  # for single words; when more are asked for, to look them all up is cheaper


class Tokens:
    """The words of some values, and which of the values hold a word."""

    def __init__(self, values: list[bytes]) -> None:
        text = b"\n".join(values)
        if text.count(b"\n") >= len(values) or b"\t" in text or b"\f" in text or b"\r" in text:
            text = b"\n".join([b" ".join(value.split()) for value in values])
        self._text = text
        self._lines: tuple[bytes, list[int]] | None = None
        self._asked = 0
        self._numbers: dict[bytes, list[int]] | None = None

    @cached_property
    def words(self) -> frozenset[bytes]:
        return frozenset(self._text.split())

    def holding(self, word: bytes) -> list[int]:
        """The numbers of the values that hold a word, ascending."""
        numbers: list[int] = []
        self._asked += 1
        if self._asked > _MAX_SINGLE_SEARCHES:
            if self._numbers is None:
                self._numbers = {}
                for number, value in enumerate(self._text.split(b"\n")):
                    for name in set(value.split()):
                        self._numbers.setdefault(name, []).append(number)
            return self._numbers.get(word, numbers)
        if word not in self._text:
            return numbers
        if self._lines is None:  # one value a line, with a space before and after each word; and where each line starts
            text = b" " + self._text.replace(b" ", b"  ").replace(b"\n", b" \n ") + b" "
            self._lines = text, [0, *accumulate(map(len, text.splitlines(keepends=True)))]
        text, starts = self._lines
        token = b" %b " % word
        at = text.find(token)
        while at >= 0:
            number = bisect_right(starts, at) - 1
            numbers.append(number)
            at = text.find(token, starts[number + 1])
        return numbers


def classes(page: Page, fold: bool = False) -> Tokens:
    """The class names of a page, if wanted in lower case."""
    memo = page._memo
    key = "css folded classes" if fold else "css classes"
    if key not in memo:
        values = distinct(page, "class").values
        memo[key] = Tokens([value.lower() for value in values] if fold else values)
    result: Tokens = memo[key]
    return result


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
