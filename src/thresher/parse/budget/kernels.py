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
    "COUNTED",
    "FORMATTING",
    "NESTING",
    "OPTION",
    "ROOT",
    "count_attributes",
    "find_start_tag",
    "has_tag_end",
    "next_long_stretch",
    "survey_nesting",
    "survey_source",
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

# What the survey counts.
COUNTED = ("tags", "reopened", "options", "roots", "formatting", "noscripts", "accents", "misread", "marks")
_COUNTS = cython.declare(cython.int, 9)
_TAGS = cython.declare(cython.int, 0)
_REOPENABLE = cython.declare(cython.int, 1)
_OPTIONS = cython.declare(cython.int, 2)
_ROOTS = cython.declare(cython.int, 3)
_OPEN_FORMATTING = cython.declare(cython.int, 4)
_NOSCRIPTS = cython.declare(cython.int, 5)
_SEEN_ACCENTS = cython.declare(cython.int, 6)
_MISREAD = cython.declare(cython.int, 7)
_MARKS = cython.declare(cython.int, 8)
_MAX_ACCENTS = cython.declare(cython.int, 2_000)  # that are looked at

_OPEN_DOUBLE = cython.declare(cython.int, -1)  # quotes that do not end
_OPEN_SINGLE = cython.declare(cython.int, -2)
_LESS_THANS = cython.declare(cython.ulonglong, 0x3C3C3C3C3C3C3C3C)
_ACCENTS = cython.declare(cython.ulonglong, 0xC3C3C3C3C3C3C3C3)
_DOWN_FROM_7 = cython.declare(cython.ulonglong, 0x0001020304050607)
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


def survey_source(
    source: cython.const[cython.uchar][::1],
    words: cython.const[cython.ulonglong][::1],
    letters: cython.const[cython.uchar][::1],
    few: cython.Py_ssize_t,
    counted: cython.longlong[::1],
) -> None:
    """Count in one pass what tells which of the rarer steps a source needs, into the places that COUNTED names.

    "tags" is how often `<` occurs.  Where that is more than `few`, tags are told by their first two letters with the
    table `letters` of 65,536 bytes: "options", "roots", "formatting" (those that are not closed at once), and
    "reopened", how many elements the parser may open anew at most: each of these after every tag behind it.
    "noscripts" counts the start tags of that name; the places of the first of them stand behind the counts.  "accents"
    are bytes C3, 2,000 at most, which begin the letters from À to ÿ; "misread" those where UTF-8 seems to have been
    read as windows-1252 (encoding/mojibake.py), and "marks" those among these that are punctuation.  `words` are the
    bytes of the source eight at a time, as far as they go: most hold neither `<` nor C3, which one look tells.
    """
    at: cython.Py_ssize_t
    word: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(source)
    behind: cython.Py_ssize_t = 0  # where the next accent may stand
    count: cython.int = 0  # the narrower, the more at once
    hits: cython.ulonglong
    if len(counted) < _COUNTS or len(letters) < 1 << 16 or words.shape[0] > size >> 3:
        raise ValueError("tables have not the lengths they need")
    with cython.nogil:
        for at in range(_COUNTS):
            counted[at] = 0
        for at in range(size):
            count += source[at] == ord("<")
        counted[_TAGS] = count
        for word in range(words.shape[0] + 1):
            if word < words.shape[0]:
                hits = _places(words[word], _LESS_THANS) | _places(words[word], _ACCENTS)
            else:
                hits = _TOPS  # the last few bytes are looked at one by one
            while hits != 0:
                at = 8 * word + _place(hits)
                hits &= hits - 1
                if at >= size:
                    break
                if source[at] == ord("<"):
                    if count > few:
                        _count_tag(source, at, size, letters, counted)
                    if at + 1 < size and source[at + 1] | 0x20 == ord("n") and _is_noscript(source, at + 1, size):
                        if _COUNTS + counted[_NOSCRIPTS] < len(counted):
                            counted[_COUNTS + counted[_NOSCRIPTS]] = at
                        counted[_NOSCRIPTS] += 1
                elif source[at] == 0xC3 and at >= behind and counted[_SEEN_ACCENTS] < _MAX_ACCENTS:
                    behind = at + 2
                    counted[_SEEN_ACCENTS] += 1
                    if _is_misread(source, at, size):
                        counted[_MISREAD] += 1
                        counted[_MARKS] += _is_mark(source, at, size)


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
def _is_noscript(
    source: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.bint:
    """Whether this name of a tag goes on as a noscript, and ends."""
    if at + 8 >= size or not (_is_space(source[at + 8]) or source[at + 8] == ord("/") or source[at + 8] == ord(">")):
        return False
    return (
        source[at + 1] | 0x20 == ord("o")
        and source[at + 2] | 0x20 == ord("s")
        and source[at + 3] | 0x20 == ord("c")
        and source[at + 4] | 0x20 == ord("r")
        and source[at + 5] | 0x20 == ord("i")
        and source[at + 6] | 0x20 == ord("p")
        and source[at + 7] | 0x20 == ord("t")
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_misread(source: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.bint:
    """Whether the letter at this C3 is followed by as many characters as the bytes that follow it in UTF-8, all of them
    such as these bytes are in windows-1252."""
    second: cython.int = source[at + 1] if at + 1 < size else 0
    behind: cython.Py_ssize_t
    if 0x82 <= second <= 0x9F:
        return _behind_continuation(source, at + 2, size) > 0
    if 0xA0 <= second <= 0xB4:
        behind = _behind_continuation(source, at + 2, size)
        return behind > 0 and _behind_continuation(source, behind, size) > 0
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _behind_continuation(
    source: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Behind the character that a continuation byte may be in windows-1252; 0 where there is none."""
    first: cython.int = source[at] if at + 1 < size else 0
    second: cython.int = source[at + 1] if at + 1 < size else 0
    if first == 0xC2:
        return at + 2 if 0x80 <= second <= 0xBF else 0
    if first == 0xC5 or first == 0xC6 or first == 0xCB:
        return at + 2
    if first == 0xE2 and at + 2 < size and (second == 0x80 or second == 0x82 or second == 0x84):
        return at + 3
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_mark(source: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.bint:
    """Whether "â€" stands here, with which quotation marks, dashes and ellipses begin."""
    return (
        at + 4 < size
        and source[at + 1] == 0xA2
        and source[at + 2] == 0xE2
        and source[at + 3] == 0x82
        and source[at + 4] == 0xAC
    )


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
        counted[_OPEN_FORMATTING] += 1
    elif like == _OPTION:
        counted[_OPTIONS] += 1
    elif like == _ROOT:
        counted[_ROOTS] += 1
    counted[_REOPENABLE] += counted[_OPEN_FORMATTING]


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
