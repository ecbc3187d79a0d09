"""The loop of `features` about a block by itself: what it is made of, where it stands, and the page it stands on.

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

__all__ = ["write_own"]

_FEW_WORDS = cython.declare(cython.int, 3)
_MAX_LINKED = cython.declare(cython.double, 0.35)  # link density above which a block is no prose


def write_own(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    shapes: cython.const[cython.uchar][::1],
    facts: cython.const[cython.ulonglong][::1],
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    logs: cython.const[cython.double][::1],
    headings: cython.int[:, ::1],
    x: cython.float[:, ::1],
    own_at: cython.Py_ssize_t,
    place_at: cython.Py_ssize_t,
) -> int:
    """Write the columns named in OWN and INSIDE from own_at on, and those in PLACE, but for the words of the title, and
    PAGE from place_at on; into `headings` number, start and stop of the first blocks that are in one, as many as there
    is room for.  How many of these there are.

    `shapes` has for each byte a bit for each way a block begins or ends with it, `facts` the bits of each tag
    (`elements`), `logs` the logarithms of one more than 0, 1, …
    """
    b: cython.Py_ssize_t
    count: cython.Py_ssize_t = blocks.shape[1]
    found: cython.Py_ssize_t
    if not count == own.shape[0] == x.shape[0] or blocks.shape[0] < col.BLOCK_ROWS or len(start) != len(stop):
        raise ValueError("columns have not the lengths they need")
    if own.shape[1] != col.SUMS or sums.shape[1] != col.SUMS or sums.shape[0] < 1 or len(shapes) < 256:
        raise ValueError("columns have not the lengths they need")
    if (
        elements.shape[1] != col.ELEMENT_COLUMNS
        or elements.shape[0] < 2
        or own_at < 0
        or x.shape[1] < own_at + col.OWN_WIDTH + col.GROUPS
    ):
        raise ValueError("columns have not the lengths they need")
    if place_at < 0 or x.shape[1] < place_at + col.PLACE_WIDTH + col.PAGE_WIDTH or headings.shape[1] != 3:
        raise ValueError("columns have not the lengths they need")
    if count == 0:
        return 0
    with cython.nogil:
        for b in range(count):
            _write_counts(utf8, start, stop, shapes, facts, blocks, own, elements, logs, x, own_at, b)
        _write_place(blocks, sums, elements, logs, x, place_at)
        _write_page(blocks, sums, own, elements, x, place_at + col.PLACE_WIDTH)
        found = _list_headings(start, stop, blocks, elements, headings)
    return found


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
def _write_counts(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    shapes: cython.const[cython.uchar][::1],
    facts: cython.const[cython.ulonglong][::1],
    blocks: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
) -> cython.void:
    """Write the columns named in OWN and in INSIDE of one block."""
    k: cython.Py_ssize_t
    tag: cython.Py_ssize_t = -1
    first: cython.Py_ssize_t = blocks[col.FIRST, b]
    last: cython.Py_ssize_t = blocks[col.LAST, b]
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    chars: cython.double = max(own[b, col.CHARS], 1.0)
    words: cython.double = own[b, col.WORDS]
    inside: cython.uint
    x[b, at] = _log(logs, cython.cast(cython.Py_ssize_t, chars))
    x[b, at + 1] = _log(logs, cython.cast(cython.Py_ssize_t, words))
    x[b, at + 2] = min(chars / max(words, 1.0), 20.0) / 5
    x[b, at + 3] = own[b, col.LINKED] / chars
    x[b, at + 4] = _log(logs, cython.cast(cython.Py_ssize_t, own[b, col.ENDS]))
    x[b, at + 5] = own[b, col.PUNCTUATION] * 10 / chars
    x[b, at + 6] = own[b, col.DIGITS] / chars
    x[b, at + 7] = own[b, col.CAPITALS] * 2 / chars
    x[b, at + 8] = own[b, col.EMPHASIS] / chars
    for k in range(9, 17):
        x[b, at + k] = 0
    if 0 <= first <= last < len(start):
        begin = start[first]
        end = stop[last]
        if 0 <= begin < end <= len(utf8):
            for k in range(3):
                x[b, at + 9 + k] = shapes[utf8[begin]] >> k & 1
                x[b, at + 12 + k] = shapes[utf8[end - 1]] >> (3 + k) & 1
        x[b, at + 15] = _log(logs, last - first)
        x[b, at + 16] = min(max((end - begin) / chars - 1.2, 0.0), 2.0)
    x[b, at + 17] = words <= _FEW_WORDS
    if 0 <= blocks[col.LEVEL, b] < elements.shape[0]:
        tag = elements[blocks[col.LEVEL, b], col.TAG]
    x[b, at + 18] = (facts[tag] >> col.RANK & 7) / 3.0 if 0 <= tag < len(facts) else 0
    inside = elements[blocks[col.AT, b] if 0 <= blocks[col.AT, b] < elements.shape[0] else 0, col.INSIDE]
    for k in range(col.GROUPS):
        x[b, at + col.OWN_WIDTH + k] = inside >> k & 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_place(
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    logs: cython.const[cython.double][::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """Write the columns named in PLACE."""
    b: cython.Py_ssize_t
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t = 0  # the element of the block before
    count: cython.Py_ssize_t = blocks.shape[1]
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    texts: cython.Py_ssize_t = sums.shape[0] - 1
    last_heading: cython.Py_ssize_t = -1
    next_heading: cython.Py_ssize_t = 2 * count
    main: cython.Py_ssize_t = -1
    total: cython.double = max(sums[texts, col.CHARS], 1)
    for b in range(count):
        row = blocks[col.AT, b] if 0 <= blocks[col.AT, b] < rows else 0
        if elements[row, col.INSIDE] >> col.IN_HEADING & 1:
            last_heading = b
            if main < 0 and elements[row, col.INSIDE] >> col.IN_MAIN_HEADING & 1:
                main = b
        x[b, at] = cython.cast(cython.double, b) / count
        x[b, at + 1] = sums[min(max(blocks[col.FIRST, b], 0), texts), col.CHARS] / total
        x[b, at + 2] = 1 - sums[min(max(blocks[col.LAST, b], -1), texts - 1) + 1, col.CHARS] / total
        x[b, at + 3] = min(elements[row, col.DEPTH] / 20.0, 2.0)
        x[b, at + 4] = _log(logs, b - last_heading)
        x[b, at + 6] = x[b, at + 7] = 0
        x[b, at + 8] = _log(logs, row - above) if b > 0 else 0
        if b > 0:
            x[b - 1, at + 9] = x[b, at + 8]
        above = row
    x[count - 1, at + 9] = _log(logs, rows - above)
    for b in range(count - 1, -1, -1):
        if elements[blocks[col.AT, b] if 0 <= blocks[col.AT, b] < rows else 0, col.INSIDE] >> col.IN_HEADING & 1:
            next_heading = b
        x[b, at + 5] = _log(logs, next_heading - b)
        if main >= 0:
            x[b, at + 6] = _log(logs, b - main) if b >= main else -_log(logs, main - b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _list_headings(
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    headings: cython.int[:, ::1],
) -> cython.Py_ssize_t:
    """Write number, start and stop of blocks in headings; how many."""
    b: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    found: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    while b < blocks.shape[1] and found < headings.shape[0]:
        first, last = blocks[col.FIRST, b], blocks[col.LAST, b]
        row = blocks[col.AT, b] if 0 <= blocks[col.AT, b] < elements.shape[0] - 1 else 0
        if elements[row, col.INSIDE] >> col.IN_HEADING & 1 and 0 <= first <= last < len(start):
            headings[found, 0], headings[found, 1], headings[found, 2] = b, start[first], stop[last]
            found += 1
        b += 1
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_page(
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    own: cython.const[cython.float][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """Write the columns named in PAGE, the same for all blocks."""
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t = blocks.shape[1]
    rows: cython.Py_ssize_t = elements.shape[0] - 1
    texts: cython.Py_ssize_t = sums.shape[0] - 1
    size: cython.double = max(sums[texts, col.CHARS], 1)
    blocks_in: cython.double = count
    prose: cython.double = 0
    headings: cython.double = 0
    items: cython.double = 0
    cells: cython.double = 0
    paragraphs: cython.double = 0
    for b in range(count):
        if own[b, col.ENDS] > 0 and own[b, col.LINKED] < _MAX_LINKED * own[b, col.CHARS]:
            prose += own[b, col.CHARS] - own[b, col.LINKED]
        row = blocks[col.AT, b] if 0 <= blocks[col.AT, b] < rows else 0
        headings += elements[row, col.INSIDE] >> col.IN_HEADING & 1
        items += elements[row, col.INSIDE] >> col.IN_LIST_ITEM & 1
        cells += elements[row, col.INSIDE] >> col.IN_TABLE_CELL & 1
        paragraphs += elements[row, col.INSIDE] >> col.IN_PARAGRAPH & 1
    x[0, at] = log1p(size)
    x[0, at + 1] = log1p(blocks_in)
    x[0, at + 2] = sums[texts, col.LINKED] / size
    x[0, at + 3] = prose / size
    x[0, at + 4] = log1p(size / blocks_in)
    x[0, at + 5] = log1p(max(elements[rows, col.ARTICLES], 0))
    x[0, at + 6] = headings / blocks_in
    x[0, at + 7] = log1p(max(elements[rows, col.CONTROLS], 0))
    x[0, at + 8] = log1p(max(elements[rows, col.IMAGES], 0))
    x[0, at + 9] = items / blocks_in
    x[0, at + 10] = cells / blocks_in
    x[0, at + 11] = paragraphs / blocks_in
    for b in range(1, count):
        for k in range(col.PAGE_WIDTH):
            x[b, at + k] = x[0, at + k]
