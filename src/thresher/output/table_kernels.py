"""The loop that tells tables of data from tables that lay out the page.

Compiled (see thresher.kernels), bounds are not checked: it makes sure that its arrays are as long as it needs, and
passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["find_data_tables"]

# Bits of a tag, as in traits.py.
_ROW = cython.declare(cython.int, 1 << 10)
_CELL = cython.declare(cython.int, 1 << 11)
_HEAD_CELL = cython.declare(cython.int, 1 << 12)
_CAPTION = cython.declare(cython.int, 1 << 13)
_IMAGE = cython.declare(cython.int, 1 << 14)
_HEADING = cython.declare(cython.int, 1 << 15)
_TABLE = cython.declare(cython.int, 1 << 17)

# Of a table.
_HAS_HEAD = cython.declare(cython.int, 1)
_HAS_PARTS = cython.declare(cython.int, 2)  # a cell of several blocks, a heading, a table
_HAS_PAGE = cython.declare(cython.int, 4)  # in a cell

# The rows of the room that the loop needs.
_AROUND_TABLE = cython.declare(cython.int, 0)  # the innermost one around each element
_AROUND_ROW = cython.declare(cython.int, 1)
_NEXT_IMAGE = cython.declare(cython.int, 2)  # from each element on
_WIDE = cython.declare(cython.int, 3)  # rows of two cells or more of each table; whether a row is such
_HAS = cython.declare(cython.int, 4)  # what each table has


def find_data_tables(
    tag: cython.const[cython.short][::1],
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    traits: cython.const[cython.int][::1],
    several: cython.int,
    long: cython.int,
    room: cython.int[:, ::1],
    sums: cython.longlong[::1],
    data: cython.uchar[::1],
) -> int:
    """Mark the tables of data (tables.py); how many they are.

    More blocks than `several` make a cell one of many blocks, and of more than `long` bytes a page.  `room` are five
    numbers for each element and one more; `sums` are room for the bytes before each text, one more than there are.
    """
    row: cython.Py_ssize_t
    text: cython.Py_ssize_t
    table: cython.Py_ssize_t
    line: cython.Py_ssize_t
    filled: cython.Py_ssize_t = -1  # the row of the last cell with anything in it
    blocks: cython.longlong
    kind: cython.int
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(tag)
    texts: cython.Py_ssize_t = len(block)
    if not size == len(parent) == len(end) == len(first) == len(last) == len(data):
        raise ValueError("columns have not the lengths they need")
    if not texts == len(start) == len(stop) or len(sums) <= texts or room.shape[0] < 5 or room.shape[1] <= size:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        sums[0] = 0
        for text in range(texts):
            sums[text + 1] = sums[text] + stop[text] - start[text]
        room[_NEXT_IMAGE, size] = size
        for row in range(size - 1, -1, -1):
            kind = traits[tag[row]] if 0 <= tag[row] < len(traits) else 0
            room[_NEXT_IMAGE, row] = row if kind & _IMAGE else room[_NEXT_IMAGE, row + 1]
        for row in range(size):
            kind = traits[tag[row]] if 0 <= tag[row] < len(traits) else 0
            table = line = -1
            if 0 <= parent[row] < row:
                table, line = room[_AROUND_TABLE, parent[row]], room[_AROUND_ROW, parent[row]]
            room[_WIDE, row] = room[_HAS, row] = 0
            room[_AROUND_TABLE, row] = row if kind & _TABLE else table
            room[_AROUND_ROW, row] = row if kind & _ROW else line
            if table < 0:
                if kind & _CELL:
                    filled = line if _is_filled(end, first, last, room, row) else filled
                continue
            if kind & (_TABLE | _HEADING):
                room[_HAS, table] |= _HAS_PARTS
            if kind & _HEAD_CELL or (kind & _CAPTION and table == parent[row]):
                room[_HAS, table] |= _HAS_HEAD
            if not kind & _CELL:
                continue
            if _is_filled(end, first, last, room, row):
                if line >= 0 and line == filled and not room[_WIDE, line]:
                    room[_WIDE, line] = 1
                    room[_WIDE, table] += 1
                filled = line
            if 0 <= first[row] < last[row] <= texts:
                blocks = block[last[row] - 1]
                if blocks - block[first[row]] >= several:
                    room[_HAS, table] |= _HAS_PARTS
                    if sums[last[row]] - sums[first[row]] > long:
                        room[_HAS, table] |= _HAS_PAGE
        for row in range(size):
            kind = traits[tag[row]] if 0 <= tag[row] < len(traits) else 0
            data[row] = 0
            if not kind & _TABLE or not room[_WIDE, row] or room[_HAS, row] & _HAS_PAGE:
                continue
            if room[_HAS, row] & _HAS_HEAD or (room[_WIDE, row] > 1 and not room[_HAS, row] & _HAS_PARTS):
                data[row] = 1
                count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_filled(
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    room: cython.int[:, ::1],
    row: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a text or an image stands in an element."""
    return last[row] > first[row] or room[_NEXT_IMAGE, row] < end[row]
