"""The loops of `described`: how blocks begin, in a text and as another begins.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

if cython.compiled:
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from thresher.methods.auto.kernels import columns as col

__all__ = ["begin_as", "begin_in"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BASE = cython.declare(cython.ulonglong, 0x100000001B3)
_COMPARED = cython.declare(cython.Py_ssize_t, 64)  # bytes of a block
_SHORTEST = cython.declare(cython.Py_ssize_t, 12)  # bytes without marks of what is looked for


def begin_as(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    least: cython.int,
    letters: cython.const[cython.uchar][::1],
    description: cython.const[cython.uchar][::1],
    x: cython.float[:, ::1],
    column: cython.Py_ssize_t,
) -> None:
    """Write 1 for the blocks of at least so many words that begin as a description does, marks left out, else 0.
    `letters` has for each byte its small letter, 0 for a mark."""
    b: cython.Py_ssize_t
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    end: cython.Py_ssize_t
    k: cython.Py_ssize_t
    letter: cython.uchar
    if blocks.shape[0] < col.BLOCK_ROWS or not blocks.shape[1] == own.shape[0] == x.shape[0] or len(start) != len(stop):
        raise ValueError("columns have not the lengths they need")
    if own.shape[1] != col.SUMS or len(letters) < 256 or not 0 <= column < x.shape[1]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(x.shape[0]):
            x[b, column] = 0
            first, last = blocks[col.FIRST, b], blocks[col.LAST, b]
            if own[b, col.WORDS] < least or not 0 <= first <= last < len(start) or start[first] < 0:
                continue
            at = start[first]
            end = min(min(stop[last], at + _COMPARED), len(utf8))
            k = 0
            while at < end and k < len(description):
                letter = letters[utf8[at]]
                at += 1
                if letter != 0:
                    if letter != description[k]:
                        break
                    k += 1
            x[b, column] = k == len(description)


def begin_in(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    letters: cython.const[cython.uchar][::1],
    body: cython.const[cython.uchar][::1],
    slots: cython.int[::1],
    next_: cython.int[::1],
    key: cython.ulonglong[::1],
    begins: cython.uchar[:, ::1],
    inside: cython.uchar[::1],
) -> int:
    """Write which blocks begin with something of at least twelve bytes that stands in the body; how many do.

    The first twelve bytes of each block are hashed, and then those from each place of the body on.  `slots` is room for
    a hash table, its length a power of two; `begins` for 65 bytes of each block, `next_` and `key` for a number.
    """
    b: cython.Py_ssize_t
    at: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    before: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t
    mask: cython.Py_ssize_t = len(slots) - 1
    value: cython.ulonglong = 0
    highest: cython.ulonglong = 1
    blocks: cython.Py_ssize_t = len(first)
    if not blocks == len(last) == len(next_) == len(key) == begins.shape[0] == len(inside) or len(start) != len(stop):
        raise ValueError("columns have not the lengths they need")
    if begins.shape[1] <= _COMPARED or mask & len(slots) or mask < 1 or len(letters) < 256:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for slot in range(len(slots)):
            slots[slot] = -1
        for b in range(blocks):
            inside[b] = 0
            size = 0
            if 0 <= first[b] <= last[b] < len(start) and start[first[b]] >= 0:
                size = _squeeze(utf8, start[first[b]], min(stop[last[b]], len(utf8)), letters, begins, b)
            begins[b, _COMPARED] = size
            if size >= _SHORTEST:
                key[b] = 0
                for at in range(_SHORTEST):
                    key[b] = (key[b] * _BASE + begins[b, at]) & _ALL_BITS
                slot = _slot(key[b], mask)
                next_[b] = slots[slot]
                slots[slot] = b
        for _ in range(_SHORTEST - 1):
            highest = (highest * _BASE) & _ALL_BITS
        for at in range(len(body)):
            if at >= _SHORTEST:
                value = (value - body[at - _SHORTEST] * highest) & _ALL_BITS
            value = (value * _BASE + body[at]) & _ALL_BITS
            if at < _SHORTEST - 1:
                continue
            slot = _slot(value, mask)
            before = -1
            b = slots[slot]
            while b >= 0:
                if key[b] == value and _stands_at(body, at + 1 - _SHORTEST, begins, b):
                    inside[b] = 1  # and is looked for no more
                    count += 1
                    if before < 0:
                        slots[slot] = next_[b]
                    else:
                        next_[before] = next_[b]
                else:
                    before = b
                b = next_[b]
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _slot(value: cython.ulonglong, mask: cython.Py_ssize_t) -> cython.Py_ssize_t:
    return cython.cast(cython.Py_ssize_t, ((value * _BASE) & _ALL_BITS) >> 33) & mask


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _squeeze(
    utf8: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    letters: cython.const[cython.uchar][::1],
    begins: cython.uchar[:, ::1],
    b: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write how a block begins, without marks; how many bytes that are."""
    size: cython.Py_ssize_t = 0
    stop = min(stop, at + _COMPARED)
    while at < stop:
        if letters[utf8[at]] != 0:
            begins[b, size] = letters[utf8[at]]
            size += 1
        at += 1
    return size


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _stands_at(
    body: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, begins: cython.uchar[:, ::1], b: cython.Py_ssize_t
) -> cython.bint:
    k: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = begins[b, _COMPARED]
    if at + size > len(body):
        return False
    while k < size and begins[b, k] == body[at + k]:
        k += 1
    return k == size
