"""The loops over kept texts that tell what stands between two of them.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["find_gaps", "find_lone_joiners", "following_headings", "part_words", "tighten"]

_JOINED = cython.declare(cython.int, 0)  # as in containers.py
_SPACE = cython.declare(cython.int, 1)
_LINE = cython.declare(cython.int, 2)
_BLOCK = cython.declare(cython.int, 3)

# Bits of a tag.
_SEPARATES = cython.declare(cython.int, 1)
_RAISED = cython.declare(cython.int, 2)
_FORMATS = cython.declare(cython.int, 4)
_STANDS_ALONE = cython.declare(cython.int, 8)
_LIST = cython.declare(cython.int, 16)
_TERMS = cython.declare(cython.int, 32)
_GROUP = cython.declare(cython.int, 64)

# Bits of a byte.
_LETTER = cython.declare(cython.int, 1)
_LETTER_OR_DIGIT = cython.declare(cython.int, 2)

_COLON = cython.declare(cython.int, 58)


def find_gaps(
    kept: cython.const[cython.Py_ssize_t][::1],
    block: cython.const[cython.int][::1],
    position: cython.const[cython.int][::1],
    spaced: cython.const[cython.uchar][::1],
    readable: cython.const[cython.uchar][::1],
    breaks: cython.const[cython.int][::1],
    gap: cython.schar[::1],
) -> int:
    """Write what separates each kept text (ascending) from the one before; how many are joined, as far as can be told
    from what stands between them.

    `breaks` are the places of line breaks in the markup, ascending.  What is dropped between two sets them apart.
    """
    place: cython.Py_ssize_t
    text: cython.Py_ssize_t
    before: cython.Py_ssize_t
    between: cython.Py_ssize_t
    passed: cython.Py_ssize_t = 0
    broken: cython.bint
    joined: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(block)
    if len(kept) != len(gap) or not size == len(position) == len(spaced) == len(readable):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for place in range(len(kept)):
            gap[place] = _BLOCK
            text = kept[place]
            if not 0 <= text < size:
                continue
            before = kept[place - 1] if place else -1
            broken = False
            while passed < len(breaks) and breaks[passed] < position[text]:
                broken = True
                passed += 1
            if not 0 <= before < size or block[before] != block[text]:
                continue
            if broken:
                gap[place] = _LINE
            elif spaced[text]:
                gap[place] = _SPACE
            else:
                gap[place] = _JOINED
                for between in range(before + 1, text):
                    if spaced[between] or readable[between]:
                        gap[place] = _SPACE
                        break
                joined += gap[place] == _JOINED
    return joined


def part_words(
    kept: cython.const[cython.Py_ssize_t][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    owner: cython.const[cython.int][::1],
    position: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    tag_start: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    kinds: cython.const[cython.uchar][::1],
    utf8: cython.const[cython.uchar][::1],
    letters: cython.const[cython.uchar][::1],
    code: cython.const[cython.int][::1],
    gap: cython.schar[::1],
) -> None:
    """Set joined texts apart that would run together into one word that nobody wrote (containers.gaps).

    `code` is for each element the innermost one of code around it, or empty where the page has none.
    """
    place: cython.Py_ssize_t
    before: cython.Py_ssize_t
    after: cython.Py_ssize_t
    opened: cython.Py_ssize_t
    above: cython.Py_ssize_t  # the element of the text before
    around: cython.Py_ssize_t
    traits: cython.int
    size: cython.Py_ssize_t = len(tag)
    if len(kept) != len(gap) or not len(start) == len(stop) == len(owner) == len(position) or len(letters) < 256:
        raise ValueError("columns have not the lengths they need")
    if not size == len(last) == len(tag_start) or (len(code) and len(code) != size):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for place in range(1, len(kept)):
            before, after = kept[place - 1], kept[place]
            if gap[place] != _JOINED or not (0 <= before < len(start) and 0 <= after < len(start)):
                continue
            if not _is_word(utf8, letters, start[before], stop[before], start[after]):
                continue
            above, around = owner[before], owner[after]
            if not (0 <= above < size and 0 <= around < size):
                continue
            if len(code) and code[around] >= 0 and code[around] == code[above]:
                continue
            opened = _first_behind(tag_start, position[before])
            if opened >= size or tag_start[opened] >= position[after]:
                continue
            if last[opened] <= after and _traits(kinds, tag, opened) & _SEPARATES:
                gap[place] = _SPACE
            # Around `after` but not around `before`: the first one, if it holds `after`, else the innermost.
            if last[opened] <= after:
                opened = around
            if tag_start[opened] <= position[before] or last[above] > after:
                continue
            traits = _traits(kinds, tag, opened)
            if traits & _RAISED or traits & _traits(kinds, tag, above) & _FORMATS:
                continue
            if traits & _STANDS_ALONE or (stop[before] > start[before] + 1 and stop[after] > start[after] + 1):
                gap[place] = _SPACE


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _traits(
    kinds: cython.const[cython.uchar][::1], tag: cython.const[cython.short][::1], row: cython.Py_ssize_t
) -> cython.int:
    """The bits of the tag of an element; none if the table does not have it."""
    return kinds[tag[row]] if 0 <= tag[row] < len(kinds) else 0


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
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _first_behind(ascending: cython.const[cython.int][::1], value: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The first of ascending numbers that is above a value."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = len(ascending)
    middle: cython.Py_ssize_t
    while low < high:
        middle = (low + high) >> 1
        if ascending[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


def tighten(
    kept: cython.const[cython.Py_ssize_t][::1],
    owner: cython.const[cython.int][::1],
    item: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    kinds: cython.const[cython.uchar][::1],
    blocks: cython.int[::1],
    gap: cython.schar[::1],
) -> None:
    """Make the gap between two blocks a line end where both stand in an item that has no other block of its own, and
    one of the two lies in the list of the other.

    `item` is for each element the innermost item around it, -1 for none; `blocks` are as many zeros.
    """
    place: cython.Py_ssize_t
    row: cython.Py_ssize_t
    before: cython.Py_ssize_t = -1
    size: cython.Py_ssize_t = len(parent)
    if len(kept) != len(gap) or not size == len(item) == len(end) == len(tag) == len(blocks):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for place in range(len(kept)):
            row = _item_of(kept[place], owner, item)
            if gap[place] == _BLOCK and row >= 0:
                blocks[row] += 1
        for place in range(len(kept)):
            if gap[place] != _BLOCK:
                continue
            row = _item_of(kept[place], owner, item)
            if row >= 0 and blocks[row] != 1:
                row = -1
            if _holds(parent, end, tag, kinds, before, row) or _holds(parent, end, tag, kinds, row, before):
                gap[place] = _LINE
            before = row


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _item_of(
    text: cython.Py_ssize_t, owner: cython.const[cython.int][::1], item: cython.const[cython.int][::1]
) -> cython.Py_ssize_t:
    """The innermost item around a text; -1 for none."""
    row: cython.Py_ssize_t = owner[text] if 0 <= text < len(owner) else -1
    row = item[row] if 0 <= row < len(item) else -1
    return row if row < len(item) else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _holds(
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    kinds: cython.const[cython.uchar][::1],
    item: cython.Py_ssize_t,
    other: cython.Py_ssize_t,
) -> cython.bint:
    """Whether an item stands in a list, or a group of terms in one, that holds the other; an item may also stand
    alone."""
    around: cython.Py_ssize_t = parent[item] if item >= 0 else -1
    above: cython.Py_ssize_t
    if not 0 <= around < len(end) or not around <= other < end[around]:
        return False
    if _traits(kinds, tag, around) & _LIST:
        return True
    above = parent[around]
    if not _traits(kinds, tag, around) & _GROUP or not 0 <= above < len(tag):
        return False
    return _traits(kinds, tag, above) & _TERMS != 0


def find_lone_joiners(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    lone: cython.uchar[::1],
) -> int:
    """Mark the texts that are a joiner (U+200C, U+200D) and alone in their block; how many there are."""
    text: cython.Py_ssize_t
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(start)
    if not size == len(stop) == len(block) == len(lone):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for text in range(size):
            at = start[text]
            if stop[text] - at != 3 or at < 0 or at + 3 > len(utf8) or utf8[at] != 0xE2 or utf8[at + 1] != 0x80:
                continue
            if utf8[at + 2] != 0x8C and utf8[at + 2] != 0x8D:
                continue
            if (text and block[text - 1] == block[text]) or (text + 1 < size and block[text + 1] == block[text]):
                continue
            lone[text] = 1
            count += 1
    return count


def following_headings(
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    keep: cython.const[cython.uchar][::1],
    before: cython.int[::1],
    pairs: cython.int[:, ::1],
) -> int:
    """Write the pairs of headings with kept texts between which no kept text stands; how many there are.

    The texts of heading h are first[h]:last[h].  `before` has room for a number more than there are texts; `pairs` has
    two rows as long as the headings.
    """
    text: cython.Py_ssize_t
    heading: cython.Py_ssize_t
    earlier: cython.Py_ssize_t = -1
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(keep)
    if len(first) != len(last) or len(before) <= size or pairs.shape[0] < 2 or pairs.shape[1] < len(first):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        before[0] = 0
        for text in range(size):
            before[text + 1] = before[text] + (1 if keep[text] else 0)
        for heading in range(len(first)):
            if not 0 <= first[heading] <= last[heading] <= size:
                continue
            if before[first[heading]] < before[last[heading]]:
                if earlier >= 0 and before[first[heading]] == before[last[earlier]]:
                    pairs[0, count] = earlier
                    pairs[1, count] = heading
                    count += 1
                earlier = heading
    return count
