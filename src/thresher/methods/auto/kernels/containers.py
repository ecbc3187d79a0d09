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
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from math import log1p

    from thresher.methods.auto.kernels import columns as col

__all__ = ["write_containers"]

_MAX_LINKED = cython.declare(cython.double, 0.35)  # link density above which a block is no prose


def write_containers(
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    ints: cython.int[:, ::1],
    reals: cython.double[:, ::1],
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> None:
    """Write the columns named in CONTAINER for each level, level after level.

    What is said of a container is the same for all blocks in it, but for their places: it is computed for the first and
    copied to the others.  `ints` is room for a column over the elements, `reals` for one over the blocks, one longer.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    known: cython.Py_ssize_t
    same: cython.Py_ssize_t
    here: cython.Py_ssize_t
    there: cython.Py_ssize_t
    column: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    count: cython.Py_ssize_t = blocks.shape[1]
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    if (
        not count == own.shape[0] == x.shape[0] < reals.shape[1]
        or reals.shape[0] < 1
        or blocks.shape[0] < col.BLOCK_ROWS
    ):
        raise ValueError("columns have not the lengths they need")
    if (
        rows < 0
        or ints.shape[0] < 1
        or ints.shape[1] < rows
        or elements.shape[1] != col.ELEMENT_COLUMNS
        or sums.shape[0] < 1
    ):
        raise ValueError("columns have not the lengths they need")
    if (
        sums.shape[1] != col.SUMS
        or own.shape[1] != col.SUMS
        or at < 0
        or x.shape[1] < at + col.LEVELS * col.CONTAINER_WIDTH
    ):
        raise ValueError("columns have not the lengths they need")
    if count > (1 << 31) // col.LEVELS - 1:
        raise ValueError("there are more blocks than can be numbered")
    with cython.nogil:
        _sum_prose(own, reals)
        for row in range(rows):
            ints[0, row] = -1
        for b in range(count):
            same = (
                col.LEVELS
            )  # the first level on which the container is that of the block before; and so are the others
            while b > 0 and same > 0 and blocks[col.LEVEL + same - 1, b] == blocks[col.LEVEL + same - 1, b - 1]:
                same -= 1
            if same < col.LEVELS:
                for column in range(at + same * col.CONTAINER_WIDTH, at + col.LEVELS * col.CONTAINER_WIDTH):
                    x[b, column] = x[b - 1, column]
            for k in range(col.LEVELS):
                row, begin, stop = blocks[col.LEVEL + k, b], blocks[col.BEGIN + k, b], blocks[col.STOP + k, b]
                here = at + k * col.CONTAINER_WIDTH
                if not (0 <= row < rows and 0 <= begin <= stop <= count):
                    for column in range(col.CONTAINER_WIDTH):
                        x[b, here + column] = 0
                    continue
                if k < same:
                    known = ints[0, row]
                    if known < 0:
                        ints[0, row] = b * col.LEVELS + k
                        _describe(row, begin, stop, sums, elements, reals, logs, x, b, here)
                    else:
                        there = at + known % col.LEVELS * col.CONTAINER_WIDTH
                        known = known // col.LEVELS
                        for column in range(col.CONTAINER_WIDTH):
                            x[b, here + column] = x[known, there + column]
                x[b, here + col.PLACE_IN_CONTAINER] = (b + 0.5 - begin) / max(stop - begin, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sum_prose(own: cython.const[cython.float][:, ::1], reals: cython.double[:, ::1]) -> cython.void:
    """Write the unlinked characters of the blocks of prose before each."""
    b: cython.Py_ssize_t
    reals[0, 0] = 0
    for b in range(own.shape[0]):
        reals[0, b + 1] = reals[0, b]
        if own[b, col.ENDS] > 0 and own[b, col.LINKED] < _MAX_LINKED * own[b, col.CHARS]:
            reals[0, b + 1] += own[b, col.CHARS] - own[b, col.LINKED]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _log(logs: cython.const[cython.double][::1], n: cython.Py_ssize_t) -> cython.double:
    return logs[n] if 0 <= n < len(logs) else log1p(max(n, 0))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _describe(
    row: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    reals: cython.const[cython.double][:, ::1],
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    b: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.void:
    texts: cython.Py_ssize_t = sums.shape[0] - 1
    blocks: cython.Py_ssize_t = x.shape[0]
    f: cython.Py_ssize_t = min(max(elements[row, col.FIRST_TEXT], 0), texts)
    t: cython.Py_ssize_t = min(max(elements[row, col.LAST_TEXT], 0), texts)
    e: cython.Py_ssize_t = min(max(elements[row, col.END], 0), elements.shape[0] - 1)
    count: cython.double = max(stop - begin, 1)
    size: cython.Py_ssize_t = max(sums[t, col.CHARS] - sums[f, col.CHARS], 1)
    chars: cython.double = size
    x[b, at] = _log(logs, size)
    x[b, at + 1] = chars / max(sums[texts, col.CHARS], 1)
    x[b, at + 2] = (sums[t, col.LINKED] - sums[f, col.LINKED]) / chars
    x[b, at + 3] = min((sums[t, col.ENDS] - sums[f, col.ENDS]) / chars * 100, 4.0)
    x[b, at + 4] = log1p(chars / count)
    x[b, at + 5] = _log(logs, max(stop - begin, 1))
    x[b, at + 6] = count / blocks
    x[b, at + 7] = _log(logs, elements[row, col.CHILDREN])
    x[b, at + 8] = (reals[0, stop] - reals[0, begin]) / max(reals[0, blocks], 1.0)
    x[b, at + 9] = _log(logs, _held(elements, row, e, col.IMAGES))
    x[b, at + 10] = _log(logs, _held(elements, row, e, col.CONTROLS))
    x[b, at + 11] = min(_held(elements, row, e, col.HEADINGS) / count, 1.0)
    x[b, at + 13] = (sums[t, col.DIGITS] - sums[f, col.DIGITS]) / chars


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _held(
    elements: cython.const[cython.int][:, ::1], row: cython.Py_ssize_t, end: cython.Py_ssize_t, mark: cython.int
) -> cython.Py_ssize_t:
    """How many elements from row to end have a mark."""
    return cython.cast(cython.Py_ssize_t, elements[end, mark]) - elements[row, mark]
