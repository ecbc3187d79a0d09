"""What the declarations of a sheet say: columns that are filled in as pages ask, and kept with the sheet."""

from __future__ import annotations

import numpy as np

from thresher.css.colour import colour_prefix
from thresher.css.hiding import Effect, effect_of, has_room, is_suspect, may_cut_off
from thresher.css.properties import (
    HIDE_ALONE,
    INHERITED,
    NAMES,
    PROPERTIES,
    PROPERTY_OF_NAME,
    ROLES,
    SIZES_AND_LINES,
    TOGETHER,
)
from thresher.css.sheet import Sheet
from thresher.css.suspects import TEXT_COLOUR, may_be_clear, suspects
from thresher.css.tokeniser import MAY_HIDE, VARIABLE, may_hide
from thresher.css.variables import Variables
from thresher.page.types import Ints

__all__ = ["SheetDeclarations"]

_CUTS = np.array([name.startswith(b"overflow") for name in NAMES])
_SIZED = np.array([name in (b"height", b"width", b"max-height", b"max-width") for name in NAMES])
_STAND_ALONE = {*HIDE_ALONE, *INHERITED} - set(TOGETHER)  # properties that hide by themselves
_MAX_VARIABLE_BYTES = 150_000  # of values with variables, in the order of the sheet; those behind are not replaced


class SheetDeclarations:
    """Columns, with an entry for each declaration."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        declared = sheet.declared
        self._block, self._name, self._start, self._value, self._stop, _ = (column.data for column in declared)
        count = len(declared.block)
        self.property = PROPERTY_OF_NAME[declared.name]
        self.role = np.frombuffer(ROLES, np.uint8)[declared.name]
        self._mark_low_boxes()
        self.may_hide = (declared.flags & MAY_HIDE) > 0
        self.prefix = np.zeros(count, np.int64)  # of the colours of texts and backgrounds
        self.is_opaque_text, self.hides = np.zeros((2, count), bool)
        told = np.zeros((4, count), np.uint8)
        self.has_effect, self.important, self.is_suspect, self.hides_alone = told
        self._told = [column.data for column in told]
        has_variable = (declared.flags & VARIABLE) > 0
        self._expanded = has_variable & (
            np.cumsum(np.where(has_variable, declared.stop - declared.value, 0)) <= _MAX_VARIABLE_BYTES
        )
        self._read = ~has_variable & (self.role == 0)
        self._judged = np.zeros(count, bool)
        self._effects: dict[int, Effect] = {}
        self._variables = Variables(sheet)
        self._suspects: dict[bool, Ints] = {}

    def _mark_low_boxes(self) -> None:
        """Boxes that cut off what does not fit hide where they are low or narrow."""
        declared, text = self._sheet.declared, np.frombuffer(self._sheet.text, np.uint8)
        first = text[declared.value]
        cuts = _CUTS[declared.name] & (((first | 0x20) == ord("h")) | ((first | 0x20) == ord("c")))
        sized = np.zeros(len(self._sheet.structure.blocks.open), bool)
        sized[declared.block[_SIZED[declared.name] & (first > ord("0")) & (first <= ord("9"))]] = True
        for number in np.flatnonzero(cuts & sized[declared.block]).tolist():
            if may_cut_off(b"h", self._sheet.body(self._block[number])):
                declared.flags[number] |= MAY_HIDE

    @property
    def nbytes(self) -> int:
        """What it takes of memory, roughly."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def suspects(self, external: bool) -> Ints:
        """The declarations that may hide, and the backgrounds (suspects.py)."""
        if external not in self._suspects:
            self._suspects[external] = suspects(self._sheet.structure, ROLES, external)
        return self._suspects[external]

    def value(self, number: int) -> bytes:
        """The value of a declaration, variables replaced."""
        value = self._sheet.text[self._value[number] : self._stop[number]]
        return self._variables.expanded(value, self._block[number]) if self._expanded[number] else value

    def text(self, number: int) -> bytes:
        """A declaration, variables replaced."""
        return (self._sheet.text[self._start[number] : self._value[number]] + self.value(number)).lstrip()

    def effect(self, number: int) -> Effect:
        """What a declaration says that has an effect."""
        return self._effects[number]

    def read(self, numbers: Ints) -> None:
        """Fill in, for some declarations, whether they may hide and how their colours begin."""
        for number in numbers[~self._read[numbers]].tolist():
            value = self.value(number)
            if self._expanded[number]:
                self.may_hide[number] = may_hide(value, self._name[number], PROPERTIES)
            if self.role[number]:
                self.prefix[number] = colour_prefix(value)
                self.is_opaque_text[number] = self.role[number] == TEXT_COLOUR and not may_be_clear(value)
            self._read[number] = True

    def judge(self, numbers: Ints) -> None:
        """Fill in what some declarations say."""
        has_effect, important, suspect, alone = self._told
        for number in numbers[~self._judged[numbers]].tolist():
            effect = effect_of(self.text(number))
            if effect is not None and effect.hides and effect.property in SIZES_AND_LINES:
                effect = None if has_room(self._sheet.body(self._block[number])) else effect
            if effect is not None:
                self._effects[number] = effect
                self.hides[number] = effect.hides
                has_effect[number], important[number] = True, effect.important
                suspect[number], alone[number] = is_suspect(effect), effect.hides and effect.property in _STAND_ALONE
            self._judged[number] = True
