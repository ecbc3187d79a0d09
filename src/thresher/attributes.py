"""Attributes of all elements at once: which elements have `class`, and what it says.

Reading opening tags one by one costs a Python call per element.  In canonical markup every attribute is
` name="value"` and no value holds a quote, so the quotes of a tag alternate between opening and closing, and an
attribute is found by comparing the bytes before an opening quote with its name.  Only where a name itself holds
a quote (a page that says `href="x"" class="y"`) the tag is read the slow way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.page import Page, unescape
from thresher.words8 import Words, words_at

__all__ = ["Found", "distinct", "find", "rows_with", "tokens", "values"]

_QUOTE, _EQUALS = b'"='

Rows = NDArray[np.intp]


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
    before: Words  # the eight bytes up to and with the opening quote: the end of the name
    irregular: list[int]


def find(page: Page, name: str) -> Found:
    """The elements that have an attribute of this name, in document order.  Irregular tags are left out."""
    memo = page._memo
    key = f"attribute {name}"
    if key not in memo:
        memo[key] = _find(page, name)
    found: Found = memo[key]
    return found


def values(page: Page, name: str) -> dict[int, str]:
    """The values of one attribute by row, unescaped."""
    row, start, stop = find(page, name)
    markup = page.markup
    spans = zip(row.tolist(), start.tolist(), stop.tolist(), strict=True)
    result = {r: unescape(markup[a:b].decode()) for r, a, b in spans}
    for r in _quotes(page).irregular:
        value = page.attribute(r, name)
        if value is not None:
            result[r] = value
    return result


def distinct(page: Page, name: str) -> tuple[Rows, Rows, list[str]]:
    """The elements that have an attribute, which of the distinct values each has, and those values.

    Pages repeat their class names a lot: what is computed per distinct value is computed once.
    """
    memo = page._memo
    key = f"distinct {name}"
    if key not in memo:
        memo[key] = _distinct(page, name)
    result: tuple[Rows, Rows, list[str]] = memo[key]
    return result


def _distinct(page: Page, name: str) -> tuple[Rows, Rows, list[str]]:
    row, start, stop = find(page, name)
    markup = page.markup
    raw = [markup[a:b] for a, b in zip(start.tolist(), stop.tolist(), strict=True)]
    number = {value: k for k, value in enumerate(dict.fromkeys(raw))}
    rows, codes = row.tolist(), [number[value] for value in raw]
    known = [unescape(value.decode()) for value in number]
    for r in _quotes(page).irregular:
        value = page.attribute(r, name)
        if value is not None:
            rows.append(r)
            codes.append(len(known))
            known.append(value)
    return np.array(rows, np.intp), np.array(codes, np.intp), known


def rows_with(page: Page, name: str) -> NDArray[np.bool_]:
    """Which elements have the attribute, whatever it says."""
    mask = np.zeros(len(page), bool)
    mask[find(page, name).row] = True
    for row in _quotes(page).irregular:
        mask[row] = page.attribute(row, name) is not None
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


def _find(page: Page, name: str) -> Found:
    row, opening, closing, before, _ = _quotes(page)
    pattern = f' {name}="'.encode()
    tail = pattern[-8:]
    wanted = np.uint64(int.from_bytes(tail, "little"))
    chosen = np.flatnonzero((before >> np.uint64(8 * (8 - len(tail)))) == wanted)
    if len(pattern) > 8:
        starts = (opening[chosen] - (len(pattern) - 1)).tolist()
        chosen = chosen[[page.markup.startswith(pattern, start) for start in starts]]
    return Found(row[chosen], opening[chosen] + 1, closing[chosen])


def _quotes(page: Page) -> _Quotes:
    memo = page._memo
    if "quotes" not in memo:
        memo["quotes"] = _find_quotes(page)
    quotes: _Quotes = memo["quotes"]
    return quotes


def _find_quotes(page: Page) -> _Quotes:
    """Pair the quotes of each opening tag: the 1st, 3rd, … open a value and follow an equals sign."""
    buffer = np.frombuffer(page.markup, np.uint8)
    quotes = np.flatnonzero(buffer == _QUOTE)
    first = np.searchsorted(quotes, page.tag_start)  # texts, comments and closing tags have quotes, too: skip them
    count = np.searchsorted(quotes, page.tag_stop) - first
    row = np.repeat(np.arange(len(page)), count)
    before = np.cumsum(count) - count
    place = np.arange(len(row)) - np.repeat(before, count)
    at = quotes[np.repeat(first, count) + place]
    opens = (place & 1) == 0
    wrong = opens & (buffer[at - 1] != _EQUALS)
    odd = np.flatnonzero(count & 1)
    irregular: list[int] = []
    if len(odd) or wrong.any():
        irregular = np.union1d(row[wrong], odd).tolist()
        regular = ~np.isin(row, irregular)
        at, row, opens = at[regular], row[regular], opens[regular]
    opening = at[opens]
    return _Quotes(row[opens], opening, at[~opens], words_at(buffer, opening - 7), irregular)
