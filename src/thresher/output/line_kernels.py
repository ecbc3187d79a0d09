"""The loops over the bytes of lines: what is to be known of each before it is written, and what shows nothing.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["has_invisible_row", "note_lines"]

# What is noted of a line.
_BEGINS_WHITE = cython.declare(cython.int, 1)
_ENDS_WHITE = cython.declare(cython.int, 2)

# Kinds of characters, as in text/invisible.py: from the first on they are dropped in rows.
_JOINER = cython.declare(cython.int, 4)
_CONTROL = cython.declare(cython.int, 7)


def note_lines(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    kept: cython.const[cython.Py_ssize_t][::1],
    sign: cython.int,
    signs: cython.const[cython.uchar][::1],
    text: cython.uchar[::1],
    notes: cython.uchar[::1],
) -> int:
    """Make lines of the kept texts, which stand in `text` with their white space collapsed, a sign before each: in its
    place, a line end between two, no space at their ends; the new length.

    Of each line it is noted whether the text begins with white space and ends with it, as it stands in the page, and
    the bits of its bytes: signs[byte].
    """
    place: cython.Py_ssize_t = -1
    at: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    line: cython.Py_ssize_t = 0
    written: cython.Py_ssize_t = 0
    note: cython.uchar = 0
    byte: cython.uchar
    if len(start) != len(stop) or len(kept) != len(notes) or len(signs) < 256:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for at in range(len(text)):
            byte = text[at]
            if byte == sign:
                if written > line and text[written - 1] == 32:
                    written -= 1
                if 0 <= place < len(notes):
                    notes[place] = note
                if place >= 0:
                    text[written] = 10
                    written += 1
                place += 1
                line = written
                note = 0
                if place < len(notes) and 0 <= kept[place] < len(start):
                    begin, end = max(start[kept[place]], 0), min(stop[kept[place]], len(utf8))
                    if begin < end:
                        note = _BEGINS_WHITE if _begins_white(utf8, begin, end) else 0
                        note |= _ENDS_WHITE if _ends_white(utf8, begin, end) else 0
            elif byte != 32 or written > line:
                note |= signs[byte]
                text[written] = byte
                written += 1
        if written > line and text[written - 1] == 32:
            written -= 1
        if 0 <= place < len(notes):
            notes[place] = note
    return written


def has_invisible_row(
    text: cython.const[cython.uchar][::1],
    leads: cython.const[cython.uchar][::1],
    bounds: cython.const[cython.uint][::1],
    kinds: cython.const[cython.uchar][::1],
) -> cython.bint:
    """Whether two characters that show nothing may stand in a row in UTF-8, or a control.

    `leads` are the bytes with which characters of the `kinds` begin; kinds[k] is that of those whose first three bytes
    are below bounds[k] and not below the bound before.
    """
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(text)
    length: cython.Py_ssize_t
    behind: cython.Py_ssize_t = -1  # the last character that shows nothing
    word: cython.uint
    place: cython.Py_ssize_t
    beyond: cython.Py_ssize_t
    found: cython.bint = False
    if len(leads) < 256 or len(kinds) <= len(bounds):
        raise ValueError("tables have not the lengths they need")
    with cython.nogil:
        for at in range(size):
            if text[at] < 0xC2 or not leads[text[at]]:
                continue
            word = text[at] << 16
            word |= text[at + 1] << 8 if at + 1 < size else 0
            word |= text[at + 2] if at + 2 < size else 0
            place, beyond = 0, len(bounds)
            while place < beyond:
                if bounds[(place + beyond) // 2] <= word:
                    place = (place + beyond) // 2 + 1
                else:
                    beyond = (place + beyond) // 2
            if kinds[place] < _JOINER:
                continue
            length = 2 if text[at] < 0xE0 else 3 if text[at] < 0xF0 else 4
            if kinds[place] == _CONTROL or behind == at:
                found = True
                break
            behind = at + length
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _begins_white(utf8: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Whether the character that begins at a byte is white space."""
    if utf8[at] < 0xC2:
        return 9 <= utf8[at] <= 13 or 28 <= utf8[at] <= 32
    if utf8[at] == 0xC2:
        return at + 1 < end and (utf8[at + 1] == 0x85 or utf8[at + 1] == 0xA0)
    return at + 2 < end and _is_wide_space(utf8[at], utf8[at + 1], utf8[at + 2])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ends_white(utf8: cython.const[cython.uchar][::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Whether the character that ends before a byte is white space."""
    if utf8[end - 1] < 0x80:
        return 9 <= utf8[end - 1] <= 13 or 28 <= utf8[end - 1] <= 32
    if end - 2 >= begin and utf8[end - 2] == 0xC2:
        return utf8[end - 1] == 0x85 or utf8[end - 1] == 0xA0
    return end - 3 >= begin and _is_wide_space(utf8[end - 3], utf8[end - 2], utf8[end - 1])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_wide_space(one: cython.int, two: cython.int, three: cython.int) -> cython.bint:
    """Whether three bytes are U+1680, U+2000–U+200A, U+2028, U+2029, U+202F, U+205F or U+3000."""
    if one == 0xE2:
        if two == 0x80:
            return three <= 0x8A or three == 0xA8 or three == 0xA9 or three == 0xAF
        return two == 0x81 and three == 0x9F
    if one == 0xE1:
        return two == 0x9A and three == 0x80
    return one == 0xE3 and two == 0x80 and three == 0x80
