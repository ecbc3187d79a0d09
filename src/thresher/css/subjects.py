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

from thresher.css.sheet import Sheet
from thresher.css.values import distinct, tag_names
from thresher.page import Page
from thresher.spans import is_among

__all__ = ["Bits", "Subjects"]

Bits = NDArray[np.uint32]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]
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
_CASE = np.uint64(0x2020202020202020)  # the bit that makes ASCII letters small
_FIRST = np.array([(1 << 8 * count) - 1 for count in range(_REACH)], np.uint64)  # masks the first bytes of a word


class Subjects:
    """The names of a page's rows: the classes, the ids and the tags.

    A name belongs to a holder: a class value, an id value or a tag.  What is asked of rows is gathered by holders, then
    by names.
    """

    def __init__(self, page: Page) -> None:
        tags, tag = tag_names(page)
        rows, holders, texts, counts = [np.arange(len(page))], [tag], [b" ".join(tags)], [1] * len(tags)
        for name, sign in (("class", b"."), ("id", b"#")):
            found = distinct(page, name)
            rows.append(found.rows)
            holders.append(found.number + len(counts))
            words = b" ".join(found.values).split()
            texts += [sign + (b" " + sign).join(words)] if words else []
            counts += map(len, map(bytes.split, found.values))
        holder = np.concatenate(holders)
        order = np.argsort(holder, kind="stable")
        self._row = np.concatenate(rows)[order]
        self._row_starts = np.flatnonzero(np.diff(holder[order], prepend=-1))
        number = _numbers(b" ".join(texts))
        order = np.argsort(number)
        number = number[order]
        self._holder = np.repeat(np.arange(len(counts)), counts)[order]
        self._name_starts = np.flatnonzero(np.append(True, number[1:] != number[:-1]))
        self._names = number[self._name_starts]

    def chosen_bits(self, sheet: Sheet, blocks: Places, rows: Bits) -> Bits:
        """For each of some ascending blocks the bits of the rows that its selectors may choose."""
        by_holder = np.bitwise_or.reduceat(rows[self._row], self._row_starts)
        bits = np.bitwise_or.reduceat(by_holder[self._holder], self._name_starts)
        buffer = np.frombuffer(sheet.text, np.uint8)
        at, start = _ends(buffer, sheet, blocks)
        name, anything = _last_names(buffer, at)
        otherwise = np.where(anything & ~is_among(name, _NEVER), _ALL, _NONE)
        place = np.minimum(self._names.searchsorted(name), len(self._names) - 1)
        known = ~anything & (self._names[place] == name)
        chosen: Bits = np.bitwise_or.reduceat(np.where(known, bits[place], otherwise), start)
        return chosen


def _ends(buffer: NDArray[np.uint8], sheet: Sheet, blocks: Places) -> tuple[Places, Places]:
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
    bytes_ = buffer.take(at[:, None] - np.arange(_REACH))
    inside = _IN_NAME.take(bytes_)
    length = inside.argmin(axis=1)
    sign = _SIGN[bytes_[np.arange(len(at)), length]]
    endless = inside.all(axis=1)
    length[endless] = _REACH
    sign[endless] = 0
    word = np.ascontiguousarray(bytes_[:, : _REACH - 1]).view(np.uint64)[:, 0]
    word = (word | _CASE) & _FIRST.take(length, mode="clip")
    return word * _ODD + sign, (length == 0) | (sign == _PSEUDO)


def _numbers(names: bytes) -> Words:
    """The numbers of names set apart by single spaces, in order."""
    buffer = np.frombuffer(_MARGIN + names + b" ", np.uint8)
    return _last_names(buffer, np.flatnonzero(buffer == ord(" "))[_REACH:] - 1)[0]


# A rule for these changes nothing while the user does nothing, or concerns no element.
_NEVER = np.sort(_numbers(b":hover :focus :active :visited :target :focus-within :focus-visible :before :after"))
