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
else:
    from math import log1p

__all__ = ["find_run", "write_prose"]

_WORDS = cython.declare(cython.int, 0)  # rows of the sums, as `counts` has them
_CHARS = cython.declare(cython.int, 1)
_ENDS = cython.declare(cython.int, 5)
_LINKED = cython.declare(cython.int, 6)
_SUMS = cython.declare(cython.int, 8)
_MAIN_HEADINGS = cython.declare(cython.int, 3)  # rows of the marks
_ARTICLES = cython.declare(cython.int, 4)
_MIN_WORDS = cython.declare(cython.double, 4)  # of a block of prose; its link density is below 7/20
_GAP_COST = cython.declare(cython.double, 4)  # words
_MAX_COST = cython.declare(cython.double, 25)
# Words of a block in the score of its containers: one long block is no text of many paragraphs
_MAX_SCORED = cython.declare(cython.double, 80)
_LEVELS = cython.declare(cython.int, 3)  # of containers that have a score: each counts half of the one below


def find_run(own: cython.const[cython.float][:, ::1], prose: cython.float[::1], bounds: cython.Py_ssize_t[::1]) -> None:
    """Write the unlinked words of each block of prose, 0 for the others, and where the longest run begins and stops.

    The run is the maximum subarray: with S_k = v_0 + … + v_{k-1} it ends where S_k - min_{j ≤ k} S_j is highest.
    """
    b: cython.Py_ssize_t
    lowest_at: cython.Py_ssize_t = 0
    words: cython.double
    chars: cython.double
    total: cython.double = 0
    lowest: cython.double = 0
    best: cython.double = 0
    if own.shape[0] < _SUMS or len(prose) != own.shape[1] or len(bounds) < 2:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        bounds[0] = bounds[1] = 0
        for b in range(len(prose)):
            words = own[_WORDS, b]
            chars = max(own[_CHARS, b], 1.0)
            if own[_ENDS, b] > 0 and 20 * own[_LINKED, b] < 7 * chars and words >= _MIN_WORDS:
                # In single precision at each step, as the network was trained
                prose[b] = own[_LINKED, b] / chars
                prose[b] = 1.0 - prose[b]
                prose[b] = words * prose[b]
                total += prose[b]
            else:
                prose[b] = 0
                total -= min(_GAP_COST + words, _MAX_COST)
            if total <= lowest:
                lowest = total
                lowest_at = b + 1
            if total - lowest > best:
                best = total - lowest
                bounds[0] = lowest_at
                bounds[1] = b + 1


def write_prose(
    own: cython.const[cython.float][:, ::1],
    prose: cython.const[cython.float][::1],
    run_begin: cython.Py_ssize_t,
    run_stop: cython.Py_ssize_t,
    level: cython.const[cython.Py_ssize_t][:, ::1],
    at: cython.const[cython.Py_ssize_t][::1],
    block_first: cython.const[cython.Py_ssize_t][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    sums: cython.const[cython.int][:, ::1],
    marks: cython.const[cython.int][:, ::1],
    article: cython.const[cython.int][:, ::1],
    running: cython.double[:, ::1],
    score: cython.double[:, ::1],
    out: cython.float[:, :],
) -> None:
    """Write the columns named in PROSE; there is at least one block.

    `running` is room for the sums of words and prose over the blocks before each, `score` for those of elements, one
    row for each level and one for all.
    """
    b: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = len(prose)
    rows: cython.Py_ssize_t = len(end)
    top: cython.Py_ssize_t
    if own.shape[0] < _SUMS or not 0 < blocks == own.shape[1] == level.shape[1] == len(at) == len(block_first):
        raise ValueError("columns have not the lengths they need")
    if out.shape[0] != blocks or out.shape[1] < 17 or level.shape[0] <= _LEVELS or sums.shape[0] < _SUMS:
        raise ValueError("columns have not the lengths they need")
    if not 0 < rows == len(first) == len(last) == score.shape[1] == article.shape[1] == marks.shape[1] - 1:
        raise ValueError("columns have not the lengths they need")
    if running.shape[0] < 2 or running.shape[1] != blocks + 1 or score.shape[0] <= _LEVELS or sums.shape[1] < 1:
        raise ValueError("columns have not the lengths they need")
    if not 0 <= run_begin <= run_stop <= blocks or article.shape[0] < 2 or marks.shape[0] <= _ARTICLES:
        raise ValueError("columns have not the lengths they need")
    for b in range(blocks):
        if not 0 <= at[b] < rows:
            raise ValueError("a block stands in no element")
    with cython.nogil:
        _add_up(own, prose, running)
        _write_run(running, run_begin, run_stop, out)
        top = _score_containers(prose, level, first, last, sums, score)
        _write_container(level, block_first, first, last, end, running, score, top, out)
        _write_between(run_begin, run_stop, at, marks, article, out)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_up(
    own: cython.const[cython.float][:, ::1], prose: cython.const[cython.float][::1], running: cython.double[:, ::1]
) -> cython.void:
    b: cython.Py_ssize_t
    running[0, 0] = running[1, 0] = 0
    for b in range(len(prose)):
        running[0, b + 1] = running[0, b] + own[_WORDS, b]
        running[1, b + 1] = running[1, b] + prose[b]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_run(
    running: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    out: cython.float[:, :],
) -> cython.void:
    """in_run before_run after_run blocks_after_run run_share run_words"""
    b: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = running.shape[1] - 1
    share: cython.double = (running[1, stop] - running[1, begin]) / max(running[1, blocks], 1.0)
    words: cython.double = log1p(max(running[0, stop] - running[0, begin], 0.0))
    for b in range(blocks):
        out[b, 0] = begin <= b < stop
        out[b, 1] = log1p(max(running[0, begin] - running[0, b], 0.0))
        out[b, 2] = log1p(max(running[0, b] - running[0, stop], 0.0))
        out[b, 3] = log1p(max(b - stop + 1, 0))
        out[b, 4] = share
        out[b, 5] = words


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _score_containers(
    prose: cython.const[cython.float][::1],
    level: cython.const[cython.Py_ssize_t][:, ::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    sums: cython.const[cython.int][:, ::1],
    score: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    """Write the score of each element (`prose`); the first with the highest."""
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    top: cython.Py_ssize_t = 0
    texts: cython.Py_ssize_t = sums.shape[1] - 1
    f: cython.Py_ssize_t
    t: cython.Py_ssize_t
    share: cython.double = 1
    linked: cython.double
    for k in range(_LEVELS):
        for row in range(score.shape[1]):
            score[k + 1, row] = 0
        for b in range(len(prose)):
            row = level[k + 1, b]
            if 0 <= row < score.shape[1]:
                score[k + 1, row] += min(prose[b], _MAX_SCORED) * share
        share /= 2
    for row in range(score.shape[1]):
        score[0, row] = score[1, row] + score[2, row] + score[3, row]
        if score[0, row] > 0:
            f = min(max(first[row], 0), texts)
            t = min(max(last[row], 0), texts)
            linked = sums[_LINKED, t] - sums[_LINKED, f]
            score[0, row] *= 1 - linked / max(sums[_CHARS, t] - sums[_CHARS, f], 1)
        if score[0, row] > score[0, top]:
            top = row
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_container(
    level: cython.const[cython.Py_ssize_t][:, ::1],
    block_first: cython.const[cython.Py_ssize_t][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    running: cython.const[cython.double][:, ::1],
    score: cython.const[cython.double][:, ::1],
    top: cython.Py_ssize_t,
    out: cython.float[:, :],
) -> cython.void:
    """in_container before_container after_container container_level container_score prose_before prose_after"""
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    rows: cython.Py_ssize_t = len(end)
    begin: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t
    below: cython.Py_ssize_t
    inside: cython.bint
    while begin < len(block_first) and block_first[begin] < first[top]:
        begin += 1
    stop = begin
    while stop < len(block_first) and block_first[stop] < last[top]:
        stop += 1
    for b in range(len(block_first)):
        inside = begin <= b < stop
        below = 0
        for k in range(level.shape[0]):
            row = level[k, b]
            if not (0 <= row <= top and end[row] >= end[top]):
                below += 1
        row = level[1, b]
        out[b, 6] = inside
        out[b, 7] = log1p(max(begin - b, 0))
        out[b, 8] = log1p(max(b - stop + 1, 0))
        out[b, 9] = below / 3.0
        out[b, 10] = score[0, row] / max(score[0, top], 1e-9) if 0 <= row < rows else 0
        out[b, 11] = log1p(max(running[1, b] - running[1, begin], 0.0)) if inside else 0
        out[b, 12] = log1p(max(running[1, stop] - running[1, b + 1], 0.0)) if inside else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_between(
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    at: cython.const[cython.Py_ssize_t][::1],
    marks: cython.const[cython.int][:, ::1],
    article: cython.const[cython.int][:, ::1],
    out: cython.float[:, :],
) -> cython.void:
    """headings_after articles_after same_article articles_above: what stands between the run and the blocks behind it,
    and whether they share an article."""
    b: cython.Py_ssize_t
    last: cython.Py_ssize_t = at[stop - 1] + 1 if stop > 0 else 1
    middle: cython.int = article[0, at[min((begin + max(stop - 1, begin)) // 2, len(at) - 1)]]
    for b in range(len(at)):
        out[b, 13] = out[b, 14] = out[b, 15] = 0
        if b >= stop:
            out[b, 13] = log1p(max(marks[_MAIN_HEADINGS, at[b] + 1] - marks[_MAIN_HEADINGS, last], 0))
            out[b, 14] = log1p(max(marks[_ARTICLES, at[b] + 1] - marks[_ARTICLES, last], 0))
        if middle:
            out[b, 15] = 1 if article[0, at[b]] == middle else -1
        out[b, 16] = min(article[1, at[b]], 3)
