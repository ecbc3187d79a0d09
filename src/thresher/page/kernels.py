"""The loops of `page`: over the bytes of its texts.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["count_texts"]

# Bits of a byte, in the order of COUNTED; and of one that may stand behind a mark which ends a sentence: white space,
# quotes, brackets.
_CLOSING = cython.declare(cython.int, 7)

# Kinds of characters beyond ASCII.
_LETTER = cython.declare(cython.int, 0)
_IDEOGRAPH = cython.declare(cython.int, 1)
_UNSPACED = cython.declare(cython.int, 2)
_BLANK = cython.declare(cython.int, 4)
_COMMA = cython.declare(cython.int, 5)
_STOP = cython.declare(cython.int, 6)


def count_texts(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    of_byte: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][::1],
    count: cython.longlong[:, ::1],
) -> None:
    """Write the counts of the texts utf8[start[k]:stop[k]] into the columns of `count`."""
    text: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(utf8)
    if (
        len(of_byte) < 256
        or len(kinds) < 0x12000
        or not len(stop) == len(start) == count.shape[1]
        or count.shape[0] < 6
    ):
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for text in range(len(start)):
            if start[text] >= 0 and stop[text] <= size:
                _count_text(utf8, start[text], stop[text], of_byte, kinds, count, text)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_text(
    utf8: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    of_byte: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][::1],
    count: cython.longlong[:, ::1],
    text: cython.Py_ssize_t,
) -> cython.void:
    words: cython.longlong = 0
    chars: cython.longlong = 0
    digits: cython.longlong = 0
    capitals: cython.longlong = 0
    marks: cython.longlong = 0
    ends: cython.longlong = 0
    ideographs: cython.longlong = 0
    unspaced: cython.longlong = 0
    in_word: cython.int = 0
    byte: cython.int
    bits: cython.int
    kind: cython.int
    code: cython.int
    size: cython.Py_ssize_t = len(utf8)
    while at < stop:
        byte = utf8[at]
        at += 1
        if byte < 0x80:
            bits = of_byte[byte]
            words += bits & 1 & ~in_word
            in_word = bits & 1
            chars += bits >> 1 & 1
            digits += bits >> 2 & 1
            capitals += bits >> 3 & 1
            marks += bits >> 4 & 1
            if bits >> 5 & 1 and (at >= size or of_byte[utf8[at]] >> _CLOSING):
                ends += 1
            continue
        code = byte & (0x1F if byte < 0xE0 else 0x0F if byte < 0xF0 else 0x07)
        while at < stop and utf8[at] & 0xC0 == 0x80:
            code = (code << 6 | (utf8[at] & 0x3F)) & 0x1FFFFF
            at += 1
        kind = kinds[code if code < 0x10000 else 0x10000 + (code >> 8)]
        words += kind == _LETTER and not in_word
        in_word = kind == _LETTER
        chars += kind != _BLANK
        marks += kind in (_COMMA, _STOP)
        ends += kind == _STOP
        ideographs += kind == _IDEOGRAPH
        unspaced += kind == _UNSPACED
    count[0, text] = words + ((ideographs + 1) >> 1) + ((unspaced + 3) >> 2)
    count[1, text] = chars
    count[2, text] = digits
    count[3, text] = capitals
    count[4, text] = marks
    count[5, text] = ends
