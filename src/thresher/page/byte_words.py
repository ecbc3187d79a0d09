"""Names and spans in a byte array, eight bytes at a time.

An element's name is read as one little-endian 64-bit word and cut at its end with bit tricks, for all tags of a
page at once; comparing names is then comparing integers.  Longer spans are compared by a number mixed of their words.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Bytes, Rows, Words

__all__ = ["Words", "as_word", "last_words", "name_words", "span_keys", "words_at"]


_WORD = np.dtype("<u8")
_ONES = 0x0101010101010101
_TOPS = np.uint64(0x8080808080808080)


def words_at(buffer: Bytes, at: NDArray[np.integer[Any]]) -> Words:
    """The eight bytes from each of the ascending positions on, as integers; NULs follow the buffer's end."""
    whole = len(at)  # positions with eight bytes to read
    while whole and at[whole - 1] > len(buffer) - 8:
        whole -= 1
    words = np.empty(len(at), np.uint64)
    if whole:
        view: Words = np.ndarray((len(buffer) - 7,), _WORD, buffer, strides=(1,))
        words[:whole] = view[at[:whole]]
    for k in range(whole, len(at)):
        words[k] = int.from_bytes(buffer[at[k] : at[k] + 8].tobytes(), "little")
    return words


def name_words(buffer: Bytes, at: NDArray[np.integer[Any]], before: int, also: tuple[int, ...]) -> tuple[Words, Words]:
    """The name that starts at each position, up to 8 bytes of it, and the mask of the bytes it fills.

    A name ends at the first byte below `before` or equal to one of `also`.  A mask of all ones says that the
    name may go on.
    """
    return _cut(words_at(buffer, at), before, also)


def last_words(buffer: Bytes, at: NDArray[np.integer[Any]], before: int, also: tuple[int, ...]) -> tuple[Words, Words]:
    """The same for names that end before each position, from 8 on, spelled backwards."""
    return _cut(words_at(buffer, at - 8).byteswap(), before, also)


def _cut(word: Words, before: int, also: tuple[int, ...]) -> tuple[Words, Words]:
    """Words up to the first byte that ends a name, and the mask of what is left.

    A byte b of w is below k where (w - k·01…01) & ~w has its top bit set, and equal to k where w ^ k·01…01 has a
    zero byte, that is, a byte below 1.  Borrows can only spoil bytes above the first hit, and the first is all
    we need: x & -x is its bit, shifted down 7 and minus 1 it masks all bytes before it.
    """
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


def span_keys(buffer: Bytes, start: Rows, stop: Rows) -> Words:
    """A number for the bytes of each of the ascending, disjoint spans start:stop; equal bytes have equal numbers.

    k = Σ_j m(w_j + 8j) over the words w_j of a span, the last one cut at its end, where m(x) = (y ^ (y >> 29)) · b with
    y = x · a and odd numbers a, b.  Two different spans of a page share a number with a chance of about 2⁻⁶⁴; a page
    made to have such spans only misleads about itself.
    """
    if not len(start):
        return np.zeros(0, np.uint64)
    length = stop - start
    count = (length >> 3) + 1
    ends = np.cumsum(count)
    first = ends - count
    place = (np.arange(ends[-1]) - np.repeat(first, count)) << 3
    word = words_at(buffer, np.repeat(start, count) + place)
    word[ends - 1] &= _KEEP[length & 7]
    word += place.view(np.uint64)
    word *= _ODD
    word ^= word >> np.uint64(29)
    word *= _OTHER_ODD
    return np.add.reduceat(word, first)


_KEEP = np.array([(1 << 8 * bytes_) - 1 for bytes_ in range(8)], np.uint64)
_ODD, _OTHER_ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
