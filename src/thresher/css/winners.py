"""Which declaration wins on each row, for each property.

A declaration that reaches some rows by some selector is an entry; the columns of the table of entries are those below.
On each row the entry with the greatest (LEVEL, LAYER, SPECIFICITY, ORDER) wins, of equal ones the later.  0 is none.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "DECLARED",
    "ENTRY_COLUMNS",
    "LAYER",
    "LEVEL",
    "ORDER",
    "PROPERTY",
    "SELECTOR",
    "SPECIFICITY",
    "enter_attributes",
    "enter_results",
    "enter_rows",
    "entries_of",
    "focus",
]  # fmt: skip

PROPERTY, LEVEL, LAYER, ORDER, DECLARED, SPECIFICITY, SELECTOR = range(7)
ENTRY_COLUMNS = 7
_PROPERTY = cython.declare(cython.int, PROPERTY)
_LEVEL = cython.declare(cython.int, LEVEL)
_LAYER = cython.declare(cython.int, LAYER)
_ORDER = cython.declare(cython.int, ORDER)
_SPECIFICITY = cython.declare(cython.int, SPECIFICITY)
_SELECTOR = cython.declare(cython.int, SELECTOR)
_DECLARED = cython.declare(cython.int, DECLARED)
_GIVEN = cython.declare(cython.int, 5)  # columns that a declaration has by itself
_MAX_PROPERTIES = cython.declare(cython.int, 64)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_weaker(entries: cython.int[:, ::1], one: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
    if entries[_LEVEL, one] != entries[_LEVEL, other]:
        return entries[_LEVEL, one] < entries[_LEVEL, other]
    if entries[_LAYER, one] != entries[_LAYER, other]:
        return entries[_LAYER, one] < entries[_LAYER, other]
    if entries[_SPECIFICITY, one] != entries[_SPECIFICITY, other]:
        return entries[_SPECIFICITY, one] < entries[_SPECIFICITY, other]
    return entries[_ORDER, one] < entries[_ORDER, other]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _enter(
    entries: cython.int[:, ::1],
    entry: cython.Py_ssize_t,
    rows: cython.const[cython.Py_ssize_t][::1],
    passed_over: cython.const[cython.uchar][::1],
    winner: cython.int[:, ::1],
    marks: cython.ulonglong[:, ::1],
    inline: cython.int,
) -> cython.bint:
    """Let an entry win on some rows where it does; whether there was any but those that are passed over."""
    at: cython.Py_ssize_t
    is_any: cython.bint = False
    for at in range(rows.shape[0]):
        if not passed_over.shape[0] or not passed_over[rows[at]]:
            is_any = True
            _enter_row(entries, entry, rows[at], winner, marks, inline)
    return is_any


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _enter_row(
    entries: cython.int[:, ::1],
    entry: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    winner: cython.int[:, ::1],
    marks: cython.ulonglong[:, ::1],
    inline: cython.int,
) -> cython.void:
    number: cython.int = entries[_PROPERTY, entry]
    marks[1 if entries[_LEVEL, entry] >= inline else 0, row] |= cython.cast(cython.ulonglong, 1) << number
    if winner[number, row] == 0 or not _is_weaker(entries, entry, winner[number, row]):
        winner[number, row] = entry


def enter_rows(
    entries: cython.int[:, ::1],
    entry: cython.Py_ssize_t,
    rows: cython.const[cython.Py_ssize_t][::1],
    passed_over: cython.const[cython.uchar][::1],
    winner: cython.int[:, ::1],
    marks: cython.ulonglong[:, ::1],
    inline: cython.int,
) -> bool:
    """Let an entry win on some rows where it does; whether there is any but those that are `passed_over`, if given.

    `winner` has the entry for each property and row, `marks` the bits of the properties that entries declare on each
    row: those below the level of style attributes, `inline`, and the others."""
    is_any: cython.bint
    with cython.nogil:
        is_any = _enter(entries, entry, rows, passed_over, winner, marks, inline)
    return is_any


def enter_attributes(
    given: cython.const[cython.int][:, ::1],
    declared: cython.Py_ssize_t,
    rows: cython.const[cython.int][::1],
    number: cython.const[cython.int][::1],
    first: cython.int[::1],
    textless: cython.const[cython.uchar][::1],
    text_only: cython.ulonglong,
    entries: cython.int[:, ::1],
    base: cython.Py_ssize_t,
    winner: cython.int[:, ::1],
    marks: cython.ulonglong[:, ::1],
    inline: cython.int,
) -> int:
    """Enter declarations of style attributes, given[k] with the number of the attribute, ascending, order, property and
    level, as the entries from `base` on, which are numbered from `declared` on; row rows[k] has the attribute
    number[k].  Those of properties that are `text_only` do not win on `textless` rows.  `first` is of zeros, one more
    than there are attributes.  The bits of the properties that were entered."""
    at: cython.Py_ssize_t
    row: cython.Py_ssize_t
    entry: cython.Py_ssize_t
    bit: cython.ulonglong
    entered: cython.ulonglong = 0
    with cython.nogil:
        for at in range(given.shape[0]):
            entry = base + at
            first[given[at, 0] + 1] += 1
            entries[_ORDER, entry], entries[_PROPERTY, entry] = given[at, 1], given[at, 2]
            entries[_LEVEL, entry], entries[_DECLARED, entry] = given[at, 3], declared + at
            entries[_LAYER, entry], entries[_SPECIFICITY, entry], entries[_SELECTOR, entry] = 0, 0, -1
        for at in range(1, first.shape[0]):
            first[at] += first[at - 1]
        for at in range(rows.shape[0]):
            row = rows[at]
            for entry in range(base + first[number[at]], base + first[number[at] + 1]):
                bit = cython.cast(cython.ulonglong, 1) << entries[_PROPERTY, entry]
                if not (text_only & bit and textless[row]):
                    entered |= bit
                    _enter_row(entries, entry, row, winner, marks, inline)
    return entered


def enter_results(
    results: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    block_of: cython.const[cython.int][::1],
    rows: cython.const[cython.Py_ssize_t][::1],
    given: cython.const[cython.int][:, ::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    focused: cython.const[cython.ulonglong][::1],
    textless: cython.const[cython.uchar][::1],
    text_only: cython.ulonglong,
    entered: cython.uchar[::1],
    entries: cython.int[:, ::1],
    winner: cython.int[:, ::1],
    marks: cython.ulonglong[:, ::1],
    inline: cython.int,
    state: cython.longlong[::1],
) -> None:
    """Enter declarations for the rows that the selectors before their blocks match: so many results (row_match.py).

    Declaration d of block b is one of first[b]:last[b], and given[:, d] its columns.  Where rows are `focused`, a
    selector is left out that matches none with the bit of the property.  state[0] is the next entry, state[1] what may
    be spent, a row each, state[2] the bits of the properties that were entered; those declarations
    are marked as `entered` that matched something.  The table has room for all."""
    result: cython.Py_ssize_t
    at: cython.Py_ssize_t
    block: cython.Py_ssize_t
    entry: cython.Py_ssize_t
    column: cython.Py_ssize_t
    bit: cython.ulonglong
    nothing: cython.const[cython.uchar][::1] = textless[:0]
    matched: cython.const[cython.Py_ssize_t][::1]
    with cython.nogil:
        entry = state[0]
        for result in range(count):
            block = block_of[results[0, result]]
            matched = rows[results[2, result] : results[3, result]]
            for at in range(first[block], last[block]):
                bit = cython.cast(cython.ulonglong, 1) << given[_PROPERTY, at]
                if focused.shape[0] and not _is_any(focused, matched, bit):
                    continue
                entered[given[_DECLARED, at]] = 1
                state[1] -= matched.shape[0]
                if state[1] <= 0 or entry >= entries.shape[1]:
                    continue
                for column in range(_GIVEN):
                    entries[column, entry] = given[column, at]
                entries[_SPECIFICITY, entry] = results[1, result]
                entries[_SELECTOR, entry] = results[0, result]
                if _enter(entries, entry, matched, textless if text_only & bit else nothing, winner, marks, inline):
                    entry += 1
                    state[2] |= cython.cast(cython.longlong, bit)
        state[0] = entry


def entries_of(
    results: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    block_of: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
) -> int:
    """How many entries become of some results at most."""
    entries: cython.Py_ssize_t = 0
    result: cython.Py_ssize_t
    with cython.nogil:
        for result in range(count):
            entries += last[block_of[results[0, result]]] - first[block_of[results[0, result]]]
    return entries


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_any(
    bits: cython.const[cython.ulonglong][::1], rows: cython.const[cython.Py_ssize_t][::1], bit: cython.ulonglong
) -> cython.bint:
    at: cython.Py_ssize_t = 0
    while at < rows.shape[0] and not bits[rows[at]] & bit:
        at += 1
    return at < rows.shape[0]


def focus(
    marks: cython.const[cython.ulonglong][:, ::1],
    parent: cython.const[cython.int][::1],
    answers: cython.const[cython.ulonglong][::1],
    inherited: cython.ulonglong,
    around: cython.const[cython.ulonglong][::1],
    important: cython.bint,
    bits: cython.ulonglong[:, ::1],
) -> None:
    """For each row bits[0], the properties of which a declaration in a rule, important or not, may decide whether the
    row is hidden.

    A property that was entered on a level below has `answers`, itself among them; one that is inherited has them on any
    level and all below; and `around` are those that may answer on an element around it.  bits[1] is room."""
    row: cython.Py_ssize_t
    here: cython.ulonglong
    with cython.nogil:
        for row in range(parent.shape[0]):
            here = (marks[0, row] | marks[1, row]) & inherited
            if parent[row] >= 0:
                here |= bits[1, parent[row]]
            bits[1, row] = here
            here |= marks[0, row]
            if important:
                here |= marks[1, row]
            bits[0, row] = _union(here, answers)
        for row in range(parent.shape[0]):
            bits[1, row] = _union((marks[0, row] | marks[1, row]) & inherited, around)
        for row in range(parent.shape[0] - 1, -1, -1):
            bits[0, row] |= bits[1, row]
            if parent[row] >= 0:
                bits[1, parent[row]] |= bits[1, row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _union(bits: cython.ulonglong, of: cython.const[cython.ulonglong][::1]) -> cython.ulonglong:
    union: cython.ulonglong = 0
    place: cython.Py_ssize_t = 0
    while bits:
        if bits & 1:
            union |= of[place]
        bits >>= 1
        place += 1
    return union
