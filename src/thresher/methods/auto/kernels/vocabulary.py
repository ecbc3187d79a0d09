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
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from math import log1p

    from thresher.methods.auto.kernels import columns as col

__all__ = ["write_vocabulary"]

_BUCKETS = cython.declare(cython.int, 1 << 12)


def write_vocabulary(
    block: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    title: cython.const[cython.Py_ssize_t][::1],
    run: cython.const[cython.Py_ssize_t][::1],
    rarity: cython.const[cython.double][::1],
    stamp: cython.int[:, ::1],
    blocks: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    reals: cython.double[:, ::1],
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> None:
    """Write the columns named in VOCABULARY: a_b (vocabulary) with the words of the title, and with those of the other
    blocks of the run, and their means over the blocks of containers, weighted by the logarithm of their words.

    block[k] begins with the word in bucket[k]; `title` are the buckets of its words; the run is from run[0] to run[1].
    rarity[n] is r_w of a word that stands in n blocks.  `stamp` is room for four columns with a row for each bucket,
    `reals` for three columns over the blocks, one longer.
    """
    b: cython.Py_ssize_t
    count: cython.Py_ssize_t = blocks.shape[1]
    if len(block) != len(bucket) or len(run) < 2 or len(rarity) <= count or stamp.shape[1] <= col.IN_TITLE:
        raise ValueError("columns and tables have not the lengths they need")
    if stamp.shape[0] < _BUCKETS or not count == own.shape[0] == x.shape[0] < reals.shape[1] or reals.shape[0] < 3:
        raise ValueError("columns and tables have not the lengths they need")
    if own.shape[1] != col.SUMS or blocks.shape[0] < col.BLOCK_ROWS or at < 0 or x.shape[1] < at + 5:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        _stamp_words(block, bucket, title, run[0], run[1], count, stamp)
        _write_shares(block, bucket, run[0], run[1], rarity, stamp, own, reals, logs, x, at)
        for b in range(count):
            x[b, at + 1] = _mean(reals, col.TITLE_BEFORE, blocks[col.BEGIN + 1, b], blocks[col.STOP + 1, b], count)
            x[b, at + 3] = _mean(reals, col.RUN_BEFORE, blocks[col.BEGIN + 1, b], blocks[col.STOP + 1, b], count)
            x[b, at + 4] = _mean(reals, col.RUN_BEFORE, blocks[col.BEGIN + 2, b], blocks[col.STOP + 2, b], count)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _stamp_words(
    block: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    title: cython.const[cython.Py_ssize_t][::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    stamp: cython.int[:, ::1],
) -> cython.void:
    """Count the blocks with each word that any has; of the other words nothing is known."""
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    w: cython.Py_ssize_t
    for k in range(len(bucket)):
        w = bucket[k] & (_BUCKETS - 1)
        stamp[w, col.LAST_BLOCK] = stamp[w, col.BLOCKS_WITH] = stamp[w, col.IN_RUN] = stamp[w, col.IN_TITLE] = 0
    for k in range(len(title)):
        stamp[title[k] & (_BUCKETS - 1), col.IN_TITLE] = 1
    for k in range(len(block)):
        b, w = block[k], bucket[k] & (_BUCKETS - 1)
        if 0 <= b < count and stamp[w, col.LAST_BLOCK] != b + 1 and stamp[w, col.BLOCKS_WITH] < count:
            stamp[w, col.LAST_BLOCK] = b + 1
            stamp[w, col.BLOCKS_WITH] += 1
            stamp[w, col.IN_RUN] += begin <= b < stop


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_shares(
    block: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    rarity: cython.const[cython.double][::1],
    stamp: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    reals: cython.double[:, ::1],
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """Write a_b with the words of the title and with those of the run, and the sums of both over the blocks before."""
    k: cython.Py_ssize_t = 0
    b: cython.Py_ssize_t
    w: cython.Py_ssize_t
    words: cython.Py_ssize_t
    weight: cython.double
    whole: cython.double
    in_title: cython.double
    in_run: cython.double
    reals[col.TITLE_BEFORE, 0] = reals[col.RUN_BEFORE, 0] = reals[col.WEIGHT_BEFORE, 0] = 0
    for b in range(x.shape[0]):
        whole = in_title = in_run = 0
        while k < len(block) and block[k] <= b:
            w = bucket[k] & (_BUCKETS - 1)
            weight = rarity[stamp[w, col.BLOCKS_WITH]]
            whole += weight
            if stamp[w, col.IN_TITLE]:
                in_title += weight
            if stamp[w, col.IN_RUN] > (begin <= b < stop):
                in_run += weight
            k += 1
        in_title /= max(whole, 1e-6)
        in_run /= max(whole, 1e-6)
        x[b, at] = in_title
        x[b, at + 2] = in_run
        words = cython.cast(cython.Py_ssize_t, own[b, col.WORDS])
        weight = logs[words] if 0 <= words < len(logs) else log1p(max(words, 0))
        reals[col.TITLE_BEFORE, b + 1] = reals[col.TITLE_BEFORE, b] + in_title * weight
        reals[col.RUN_BEFORE, b + 1] = reals[col.RUN_BEFORE, b] + in_run * weight
        reals[col.WEIGHT_BEFORE, b + 1] = reals[col.WEIGHT_BEFORE, b] + weight


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mean(
    reals: cython.const[cython.double][:, ::1],
    which: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.double:
    if not 0 <= begin <= stop <= count:
        return 0
    return (reals[which, stop] - reals[which, begin]) / max(
        reals[col.WEIGHT_BEFORE, stop] - reals[col.WEIGHT_BEFORE, begin], 1e-6
    )
