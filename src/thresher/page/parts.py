"""Parts of attribute values that are looked for on every page: `comment` in a class, `dialog` in a role.

A module says when it is imported which parts it looks for.  All parts of all modules are found in one pass over the
values of an attribute, with a table of states (Aho and Corasick 1975): a state is the longest beginning of any part
with which the bytes so far end.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.page import Page
from thresher.page.attributes import is_used, numbered, rows_of
from thresher.page.kernels import mark_spans
from thresher.page.types import LongBits

__all__ = ["Parts", "rows_saying_only", "with_part"]

_MAX_KNOWN = 64  # one bit each


class Parts:
    """Parts of values to look for, in small letters.  They are known for good, so make them once, in a module."""

    known: list[Parts] = []  # noqa: RUF012

    def __init__(self, *parts: bytes) -> None:
        if len(Parts.known) == _MAX_KNOWN:
            raise ValueError(f"no more than {_MAX_KNOWN} kinds of parts can be looked for")
        self.parts = parts
        self.bit = 1 << len(Parts.known)
        self.mask = np.uint64(self.bit)
        Parts.known.append(self)


def with_part(page: Page, name: str, wanted: Parts) -> list[int]:
    """The numbers of the values of an attribute (`numbered`) with one of some parts, in capitals or not, as they stand
    in the markup."""
    memo, key = page._memo, (_MARKS, name)
    if key not in memo or memo[key][2] <= wanted.bit:  # made before these parts were known
        memo[key] = _marks(page, name)
    marks, union, _ = memo[key]
    return (marks & wanted.mask).nonzero()[0].tolist() if union & wanted.bit else []


def rows_saying_only(page: Page, name: str, wanted: Parts) -> list[int]:
    """The elements with an attribute that says one of some parts and no more, in capitals or not, in document order."""
    numbers = with_part(page, name, wanted)
    if not numbers:
        return []
    values, markup = numbered(page, name), page.markup
    said = [k for k in numbers if markup[values.start[k] : values.stop[k]].lower() in wanted.parts]
    rows: list[int] = rows_of(values, said).tolist()
    return rows


_MARKS = f"{__name__}._marks"
_NO_MARKS = np.zeros(0, np.uint64)


def _marks(page: Page, name: str) -> tuple[LongBits, int, int]:
    """The bits of the parts that each value of an attribute has, those of all, and the first bit that means nothing."""
    marks, union, known = _NO_MARKS, 0, len(Parts.known)
    if is_used(page, name):
        values, states = numbered(page, name), _states(known)
        marks = np.empty(len(values.start), np.uint64)
        union = mark_spans(page.markup, values.start, values.stop, states.letter, states.table, states.marks, marks)
    return marks, union, 1 << known


class _States(NamedTuple):
    letter: bytes  # of each byte, the same of capitals; 0 for those in no part
    table: NDArray[np.uint16]  # (states, letters)  the state behind each
    marks: LongBits  # (states,)  which parts end there


@cache
def _states(known: int) -> _States:
    """The states of all parts that are known, of which there are so many kinds."""
    letters = sorted({byte for wanted in Parts.known[:known] for part in wanted.parts for byte in part})
    number = {byte: place for place, byte in enumerate(letters, 1)}
    children: list[dict[int, int]] = [{}]
    ends = [0]
    for wanted in Parts.known[:known]:
        for part in wanted.parts:
            state = 0
            for byte in part:
                state = children[state].setdefault(number[byte], len(children))
                if state == len(children):
                    children.append({})
                    ends.append(0)
            ends[state] |= wanted.bit
    table, marks = np.zeros((len(children), len(letters) + 1), np.uint16), np.array(ends, np.uint64)
    shorter = [0] * len(children)  # the state of the longest beginning of a part that a state ends with
    order = [0]
    for state in order:
        marks[state] |= marks[shorter[state]]
        behind = table[shorter[state]].copy()
        table[state] = behind
        for letter, child in children[state].items():
            shorter[child] = int(behind[letter]) if state else 0
            table[state, letter] = child
            order.append(child)
    of_byte = bytes(number.get(ord(chr(byte).lower()) if byte < 0x80 else byte, 0) for byte in range(256))
    return _States(of_byte, table, marks)
