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
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from math import log1p

    from thresher.methods.auto.kernels import columns as col

__all__ = ["write_signs"]

_BOX = cython.declare(cython.int, 6)  # level 2: the container that is around a field and little else
_DATE = cython.declare(cython.int, 0)  # columns of features
_PRICE = cython.declare(cython.int, 4)
_PRICES_OF_PAGE = cython.declare(cython.int, 7)
_MARKED = cython.declare(cython.int, 8)
_SIGN_UP = cython.declare(cython.int, 11)
_WIDTH = cython.declare(cython.int, 12)
_DATE_WORDS = cython.declare(cython.int, 8)
_DATE_DIGITS = cython.declare(cython.int, 2)
_DATE_SHARE = cython.declare(cython.int, 5)  # characters for each digit, at most
_PRICE_WORDS = cython.declare(cython.int, 12)
_MAX_SIGN_UP = cython.declare(cython.int, 400)  # characters


def write_signs(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    fields: cython.const[cython.int][::1],
    marks: cython.uchar[::1],
    reals: cython.double[:, ::1],
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> None:
    """Write the columns named in SIGNS.

    `marks` has three bits for elements: called comments, headed so, dialogs; or it has no rows.  `fields` are the rows
    of fields for addresses, ascending; `reals` is room for two columns over the blocks, one longer.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t = blocks.shape[1]
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    if not count == own.shape[0] == x.shape[0] < reals.shape[1] or reals.shape[0] < 2 or len(start) != len(stop):
        raise ValueError("columns have not the lengths they need")
    if (
        rows < 0
        or len(marks) not in (0, rows)
        or blocks.shape[0] < col.BLOCK_ROWS
        or elements.shape[1] != col.ELEMENT_COLUMNS
    ):
        raise ValueError("columns have not the lengths they need")
    if own.shape[1] != col.SUMS or sums.shape[1] != col.SUMS or at < 0 or x.shape[1] < at + _WIDTH:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        _find_signs(utf8, start, stop, blocks, own, reals, x, at)
        for row in range(len(marks)):
            if 0 <= elements[row, col.PARENT] < row:
                marks[row] |= marks[elements[row, col.PARENT]]
        for b in range(count):
            for k in range(1, 4):
                x[b, at + _DATE + k] = _held(reals, 0, blocks[col.BEGIN + k, b], blocks[col.STOP + k, b], count, logs)
            for k in range(1, 3):
                x[b, at + _PRICE + k] = _held(reals, 1, blocks[col.BEGIN + k, b], blocks[col.STOP + k, b], count, logs)
            x[b, at + _PRICES_OF_PAGE] = _log(logs, cython.cast(cython.Py_ssize_t, reals[1, count]))
            for k in range(3):
                x[b, at + _MARKED + k] = marks[blocks[col.AT, b]] >> k & 1 if 0 <= blocks[col.AT, b] < len(marks) else 0
            x[b, at + _SIGN_UP] = 0
            if len(fields) > 0 and 0 <= blocks[_BOX, b] < rows:
                x[b, at + _SIGN_UP] = _is_sign_up(fields, blocks[_BOX, b], sums, elements)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_signs(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    reals: cython.double[:, ::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """Write which blocks are dates or times, as far as their shape tells, and which are prices; and how many are before
    each."""
    b: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    digits: cython.double
    words: cython.double
    is_date: cython.bint
    is_price: cython.bint
    reals[0, 0] = reals[1, 0] = 0
    for b in range(x.shape[0]):
        digits = own[b, col.DIGITS]
        words = own[b, col.WORDS]
        first, last = blocks[col.FIRST, b], blocks[col.LAST, b]
        is_date = digits >= _DATE_DIGITS and _DATE_SHARE * digits >= own[b, col.CHARS] and words <= _DATE_WORDS
        is_price = False
        if digits > 0 and words <= _PRICE_WORDS and 0 <= first <= last < len(start):
            is_price = _holds_currency(utf8, max(start[first], 0), min(stop[last], len(utf8)))
        x[b, at + _DATE] = is_date
        x[b, at + _PRICE] = is_price
        reals[0, b + 1] = reals[0, b] + is_date
        reals[1, b + 1] = reals[1, b] + is_price


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _log(logs: cython.const[cython.double][::1], n: cython.Py_ssize_t) -> cython.double:
    return logs[n] if 0 <= n < len(logs) else log1p(max(n, 0))


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


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _held(
    reals: cython.const[cython.double][:, ::1],
    which: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    logs: cython.const[cython.double][::1],
) -> cython.double:
    if 0 <= begin <= stop <= count:
        return _log(logs, cython.cast(cython.Py_ssize_t, reals[which, stop] - reals[which, begin]))
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_sign_up(
    fields: cython.const[cython.int][::1],
    box: cython.Py_ssize_t,
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
) -> cython.bint:
    """Whether a container has a field and little text."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = len(fields)
    middle: cython.Py_ssize_t
    first: cython.Py_ssize_t = elements[box, col.FIRST_TEXT]
    last: cython.Py_ssize_t = elements[box, col.LAST_TEXT]
    while low < high:  # the first field from here on
        middle = (low + high) // 2
        if fields[middle] < box:
            low = middle + 1
        else:
            high = middle
    if low == len(fields) or fields[low] >= elements[box, col.END] or not 0 <= first <= last < sums.shape[0]:
        return False
    return sums[last, col.CHARS] - sums[first, col.CHARS] < _MAX_SIGN_UP
