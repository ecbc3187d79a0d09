"""Characters that show nothing, and messages written in them.

Some are noise anywhere: control characters, byte order marks, invisible operators, the tag characters with which any
sentence can be spelled unseen.  They are dropped.  Others belong to the text, one at a time: the joiners of Persian,
Hindi and emoji (U+200C, U+200D), the selectors of a variant (U+FE0F), the zero-width space between words of Thai, Lao,
Burmese and Khmer.  A row of several is no writing but a code: no language needs two of them in a row, save an emoji's
style before its joiner (❤️‍🔥).  Direction marks stay, unless there are more in a row than any text nests.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

__all__ = ["unsmuggled", "unsmuggled_utf8", "without_invisible", "without_noise"]

# C0 but white space, DEL, C1, invisible operators, deprecated format characters, zero-width no-break space, marks of
# annotations, two noncharacters (not allowed in XML), halves of surrogate pairs, controls of shorthand and of music,
# tag characters.
_NOISE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]+"
)
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai and Lao, Burmese, Khmer
_ZERO_WIDTH_SPACE = re.compile(f"(?<![{_UNSPACED}])\u200b|\u200b(?![{_UNSPACED}])")
_STYLED_JOINER = re.compile("[\ufe00-\ufe0f]\u200d")
# The controls of shorthand and of music, in UTF-8; other signs of music begin alike.
_CONTROL_STARTS = (b"\xf0\x9b\xb2", b"\xf0\x9d\x85")
_CONTROLS = re.compile(rb"\xf0\x9b\xb2[\xa0-\xa3]|\xf0\x9d\x85[\xb3-\xba]")
_MOST_DIRECTIONS = 7  # direction marks in a row


def without_invisible(value: str) -> str:
    """The string without characters that show nothing and mean nothing where they stand; white space stays."""
    return unsmuggled(without_noise(value))


def without_noise(value: str) -> str:
    """The same, character by character: rows of joiners and selectors stay."""
    if value.isprintable():
        return value
    value = _NOISE.sub("", value)
    return _ZERO_WIDTH_SPACE.sub("", value) if "\u200b" in value else value


def unsmuggled(value: str) -> str:
    """The string without rows of invisible characters; a joiner typed twice is typed once."""
    if value.isascii():
        return value
    text = value.encode("utf-8", "replace")
    left = unsmuggled_utf8(text)
    return value if left is text else left.decode()


def unsmuggled_utf8(text: bytes) -> bytes:
    """The same for UTF-8, in which other bytes may stand as well; the very same object if there is nothing to do.

    A row is found where one such character ends and the next begins: at_k + size_k = at_k+1.
    """
    if any(start in text for start in _CONTROL_STARTS):
        text = _CONTROLS.sub(b"", text)
    array = np.frombuffer(text, np.uint8)
    lead = np.flatnonzero(array >= 0xCD)
    lead = lead[_LEADS[array[lead]]]
    if not len(lead):
        return text
    last = len(array) - 1
    code = (array[lead].astype(np.int32) << 16) + (array[np.minimum(lead + 1, last)].astype(np.int32) << 8)
    code += array[np.minimum(lead + 2, last)]
    code[array[lead] == 0xCD] |= 0xFF  # a character of two bytes
    near = np.searchsorted(_LOW, code, "right") - 1
    kind = _KIND[near] * (code <= _HIGH[near])
    spans = _rows(lead, array, (kind == _JOINER) | (kind == _SELECTOR), 2)
    spans += _rows(lead, array, (kind == _JOINER) | (kind == _DIRECTION), _MOST_DIRECTIONS + 1)
    if not spans:
        return text
    pieces: list[bytes] = []
    done = 0
    for start, stop in sorted(spans):
        if start >= done:
            pieces += text[done:start], _meant(text[start:stop].decode()).encode()
            done = stop
    return b"".join((*pieces, text[done:]))


def _rows(
    lead: NDArray[np.intp], array: NDArray[np.uint8], chosen: NDArray[np.bool_], least: int
) -> list[tuple[int, int]]:
    """Where rows of at least so many of the chosen characters start and stop."""
    at = lead[chosen]
    if len(at) < least:
        return []
    first = array[at]
    stop = at + np.where(first >= 0xF0, 4, np.where(first >= 0xE0, 3, 2))
    begins = np.flatnonzero(np.concatenate(([True], stop[:-1] != at[1:])))
    ends = np.append(begins[1:], len(at)) - 1
    long = ends - begins + 1 >= least
    return list(zip(at[begins[long]].tolist(), stop[ends[long]].tolist(), strict=True))


def _meant(row: str) -> str:
    if _STYLED_JOINER.fullmatch(row):
        return row
    return row[0] if row[0] in "\u200c\u200d" and row.count(row[0]) == len(row) else ""


_JOINER, _SELECTOR, _DIRECTION = 1, 2, 3
_RANGES = (  # by the first three bytes
    (0, 0, 0),
    (0xCD8FFF, 0xCD8FFF, _SELECTOR),  # U+034F
    (0xE1859F, 0xE185A0, _SELECTOR),  # U+115F, U+1160, fillers of Korean
    (0xE19EB4, 0xE19EB5, _SELECTOR),  # U+17B4, U+17B5
    (0xE1A08B, 0xE1A08F, _SELECTOR),  # U+180B–U+180F
    (0xE2808C, 0xE2808D, _JOINER),  # U+200C, U+200D
    (0xE2808E, 0xE2808F, _DIRECTION),  # U+200E, U+200F
    (0xE280AA, 0xE280AE, _DIRECTION),  # U+202A–U+202E
    (0xE281A6, 0xE281A9, _DIRECTION),  # U+2066–U+2069
    (0xE385A4, 0xE385A4, _SELECTOR),  # U+3164
    (0xEFB880, 0xEFB88F, _SELECTOR),  # U+FE00–U+FE0F
    (0xEFBEA0, 0xEFBEA0, _SELECTOR),  # U+FFA0
    (0xF3A084, 0xF3A087, _SELECTOR),  # U+E0100–U+E01FF
)
_LEADS = np.zeros(256, bool)
_LEADS[[low >> 16 for low, _, _ in _RANGES[1:]]] = True
_LOW, _HIGH, _KIND = np.array(_RANGES, np.int32).T
