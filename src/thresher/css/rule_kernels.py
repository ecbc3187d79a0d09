"""Loops over the declarations of a sheet: which of them matter on a page, and how they are entered.

Declaration d stands in block[d] and sets property[d]; the selectors before block b are those from selector_first[b] up
to selector_last[b].
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

from thresher.css.tokeniser import IMPORTANT
from thresher.css.winners import DECLARED, LAYER, LEVEL, ORDER, PROPERTY

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["APPLIES", "DROPPED", "UNKNOWN", "answering", "deciding", "grouped", "reaching"]

UNKNOWN, APPLIES, DROPPED = range(3)  # what is known of the rule that a block is
_UNKNOWN = cython.declare(cython.int, UNKNOWN)
_DROPPED = cython.declare(cython.int, DROPPED)
_IMPORTANT = cython.declare(cython.int, IMPORTANT)
_PROPERTY = cython.declare(cython.int, PROPERTY)
_LEVEL = cython.declare(cython.int, LEVEL)
_LAYER = cython.declare(cython.int, LAYER)
_ORDER = cython.declare(cython.int, ORDER)
_DECLARED = cython.declare(cython.int, DECLARED)


def answering(
    property: cython.const[cython.int][::1],
    flags: cython.const[cython.int][::1],
    entered: cython.const[cython.uchar][::1],
    in_play: cython.ulonglong,
    important: cython.bint,
    chosen: cython.int[::1],
) -> int:
    """Choose the declarations of properties in play, of which these are the bits, that were not entered, those that may
    be important or the others; how many they are."""
    count: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    is_important: cython.bint
    with cython.nogil:
        for at in range(property.shape[0]):
            is_important = flags[at] & _IMPORTANT != 0
            if in_play >> property[at] & 1 and not entered[at] and is_important == important:
                chosen[count] = at
                count += 1
    return count


def reaching(
    numbers: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    property: cython.const[cython.int][::1],
    reach: cython.const[cython.ulonglong][::1],
    focused: cython.bint,
    state: cython.const[cython.uchar][::1],
    chosen: cython.int[::1],
) -> tuple[int, bool]:
    """Choose those of some declarations whose rules reach a row, in focus one with the bit of the property, and are not
    dropped; how many they are, and whether of some rule nothing is known."""
    count: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    number: cython.Py_ssize_t
    bits: cython.ulonglong
    unknown: cython.bint = False
    with cython.nogil:
        for at in range(numbers.shape[0]):
            number = numbers[at]
            bits = reach[block[number]]
            if focused:
                bits = bits >> property[number] & 1
            if bits and state[block[number]] != _DROPPED:
                if state[block[number]] == _UNKNOWN:
                    unknown = True
                chosen[count] = number
                count += 1
    return count, unknown


def deciding(
    numbers: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    is_suspect: cython.const[cython.uchar][::1],
    hides_alone: cython.const[cython.uchar][::1],
    decided: cython.int[::1],
    chosen: cython.int[::1],
) -> int:
    """Choose the suspects among some declarations, ascending, but for those behind one that hides alone, in the same
    block, which do not hide alone; how many they are.  `decided` is of zeros, one for each block."""
    count: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    number: cython.Py_ssize_t
    with cython.nogil:
        for at in range(numbers.shape[0]):
            number = numbers[at]
            if is_suspect[number] and (hides_alone[number] or not decided[block[number]]):
                decided[block[number]] |= hides_alone[number]
                chosen[count] = number
                count += 1
    return count


def grouped(
    numbers: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    property: cython.const[cython.int][::1],
    has_effect: cython.const[cython.uchar][::1],
    important: cython.const[cython.uchar][::1],
    strength: cython.const[cython.int][::1],
    levels: tuple[int, int],
    selector_first: cython.const[cython.int][::1],
    selector_last: cython.const[cython.int][::1],
    first: cython.int[::1],
    last: cython.int[::1],
    given: cython.int[:, ::1],
    selectors: cython.int[::1],
) -> int:
    """Write the columns of those of some declarations that have an effect, block by block, those of block b to
    given[:, first[b]:last[b]], and the selectors before these blocks; how many of them there are.  `first` and `last`
    are of zeros before.

    `levels` are those of declarations that are not important, and of others."""
    count: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    place: cython.Py_ssize_t
    selector: cython.Py_ssize_t
    number: cython.Py_ssize_t
    plain: cython.int = levels[0]
    stronger: cython.int = levels[1]
    with cython.nogil:
        for at in range(numbers.shape[0]):
            if has_effect[numbers[at]]:
                last[block[numbers[at]]] += 1
        place = 0
        for at in range(last.shape[0]):
            if last[at]:
                first[at] = place
                place += last[at]
                last[at] = first[at]
                for selector in range(selector_first[at], selector_last[at]):
                    selectors[count] = selector
                    count += 1
        for at in range(numbers.shape[0]):
            number = numbers[at]
            if has_effect[number]:
                place = last[block[number]]
                last[block[number]] += 1
                given[_PROPERTY, place] = property[number]
                given[_LEVEL, place] = stronger if important[number] else plain
                given[_LAYER, place] = -strength[block[number]] if important[number] else strength[block[number]]
                given[_ORDER, place] = given[_DECLARED, place] = number
    return count
