"""What each text is made of: words, characters, digits, capitals, punctuation, sentence ends, counted in its bytes.

Every byte of UTF-8 says by itself most of what is asked: one table gives what it counts for, a bit for each.
Characters beyond ASCII, mostly few, get their bits by their code points.  Where a word begins and whether a sentence
ends is seen in two neighbouring bytes.  A count is the sum of one bit from the start of a text to that of the next, for
between texts lie only blank pieces and NULs.  A few passes over the text of the page, however many nodes it has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.page import Page

__all__ = ["COUNTED", "counts"]

COUNTED = ("words", "chars", "digits", "capitals", "punctuation", "sentence_ends")

Bits = NDArray[np.uint8]
Counts = NDArray[np.int64]

_WORDS, _CHARS, _DIGITS, _CAPITALS, _PUNCTUATION, _SENTENCE_ENDS = range(len(COUNTED))
_CLOSING = 7  # of bytes behind a mark that ends a sentence: white space, quotes and brackets
_SHIFTS = np.arange(len(COUNTED), dtype=np.uint8)[:, None]
_BITS = np.uint8(1) << _SHIFTS
_LONGEST = 1 << 11  # bytes of a text: sums of bits up to 2⁵ stay below 2¹⁶


def counts(page: Page) -> Counts:
    """How many of each of COUNTED every text has, (6, m)."""
    if not len(page.start):
        return np.zeros((len(COUNTED), 0), np.int64)
    has = np.frombuffer(bytearray(page.utf8).translate(_OF_BYTE), np.uint8)
    lead, kind = (_NONE, _NONE) if page.utf8.isascii() else _mark_beyond_ascii(page.utf8, has)
    each = has & _BITS
    run, end = each[_WORDS], each[_SENTENCE_ENDS]
    run[1:] = run[1:] > run[:-1]  # its first byte
    end[:-1] &= has[1:] >> (_CLOSING - _SENTENCE_ENDS)  # a NUL stands behind every text
    end[lead[kind == _STOP]] = 1 << _SENTENCE_ENDS
    longest = int((page.stop - page.start).max())
    if longest < _LONGEST:
        count = np.add.reduceat(each, page.start, axis=1, dtype=np.uint16).astype(np.int64)
    else:  # one row at a time, for each is made as wide as its sums
        wide = np.uint32 if longest < 1 << 26 else np.int64
        count = np.array([np.add.reduceat(row, page.start, dtype=wide) for row in each], np.int64)
    count >>= _SHIFTS
    for wanted, letters_a_word in ((_IDEOGRAPH, 2), (_UNSPACED, 4)):
        place = lead[kind == wanted]
        if len(place):
            before = place.searchsorted(page.start)
            count[_WORDS] += -(-np.diff(before, append=len(place)) // letters_a_word)
    return count


def _mark_beyond_ascii(utf8: bytes, has: Bits) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Set the bits of the characters beyond ASCII.  Where these start, and of what kind they are."""
    byte = np.frombuffer(utf8, np.uint8)
    at = (byte >= 0x80).nonzero()[0]
    theirs = byte[at]
    starts = theirs >= 0xC0
    code = np.frombuffer(theirs.tobytes().decode().encode("utf-32-le"), "<u4")
    kind = _KINDS[_BOUNDS.searchsorted(code, side="right")]
    bits = _OF_KIND[kind][np.cumsum(starts) - 1]
    bits &= np.where(starts, np.uint8(255), np.uint8(1 << _WORDS))  # further bytes only keep a run going
    has[at] |= bits
    return at[starts], kind


def _bits(
    *, words: bool, chars: bool, digits: bool, capitals: bool, punctuation: bool, ends: bool, closing: bool
) -> int:
    set_ = (words, chars, digits, capitals, punctuation, ends)
    return sum(1 << bit for bit, is_set in enumerate(set_) if is_set) | closing << _CLOSING


_OF_BYTE = bytes(
    _bits(
        words=byte < 0x80 and (chr(byte).isalnum() or chr(byte) == "_"),
        chars=32 < byte < 0x80,
        digits=chr(byte) in "0123456789",
        capitals="A" <= chr(byte) <= "Z",
        punctuation=chr(byte) in ",;:.!?",
        ends=chr(byte) in ".!?",
        closing=byte <= 32 or byte in b"\"')]\xc2\xe2",  # the last two begin no-break spaces and curly quotes
    )
    for byte in range(256)
)

_LETTER, _IDEOGRAPH, _UNSPACED, _MARK, _BLANK, _COMMA, _STOP = range(7)
_OF_KIND = np.array(
    [
        _bits(
            words=kind == _LETTER,
            chars=kind != _BLANK,
            digits=False,
            capitals=False,
            punctuation=kind in (_COMMA, _STOP),
            ends=kind == _STOP,
            closing=False,
        )
        for kind in range(7)
    ],
    np.uint8,
)
_SINGLE = {"\xa0": _BLANK} | dict.fromkeys("，、；：،؛…၊፣", _COMMA) | dict.fromkeys("。！？｡।॥؟۔።፧។။．", _STOP)
# Code point ranges that are not letters of a script with spaces.  Sources: the Unicode block list.
_RANGES = (
    (0x0080, 0x00A9, _MARK), (0x00AB, 0x00B4, _MARK), (0x00B6, 0x00B9, _MARK), (0x00BB, 0x00BF, _MARK),
    (0x00D7, 0x00D7, _MARK), (0x00F7, 0x00F7, _MARK),
    (0x060C, 0x061F, _MARK), (0x06D4, 0x06D4, _MARK), (0x0964, 0x0965, _MARK),
    (0x0E01, 0x0E30, _UNSPACED), (0x0E31, 0x0E3F, _MARK), (0x0E40, 0x0E46, _UNSPACED), (0x0E47, 0x0E4F, _MARK),
    (0x0E81, 0x0EB0, _UNSPACED), (0x0EB1, 0x0EBC, _MARK), (0x0EBD, 0x0EC6, _UNSPACED), (0x0EC7, 0x0ECF, _MARK),
    (0x1000, 0x102A, _UNSPACED), (0x102B, 0x104F, _MARK), (0x1050, 0x109F, _UNSPACED),
    (0x1362, 0x1368, _MARK), (0x1780, 0x17B3, _UNSPACED), (0x17B4, 0x17DF, _MARK),
    (0x2000, 0x206F, _MARK), (0x20A0, 0x20CF, _MARK), (0x2190, 0x2BFF, _MARK), (0x2E00, 0x2E7F, _MARK),
    (0x2E80, 0x2FDF, _IDEOGRAPH), (0x3000, 0x3004, _MARK), (0x3005, 0x3007, _IDEOGRAPH), (0x3008, 0x3030, _MARK),
    (0x3031, 0x3035, _IDEOGRAPH), (0x3036, 0x303F, _MARK), (0x3040, 0x30FA, _IDEOGRAPH), (0x30FB, 0x30FB, _MARK),
    (0x30FC, 0x312F, _IDEOGRAPH), (0x31A0, 0x31BF, _IDEOGRAPH), (0x31F0, 0x31FF, _IDEOGRAPH),
    (0x3200, 0x33FF, _MARK), (0x3400, 0x4DBF, _IDEOGRAPH), (0x4E00, 0x9FFF, _IDEOGRAPH),
    (0xD800, 0xF8FF, _MARK), (0xF900, 0xFAFF, _IDEOGRAPH), (0xFE10, 0xFE6F, _MARK), (0xFEFF, 0xFF0F, _MARK),
    (0xFF1A, 0xFF20, _MARK), (0xFF3B, 0xFF3E, _MARK), (0xFF5B, 0xFF65, _MARK), (0xFF66, 0xFF9F, _IDEOGRAPH),
    (0xFFE0, 0xFFFF, _MARK), (0x1F000, 0x1FAFF, _MARK), (0x20000, 0x3FFFF, _IDEOGRAPH), (0xE0000, 0xE0FFF, _MARK),
)  # fmt: skip


def _kind(code: int) -> int:
    return _SINGLE.get(chr(code)) or next((kind for low, high, kind in _RANGES if low <= code <= high), _LETTER)


# The same as a step function: the kind of a code point is that of the last bound at or below it.
_EDGES = {edge for low, high, _ in _RANGES for edge in (low, high + 1)}
_BOUNDS = np.array(sorted(_EDGES | {edge for mark in _SINGLE for edge in (ord(mark), ord(mark) + 1)}), np.uint32)
_KINDS = np.array([_LETTER, *map(_kind, _BOUNDS.tolist())])
_NONE = np.zeros(0, np.intp)
