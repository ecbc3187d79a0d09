"""Groups of blocks: equal keys have equal numbers.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["number_keys"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)


def number_keys(
    keys: cython.const[cython.ulonglong][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    number: cython.Py_ssize_t[::1],
) -> None:
    """Number the distinct keys in the order of their first occurrence.

    `slots` is a hash table, all -1, its length a power of two above that of the keys.  `secret` is an odd number that
    pages do not know, so that none is made to fill one slot.
    """
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    mask: cython.Py_ssize_t = len(slots) - 1
    count: cython.Py_ssize_t = 0
    if not len(keys) == len(number) <= mask or mask & len(slots):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(keys)):
            slot = cython.cast(cython.Py_ssize_t, ((keys[k] * secret) & _ALL_BITS) >> 33) & mask
            while slots[slot] >= 0 and keys[slots[slot]] != keys[k]:
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = k
                number[k] = count
                count += 1
            else:
                number[k] = number[slots[slot]]
