"""The loops of `names` and `wording`: sums of the vectors of words.

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
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

__all__ = ["add_values", "path_sums", "sum_words"]

_BUCKETS = cython.declare(cython.int, 1 << 12)


def sum_words(
    block: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    chosen: cython.const[cython.uchar][::1],
    out: cython.float[:, :],
) -> None:
    """out_b = Σ vectors / √count over the words of block b if it is chosen, else the row above it.  Words are in the
    order of their blocks."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    word: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    share: cython.double
    width: cython.Py_ssize_t = out.shape[1]
    if len(block) != len(bucket) or len(chosen) != out.shape[0] or table.shape[0] < _BUCKETS or table.shape[1] < width:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for b in range(out.shape[0]):
            begin = word
            while word < len(block) and block[word] <= b:
                word += 1
            for column in range(width):
                out[b, column] = out[b - 1, column] if not chosen[b] and b > 0 else 0
            if not chosen[b] or word == begin:
                continue
            share = 1 / sqrt(word - begin)
            for k in range(begin, word):
                for column in range(width):
                    out[b, column] += share * table[bucket[k] & (_BUCKETS - 1), column]


def add_values(
    row: cython.const[cython.int][::1],
    code: cython.const[cython.int][::1],
    stop: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    path: cython.float[:, ::1],
) -> None:
    """Add to path[row + 1] the vectors of the words of the value `code`, which end before stop[code] among all."""
    k: cython.Py_ssize_t
    word: cython.Py_ssize_t
    column: cython.Py_ssize_t
    width: cython.Py_ssize_t = path.shape[1]
    if len(row) != len(code) or table.shape[0] < _BUCKETS or table.shape[1] < width:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for k in range(len(row)):
            if not (0 <= row[k] < path.shape[0] - 1 and 0 <= code[k] < len(stop)):
                continue
            word = stop[code[k] - 1] if code[k] > 0 else 0
            while 0 <= word < stop[code[k]] and word < len(bucket):
                for column in range(width):
                    path[row[k] + 1, column] += table[bucket[word] & (_BUCKETS - 1), column]
                word += 1


def path_sums(
    parent: cython.const[cython.int][::1],
    ends: cython.const[cython.Py_ssize_t][:, ::1],
    limit: cython.double,
    path: cython.float[:, ::1],
    out: cython.float[:, :],
) -> None:
    """Turn path[row + 1] into the sum along the path from the root to each row; then write for each block the sums
    between the ends of the parts of its path, from below, one part beside the other, none beyond ±limit."""
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    part: cython.Py_ssize_t
    b: cython.Py_ssize_t
    value: cython.double
    width: cython.Py_ssize_t = path.shape[1]
    parts: cython.Py_ssize_t = ends.shape[0]
    rows: cython.Py_ssize_t = path.shape[0]
    if rows != len(parent) + 1 or out.shape[0] != ends.shape[1] or out.shape[1] < parts * width:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(rows - 1):
            if 0 <= parent[row] < row:
                for column in range(width):
                    path[row + 1, column] += path[parent[row] + 1, column]
        for b in range(ends.shape[1]):
            for part in range(parts):
                for column in range(width):
                    value = 0
                    if 0 <= ends[part, b] < rows:
                        value = path[ends[part, b], column]
                    if part + 1 < parts and 0 <= ends[part + 1, b] < rows:
                        value -= path[ends[part + 1, b], column]
                    out[b, part * width + column] = min(max(value, -limit), limit)
