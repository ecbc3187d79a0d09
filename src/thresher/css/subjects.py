"""Which rules of a sheet can matter to a page, or to some of its rows, told from the last name in each selector.

A bundled style sheet has thousands of rules for elements the page does not have.  The element that a selector chooses
carries the name it ends with (`.menu li.open` ends with `.open`), so a rule whose selectors all end with classes, ids
or tags that no row in question has can be dropped unread.  Names are compared by their last eight bytes and the sign
before them, for all rules at once; what is asked of a row is a set of bits, so one pass answers for all properties.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.selector import PLAIN_PSEUDOS
from thresher.css.structure import Structure
from thresher.css.text import Bytes, Places
from thresher.css.values import distinct, tag_names
from thresher.page import Page
from thresher.page.spans import is_among

__all__ = ["Subjects"]

Bits = NDArray[np.uint32]
Bools = NDArray[np.bool_]
Words = NDArray[np.uint64]

_NONE, _ALL = np.uint32(0), np.uint32(0xFFFFFFFF)
_NAME_BYTES = 9  # bytes that are looked at: eight of a name, and the one before
_MARGIN = b" " * _NAME_BYTES
_IN_NAME = np.zeros(256, bool)
_IN_NAME[np.frombuffer(b"-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", np.uint8)] = True
_IN_NAME[128:] = True
_SIGN = np.zeros(256, np.uint64)  # what stands before a class, an id, a pseudo-class; all else stands before a tag
_SIGN[np.frombuffer(b".#:", np.uint8)] = (1, 2, 3)
_COLON, _AT, _BACKSLASH = b":@\\"
_ESCAPE_BYTES = 8  # bytes of an escape, with the white space behind it
_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_LOWER_BITS = np.uint64(0x2020202020202020)  # the bit that makes ASCII letters small
_FIRST_BYTES = np.array(
    [(1 << 8 * count) - 1 for count in range(_NAME_BYTES)], np.uint64
)  # masks the first bytes of a word


class Subjects(NamedTuple):
    """Names of rows, each a tag, a `.class` or an `#id`, and what is asked of the rows that have it."""

    name: Words  # ascending
    asked: Bits

    @classmethod
    def of_page(cls, names: Iterable[bytes]) -> Subjects:
        """All names of a page, with all bits."""
        name = np.sort(_numbers(b" ".join(names)))
        return cls(name, np.full(len(name), _ALL))

    @classmethod
    def of_rows(cls, page: Page, bits: Bits) -> Subjects:
        """The names of all rows, gathered by what holds them: a tag, a class value or an id value."""
        tags, tag = tag_names(page)
        texts, counts, asked = [b" ".join(tags)], [1] * len(tags), [_union(tag, bits, len(tags))]
        for name, sign in (("class", b"."), ("id", b"#")):
            values = distinct(page, name)
            held = _union(values.number, bits[values.rows], len(values.values))
            words = [values.values[number].split() for number in np.flatnonzero(held).tolist()]
            texts += [sign + word for held_words in words for word in held_words]
            counts += map(len, words)
            asked.append(held[held > 0])
        number = _numbers(b" ".join(texts))
        order = np.argsort(number)
        number = number[order]
        start = np.flatnonzero(np.append(True, number[1:] != number[:-1]))
        return cls(number[start], np.bitwise_or.reduceat(np.repeat(np.concatenate(asked), counts)[order], start))

    def bits(self, structure: Structure, blocks: Places) -> Bits:
        """For each of some ascending blocks the bits of the rows that its selectors may choose."""
        buffer = structure.buffer
        at, start = _ends(structure, blocks)
        name, before = _last_names(buffer, at)
        place = np.minimum(self.name.searchsorted(name), len(self.name) - 1)
        bits = np.where(self.name[place] == name, self.asked[place], _NONE)
        pseudo = (buffer[before] == _COLON) & (buffer[before - 1] != _BACKSLASH)
        anything = ((pseudo | (before == at)) & ~is_among(name, _MATCH_NOTHING)) | is_among(name, _MATCH_ANYTHING)
        if b"\\" in structure.text:
            anything |= _is_spelled(buffer, before)
        bits[anything] = _ALL
        chosen: Bits = np.bitwise_or.reduceat(bits, start)
        chosen[buffer[structure.solid(structure.prelude[blocks])] == _AT] = _ALL
        return chosen


def _union(place: Places, bits: Bits, count: int) -> Bits:
    """The union of the bits at each of so many places."""
    union = np.zeros(count, np.uint32)
    np.bitwise_or.at(union, place, bits)
    return union


def _ends(structure: Structure, blocks: Places) -> tuple[Places, Places]:
    """Where each selector before these ascending blocks ends, and which is the first one of each block."""
    comma, buffer, brace = structure.comma, structure.buffer, structure.open[blocks]
    first, last = comma.searchsorted(structure.prelude[blocks]), comma.searchsorted(brace)
    count = last - first + 1  # a selector ends before each comma and before the brace
    end = np.cumsum(count)
    at: Places = np.append(comma, 0)[np.repeat(first - end + count, count) + np.arange(end[-1])]
    at[end - 1] = brace
    at -= 1
    for _ in range(2):
        at -= buffer[at] <= 32
    return at, end - count


def _is_spelled(buffer: Bytes, before: Places) -> Bools:
    """Before which names stands an escape that spells a part of them: `.\\31 2` is the class "12"."""
    blank = np.flatnonzero(buffer[before] <= 32)
    spelled: Bools = buffer[before] == _BACKSLASH
    spelled[blank] = (buffer[before[blank, None] - np.arange(1, _ESCAPE_BYTES)] == _BACKSLASH).any(axis=1)
    return spelled


def _last_names(buffer: Bytes, at: Places) -> tuple[Words, Places]:
    """A number for the name that ends at each position, and where the byte before it is, or before its last bytes."""
    bytes_ = buffer.take(at[:, None] - np.arange(_NAME_BYTES))
    inside = _IN_NAME.take(bytes_)
    inside[:, -1] = False
    length = inside.argmin(axis=1)
    word = np.ascontiguousarray(bytes_[:, : _NAME_BYTES - 1]).view(np.uint64)[:, 0]
    word = (word | _LOWER_BITS) & _FIRST_BYTES[length]
    before = at - length
    return word * _HASH_FACTOR + _SIGN[buffer[before]], before


def _numbers(names: bytes) -> Words:
    """The numbers of names set apart by single spaces, in order."""
    buffer = np.frombuffer(_MARGIN + names + b" ", np.uint8)
    return _last_names(buffer, np.flatnonzero(buffer == ord(" "))[_NAME_BYTES:] - 1)[0]


# A rule for these changes nothing while the user does nothing, or concerns no element.
_MATCH_NOTHING = np.sort(
    _numbers(b":hover :focus :active :visited :target :focus-within :focus-visible :before :after")
)
# Pseudo-classes that may choose any element; of the long ones the last bytes do not tell that they are none.
_MATCH_ANYTHING = np.sort(_numbers(b" ".join(b":" + name for name in PLAIN_PSEUDOS)))
