"""Attributes of all elements at once: which elements have `class`, and what it says.

Reading opening tags one by one costs a Python call per element.  In canonical markup every attribute is
` name="value"` and no value holds a quote, so the quotes of a tag alternate between opening and closing, and an
attribute is found by the bytes before an opening quote: the end of its name.  These are sorted once, last byte first,
so the attributes whose names end alike stand together, and a name that the page lacks costs one search.  Only where a
name itself holds a quote (a page that says `href="x"" class="y"`) the tag is read the slow way.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count
from typing import NamedTuple

import numpy as np

from thresher.page import Page, memoised, memoised_by_name, unescape
from thresher.page.byte_words import Words
from thresher.page.types import Bools, Rows

__all__ = ["Found", "distinct", "distinct_bytes", "find", "rows_with", "tokens", "values"]

_QUOTE, _EQUALS = b'"='


class Found(NamedTuple):
    """Elements that have an attribute, and where its value stands in `page.markup`."""

    row: Rows
    start: Rows
    stop: Rows


class _Quotes(NamedTuple):
    """Every quoted value of the page: its row and the positions of its two quotes; and the irregular rows."""

    row: Rows
    opening: Rows
    closing: Rows
    order: Rows  # these values by their names
    ending: Words  # in that order: the eight bytes up to and with the opening quote, which hold the end of the name
    irregular: list[int]


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
    row, start, stop = find(page, name)
    markup = page.markup
    number: defaultdict[bytes, int] = defaultdict(count().__next__)
    code = np.array([number[markup[a:b]] for a, b in zip(start.tolist(), stop.tolist(), strict=True)], np.intp)
    known = list(number)
    if b"&" in b"".join(known):
        known = [unescape(value.decode()).encode() for value in known]
    irregular = _irregular(page, name)
    if irregular:
        row = np.append(row, list(irregular))
        code = np.append(code, len(known) + np.arange(len(irregular)))
        known += [value.encode() for value in irregular.values()]
    return row, code, known


def rows_with(page: Page, name: str) -> Bools:
    """Which elements have the attribute, whatever it says."""
    mask = np.zeros(len(page), bool)
    mask[find(page, name).row] = True
    mask[list(_irregular(page, name))] = True
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


@memoised_by_name
def find(page: Page, name: str) -> Found:
    """The elements that have an attribute of this name, in document order.  Irregular tags are left out."""
    row, opening, closing, order, ending, _ = _quotes(page)
    pattern = f' {name}="'.encode()
    tail = pattern[-8:]
    unknown = 8 * (8 - len(tail))  # bits below those of the name
    lowest = int.from_bytes(tail, "little") << unknown
    first, last = ending.searchsorted(np.array((lowest, lowest + (1 << unknown)), np.uint64)).tolist()
    chosen = order[first:last].copy()
    chosen.sort()
    if len(pattern) > 8 and len(chosen):
        rest = pattern[:-8]
        starts = (opening[chosen] - (len(pattern) - 1)).tolist()
        chosen = chosen[[page.markup.startswith(rest, start) for start in starts]]
    return Found(row.take(chosen), opening.take(chosen) + 1, closing.take(chosen))


def _irregular(page: Page, name: str) -> dict[int, str]:
    """The values of an attribute in irregular tags, by row."""
    return {row: found[name] for row, found in _irregular_tags(page).items() if name in found}


@memoised
def _irregular_tags(page: Page) -> dict[int, dict[str, str]]:
    return {row: page.attributes(row) for row in _quotes(page).irregular}


@memoised
def _quotes(page: Page) -> _Quotes:
    """Pair the quotes of each opening tag: the 1st, 3rd, … open a value and follow an equals sign."""
    buffer = np.frombuffer(page.markup, np.uint8)
    quotes = (buffer == _QUOTE).nonzero()[0]
    # Texts, comments and closing tags have quotes, too: only those from each tag's start to its stop are taken.
    bounds = np.empty((len(page), 2), np.int32)
    bounds[:, 0], bounds[:, 1] = page.tag_start, page.tag_stop
    first, last = quotes.searchsorted(bounds.ravel()).reshape(-1, 2).T
    number = last - first
    odd = (number & 1).astype(bool)
    number[odd] = 0
    row, opening, closing = _paired(quotes, first, number)
    wrong = buffer.take(opening - 1) != _EQUALS
    if wrong.any():
        odd[row[wrong]] = True
        number[odd] = 0
        row, opening, closing = _paired(quotes, first, number)
    eight_bytes: Words = np.ndarray(max(len(buffer) - 7, 0), "<u8", page.markup, strides=(1,))
    ending = eight_bytes[opening - 7]
    order = ending.argsort()
    return _Quotes(row, opening, closing, order, ending.take(order), odd.nonzero()[0].tolist())


def _paired(quotes: Rows, first: Rows, number: Rows) -> tuple[Rows, Rows, Rows]:
    """The row of each value and its two quotes, where row i has so many quotes, an even number, from first[i] on."""
    stop = number.cumsum()
    if len(stop) and stop[-1] < len(quotes):  # some stand elsewhere
        quotes = quotes[np.repeat(first - stop + number, number) + np.arange(stop[-1])]
    return np.repeat(np.arange(len(number)), number >> 1), quotes[::2], quotes[1::2]
