"""The loops of `budget`: a survey of a source before it is parsed, so that hardly a page needs a closer look.

Compiled (see thresher.kernels), bounds are not checked: each loop says in its docstring how long its arrays are.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "FORMATTING",
    "NESTING",
    "OPTION",
    "ROOT",
    "count_attributes",
    "find_start_tag",
    "has_tag_end",
    "next_long_stretch",
    "survey_nesting",
    "survey_tags",
]

# What the first two letters of a tag are like.
FORMATTING, OPTION, ROOT = 1, 2, 3
_FORMATTING = cython.declare(cython.int, FORMATTING)
_OPTION = cython.declare(cython.int, OPTION)
_ROOT = cython.declare(cython.int, ROOT)

# What an element is for its nesting, one bit for each: empty in any place, or outside of drawings only; closed by the
# next one of its name; opened anew by the parser; a drawing or formula.
NESTING = {"empty": 1, "void": 2, "closed by next": 4, "formatting": 8, "foreign": 16}
_EMPTY = cython.declare(cython.int, 1)
_VOID = cython.declare(cython.int, 2)
_CLOSED_BY_NEXT = cython.declare(cython.int, 4)
_REOPENED = cython.declare(cython.int, 8)
_FOREIGN = cython.declare(cython.int, 16)

_OPEN_DOUBLE = cython.declare(cython.int, -1)  # quotes that do not end
_OPEN_SINGLE = cython.declare(cython.int, -2)
_LESS_THANS = cython.declare(cython.ulonglong, 0x3C3C3C3C3C3C3C3C)
_ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
_TOPS = cython.declare(cython.ulonglong, 0x8080808080808080)
_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_FIRST_FACTOR = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)


def next_long_stretch(source: cython.const[cython.uchar][::1], end: cython.Py_ssize_t, size: cython.Py_ssize_t) -> int:
    """The first `>` from the one at `end` on (-1: the start) that is not followed by another within `size` bytes; the
    length of the source or more where there is none.  Hops over most of the source."""
    at: cython.Py_ssize_t
    length: cython.Py_ssize_t = len(source)
    with cython.nogil:
        while end + size < length:
            at = end + size
            while at > end and source[at] != ord(">"):
                at -= 1
            if at == end:
                break
            end = at
    return end if end + size < length else length


def survey_tags(
    source: cython.const[cython.uchar][::1],
    words: cython.const[cython.ulonglong][::1],
    letters: cython.const[cython.uchar][::1],
    counted: cython.longlong[::1],
) -> None:
    """Count the tags by their first two letters: formatting elements, options, roots.  `letters` has 65,536 bytes.

    counted[0] is how many elements the parser may open anew, at most: each formatting element that is not closed at
    once, after every tag behind it.  counted[1] and counted[2] are the numbers of options and roots, counted[3] is that
    of the formatting elements.  `words` are the bytes of the source eight at a time, as far as they go: most of them
    hold no `<`, which one look tells.
    """
    at: cython.Py_ssize_t
    word: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(source)
    with cython.nogil:
        for word in range(words.shape[0]):
            if _holds_less_than(words[word]):
                for at in range(8 * word, 8 * word + 8):
                    if source[at] == ord("<"):
                        _count_tag(source, at, size, letters, counted)
        for at in range(8 * words.shape[0], size):
            if source[at] == ord("<"):
                _count_tag(source, at, size, letters, counted)


def find_start_tag(
    source: cython.const[cython.uchar][::1], name: cython.const[cython.uchar][::1], start: cython.Py_ssize_t
) -> int:
    """Where the next start tag with a name stands from a place on, whatever the case of its letters; -1 if there is
    none.  `name` is in small letters.  Most of the source is passed over 64 bytes at a time."""
    at: cython.Py_ssize_t = max(start, 0)
    size: cython.Py_ssize_t = len(source)
    found: cython.Py_ssize_t = -1
    if len(name) == 0:
        return -1
    with cython.nogil:
        while at < size:
            if at + 64 < size and not _may_start(source, at, name[0]):
                at += 64
                continue
            if source[at] == ord("<") and _is_named(source, at + 1, size, name):
                found = at
                break
            at += 1
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _may_start(source: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, letter: cython.uchar) -> cython.bint:
    """Whether a `<` with this letter behind it is among the 64 bytes from here on; there are 65.  Without a way out of
    the loop it is one for many bytes at once."""
    k: cython.Py_ssize_t
    one: cython.uchar
    hits: cython.uchar = 0
    for k in range(64):
        one = (source[at + k] == ord("<")) & ((source[at + k + 1] | 0x20) == letter)
        hits |= one
    return hits != 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_named(
    source: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    name: cython.const[cython.uchar][::1],
) -> cython.bint:
    """Whether a tag has a name, with something behind it that ends a name."""
    k: cython.Py_ssize_t
    if at + len(name) >= size:
        return False
    for k in range(len(name)):
        if (source[at + k] | 0x20) != name[k]:
            return False
    at += len(name)
    return _is_space(source[at]) or source[at] == ord("/") or source[at] == ord(">")


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _holds_less_than(word: cython.ulonglong) -> cython.bint:
    """Whether one of eight bytes is a `<`: less `<` in each, a byte is 0 that borrows and had no bit at its top."""
    word = word ^ _LESS_THANS
    return ((word - _ONES) & ~word & _TOPS) != 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _count_tag(
    source: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    letters: cython.const[cython.uchar][::1],
    counted: cython.longlong[::1],
) -> cython.void:
    like: cython.int
    if at + 2 >= size:
        return
    like = letters[(source[at + 1] | 0x20) | (source[at + 2] | 0x20) << 8]
    if like == _FORMATTING and not _is_closed_at_once(source, at + 1, size):
        counted[3] += 1
    elif like == _OPTION:
        counted[1] += 1
    elif like == _ROOT:
        counted[2] += 1
    counted[0] += counted[3]


def count_attributes(source: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> int:
    """About how many attributes a tag has, source[start:stop]: no more than it has words, set apart by white space,
    slashes and quoted values, or `=` without a quoted value."""
    at: cython.Py_ssize_t = start
    behind: cython.Py_ssize_t
    words: cython.Py_ssize_t = 0
    equals: cython.Py_ssize_t = 0
    in_word: cython.bint = False
    doubled: cython.bint = True  # whether a quote of this kind may still follow
    single: cython.bint = True
    with cython.nogil:
        while at < stop:
            if _is_space(source[at]) or source[at] == ord("/"):
                in_word = False
                at += 1
                continue
            if source[at] == ord("="):
                behind = _value_end(source, at + 1, stop, doubled, single)
                if behind > 0:
                    in_word = False
                    at = behind
                    continue
                if behind == _OPEN_DOUBLE:
                    doubled = False
                elif behind == _OPEN_SINGLE:
                    single = False
                equals += 1
            if not in_word:
                words += 1
                in_word = True
            at += 1
    return max(words, equals)


def has_tag_end(source: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> bool:
    """Whether source[start:stop] has a `>` that stands in no quoted value, between two of them if there are two: a
    value may reach across either end."""
    at: cython.Py_ssize_t = start
    behind: cython.Py_ssize_t
    values: cython.int = 0
    since: cython.bint = False  # a `>` since the last value
    between: cython.bint = False
    ever: cython.bint = False
    with cython.nogil:
        while at < stop:
            if source[at] == ord("="):
                behind = _value_end(source, at + 1, stop, True, True)
                if behind > 0:
                    if values > 0 and since:
                        between = True
                    values += 1
                    since = False
                    at = behind
                    continue
            elif source[at] == ord(">"):
                since = ever = True
            at += 1
    return between if values > 1 else ever


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _value_end(
    source: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    doubled: cython.bint,
    single: cython.bint,
) -> cython.Py_ssize_t:
    """Behind the quoted value that follows a `=`; 0 where none does, or one in quotes that are not looked for;
    _OPEN_DOUBLE or _OPEN_SINGLE where it does not end."""
    quote: cython.int
    while at < stop and _is_space(source[at]):
        at += 1
    quote = source[at] if at < stop else 0
    if not ((quote == ord('"') and doubled) or (quote == ord("'") and single)):
        return 0
    at += 1
    while at < stop and source[at] != quote:
        at += 1
    if at < stop:
        return at + 1
    return _OPEN_DOUBLE if quote == ord('"') else _OPEN_SINGLE


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_space(byte: cython.uchar) -> cython.bint:
    return byte == ord(" ") or 9 <= byte <= 13


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_closed_at_once(
    source: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.bint:
    """Whether the element whose name starts here is plainly written and holds nothing but text."""
    stop: cython.Py_ssize_t = _plain_tag_end(source, start, size)
    at: cython.Py_ssize_t = stop
    if stop == 0:
        return False
    while at < size and source[at] != ord("<"):
        at += 1
    if at + 1 >= size or source[at + 1] != ord("/"):
        return False
    return _same_name(source, start, at + 2, size)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _plain_tag_end(
    source: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Behind the `>` of the tag whose name starts here; 0 where it is not certain which one that is.

    It is certain where quotes stand in pairs behind ` name=` only and hold no `<` and `>`.
    """
    equals: cython.int = 2  # since the last white space; a name of a tag may hold any
    quote: cython.int = 0
    byte: cython.int
    while at < size:
        byte = source[at]
        if byte == ord("<"):
            return 0
        if byte == ord(">"):
            return 0 if quote else at + 1
        if quote:
            if byte == quote:
                quote = 0
        elif byte == ord('"') or byte == ord("'"):
            if equals != 1 or source[at - 1] != ord("=") or _ends_name(source[at - 2]):
                return 0
            quote = byte
        elif byte == ord("="):
            equals += 1
        elif _is_blank(byte):
            equals = 0
        at += 1
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _same_name(
    source: cython.const[cython.uchar][::1], one: cython.Py_ssize_t, other: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.bint:
    """Whether two tags have the same name, but for the case of ASCII letters; the second ends with it, or blanks."""
    while one < size and other < size:
        if _ends_name(source[one]):
            while other < size and _is_blank(source[other]):
                other += 1
            return other < size and source[other] == ord(">")
        if _lower(source[one]) != _lower(source[other]):
            return False
        one += 1
        other += 1
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ends_name(byte: cython.uchar) -> cython.bint:
    return _is_blank(byte) or byte == ord("/") or byte == ord(">")


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_blank(byte: cython.uchar) -> cython.bint:
    """White space in tags; other control characters are parts of names."""
    return byte == ord(" ") or byte == ord("\n") or byte == ord("\t") or byte == ord("\r") or byte == ord("\f")


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lower(byte: cython.uchar) -> cython.uchar:
    return byte + 32 if ord("A") <= byte <= ord("Z") else byte


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _plain_comment_end(
    source: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Behind a comment or declaration that starts here (behind its `<` or `</`) and holds no tags, or behind a `<` that
    is text; 0 where that is not certain."""
    at: cython.Py_ssize_t = start
    if source[start] != ord("!") and source[start] != ord("?") and source[start - 1] != ord("/"):
        return start
    while at < size and source[at] != ord("<") and source[at] != ord(">"):
        at += 1
    if at >= size or source[at] == ord("<") or source[start + 1] == ord("["):
        return 0
    if source[start + 1] == ord("-") and not (source[at - 1] == ord("-") and source[at - 2] == ord("-")):
        return 0
    return at + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _nesting_bits(
    source: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    slot_words: cython.const[cython.ulonglong][::1],
    slot_bits: cython.const[cython.uchar][::1],
) -> cython.int:
    """What the element whose name starts here is for its nesting; 0 for names that the table lacks.

    The table has 256 slots, some of them free."""
    first: cython.ulonglong = 0
    byte: cython.ulonglong
    length: cython.int = 0
    size: cython.Py_ssize_t = len(source)
    slot: cython.int
    while start + length < size and not _ends_name(source[start + length]):
        if length == 8:
            return 0
        byte = _lower(source[start + length])
        first |= byte << (8 * length)
        length += 1
    slot = cython.cast(cython.int, ((first * _FIRST_FACTOR) & _ALL_BITS) >> 56)
    while slot_bits[slot] and slot_words[slot] != first:
        slot = (slot + 1) & 255
    return slot_bits[slot]


def survey_nesting(
    source: cython.const[cython.uchar][::1],
    slot_words: cython.const[cython.ulonglong][::1],
    slot_bits: cython.const[cython.uchar][::1],
    stack: cython.int[::1],
    most: cython.longlong[::1],
) -> None:
    """most[0] and most[1]: how many tags, and how many of formatting elements, wait for their end at most.

    Start and end tags are paired where their own ends are certain and nothing stands between them but text and pairs.
    All else (what stands in comments, scripts and quotes among it) waits, and nothing pairs across it; so no more
    elements are ever open than wait here.  `stack` has a row for each `<`.
    """
    at: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(source)
    name: cython.int
    depth: cython.int = 0
    bits: cython.int
    above: cython.int  # where the name of the last tag that waits starts; 0 where nothing can pair with it
    formatting: cython.longlong = 0
    foreign: cython.longlong = 0
    with cython.nogil:
        while at + 3 < size:
            if source[at] != ord("<"):
                at += 1
                continue
            name = at + 1 + (source[at + 1] == ord("/"))
            above = stack[depth - 1] if depth else 0
            at += 1
            if not ord("a") <= _lower(source[name]) <= ord("z"):
                stop = _plain_comment_end(source, name, size)
                if stop == 0:
                    stack[depth] = 0
                    depth += 1
            elif name > at:
                stop = _plain_tag_end(source, name, size)
                if stop and above and _same_name(source, above, name, size):
                    bits = _nesting_bits(source, above, slot_words, slot_bits)
                    formatting -= bits & _REOPENED != 0
                    foreign -= bits & _FOREIGN != 0
                    depth -= 1
                else:
                    stack[depth] = 0
                    depth += 1
            else:
                stop = _plain_tag_end(source, name, size)
                bits = _nesting_bits(source, name, slot_words, slot_bits)
                if stop and (bits & _EMPTY or (bits & _VOID and not foreign)):
                    pass
                elif stop and above and bits & _CLOSED_BY_NEXT and _start_alike(source, above, name):
                    stack[depth - 1] = name
                else:
                    stack[depth] = name if stop else 0
                    depth += 1
                    formatting += bits & _REOPENED != 0
                    foreign += bits & _FOREIGN != 0
            at = max(at, stop)
            most[0] = max(most[0], depth)
            most[1] = max(most[1], formatting)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _start_alike(
    source: cython.const[cython.uchar][::1], one: cython.Py_ssize_t, other: cython.Py_ssize_t
) -> cython.bint:
    """Whether two start tags that end have the same name."""
    while not _ends_name(source[one]) and _lower(source[one]) == _lower(source[other]):
        one += 1
        other += 1
    return _ends_name(source[one]) and _ends_name(source[other])
