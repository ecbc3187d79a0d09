"""The white space of a whole page at once: collapsed, line ends put in, unwanted characters taken out.

Works on the bytes of UTF-8, all of them at a time; `characters.collapse` does the same to one string.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

__all__ = ["BLOCK_SIGN", "LINE_SIGN", "TAB_SIGN", "collapsed", "place_sign", "with_places"]

Bytes = NDArray[np.uint8]

# No UTF-8 holds these bytes, so they can say where a paragraph, a line or a cell ends and where something is to be
# put in later.  A paragraph ends with two, for two line ends.
BLOCK_SIGN, LINE_SIGN, TAB_SIGN = b"\xf8\xf8", b"\xf9", b"\xfa"
_BLOCK, _TAB = 0xF8, 0xFA
_PLACE = re.compile(rb"\xfb(\d+)\xfc")
_MEETING = re.compile(rb"[\xf8-\xfa]{2,}")

_SPACE = 32
_CONTROLS = bytes((*range(9), *range(14, 32), 127))


def place_sign(number: int) -> bytes:
    """Stands for the piece of this number until `with_places` puts it in."""
    return b"\xfb%d\xfc" % number


def with_places(text: bytes, pieces: list[str]) -> bytes:
    """Put the pieces where their signs stand."""
    return _PLACE.sub(lambda match: pieces[int(match[1])].encode(), text)


def collapsed(text: bytes) -> bytes:
    """One space for each run of white space, none beside a line end, and line ends and tabs for the signs.

    A byte stays if it is no white space or the byte before is none; then spaces beside signs go.
    """
    text = text.translate(None, _CONTROLS)
    array: Bytes = np.frombuffer(text, np.uint8)
    if not text.isascii():
        array = _plain(array)
    ink = array > _SPACE
    stays = ink.copy()
    stays[1:] |= ink[:-1]
    array = np.maximum(array, np.uint8(_SPACE))[stays]  # below a space there is only other white space
    at = np.flatnonzero(array >= _BLOCK)
    at = at[array[at] <= _TAB]
    if not len(at):
        return array.tobytes().strip()
    beside = np.concatenate((at[at > 0] - 1, at[at < len(array) - 1] + 1))
    beside = beside[array[beside] == _SPACE]
    if len(beside):
        stays = np.ones(len(array), bool)
        stays[beside] = False
        array = array[stays]
    return _ended(array)


def _ended(array: Bytes) -> bytes:
    """Line ends and tabs for the signs.  Where signs meet, with nothing to print between, the strongest counts."""
    at = np.flatnonzero((array >= _BLOCK) & (array <= _TAB))
    meeting = np.count_nonzero(at[1:] == at[:-1] + 1)
    if meeting * 2 > np.count_nonzero(array[at] == _BLOCK):
        array = np.frombuffer(_MEETING.sub(lambda match: _strongest(match[0]), array.tobytes()), np.uint8)
    return array.tobytes().translate(_MEANING).strip()


_MEANING = bytes({0xF8: 10, 0xF9: 10, 0xFA: 9}.get(byte, byte) for byte in range(256))


def _strongest(signs: bytes) -> bytes:
    return BLOCK_SIGN if _BLOCK in signs else LINE_SIGN if LINE_SIGN in signs else TAB_SIGN


def _plain(array: Bytes) -> Bytes:
    """Spaces for the wide kinds of white space, and nothing for characters that show nothing (as in invisible.py).

    Few characters begin with a byte that theirs begin with; the first three bytes tell.
    """
    lead = np.flatnonzero(array >= 0xC2)
    lead = lead[_LEADS[array[lead]]]
    if not len(lead):
        return array
    padded = np.append(array, (0, 0))
    code = (array[lead].astype(np.int32) << 16) + (padded[lead + 1].astype(np.int32) << 8) + padded[lead + 2]
    near = np.searchsorted(_LOW, code, "right") - 1
    kind = _KIND[near] * (code <= _HIGH[near])
    if not kind.any():
        return array
    array = array.copy()
    stays = np.ones(len(array), bool)
    if (kind == _BETWEEN).any():
        kind[(kind == _BETWEEN) & ~_between_words(padded, lead)] = _UNWANTED
    size = np.where(array[lead] >= 0xF0, 4, np.where(array[lead] >= 0xE0, 3, 2))
    for offset in range(4):
        array[lead[(kind == _WHITE) & (size > offset)] + offset] = _SPACE
        stays[lead[(kind == _UNWANTED) & (size > offset)] + offset] = False
    plain: Bytes = array[stays]
    return plain


def _between_words(padded: Bytes, lead: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Where a letter of Thai, Lao, Burmese or Khmer stands on both sides of a character of three bytes: there a
    zero-width space ends a word."""
    before, after = np.maximum(lead - 3, 0), np.minimum(lead + 3, len(padded) - 2)
    words: NDArray[np.bool_] = _unspaced(padded, before) & _unspaced(padded, after) & (lead >= 3)
    return words


def _unspaced(padded: Bytes, at: NDArray[np.intp]) -> NDArray[np.bool_]:
    first, second = padded[at], padded[at + 1]
    thai: NDArray[np.bool_] = (first == 0xE0) & (second >= 0xB8) & (second <= 0xBB)
    burmese: NDArray[np.bool_] = (first == 0xE1) & ((second <= 0x82) | (second == 0x9E) | (second == 0x9F))
    return thai | burmese


_WHITE, _UNWANTED, _BETWEEN = 1, 2, 3
_RANGES = (
    (0, 0, 0),
    (0xC28000, 0xC29FFF, _UNWANTED),  # U+0080–U+009F
    (0xC2A000, 0xC2A0FF, _WHITE),  # U+00A0
    (0xE19A80, 0xE19A80, _WHITE),  # U+1680
    (0xE28080, 0xE2808A, _WHITE),  # U+2000–U+200A
    (0xE2808B, 0xE2808B, _BETWEEN),  # U+200B
    (0xE280A8, 0xE280A9, _WHITE),  # U+2028, U+2029
    (0xE280AF, 0xE280AF, _WHITE),  # U+202F
    (0xE2819F, 0xE2819F, _WHITE),  # U+205F
    (0xE281A0, 0xE281A4, _UNWANTED),  # U+2060–U+2064
    (0xE281AA, 0xE281AF, _UNWANTED),  # U+206A–U+206F
    (0xE38080, 0xE38080, _WHITE),  # U+3000
    (0xEFBBBF, 0xEFBBBF, _UNWANTED),  # U+FEFF
    (0xEFBFB9, 0xEFBFBB, _UNWANTED),  # U+FFF9–U+FFFB
    (0xEFBFBE, 0xEFBFBF, _UNWANTED),  # U+FFFE, U+FFFF
    (0xF3A080, 0xF3A081, _UNWANTED),  # U+E0000–U+E007F
)
_LEADS = np.zeros(256, bool)
_LEADS[[low >> 16 for low, _, _ in _RANGES[1:]]] = True
_LOW, _HIGH, _KIND = np.array(_RANGES, np.int32).T
