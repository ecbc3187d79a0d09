"""Names in a byte array, eight bytes at a time.

An element's name is read as one little-endian 64-bit word and cut at its end with bit tricks, for all tags of a
page at once; comparing names is then comparing integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Words", "as_word", "name_words", "words_at"]

Words = NDArray[np.uint64]

_ONES = 0x0101010101010101
_TOPS = np.uint64(0x8080808080808080)


def words_at(buffer: NDArray[np.uint8], at: NDArray[np.integer[Any]]) -> Words:
    """The eight bytes from each of the ascending positions on, as integers; NULs follow the buffer's end."""
    whole: int = int(np.searchsorted(at, len(buffer) - 8, side="right"))  # positions with eight bytes to read
    words = np.zeros(len(at), np.uint64)
    if whole:
        view: Words = np.ndarray((len(buffer) - 7,), "<u8", buffer.data, strides=(1,))
        words[:whole] = view[at[:whole]]
    for k in range(whole, len(at)):
        words[k] = int.from_bytes(buffer[at[k] : at[k] + 8].tobytes(), "little")
    return words


def name_words(
    buffer: NDArray[np.uint8], at: NDArray[np.integer[Any]], before: int, also: tuple[int, ...]
) -> tuple[Words, Words]:
    """The name that starts at each position, up to 8 bytes of it, and the mask of the bytes it fills.

    A name ends at the first byte below `before` or equal to one of `also`.  A mask of all ones says that the
    name may go on.

    A byte b of w is below k where (w - k·01…01) & ~w has its top bit set, and equal to k where w ^ k·01…01 has a
    zero byte, that is, a byte below 1.  Borrows can only spoil bytes above the first hit, and the first is all
    we need: x & -x is its bit, shifted down 7 and minus 1 it masks all bytes before it.
    """
    word = words_at(buffer, at)
    ends = (word - np.uint64(before * _ONES)) & ~word
    for byte in also:
        other = word ^ np.uint64(byte * _ONES)
        ends |= (other - np.uint64(_ONES)) & ~other
    ends &= _TOPS
    mask = ((ends & (~ends + np.uint64(1))) >> np.uint64(7)) - np.uint64(1)
    return word & mask, mask


def as_word(name: bytes) -> int:
    """What `name_words` gives for the first eight bytes of this name."""
    return int.from_bytes(name[:8].ljust(8, b"\0"), "little")
