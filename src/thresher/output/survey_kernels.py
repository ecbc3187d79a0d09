"""The loop that tells what special things occur in what is kept of a page, so that the steps that deal with them are
taken only then.

Compiled (see thresher.kernels), bounds are not checked: it makes sure that its arrays are as long as it needs, and
passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["survey"]

# As in traits.py.
_HEADING = cython.declare(cython.int, 1 << 15)
_FIRST_HEADING = cython.declare(cython.int, 1 << 16)
_ARTICLE = cython.declare(cython.int, 1 << 22)
_PRESENT = cython.declare(cython.int, 24)
_TRAITS = cython.declare(cython.longlong, (1 << 24) - 1)  # all of them

# What else there may be, as in printed.py.
_PERMALINKS = cython.declare(cython.longlong, 1 << 48)
_EDIT_LINKS = cython.declare(cython.longlong, 1 << 49)
_NOTES = cython.declare(cython.longlong, 1 << 50)
_REPEATED = cython.declare(cython.longlong, 1 << 51)
_EMPTY = cython.declare(cython.longlong, 1 << 52)

_BEFORE = cython.declare(cython.int, 2)  # row of the headings: shown texts before each text
_SAME = cython.declare(cython.int, 2)  # of a heading and the next
_NO_MORE = cython.declare(cython.int, -2)  # bytes
_MAX_SIGN_BYTES = cython.declare(cython.int, 16)  # bytes of a text without a word


def survey(
    tag: cython.const[cython.short][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    tag_start: cython.const[cython.int][::1],
    tag_stop: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    markup: cython.const[cython.uchar][::1],
    utf8: cython.const[cython.uchar][::1],
    linked: cython.const[cython.uchar][::1],
    keep: cython.const[cython.uchar][::1],
    traits: cython.const[cython.int][::1],
    shown: cython.uchar[::1],
    heads: cython.int[:, ::1],
) -> int:
    """Write which of the kept texts are shown: all but those that are a joiner, alone in their block, with which some
    editors fill empty paragraphs.  The traits of the elements with any of them, those of all elements, and what else
    there may be among them, as bits.

    permalinks    a text in a link to a fragment (`linked`, which may be empty) that is a sign, or in or right beside a
                  heading
    edit links    the class of the body names MediaWiki
    notes         the class of the first article names LaTeXML
    repeated      two headings with no shown text between that say the same, as far as they are ASCII
    empty         a heading, none of the titles, with no shown text behind it and before one of its rank or above, or
                  the end

    Into `heads` go the rows of the headings with shown texts, and 1 if none stands before the next, 2 if that may say
    the same; they have a third row, for the number of shown texts before each text and then for how many there are, and
    a column more than there are elements and than there are texts.
    """
    row: cython.Py_ssize_t
    text: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(tag)
    texts: cython.Py_ssize_t = len(keep)
    kind: cython.int
    alive: cython.longlong = 0
    present: cython.longlong = 0
    found: cython.longlong = 0
    if not size == len(end) == len(first) == len(last) == len(tag_start) == len(tag_stop):
        raise ValueError("columns have not the lengths they need")
    if not texts == len(start) == len(stop) == len(block) == len(shown) or len(linked) not in (0, texts):
        raise ValueError("columns have not the lengths they need")
    if heads.shape[0] < 3 or heads.shape[1] <= max(size, texts):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        heads[_BEFORE, 0] = 0
        for text in range(texts):
            shown[text] = keep[text] != 0 and not _is_lone_joiner(utf8, start, stop, block, text)
            heads[_BEFORE, text + 1] = heads[_BEFORE, text] + shown[text]
        for row in range(size):
            if not 0 <= tag[row] < len(traits):
                continue
            kind = traits[tag[row]]
            if kind & _ARTICLE & ~present and _names(markup, tag_start[row], tag_stop[row], b"ltx_document", 12):
                found |= _NOTES
            present |= kind
            if kind and 0 <= first[row] < last[row] <= texts:
                if heads[_BEFORE, first[row]] < heads[_BEFORE, last[row]]:
                    alive |= kind
                if kind & _HEADING:
                    heads[0, count] = row
                    count += 1
        row = end[1] if size > 1 else size  # behind the head
        if 0 <= row < size and _names(markup, tag_start[row], tag_stop[row], b"mediawiki", 9):
            found |= _EDIT_LINKS
        if len(linked) and _has_near_link(start, stop, utf8, linked, keep, first, last, heads, count):
            found |= _PERMALINKS
        at = 0
        for row in range(count):
            if heads[_BEFORE, first[heads[0, row]]] < heads[_BEFORE, last[heads[0, row]]]:
                heads[0, at] = heads[0, row]
                at += 1
        count = at
        for at in range(count):
            text = first[heads[0, at + 1]] if at + 1 < count else texts
            heads[1, at] = heads[_BEFORE, text] == heads[_BEFORE, last[heads[0, at]]]
            if not heads[1, at] or at + 1 == count:
                continue
            if _may_say_the_same(start, stop, utf8, shown, first, last, heads[0, at], heads[0, at + 1]):
                heads[1, at] = _SAME
                found |= _REPEATED
        if _may_be_empty(tag, end, first, last, traits, heads, count):
            found |= _EMPTY
        heads[_BEFORE, 0] = count
    return found | (present & _TRAITS) << _PRESENT | (alive & _TRAITS)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_lone_joiner(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    text: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a text is a joiner (U+200C, U+200D) and alone in its block."""
    at: cython.Py_ssize_t = start[text]
    if stop[text] - at != 3 or at < 0 or at + 3 > len(utf8) or utf8[at] != 0xE2 or utf8[at + 1] != 0x80:
        return False
    if utf8[at + 2] != 0x8C and utf8[at + 2] != 0x8D:
        return False
    if text and block[text - 1] == block[text]:
        return False
    return text + 1 == len(start) or block[text + 1] != block[text]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _names(
    markup: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    name: cython.p_char,
    size: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a name of so many bytes stands in some of the markup."""
    at: cython.Py_ssize_t
    place: cython.Py_ssize_t
    for at in range(max(start, 0), min(stop, len(markup)) - size + 1):
        place = 0
        while place < size and markup[at + place] == name[place]:
            place += 1
        if place == size:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _has_near_link(
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
    linked: cython.const[cython.uchar][::1],
    keep: cython.const[cython.uchar][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    heads: cython.int[:, ::1],
    count: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a kept text in a link is a sign, or in the last heading before it, or right behind that or right before
    the next."""
    text: cython.Py_ssize_t
    at: cython.Py_ssize_t
    behind: cython.Py_ssize_t = 0  # the first heading that begins behind the text
    for text in range(len(linked)):
        if not linked[text] or not keep[text]:
            continue
        at = start[text]
        if stop[text] - at <= _MAX_SIGN_BYTES and 0 <= at < len(utf8) and not _is_letter_or_digit(utf8[at]):
            return True
        while behind < count and first[heads[0, behind]] <= text:
            behind += 1
        if behind and last[heads[0, behind - 1]] >= text:
            return True
        if behind < count and first[heads[0, behind]] == text + 1:
            return True
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_letter_or_digit(byte: cython.uchar) -> cython.bint:
    """Of ASCII."""
    return 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_say_the_same(
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
    shown: cython.uchar[::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    one: cython.Py_ssize_t,
    other: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the shown texts of two elements are the same but for white space, up to the first byte beyond ASCII."""
    left: cython.Py_ssize_t = first[one]  # texts
    right: cython.Py_ssize_t = first[other]
    at: cython.Py_ssize_t = 0  # bytes of these
    place: cython.Py_ssize_t = 0
    byte: cython.int = 0
    beside: cython.int = 0
    while byte == beside and byte < 0x80:
        byte, beside = -1, -1
        while left < last[one] and byte < 0:
            byte = _ink(start, stop, utf8, shown, left, at)
            at += 1
            if byte == _NO_MORE:
                left += 1
                at = 0
        while right < last[other] and beside < 0:
            beside = _ink(start, stop, utf8, shown, right, place)
            place += 1
            if beside == _NO_MORE:
                right += 1
                place = 0
        if byte < 0 and beside < 0:
            return True
    return byte >= 0x80 or beside >= 0x80


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ink(
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
    shown: cython.uchar[::1],
    text: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.int:
    """The byte `at` of a text, -1 for white space; _NO_MORE behind the end, or if it is not shown."""
    if not shown[text] or not 0 <= start[text] < stop[text] - at or stop[text] > len(utf8):
        return _NO_MORE
    return utf8[start[text] + at] if utf8[start[text] + at] > 32 else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_be_empty(
    tag: cython.const[cython.short][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    traits: cython.const[cython.int][::1],
    heads: cython.int[:, ::1],
    count: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a heading may be one with nothing under it, as far as the headings tell (empty_headings.py)."""
    at: cython.Py_ssize_t
    row: cython.Py_ssize_t
    behind: cython.Py_ssize_t
    title: cython.Py_ssize_t = heads[0, 0] if count else -1
    for at in range(count):
        if traits[tag[heads[0, at]]] & _FIRST_HEADING:
            title = heads[0, at]
            break
    for at in range(count):
        row = heads[0, at]
        if not heads[1, at] or row <= title or traits[tag[row]] & _FIRST_HEADING:
            continue
        if heads[0, at - 1] == title and heads[1, at - 1]:
            continue
        if at + 1 == count:
            return True
        behind = heads[0, at + 1]
        if tag[behind] <= tag[row] and (last[row] < first[behind] or end[row] < behind):
            return True
    return False
