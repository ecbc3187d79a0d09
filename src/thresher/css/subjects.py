"""Which rules of a sheet can matter to some rows of a page, told from the last name in each selector.

A bundled style sheet has thousands of rules for elements the page does not have.  The element that a selector chooses
carries the name it ends with (`.menu li.open` ends with `.open`), so a rule whose selectors all end with classes, ids
or tags that no row in question has can be dropped unread.  Names are compared by their last eight bytes and the sign
before them, for all rules at once; what is asked of a row is a set of bits, so one pass answers for all properties.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.css.match import distinct, is_among
from thresher.css.sheet import Sheet
from thresher.data.tags import TAGS
from thresher.page import Page

__all__ = ["Bits", "chosen_bits"]

Bits = NDArray[np.uint32]
Bools = NDArray[np.bool_]
Words = NDArray[np.uint64]

_NONE, _ALL = np.uint32(0), np.uint32(0xFFFFFFFF)
_REACH = 9  # bytes that are looked at: eight of a name, and the one before
_MARGIN = b" " * _REACH
_IN_NAME = np.zeros(256, bool)
_IN_NAME[np.frombuffer(b"-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", np.uint8)] = True
_IN_NAME[128:] = True
_SIGN = np.zeros(256, np.uint64)  # what stands before a class, an id, a pseudo-class; all else stands before a tag
_SIGN[np.frombuffer(b".#:", np.uint8)] = (1, 2, 3)
_PSEUDO = _SIGN[ord(":")]
_ODD = np.uint64(0x9E3779B97F4A7C15)


def chosen_bits(page: Page, sheet: Sheet, blocks: NDArray[np.integer[Any]], rows: Bits) -> Bits:
    """For each of some ascending blocks the bits of the rows that its selectors may choose."""
    names = _row_names(page, rows)
    if not names:
        return np.zeros(len(blocks), np.uint32)
    numbers = _numbers(list(names))
    order = np.argsort(numbers)
    known, first = np.unique(numbers[order], return_index=True)
    bits = np.bitwise_or.reduceat(np.array(list(names.values()), np.uint32)[order], first)
    buffer = np.frombuffer(sheet.text, np.uint8)
    at, start = _ends(buffer, sheet, blocks)
    name, anything = _last_names(buffer, at)
    otherwise = np.where(anything & ~is_among(name, _NEVER), _ALL, _NONE)
    place = np.minimum(known.searchsorted(name), len(known) - 1)
    chosen: Bits = np.bitwise_or.reduceat(np.where(known[place] == name, bits[place], otherwise), start)
    return chosen


def _ends(
    buffer: NDArray[np.uint8], sheet: Sheet, blocks: NDArray[np.integer[Any]]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each selector before these blocks ends, and which is the first one of each block."""
    comma = np.flatnonzero(buffer == ord(","))
    first, last = comma.searchsorted(sheet.prelude[blocks]), comma.searchsorted(sheet.open[blocks])
    count = last - first + 1  # a selector ends before each comma and before the brace
    start = np.cumsum(count) - count
    inner = np.repeat(first - start, count) + np.arange(count.sum())
    at = np.append(comma, 0)[np.minimum(inner, len(comma))]
    at[start + count - 1] = sheet.open[blocks]
    at -= 1
    for _ in range(2):
        at -= buffer[at] <= 32
    return at, start


def _last_names(buffer: NDArray[np.uint8], at: NDArray[np.integer[Any]]) -> tuple[Words, Bools]:
    """A number for the name that ends at each position, and where there is none or a pseudo-class."""
    bytes_ = buffer[at[:, None] - np.arange(_REACH)]
    inside = np.logical_and.accumulate(_IN_NAME[bytes_], axis=1)
    length = inside.sum(axis=1)
    sign = _SIGN[bytes_[np.arange(len(at)), np.minimum(length, _REACH - 1)]]
    sign[length == _REACH] = 0
    word = np.ascontiguousarray(((bytes_ | 0x20) * inside)[:, : _REACH - 1]).view(np.uint64)[:, 0]
    return word * _ODD + sign, (length == 0) | (sign == _PSEUDO)


def _numbers(names: list[bytes]) -> Words:
    """The numbers of names without white space, in order."""
    buffer = np.frombuffer(_MARGIN + b" ".join(names) + b" ", np.uint8)
    at = np.cumsum([len(name) + 1 for name in names]) + (_REACH - 2)
    return _last_names(buffer, at)[0]


# A rule for these changes nothing while the user does nothing, or concerns no element.
_NEVER = np.sort(
    _numbers(b":hover :focus :active :visited :target :focus-within :focus-visible :before :after".split())
)


def _row_names(page: Page, rows: Bits) -> dict[bytes, int]:
    """The classes, ids and tags of rows, each with the bits of all its rows."""
    names: dict[bytes, int] = {}
    for attribute, sign in (("class", b"."), ("id", b"#")):
        found = distinct(page, attribute)
        bits = rows[found.rows]
        chosen = bits > 0
        for number, bit in set(zip(found.number[chosen].tolist(), bits[chosen].tolist(), strict=True)):
            for token in found.values[number].split():
                names[sign + token] = names.get(sign + token, 0) | bit
    chosen = rows > 0
    for tag, bit in set(zip(page.tag[chosen].tolist(), rows[chosen].tolist(), strict=True)):
        name = TAGS[tag].encode()
        names[name] = names.get(name, 0) | bit
    for row in np.flatnonzero(chosen & (page.tag == 0)).tolist():
        name = page.name(row).lower().encode()
        names[name] = names.get(name, 0) | int(rows[row])
    return names
