"""The loops of `units`: siblings of one kind, what they hold, and the units around each element.

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

__all__ = ["count_units", "hash_first_classes", "number_kinds", "write_units"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BASE = cython.declare(cython.ulonglong, 0x100000001B3)
_WORDS = cython.declare(cython.int, 0)  # rows of the sums, as `counts` has them
_CHARS = cython.declare(cython.int, 1)
_LINKED = cython.declare(cython.int, 6)
_HEADINGS = cython.declare(cython.int, 2)  # rows of the marks
_PICTURES = cython.declare(cython.int, 5)
_TIMES = cython.declare(cython.int, 6)
_COLUMNS = cython.declare(cython.int, 8)  # of units
_FEWEST = cython.declare(cython.int, 4)  # siblings of one kind that are units
_MIN_LINKED = cython.declare(cython.double, 0.5)  # shares of them
_MIN_DISTINCT = cython.declare(cython.double, 0.4)


def hash_first_classes(
    markup: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    row: cython.const[cython.int][::1],
    code: cython.const[cython.int][::1],
    of_value: cython.ulonglong[::1],
    number: cython.ulonglong[::1],
) -> None:
    """Write for each element a number of its first class without the digits in it: `post-12` and `post-7` have the
    same.  The value with number c is markup[start[c]:stop[c]], that of element row[k] has the number code[k]; 0 for
    elements without one."""
    k: cython.Py_ssize_t
    if not len(start) == len(stop) == len(of_value) or len(row) != len(code):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(start)):
            of_value[k] = _first_class(markup, max(start[k], 0), min(stop[k], len(markup)))
        for k in range(len(number)):
            number[k] = 0
        for k in range(len(row)):
            if 0 <= row[k] < len(number) and 0 <= code[k] < len(of_value):
                number[row[k]] = of_value[code[k]]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _first_class(
    markup: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.ulonglong:
    byte: cython.int
    code: cython.ulonglong = 1
    begun: cython.bint = False
    while at < stop:
        byte = markup[at]
        if byte == 32 or 9 <= byte <= 13:
            if begun:
                break
        else:
            begun = True
            if byte < ord("0") or byte > ord("9"):
                code = ((code ^ byte) * _BASE) & _ALL_BITS
        at += 1
    return code


def number_kinds(
    parent: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    is_inline: cython.const[cython.uchar][::1],
    class_number: cython.const[cython.ulonglong][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    kind: cython.int[::1],
    size: cython.int[::1],
) -> int:
    """Write for each element the number of its kind, siblings with one tag and one class number, and how many are of
    each kind; how many kinds there are.  Elements without text, inline ones and the root have -1.

    `slots` is room for a hash table, its length a power of two above that of the elements.  `secret` is an odd number
    that pages do not know, so that none is made to fill one slot.
    """
    row: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    other: cython.Py_ssize_t
    rows: cython.Py_ssize_t = len(parent)
    mask: cython.Py_ssize_t = len(slots) - 1
    count: cython.int = 0
    code: cython.ulonglong
    if not rows == len(first) == len(last) == len(tag) == len(class_number) == len(kind) == len(size) <= mask:
        raise ValueError("columns have not the lengths they need")
    if mask & len(slots):
        raise ValueError("the length of the hash table is no power of two")
    with cython.nogil:
        for slot in range(len(slots)):
            slots[slot] = -1
        for row in range(rows):
            kind[row] = -1
            if first[row] >= last[row] or parent[row] < 0 or not 0 <= tag[row] < len(is_inline) or is_inline[tag[row]]:
                continue
            code = (class_number[row] ^ (cython.cast(cython.ulonglong, parent[row]) * 512 + tag[row])) & _ALL_BITS
            slot = cython.cast(cython.Py_ssize_t, ((code * secret) & _ALL_BITS) >> 33) & mask
            while slots[slot] >= 0:
                other = slots[slot]
                if parent[other] == parent[row] and tag[other] == tag[row] and class_number[other] == class_number[row]:
                    break
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = row
                kind[row] = count
                size[count] = 1
                count += 1
            else:
                kind[row] = kind[slots[slot]]
                size[kind[row]] += 1
    return count


def count_units(
    kind: cython.const[cython.int][::1],
    size: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    links: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    sums: cython.const[cython.int][:, ::1],
    marks: cython.const[cython.int][:, ::1],
    dated: cython.const[cython.uchar][::1],
    at: cython.const[cython.Py_ssize_t][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    room: cython.int[:, ::1],
    table: cython.double[:, ::1],
) -> None:
    """Add to the row of each kind with enough elements: how many hold a link to a page, to how many addresses the first
    of each leads, words, characters, characters in links, and how many hold a heading, a picture, a date.

    `links` are those of `find_links`, so many of them; `dated` are the blocks that are dates, `at` the elements of the
    blocks; `slots` is room as above, `room` for two columns over the elements, one longer.
    """
    row: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    link: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = len(kind)
    mask: cython.Py_ssize_t = len(slots) - 1
    k: cython.int
    code: cython.ulonglong
    if not rows == len(end) == len(first) == len(last) == room.shape[1] - 1 <= mask or mask & len(slots):
        raise ValueError("columns have not the lengths they need")
    if links.shape[0] < 3 or not 0 <= count <= links.shape[1] or sums.shape[0] <= _LINKED or sums.shape[1] < 1:
        raise ValueError("columns have not the lengths they need")
    if marks.shape[0] <= _TIMES or marks.shape[1] != rows + 1 or table.shape[1] < _COLUMNS:
        raise ValueError("tables have not the lengths they need")
    if room.shape[0] < 2 or len(dated) != len(at):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for slot in range(len(slots)):
            slots[slot] = -1
        _count_dates(dated, at, room)
        for row in range(rows):
            k = kind[row]
            if k < 0 or k >= len(size) or k >= table.shape[0] or size[k] < _FEWEST:
                continue
            _add_held(row, end[row], first[row], last[row], sums, marks, room, table, k)
            while link < count and (links[0, link] < row or not links[2, link]):
                link += 1
            if link == count or links[0, link] >= end[row]:
                continue
            room[1, row] = links[1, link]
            table[k, 0] += 1
            code = (cython.cast(cython.ulonglong, links[1, link]) * 1000003 + k) & _ALL_BITS
            slot = cython.cast(cython.Py_ssize_t, ((code * secret) & _ALL_BITS) >> 33) & mask
            while slots[slot] >= 0 and not (kind[slots[slot]] == k and room[1, slots[slot]] == links[1, link]):
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = row
                table[k, 1] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_dates(
    dated: cython.const[cython.uchar][::1], at: cython.const[cython.Py_ssize_t][::1], room: cython.int[:, ::1]
) -> cython.void:
    """Write into room[0] how many elements before each have a block that is a date."""
    b: cython.Py_ssize_t
    row: cython.Py_ssize_t
    for row in range(room.shape[1]):
        room[0, row] = 0
    for b in range(len(dated)):
        if dated[b] and 0 <= at[b] < room.shape[1] - 1:
            room[0, at[b] + 1] = 1
    for row in range(1, room.shape[1]):
        room[0, row] += room[0, row - 1]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_held(
    row: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    sums: cython.const[cython.int][:, ::1],
    marks: cython.const[cython.int][:, ::1],
    dates: cython.const[cython.int][:, ::1],
    table: cython.double[:, ::1],
    k: cython.Py_ssize_t,
) -> cython.void:
    if 0 <= first <= last < sums.shape[1]:
        table[k, 2] += sums[_WORDS, last] - sums[_WORDS, first]
        table[k, 3] += sums[_CHARS, last] - sums[_CHARS, first]
        table[k, 4] += sums[_LINKED, last] - sums[_LINKED, first]
    if row <= end < marks.shape[1]:
        table[k, 5] += marks[_HEADINGS, end] > marks[_HEADINGS, row]
        table[k, 6] += marks[_PICTURES, end] > marks[_PICTURES, row]
        table[k, 7] += marks[_TIMES, end] + dates[0, end] > marks[_TIMES, row] + dates[0, row]


def write_units(
    kind: cython.const[cython.int][::1],
    size: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    at: cython.const[cython.Py_ssize_t][::1],
    table: cython.double[:, ::1],
    around: cython.int[:, ::1],
    out: cython.float[:, :],
) -> None:
    """Write the columns of the innermost and of the outermost unit around each block, which has its element at[b]; 0
    where there is none.

    `table` is that of `count_units`; `around` is room for two columns over the elements, one longer: the kind of the
    innermost and of the outermost unit around each, and one.
    """
    row: cython.Py_ssize_t
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    own: cython.int
    rows: cython.Py_ssize_t = len(kind)
    if not rows == len(parent) == around.shape[1] - 1 or around.shape[0] < 2 or table.shape[1] < _COLUMNS:
        raise ValueError("columns have not the lengths they need")
    if len(size) != table.shape[0] or len(at) != out.shape[0] or out.shape[1] < 2 * _COLUMNS:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(size)):
            if size[k] >= _FEWEST:
                _describe(table, k, size[k])
        for row in range(rows):
            own = 0
            if 0 <= kind[row] < len(size) and size[kind[row]] >= _FEWEST and table[kind[row], 0] > 0:
                own = kind[row] + 1
            around[0, row] = around[1, row] = own
            if 0 <= parent[row] < row:
                if own == 0:
                    around[0, row] = around[0, parent[row]]
                if around[1, parent[row]] > 0:
                    around[1, row] = around[1, parent[row]]
        for b in range(len(at)):
            for k in range(2):
                own = around[k, at[b]] if 0 <= at[b] < rows else 0
                for row in range(_COLUMNS):
                    out[b, k * _COLUMNS + row] = table[own - 1, row] if own > 0 else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _describe(table: cython.double[:, ::1], k: cython.Py_ssize_t, size: cython.double) -> cython.void:
    """What was added up for a kind, as the columns of its units; the first is 0 if they are none."""
    linked: cython.double = table[k, 0] / size
    distinct: cython.double = table[k, 1] / size
    table[k, 0] = 0
    if linked >= _MIN_LINKED and distinct >= _MIN_DISTINCT:
        table[k, 0] = log1p(size)
    table[k, 1] = linked
    # words, characters, characters in links  ->  distinct, words, link density
    linked = table[k, 4] / max(table[k, 3], 1.0)
    table[k, 3] = log1p(table[k, 2] / size)
    table[k, 2] = distinct
    table[k, 4] = linked
    table[k, 5] /= size
    table[k, 6] /= size
    table[k, 7] /= size
