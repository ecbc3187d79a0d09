"""The loops of `signs`: dates, prices, and what blocks stand in.

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
    from cython.cimports.libc.math import log1p
else:
    from math import log1p

__all__ = ["find_headings", "find_signs", "write_signs"]

_WORDS = cython.declare(cython.int, 0)  # rows of what is counted, as `counts` has them
_CHARS = cython.declare(cython.int, 1)
_DIGITS = cython.declare(cython.int, 2)
_DATE_WORDS = cython.declare(cython.int, 8)
_DATE_DIGITS = cython.declare(cython.int, 2)
_DATE_SHARE = cython.declare(cython.int, 5)  # characters for each digit, at most
_PRICE_WORDS = cython.declare(cython.int, 12)
_MAX_SIGN_UP = cython.declare(cython.int, 400)  # characters


def find_signs(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    first: cython.const[cython.Py_ssize_t][::1],
    last: cython.const[cython.Py_ssize_t][::1],
    own: cython.const[cython.float][:, ::1],
    dated: cython.uchar[::1],
    priced: cython.uchar[::1],
) -> None:
    """Write which blocks are dates or times, as far as their shape tells, and which are prices."""
    b: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(utf8)
    digits: cython.double
    words: cython.double
    if not len(first) == len(last) == len(dated) == len(priced) == own.shape[1] or own.shape[0] <= _DIGITS:
        raise ValueError("columns have not the lengths they need")
    if len(start) != len(stop):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(len(first)):
            digits = own[_DIGITS, b]
            words = own[_WORDS, b]
            dated[b] = digits >= _DATE_DIGITS and _DATE_SHARE * digits >= own[_CHARS, b] and words <= _DATE_WORDS
            priced[b] = 0
            if digits > 0 and words <= _PRICE_WORDS and 0 <= first[b] <= last[b] < len(start):
                priced[b] = _holds_currency(utf8, max(start[first[b]], 0), min(stop[last[b]], size))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _holds_currency(
    utf8: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.bint:
    """Whether a sign of a currency stands there: $ £ ¥, those from ₠ on, the wide ones."""
    byte: cython.int
    while at < stop:
        byte = utf8[at]
        if byte == ord("$"):
            return True
        if byte == 0xC2 and at + 1 < stop and (utf8[at + 1] == 0xA3 or utf8[at + 1] == 0xA5):
            return True
        if at + 2 < stop and byte == 0xE2 and utf8[at + 1] == 0x82 and utf8[at + 2] >= 0xA0:
            return True
        if at + 2 < stop and byte == 0xEF and utf8[at + 1] == 0xBF and utf8[at + 2] >= 0xA5:
            return True
        at += 1
    return False


def find_headings(
    tag: cython.const[cython.short][::1],
    is_heading: cython.const[cython.uchar][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    longest: cython.int,
    headings: cython.int[:, ::1],
) -> int:
    """Write row, start and stop of the headings with some text and at most so many bytes; how many there are."""
    row: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if not len(tag) == len(first) == len(last) <= headings.shape[1] or headings.shape[0] < 3 or len(start) != len(stop):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(len(tag)):
            if not (0 <= tag[row] < len(is_heading) and is_heading[tag[row]] and 0 <= first[row] < last[row]):
                continue
            if last[row] > len(start):
                continue
            begin = start[first[row]]
            end = stop[last[row] - 1]
            if end - begin <= longest:
                headings[0, count], headings[1, count], headings[2, count] = row, begin, end
                count += 1
    return count


def write_signs(
    dated: cython.const[cython.uchar][::1],
    priced: cython.const[cython.uchar][::1],
    begin: cython.const[cython.Py_ssize_t][:, ::1],
    stop: cython.const[cython.Py_ssize_t][:, ::1],
    at: cython.const[cython.Py_ssize_t][::1],
    box: cython.const[cython.Py_ssize_t][::1],
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    chars: cython.const[cython.int][::1],
    fields: cython.const[cython.int][::1],
    marks: cython.uchar[::1],
    running: cython.Py_ssize_t[:, ::1],
    out: cython.float[:, :],
) -> None:
    """Write the columns named in SIGNS.

    `marks` has three bits for elements: called comments, headed so, dialogs; or it has no rows.  `fields` are the rows
    of fields for addresses, ascending; `box` the container of each block that is small if it is made for one; `chars`
    the characters of the texts before each; `running` is room for sums over the blocks before each.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = len(dated)
    rows: cython.Py_ssize_t = len(parent)
    if not blocks == len(priced) == begin.shape[1] == stop.shape[1] == len(at) == len(box) == out.shape[0]:
        raise ValueError("columns have not the lengths they need")
    if not rows == len(end) == len(first) == len(last) or len(marks) not in (0, rows) or out.shape[1] < 12:
        raise ValueError("columns have not the lengths they need")
    if begin.shape[0] < 4 or stop.shape[0] < 4 or running.shape[0] < 2 or running.shape[1] != blocks + 1:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        running[0, 0] = running[1, 0] = 0
        for b in range(blocks):
            running[0, b + 1] = running[0, b] + dated[b]
            running[1, b + 1] = running[1, b] + priced[b]
        for row in range(len(marks)):
            if 0 <= parent[row] < row:
                marks[row] |= marks[parent[row]]
        for b in range(blocks):
            out[b, 0] = dated[b]
            out[b, 4] = priced[b]
            for k in range(1, 4):
                out[b, k] = _held(running, 0, begin[k, b], stop[k, b])
            for k in range(1, 3):
                out[b, 4 + k] = _held(running, 1, begin[k, b], stop[k, b])
            out[b, 7] = log1p(running[1, blocks])
            for k in range(3):
                out[b, 8 + k] = marks[at[b]] >> k & 1 if 0 <= at[b] < len(marks) else 0
            out[b, 11] = 0
            if len(fields) > 0 and 0 <= box[b] < rows:
                out[b, 11] = _is_sign_up(fields, box[b], end[box[b]], first[box[b]], last[box[b]], chars)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _held(
    running: cython.const[cython.Py_ssize_t][:, ::1],
    which: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
) -> cython.double:
    if 0 <= begin <= stop < running.shape[1]:
        return log1p(running[which, stop] - running[which, begin])
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_sign_up(
    fields: cython.const[cython.int][::1],
    box: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    chars: cython.const[cython.int][::1],
) -> cython.bint:
    """Whether a container has a field and little text."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = len(fields)
    middle: cython.Py_ssize_t
    while low < high:  # the first field from here on
        middle = (low + high) // 2
        if fields[middle] < box:
            low = middle + 1
        else:
            high = middle
    if low == len(fields) or fields[low] >= end or not 0 <= first <= last < len(chars):
        return False
    return chars[last] - chars[first] < _MAX_SIGN_UP
