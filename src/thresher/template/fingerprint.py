"""Numbers for pieces of a page: equal pieces have equal numbers, on every page and in every process.

    h(b_0 … b_{k-1}) = Σ (b_i + 1) · P^i  mod 2⁶⁴,   P odd

In a buffer the piece a:b has Σ_{a≤j<b} (b_j + 1) · P^j = P^a · h, and P has an inverse, as it is odd.  So all pieces of
a buffer take one product with the powers of P, one sum for each piece, and one product with P^-a.  Two different pieces
share a number with a chance of about 2⁻⁶⁴.  Pages made to collide only mislead themselves: whoever writes a page can
repeat its text on the next one anyway.

    text_keys      texts by their words: letters and digits count, case, blanks and punctuation do not
    element_keys   elements by name and attributes in any order, without those that carry the state of one page
    kind_keys      elements by name and the first word of their class, or their id where they have none, without digits:
                   `<article class="post-17 hentry">` and `<article class="post-4 hentry sticky">` are of one kind
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import LAZY_ADDRESSES, TAGS, group
from thresher.page import Page, attributes
from thresher.page.columns import column
from thresher.page.types import Bools, Bytes, Words

__all__ = ["STATE", "Keys", "element_keys", "kind_keys", "mixed", "piece_keys", "text_keys"]

Keys = Words  # numbers that are equal where the pieces are


# Attributes that say where a page stands in its site or what was done to it, not what an element is.  Beside them
# those whose names begin with `data-` (notes of scripts: addresses and numbers of the page), but for the addresses of
# pictures that are loaded late, and with `on` (scripts).
STATE = frozenset(
    "href action value checked selected open aria-current aria-expanded aria-selected aria-pressed".split()
)

_P = 0x9E3779B97F4A7C15
_PART = 20  # 2²⁰ bytes are read at a time
_MIX = np.uint64(0xD6E8FEB86659FD93)
_NAME_LENGTH = np.array([len(name) for name in TAGS])
# There is one of each on every page, and content systems write the page's number into the class of the body.
_FRAME = group(("html", "head", "body"))


def piece_keys(buffer: Bytes, bounds: NDArray[np.integer[Any]]) -> Words:
    """The numbers of the pieces between neighbouring bounds of each row, (k, c) bounds -> (k, c - 1) numbers.

    Bounds ascend along the rows and from row to row.  Empty pieces have 0.  O(bytes + pieces), a megabyte at a time.
    """
    keys = np.zeros((len(bounds), bounds.shape[1] - 1), np.uint64)
    part = bounds[:, 0] >> _PART
    cuts = [0, *(np.flatnonzero(part[1:] != part[:-1]) + 1).tolist(), len(bounds)]
    for first, last in pairwise(cuts):
        if first < last:
            begin, end = int(bounds[first, 0]), int(bounds[last - 1, -1])
            keys[first:last] = _piece_keys(buffer[begin:end], bounds[first:last] - begin)
    return keys


def _piece_keys(buffer: Bytes, bounds: NDArray[np.integer[Any]]) -> Words:
    power, inverse = _powers(1 << len(buffer).bit_length())  # few tables for pages of all sizes
    weighed = np.zeros(len(buffer) + 1, np.uint64)  # one more: a piece may end where the buffer does
    weighed[:-1] = buffer
    weighed[:-1] += np.uint64(1)
    weighed *= power[: len(weighed)]
    sums = np.add.reduceat(weighed, bounds.ravel()).reshape(bounds.shape)[:, :-1]
    sums[bounds[:, :-1] == bounds[:, 1:]] = 0
    keys: Words = sums * inverse[bounds[:, :-1]]
    return keys


def mixed(*keys: Words | np.uint64) -> Words:
    """One number for several in their order: k = x ⊕ x/2³² with x = (k + next) · K, for each next one.

    The first is spread over all bits before the second is added: "a" under node 3 must not equal "b" under node 2.
    """
    result: Words = np.zeros(1, np.uint64)
    for key in keys:
        result = (result + key) * _MIX
        result = result ^ (result >> np.uint64(32))
    return result


@column
def text_keys(page: Page) -> Words:
    """A number for the words of each text; texts without a letter or digit all have the same."""
    if not len(page.start):
        return np.zeros(0, np.uint64)
    bytes_ = np.frombuffer(page.utf8, np.uint8)
    counts = _COUNTS[bytes_]
    blank = np.flatnonzero(bytes_ == 0xA0)  # a no-break space is C2 A0
    blank = blank[bytes_[blank - 1] == 0xC2]
    counts[blank] = counts[blank - 1] = False
    # Between texts nothing counts, so each may reach to the start of the next.
    stop = np.cumsum(np.add.reduceat(counts.view(np.uint8), page.start, dtype=np.int64))
    bounds = np.column_stack((np.concatenate(([0], stop[:-1])), stop))
    return mixed(piece_keys(_LOWER[bytes_[counts]], bounds)[:, 0])


@column
def element_keys(page: Page) -> Words:
    """A number for the name and the lasting attributes of each element.

    k_i = name_i + Σ number of ` name="value"` over the attributes: a sum does not depend on their order.
    """
    buffer = np.frombuffer(page.markup, np.uint8)
    row, name_start, _, value, closing = (column.astype(np.intp) for column in attributes.spans(page))
    name_stop = page.tag_start + 1 + _NAME_LENGTH[page.tag]
    unknown = np.flatnonzero(page.tag == 0)
    for at, begin, stop in zip(unknown, page.tag_start[unknown].tolist(), page.tag_stop[unknown].tolist(), strict=True):
        blank = page.markup.find(b" ", begin, stop)
        name_stop[at] = blank if blank >= 0 else stop
    # An attribute stretches from where the one before ends, or the element's name, to its closing quote.
    start = name_stop[row]
    follows = np.flatnonzero(row[1:] == row[:-1]) + 1
    start[follows] = closing[follows - 1] + 1
    name, content = piece_keys(buffer, np.column_stack((start, value - 1, closing))).T
    lasting = mixed(name, content) * ~_is_state(buffer, start, name)
    running = np.concatenate((np.zeros(1, np.uint64), np.cumsum(lasting)))
    bounds = np.searchsorted(row, np.arange(len(page) + 1))
    result = running[bounds[1:]] - running[bounds[:-1]]
    result[_FRAME[page.tag]] = 0
    result[unknown] += piece_keys(buffer, np.column_stack((page.tag_start, name_stop))[unknown])[:, 0]
    # Tags with more in them than names and values are told apart as they stand.
    read = name_stop.copy()
    read[row] = closing + 1
    irregular = read + 1 != page.tag_stop
    irregular[row[name_start != start + 1]] = True
    result[irregular] = piece_keys(buffer, np.column_stack((page.tag_start, page.tag_stop))[irregular])[:, 0]
    return mixed(result, page.tag.astype(np.uint64))


@column
def kind_keys(page: Page) -> Words:
    """A number for the kind of each element."""
    result = np.zeros(len(page), np.uint64)
    for name in ("id", "class"):  # the class comes last and prevails
        rows, code, values = attributes.distinct(page, name)
        if values:
            words = [(_DIGITS.sub("", value).split() or [""])[0] for value in values]
            result[rows] = _string_keys([f" {name}={word}" for word in words])[code]
    result[_FRAME[page.tag]] = 0
    return mixed(result, page.tag.astype(np.uint64))


def _is_state(buffer: Bytes, start: NDArray[np.integer[Any]], name: Words) -> Bools:
    """Which attributes carry state: ` name=` stands at `start` and has the number `name`."""
    state: Bools = np.isin(name, _STATE_KEYS)
    for beginning in (b" data-", b" on"):
        begins = np.ones(len(start), bool)
        for offset, letter in enumerate(beginning):
            begins &= buffer[start + offset] == letter  # a closing tag follows at least: the buffer is long enough
        state |= begins
    return state & ~np.isin(name, _LAZY_KEYS)


def _string_keys(strings: Sequence[str]) -> Words:
    """The numbers of some strings."""
    pieces = [string.encode() for string in strings]
    stop = np.cumsum([len(piece) for piece in pieces])
    start = np.concatenate(([0], stop[:-1]))
    return piece_keys(np.frombuffer(b"".join(pieces), np.uint8), np.column_stack((start, stop)))[:, 0]


def _powers(size: int) -> tuple[Words, Words]:
    """P^0 … P^(size-1), and the same of the inverse of P.  Only a page with a huge piece needs a table of its own."""
    return _kept_powers(size) if size <= 2 << _PART else _made_powers(size)


def _made_powers(size: int) -> tuple[Words, Words]:
    """Each half of a table from the one before."""
    both = []
    for base in (_P, pow(_P, -1, 1 << 64)):
        power = np.ones(size, np.uint64)
        known = 1
        while known < size:
            more = min(known, size - known)
            np.multiply(power[:more], np.uint64(pow(base, known, 1 << 64)), out=power[known : known + more])
            known *= 2
        power.setflags(write=False)
        both.append(power)
    return both[0], both[1]


_kept_powers = cache(_made_powers)

_DIGITS = re.compile(r"[0-9]+")
_COUNTS = np.array([byte >= 0x80 or chr(byte).isalnum() or chr(byte) == "_" for byte in range(256)])
_LOWER = np.frombuffer(bytes(range(256)).lower(), np.uint8)
_STATE_KEYS = _string_keys([f" {name}=" for name in sorted(STATE)])
_LAZY_KEYS = _string_keys([f" {name}=" for name in LAZY_ADDRESSES])
