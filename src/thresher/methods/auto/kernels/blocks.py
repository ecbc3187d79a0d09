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

if cython.compiled:
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from thresher.methods.auto.kernels import columns as col

__all__ = ["find_blocks", "place_blocks"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_ODD = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_STEPS = cython.declare(cython.int, 4)  # tags up from an element that make it like another
_ROOM = cython.declare(cython.int, 5)


def find_blocks(
    block: cython.const[cython.int][::1],
    shown: cython.const[cython.uchar][::1],
    found: cython.Py_ssize_t[:, ::1],
) -> int:
    """Write number, first and last text of the blocks with a text that is shown; how many there are."""
    text: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if not len(block) == len(shown) == found.shape[1] or found.shape[0] < 3:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for text in range(len(block)):
            if not shown[text]:
                continue
            if count == 0 or found[0, count - 1] != block[text]:
                found[0, count] = block[text]
                found[1, count] = text
                count += 1
            found[2, count - 1] = text
    return count


def place_blocks(
    owner: cython.const[cython.int][::1],
    size: cython.const[cython.longlong][::1],
    longest: cython.longlong,
    facts: cython.const[cython.ulonglong][::1],
    elements: cython.const[cython.int][:, ::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    key: cython.ulonglong[::1],
    room: cython.int[:, ::1],
    blocks: cython.int[:, ::1],
) -> None:
    """Write for the blocks with these numbers and first texts their elements, their containers, the blocks in these,
    and the numbers of the groups (`blocks`).

    `owner` are the elements of the texts, `size` has the characters of each block of the page, `facts` the bits of each
    tag (`elements`).  `slots` is room for a hash table, its length a power of two above the number of blocks, `key` for
    a key of each, `room` for five columns over the elements, texts or blocks, one longer.
    """
    b: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    texts: cython.Py_ssize_t = len(owner)
    count: cython.Py_ssize_t = blocks.shape[1]
    if blocks.shape[0] < col.BLOCK_ROWS or len(key) != count or elements.shape[1] != col.ELEMENT_COLUMNS or rows < 1:
        raise ValueError("columns have not the lengths they need")
    if room.shape[0] < _ROOM or room.shape[1] <= max(max(rows, texts), count):
        raise ValueError("there is not the room that is needed")
    if count > len(slots) - 1 or (len(slots) - 1) & len(slots):
        raise ValueError("the length of the hash table is no power of two above that of the blocks")
    with cython.nogil:
        for k in range(texts + 1):
            room[col.BEFORE, k] = b
            if b < count and blocks[col.FIRST, b] <= k:
                b += 1
        _fill_elements(elements, facts, texts, room)
        for b in range(count):
            k = owner[blocks[col.FIRST, b]] if 0 <= blocks[col.FIRST, b] < texts else 0
            k = k if 0 <= k < rows else 0
            blocks[col.AT, b] = k
            _list_containers(room, room[col.BLOCK_LEVEL, k], blocks, b)
        _group_alike(elements, secret, slots, key, blocks)
        _group_together(size, longest, facts, elements, secret, slots, room, key, blocks)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _list_containers(
    room: cython.const[cython.int][:, ::1],
    row: cython.Py_ssize_t,
    blocks: cython.int[:, ::1],
    b: cython.Py_ssize_t,
) -> cython.void:
    """Write the containers of a block, from its block-level element up, and the blocks in each."""
    k: cython.Py_ssize_t
    for k in range(col.LEVELS):
        row = row if k == 0 else room[col.LARGER, row]
        blocks[col.LEVEL + k, b] = row
        blocks[col.BEGIN + k, b] = room[col.OPENS, row]
        blocks[col.STOP + k, b] = room[col.CLOSES, row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fill_elements(
    elements: cython.const[cython.int][:, ::1],
    facts: cython.const[cython.ulonglong][::1],
    texts: cython.Py_ssize_t,
    room: cython.int[:, ::1],
) -> cython.void:
    """For each element the blocks it holds, from OPENS to CLOSES; the nearest ancestor that holds more, or the root,
    LARGER; the nearest block-level element from itself up, or the root, BLOCK_LEVEL.

    Those that hold the same blocks are nested, so among the elements that hold any they follow one another, and the
    ancestor that holds more is the parent of the first.
    """
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    outermost: cython.Py_ssize_t = 0
    filled: cython.Py_ssize_t = -1  # the last element that holds any
    opens: cython.int
    closes: cython.int
    for row in range(elements.shape[0] - 1):
        above = elements[row, col.PARENT] if 0 <= elements[row, col.PARENT] < row else 0
        opens = room[col.BEFORE, min(max(elements[row, col.FIRST_TEXT], 0), texts)]
        closes = room[col.BEFORE, min(max(elements[row, col.LAST_TEXT], 0), texts)]
        room[col.OPENS, row], room[col.CLOSES, row], room[col.LARGER, row] = opens, closes, above
        if opens < closes:
            if filled < 0 or opens != room[col.OPENS, filled] or closes != room[col.CLOSES, filled]:
                outermost = above
            room[col.LARGER, row] = outermost
            filled = row
        room[col.BLOCK_LEVEL, row] = row
        if above != row and not _bit(facts, elements[row, col.TAG], col.IS_BLOCK):
            room[col.BLOCK_LEVEL, row] = room[col.BLOCK_LEVEL, above]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _bit(facts: cython.const[cython.ulonglong][::1], tag: cython.Py_ssize_t, bit: cython.int) -> cython.bint:
    return 0 <= tag < len(facts) and facts[tag] >> bit & 1 != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _group_alike(
    elements: cython.const[cython.int][:, ::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    key: cython.ulonglong[::1],
    blocks: cython.int[:, ::1],
) -> cython.void:
    """Write the group numbers of the blocks that have the same tags and classes on levels 0, 1 and 2, and of those that
    have the same on levels 1 and 2 and the same tag on level 0."""
    b: cython.Py_ssize_t
    around: cython.ulonglong
    for b in range(blocks.shape[1]):
        around = _mixed(_signature(elements, blocks[col.LEVEL, b]), _signature(elements, blocks[col.LEVEL + 1, b]))
        key[b] = _mixed(around, _signature(elements, blocks[col.LEVEL + 2, b]))
    _number(key, secret, slots, blocks, col.ALIKE)
    for b in range(blocks.shape[1]):
        around = _mixed(_signature(elements, blocks[col.LEVEL + 1, b]), _signature(elements, blocks[col.LEVEL + 2, b]))
        key[b] = _mixed(around, elements[blocks[col.LEVEL, b], col.TAG])
    _number(key, secret, slots, blocks, col.BESIDE)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _signature(elements: cython.const[cython.int][:, ::1], row: cython.Py_ssize_t) -> cython.ulonglong:
    class_number: cython.ulonglong = max(elements[row, col.CLASS], 0)
    tag: cython.ulonglong = max(elements[row, col.TAG], 0)
    return ((class_number * 512 + tag) * _ODD) & _ALL_BITS


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
    blocks: cython.int[:, ::1],
    group: cython.Py_ssize_t,
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
            blocks[group, k] = count
            count += 1
        else:
            blocks[group, k] = blocks[group, slots[slot]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _group_together(
    size: cython.const[cython.longlong][::1],
    longest: cython.longlong,
    facts: cython.const[cython.ulonglong][::1],
    elements: cython.const[cython.int][:, ::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    room: cython.int[:, ::1],
    key: cython.ulonglong[::1],
    blocks: cython.int[:, ::1],
) -> cython.void:
    """Write the group numbers of the blocks that a reader takes for one: in a list those that stand in like elements,
    in a table of data all cells; every other block is alone, and so are those of a group with a longer one than
    `longest`, which is a means of layout.

    A table of data holds no further table, form or `div`: those with some lay a page out.
    """
    b: cython.Py_ssize_t
    number: cython.Py_ssize_t
    count: cython.int = 0
    row: cython.Py_ssize_t
    _gather(elements, facts, room)
    for b in range(blocks.shape[1]):
        row = blocks[col.LEVEL, b]
        key[b] = _place_key(row, room[col.GATHERED, row], elements, facts) if room[col.GATHERED, row] > 0 else 0
    _number(key, secret, slots, blocks, col.TOGETHER)
    for b in range(blocks.shape[1]):
        room[col.KEY_NUMBER, b] = blocks[col.TOGETHER, b]
        room[col.GROUP_OF, b] = -1  # of each number: its group, -2 where all are alone
    for b in range(blocks.shape[1]):
        number = blocks[col.NUMBER, b]
        if key[b] == 0 or (0 <= number < len(size) and size[number] > longest):
            room[col.GROUP_OF, room[col.KEY_NUMBER, b]] = -2
    for b in range(blocks.shape[1]):
        number = room[col.KEY_NUMBER, b]
        if room[col.GROUP_OF, number] < 0:
            if room[col.GROUP_OF, number] == -1:
                room[col.GROUP_OF, number] = count
            blocks[col.TOGETHER, b] = count
            count += 1
        else:
            blocks[col.TOGETHER, b] = room[col.GROUP_OF, number]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _gather(
    elements: cython.const[cython.int][:, ::1], facts: cython.const[cython.ulonglong][::1], room: cython.int[:, ::1]
) -> cython.void:
    """Write the innermost list or table of data around each element, itself included, and one; 0 for none."""
    row: cython.Py_ssize_t
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    end: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    gathers: cython.bint
    for row in range(rows):
        tag, end, parent = elements[row, col.TAG], elements[row, col.END], elements[row, col.PARENT]
        gathers = _bit(facts, tag, col.IS_LIST)
        if _bit(facts, tag, col.IS_TABLE) and row < end <= rows:
            gathers = elements[row, col.NO_DATA] + 1 == elements[end, col.NO_DATA]
        room[col.GATHERED, row] = row + 1 if gathers else room[col.GATHERED, parent] if 0 <= parent < row else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _place_key(
    row: cython.Py_ssize_t,
    around: cython.Py_ssize_t,
    elements: cython.const[cython.int][:, ::1],
    facts: cython.const[cython.ulonglong][::1],
) -> cython.ulonglong:
    """A key of what gathers an element, and in a list of how deep it stands and of its tags."""
    _step: cython.int
    path: cython.ulonglong = 0
    if not _bit(facts, elements[around - 1, col.TAG], col.IS_TABLE):
        path = max(elements[row, col.DEPTH], 0)
        for _step in range(_STEPS):
            path = _mixed(path, max(elements[row, col.TAG], 0) if row >= 0 else 0)
            row = elements[row, col.PARENT] if row >= 0 and 0 <= elements[row, col.PARENT] < row else -1
    return _mixed(path, around)
