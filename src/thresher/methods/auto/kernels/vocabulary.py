"""The loops of `vocabulary`: the words that blocks share with the title and with the prose.

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
else:
    from math import log1p

__all__ = ["overlap", "write_vocabulary"]

_BUCKETS = cython.declare(cython.int, 1 << 12)


def overlap(
    block: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    in_title: cython.const[cython.uchar][::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    rarity: cython.const[cython.double][::1],
    stamp: cython.int[:, ::1],
    share: cython.double[:, ::1],
) -> None:
    """Write into share[0, b] and share[1, b] a_b (vocabulary) with the words of the title, and with those of the other
    blocks of begin:stop.

    rarity[n] is r_w of a word that stands in n blocks.  `stamp` is room for three rows with a column for each bucket:
    the last block with it and one, the number of blocks with it, and of those in begin:stop.
    """
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    w: cython.Py_ssize_t
    weight: cython.double
    whole: cython.double
    blocks: cython.Py_ssize_t = share.shape[1]
    if len(block) != len(bucket) or len(in_title) < _BUCKETS or len(rarity) <= blocks or share.shape[0] < 2:
        raise ValueError("columns and tables have not the lengths they need")
    if stamp.shape[0] < 3 or stamp.shape[1] < _BUCKETS:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for w in range(_BUCKETS):
            stamp[0, w] = stamp[1, w] = stamp[2, w] = 0
        for k in range(len(block)):
            b, w = block[k], bucket[k] & (_BUCKETS - 1)
            if 0 <= b < blocks and stamp[0, w] != b + 1 and stamp[1, w] < blocks:
                stamp[0, w] = b + 1
                stamp[1, w] += 1
                stamp[2, w] += begin <= b < stop
        k = 0
        for b in range(blocks):
            whole = share[0, b] = share[1, b] = 0
            while k < len(block) and block[k] <= b:
                w = bucket[k] & (_BUCKETS - 1)
                weight = rarity[stamp[1, w]]
                whole += weight
                if in_title[w]:
                    share[0, b] += weight
                if stamp[2, w] > (begin <= b < stop):
                    share[1, b] += weight
                k += 1
            share[0, b] /= max(whole, 1e-6)
            share[1, b] /= max(whole, 1e-6)


def write_vocabulary(
    share: cython.const[cython.double][:, ::1],
    words: cython.const[cython.float][::1],
    begin: cython.const[cython.Py_ssize_t][:, ::1],
    stop: cython.const[cython.Py_ssize_t][:, ::1],
    running: cython.double[:, ::1],
    out: cython.float[:, :],
) -> None:
    """Write the columns named in VOCABULARY: the shares of `overlap`, and their means over the blocks of containers,
    weighted by the logarithm of their words.  `running` is room for three sums over the blocks before each."""
    b: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = len(words)
    weight: cython.double
    if not blocks == share.shape[1] == begin.shape[1] == stop.shape[1] == out.shape[0] == running.shape[1] - 1:
        raise ValueError("columns have not the lengths they need")
    if share.shape[0] < 2 or begin.shape[0] < 3 or stop.shape[0] < 3 or running.shape[0] < 3 or out.shape[1] < 5:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        running[0, 0] = running[1, 0] = running[2, 0] = 0
        for b in range(blocks):
            weight = log1p(max(words[b], 0.0))
            running[0, b + 1] = running[0, b] + share[0, b] * weight
            running[1, b + 1] = running[1, b] + share[1, b] * weight
            running[2, b + 1] = running[2, b] + weight
        for b in range(blocks):
            out[b, 0] = share[0, b]
            out[b, 1] = _mean(running, 0, begin[1, b], stop[1, b])
            out[b, 2] = share[1, b]
            out[b, 3] = _mean(running, 1, begin[1, b], stop[1, b])
            out[b, 4] = _mean(running, 1, begin[2, b], stop[2, b])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mean(
    running: cython.const[cython.double][:, ::1],
    which: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
) -> cython.double:
    if not 0 <= begin <= stop < running.shape[1]:
        return 0
    return (running[which, stop] - running[which, begin]) / max(running[2, stop] - running[2, begin], 1e-6)
