"""The rules of a page's style sheets, entered in two passes.

Rules that apply nowhere or to no element of the page are passed over.  Only elements that some declaration hides are of
interest, and of those only the properties that decide.  So first the declarations that may hide are entered for the
rows they reach, then the other declarations of the same properties that reach these rows; there a rule is passed over
when no selector of it ends with a name of these rows.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from thresher.css.cascade_entries import CascadeEntries
from thresher.css.compiled_sheet import CompiledSheet
from thresher.css.match import Index
from thresher.css.properties import HIDE_ALONE, INHERITED, PROPERTY_NUMBERS, TOGETHER, bits_of
from thresher.css.selector_table import PageSelectors
from thresher.css.shadow_scopes import scopes_of_blocks, shadow_scopes
from thresher.css.suspects import BACKGROUND, TEXT_COLOUR
from thresher.css.tokeniser import IMPORTANT
from thresher.page.types import Bools, Ints, LongBits

__all__ = ["Rules"]

# What matching and entering may cost, in rows looked at.  Some tenths of a second.
_MATCH_BUDGET = 40_000_000
_STANDS_ALONE = np.array(
    [name not in TOGETHER and name in {*HIDE_ALONE, *INHERITED} for name in PROPERTY_NUMBERS]
)  # properties that hide by themselves
_ONE = np.uint64(1)


class Rules:
    """The rules of one page, on their way into its entries."""

    def __init__(self, sheet: CompiledSheet, entries: CascadeEntries, external: bool, scopes: list[int]) -> None:
        """`scopes` are the shadow roots in which the sources of the sheet stand."""
        self.sheet = sheet
        self.entries = entries
        self.declared = sheet.declarations
        self.budget = _MATCH_BUDGET
        self._suspects = self._applying(self.declared.suspects(external), None)
        self.declared.read(self._suspects)
        self._entered = np.zeros(len(sheet.declared.block), bool)
        self._shadow = shadow_scopes(entries.page)
        if self._shadow is not None:
            self._scope = scopes_of_blocks(
                sheet.structure.blocks.open, sheet.structure.sizes, [scopes[source] for source in sheet.source]
            )

    @cached_property
    def _selectors(self) -> PageSelectors:
        # Not `index`, which a page remembers: it would hold itself, and be freed late.
        return Index(self.entries.page).of_table(self.sheet.selectors.table)

    def _applying(self, numbers: Ints, focus: LongBits | None) -> Ints:
        """Those of some declarations whose rules apply and may choose a row of the page; where rows have bits, one with
        the bit of the property."""
        if not len(numbers):
            return numbers
        reach = self._selectors.reach(len(self.sheet.structure.blocks.open), focus)[self.sheet.declared.block[numbers]]
        if focus is not None:
            reach &= _ONE << self.declared.property[numbers].astype(np.uint64)
        numbers = numbers[reach > 0]
        return numbers[self.sheet.selectors.apply(self.sheet.declared.block[numbers])]

    def backgrounds(self) -> set[int]:
        """The prefixes of all backgrounds."""
        suspects = self._suspects
        return set(self.declared.prefix[suspects[self.declared.role[suspects] == BACKGROUND]].tolist())

    def enter_hiding(self, backgrounds: set[int] | None) -> None:
        """Enter the declarations that may hide, with all rows they reach.

        A text colour is compared with the backgrounds; where these are not known, with a background in the same rule.
        Once a rule hides by one declaration alone, those that would need the company of others are left out: the usual
        rule for screen readers clips its box, and also makes it tiny.
        """
        declared, numbers = self.declared, self._suspects
        may = declared.may_hide[numbers]
        coloured = np.flatnonzero(may & (declared.role[numbers] == TEXT_COLOUR) & ~declared.may_be_clear[numbers])
        if len(coloured):
            may[coloured] = self._may_vanish(numbers[coloured], backgrounds)
        numbers = declared.judge(numbers[may])
        numbers = numbers[declared.is_suspect[numbers]]
        alone = declared.hides[numbers] & _STANDS_ALONE[declared.property[numbers]]
        decided = np.full(len(self.sheet.structure.blocks.open), len(self._entered))  # by which declaration at first
        np.minimum.at(decided, self.sheet.declared.block[numbers[alone]], numbers[alone])
        self._enter(numbers[alone | (numbers <= decided[self.sheet.declared.block[numbers]])], None)

    def _may_vanish(self, numbers: Ints, backgrounds: set[int] | None) -> Bools:
        """Which of some text colours may be those of a background."""
        prefix = self.declared.prefix
        if backgrounds is not None:
            return np.array([colour in backgrounds for colour in prefix[numbers].tolist()])
        block = self.sheet.declared.block
        painted = self._suspects[self.declared.role[self._suspects] == BACKGROUND]
        beside = set(zip(block[painted].tolist(), prefix[painted].tolist(), strict=True))
        return np.array(
            [pair in beside for pair in zip(block[numbers].tolist(), prefix[numbers].tolist(), strict=True)]
        )

    def enter_answering(self, in_play: set[str]) -> None:
        """Enter the other declarations of properties in play that reach rows which may be hidden.

        Important ones come first, for they add to the rows about which the others may have something to say.
        """
        bits = np.uint64(bits_of(in_play)) >> np.arange(len(PROPERTY_NUMBERS), dtype=np.uint64) & _ONE
        wanted = np.flatnonzero(bits.astype(bool)[self.declared.property] & ~self._entered).astype(np.int32)
        important = (self.sheet.declared.flags[wanted] & IMPORTANT) > 0
        for numbers, is_important in ((wanted[important], True), (wanted[~important], False)):
            if len(numbers) and self.budget > 0:
                focus = self.entries.focus(is_important)
                self._enter(self.declared.judge(self._applying(numbers, focus)), focus)

    def _enter(self, numbers: Ints, focus: LongBits | None) -> None:
        """Enter some declarations for all rows that their rules reach; where rows have bits, but for selectors that
        reach none with the bit of the property."""
        if not len(numbers):
            return
        block = self.sheet.declared.block[numbers]
        order = np.argsort(block, kind="stable")
        numbers, block = numbers[order], block[order]
        starts = np.flatnonzero(np.diff(block, prepend=-1))
        blocks = block[starts]
        first, last = np.zeros((2, len(self.sheet.structure.blocks.open)), np.int32)
        first[blocks], last[blocks] = starts, np.append(starts[1:], len(block))
        strength = self.sheet.selectors.strength[block]
        if self._shadow is not None:
            selectors = self.sheet.selectors
            strength = self._shadow.strength(block, selectors.table, selectors.first, strength)
        given = self.entries.rules(self.declared.property[numbers], self.declared.important[numbers], strength, numbers)
        reached = np.zeros(len(numbers), np.uint8)
        for results in self._selectors.match(self.sheet.selectors.of(blocks), self.budget):
            if self._shadow is not None:
                results = self._shadow.within(results, self.sheet.selectors.table, self._scope)
            self.budget = self.entries.enter_results(
                results, self.sheet.selectors.table.block, given, first, last, focus, reached
            )
        self._entered[numbers[reached.view(bool)]] = True
