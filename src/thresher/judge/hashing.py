"""Words to bucket numbers, all words of a buffer at once.

    h(word) = ((Σ_k code_k · P^k  mod 2⁶⁴) · Q  mod 2⁶⁴) >> 52          code_k: the k-th byte in lower case, plus one

Two words share one of the 4,096 buckets with a chance of 1 in 4,096; training learns to live with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["BUCKETS", "hash_words"]

BUCKETS = 1 << 12

_LONGEST = 64  # bytes of a word that count
with np.errstate(over="ignore"):
    _POWERS = np.cumprod(np.full(_LONGEST, 0x100000001B3, np.uint64))
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(52)


def hash_words(
    bytes_: NDArray[np.uint8], letter: NDArray[np.bool_], begins: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Where each word starts in the buffer, its bucket, and its length in bytes.  A word runs from where it `begins`
    while there is a `letter`."""
    start = np.flatnonzero(begins)
    if not len(start):
        return start, start, start
    at = np.flatnonzero(letter)
    code = bytes_[at]
    code = code + ((code >= 0x41) & (code <= 0x5A)) * np.uint8(0x20)
    first = np.flatnonzero(begins[at])
    length = np.append(first[1:], len(at)) - first
    place = np.arange(len(at)) - np.repeat(first, length)
    value = (code.astype(np.uint64) + np.uint64(1)) * _POWERS.take(place, mode="clip")
    return start, ((np.add.reduceat(value, first) * _MIX) >> _SHIFT).astype(np.intp), length
