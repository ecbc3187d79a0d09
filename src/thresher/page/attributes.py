"""Attributes of all elements at once: which elements have `class`, and what it says.

Reading opening tags one by one costs a Python call per element.  One loop over the tags finds all attributes, another
numbers their names; sorted by these, the attributes of one name stand together.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from thresher.page import Page, memoised, memoised_by_name, unescape
from thresher.page.kernels import count_byte, find_attributes, number_spans
from thresher.page.types import Bools, Ints, Rows

__all__ = [
    "Found",
    "Lookup",
    "Spans",
    "columns",
    "distinct",
    "distinct_bytes",
    "find",
    "rows_with",
    "spans",
    "tokens",
    "values",
]

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


class _Attributes(NamedTuple):
    """All attributes of a page, by their names, those of one name in document order."""

    row: Ints
    start: Ints  # of the value
    stop: Ints
    span: dict[bytes, slice]  # where those of each name are


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
    row, start, stop = columns(page, name)
    code, first = _numbered(page.markup, start, stop)
    markup = page.markup
    known = [markup[a:b] for a, b in zip(start[first].tolist(), stop[first].tolist(), strict=True)]
    if b"&" in b"".join(known):
        known = [unescape(value.decode()).encode() for value in known]
    return row.astype(np.intp), code.astype(np.intp), known


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


def find(page: Page, name: str) -> Found:
    """The elements that have an attribute of this name, in document order."""
    return Found(*(column.astype(np.intp) for column in columns(page, name)))


def columns(page: Page, name: str) -> tuple[Ints, Ints, Ints]:
    """Row, start and stop of the value of each attribute of this name."""
    row, start, stop, span = _attributes(page)
    here = span.get(name.encode(), slice(0))
    return row[here], start[here], stop[here]


@memoised
def spans(page: Page) -> Spans:
    """Every attribute, as it stands in its tag."""
    table = np.empty((5, count_byte(page.markup, ord('"')) // 2), np.int32)
    number = find_attributes(page.markup, page.tag_start.data, page.tag_stop.data, table.data)
    return Spans(*table[:, :number])


@memoised
def _attributes(page: Page) -> _Attributes:
    row, name_start, name_stop, start, stop = spans(page)
    code, first = _numbered(page.markup, name_start, name_stop)
    few = len(first) < 1 << 15
    order = (code.astype(np.int16) if few else code).argsort(kind="stable")  # small numbers are sorted by radix
    bounds = np.append(0, np.bincount(code, minlength=len(first)).cumsum()).tolist()
    names = zip(name_start[first].tolist(), name_stop[first].tolist(), strict=True)
    span = {page.markup[a:b]: slice(*bounds[k : k + 2]) for k, (a, b) in enumerate(names)}
    return _Attributes(row[order], start[order], stop[order], span)


def _numbered(markup: bytes, start: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """For each span the number of what stands in it, and for each number the first span that has it."""
    code, first = np.empty((2, len(start)), np.int32)
    slots = np.full(1 << (2 * len(start) + 1).bit_length(), -1, np.int32)
    count = number_spans(markup, start.data, stop.data, _SECRET, slots.data, code.data, first.data)
    return code, first[:count]
