"""The loops of `parse`: over the bytes of canonical markup, and over its tags.

Compiled (see thresher.kernels), bounds are not checked: each loop says in its docstring how long its arrays are.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "CLOSES",
    "DONE",
    "OPENS",
    "OTHER",
    "STANDS_ALONE",
    "TRAITS",
    "UNKNOWN_ESCAPE",
    "UNPAIRED",
    "find_tags",
    "hash_slot",
    "holds_raw_text",
    "read_columns",
]

# What a tag does; the last are comments and declarations.
OPENS, CLOSES, STANDS_ALONE, OTHER = range(4)
_CLOSES = cython.declare(cython.int, CLOSES)
_STANDS_ALONE = cython.declare(cython.int, STANDS_ALONE)
_OTHER = cython.declare(cython.int, OTHER)

# How the columns of a page came out.
DONE, UNKNOWN_ESCAPE, UNPAIRED = range(3)
_UNKNOWN_ESCAPE = cython.declare(cython.int, UNKNOWN_ESCAPE)
_UNPAIRED = cython.declare(cython.int, UNPAIRED)

# What is asked of an element, by its number: one bit for each trait.
TRAITS = {"void": 1, "block": 2, "keeps space": 4, "br": 8, "raw": 16, "foreign": 32, "plaintext": 64}
_VOID = cython.declare(cython.int, 1)
_BLOCK = cython.declare(cython.int, 2)
_KEEPS_SPACE = cython.declare(cython.int, 4)
_BR = cython.declare(cython.int, 8)
_RAW = cython.declare(cython.int, 16)
_FOREIGN = cython.declare(cython.int, 32)
_PLAINTEXT = cython.declare(cython.int, 64)

# The hash table of names.
SLOTS = 1 << 11
_SLOTS = cython.declare(cython.int, SLOTS)
_SHIFT = cython.declare(cython.int, 64 - 11)
_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
_TOPS = cython.declare(cython.ulonglong, 0x8080808080808080)
_SPACES = cython.declare(cython.ulonglong, 0x2020202020202020)
_GREATER_THANS = cython.declare(cython.ulonglong, 0x3E3E3E3E3E3E3E3E)
_AMPERSANDS = cython.declare(cython.ulonglong, 0x2626262626262626)
_DOWN_FROM_7 = cython.declare(cython.ulonglong, 0x0001020304050607)
_FIRST_FACTOR = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_SECOND_FACTOR = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)


def find_tags(
    markup: cython.const[cython.uchar][::1],
    slot_words: cython.const[cython.ulonglong][:, ::1],
    slot_tags: cython.const[cython.short][::1],
    traits: cython.const[cython.uchar][::1],
    span: cython.int[:, ::1],
    tag: cython.short[::1],
    kind: cython.uchar[::1],
) -> int:
    """Write the start and stop, the name and the kind of each tag; how many there are.  The arrays hold one row for
    each `<` of the markup."""
    at: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(markup)
    room: cython.Py_ssize_t = min(span.shape[1], len(tag), len(kind))
    count: cython.Py_ssize_t = 0
    second: cython.int
    with cython.nogil:
        while count < room:
            start = _next(markup, at, size, ord("<"))
            if start + 1 >= size:
                break
            second = markup[start + 1]
            if second == ord("!") or second == ord("?"):
                at = _comment_end(markup, start, size)
                tag[count], kind[count] = 0, _OTHER
            else:
                at = start + 1 + (second == ord("/"))
                tag[count] = _tag_number(markup, at, size, slot_words, slot_tags)
                kind[count] = _CLOSES if second == ord("/") else _STANDS_ALONE if traits[tag[count]] & _VOID else 0
                at = _next(markup, at, size, ord(">")) + 1
            if at > size:  # it does not end
                break
            span[0, count], span[1, count] = start, at
            count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _next(
    markup: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t, byte: cython.uchar
) -> cython.Py_ssize_t:
    """Where a byte stands next; the size of the markup where it does not."""
    sought: cython.ulonglong = byte * _ONES
    places: cython.ulonglong
    while at + 8 <= size:
        places = _places(_word(markup, at), sought)
        if places != 0:
            return at + _place(places)
        at += 8
    while at < size and markup[at] != byte:
        at += 1
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _places(word: cython.ulonglong, sought: cython.ulonglong) -> cython.ulonglong:
    """The top bits of the bytes that are those sought, the first of them for sure: less this byte in each, a byte is 0
    that borrows and had no bit at its top."""
    word = word ^ sought
    return (word - _ONES) & ~word & _TOPS


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _place(tops: cython.ulonglong) -> cython.int:
    """Which byte the lowest of these bits stands in: times a number whose bytes count from 7 down, it moves that one of
    them to the top."""
    lowest: cython.ulonglong = (tops & (~tops + 1)) >> 7
    return cython.cast(cython.int, ((lowest * _DOWN_FROM_7) & _ALL_BITS) >> 56)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _word(data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.ulonglong:
    """Eight bytes as a number, which a compiler reads as one."""
    low: cython.uint = data[at] | data[at + 1] << 8 | data[at + 2] << 16 | cython.cast(cython.uint, data[at + 3]) << 24
    high: cython.uint = (
        data[at + 4] | data[at + 5] << 8 | data[at + 6] << 16 | cython.cast(cython.uint, data[at + 7]) << 24
    )
    return low | cython.cast(cython.ulonglong, high) << 32


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _comment_end(
    markup: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Behind the `-->` of a comment or the `>` of a declaration; behind the end of the markup where there is none."""
    at: cython.Py_ssize_t = start + 2
    if at + 1 < size and markup[at] == ord("-") and markup[at + 1] == ord("-"):
        at += 4
        while at < size and not (markup[at] == ord(">") and markup[at - 1] == ord("-") and markup[at - 2] == ord("-")):
            at += 1
    else:
        while at < size and markup[at] != ord(">"):
            at += 1
    return at + 1


@cython.ccall
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def hash_slot(first: cython.ulonglong, second: cython.ulonglong) -> cython.int:
    """The slot where a name of two words is looked for first."""
    return cython.cast(cython.int, ((first * _FIRST_FACTOR + second * _SECOND_FACTOR) & _ALL_BITS) >> _SHIFT)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _tag_number(
    markup: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    slot_words: cython.const[cython.ulonglong][:, ::1],
    slot_tags: cython.const[cython.short][::1],
) -> cython.short:
    """The number in TAGS of the name that starts here and ends at a space or `>`; 0 where the table lacks it."""
    first: cython.ulonglong = 0
    second: cython.ulonglong = 0
    ends: cython.ulonglong
    byte: cython.ulonglong
    length: cython.int = 0
    slot: cython.int
    if start + 8 <= size:  # most names end within a word
        first = _word(markup, start)
        ends = _places(first, _SPACES) | _places(first, _GREATER_THANS)
        if ends != 0:
            first &= ((ends & (~ends + 1)) >> 7) - 1
        else:
            length = 8
    while length > 0 or start + 8 > size:
        byte = markup[start + length] if start + length < size else ord(">")
        if byte == ord(" ") or byte == ord(">"):
            break
        if length < 8:
            first |= byte << (8 * length)
        elif length < 16:
            second |= byte << (8 * (length - 8))
        else:
            return 0
        length += 1
    slot = hash_slot(first, second)
    while slot_tags[slot] and not (slot_words[slot, 0] == first and slot_words[slot, 1] == second):
        slot = (slot + 1) & (_SLOTS - 1)
    return slot_tags[slot]


def read_columns(
    markup: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    kind: cython.const[cython.uchar][::1],
    traits: cython.const[cython.uchar][::1],
    utf8: cython.uchar[::1],
    elements: cython.int[:, ::1],
    names: cython.short[::1],
    texts: cython.int[:, ::1],
    spaced: cython.uchar[::1],
    sizes: cython.int[::1],
) -> int:
    """Write the columns of elements and of texts, each in document order: what stands between the tags is unescaped, a
    NUL behind each piece, into `utf8`, which is as long as the markup.  All other arrays have a place for each tag but
    `sizes`, to which go how many elements, texts and bytes there are.

    The answer is DONE, or what is wrong: an escape is unknown, or the tags do not pair up, which they do but where svg
    holds elements with void names.

    A piece of white space is a text only in `pre` and its kin.  Texts with no block boundary between them share a
    block: tags of block elements are boundaries, and so is a `br` that follows another with no ink between, for two
    line breaks make a paragraph, one only a line.  A text is spaced where white space stands between it and the one
    before: at the edge of either, or on its own.
    """
    k: cython.Py_ssize_t
    tags: cython.Py_ssize_t = len(kind)
    used: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t
    rows: cython.int = 0
    top: cython.int = -1  # the open element
    depth: cython.int = 0
    count: cython.int = 0  # of texts
    block: cython.int = -1
    kept_space: cython.int = 0  # elements around that keep white space
    trait: cython.int = 0
    last: cython.int  # the trait of the tag before
    result: cython.int = 0
    solid: cython.bint = True  # whether ink stands behind that tag
    boundary: cython.bint = True
    blank: cython.bint = False  # whether white space stands before the next text
    if len(utf8) < len(markup) or len(sizes) < 3 or elements.shape[0] < 7 or texts.shape[0] < 5:
        raise ValueError("columns have not the lengths they need")
    if not tags == len(start) == len(stop) == len(tag) == len(names) == len(spaced):
        raise ValueError("columns have not the lengths they need")
    if not tags == elements.shape[1] == texts.shape[1]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(tags):
            if kind[k] == _CLOSES:
                if top < 0 or names[top] != tag[k]:
                    result = _UNPAIRED
                    break
                elements[1, top], elements[4, top] = rows, count
                top = elements[0, top]
                depth -= 1
            elif kind[k] != _OTHER:
                elements[0, rows], elements[1, rows], elements[2, rows] = top, rows + 1, depth
                elements[3, rows] = elements[4, rows] = count
                elements[5, rows], elements[6, rows] = start[k], stop[k]
                names[rows] = tag[k]
                if kind[k] != _STANDS_ALONE:
                    top = rows
                    depth += 1
                rows += 1
            if kind[k] != _OTHER:
                last = trait
                trait = traits[tag[k]]
                if trait & _BLOCK or (trait & last & _BR and not solid):
                    boundary = True
                if trait & _KEEPS_SPACE and kind[k] != _STANDS_ALONE:
                    kept_space += -1 if kind[k] == _CLOSES else 1
                solid = False
            if k + 1 == tags or start[k + 1] <= stop[k]:
                continue
            begin = used
            used = _unescape(markup, stop[k], start[k + 1], utf8, used)
            if used < 0:
                result = _UNKNOWN_ESCAPE
                break
            if _has_ink(utf8, begin, used - 1):
                solid = True
            elif kept_space <= 0:
                blank = True
                continue
            block += boundary
            boundary = False
            texts[0, count], texts[1, count], texts[2, count] = begin, used - 1, stop[k]
            texts[3, count], texts[4, count] = block, top
            spaced[count] = (blank and count > 0) or _begins_blank(utf8, begin)
            blank = _ends_blank(utf8, begin, used - 1)
            count += 1
        if result == 0 and top >= 0:
            result = _UNPAIRED
    sizes[0], sizes[1], sizes[2] = rows, count, cython.cast(cython.int, used)
    return result


def holds_raw_text(
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    kind: cython.const[cython.uchar][::1],
    traits: cython.const[cython.uchar][::1],
) -> bool:
    """Whether a raw-text element holds anything; empty ones (most iframes) do no harm.

    Two only seem empty: a plaintext holds the rest of the page, its own closing tags included; and in svg or math
    the inside of a raw-text name may forge the closing tag.
    """
    k: cython.Py_ssize_t
    foreign: cython.Py_ssize_t = 0
    trait: cython.int
    for k in range(len(kind)):
        trait = traits[tag[k]]
        if not trait & (_RAW | _FOREIGN):
            continue
        if trait & _FOREIGN:
            foreign += -1 if kind[k] == _CLOSES else 1
        elif kind[k] != _CLOSES and (
            foreign != 0
            or trait & _PLAINTEXT
            or k + 1 == len(kind)
            or kind[k + 1] != _CLOSES
            or tag[k + 1] != tag[k]
            or start[k + 1] != stop[k]
        ):
            return True
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _unescape(
    markup: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    utf8: cython.uchar[::1],
    used: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write markup[at:stop] and a NUL to `utf8` from `used` on; where it ends, -1 where an escape is unknown."""
    letter: cython.int
    k: cython.int
    word: cython.ulonglong
    while at < stop:
        if markup[at] != ord("&"):
            while at + 8 <= stop:
                word = _word(markup, at)
                if _places(word, _AMPERSANDS) != 0:
                    break
                for k in range(8):
                    utf8[used + k] = (word >> (8 * k)) & 0xFF
                at += 8
                used += 8
            while at < stop and markup[at] != ord("&"):
                utf8[used] = markup[at]
                used += 1
                at += 1
            continue
        letter = markup[at + 1] if at + 1 < stop else 0
        if letter == ord("l"):
            utf8[used] = ord("<")
            at += 4
        elif letter == ord("g"):
            utf8[used] = ord(">")
            at += 4
        elif letter == ord("a"):
            utf8[used] = ord("&")
            at += 5
        elif letter == ord("n"):
            utf8[used] = 0xC2
            used += 1
            utf8[used] = 0xA0
            at += 6
        else:
            return -1
        used += 1
    utf8[used] = 0
    return used + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _has_ink(utf8: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    """Whether there is anything but white space and no-break spaces (C2 A0)."""
    while at < stop:
        if utf8[at] == 0xC2 and utf8[at + 1] == 0xA0:
            at += 2
        elif utf8[at] > ord(" "):
            return True
        else:
            at += 1
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _begins_blank(utf8: cython.const[cython.uchar][::1], start: cython.Py_ssize_t) -> cython.bint:
    return utf8[start] <= ord(" ") or (utf8[start] == 0xC2 and utf8[start + 1] == 0xA0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ends_blank(
    utf8: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.bint:
    return utf8[stop - 1] <= ord(" ") or (stop - 2 >= start and utf8[stop - 1] == 0xA0 and utf8[stop - 2] == 0xC2)
