"""The loop of `units`: siblings of one kind, what they hold, and the units around each block.

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

__all__ = ["write_units"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BASE = cython.declare(cython.ulonglong, 0x100000001B3)
_FEWEST = cython.declare(cython.int, 4)  # siblings of one kind that are units
_MIN_LINKED = cython.declare(cython.double, 0.5)  # shares of them
_MIN_DISTINCT = cython.declare(cython.double, 0.4)
_ROOM = cython.declare(cython.int, 5)


def write_units(
    markup: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    facts: cython.const[cython.ulonglong][::1],
    links: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    ints: cython.int[:, ::1],
    first_class: cython.ulonglong[::1],
    table: cython.double[:, ::1],
    dated: cython.Py_ssize_t,
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> None:
    """Write the columns of the innermost and of the outermost unit around each block; 0 where there is none.

    The value with number c of the class attribute is markup[start[c]:stop[c]].  `links` are the links to pages of
    `write_links`, so many; `facts` the bits of each tag (`elements`); x[b, dated] tells whether a block is a date.
    `slots` is room for a hash table, its length a power of two above that of the elements; `ints` for five columns over
    the elements, one longer; `first_class` for a number of each class value, `table` for a row for each kind of units.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    column: cython.Py_ssize_t
    units: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    if len(start) != len(stop) or len(first_class) != len(start) or links.shape[0] < 2:
        raise ValueError("columns have not the lengths they need")
    if (
        not 0 <= count <= links.shape[1]
        or sums.shape[1] != col.SUMS
        or elements.shape[1] != col.ELEMENT_COLUMNS
        or rows < 0
    ):
        raise ValueError("columns have not the lengths they need")
    if ints.shape[0] < _ROOM or ints.shape[1] < rows + 1 or rows > len(slots) - 1 or (len(slots) - 1) & len(slots):
        raise ValueError("there is not the room that is needed")
    if table.shape[1] <= col.MEMBERS or table.shape[0] < rows // _FEWEST:
        raise ValueError("there is not the room that is needed")
    if (
        blocks.shape[0] < col.BLOCK_ROWS
        or blocks.shape[1] != x.shape[0]
        or at < 0
        or x.shape[1] < at + 2 * col.UNIT_WIDTH
    ):
        raise ValueError("columns have not the lengths they need")
    if not 0 <= dated < x.shape[1]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        if count > 0:  # units lead to pages
            units = _number_units(markup, start, stop, facts, elements, secret, slots, ints, first_class, table)
        if units > 0:
            _count_dates(blocks, x, dated, rows, ints)
            _count_units(links, count, sums, elements, secret, slots, ints, table)
            for k in range(units):
                _describe(table, k)
            _find_around(elements, ints, table)
        for b in range(x.shape[0]):
            for k in range(2 * col.UNIT_WIDTH):
                x[b, at + k] = 0
            if units > 0 and 0 <= blocks[col.AT, b] < rows:
                for k in range(2):
                    unit = ints[col.INNERMOST + k, blocks[col.AT, b]]
                    if unit >= 0:
                        for column in range(col.UNIT_WIDTH):
                            x[b, at + k * col.UNIT_WIDTH + column] = table[unit, column]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _number_units(
    markup: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    facts: cython.const[cython.ulonglong][::1],
    elements: cython.const[cython.int][:, ::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    ints: cython.int[:, ::1],
    first_class: cython.ulonglong[::1],
    table: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    """Write for each element the number of its unit, -1 for none: siblings with one tag and one first class without
    the digits in it, if there are enough of them.  How many kinds of units there are.

    Elements without text, inline ones and the root are none.  `secret` is an odd number that pages do not know, so that
    none is made to fill one slot.
    """
    row: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    other: cython.Py_ssize_t
    k: cython.Py_ssize_t
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    mask: cython.Py_ssize_t = len(slots) - 1
    kinds: cython.int = 0
    units: cython.int = 0
    of_class: cython.ulonglong
    code: cython.ulonglong
    tag: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    for slot in range(len(slots)):
        slots[slot] = -1
    for k in range(len(start)):
        first_class[k] = 0
    for row in range(rows):
        ints[col.KIND, row] = -1
        tag, parent = elements[row, col.TAG], elements[row, col.PARENT]
        if not (0 <= parent < rows and elements[parent, col.CHILDREN] >= _FEWEST and 0 <= tag < len(facts)):
            continue
        if facts[tag] >> col.IS_INLINE & 1 or elements[row, col.FIRST_TEXT] >= elements[row, col.LAST_TEXT]:
            continue
        of_class = _first_class(markup, start, stop, elements[row, col.CLASS], first_class)
        code = (of_class ^ (cython.cast(cython.ulonglong, parent) * 512 + tag)) & _ALL_BITS
        slot = cython.cast(cython.Py_ssize_t, ((code * secret) & _ALL_BITS) >> 33) & mask
        while slots[slot] >= 0:
            other = slots[slot]
            if (
                elements[other, col.PARENT] == parent
                and elements[other, col.TAG] == tag
                and _first_class(markup, start, stop, elements[other, col.CLASS], first_class) == of_class
            ):
                break
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = row
            ints[col.KIND, row] = kinds
            ints[col.SIZE, kinds] = 1
            kinds += 1
        else:
            k = ints[col.KIND, row] = ints[col.KIND, slots[slot]]
            ints[col.SIZE, k] += 1
    for k in range(kinds):
        ints[col.UNIT, k] = -1
        if ints[col.SIZE, k] >= _FEWEST:
            ints[col.UNIT, k] = units
            for other in range(col.UNIT_WIDTH):
                table[units, other] = 0
            table[units, col.MEMBERS] = ints[col.SIZE, k]
            units += 1
    for row in range(rows):
        if ints[col.KIND, row] >= 0:
            ints[col.KIND, row] = ints[col.UNIT, ints[col.KIND, row]]
    return units


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _first_class(
    markup: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    number: cython.Py_ssize_t,
    known: cython.ulonglong[::1],
) -> cython.ulonglong:
    """A number of the first class of a value, without the digits in it: `post-12` and `post-7` have the same; computed
    once for each.  0 for no value; `number` is one more than that of the value."""
    byte: cython.int
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t
    code: cython.ulonglong = 1
    begun: cython.bint = False
    if not 0 < number <= len(known):
        return 0
    if known[number - 1] != 0:
        return known[number - 1]
    at, end = max(start[number - 1], 0), min(stop[number - 1], len(markup))
    while at < end:
        byte = markup[at]
        if byte == 32 or 9 <= byte <= 13:
            if begun:
                break
        else:
            begun = True
            if byte < ord("0") or byte > ord("9"):
                code = ((code ^ byte) * _BASE) & _ALL_BITS
        at += 1
    known[number - 1] = code
    return code


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_dates(
    blocks: cython.const[cython.int][:, ::1],
    x: cython.const[cython.float][:, ::1],
    dated: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    ints: cython.int[:, ::1],
) -> cython.void:
    """Write how many elements before each have a block that is a date."""
    b: cython.Py_ssize_t
    row: cython.Py_ssize_t
    for row in range(rows + 1):
        ints[col.DATES, row] = 0
    for b in range(x.shape[0]):
        if x[b, dated] > 0 and 0 <= blocks[col.AT, b] < rows:
            ints[col.DATES, blocks[col.AT, b] + 1] = 1
    for row in range(1, rows + 1):
        ints[col.DATES, row] += ints[col.DATES, row - 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_units(
    links: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    ints: cython.int[:, ::1],
    table: cython.double[:, ::1],
) -> cython.void:
    """Add to the row of each kind of units: how many hold a link to a page, to how many addresses the first of each
    leads, words, characters, characters in links, and how many hold a heading, a picture, a date."""
    row: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    k: cython.Py_ssize_t
    end: cython.Py_ssize_t
    address: cython.int
    link: cython.Py_ssize_t = 0
    mask: cython.Py_ssize_t = len(slots) - 1
    code: cython.ulonglong
    for slot in range(len(slots)):
        slots[slot] = -1
    for row in range(elements.shape[0] - 1):
        k = ints[col.KIND, row]
        if k < 0:
            continue
        end = elements[row, col.END]
        _add_held(row, end, sums, elements, ints, table, k)
        while link < count and links[0, link] < row:
            link += 1
        if link == count or links[0, link] >= end:
            continue
        address = ints[col.ADDRESS, row] = links[1, link]
        table[k, 0] += 1
        code = (cython.cast(cython.ulonglong, address) * 1000003 + k) & _ALL_BITS
        slot = cython.cast(cython.Py_ssize_t, ((code * secret) & _ALL_BITS) >> 33) & mask
        while slots[slot] >= 0 and not (ints[col.KIND, slots[slot]] == k and ints[col.ADDRESS, slots[slot]] == address):
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = row
            table[k, 1] += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_held(
    row: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    ints: cython.const[cython.int][:, ::1],
    table: cython.double[:, ::1],
    k: cython.Py_ssize_t,
) -> cython.void:
    first: cython.Py_ssize_t = elements[row, col.FIRST_TEXT]
    last: cython.Py_ssize_t = elements[row, col.LAST_TEXT]
    times: cython.Py_ssize_t
    if 0 <= first <= last < sums.shape[0]:
        table[k, 2] += sums[last, col.WORDS] - sums[first, col.WORDS]
        table[k, 3] += sums[last, col.CHARS] - sums[first, col.CHARS]
        table[k, 4] += sums[last, col.LINKED] - sums[first, col.LINKED]
    if row <= end < elements.shape[0]:
        times = cython.cast(cython.Py_ssize_t, elements[end, col.TIMES]) - elements[row, col.TIMES]
        table[k, 5] += elements[end, col.HEADINGS] > elements[row, col.HEADINGS]
        table[k, 6] += elements[end, col.PICTURES] > elements[row, col.PICTURES]
        table[k, 7] += times + ints[col.DATES, end] - ints[col.DATES, row] > 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _describe(table: cython.double[:, ::1], k: cython.Py_ssize_t) -> cython.void:
    """What was added up for a kind, as the columns of its units; the first is 0 if they are none."""
    size: cython.double = table[k, col.MEMBERS]
    linked: cython.double = table[k, 0] / size
    distinct: cython.double = table[k, 1] / size
    table[k, 0] = 0
    if linked >= _MIN_LINKED and distinct >= _MIN_DISTINCT:
        table[k, 0] = log1p(size)
    table[k, 1] = linked
    # words, characters, characters in links  ->  distinct, words, link density
    linked = table[k, 4] / max(table[k, 3], 1.0)
    table[k, 3] = log1p(max(table[k, 2] / size, 0.0))
    table[k, 2] = distinct
    table[k, 4] = linked
    table[k, 5] /= size
    table[k, 6] /= size
    table[k, 7] /= size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_around(
    elements: cython.const[cython.int][:, ::1], ints: cython.int[:, ::1], table: cython.const[cython.double][:, ::1]
) -> cython.void:
    """Write the innermost and the outermost unit around each element, itself included; -1 where there is none."""
    row: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    own: cython.int
    for row in range(elements.shape[0] - 1):
        own = ints[col.KIND, row]
        if own >= 0 and table[own, 0] == 0:
            own = -1
        ints[col.INNERMOST, row] = ints[col.OUTERMOST, row] = own
        parent = elements[row, col.PARENT]
        if 0 <= parent < row:
            if own < 0:
                ints[col.INNERMOST, row] = ints[col.INNERMOST, parent]
            if ints[col.OUTERMOST, parent] >= 0:
                ints[col.OUTERMOST, row] = ints[col.OUTERMOST, parent]
