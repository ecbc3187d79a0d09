"""The loops of `names`, `wording` and `claims`: sums of the vectors of words.

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
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from math import sqrt

    from thresher.methods.auto.kernels import columns as col

__all__ = ["sum_claims", "write_names", "write_wording"]

_BUCKETS = cython.declare(cython.int, 1 << 12)
_PARTS = cython.declare(cython.int, 4)  # of the path of a block
_DEEP = cython.declare(cython.int, 24)  # pages that nest no deeper are not looked at for wrappers around wrappers
_WRAPPERS = cython.declare(cython.int, 8)


def write_wording(
    block: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    x: cython.float[:, ::1],
    heading: cython.Py_ssize_t,
    middle: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> None:
    """Σ vectors / √count over the words of each block, in the columns up to `middle`; behind it the same for what
    stands under a heading, over the words of the last up to each block, 0 where there is none.

    Words are in the order of their blocks; a row of the table has both vectors side by side; `heading` is the column
    that is above 0 for headings.
    """
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    word: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    share: cython.float
    stop: cython.Py_ssize_t = middle
    width: cython.Py_ssize_t = table.shape[1]
    if len(block) != len(bucket) or table.shape[0] < _BUCKETS or not 0 <= heading < x.shape[1]:
        raise ValueError("columns and tables have not the lengths they need")
    if at < 0 or not at <= middle <= at + width <= x.shape[1]:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for b in range(x.shape[0]):
            begin = word
            while word < len(block) and block[word] <= b:
                word += 1
            stop = at + width if x[b, heading] > 0 else middle
            for column in range(at, stop):
                x[b, column] = 0
            for column in range(stop, at + width):
                x[b, column] = x[b - 1, column] if b > 0 else 0
            share = 1 / sqrt(max(word - begin, 1))
            for k in range(begin, word):
                row = bucket[k] & (_BUCKETS - 1)
                for column in range(stop - at):
                    x[b, at + column] += share * table[row, column]


def write_names(
    elements: cython.const[cython.int][:, ::1],
    row: cython.const[cython.int][::1],
    code: cython.const[cython.int][::1],
    bounds: cython.const[cython.int][:, ::1],
    words: cython.const[cython.int][:, ::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    limit: cython.float,
    blocks: cython.const[cython.int][:, ::1],
    depth: cython.int[::1],
    path: cython.float[:, ::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> None:
    """Write the sums of the vectors of names and tags for each block, one part of its path beside the other (`names`),
    none beyond ±limit.

    Of each attribute (`hash_names`) the entries from bounds[k, 0] to bounds[k, 1] are the elements row[…], with the
    words of the name bounds[k, 0] + code[…].  `path` is room for the sums along the path to each element, with a row
    more; `depth` for how many elements around each hold the same texts.
    """
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    part: cython.Py_ssize_t
    column: cython.Py_ssize_t
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    value: cython.float
    width: cython.Py_ssize_t = path.shape[1]
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    if elements.shape[1] != col.ELEMENT_COLUMNS or not rows + 1 == path.shape[0] == len(depth) or rows < 1:
        raise ValueError("columns have not the lengths they need")
    if len(row) != len(code) or words.shape[1] != len(row) or words.shape[0] < 2 or bounds.shape[1] != 3:
        raise ValueError("columns have not the lengths they need")
    if table.shape[0] <= _BUCKETS or table.shape[1] != width or blocks.shape[0] < col.BLOCK_ROWS:
        raise ValueError("columns and tables have not the lengths they need")
    if blocks.shape[1] != x.shape[0] or at < 0 or x.shape[1] < at + _PARTS * width:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for column in range(width):
            path[0, column] = 0
        for k in range(rows):
            low = _BUCKETS + elements[k, col.TAG]
            low = low if _BUCKETS <= low < table.shape[0] else _BUCKETS
            for column in range(width):
                path[k + 1, column] = table[low, column]
        for k in range(bounds.shape[0]):
            if 0 <= bounds[k, 0] <= bounds[k, 1] <= len(row):
                _add_names(row, code, bounds[k, 0], bounds[k, 1], words, bucket, table, path)
        _sum_paths(elements, depth, path)
        for b in range(blocks.shape[1]):
            high = blocks[col.AT, b] + 1
            high = high if 0 < high <= rows else 0
            for part in range(_PARTS):
                low = 0
                if part < _PARTS - 1:
                    low = blocks[col.LEVEL + (part if part < 2 else part + 1), b]
                    low = elements[low, col.PARENT] + 1 if 0 <= low < rows else 0
                    low = low if 0 < low <= rows else 0
                for column in range(width):
                    value = path[high, column] - path[low, column]
                    x[b, at + part * width + column] = min(max(value, -limit), limit)
                high = low


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_names(
    row: cython.const[cython.int][::1],
    code: cython.const[cython.int][::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    words: cython.const[cython.int][:, ::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    path: cython.float[:, ::1],
) -> cython.void:
    """Add to each element the vectors of the words of its name."""
    k: cython.Py_ssize_t
    name: cython.Py_ssize_t
    word: cython.Py_ssize_t
    of_word: cython.Py_ssize_t
    column: cython.Py_ssize_t
    for k in range(begin, stop):
        name = begin + code[k]
        if not (0 <= row[k] < path.shape[0] - 1 and 0 <= name < words.shape[1]):
            continue
        for word in range(max(words[0, name], 0), min(words[1, name], len(bucket))):
            of_word = bucket[word] & (_BUCKETS - 1)
            for column in range(path.shape[1]):
                path[row[k] + 1, column] += table[of_word, column]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sum_paths(
    elements: cython.const[cython.int][:, ::1], depth: cython.int[::1], path: cython.float[:, ::1]
) -> cython.void:
    """Turn path[row + 1] into the sum along the path from the root to each row.

    On pages that nest hundreds of elements, to no purpose or to hide, their names would outweigh everything else: there
    an element says no more if the eight around it hold the same texts.
    """
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    column: cython.Py_ssize_t
    deepest: cython.int = 0
    for row in range(elements.shape[0] - 1):
        deepest = max(deepest, elements[row, col.DEPTH])
    for row in range(elements.shape[0] - 1):
        above = elements[row, col.PARENT]
        depth[row] = 0
        if not 0 <= above < row:
            continue
        if (
            elements[row, col.FIRST_TEXT] == elements[above, col.FIRST_TEXT]
            and elements[row, col.LAST_TEXT] == elements[above, col.LAST_TEXT]
        ):
            depth[row] = depth[above] + 1
        if deepest > _DEEP and depth[row] >= _WRAPPERS:
            for column in range(path.shape[1]):
                path[row + 1, column] = 0
        for column in range(path.shape[1]):
            path[row + 1, column] += path[above + 1, column]


def sum_claims(
    meta: cython.const[cython.Py_ssize_t][::1],
    url: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    sums: cython.float[::1],
) -> None:
    """Σ vectors / √count: in the first half of the columns over the buckets of one kind, in the second of the other."""
    column: cython.Py_ssize_t
    half: cython.Py_ssize_t = len(sums) // 2
    if table.shape[0] < _BUCKETS or table.shape[1] != len(sums):
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for column in range(len(sums)):
            sums[column] = 0
        _add_claims(meta, table, 0, half, sums)
        _add_claims(url, table, half, 2 * half, sums)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_claims(
    bucket: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    sums: cython.float[::1],
) -> cython.void:
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    for k in range(len(bucket)):
        row = bucket[k] & (_BUCKETS - 1)
        for column in range(begin, stop):
            sums[column] += table[row, column]
    for column in range(begin, stop):
        sums[column] /= sqrt(max(len(bucket), 1))
