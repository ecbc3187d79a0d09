"""The loop of `vocabulary` about headings: which share of their words the page's title has.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["share_title_words"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BASE = cython.declare(cython.ulonglong, 0x100000001B3)
_MAY_BE_CAPITAL = cython.declare(cython.int, 0xC3)  # the first byte of a character; none before is in a known alphabet


def share_title_words(
    text: cython.const[cython.uchar][::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    headings: cython.const[cython.int][:, ::1],
    is_lower: cython.bint,
    secret: cython.ulonglong,
    keys: cython.ulonglong[::1],
    seen: cython.int[::1],
    x: cython.float[:, ::1],
    column: cython.Py_ssize_t,
) -> bool:
    """Write for each heading which share of its words the title has, in capitals or not; a word of both counts once.
    Whether that could be told: in text that is not in small letters, letters beyond ASCII may be capitals.

    The title is text[begin:stop]; headings are blocks with their start and stop.  `keys` and `seen` are room for a hash
    table of the title's words, their length a power of two above its bytes.
    """
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    share: cython.double
    is_told: cython.bint
    mask: cython.Py_ssize_t = len(keys) - 1
    if headings.shape[1] != 3 or not 0 <= begin <= stop <= len(text) or not 0 <= column < x.shape[1]:
        raise ValueError("columns have not the lengths they need")
    if mask <= stop - begin or mask & len(keys) or len(seen) != len(keys):
        raise ValueError("the length of the hash table is no power of two above that of the title")
    with cython.nogil:
        is_told = is_lower or not _may_have_capitals(text, begin, stop)
        for k in range(headings.shape[0]):
            if is_told and not is_lower and _is_heading(text, headings, k, x):
                is_told = not _may_have_capitals(text, headings[k, 1], headings[k, 2])
        if is_told:
            for slot in range(len(keys)):
                keys[slot] = 0
            share = _share(text, begin, stop, -1, secret, keys, seen)
            for k in range(headings.shape[0]):
                if _is_heading(text, headings, k, x):
                    share = _share(text, headings[k, 1], headings[k, 2], k, secret, keys, seen)
                    x[headings[k, 0], column] = share
    return bool(is_told)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_heading(
    text: cython.const[cython.uchar][::1],
    headings: cython.const[cython.int][:, ::1],
    k: cython.Py_ssize_t,
    x: cython.float[:, ::1],
) -> cython.bint:
    """Whether there is such a block, and it ends in the text."""
    return 0 <= headings[k, 0] < x.shape[0] and 0 <= headings[k, 1] <= headings[k, 2] <= len(text)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_have_capitals(
    text: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.bint:
    """Whether there are characters beyond ASCII, signs of Latin-1 and general punctuation (U+2000 to U+20BF) left
    out."""
    while at < stop:
        if text[at] >= _MAY_BE_CAPITAL and (text[at] != 0xE2 or at + 1 == stop or text[at + 1] > 0x82):
            return True
        at += 1
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _share(
    text: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    number: cython.int,
    secret: cython.ulonglong,
    keys: cython.ulonglong[::1],
    seen: cython.int[::1],
) -> cython.double:
    """The share of the words of a span that are known; those of a negative number are made known."""
    blank: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    byte: cython.int
    key: cython.ulonglong
    mask: cython.Py_ssize_t = len(keys) - 1
    words: cython.double = 0
    known: cython.double = 0
    while at < stop:
        blank = _blank(text, at, stop)
        if blank > 0:
            at += blank
            continue
        key = 1
        while at < stop and _blank(text, at, stop) == 0:
            byte = text[at]
            if ord("A") <= byte <= ord("Z"):
                byte += 32
            key = ((key ^ byte) * _BASE) & _ALL_BITS
            at += 1
        key |= 1  # 0 is a slot that is free
        words += 1
        slot = cython.cast(cython.Py_ssize_t, ((key * secret) & _ALL_BITS) >> 33) & mask
        while keys[slot] != 0 and keys[slot] != key:
            slot = (slot + 1) & mask
        if number < 0:
            keys[slot] = key
            seen[slot] = -1
        elif keys[slot] == key and seen[slot] != number:
            seen[slot] = number
            known += 1
    return known / max(words, 1.0)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _blank(text: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """How many bytes the white space has that stands there, as `str.split` knows it; NULs stand between texts."""
    byte: cython.int = text[at]
    last: cython.int
    if byte < 0x80:
        return byte == 0 or 9 <= byte <= 13 or 28 <= byte <= 32
    if byte == 0xC2:
        return 2 if at + 1 < stop and (text[at + 1] == 0x85 or text[at + 1] == 0xA0) else 0
    if not 0xE1 <= byte <= 0xE3 or at + 2 >= stop:
        return 0
    last = text[at + 2]
    if byte == 0xE1:
        return 3 if text[at + 1] == 0x9A and last == 0x80 else 0
    if byte == 0xE3:
        return 3 if text[at + 1] == 0x80 and last == 0x80 else 0
    if text[at + 1] == 0x81:
        return 3 if last == 0x9F else 0
    return 3 if text[at + 1] == 0x80 and (last <= 0x8A or 0xA8 <= last <= 0xA9 or last == 0xAF) else 0
