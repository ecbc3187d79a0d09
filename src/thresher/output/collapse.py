"""The white space of a whole page at once: collapsed, line ends put in, unwanted characters taken out.

Works on the bytes of UTF-8, all of them at a time; `characters.collapse` does the same to one string.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Bools, Bytes, Rows
from thresher.text.characters import without_east_asian_breaks_utf8
from thresher.text.invisible import (
    BETWEEN,
    UNWANTED,
    WHITE,
    find,
    may_hold_invisible_runs,
    sizes,
    without_invisible_runs_utf8,
)
from thresher.text.patterns import compile_later

__all__ = ["BLOCK_SIGN", "LINE_SIGN", "PART_SIGN", "TAB_SIGN", "collapsed", "place_sign", "with_places"]


# No UTF-8 holds these bytes, so they can say where a paragraph, a line or a cell ends and where something is to be
# put in later.  A paragraph ends with two, for two line ends.
BLOCK_SIGN, LINE_SIGN, TAB_SIGN = b"\xf8\xf8", b"\xf9", b"\xfa"
PART_SIGN = b"\xfd"  # between texts that are told apart later; it stays
_BLOCK, _TAB = 0xF8, 0xFA
_PLACE = compile_later(rb"\xfb(\d+)\xfc")
_MEETING = compile_later(rb"[\xf8-\xfa]{2,}")

_SPACE = 32
_CONTROLS = bytes((*range(9), *range(14, 32), 127))
_SPACES = bytes(_SPACE if byte in b"\t\n\v\f\r" else byte for byte in range(256))


def place_sign(number: int) -> bytes:
    """Stands for the piece of this number until `with_places` puts it in."""
    return b"\xfb%d\xfc" % number


def with_places(text: bytes, pieces: list[str]) -> bytes:
    """Put the pieces where their signs stand."""
    return _PLACE.sub(lambda match: pieces[int(match[1])].encode(), text)


def collapsed(text: bytes, tight: bool = False) -> bytes:
    """One space for each run of white space, none beside a line end, and line ends and tabs for the signs.

    A byte stays if it is no white space or the byte before is none; then spaces beside signs go.  `tight` says that
    something other than white space stands on both sides of each sign; then that step is needed only where
    characters beside the signs were unwanted, or white space in other scripts' clothes.
    """
    text = without_east_asian_breaks_utf8(text)
    plain = text.translate(_SPACES, _CONTROLS)
    at, kind = find(plain)
    array: Bytes = np.frombuffer(plain, np.uint8)
    if len(kind) and kind.min() <= BETWEEN:
        array, tight = _plain(array, at, kind), False
    ink = array > _SPACE
    stays = ink.copy()
    stays[1:] |= ink[:-1]
    array = array[stays]
    done = array.tobytes() if tight and len(plain) == len(text) else _without_spaces_at_signs(array)
    done = done.replace(b"\xf8", b"\n").replace(LINE_SIGN, b"\n").replace(TAB_SIGN, b"\t").strip()
    return without_invisible_runs_utf8(done) if may_hold_invisible_runs(at, kind) else done


def _without_spaces_at_signs(array: Bytes) -> bytes:
    """No spaces beside signs.  Where signs meet, with nothing to print between, the strongest counts."""
    at = (array >= _BLOCK).nonzero()[0]
    at = at[array[at] <= _TAB]
    beside = np.concatenate((at - 1, at + 1))
    beside = beside[array.take(beside, mode="clip") == _SPACE]
    if len(beside):
        stays = np.ones(len(array), bool)
        stays[beside] = False
        array = array[stays]
        at = (array >= _BLOCK).nonzero()[0]
        at = at[array[at] <= _TAB]
    meeting = np.count_nonzero(at[1:] == at[:-1] + 1)
    text = array.tobytes()
    if meeting * 2 > np.count_nonzero(array[at] == _BLOCK):  # more than the two of each paragraph's end
        text = _MEETING.sub(lambda match: _strongest(match[0]), text)
    return text


def _strongest(signs: bytes) -> bytes:
    return BLOCK_SIGN if _BLOCK in signs else LINE_SIGN if LINE_SIGN in signs else TAB_SIGN


def _plain(array: Bytes, at: Rows, kind: NDArray[np.int8]) -> Bytes:
    """Spaces for the wide kinds of white space, and nothing for characters that show nothing, which stand there."""
    if (kind == BETWEEN).any():
        padded = np.append(array, (0, 0))
        kind = np.where((kind == BETWEEN) & ~_between_words(padded, at), UNWANTED, kind)
    white, unwanted = at[kind == WHITE], at[kind == UNWANTED]
    three = white[array[white] >= 0xE0]  # bytes; none has more
    array = array.copy()
    array[white] = array[white + 1] = array[three + 2] = _SPACE
    if not len(unwanted):
        return array
    stays = np.ones(len(array), bool)
    size = sizes(array[unwanted])
    for offset in range(4):
        stays[unwanted[size > offset] + offset] = False
    plain: Bytes = array[stays]
    return plain


def _between_words(padded: Bytes, lead: Rows) -> Bools:
    """Where a letter of Thai, Lao, Burmese or Khmer stands on both sides of a character of three bytes: there a
    zero-width space ends a word."""
    before, after = np.maximum(lead - 3, 0), np.minimum(lead + 3, len(padded) - 2)
    words: Bools = _unspaced(padded, before) & _unspaced(padded, after) & (lead >= 3)
    return words


def _unspaced(padded: Bytes, at: Rows) -> Bools:
    first, second = padded[at], padded[at + 1]
    thai: Bools = (first == 0xE0) & (second >= 0xB8) & (second <= 0xBB)
    burmese: Bools = (first == 0xE1) & ((second <= 0x82) | (second == 0x9E) | (second == 0x9F))
    return thai | burmese
