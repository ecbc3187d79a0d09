"""The loops of `features` about the containers around a block.

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

__all__ = ["sum_prose", "write_containers"]

_CHARS = cython.declare(cython.int, 1)  # rows of the sums, as `counts` has them
_DIGITS = cython.declare(cython.int, 2)
_ENDS = cython.declare(cython.int, 5)
_LINKED = cython.declare(cython.int, 6)
_SUMS = cython.declare(cython.int, 8)
_IMAGES = cython.declare(cython.int, 0)  # rows of the marks
_CONTROLS = cython.declare(cython.int, 1)
_HEADINGS = cython.declare(cython.int, 2)
_WIDTH = cython.declare(cython.int, 14)  # columns of a container
_PLACE = cython.declare(cython.int, 12)  # the one that differs from block to block
_MAX_LINKED = cython.declare(cython.double, 0.35)  # link density above which a block is no prose


def sum_prose(own: cython.const[cython.float][:, ::1], prose: cython.double[::1]) -> None:
    """Write the unlinked characters of the blocks of prose before each, one more than there are blocks."""
    b: cython.Py_ssize_t
    if own.shape[0] < _SUMS or len(prose) != own.shape[1] + 1:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        prose[0] = 0
        for b in range(own.shape[1]):
            prose[b + 1] = prose[b]
            if own[_ENDS, b] > 0 and own[_LINKED, b] < _MAX_LINKED * own[_CHARS, b]:
                prose[b + 1] += own[_CHARS, b] - own[_LINKED, b]


def write_containers(
    level: cython.const[cython.Py_ssize_t][:, ::1],
    begin: cython.const[cython.Py_ssize_t][:, ::1],
    stop: cython.const[cython.Py_ssize_t][:, ::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    sums: cython.const[cython.int][:, ::1],
    prose: cython.const[cython.double][::1],
    marks: cython.const[cython.int][:, ::1],
    children: cython.const[cython.int][::1],
    known: cython.Py_ssize_t[::1],
    out: cython.float[:, :],
) -> None:
    """Write the columns named in CONTAINER for each level, level after level.

    What is said of a container is the same for all blocks in it, but for their places: it is computed for the first,
    which `known`, with room for each element, tells the others.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    levels: cython.Py_ssize_t = level.shape[0]
    blocks: cython.Py_ssize_t = level.shape[1]
    rows: cython.Py_ssize_t = len(end)
    if not levels == begin.shape[0] == stop.shape[0] or not blocks == begin.shape[1] == stop.shape[1] == out.shape[0]:
        raise ValueError("columns have not the lengths they need")
    if not rows == len(first) == len(last) == len(children) == len(known) == marks.shape[1] - 1 or marks.shape[0] < 3:
        raise ValueError("columns have not the lengths they need")
    if sums.shape[0] < _SUMS or sums.shape[1] < 1 or len(prose) <= blocks or out.shape[1] < levels * _WIDTH:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(rows):
            known[row] = -1
        for b in range(blocks):
            for k in range(levels):
                row = level[k, b]
                if not (0 <= row < rows and 0 <= begin[k, b] <= stop[k, b] <= blocks):
                    for column in range(_WIDTH):
                        out[b, k * _WIDTH + column] = 0
                    continue
                if known[row] < 0:
                    known[row] = b * levels + k
                    _describe(
                        row, begin[k, b], stop[k, b], first, last, end, sums, prose, marks, children, out, b, k * _WIDTH
                    )
                else:
                    for column in range(_WIDTH):
                        out[b, k * _WIDTH + column] = out[known[row] // levels, known[row] % levels * _WIDTH + column]
                out[b, k * _WIDTH + _PLACE] = (b + 0.5 - begin[k, b]) / max(stop[k, b] - begin[k, b], 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _describe(
    row: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    sums: cython.const[cython.int][:, ::1],
    prose: cython.const[cython.double][::1],
    marks: cython.const[cython.int][:, ::1],
    children: cython.const[cython.int][::1],
    out: cython.float[:, :],
    b: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.void:
    texts: cython.Py_ssize_t = sums.shape[1] - 1
    blocks: cython.Py_ssize_t = len(prose) - 1
    f: cython.Py_ssize_t = min(max(first[row], 0), texts)
    t: cython.Py_ssize_t = min(max(last[row], 0), texts)
    e: cython.Py_ssize_t = min(max(end[row], 0), marks.shape[1] - 1)
    count: cython.double = max(stop - begin, 1)
    chars: cython.double = max(sums[_CHARS, t] - sums[_CHARS, f], 1)
    out[b, at] = log1p(chars)
    out[b, at + 1] = chars / max(sums[_CHARS, texts], 1)
    out[b, at + 2] = (sums[_LINKED, t] - sums[_LINKED, f]) / chars
    out[b, at + 3] = min((sums[_ENDS, t] - sums[_ENDS, f]) / chars * 100, 4.0)
    out[b, at + 4] = log1p(chars / count)
    out[b, at + 5] = log1p(count)
    out[b, at + 6] = count / blocks
    out[b, at + 7] = log1p(max(children[row], 0))
    out[b, at + 8] = (prose[stop] - prose[begin]) / max(prose[blocks], 1.0)
    out[b, at + 9] = log1p(max(marks[_IMAGES, e] - marks[_IMAGES, row], 0))
    out[b, at + 10] = log1p(max(marks[_CONTROLS, e] - marks[_CONTROLS, row], 0))
    out[b, at + 11] = min((marks[_HEADINGS, e] - marks[_HEADINGS, row]) / count, 1.0)
    out[b, at + 13] = (sums[_DIGITS, t] - sums[_DIGITS, f]) / chars
