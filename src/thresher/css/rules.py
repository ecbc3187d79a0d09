"""The rules of a page's style sheets, entered in two passes.

Rules that apply nowhere or to no element of the page are passed over.  Only elements that some declaration hides are of
interest, and of those only the properties that decide.  So first the declarations that may hide are entered for the
rows they reach, then the other declarations of the same properties that reach these rows; there a rule is passed over
when no selector of it ends with a name of these rows.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from thresher.css.cascade_entries import RULE_LEVELS, CascadeEntries
from thresher.css.compiled_sheet import CompiledSheet
from thresher.css.match import Index
from thresher.css.properties import bits_of
from thresher.css.rule_kernels import answering, deciding, grouped, reaching
from thresher.css.selector_table import PageSelectors
from thresher.css.shadow_scopes import scopes_of_blocks, shadow_scopes
from thresher.css.suspects import BACKGROUND
from thresher.css.winners import ENTRY_COLUMNS, PROPERTY
from thresher.page.types import Bools, Ints, LongBits

__all__ = ["Rules"]

# What matching and entering may cost, in rows looked at.  Some tenths of a second.
_MATCH_BUDGET = 40_000_000


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
        self._entered = np.zeros(len(sheet.declared.block), np.uint8)
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
        block, selectors = self.sheet.declared.block, self.sheet.selectors
        reach = self._selectors.reach(len(selectors.state), focus)
        for _ in range(2):
            chosen = np.empty(len(numbers), np.int32)
            count, is_unknown = reaching(
                numbers, block, self.declared.property, reach, focus is not None, selectors.state, chosen
            )
            numbers = chosen[:count]
            if not is_unknown:
                break
            selectors.decide(block[numbers])
        return numbers

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
        if not len(numbers):
            return
        may = declared.may_hide[numbers]
        coloured = (may & declared.is_opaque_text[numbers]).nonzero()[0]
        if len(coloured):
            may[coloured] = self._may_vanish(numbers[coloured], backgrounds)
        numbers = numbers[may]
        declared.judge(numbers)
        chosen, decided = np.empty(len(numbers), np.int32), np.zeros(len(self.sheet.selectors.state), np.int32)
        count = deciding(
            numbers, self.sheet.declared.block, declared.is_suspect, declared.hides_alone, decided, chosen
        )  # fmt: skip
        self._enter(chosen[:count], None)

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
        bits = bits_of(in_play)
        for is_important in (True, False):
            chosen = np.empty(len(self._entered), np.int32)
            flags = self.sheet.declared.flags
            count = answering(self.declared.property, flags, self._entered, bits, is_important, chosen)
            if count and self.budget > 0:
                focus = self.entries.focus(is_important)
                numbers = self._applying(chosen[:count], focus)
                self.declared.judge(numbers)
                self._enter(numbers, focus)

    def _enter(self, numbers: Ints, focus: LongBits | None) -> None:
        """Enter those of some declarations that have an effect, for all rows that their rules reach; where rows have
        bits, but for selectors that reach none with the bit of the property."""
        if not len(numbers):
            return
        declared, selectors, block = self.declared, self.sheet.selectors, self.sheet.declared.block
        strength = selectors.strength
        if self._shadow is not None:
            blocks, strength = block[numbers], strength.copy()
            strength[blocks] = self._shadow.strength(blocks, selectors.table, selectors.first, strength[blocks])
        first, last = np.zeros((2, len(strength)), np.int32)
        given = np.zeros((ENTRY_COLUMNS - 2, len(numbers)), np.int32)
        chosen = np.empty(len(selectors.table.block), np.int32)
        count = grouped(
            numbers, block, declared.property, declared.has_effect, declared.important, strength, RULE_LEVELS,
            selectors.first, selectors.last, first, last, given, chosen,
        )  # fmt: skip
        self.entries.use(set(given[PROPERTY].tolist()))
        for results in self._selectors.match(chosen[:count], self.budget):
            if self._shadow is not None:
                results = self._shadow.within(results, selectors.table, self._scope)
            self.budget = self.entries.enter_results(
                results, selectors.table.block, given, first, last, focus, self._entered
            )
