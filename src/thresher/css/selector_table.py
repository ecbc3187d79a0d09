"""The selectors of a style sheet as columns, and the rows of a page that they match.

The parts of all selectors (selector_reader.py) are numbered, equal ones once: these are the names of the table.  A page
looks each of them up: the rows with a tag, a class or an id it has at hand (names.py), those of a condition it works
out when a selector needs them (match.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from thresher.css.names import PageNames
from thresher.css.row_match import RESULT_COLUMNS, RowMatcher
from thresher.css.selector import CLASS, ID, KNOWN, TAG, Selector, parse_selector
from thresher.css.selector_reader import (
    BEGIN,
    BLOCK,
    COLUMNS,
    COMBINATOR,
    COMPOUNDS,
    CONDITION,
    END,
    FIRST,
    LAST,
    OUTER,
    PARTS,
    SIGN,
    START,
    read_selectors,
)
from thresher.css.text import unescape
from thresher.page.attributes import number_contents
from thresher.page.types import Ints, LongBits, Rows
from thresher.text.patterns import compile_later

__all__ = ["PageSelectors", "Results", "SelectorTable", "table_room"]

_COMPOUND_COST = 2_000  # of matching, in rows looked at
_MIN_ROWS_ROOM = 10_000  # rows of the results that are written at once
_SCANNING_SIGNS = (b"(", b"~", b"+", b"*", b":")  # of conditions that ask all rows
_ATTRIBUTE_SCANS = 20  # to look at the values of an attribute is so much dearer than to look at rows
_USUAL_COMPOUNDS = 8  # of longer conditions each further one counts as a scan
_MAX_WEIGHT = 0x7FFFFFFF
_WEIGHTS = np.zeros(256, np.int32)  # of names, by their signs
_WEIGHTS[[0, ord("."), ord("#")]] = TAG, CLASS, ID


def table_room(size: int) -> Ints:
    """Room for the selectors that stand in so many bytes; what is not written to costs nothing."""
    return np.empty((COLUMNS, size), np.int32)


class SelectorTable:
    """Selectors: the columns of selector_reader.py, and for each part the number of its name."""

    def __init__(
        self, text: bytes, table: Ints, counts: tuple[int, int, int], outer: Callable[[int], bytes] = bytes
    ) -> None:
        """`outer` tells the condition that the rule around others stands for, by its block."""
        selectors, compounds, parts = counts
        self.text = text
        self.block, self.begin, self.end, self.last = (
            table[column, :selectors].copy() for column in (BLOCK, BEGIN, END, LAST)
        )
        self.first, self.compounds = (table[column, : selectors + 1].copy() for column in (FIRST, COMPOUNDS))
        self.combinator, self.parts = table[COMBINATOR, :compounds].copy(), table[PARTS, : compounds + 1].copy()
        self.name, (self.start, self.stop, self.sign) = _names(text, table[START : SIGN + 1, :parts])
        self.weight = _WEIGHTS[self.sign]
        self.names_text = self._unescape() if b"\\" in text else text
        self.conditions = np.flatnonzero((self.sign == CONDITION) | (self.sign == OUTER))
        conditions = (self.conditions, self.start[self.conditions], self.stop[self.conditions])
        self.impossible = [
            name
            for name, start, stop in zip(*(column.tolist() for column in conditions), strict=True)
            if text[start : start + 1] == b":" and _is_impossible(text[start:stop][:_MAX_PSEUDO_BYTES])
        ]
        self._outer = outer
        self._parsed: dict[int, tuple[bytes, Selector | None]] = {}

    @property
    def nbytes(self) -> int:
        """What it takes of memory, roughly."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def _unescape(self) -> bytes:
        """The text with the names that have escapes behind it, without them."""
        pieces = [self.text]
        escapes = (np.frombuffer(self.text, np.uint8) == ord("\\")).nonzero()[0].astype(np.int32)
        has_escape = escapes.searchsorted(self.start) < escapes.searchsorted(self.stop)
        names = np.flatnonzero(has_escape & ((self.sign == ord(".")) | (self.sign == ord("#"))))
        for start, stop in zip(self.start[names].tolist(), self.stop[names].tolist(), strict=True):
            pieces.append(unescape(self.text[start:stop]))
        self.stop[names] = np.cumsum([len(piece) for piece in pieces])[1:]
        self.start[names] = self.stop[names] - [len(piece) for piece in pieces[1:]]
        return b"".join(pieces)

    def condition(self, name: int) -> tuple[bytes, Selector | None]:
        """A condition: what it says, and as a selector, None if we cannot judge it."""
        if name not in self._parsed:
            start, stop = int(self.start[name]), int(self.stop[name])
            text = self._outer(start) if self.sign[name] == OUTER else self.text[start:stop]
            selector = parse_selector(text)
            if selector is not None:
                self.weight[name] = min(selector.specificity, _MAX_WEIGHT)
            self._parsed[name] = text, selector
        return self._parsed[name]

    @classmethod
    def of(cls, selector: bytes) -> SelectorTable:
        """The table of a single selector."""
        table = table_room(len(selector) + 2)
        bounds = np.array([[0], [len(selector)]], np.int32)
        counts = read_selectors(selector, bounds[0].data, bounds[1].data, bounds[0].data, table.data)
        return cls(selector, table, counts)


@lru_cache(1 << 10)
def _is_impossible(condition: bytes) -> bool:
    """Whether a condition is a pseudo-class or -element by which no element is chosen while the user has done nothing,
    or that we do not know."""
    pseudo = _PSEUDO.match(condition)
    return pseudo is not None and pseudo[1].lower() not in KNOWN


_MAX_PSEUDO_BYTES = 50  # of a pseudo-class that are looked at
_PSEUDO = compile_later(rb":([-\w]*)(?:\(|$)")


def _names(text: bytes, parts: Ints) -> tuple[Ints, Ints]:
    """The number of each part, and start, stop and sign of each number; parts that stand for a rule are one for each
    rule."""
    start, stop, sign = parts.copy()
    number, first = number_contents(text, start, stop)
    names = parts.take(first, axis=1)
    outer = np.flatnonzero(sign == OUTER)
    if len(outer):
        rules, place = np.unique(start[outer], return_inverse=True)
        number[outer] = place + names.shape[1]
        names = np.concatenate((names, [rules, rules, np.full_like(rules, OUTER)]), axis=1, dtype=np.int32)
    return number, names


class Results(NamedTuple):
    """Selectors that match something."""

    columns: Ints  # the selector, its specificity, where its rows begin and end
    size: int  # how many they are
    rows: Rows
    budget: int  # what is left of it


class PageSelectors:
    """The selectors of a table on a page."""

    def __init__(
        self, table: SelectorTable, names: PageNames, parent: Ints, choose: Callable[[bytes, Selector], Rows]
    ) -> None:
        """`choose` tells the rows that satisfy a condition."""
        self.table = table
        self._names = names
        self._choose = choose
        self._size = len(parent)
        self._first, self._last, self._rows = names.places()
        self._number = np.empty(len(table.start), np.int32)
        names.look_up(table.names_text, table.start.data, table.stop.data, table.sign.data, self._number.data)
        conditions = len(table.conditions)
        if conditions:
            size = len(self._first)
            self._number[table.conditions] = np.arange(size, size + conditions)
            self._number[table.impossible] = -1
            places = np.zeros((2, size + conditions), np.intp)
            places[0, :size], places[1, :size] = self._first, self._last
            self._first, self._last = places
            self._known = np.ones(len(table.start), bool)  # names whose rows are known
            self._known[table.conditions] = False
        self._matcher = RowMatcher(table, parent, self._number)
        self._matcher.place(self._first, self._last, self._rows)
        self._work = np.zeros((5, self._size), np.uint32)

    def reach(self, blocks: int, bits: LongBits | None) -> LongBits:
        """For each of so many blocks the union of the bits of the rows that its selectors may choose; where no bits are
        given, some bit where there may be such a row."""
        asked = np.empty(len(self._first), np.uint64)
        asked.fill(_ALL_BITS)
        if bits is not None:
            of_names = self._names.bits_of_names(bits)
            asked[: len(of_names)] = of_names
        reach = np.zeros(blocks, np.uint64)
        self._matcher.reach(asked, reach)
        return reach

    def match(self, selectors: Ints, budget: int) -> Iterator[Results]:
        """The rows that some selectors match, some selectors at a time."""
        budget = self._work_out(selectors, budget)
        columns = np.empty((RESULT_COLUMNS, len(selectors)), np.int32)
        state = np.array([0, 0, budget, _COMPOUND_COST], np.int64)
        while state[0] < len(selectors) and state[2] > 0:
            rows = np.empty(self._size + _MIN_ROWS_ROOM, np.intp)
            self._matcher.match(selectors.data, self._work.data, columns.data, rows.data, state.data)
            yield Results(columns, int(state[1]), rows, int(state[2]))

    def _work_out(self, selectors: Ints, budget: int) -> int:
        """Work out the rows of the conditions that some selectors need; what is left of the budget."""
        if not len(self.table.conditions):
            return budget
        used = np.zeros(len(self._known), np.uint8)
        self._matcher.use(selectors, used)
        wanted = (used.view(bool) & ~self._known).nonzero()[0].tolist()
        if not wanted:
            return budget
        rows, size = [self._rows], len(self._rows)
        for name in wanted:
            self._known[name] = True
            text, selector = self.table.condition(name)
            budget -= _condition_cost(text, self._size)
            if selector is None or budget <= 0:
                self._number[name] = -1
                continue
            rows.append(self._choose(text, selector))
            number = self._number[name]
            self._first[number], size = size, size + len(rows[-1])
            self._last[number] = size
        self._rows = np.concatenate(rows)
        self._matcher.place(self._first, self._last, self._rows)
        return budget


_ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)


def _condition_cost(text: bytes, size: int) -> int:
    compounds = 1 + text.count(b" ") + text.count(b">")
    scans = sum(map(text.count, _SCANNING_SIGNS)) + _ATTRIBUTE_SCANS * text.count(b"[")
    return _COMPOUND_COST * compounds + (scans + max(compounds - _USUAL_COMPOUNDS, 0)) * size
