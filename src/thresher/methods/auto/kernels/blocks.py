"""The loops of `blocks`: the blocks with text to read, their containers, and groups of them.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["find_blocks", "find_containers", "group_alike", "group_together"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_ODD = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_STEPS = cython.declare(cython.int, 4)  # tags up from an element that make it like another
_BLOCK = cython.declare(cython.int, 1)  # bits of a tag
_LIST = cython.declare(cython.int, 2)
_TABLE = cython.declare(cython.int, 4)
_NO_DATA = cython.declare(cython.int, 8)


def find_blocks(
    block: cython.const[cython.int][::1],
    shown: cython.const[cython.uchar][::1],
    number: cython.Py_ssize_t[::1],
    first: cython.Py_ssize_t[::1],
    last: cython.Py_ssize_t[::1],
) -> int:
    """Write number, first and last text of the blocks with a text that is shown; how many there are."""
    text: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if not len(block) == len(shown) == len(number) == len(first) == len(last):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for text in range(len(block)):
            if not shown[text]:
                continue
            if count == 0 or number[count - 1] != block[text]:
                number[count] = block[text]
                first[count] = text
                count += 1
            last[count - 1] = text
    return count


def find_containers(
    first: cython.const[cython.Py_ssize_t][::1],
    owner: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    first_text: cython.const[cython.int][::1],
    last_text: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    bits: cython.const[cython.uchar][::1],
    before: cython.Py_ssize_t[::1],
    room: cython.Py_ssize_t[:, ::1],
    at: cython.Py_ssize_t[::1],
    level: cython.Py_ssize_t[:, ::1],
    begin: cython.Py_ssize_t[:, ::1],
    stop: cython.Py_ssize_t[:, ::1],
) -> None:
    """Write for the blocks with these first texts their elements, their containers, and the blocks in these.

    `before` is room for the number of blocks that begin before each text, `room` for four columns over the elements.
    """
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    texts: cython.Py_ssize_t = len(owner)
    rows: cython.Py_ssize_t = len(parent)
    blocks: cython.Py_ssize_t = len(first)
    levels: cython.Py_ssize_t = level.shape[0]
    if not rows == len(first_text) == len(last_text) == len(tag) == room.shape[1] or room.shape[0] < 4:
        raise ValueError("columns have not the lengths they need")
    if len(before) != texts + 1 or not blocks == len(at) == level.shape[1] == begin.shape[1] == stop.shape[1]:
        raise ValueError("columns have not the lengths they need")
    if not levels == begin.shape[0] == stop.shape[0] or (blocks > 0 and (rows == 0 or levels == 0)):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(texts + 1):
            before[k] = b
            if b < blocks and first[b] <= k:
                b += 1
        _fill_elements(parent, first_text, last_text, tag, bits, before, room)
        for b in range(blocks):
            row = owner[first[b]] if 0 <= first[b] < texts else 0
            row = row if 0 <= row < rows else 0
            at[b] = row
            row = room[3, row]
            for k in range(levels):
                row = row if k == 0 else room[2, row]
                level[k, b] = row
                begin[k, b] = room[0, row]
                stop[k, b] = room[1, row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_elements(
    parent: cython.const[cython.int][::1],
    first_text: cython.const[cython.int][::1],
    last_text: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    bits: cython.const[cython.uchar][::1],
    before: cython.const[cython.Py_ssize_t][::1],
    room: cython.Py_ssize_t[:, ::1],
) -> cython.void:
    """For each element the blocks it holds, from room[0] to room[1]; the nearest ancestor that holds more, or the root,
    room[2]; the nearest block-level element from itself up, or the root, room[3].

    Those that hold the same blocks are nested, so among the elements that hold any they follow one another, and the
    ancestor that holds more is the parent of the first.
    """
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    outermost: cython.Py_ssize_t = 0
    filled: cython.Py_ssize_t = -1  # the last element that holds any
    opens: cython.Py_ssize_t
    closes: cython.Py_ssize_t
    is_block: cython.bint
    texts: cython.Py_ssize_t = len(before) - 1
    for row in range(len(parent)):
        above = parent[row] if 0 <= parent[row] < row else 0
        opens = before[min(max(first_text[row], 0), texts)]
        closes = before[min(max(last_text[row], 0), texts)]
        room[0, row], room[1, row], room[2, row] = opens, closes, above
        if opens < closes:
            if filled < 0 or opens != room[0, filled] or closes != room[1, filled]:
                outermost = above
            room[2, row] = outermost
            filled = row
        is_block = 0 <= tag[row] < len(bits) and bits[tag[row]] & _BLOCK
        room[3, row] = row if is_block or above == row else room[3, above]


def group_alike(
    level: cython.const[cython.Py_ssize_t][:, ::1],
    tag: cython.const[cython.short][::1],
    class_code: cython.const[cython.int][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    key: cython.ulonglong[::1],
    alike: cython.Py_ssize_t[::1],
    beside: cython.Py_ssize_t[::1],
) -> None:
    """Write the group numbers of the blocks that have the same tags and classes on levels 0, 1 and 2, and of those that
    have the same on levels 1 and 2 and the same tag on level 0.

    `slots` is room for a hash table, its length a power of two above the number of blocks; `key` for a key per block.
    """
    b: cython.Py_ssize_t
    rows: cython.Py_ssize_t = len(tag)
    blocks: cython.Py_ssize_t = level.shape[1]
    near: cython.ulonglong
    far: cython.ulonglong
    further: cython.ulonglong
    if level.shape[0] < 3 or len(class_code) != rows or not blocks == len(key) == len(alike) == len(beside):
        raise ValueError("columns have not the lengths they need")
    if blocks > len(slots) - 1 or (len(slots) - 1) & len(slots):
        raise ValueError("the length of the hash table is no power of two above that of the blocks")
    with cython.nogil:
        for b in range(blocks):
            if not (0 <= level[0, b] < rows and 0 <= level[1, b] < rows and 0 <= level[2, b] < rows):
                key[b] = 0
                continue
            near = _signature(class_code[level[0, b]], tag[level[0, b]])
            far = _signature(class_code[level[1, b]], tag[level[1, b]])
            further = _signature(class_code[level[2, b]], tag[level[2, b]])
            key[b] = _mixed(_mixed(near, far), further)
        _number(key, secret, slots, alike)
        for b in range(blocks):
            if not (0 <= level[0, b] < rows and 0 <= level[1, b] < rows and 0 <= level[2, b] < rows):
                continue
            far = _signature(class_code[level[1, b]], tag[level[1, b]])
            further = _signature(class_code[level[2, b]], tag[level[2, b]])
            key[b] = _mixed(_mixed(far, further), tag[level[0, b]])
        _number(key, secret, slots, beside)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _signature(class_code: cython.ulonglong, tag: cython.ulonglong) -> cython.ulonglong:
    return ((class_code * 512 + tag) * _ODD) & _ALL_BITS


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mixed(one: cython.ulonglong, other: cython.ulonglong) -> cython.ulonglong:
    return (one * _ODD + other) & _ALL_BITS


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _number(
    key: cython.const[cython.ulonglong][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    number: cython.Py_ssize_t[::1],
) -> cython.void:
    """Number the distinct keys in the order of their first occurrence."""
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    mask: cython.Py_ssize_t = len(slots) - 1
    count: cython.Py_ssize_t = 0
    for k in range(len(slots)):
        slots[k] = -1
    for k in range(len(key)):
        slot = cython.cast(cython.Py_ssize_t, ((key[k] * secret) & _ALL_BITS) >> 33) & mask
        while slots[slot] >= 0 and key[slots[slot]] != key[k]:
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = k
            number[k] = count
            count += 1
        else:
            number[k] = number[slots[slot]]


def group_together(
    element: cython.const[cython.Py_ssize_t][::1],
    is_long: cython.const[cython.uchar][::1],
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    depth: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    bits: cython.const[cython.uchar][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    room: cython.Py_ssize_t[:, ::1],
    key: cython.ulonglong[::1],
    number: cython.Py_ssize_t[::1],
    group_of: cython.Py_ssize_t[::1],
    group: cython.Py_ssize_t[::1],
) -> None:
    """Write the group numbers of the blocks that a reader takes for one, `element` being their elements:
    in a list those that stand in like elements, in a table of data all cells; every other block is alone, and so are
    those of a group with a long one, which is a means of layout.

    A table of data holds no further table, form or `div`: those with some lay a page out.  `room` is for two columns
    over the elements, one longer; `slots` for a hash table as above; `key`, `number` and `group_of` for the blocks.
    """
    b: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    known: cython.Py_ssize_t
    rows: cython.Py_ssize_t = len(parent)
    blocks: cython.Py_ssize_t = len(element)
    if not rows == len(end) == len(depth) == len(tag) == room.shape[1] - 1 or room.shape[0] < 2:
        raise ValueError("columns have not the lengths they need")
    if not blocks == len(is_long) == len(key) == len(number) == len(group_of) == len(group):
        raise ValueError("columns have not the lengths they need")
    if blocks > len(slots) - 1 or (len(slots) - 1) & len(slots):
        raise ValueError("the length of the hash table is no power of two above that of the blocks")
    with cython.nogil:
        _gather(parent, end, tag, bits, room)
        for b in range(blocks):
            key[b] = 0
            if 0 <= element[b] < rows and room[1, element[b]] > 0:
                key[b] = _place_key(element[b], room[1, element[b]], parent, depth, tag, bits)
        _number(key, secret, slots, number)
        for b in range(blocks):
            group_of[b] = -1  # of each number: its group, -2 where all are alone
        for b in range(blocks):
            if is_long[b] or key[b] == 0:
                group_of[number[b]] = -2
        for b in range(blocks):
            known = group_of[number[b]]
            if known < 0:
                if known == -1:
                    group_of[number[b]] = count
                known = count
                count += 1
            group[b] = known


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _gather(
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    bits: cython.const[cython.uchar][::1],
    room: cython.Py_ssize_t[:, ::1],
) -> cython.void:
    """Write into room[1] the innermost list or table of data around each element, itself included, and one; 0 for
    none.  room[0] counts what a table of data does not hold, over the elements before each."""
    row: cython.Py_ssize_t
    rows: cython.Py_ssize_t = len(parent)
    kind: cython.int
    gathers: cython.bint
    room[0, 0] = 0
    for row in range(rows):
        kind = bits[tag[row]] if 0 <= tag[row] < len(bits) else 0
        room[0, row + 1] = room[0, row] + (1 if kind & _NO_DATA else 0)
    for row in range(rows):
        kind = bits[tag[row]] if 0 <= tag[row] < len(bits) else 0
        gathers = (kind & _LIST) != 0
        if kind & _TABLE and row < end[row] <= rows:
            gathers = room[0, end[row]] - room[0, row] == 1
        room[1, row] = row + 1 if gathers else room[1, parent[row]] if 0 <= parent[row] < row else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _place_key(
    row: cython.Py_ssize_t,
    around: cython.Py_ssize_t,
    parent: cython.const[cython.int][::1],
    depth: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    bits: cython.const[cython.uchar][::1],
) -> cython.ulonglong:
    """A key of what gathers an element, and in a list of how deep it stands and of its tags."""
    _step: cython.int
    path: cython.ulonglong = 0
    kind: cython.int = bits[tag[around - 1]] if 0 <= tag[around - 1] < len(bits) else 0
    if not kind & _TABLE:
        path = depth[row]
        for _step in range(_STEPS):
            path = _mixed(path, tag[row] if row >= 0 else 0)
            row = parent[row] if row >= 0 and 0 <= parent[row] < row else -1
    return _mixed(path, around)
