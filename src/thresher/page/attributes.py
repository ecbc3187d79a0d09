"""Attributes of all elements at once: which elements have `class`, and what it says.

Reading opening tags one by one costs a Python call per element.  One loop over the tags finds all attributes, another
puts those of one name together and numbers their distinct values.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from thresher.page import Page, memoised, memoised_by_name, unescape
from thresher.page.kernels import (
    count_byte,
    find_attributes,
    index_attributes,
    number_spans,
    spans_with,
)
from thresher.page.types import Bools, Ints, Rows

__all__ = [
    "Found",
    "Lookup",
    "Numbered",
    "Spans",
    "Together",
    "columns",
    "containing",
    "distinct",
    "distinct_bytes",
    "find",
    "is_used",
    "number_contents",
    "numbered",
    "rows_of",
    "rows_saying",
    "rows_with",
    "spans",
    "together",
    "tokens",
    "unescaped",
    "value_at",
    "value_of",
    "values",
    "values_of_rows",
]

_MAX_SAID_BYTES = 100  # of a value that is compared as a whole
_SECRET = int.from_bytes(os.urandom(8), "little") >> 1 | 1  # of the hash tables of this process


class Found(NamedTuple):
    """Elements that have an attribute, and where its value stands in `page.markup`."""

    row: Rows
    start: Rows
    stop: Rows


class Spans(NamedTuple):
    """All attributes of a page in document order: row, and where name and value stand in `page.markup`."""

    row: Ints
    name_start: Ints
    name_stop: Ints
    start: Ints
    stop: Ints


class Numbered(NamedTuple):
    """Elements that have an attribute, the number of its value, and where the value of each number stands in
    `page.markup`, escapes as they are there."""

    row: Ints
    code: Ints
    start: Ints
    stop: Ints


class Together(NamedTuple):
    """Some attributes, as they stand in the tables of all."""

    row: Ints
    numbered: Ints  # (3, …)  the number of each value; start and stop of the values with the numbers 0, 1, …
    bounds: Ints  # (K, 3)  of each name: where it begins and stops in these, and how many numbers there are


class _Attributes(NamedTuple):
    """All attributes of a page, by their names, those of one name in document order."""

    ordered: Ints  # (6, n)  row, start and stop of the value, its number; start and stop of the value of each number
    place: dict[str, tuple[int, int, int]]  # of each name: the first column, the one behind the last, how many numbers


def values(page: Page, name: str) -> dict[int, str]:
    """The values of one attribute by row, unescaped."""
    row, code, known = distinct(page, name)
    return dict(zip(row.tolist(), map(known.__getitem__, code.tolist()), strict=True))


@memoised_by_name
def distinct(page: Page, name: str) -> tuple[Rows, Rows, list[str]]:
    """The elements that have an attribute, which of the distinct values each has, and those values.

    Pages repeat their class names a lot: what is computed per distinct value is computed once.
    """
    row, code, raw = distinct_bytes(page, name)
    return row, code, [value.decode() for value in raw]


@memoised_by_name
def distinct_bytes(page: Page, name: str) -> tuple[Rows, Rows, list[bytes]]:
    """The same with the values as UTF-8."""
    values = numbered(page, name)
    if values is _NOT_USED:
        return _NO_ROWS, _NO_ROWS, []
    markup = page.markup
    known = [markup[a:b] for a, b in zip(values.start.tolist(), values.stop.tolist(), strict=True)]
    known = [unescape(value.decode()).encode() if b"&" in value else value for value in known]
    return values.row.astype(np.intp), values.code.astype(np.intp), known


@memoised_by_name
def numbered(page: Page, name: str) -> Numbered:
    """The same for loops over the bytes of the markup."""
    ordered, place = _attributes(page)
    if name not in place:
        return _NOT_USED
    first, behind, count = place[name]
    return Numbered(
        ordered[0, first:behind],
        ordered[3, first:behind],
        ordered[4, first : first + count],
        ordered[5, first : first + count],
    )


def together(page: Page, names: Sequence[str]) -> Together:
    """Several attributes, those that the page has."""
    ordered, place = _attributes(page)
    bounds = [place[name] for name in names if name in place]
    return Together(ordered[0], ordered[3:], np.array(bounds, np.int32).reshape(-1, 3))


_NONE: Ints = np.zeros(0, np.int32)
_NONE.setflags(write=False)
_NO_ROWS: Rows = np.zeros(0, np.intp)
_NO_ROWS.setflags(write=False)
_NOWHERE = (0, 0, 0)
_KEY = f"{__name__}._attributes"  # where `memoised` keeps it
_NOT_USED = Numbered(_NONE, _NONE, _NONE, _NONE)


def unescaped(page: Page, values: Numbered) -> tuple[bytes, Ints, Ints]:
    """Bytes, and where in them the values stand without their escapes: the markup, behind it the values that have any,
    which is rare."""
    escaped = containing(page, values, b"&")
    if not escaped:
        return page.markup, values.start, values.stop
    start, stop, pieces, size = values.start.copy(), values.stop.copy(), [page.markup], len(page.markup)
    for number in escaped:
        pieces.append(unescape(page.markup[start[number] : stop[number]].decode()).encode())
        start[number], size = size, size + len(pieces[-1])
        stop[number] = size
    return b"".join(pieces), start, stop


def value_of(page: Page, values: Numbered, number: int) -> bytes:
    """The value with a number, without its escapes."""
    value = page.markup[values.start[number] : values.stop[number]]
    return unescape(value.decode()).encode() if b"&" in value else value


def containing(page: Page, values: Numbered, part: bytes) -> list[int]:
    """The numbers of the values that hold a part, which is in small letters; in the values capitals are as these, and
    escapes as they stand in the markup."""
    if not len(values.start):
        return []
    number = np.empty(len(values.start), np.int32)
    count = spans_with(page.markup, values.start, values.stop, part, number)
    return number[:count].tolist() if count else []


def rows_of(values: Numbered, numbers: list[int]) -> Ints:
    """The elements that have the values of these numbers, in document order."""
    if not numbers:
        return _NONE
    if len(numbers) == 1:
        rows: Ints = values.row[values.code == numbers[0]]
        return rows
    wanted = np.zeros(len(values.start), bool)
    wanted[numbers] = True
    return values.row[wanted[values.code]]


def rows_saying(page: Page, name: str, said: bytes) -> list[int]:
    """The elements with an attribute that says this, in capitals or not, in document order."""
    rows: list[int] = rows_of(numbered(page, name), _numbers_by_value(page, name).get(said, [])).tolist()
    return rows


@memoised_by_name
def _numbers_by_value(page: Page, name: str) -> dict[bytes, list[int]]:
    """The numbers of the values of an attribute, by what they say in small letters; of those that are short."""
    values, markup = numbered(page, name), page.markup
    numbers: dict[bytes, list[int]] = {}
    for number, (start, stop) in enumerate(zip(values.start.tolist(), values.stop.tolist(), strict=True)):
        if stop - start <= _MAX_SAID_BYTES:
            numbers.setdefault(markup[start:stop].lower(), []).append(number)
    return numbers


class Lookup:
    """The values of one attribute, each read when it is asked for: of the many links of a page few are printed."""

    __slots__ = ("_markup", "_row", "_start", "_stop")

    def __init__(self, page: Page, name: str) -> None:
        self._markup = page.markup
        self._row, self._start, self._stop = (column.data for column in columns(page, name))

    def get(self, row: int) -> str | None:
        """The value of an element, unescaped; None where it has none."""
        place = bisect_left(self._row, row)
        if place == len(self._row) or self._row[place] != row:
            return None
        return unescape(self._markup[self._start[place] : self._stop[place]].decode())


def values_of_rows(page: Page, name: str, rows: Rows | Ints) -> dict[int, str]:
    """The values of one attribute, unescaped, of those of some elements (ascending) that have it."""
    row, start, stop = columns(page, name)
    if not len(row) or not len(rows):
        return {}
    at = row.searchsorted(rows)
    at = at[row.take(at, mode="clip") == rows]
    spans, markup = zip(row[at].tolist(), start[at].tolist(), stop[at].tolist(), strict=True), page.markup
    return {element: unescape(markup[begin:end].decode()) for element, begin, end in spans}


def rows_with(page: Page, name: str) -> Bools:
    """Which elements have the attribute, whatever it says."""
    mask = np.zeros(len(page), bool)
    mask[columns(page, name)[0]] = True
    return mask


def tokens(page: Page, name: str) -> dict[int, tuple[str, ...]]:
    """The space-separated tokens of an attribute by row, in lower case; equal values are split once."""
    split: dict[str, tuple[str, ...]] = {}
    result = {}
    for row, value in values(page, name).items():
        if value not in split:
            split[value] = tuple(value.lower().split())
        result[row] = split[value]
    return result


def value_at(page: Page, row: int, name: str) -> str:
    """What an attribute of one element says; "" where there is none, too.  For names that few elements have."""
    rows, start, stop = columns(page, name)
    at = int(rows.searchsorted(row))
    is_there = at < len(rows) and rows[at] == row
    return unescape(page.markup[start[at] : stop[at]].decode()) if is_there else ""


def is_used(page: Page, name: str) -> bool:
    """Whether any element has an attribute of this name."""
    memo = page._memo  # asked of many names: it is looked into at once
    return name in (memo[_KEY] if _KEY in memo else _attributes(page)).place


def find(page: Page, name: str) -> Found:
    """The elements that have an attribute of this name, in document order."""
    return Found(*(column.astype(np.intp) for column in columns(page, name)))


def columns(page: Page, name: str) -> tuple[Ints, Ints, Ints]:
    """Row, start and stop of the value of each attribute of this name."""
    ordered, place = _attributes(page)
    first, behind, _ = place.get(name, _NOWHERE)
    return ordered[0, first:behind], ordered[1, first:behind], ordered[2, first:behind]


def spans(page: Page) -> Spans:
    """Every attribute, as it stands in its tag."""
    table, number = _table(page)
    return Spans(*table[:, :number])


@memoised
def _table(page: Page) -> tuple[Ints, int]:
    """The rows of the table are those of Spans; how many of its columns are filled."""
    table = np.empty((5, count_byte(page.markup, ord('"')) // 2), np.int32)
    return table, find_attributes(page.markup, page.tag_start, page.tag_stop, table)


@memoised
def _attributes(page: Page) -> _Attributes:
    table, number = _table(page)
    ordered, bounds = np.empty((6, number), np.int32), np.empty((2, number + 2), np.int32)
    names = np.empty(len(page.markup), np.uint8)
    used = index_attributes(
        page.markup, table, _SECRET, _slots(number), np.empty(number, np.int32), ordered, bounds,
        names,
    )  # fmt: skip
    known = names[:used].tobytes().decode().split(" ")[:-1]  # a space stands behind the last
    begins, counts = bounds[:, : len(known) + 1].tolist()
    return _Attributes(ordered, dict(zip(known, zip(begins, begins[1:], counts, strict=False), strict=True)))


def number_contents(markup: bytes, start: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """For each span the number of what stands in it, and for each number the first span that has it."""
    size = len(start)
    if not size:
        return start, start
    code, first = np.empty((2, size), np.int32)
    slots = _slots(size)
    count = number_spans(markup, start, stop, _SECRET, slots, code, first)
    return code, first[:count]


def _slots(entries: int) -> Ints:
    """Room for a hash table of so many entries."""
    return np.empty(1 << (2 * entries + 1).bit_length(), np.int32)
