"""What declarations say about which rows, entered in any order.

On each row that one wins which has precedence (winners.py):

    attributes (hidden, bgcolor)  <  rules  <  style attributes  <  important rules  <  important ones in attributes

and among rules the one in the stronger layer (layers.py), of important ones in the weaker; then the more specific, then
the later one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from thresher.css.compiled_sheet import CompiledSheet
from thresher.css.hiding import Effect
from thresher.css.properties import ANSWERS, ANSWERS_AROUND, INHERITED, PLACES, PROPERTY_NUMBERS, TEXT_ONLY, bits_of
from thresher.css.selector_table import Results
from thresher.css.text import without_comments
from thresher.css.winners import (
    DECLARED,
    ENTRY_COLUMNS,
    LEVEL,
    ORDER,
    PROPERTY,
    SELECTOR,
    enter_attributes,
    enter_results,
    enter_rows,
    entries_of,
    focus,
)
from thresher.page import Page
from thresher.page.types import Bools, Bytes, Floats, Ints, LongBits, Rows

__all__ = ["ATTRIBUTE", "INLINE", "RULE", "RULE_LEVELS", "CascadeEntries", "Declared", "Styles"]

ATTRIBUTE, RULE, INLINE, IMPORTANT_RULE, IMPORTANT_INLINE = range(5)
RULE_LEVELS = RULE, IMPORTANT_RULE
_ORIGIN = np.array([ATTRIBUTE, RULE, INLINE, RULE, INLINE])  # where a declaration of each level stands
_MAX_QUOTED_BYTES = 100  # bytes of a declaration and of a selector that `words` quotes
_FIRST_ENTRIES = 64  # entries that there is room for at first
# What is inside may undo a background in the colour of the text, and what makes letters small.
_INHERITED_BITS = bits_of((*INHERITED, "background", "zoom"))
_OVERFLOW_BIT, _PLACES_BITS = bits_of(("overflow",)), bits_of(PLACES)
_TEXT_ONLY_BITS = bits_of(TEXT_ONLY)
_PROPERTIES = tuple(PROPERTY_NUMBERS)
_NO_ENTRIES: Ints = np.zeros((ENTRY_COLUMNS, 1), np.int32)
_NO_FOCUS: LongBits = np.zeros(0, np.uint64)
_NO_MARKS: LongBits = np.zeros((2, 0), np.uint64)
_NO_ROWS: Rows = np.zeros(0, np.intp)
_NO_BYTES: Bytes = np.zeros(0, np.uint8)


class Declared(NamedTuple):
    """A declaration, what it says and where it stands."""

    effect: Effect
    text: bytes
    level: int
    selector: bytes = b""  # of a rule

    @property
    def value(self) -> bytes:
        """What stands behind the colon, without a priority."""
        return without_comments(self.text, b" ").partition(b":")[2].partition(b"!")[0].strip().lower()

    @property
    def words(self) -> str:
        """`display: none by style rule .popup`, `hidden attribute`."""
        parts = without_comments(self.text, b" "), self.selector
        text, selector = (part[:_MAX_QUOTED_BYTES].decode(errors="replace") for part in parts)
        if self.level == ATTRIBUTE:
            return text
        name, _, value = text.partition(":")
        place = "style attribute" if self.level == INLINE else f"style rule {selector}"
        return f"{name.strip().lower()}: {' '.join(value.split())} by {place}"


class CascadeEntries:
    """The entries of one page: those of attributes one by one, those of rules many at a time."""

    def __init__(self, page: Page, sheet: CompiledSheet | None) -> None:
        self.page = page
        self._sheet = sheet
        self._by_attributes: list[Declared] = []
        self._entries = _NO_ENTRIES
        self._count = 1  # 0 is none
        self._entered = 0  # the bits of the properties that were entered
        self._used = 0  # of those whose winners are set
        self.low_boxes: Rows = _NO_ROWS
        self._winner: Ints = _NO_ENTRIES
        self._marks: LongBits = _NO_MARKS
        self._textless: Bytes = _NO_BYTES

    def find_low_boxes(self) -> bool:
        """Take the rows whose overflow was entered for boxes that are so low or narrow that what is in them may stand
        outside; whether there are any with text."""
        if self._entered & _OVERFLOW_BIT:
            cuts = (self._marks[0] | self._marks[1]) & np.uint64(_OVERFLOW_BIT) > 0
            self.low_boxes = (cuts & ~self._textless.view(bool)).nonzero()[0]
        return len(self.low_boxes) > 0

    def in_play(self) -> set[str]:
        """The properties that were entered."""
        bits, names = self._entered, set()
        while bits:
            names.add(_PROPERTIES[(bits & -bits).bit_length() - 1])
            bits &= bits - 1
        return names

    def _grow(self, count: int) -> None:
        """Make room for more entries."""
        if self._count + count > self._entries.shape[1]:
            larger = np.zeros((ENTRY_COLUMNS, 2 * (self._count + count) + _FIRST_ENTRIES), np.int32)
            larger[:, : self._count] = self._entries[:, : self._count]
            self._entries = larger

    def use(self, properties: Iterable[int]) -> None:
        """Make room for winners of some properties, by their numbers: of most nothing is ever entered."""
        if not self._used:
            rows = len(self.page)
            self._winner = np.empty((len(PROPERTY_NUMBERS), rows), np.int32)
            self._marks = np.zeros((2, rows), np.uint64)
            self._textless = (self.page.first == self.page.last).view(np.uint8)
        for number in properties:
            if not self._used >> number & 1:
                self._used |= 1 << number
                self._winner[number] = 0

    def enter(self, declared: Declared, rows: Rows, order: int = 0) -> None:
        """Enter a declaration of an attribute."""
        if not len(rows):
            return
        self._grow(1)
        effect, entry = declared.effect, self._entries[:, self._count]
        entry[PROPERTY] = PROPERTY_NUMBERS[effect.property]
        entry[LEVEL] = IMPORTANT_INLINE if effect.important else declared.level
        self.use((PROPERTY_NUMBERS[effect.property],))
        entry[ORDER], entry[DECLARED], entry[SELECTOR] = order, len(self._by_attributes), -1
        passed_over = self._textless if effect.property in TEXT_ONLY else self._textless[:0]
        if enter_rows(self._entries, self._count, rows, passed_over, self._winner, self._marks, INLINE):
            self._by_attributes.append(declared)
            self._count += 1
            self._entered |= 1 << PROPERTY_NUMBERS[effect.property]

    def enter_attributes(
        self, declared: list[Declared], places: list[tuple[int, int]], rows: Ints, number: Ints, size: int
    ) -> None:
        """Enter declarations of style attributes; the places are the number of the attribute, ascending, and what
        tells which of its declarations is later.  `number` is that of the attribute of each row that has any of so
        many."""
        count = len(declared)
        self._grow(count)
        given = [
            (*place, PROPERTY_NUMBERS[one.effect.property], IMPORTANT_INLINE if one.effect.important else INLINE)
            for place, one in zip(places, declared, strict=True)
        ]
        self.use({number for _, _, number, _ in given})
        self._entered |= enter_attributes(
            np.array(given, np.int32), len(self._by_attributes), rows, number, np.zeros(size + 1, np.int32),
            self._textless, _TEXT_ONLY_BITS, self._entries, self._count, self._winner, self._marks, INLINE,
        )  # fmt: skip
        self._by_attributes += declared
        self._count += count

    def enter_results(
        self,
        results: Results,
        block_of: Ints,
        given: Ints,
        first: Ints,
        last: Ints,
        focused: LongBits | None,
        entered: Bytes,
    ) -> int:
        """Enter declarations, of properties that are used, for the rows that the selectors before their blocks match;
        what is left of the budget."""
        columns, count, rows, budget = results
        self._grow(entries_of(columns, count, block_of, first, last))
        state = np.array([self._count, budget, 0], np.int64)
        enter_results(
            columns, count, block_of, rows, given, first, last,
            (_NO_FOCUS if focused is None else focused), self._textless, _TEXT_ONLY_BITS, entered,
            self._entries, self._winner, self._marks, INLINE, state,
        )  # fmt: skip
        self._count, left, bits = (int(number) for number in state)
        self._entered |= bits
        return left

    def focus(self, important: bool) -> LongBits:
        """For each row the properties of which a declaration in a rule, important or not, may decide whether the row is
        hidden."""
        bits: LongBits = np.empty((2, len(self.page)), np.uint64)
        focus(
            self._marks, self.page.parent, ANSWERS, _INHERITED_BITS, ANSWERS_AROUND, important,
            bits,
        )  # fmt: skip
        focused: LongBits = bits[0]
        for row in self.low_boxes.tolist():
            focused[row : self.page.end[row]] |= np.uint64(_PLACES_BITS)
        return focused

    def settle(self, properties: set[str], unread: bool) -> Styles:
        """The winners of some properties."""
        if properties:
            self.use(map(PROPERTY_NUMBERS.__getitem__, properties))
        winner = {name: self._winner[PROPERTY_NUMBERS[name]] for name in properties}
        return Styles(
            self._entries[:, : self._count], winner, self.in_play(), self._by_attributes, self._sheet, unread,
            self.low_boxes,
        )  # fmt: skip


class Styles:
    """The entries, and for each property in play the one that wins on each row (0: none)."""

    def __init__(
        self,
        entries: Ints,
        winner: dict[str, Ints],
        entered: set[str],
        by_attributes: list[Declared],
        sheet: CompiledSheet | None,
        unread: bool,
        low_boxes: Rows,
    ) -> None:
        self.winner = winner
        self.entered = entered  # the properties that any entry sets
        self.unread = unread  # whether the page's styles were too many to be read to the end
        self.low_boxes = low_boxes  # rows that may show little of what is in them
        self._entries = entries
        self._by_attributes = by_attributes
        self.sheet = sheet
        self._values: dict[int, bytes] = {}

    @cached_property
    def origin(self) -> Ints:
        """Where the declaration of each entry stands."""
        origin: Ints = _ORIGIN[self._entries[LEVEL]]
        origin[:1] = -1
        return origin

    @cached_property
    def _hiding(self) -> Bools:
        """Whether each entry hides."""
        declared = self._entries[DECLARED]
        hiding = np.zeros(len(declared), bool)
        rules = self.origin == RULE
        if self.sheet is not None:
            hiding[rules] = self.sheet.declarations.hides[declared[rules]]
        for entry in (~rules).nonzero()[0][1:].tolist():
            hiding[entry] = self._by_attributes[declared[entry]].effect.hides
        return hiding

    def effect(self, entry: int) -> Effect:
        """What the declaration of an entry says."""
        number = int(self._entries[DECLARED, entry])
        if self._entries[SELECTOR, entry] < 0 or self.sheet is None:
            return self._by_attributes[number].effect
        return self.sheet.declarations.effect(number)

    def declared(self, entry: int) -> Declared:
        """The declaration of an entry."""
        number, selector = int(self._entries[DECLARED, entry]), int(self._entries[SELECTOR, entry])
        if selector < 0 or self.sheet is None:
            return self._by_attributes[number]
        declarations, selectors = self.sheet.declarations, self.sheet.selectors
        return Declared(declarations.effect(number), declarations.text(number), RULE, selectors.text(selector))

    def value(self, entry: int) -> bytes:
        """The value of the declaration of an entry, read once however many rows it wins on."""
        if entry not in self._values:
            self._values[entry] = self.declared(entry).value
        return self._values[entry]

    def hides(self, name: str) -> Bools:
        """Where the winning declaration of a property in play hides."""
        return self._hiding[self.winner[name]]

    def shares(self, name: str) -> Floats:
        """The shares that the winning declarations of a property in play leave."""
        return self.effects(name, lambda effect: effect.share, 1.0)

    def shows(self, name: str) -> Bools:
        """Where the winning declaration of a property in play has a value of its own that does not hide."""
        passes_on = self.effects(name, lambda effect: effect.inherits, 0) > 0
        return (self.winner[name] > 0) & ~self.hides(name) & ~passes_on

    def of_values(self, name: str, pattern: re.Pattern[bytes]) -> Bools:
        """Where the value of the winning declaration of a property in play is like a pattern."""
        alike: Bools = self._each(name, lambda entry: pattern.fullmatch(self.value(entry)) is not None, 0) > 0
        return alike

    def effects(self, name: str, read: Callable[[Effect], float], none: float) -> Floats:
        """What is read from the effect of the winning declaration of a property in play on each row."""
        return self._each(name, lambda entry: read(self.effect(entry)), none)

    def _each(self, name: str, read: Callable[[int], float], none: float) -> Floats:
        """What is read from the winning entry on each row, of each once."""
        present = np.flatnonzero(np.bincount(self.winner[name], minlength=1)[1:]) + 1
        values = np.full(self._entries.shape[1], none, float)
        values[present] = [read(entry) for entry in present.tolist()]
        return values[self.winner[name]]
