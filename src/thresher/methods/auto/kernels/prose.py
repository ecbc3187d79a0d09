"""The loops of `prose`: the longest run of prose, the container with most of it, and where blocks stand to both.

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

__all__ = ["write_prose"]

_WIDTH = cython.declare(cython.int, 17)  # columns of features
_MIN_WORDS = cython.declare(cython.double, 4)  # of a block of prose; its link density is below 7/20
_GAP_COST = cython.declare(cython.double, 4)  # words
_MAX_COST = cython.declare(cython.double, 25)
# Words of a block in the score of its containers: one long block is no text of many paragraphs
_MAX_SCORED = cython.declare(cython.double, 80)


def write_prose(
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    reals: cython.double[:, ::1],
    logs: cython.const[cython.double][::1],
    run: cython.Py_ssize_t[::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> None:
    """Write the columns named in PROSE, and where the longest run of prose begins and stops.

    `reals` is room for seven columns over the blocks or the elements, one longer.
    """
    count: cython.Py_ssize_t = blocks.shape[1]
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    top: cython.Py_ssize_t
    if not count == own.shape[0] == x.shape[0] < reals.shape[1] or blocks.shape[0] < col.BLOCK_ROWS or len(run) < 2:
        raise ValueError("columns have not the lengths they need")
    if (
        not 0 < rows < reals.shape[1]
        or reals.shape[0] <= col.SCORE + col.SCORED_LEVELS
        or elements.shape[1] != col.ELEMENT_COLUMNS
    ):
        raise ValueError("columns have not the lengths they need")
    if own.shape[1] != col.SUMS or sums.shape[1] != col.SUMS or sums.shape[0] < 1 or at < 0 or x.shape[1] < at + _WIDTH:
        raise ValueError("columns have not the lengths they need")
    run[0] = run[1] = 0
    if count == 0:
        return
    with cython.nogil:
        _find_run(own, reals, run, x, at)
        _write_run(reals, run[0], run[1], logs, x, at)
        top = _score_containers(blocks, sums, elements, reals)
        _write_container(blocks, elements, reals, logs, top, x, at)
        _write_between(blocks, elements, run[0], run[1], logs, x, at)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _log(logs: cython.const[cython.double][::1], n: cython.Py_ssize_t) -> cython.double:
    return logs[n] if 0 <= n < len(logs) else log1p(max(n, 0))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_run(
    own: cython.const[cython.float][:, ::1],
    reals: cython.double[:, ::1],
    run: cython.Py_ssize_t[::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """Write the unlinked words of each block of prose, what stands before each block, and the longest run.

    The run is the maximum subarray: with S_k = v_0 + … + v_{k-1} it ends where S_k - min_{j ≤ k} S_j is highest.
    """
    b: cython.Py_ssize_t
    lowest_at: cython.Py_ssize_t = 0
    words: cython.double
    chars: cython.double
    total: cython.double = 0
    lowest: cython.double = 0
    best: cython.double = 0
    reals[col.WORDS_BEFORE, 0] = reals[col.PROSE_BEFORE, 0] = 0
    for b in range(own.shape[0]):
        words = own[b, col.WORDS]
        chars = max(own[b, col.CHARS], 1.0)
        reals[col.PROSE, b] = 0
        if own[b, col.ENDS] > 0 and 20 * own[b, col.LINKED] < 7 * chars and words >= _MIN_WORDS:
            # In single precision at each step, as the network was trained; there is a place for it
            x[b, at] = own[b, col.LINKED] / chars
            x[b, at] = 1.0 - x[b, at]
            x[b, at] = words * x[b, at]
            reals[col.PROSE, b] = x[b, at]
            total += reals[col.PROSE, b]
        else:
            total -= min(_GAP_COST + words, _MAX_COST)
        reals[col.WORDS_BEFORE, b + 1] = reals[col.WORDS_BEFORE, b] + words
        reals[col.PROSE_BEFORE, b + 1] = reals[col.PROSE_BEFORE, b] + reals[col.PROSE, b]
        if total <= lowest:
            lowest = total
            lowest_at = b + 1
        if total - lowest > best:
            best = total - lowest
            run[0] = lowest_at
            run[1] = b + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_run(
    reals: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """in_run before_run after_run blocks_after_run run_share run_words"""
    b: cython.Py_ssize_t
    first: cython.double = reals[col.WORDS_BEFORE, begin]
    last: cython.double = reals[col.WORDS_BEFORE, stop]
    prose: cython.double = reals[col.PROSE_BEFORE, stop] - reals[col.PROSE_BEFORE, begin]
    share: cython.double = prose / max(reals[col.PROSE_BEFORE, x.shape[0]], 1.0)
    words: cython.double = log1p(max(last - first, 0.0))
    for b in range(x.shape[0]):
        x[b, at] = begin <= b < stop
        x[b, at + 1] = _log(logs, cython.cast(cython.Py_ssize_t, first - reals[col.WORDS_BEFORE, b]))
        x[b, at + 2] = _log(logs, cython.cast(cython.Py_ssize_t, reals[col.WORDS_BEFORE, b] - last))
        x[b, at + 3] = _log(logs, b - stop + 1)
        x[b, at + 4] = share
        x[b, at + 5] = words


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _score_containers(
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    reals: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    """Write the score of each element (`prose`); the first with the highest."""
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    top: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    texts: cython.Py_ssize_t = sums.shape[0] - 1
    f: cython.Py_ssize_t
    t: cython.Py_ssize_t
    share: cython.double = 1
    linked: cython.double
    for k in range(1, col.SCORED_LEVELS + 1):
        for row in range(rows):
            reals[col.SCORE + k, row] = 0
        for b in range(blocks.shape[1]):
            row = blocks[col.LEVEL + k, b]
            if 0 <= row < rows:
                reals[col.SCORE + k, row] += min(reals[col.PROSE, b], _MAX_SCORED) * share
        share /= 2
    for row in range(rows):
        reals[col.SCORE, row] = reals[col.SCORE + 1, row] + reals[col.SCORE + 2, row] + reals[col.SCORE + 3, row]
        if reals[col.SCORE, row] > 0:
            f = min(max(elements[row, col.FIRST_TEXT], 0), texts)
            t = min(max(elements[row, col.LAST_TEXT], 0), texts)
            linked = sums[t, col.LINKED] - sums[f, col.LINKED]
            reals[col.SCORE, row] *= 1 - linked / max(sums[t, col.CHARS] - sums[f, col.CHARS], 1)
        if reals[col.SCORE, row] > reals[col.SCORE, top]:
            top = row
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_container(
    blocks: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    reals: cython.const[cython.double][:, ::1],
    logs: cython.const[cython.double][::1],
    top: cython.Py_ssize_t,
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """in_container before_container after_container container_level container_score prose_before prose_after"""
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    count: cython.Py_ssize_t = blocks.shape[1]
    begin: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t
    below: cython.Py_ssize_t
    inside: cython.bint
    highest: cython.double = max(reals[col.SCORE, top], 1e-9)
    while begin < count and blocks[col.FIRST, begin] < elements[top, col.FIRST_TEXT]:
        begin += 1
    stop = begin
    while stop < count and blocks[col.FIRST, stop] < elements[top, col.LAST_TEXT]:
        stop += 1
    for b in range(count):
        inside = begin <= b < stop
        below = 0
        for k in range(col.LEVELS):
            row = blocks[col.LEVEL + k, b]
            if not (0 <= row <= top and elements[row, col.END] >= elements[top, col.END]):
                below += 1
        row = blocks[col.LEVEL + 1, b]
        x[b, at + 6] = inside
        x[b, at + 7] = _log(logs, begin - b)
        x[b, at + 8] = _log(logs, b - stop + 1)
        x[b, at + 9] = below / 3.0
        x[b, at + 10] = reals[col.SCORE, row] / highest if 0 <= row < rows else 0
        x[b, at + 11] = x[b, at + 12] = 0
        if inside:
            x[b, at + 11] = log1p(max(reals[col.PROSE_BEFORE, b] - reals[col.PROSE_BEFORE, begin], 0.0))
            x[b, at + 12] = log1p(max(reals[col.PROSE_BEFORE, stop] - reals[col.PROSE_BEFORE, b + 1], 0.0))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_between(
    blocks: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """headings_after articles_after same_article articles_above: what stands between the run and the blocks behind it,
    and whether they share an article."""
    b: cython.Py_ssize_t
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t = blocks.shape[1]
    last: cython.Py_ssize_t = _element(blocks, elements, stop - 1) + 1 if stop > 0 else 1
    headings: cython.Py_ssize_t = elements[last, col.MAIN_HEADINGS]
    articles: cython.Py_ssize_t = elements[last, col.ARTICLES]
    middle: cython.int = elements[
        _element(blocks, elements, min((begin + max(stop - 1, begin)) // 2, count - 1)), col.ARTICLE
    ]
    for b in range(count):
        row = _element(blocks, elements, b)
        x[b, at + 13] = x[b, at + 14] = x[b, at + 15] = 0
        if b >= stop:
            x[b, at + 13] = _log(logs, elements[row + 1, col.MAIN_HEADINGS] - headings)
            x[b, at + 14] = _log(logs, elements[row + 1, col.ARTICLES] - articles)
        if middle:
            x[b, at + 15] = 1 if elements[row, col.ARTICLE] == middle else -1
        x[b, at + 16] = min(elements[row, col.ARTICLES_AROUND], 3)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _element(
    blocks: cython.const[cython.int][:, ::1], elements: cython.const[cython.int][:, ::1], b: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The element of a block; the root if it says none."""
    return blocks[col.AT, b] if 0 <= blocks[col.AT, b] < elements.shape[0] - 1 else 0
