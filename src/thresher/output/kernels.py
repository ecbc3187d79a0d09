"""The loops of `output`: over the bytes of what is printed, and over the texts between which something stands.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["mark_fragment_links", "write_texts"]

_NO_TEXT = cython.declare(cython.int, 8)  # bit of a gap

_TAB = cython.declare(cython.int, 2)  # what stands between two words, from the weakest to the strongest
_LINE = cython.declare(cython.int, 3)
_BLOCK = cython.declare(cython.int, 4)

# Kinds of characters, as in text/invisible.py.
_WHITE = cython.declare(cython.int, 1)
_UNWANTED = cython.declare(cython.int, 2)
_BETWEEN = cython.declare(cython.int, 3)
_CONTROL = cython.declare(cython.int, 7)

# In each of eight bytes a one, a space, a top bit, and all bits below.
_ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
_SPACES = cython.declare(cython.ulonglong, 0x2020202020202020)
_TOPS = cython.declare(cython.ulonglong, 0x8080808080808080)
_BELOW_TOPS = cython.declare(cython.ulonglong, 0x7F7F7F7F7F7F7F7F)

_WIDE = cython.declare(cython.int, 1)  # an East Asian character
_MARK = cython.declare(cython.int, 2)  # beside one, a quote, a dash or an ellipsis
_UNSPACED = cython.declare(cython.int, 3)  # a letter of Thai, Lao, Burmese or Khmer


def write_texts(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    gap: cython.const[cython.schar][::1],
    signs: cython.const[cython.uchar][::1],
    places: cython.const[cython.int][::1],
    edges: cython.const[cython.int][::1],
    added: cython.const[cython.uchar][::1],
    leads: cython.const[cython.uchar][::1],
    bounds: cython.const[cython.uint][::1],
    kinds: cython.const[cython.uchar][::1],
    joined: cython.uchar[::1],
    words: cython.const[cython.ulonglong][::1],
    out: cython.uchar[::1],
) -> int:
    """Write the texts that have a gap, which is none below 0, each behind the sign of its gap, and what is added; then
    collapse the white space of the whole.  How many bytes; or less than 0, -1 - length, where characters that show
    nothing may stand in a row.

    The sign of gap g is what stands in signs[2 g:2 g + 2] but NULs; with _NO_TEXT in it, the sign is all that is
    written.  At places[k], ascending, are put the bytes from edges[k] to edges[k + 1]: at 3 t before the sign of text
    t, at 3 t + 1 before the text, at 3 t + 2 behind it.  `joined` and `out` have room for the texts, what is added, and
    two bytes more for each text; `words` are the bytes of `joined`, eight at a time, or empty.
    """
    text: cython.Py_ssize_t
    piece: cython.Py_ssize_t = 0
    half: cython.Py_ssize_t
    code: cython.int
    written: cython.Py_ssize_t = 0
    collapsed: cython.Py_ssize_t
    texts: cython.Py_ssize_t = len(start)
    if not texts == len(stop) == len(gap) or len(edges) <= len(places):
        raise ValueError("columns have not the lengths they need")
    if len(leads) < 256 or len(kinds) <= len(bounds) or len(out) < len(joined):
        raise ValueError("tables have not the lengths they need")
    with cython.nogil:
        for text in range(texts + 1):
            code = gap[text] if text < texts else -1
            while piece < len(places) and places[piece] <= 3 * text:
                written = _add(added, edges[piece], edges[piece + 1], joined, written)
                piece += 1
            if code >= 0:
                for half in range(2 * (code & ~_NO_TEXT), min(2 * (code & ~_NO_TEXT) + 2, len(signs))):
                    if signs[half]:
                        written = _add(signs, half, half + 1, joined, written)
            while piece < len(places) and places[piece] <= 3 * text + 1:
                written = _add(added, edges[piece], edges[piece + 1], joined, written)
                piece += 1
            if code >= 0 and not code & _NO_TEXT:
                written = _add_trimmed(utf8, start[text], stop[text], joined, written)
            while piece < len(places) and places[piece] <= 3 * text + 2:
                written = _add(added, edges[piece], edges[piece + 1], joined, written)
                piece += 1
        collapsed = _collapse(joined[:written], words, leads, bounds, kinds, out)
    return collapsed


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add(
    data: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    out: cython.uchar[::1],
    written: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write some bytes, if there is room for them; how many are written then."""
    at: cython.Py_ssize_t
    start = max(start, 0)
    stop = max(min(stop, len(data)), start)
    if written + stop - start > len(out):
        return written
    for at in range(start, stop):
        out[written + at - start] = data[at]
    return written + stop - start


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _add_trimmed(
    data: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    out: cython.uchar[::1],
    written: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The same without the white space at their ends."""
    start = max(start, 0)
    stop = min(stop, len(data))
    while start < stop and _is_space(data[stop - 1]):
        stop -= 1
    while start < stop and _is_space(data[start]):
        start += 1
    return _add(data, start, stop, out, written)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _collapse(
    text: cython.uchar[::1],
    words: cython.const[cython.ulonglong][::1],
    leads: cython.const[cython.uchar][::1],
    bounds: cython.const[cython.uint][::1],
    kinds: cython.const[cython.uchar][::1],
    out: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Collapse the white space of UTF-8 with signs in it; the length of what is written, or less than 0, -1 - length,
    where characters that show nothing may stand in a row.

    Between two words stands the strongest of what separates them: a space, a tab (FA), a line end (F9), two (F8 F8).
    Controls and unwanted characters go.  A line end in the source between two East Asian characters is nothing.
    `leads` are the bytes with which characters of the `kinds` begin; kinds[k] is that of those whose first three bytes
    are below bounds[k] and not below the bound before.
    """
    at: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(text)
    written: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t  # of a character, in bytes
    waiting: cython.int = 0  # what separates the next word
    waited: cython.int = 0  # the same before the white space in which we are
    broken: cython.int = 0  # a line end was in it
    before: cython.int = 0  # what the last character was
    kind: cython.int
    byte: cython.int
    behind: cython.int
    space: cython.bint  # whether the last byte is one
    gone: cython.Py_ssize_t = 0  # controls
    odd: cython.Py_ssize_t = -8  # where the last character that shows nothing began, controls left out
    rows: cython.bint = False
    while at < size:
        byte = text[at]
        if byte == 32 or 9 <= byte <= 13:
            if not broken & 2:  # white space begins
                broken, waited = 2, waiting
            if byte == 10:
                broken |= 1
            elif byte == 11 or byte == 12:
                before = 0
            waiting = max(waiting, 1)
            at += 1
            continue
        if byte < 32 or byte == 127:
            gone += 1
            at += 1
            continue
        length, kind = 1, 0
        if byte < 127:  # all of an ASCII word at once
            while at + length < size and 32 < text[at + length] < 127:
                length += 1
        elif byte >= 0xC2:
            if 0xF8 <= byte <= 0xFA:
                length = 2 if byte == 0xF8 and at + 1 < size and text[at + 1] == 0xF8 else 1
                waiting = max(waiting, _BLOCK if length == 2 else _TAB if byte == 0xFA else _LINE)
                before = broken = 0
                at += length
                continue
            length = min(2 if byte < 0xE0 else 3 if byte < 0xF0 else 4, size - at) if byte < 0xF8 else 1
            if leads[byte]:
                kind = _kind(text, at, bounds, kinds)
            if broken & 1 and before and _breaks_no_word(before, _class(text, at)):
                waiting = waited
        if kind:
            if kind == _BETWEEN and (
                waiting or before != _UNSPACED or _class(text, _behind(text, at + 3, leads, bounds, kinds)) != _UNSPACED
            ):
                kind = _UNWANTED
                before = 0 if before == _UNSPACED else before
            if kind != _WHITE:
                rows |= at - gone - odd <= 4 or kind == _CONTROL
                odd = at - gone
            if kind == _UNWANTED:
                at += length
                continue
        broken = 0
        if kind == _WHITE:
            before = _class(text, at)
            waiting = max(waiting, 1)
            at += length
            continue
        before = _class(text, at) if byte >= 0xE0 else 0
        if waiting:
            if written:
                out[written] = 32 if waiting == 1 else 9 if waiting == _TAB else 10
                written += 1
                if waiting == _BLOCK:
                    out[written] = 10
                    written += 1
            waiting = 0
        length += at
        # After a character of ASCII others are what they are, and so are single spaces between them.
        space = False
        while byte < 0x80 and length < size:
            behind = text[length]
            if behind < 32 or behind > 126 or (behind == 32) & space:
                break
            space = behind == 32
            length += 1
            while not length & 7 and length + 8 <= size and length >> 3 < len(words):
                if not _is_plain(words[length >> 3]) or (space and text[length] == 32):
                    break
                space = text[length + 7] == 32
                length += 8
        length -= space
        written = _add(text, at, length, out, written)
        at = length
    return -1 - written if rows else written


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_plain(word: cython.ulonglong) -> cython.bint:
    """Whether eight bytes are letters and signs of ASCII and single spaces."""
    blank: cython.ulonglong
    if (word | (word + _ONES) | ~((word | _TOPS) - _SPACES)) & _TOPS:  # beyond ASCII, 127, below 32
        return False
    blank = ~((word ^ _SPACES) + _BELOW_TOPS) & _TOPS
    return not blank & (blank << 8)


def mark_fragment_links(
    markup: cython.const[cython.uchar][::1],
    row: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    link: cython.int,
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    mark: cython.uchar[::1],
) -> int:
    """Mark the texts in links whose address, markup[start:stop] of an element, has a fragment: 1, or 2 where it is no
    more than that.  How many links have such an address."""
    at: cython.Py_ssize_t
    place: cython.Py_ssize_t
    text: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(tag)
    if not len(row) == len(start) == len(stop) or not size == len(first) == len(last):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for at in range(len(row)):
            if not 0 <= row[at] < size or tag[row[at]] != link or start[at] < 0 or stop[at] > len(markup):
                continue
            for place in range(start[at], stop[at]):
                if markup[place] == ord("#"):
                    count += 1
                    if 0 <= first[row[at]] < last[row[at]] <= len(mark):
                        for text in range(first[row[at]], last[row[at]]):
                            mark[text] = 2 if place == start[at] else 1
                    break
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_space(byte: cython.uchar) -> cython.bint:
    return byte == 32 or 9 <= byte <= 13


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _breaks_no_word(before: cython.int, after: cython.int) -> cython.bint:
    """Whether a line end between two such characters is nothing."""
    return (before == _WIDE and after in (_WIDE, _MARK)) or (before == _MARK and after == _WIDE)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _behind(
    text: cython.uchar[::1],
    at: cython.Py_ssize_t,
    leads: cython.const[cython.uchar][::1],
    bounds: cython.const[cython.uint][::1],
    kinds: cython.const[cython.uchar][::1],
) -> cython.Py_ssize_t:
    """Where the next character begins that is no control and not unwanted."""
    while at < len(text):
        if text[at] < 9 or 13 < text[at] < 32 or text[at] == 127:
            at += 1
        elif leads[text[at]] and _kind(text, at, bounds, kinds) == _UNWANTED:
            at += 2 if text[at] < 0xE0 else 3 if text[at] < 0xF0 else 4
        else:
            break
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _class(text: cython.uchar[::1], at: cython.Py_ssize_t) -> cython.int:
    """What a character of three bytes is for the white space beside it; 0 for all others."""
    first: cython.int
    second: cython.int
    third: cython.int
    curly: cython.bint
    if at + 2 >= len(text):
        return 0
    first, second, third = text[at], text[at + 1], text[at + 2]
    if 0xE3 <= first <= 0xE9 or (first == 0xEF and (second == 0xBC or second == 0xBD)):
        return _WIDE
    if first == 0xE2:
        curly = third in (0x94, 0x98, 0x99, 0x9C, 0x9D, 0xA6)
        return _MARK if second == 0x80 and curly else 0
    if first == 0xE0 and 0xB8 <= second <= 0xBB:
        return _UNSPACED
    return _UNSPACED if first == 0xE1 and (second <= 0x82 or second == 0x9E or second == 0x9F) else 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _kind(
    text: cython.uchar[::1],
    at: cython.Py_ssize_t,
    bounds: cython.const[cython.uint][::1],
    kinds: cython.const[cython.uchar][::1],
) -> cython.int:
    """The kind of a character: that of the last bound at or below its first three bytes."""
    size: cython.Py_ssize_t = len(text)
    word: cython.uint = text[at] << 16
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = len(bounds)
    middle: cython.Py_ssize_t
    if at + 1 < size:
        word |= text[at + 1] << 8
    if at + 2 < size:
        word |= text[at + 2]
    while low < high:
        middle = (low + high) >> 1
        if bounds[middle] <= word:
            low = middle + 1
        else:
            high = middle
    return kinds[low]
