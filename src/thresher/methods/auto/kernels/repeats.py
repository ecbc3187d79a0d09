"""The loop of `features` about blocks that are like others: built alike, or of as many words.

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
    from cython.cimports.libc.math import log1p
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from math import log1p

    from thresher.methods.auto.kernels import columns as col

__all__ = ["write_repeats"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)


def write_repeats(
    blocks: cython.const[cython.int][:, ::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    own: cython.const[cython.float][:, ::1],
    is_foreign: cython.bint,
    secret: cython.ulonglong,
    slots: cython.int[::1],
    reals: cython.double[:, ::1],
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> None:
    """Write the columns named in REPEATS: how many blocks are built alike, how much text they hold, and how many have
    the same words, or as many of them.

    In a foreign script the characters do not tell the length of a block, its bytes do.  `slots` is room for a hash
    table, its length a power of two above the number of blocks; `reals` for seven columns over the blocks.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    group: cython.Py_ssize_t
    count: cython.Py_ssize_t = blocks.shape[1]
    mask: cython.Py_ssize_t = 1
    total: cython.double = 0
    if not count == own.shape[0] == x.shape[0] <= reals.shape[1] or reals.shape[0] < 7 or len(start) != len(stop):
        raise ValueError("columns have not the lengths they need")
    if blocks.shape[0] < col.BLOCK_ROWS or own.shape[1] != col.SUMS or at < 0 or x.shape[1] < at + 5:
        raise ValueError("columns have not the lengths they need")
    if count > len(slots) - 1 or (len(slots) - 1) & len(slots):
        raise ValueError("the length of the hash table is no power of two above that of the blocks")
    with cython.nogil:
        while mask < 2 * count and mask < len(slots) - 1:
            mask = 2 * mask + 1
        for slot in range(mask + 1):
            slots[slot] = -1
        for k in range(5):
            for b in range(count):
                reals[k, b] = 0
        for b in range(count):
            total += own[b, col.CHARS]
            for k in range(2):
                group = blocks[col.ALIKE + k, b]
                if 0 <= group < count:
                    reals[2 * k, group] += 1
                    reals[2 * k + 1, group] += own[b, col.CHARS]
            reals[5, b] = _shape(blocks, start, stop, own, is_foreign, b, x, at + 4)
            slot = (
                cython.cast(
                    cython.Py_ssize_t, ((cython.cast(cython.ulonglong, reals[5, b]) * secret) & _ALL_BITS) >> 33
                )
                & mask
            )
            while slots[slot] >= 0 and reals[5, slots[slot]] != reals[5, b]:
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = b
            reals[6, b] = slots[slot]
            reals[4, slots[slot]] += 1
        total = max(total, 1.0)
        for b in range(count):
            for k in range(2):
                group = blocks[col.ALIKE + k, b]
                x[b, at + 2 * k] = x[b, at + 2 * k + 1] = 0
                if 0 <= group < count:
                    x[b, at + 2 * k] = _log(logs, cython.cast(cython.Py_ssize_t, reals[2 * k, group]))
                    x[b, at + 2 * k + 1] = reals[2 * k + 1, group] / total
            group = cython.cast(cython.Py_ssize_t, reals[6, b])
            x[b, at + 4] = _log(logs, cython.cast(cython.Py_ssize_t, reals[4, group]))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _log(logs: cython.const[cython.double][::1], n: cython.Py_ssize_t) -> cython.double:
    return logs[n] if 0 <= n < len(logs) else log1p(max(n, 0))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _shape(
    blocks: cython.const[cython.int][:, ::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    own: cython.const[cython.float][:, ::1],
    is_foreign: cython.bint,
    b: cython.Py_ssize_t,
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.double:
    """A number for length, marks, capitals and words of a block.

    The network was trained with numbers of single precision, which of long blocks are the same more often than their
    words: each step is rounded as it was there, in the place x[b, at].
    """
    length: cython.double = 0
    if is_foreign:
        if 0 <= blocks[col.FIRST, b] <= blocks[col.LAST, b] < len(start):
            length = cython.cast(cython.double, stop[blocks[col.LAST, b]]) - start[blocks[col.FIRST, b]]
        length = max(length, 0.0)
        return ((length * 1009.0 + own[b, col.PUNCTUATION]) * 1009.0 + own[b, col.CAPITALS]) * 1009.0 + own[
            b, col.WORDS
        ]
    x[b, at] = own[b, col.CHARS] * 1009.0
    x[b, at] = cython.cast(cython.double, x[b, at]) + own[b, col.PUNCTUATION]
    x[b, at] = x[b, at] * 1009.0
    x[b, at] = cython.cast(cython.double, x[b, at]) + own[b, col.CAPITALS]
    x[b, at] = x[b, at] * 1009.0
    x[b, at] = cython.cast(cython.double, x[b, at]) + own[b, col.WORDS]
    return x[b, at]
