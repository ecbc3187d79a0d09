"""The loops of `visible` over the bytes of attributes and texts.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["mark_saying", "squeeze_texts"]


def mark_saying(
    markup: cython.const[cython.uchar][::1],
    row: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    said: cython.const[cython.uchar][::1],
    stripped: cython.bint,
    tag: cython.const[cython.short][::1],
    only: cython.int,
    chosen: cython.uchar[::1],
) -> int:
    """Choose the rows with an attribute that says a word, capitals or not, with white space around it or not; only
    those of one tag, unless that is below 0.  How many they are."""
    at: cython.Py_ssize_t
    k: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    letter: cython.int
    count: cython.Py_ssize_t = 0
    if not len(row) == len(start) == len(stop) or len(tag) != len(chosen):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for at in range(len(row)):
            begin, end = start[at], stop[at]
            if not 0 <= begin <= end <= len(markup) or not 0 <= row[at] < len(chosen):
                continue
            if only >= 0 and tag[row[at]] != only:
                continue
            if stripped:
                while begin < end and _is_white(markup[begin]):
                    begin += 1
                while begin < end and _is_white(markup[end - 1]):
                    end -= 1
            if end - begin != len(said):
                continue
            k = 0
            while k < len(said):
                letter = markup[begin + k]
                letter |= 32 if ord("A") <= letter <= ord("Z") else 0
                if letter != said[k]:
                    break
                k += 1
            if k == len(said):
                chosen[row[at]] = 1
                count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_white(byte: cython.int) -> cython.bint:
    return byte == 32 or 9 <= byte <= 13


def squeeze_texts(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    left_out: cython.const[cython.uchar][::1],
    out: cython.uchar[::1],
) -> int:
    """Write the texts that are not left out, white space around and between their words as one space; how long that
    is.  White space is what `str.split` takes for it, and NUL."""
    text: cython.Py_ssize_t
    at: cython.Py_ssize_t
    white: cython.Py_ssize_t
    size: cython.Py_ssize_t = 0
    waits: cython.bint
    if not len(start) == len(stop) == len(left_out):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for text in range(len(start)):
            if left_out[text] or start[text] < 0 or stop[text] > len(utf8):
                continue
            waits = True
            at = start[text]
            while at < stop[text] and size + 1 < len(out):
                white = _white_bytes(utf8, at)
                if white:
                    waits = True
                    at += white
                    continue
                if waits and size:
                    out[size] = 32
                    size += 1
                waits = False
                out[size] = utf8[at]
                size += 1
                at += 1
    return size


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _white_bytes(utf8: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """How many bytes the white space takes that stands here; 0 for none."""
    first: cython.int = utf8[at]
    second: cython.int
    third: cython.int
    if first < 0x80:
        return first == 32 or first == 0 or 9 <= first <= 13 or 28 <= first <= 31
    if first < 0xC2 or first > 0xE3 or 0xC2 < first < 0xE1 or at + 1 >= len(utf8):
        return 0
    second = utf8[at + 1]
    if first == 0xC2:
        return 2 if second == 0x85 or second == 0xA0 else 0
    third = utf8[at + 2] if at + 2 < len(utf8) else 0
    if first == 0xE1:
        return 3 if second == 0x9A and third == 0x80 else 0
    if first == 0xE3:
        return 3 if second == 0x80 and third == 0x80 else 0
    if second == 0x80:
        return 3 if 0x80 <= third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF else 0
    return 3 if second == 0x81 and third == 0x9F else 0
