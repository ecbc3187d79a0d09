"""The loop of `duplicates`: fingerprints one after the other, each looked up among those that repeat none.

A fingerprint of 64 bits is four bands of 16.  Where two differ in at most 7 bits, one of their bands differs in at most
one: so those that are near to a fingerprint are under one of the 4 · 17 keys that a band and a changed bit make.  Of
unrelated fingerprints one in 963 is.  Those with the same key in a band are a chain, the newest first.

Compiled (see thresher.kernels), bounds are not checked: the arrays are as long as they are found to be at the start,
and a chain is followed downwards only.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["first_of_each"]

_BANDS = cython.declare(cython.Py_ssize_t, 4)
_BAND_BITS = cython.declare(cython.Py_ssize_t, 16)
_KEYS = cython.declare(cython.Py_ssize_t, 1 << 16)
_ONE_OF_TWO = cython.declare(cython.ulonglong, 0x5555555555555555)
_TWO_OF_FOUR = cython.declare(cython.ulonglong, 0x3333333333333333)
_FOUR_OF_EIGHT = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)


def first_of_each(
    fingerprints: cython.const[cython.ulonglong][::1],
    most_bits: cython.int,
    count: cython.Py_ssize_t,
    kept: cython.ulonglong[::1],
    newest: cython.int[:, ::1],
    before: cython.int[:, ::1],
    first: cython.longlong[::1],
) -> int:
    """Write for each fingerprint the first of the kept ones that it is near to; -1 if there is none, and keep it then.

    `count` are kept so far; the answer is how many are now.  `newest` has the head of each chain, `before` what
    follows, for every band.
    """
    at: cython.Py_ssize_t
    band: cython.Py_ssize_t
    key: cython.Py_ssize_t
    total: cython.Py_ssize_t = count
    fingerprint: cython.ulonglong
    if not len(first) == len(fingerprints) or total < 0 or most_bits >= 2 * _BANDS:
        raise ValueError("columns have not the lengths they need")
    if newest.shape[0] != _BANDS or newest.shape[1] != _KEYS or before.shape[1] != _BANDS:
        raise ValueError("columns have not the lengths they need")
    if len(kept) != before.shape[0] or len(kept) - total < len(fingerprints):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for at in range(len(fingerprints)):
            fingerprint = fingerprints[at]
            first[at] = _first_near(fingerprint, most_bits, total, kept, newest, before)
            if first[at] >= 0:
                continue
            kept[total] = fingerprint
            for band in range(_BANDS):
                key = (fingerprint >> (band * _BAND_BITS)) & (_KEYS - 1)
                before[total, band] = newest[band, key]
                newest[band, key] = total
            total += 1
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _first_near(
    fingerprint: cython.ulonglong,
    most_bits: cython.int,
    count: cython.Py_ssize_t,
    kept: cython.const[cython.ulonglong][::1],
    newest: cython.const[cython.int][:, ::1],
    before: cython.const[cython.int][:, ::1],
) -> cython.Py_ssize_t:
    """The first of the kept fingerprints that this one is near to; -1 if there is none."""
    band: cython.Py_ssize_t
    changed: cython.Py_ssize_t
    key: cython.Py_ssize_t
    one: cython.Py_ssize_t
    following: cython.Py_ssize_t
    nearest: cython.Py_ssize_t = count
    for band in range(_BANDS):
        key = (fingerprint >> (band * _BAND_BITS)) & (_KEYS - 1)
        for changed in range(_BAND_BITS + 1):  # a bit of the key, at last none
            one = newest[band, key ^ ((1 << changed) & (_KEYS - 1))]
            while 0 <= one < count:
                if one < nearest and _bits(kept[one] ^ fingerprint) <= most_bits:
                    nearest = one
                following = before[one, band]
                one = following if following < one else -1
    return nearest if nearest < count else -1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _bits(value: cython.ulonglong) -> cython.int:
    """How many bits are set: sums of pairs of bits, then of fours, of eights, of all."""
    value = value - ((value >> 1) & _ONE_OF_TWO)
    value = (value & _TWO_OF_FOUR) + ((value >> 2) & _TWO_OF_FOUR)
    value = (value + (value >> 4)) & _FOUR_OF_EIGHT
    value += value >> 8
    value += value >> 16
    value += value >> 32
    return value & 0x7F
