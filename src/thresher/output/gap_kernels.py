"""The loop over shown texts that tells what stands between two of them.

Compiled (see thresher.kernels), bounds are not checked: it makes sure that its arrays are as long as it needs, and
passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["separate"]

_NOT_SHOWN = cython.declare(cython.int, -1)  # as in containers.py
_JOINED = cython.declare(cython.int, 0)
_SPACE = cython.declare(cython.int, 1)
_LINE = cython.declare(cython.int, 2)
_BLOCK = cython.declare(cython.int, 3)
_TAB = cython.declare(cython.int, 4)

# Bits of a tag, as in traits.py.
_SEPARATES = cython.declare(cython.int, 1 << 0)
_RAISED = cython.declare(cython.int, 1 << 1)
_FORMATS = cython.declare(cython.int, 1 << 2)
_STANDS_ALONE = cython.declare(cython.int, 1 << 3)
_LIST = cython.declare(cython.int, 1 << 4)
_TERMS = cython.declare(cython.int, 1 << 5)
_GROUP = cython.declare(cython.int, 1 << 6)
_BREAK = cython.declare(cython.int, 1 << 7)
_ITEM = cython.declare(cython.int, 1 << 8)
_CODE = cython.declare(cython.int, 1 << 9)
_ROW = cython.declare(cython.int, 1 << 10)
_CELL = cython.declare(cython.int, 1 << 11)

# Bits of an element, as in grids.py.
_IS_TABLE = cython.declare(cython.int, 1)
_IS_ROW = cython.declare(cython.int, 2)
_IS_CELL = cython.declare(cython.int, 4)

# Bits of a byte.
_LETTER = cython.declare(cython.int, 1)
_LETTER_OR_DIGIT = cython.declare(cython.int, 2)

_COLON = cython.declare(cython.int, 58)

# The rows of `around`: the innermost of its kind around each element; then the blocks of each item.
_AROUND_CODE = cython.declare(cython.int, 0)
_AROUND_ITEM = cython.declare(cython.int, 1)
_AROUND_TABLE = cython.declare(cython.int, 2)
_AROUND_ROW = cython.declare(cython.int, 3)
_AROUND_CELL = cython.declare(cython.int, 4)
_BLOCKS = cython.declare(cython.int, 5)


def separate(
    shown: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    owner: cython.const[cython.int][::1],
    position: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    spaced: cython.const[cython.uchar][::1],
    readable: cython.const[cython.uchar][::1],
    utf8: cython.const[cython.uchar][::1],
    letters: cython.const[cython.uchar][::1],
    tag: cython.const[cython.short][::1],
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    tag_start: cython.const[cython.int][::1],
    traits: cython.const[cython.int][::1],
    plain: cython.bint,
    parts: cython.const[cython.uchar][::1],
    around: cython.int[:, ::1],
    gap: cython.schar[::1],
) -> int:
    """Write what separates each shown text from the shown one before (containers.gaps); how many bytes they have.

    In `plain` text the items of a list stand closer, nothing stands before the first text, and `parts`, which may be
    empty, says which elements are tables of data, and rows and cells beside those that their names call so.  `around`
    is room: six numbers for each element.
    """
    text: cython.Py_ssize_t
    row: cython.Py_ssize_t
    before: cython.Py_ssize_t = -1
    first: cython.Py_ssize_t = -1
    behind: cython.Py_ssize_t = 0  # the first element behind the text before
    opened: cython.Py_ssize_t
    broken: cython.int
    present: cython.int = 0
    bytes_shown: cython.longlong = 0
    size: cython.Py_ssize_t = len(tag)
    texts: cython.Py_ssize_t = len(shown)
    if not texts == len(start) == len(stop) == len(owner) == len(position) == len(block) == len(gap):
        raise ValueError("columns have not the lengths they need")
    if not texts == len(spaced) == len(readable) or not size == len(parent) == len(end) == len(last) == len(tag_start):
        raise ValueError("columns have not the lengths they need")
    if len(parts) not in (0, size) or around.shape[0] < 6 or around.shape[1] != size or len(letters) < 256:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(size):
            present |= _traits(traits, tag, row)
        if present & _CODE:
            _find_around(tag, parent, traits, _CODE, parts, 0, around, _AROUND_CODE)
        for text in range(texts):
            gap[text] = _NOT_SHOWN
            if not shown[text]:
                continue
            opened = behind
            broken = 0
            while behind < size and tag_start[behind] < position[text]:
                broken |= _traits(traits, tag, behind)
                behind += 1
            if before < 0 or block[before] != block[text]:
                gap[text] = _BLOCK
            elif broken & _BREAK:
                gap[text] = _LINE
            elif _are_apart(spaced, readable, before, text) or (
                opened < behind
                and _is_word(utf8, letters, start[before], stop[before], start[text])
                and _are_two_words(
                    start, stop, owner, position, last, tag_start, tag, traits, around, present, opened, before, text
                )
            ):
                gap[text] = _SPACE
            else:
                gap[text] = _JOINED
            if start[text] < stop[text]:
                bytes_shown += stop[text]
                bytes_shown -= start[text]
            if before < 0:
                first = text
            before = text
        if plain and first >= 0:
            if present & _ITEM:
                _find_around(tag, parent, traits, _ITEM, parts, 0, around, _AROUND_ITEM)
                _tighten(owner, parent, end, tag, traits, around, gap)
            if len(parts):
                _find_around(tag, parent, traits, 0, parts, _IS_TABLE, around, _AROUND_TABLE)
                _find_around(tag, parent, traits, _ROW, parts, _IS_ROW, around, _AROUND_ROW)
                _find_around(tag, parent, traits, _CELL, parts, _IS_CELL, around, _AROUND_CELL)
                _tabulate(owner, around, gap)
            gap[first] = _JOINED
    return bytes_shown


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _traits(
    traits: cython.const[cython.int][::1], tag: cython.const[cython.short][::1], row: cython.Py_ssize_t
) -> cython.int:
    """The bits of the tag of an element; none if the table does not have it."""
    return traits[tag[row]] if 0 <= tag[row] < len(traits) else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_around(
    tag: cython.const[cython.short][::1],
    parent: cython.const[cython.int][::1],
    traits: cython.const[cython.int][::1],
    trait: cython.int,
    parts: cython.const[cython.uchar][::1],
    part: cython.int,
    around: cython.int[:, ::1],
    kind: cython.Py_ssize_t,
) -> cython.void:
    """Write for each element the innermost one of a kind around it, or itself; -1 for none."""
    row: cython.Py_ssize_t
    for row in range(len(tag)):
        if _traits(traits, tag, row) & trait or (part and parts[row] & part):
            around[kind, row] = row
        else:
            around[kind, row] = around[kind, parent[row]] if 0 <= parent[row] < row else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _around_text(
    owner: cython.const[cython.int][::1],
    around: cython.int[:, ::1],
    kind: cython.Py_ssize_t,
    text: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The innermost element of a kind around a text; -1 for none."""
    return around[kind, owner[text]] if 0 <= owner[text] < around.shape[1] else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _are_apart(
    spaced: cython.const[cython.uchar][::1],
    readable: cython.const[cython.uchar][::1],
    before: cython.Py_ssize_t,
    text: cython.Py_ssize_t,
) -> cython.bint:
    """Whether white space stands between two texts, or one that can be read and was dropped."""
    between: cython.Py_ssize_t = before + 1
    while between < text and not spaced[between] and not readable[between]:
        between += 1
    return between < text or spaced[text] != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _are_two_words(
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    owner: cython.const[cython.int][::1],
    position: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    tag_start: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    traits: cython.const[cython.int][::1],
    around: cython.int[:, ::1],
    present: cython.int,
    opened: cython.Py_ssize_t,
    before: cython.Py_ssize_t,
    after: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the markup between two texts, of which `opened` is the first element, sets them apart."""
    size: cython.Py_ssize_t = len(tag)
    above: cython.Py_ssize_t = owner[before]
    within: cython.Py_ssize_t = owner[after]
    code: cython.int
    kinds: cython.int
    if not (0 <= above < size and 0 <= within < size):
        return False
    code = around[_AROUND_CODE, within] if present & _CODE else -1
    if code >= 0 and code == around[_AROUND_CODE, above]:
        return False
    if last[opened] <= after and _traits(traits, tag, opened) & _SEPARATES:
        return True
    # Around `after` but not around `before`: the first one, if it holds `after`, else the innermost.
    if last[opened] <= after:
        opened = within
    if tag_start[opened] <= position[before] or last[above] > after:
        return False
    kinds = _traits(traits, tag, opened)
    if kinds & _RAISED or kinds & _traits(traits, tag, above) & _FORMATS:
        return False
    return kinds & _STANDS_ALONE != 0 or (stop[before] > start[before] + 1 and stop[after] > start[after] + 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_word(
    utf8: cython.const[cython.uchar][::1],
    letters: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    after: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a letter or digit ends the text start:stop, or a colon behind a letter, and one begins the text after."""
    size: cython.Py_ssize_t = len(utf8)
    end: cython.int
    if not 0 <= start < stop <= size or not 0 <= after < size or not letters[utf8[after]] & _LETTER_OR_DIGIT:
        return False
    end = utf8[stop - 1]
    if not letters[end] & _LETTER_OR_DIGIT and not (
        end == _COLON and stop - 1 > start and letters[utf8[stop - 2]] & _LETTER
    ):
        return False
    return not _is_mark(utf8, stop - 3) and not _is_mark(utf8, after)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_mark(utf8: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.bint:
    """Whether a character of three bytes stands there that is no letter: of the blocks General Punctuation (E2 80,
    E2 81) and CJK Symbols (E3 80)."""
    first: cython.int
    second: cython.int
    if at < 0 or at + 1 >= len(utf8):
        return False
    first, second = utf8[at], utf8[at + 1]
    return (first == 0xE2 and second <= 0x81) or (first == 0xE3 and second == 0x80)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _tighten(
    owner: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    traits: cython.const[cython.int][::1],
    around: cython.int[:, ::1],
    gap: cython.schar[::1],
) -> cython.void:
    """Make the gap between two blocks a line end where both stand in an item that has no other block of its own, and
    one of the two lies in the list of the other."""
    text: cython.Py_ssize_t
    row: cython.Py_ssize_t
    before: cython.Py_ssize_t = -1
    for row in range(len(parent)):
        around[_BLOCKS, row] = 0
    for text in range(len(gap)):
        row = _around_text(owner, around, _AROUND_ITEM, text)
        if gap[text] == _BLOCK and row >= 0:
            around[_BLOCKS, row] += 1
    for text in range(len(gap)):
        if gap[text] != _BLOCK:
            continue
        row = _around_text(owner, around, _AROUND_ITEM, text)
        if row >= 0 and around[_BLOCKS, row] != 1:
            row = -1
        if _holds(parent, end, tag, traits, before, row) or _holds(parent, end, tag, traits, row, before):
            gap[text] = _LINE
        before = row


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _holds(
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    traits: cython.const[cython.int][::1],
    item: cython.Py_ssize_t,
    other: cython.Py_ssize_t,
) -> cython.bint:
    """Whether an item stands in a list, or a group of terms in one, that holds the other; an item may also stand
    alone."""
    above: cython.Py_ssize_t
    within: cython.Py_ssize_t = parent[item] if item >= 0 else -1
    if not 0 <= within < len(end) or not within <= other < end[within]:
        return False
    if _traits(traits, tag, within) & _LIST:
        return True
    above = parent[within]
    if not _traits(traits, tag, within) & _GROUP or not 0 <= above < len(tag):
        return False
    return _traits(traits, tag, above) & _TERMS != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _tabulate(owner: cython.const[cython.int][::1], around: cython.int[:, ::1], gap: cython.schar[::1]) -> cython.void:
    """In tables a tab between cells, a line end between rows, a space within a cell."""
    text: cython.Py_ssize_t
    before: cython.Py_ssize_t = -1
    table: cython.Py_ssize_t
    for text in range(len(gap)):
        if gap[text] < 0:
            continue
        table = _around_text(owner, around, _AROUND_TABLE, text)
        if before >= 0 and table >= 0 and table == _around_text(owner, around, _AROUND_TABLE, before):
            if around[_AROUND_ROW, owner[text]] != around[_AROUND_ROW, owner[before]]:
                gap[text] = _LINE
            elif around[_AROUND_CELL, owner[text]] != around[_AROUND_CELL, owner[before]]:
                gap[text] = _TAB
            elif gap[text] > _SPACE:
                gap[text] = _SPACE
        before = text
