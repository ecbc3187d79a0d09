"""Words to bucket numbers, all words of a buffer at once.

    h(word) = ((Σ_k code_k · P^k  mod 2⁶⁴) · Q  mod 2⁶⁴) >> 52          code_k: the k-th byte in lower case, plus one

P is odd, so it has an inverse mod 2⁶⁴: for a word that starts at byte s the sum is P^-s · Σ_i code_i · P^(i+1) over its
bytes i, and the powers need not start anew with each word.  From its 64th byte on, all bytes of a word count with P^64.

Two words share one of the 4,096 buckets with a chance of 1 in 4,096; training learns to live with it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["BUCKETS", "codes", "hash_words"]

BUCKETS = 1 << 12

_LONGEST = 64  # bytes of a word that have powers of their own
_USUAL = 1 << 14  # bytes of a buffer whose powers are at hand
_BASE = 0x100000001B3
_INVERSE = pow(_BASE, -1, 1 << 64)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(52)


def codes(is_letter: Callable[[int], bool]) -> bytes:
    """A table for `bytes.translate`: the code of every byte that is a letter, 0 for the others."""
    lower = [byte + 0x20 if 0x41 <= byte <= 0x5A else byte for byte in range(256)]
    # 255 stands in no UTF-8, so that one more than a letter is a byte again
    return bytes((lower[byte] + 1) % 256 if is_letter(byte) else 0 for byte in range(256))


def hash_words(code: NDArray[np.uint8], begins: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each word starts in a buffer, and its bucket.  A word runs from where it `begins` to the next; the codes of
    what is no letter are 0 and add nothing.  The buffer may be a matrix whose rows all begin anew."""
    start = begins.ravel().nonzero()[0]
    if not len(start):
        return start, start
    width = code.shape[-1]
    power, inverse = _powers(width)
    if width > _LONGEST:
        power = _limited(power, start)
    value = np.add.reduceat((code * power).ravel(), start)
    place = start if code.ndim == 1 else start - start // width * width  # the remainder, at a tenth of its price
    value *= inverse.take(place)
    value *= _MIX
    value >>= _SHIFT
    return start, value.view(np.intp)


def _limited(power: NDArray[np.uint64], start: NDArray[np.intp]) -> NDArray[np.uint64]:
    """The powers for one row with words that start there; those of a word's further bytes stay at that of its 64th."""
    stop = np.concatenate((start[1:], [len(power)]))
    long = (stop - start > _LONGEST).nonzero()[0]
    if len(long):
        power = power.copy()
        for first, last in zip((start[long] + _LONGEST).tolist(), stop[long].tolist(), strict=True):
            power[first:last] = power[first - 1]
    return power


def _powers(number: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """P^1, P^2, … and P^0, P^-1, …, so many of each."""
    if number <= _USUAL:
        return _POWER[:number], _INVERSE_POWER[:number]
    return _progression(_BASE, _BASE, number), _progression(1, _INVERSE, number)


def _progression(first: int, ratio: int, number: int) -> NDArray[np.uint64]:
    """first · ratio^k mod 2⁶⁴ for k = 0, 1, …"""
    factors = np.full(number, ratio, np.uint64)
    factors[:1] = first
    return np.cumprod(factors)


_POWER, _INVERSE_POWER = _progression(_BASE, _BASE, _USUAL), _progression(1, _INVERSE, _USUAL)
