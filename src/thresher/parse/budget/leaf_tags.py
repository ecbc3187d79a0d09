"""A source without the tags that open nothing for what follows, found for all tags at once.

    <p>word</p>      an element with only text in it, and so on outwards, round by round
    <p>word<p>       an item that the next one closes
    <br>             an element without content

What is left tells how deep the page nests, and is short even where a page has a million elements.  A tag counts only if
its end is certain: it has no quotes, or pairs of them, each behind a name and an equals sign.  All that is not
such a tag (a comment, a declaration, a stray "<") stays where it is and keeps apart what stands around it.
"""

from __future__ import annotations

import numpy as np

from thresher.page.byte_words import Words, as_word, name_words
from thresher.page.types import Bools, Bytes, Rows

__all__ = ["without_leaves"]


_LESS_THAN, _GREATER_THAN, _SLASH, _DOUBLE, _SINGLE, _EQUALS, _SPACE = b"<>/\"'= "
_ROUNDS = 40
_CASE = np.uint64(0x2020202020202020)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def _words(names: bytes) -> Words:
    words = [as_word(name) | int(_CASE) & ((1 << 8 * len(name)) - 1) for name in names.split()]
    return np.array(words, np.uint64)


_EMPTY = _words(b"br hr img meta embed")  # void also in drawings, which they end
_CLOSED_BY_NEXT = _words(b"p li dd dt")


def without_leaves(source: bytes) -> bytes:
    """The source without those tags; their text stays."""
    buffer = np.frombuffer(source + b"\0\0", np.uint8)
    start = np.flatnonzero(buffer == _LESS_THAN)
    ends = np.flatnonzero(buffer == _GREATER_THAN)
    if not len(start) or not len(ends):
        return source
    stop = ends[np.minimum(np.searchsorted(ends, start), len(ends) - 1)]
    closing = buffer[start + 1] == _SLASH
    at = start + 1 + closing
    word, mask = name_words(buffer, at, before=0x21, also=(_SLASH, _GREATER_THAN))
    word |= _CASE & mask
    letter = buffer[at] | 0x20
    plain = (letter >= ord("a")) & (letter <= ord("z")) & (mask != _ALL) & _ends_surely(buffer, start, stop)
    opens, closes = plain & ~closing, plain & closing
    left = np.flatnonzero(~(opens & np.isin(word, _EMPTY)))
    item = opens & np.isin(word, _CLOSED_BY_NEXT)
    for _ in range(_ROUNDS):
        first, second = left[:-1], left[1:]
        alike = word[first] == word[second]
        pair = alike & opens[first] & closes[second]
        gone = np.zeros(len(left), bool)
        gone[:-1] = pair | (alike & item[first] & opens[second])
        gone[1:] |= pair
        if not gone.any():
            break
        left = left[~gone]
    taken = np.ones(len(start), bool)
    taken[left] = False
    step = np.zeros(len(buffer), np.int8)
    step[start[taken]] += 1
    step[stop[taken] + 1] -= 1
    kept = np.cumsum(step[:-2], dtype=np.int8) == 0
    rest: Bytes = buffer[:-2][kept]
    return rest.tobytes()


def _ends_surely(buffer: Bytes, start: Rows, stop: Rows) -> Bools:
    """Whether a tag ends at the first ">" behind its start, and no other starts before."""
    sure = stop > start
    sure[:-1] &= start[1:] > stop[:-1]
    singles = np.flatnonzero(buffer == _SINGLE)
    if len(singles):
        sure &= np.searchsorted(singles, start) == np.searchsorted(singles, stop)
    quotes = np.flatnonzero(buffer == _DOUBLE)
    if len(quotes):
        regular = np.append(0, np.cumsum(_opens_value(buffer, quotes)))
        first, last = np.searchsorted(quotes, start), np.searchsorted(quotes, stop)
        sure &= 2 * (regular[last] - regular[first]) == last - first
    return sure


def _opens_value(buffer: Bytes, quotes: Rows) -> Bools:
    """Which quotes surely open a value that the next one closes: they stand behind `name=`, the next one does not, and
    before the name is white space (an unquoted value may hold both signs: `a=b="`)."""
    signs = np.flatnonzero(buffer == _EQUALS)
    blanks = np.flatnonzero(buffer <= _SPACE)
    behind: Bools = buffer[quotes - 1] == _EQUALS
    if not len(signs) or not len(blanks):
        return np.zeros(len(quotes), bool)
    sign_before = signs[np.maximum(np.searchsorted(signs, quotes - 1) - 1, 0)]
    blank_before = blanks[np.maximum(np.searchsorted(blanks, quotes) - 1, 0)]
    opens: Bools = behind & ((sign_before < blank_before) | (sign_before >= quotes - 1))
    opens[:-1] &= ~behind[1:]
    return opens
