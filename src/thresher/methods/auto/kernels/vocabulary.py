"""The loop of `vocabulary`: the words that blocks share with the title and with the prose.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["overlap"]

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

    rarity[n] is r_w of a word that stands in n blocks.  `stamp` has three rows of zeros, a column for each bucket: the
    last block with it and one, the number of blocks with it, and of those in begin:stop.
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
