"""The loops that look for lines of some kind: "Read also", an advertisement's label, who wrote it, comments.

They read no words.  Of each line it is known with which two bytes its first word begins (openings.py), and whether
digits stand in it as in a day; of what that leaves, the rules read every word.

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

__all__ = ["find_headings", "mark_lines"]

_BEFORE_TITLE = cython.declare(cython.Py_ssize_t, 3)  # blocks among which bylines are
_AFTER_TITLE = cython.declare(cython.Py_ssize_t, 10)
_MAX_LINE_CHARS = cython.declare(cython.longlong, 90)
_MIN_LINKED = cython.declare(cython.double, 0.5)  # share of the characters in links
_ONLY_LINKS = cython.declare(cython.double, 0.8999999761581421)  # 0.9 in single precision, as shares are counted
_MIN_RELATED_WORDS = cython.declare(cython.double, 4)  # of a line with label and link
_MAX_LABEL_WORDS = cython.declare(cython.double, 8)  # of a label by itself
_MAX_ADVERT_WORDS = cython.declare(cython.double, 4)
_MIN_NAME = cython.declare(cython.Py_ssize_t, 5)  # bytes
_MAX_NAME = cython.declare(cython.Py_ssize_t, 60)
_MAX_BEFORE_NAME = cython.declare(cython.Py_ssize_t, 12)  # bytes, in a block that opens with it


def mark_lines(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][:, ::1],
    chars: cython.const[cython.longlong][::1],
    words: cython.const[cython.float][::1],
    linked: cython.const[cython.float][::1],
    kinds: cython.const[cython.uchar][:, ::1],
    openings: cython.const[cython.uchar][::1],
    marks: cython.int[::1],
) -> None:
    """Write what each block may be, in bits (columns.py): all that a rule could be about, and some more."""
    b: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(marks)
    if not size == len(words) == len(linked) == kinds.shape[1] == blocks.shape[1]:
        raise ValueError("columns have not the lengths they need")
    if kinds.shape[0] < col.KINDS or blocks.shape[0] < col.BLOCK_ROWS:
        raise ValueError("columns have not the lengths they need")
    if len(start) != len(stop) or len(openings) != 1 << 16:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(size):
            marks[b] = 0
        _mark_labels(utf8, start, stop, blocks, words, linked, kinds, openings, marks)
        _mark_around_title(utf8, start, stop, blocks, chars, kinds, openings, marks)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_labels(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][:, ::1],
    words: cython.const[cython.float][::1],
    linked: cython.const[cython.float][::1],
    kinds: cython.const[cython.uchar][:, ::1],
    openings: cython.const[cython.uchar][::1],
    marks: cython.int[::1],
) -> cython.void:
    """Mark the lines that may say "Read also" with links, and the links under such a line; those that may say that they
    are an advertisement, or whose the rights are."""
    b: cython.Py_ssize_t
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t
    is_linked: cython.bint
    is_above: cython.bint  # links
    is_advert: cython.bint
    opens: cython.int
    size: cython.Py_ssize_t = len(marks)
    for b in range(size):
        at, end = _begin(blocks, b, start, utf8), _end(blocks, b, stop, utf8)
        is_linked = linked[b] >= _MIN_LINKED and words[b] >= _MIN_RELATED_WORDS
        is_above = b + 1 < size and linked[b] < _ONLY_LINKS and linked[b + 1] >= _ONLY_LINKS
        is_above = is_above and words[b] <= _MAX_LABEL_WORDS
        is_advert = not kinds[col.KIND_HEADING, b] and words[b] <= _MAX_ADVERT_WORDS
        if is_linked or is_above or is_advert:
            opens = _opens(utf8, at, end, openings)
            if opens & col.OPENS_ALSO:
                if is_linked or is_above:
                    marks[b] |= col.RELATED
                if is_above:
                    marks[b + 1] |= col.RELATED
            if is_advert and opens & col.OPENS_ADVERT:
                marks[b] |= col.ADVERT
        if _reserves_rights(utf8, at, end):
            marks[b] |= col.COPYRIGHT


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_around_title(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][:, ::1],
    chars: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.uchar][:, ::1],
    openings: cython.const[cython.uchar][::1],
    marks: cython.int[::1],
) -> cython.void:
    """Mark the short lines close to a title that may say who wrote it or when; and the blocks that open with the line
    before them, which may be the author's name."""
    b: cython.Py_ssize_t
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t
    opens: cython.int
    number: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(marks)
    nearest: cython.Py_ssize_t = -1  # the next title among the blocks before and soon behind
    last: cython.Py_ssize_t = -1 - _AFTER_TITLE  # the last one so far
    for b in range(size):
        if nearest < b:
            nearest = b
            while nearest < size and not kinds[col.KIND_TITLE, nearest]:
                nearest += 1
        if nearest == b:
            last = b
        number = blocks[col.NUMBER, b]
        if (
            (nearest < size and nearest - b <= _BEFORE_TITLE) or (last >= 0 and b - last <= _AFTER_TITLE)
        ) and not kinds[col.KIND_HEADING, b]:
            if not 0 <= number < len(chars) or chars[number] > _MAX_LINE_CHARS:
                continue
            at, end = _begin(blocks, b, start, utf8), _end(blocks, b, stop, utf8)
            opens = _opens(utf8, at, end, openings)
            if opens & col.OPENS_BY or _has_by(utf8, at, end):
                marks[b] |= col.BYLINE
            if _may_be_day(utf8, at, end):
                marks[b] |= col.DAY
                if opens & col.OPENS_PUBLISHED:
                    marks[b] |= col.PUBLISHED
    if last >= 0:
        for b in range(1, size):
            if _opens_with_name(
                utf8,
                _begin(blocks, b - 1, start, utf8),
                _end(blocks, b - 1, stop, utf8),
                _begin(blocks, b, start, utf8),
                _end(blocks, b, stop, utf8),
            ):
                marks[b] |= col.AUTHOR


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _begin(
    blocks: cython.const[cython.int][:, ::1],
    b: cython.Py_ssize_t,
    start: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
) -> cython.Py_ssize_t:
    """Where a block begins; behind all where that is unknown."""
    text: cython.Py_ssize_t = blocks[col.FIRST, b]
    return start[text] if 0 <= text < len(start) and start[text] >= 0 else len(utf8)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _end(
    blocks: cython.const[cython.int][:, ::1],
    b: cython.Py_ssize_t,
    stop: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
) -> cython.Py_ssize_t:
    text: cython.Py_ssize_t = blocks[col.LAST, b]
    return min(cython.cast(cython.Py_ssize_t, stop[text]), len(utf8)) if 0 <= text < len(stop) else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _opens(
    utf8: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    openings: cython.const[cython.uchar][::1],
) -> cython.int:
    """The bits of the first word of a line, whatever marks stand before it; 0 without a word."""
    byte: cython.int
    bits: cython.int
    while at < stop:
        byte = utf8[at]
        bits = openings[byte << 8 | (utf8[at + 1] if at + 1 < stop else 0)]
        if bits != col.NO_WORD:
            return bits
        at += 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _has_by(utf8: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    """Whether a word may begin with "by" behind other words."""
    byte: cython.int = 0
    before: cython.int
    while at + 1 < stop:
        before, byte = byte, utf8[at]
        if (byte | 0x20) == ord("b") and (utf8[at + 1] | 0x20) == ord("y") and (before <= 0x20 or before >= 0x80):
            return True
        at += 1
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_be_day(utf8: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    """Whether four digits may stand in a row, or one before a dot or a slash; or 年, or digits of other scripts."""
    byte: cython.int
    digits: cython.int = 0  # in a row
    while at < stop:
        byte = utf8[at]
        if ord("0") <= byte <= ord("9"):
            digits += 1
            if digits == 4:
                return True
        elif byte < 0x80:
            if digits and (byte == ord(".") or byte == ord("/")):
                return True
            digits = 0
        elif byte >= 0xD9 and (
            byte == 0xE5 or not (0xE2 <= byte <= 0xE9 or 0xEB <= byte <= 0xEE or byte == 0xDA or 0xDC <= byte <= 0xDE)
        ):
            return True
        else:
            digits = 0
        at += 1
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _reserves_rights(
    utf8: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.bint:
    """Whether a line may begin with ©, ⓒ, (c) or Copyright."""
    while at < stop and utf8[at] <= 0x20:
        at += 1
    if at + 1 >= stop:
        return False
    if utf8[at] == 0xC2:
        return utf8[at + 1] == 0xA9 or utf8[at + 1] == 0xA0 or utf8[at + 1] == 0x85
    if 0xE1 <= utf8[at] <= 0xE3:  # ⓒ, or an uncommon space before any of these
        return True
    return (utf8[at] == ord("(") and utf8[at + 1] == ord("c")) or (utf8[at] == ord("C") and utf8[at + 1] == ord("o"))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _opens_with_name(
    utf8: cython.const[cython.uchar][::1],
    name: cython.Py_ssize_t,
    name_end: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a short line stands again at the beginning of the next."""
    place: cython.Py_ssize_t
    k: cython.Py_ssize_t
    size: cython.Py_ssize_t
    while name < name_end and _is_space(utf8[name]):
        name += 1
    while name < name_end and _is_space(utf8[name_end - 1]):
        name_end -= 1
    size = name_end - name
    if not _MIN_NAME <= size <= _MAX_NAME:
        return False
    for place in range(at, min(at + _MAX_BEFORE_NAME, stop - size) + 1):
        k = 0
        while k < size and utf8[name + k] == utf8[place + k]:
            k += 1
        if k == size:
            return True
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_space(byte: cython.int) -> cython.bint:
    return byte == 0x20 or 0x09 <= byte <= 0x0D


def find_headings(
    tag: cython.const[cython.short][::1],
    is_heading: cython.const[cython.uchar][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
    openings: cython.const[cython.uchar][::1],
    longest: cython.int,
    headings: cython.int[:, ::1],
) -> int:
    """Write row, start and stop of the headings with at most so many bytes that may say comments: they open so, or with
    a number.  How many there are."""
    row: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if not len(tag) == len(first) == len(last) <= headings.shape[1] or headings.shape[0] < 3:
        raise ValueError("columns have not the lengths they need")
    if len(start) != len(stop) or len(openings) != 1 << 16:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(len(tag)):
            if not (0 <= tag[row] < len(is_heading) and is_heading[tag[row]] and 0 <= first[row] < last[row]):
                continue
            if last[row] > len(start):
                continue
            begin = start[first[row]]
            end = stop[last[row] - 1]
            if not 0 <= begin <= end <= len(utf8) or end - begin > longest:
                continue
            if _opens(utf8, begin, end, openings) & col.OPENS_COMMENTS:
                headings[0, count], headings[1, count], headings[2, count] = row, begin, end
                count += 1
    return count
