"""What each text is made of: words, characters, digits, capitals, punctuation, sentence ends, counted in its bytes.

One table says what an ASCII byte counts for, a bit for each; another gives the kind of any other character by its code
point.  Whether a word begins depends on the byte before, whether a sentence ends on the byte behind.  One pass.
"""

from __future__ import annotations

import numpy as np

from thresher.page import Page
from thresher.page.kernels import count_texts
from thresher.page.types import Longs

__all__ = ["COUNTED", "counts"]

COUNTED = ("words", "chars", "digits", "capitals", "punctuation", "sentence_ends")
_LETTER, _IDEOGRAPH, _UNSPACED, _MARK, _BLANK, _COMMA, _STOP = range(7)  # kinds of characters beyond ASCII


def counts(page: Page) -> Longs:
    """How many of each of COUNTED every text has, (6, m)."""
    count = np.zeros((len(COUNTED), len(page.start)), np.int64)
    if len(page.start):
        count_texts(page.utf8, page.start, page.stop, _OF_BYTE, _KINDS, count)
    return count


def _bits(
    *, words: bool, chars: bool, digits: bool, capitals: bool, punctuation: bool, ends: bool, closing: bool
) -> int:
    flags = (words, chars, digits, capitals, punctuation, ends, False, closing)
    return sum(1 << bit for bit, is_set in enumerate(flags) if is_set)


_CLOSES_SENTENCE = frozenset(b"\"')]\xc2\xe2")  # the last two begin no-break spaces and curly quotes
_OF_BYTE = bytes(
    _bits(
        words=byte < 0x80 and (chr(byte).isalnum() or chr(byte) == "_"),
        chars=32 < byte < 0x80,
        digits=chr(byte) in "0123456789",
        capitals="A" <= chr(byte) <= "Z",
        punctuation=chr(byte) in ",;:.!?",
        ends=chr(byte) in ".!?",
        closing=byte <= 32 or byte in _CLOSES_SENTENCE,
    )
    for byte in range(256)
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


def _kinds() -> bytes:
    """The kind of every code point below 0x10000, and behind them that of each further 256, which share one."""
    kinds = bytearray(0x12000)
    for low, high, kind in _RANGES:
        if high >= 0x10000:
            low, high = 0x10000 + (low >> 8), 0x10000 + (high >> 8)
        kinds[low : high + 1] = bytes([kind]) * (high + 1 - low)
    for mark, kind in _SINGLE.items():
        kinds[ord(mark)] = kind
    return bytes(kinds)


_KINDS = _kinds()
