"""The rules of a page's style sheets, read in two passes.

Rules that apply nowhere or to no element of the page are dropped unread, and what is left gets the values of its
variables.  Only elements that some declaration hides are of interest, and of those only the properties that decide.  So
first the declarations that may hide are found and the rows they reach, then the other declarations of the same
properties that reach these rows; there a rule is dropped when no selector of it ends with a name of these rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.css.cascade_entries import RULE, CascadeEntries, Declared
from thresher.css.colour import colour_prefix
from thresher.css.hiding import (
    BITS,
    NAME_BITS,
    PROPERTIES,
    ROLES,
    SIZES_AND_LINES,
    TOGETHER,
    Effect,
    effect_of,
    has_room,
    is_suspect,
)
from thresher.css.match import Index, Matched, index
from thresher.css.rule_choice import choose
from thresher.css.sheet import Sheet
from thresher.css.suspects import BACKGROUND, TEXT_COLOUR, may_be_clear, suspects
from thresher.css.tokeniser import IMPORTANT, MAY_HIDE, VARIABLE, may_hide
from thresher.css.variables import VAR_CALL, Variables
from thresher.page.types import Bits, Bools, Ints

__all__ = ["Rules"]

# What matching and entering may cost, in rows looked at: a plain compound is as dear as a thousand, a condition that is
# none (an attribute, a place among siblings, :not) as all rows.  Some tenths of a second.
_MATCH_BUDGET = 40_000_000
_COMPOUND_COST = 2_000
_PRELUDE_BYTE_COST = 20  # to take the selectors before a block apart, for each byte
_SCANNING_SIGNS = (b"(", b"~", b"+", b"*", b":")
_ATTRIBUTE_SCANS = 20  # to look at the values of an attribute is so much dearer than to look at rows
_USUAL_COMPOUNDS = 8  # of longer selectors each further one counts as a scan


class _Suspect(NamedTuple):
    """A declaration that may hide, or a background, variables replaced."""

    number: int
    block: int
    role: int
    may_hide: bool
    text: bytes
    value: bytes


class Rules:
    """The rules of one page, on their way into its entries."""

    def __init__(self, sheet: Sheet, entries: CascadeEntries, variables: Variables, external: bool) -> None:
        self.sheet = sheet
        self.entries = entries
        self.page = entries.page
        self.variables = variables
        self.budget = _MATCH_BUDGET
        self.entered: set[int] = set()
        self._before: dict[int, tuple[list[bytes], int]] = {}
        self._matches: dict[bytes, Matched | None] = {}
        self.suspects = self._suspects(external)

    @property
    def index(self) -> Index:
        return index(self.page)

    def _suspects(self, external: bool) -> list[_Suspect]:
        """The declarations that may hide, and the backgrounds, in rules that may choose a row of the page."""
        sheet, text, declared = self.sheet, self.sheet.text, self.sheet.declared
        numbers = suspects(sheet.structure, ROLES, external)
        if not len(numbers):
            return []
        numbers = choose(self.index.names, sheet.structure, numbers, None, None)
        columns = (column[numbers].tolist() for column in declared)
        found = []
        for number, block, name, start, first, stop, flags in zip(numbers.tolist(), *columns, strict=True):
            if not sheet.applies(block):
                continue
            value, may = text[first:stop], bool(flags & MAY_HIDE)
            if flags & VARIABLE:
                value = self.variables.expanded(value, block)
                may = may_hide(value, name, PROPERTIES)
            declaration = (text[start:first] + value).lstrip()
            found.append(_Suspect(number, block, ROLES[name], may, declaration, value))
        return found

    def backgrounds(self) -> set[int]:
        """The prefixes of all backgrounds."""
        return {colour_prefix(suspect.value) for suspect in self.suspects if suspect.role == BACKGROUND}

    def enter_hiding(self, backgrounds: set[int] | None) -> None:
        """Enter the declarations that may hide, with all rows they reach.

        A text colour is compared with the backgrounds; where these are not known, with a background in the same rule.
        Once a rule hides by one declaration alone, those that would need the company of others are left out: the usual
        rule for screen readers clips its box, and also makes it tiny.
        """
        beside = set()
        if backgrounds is None:
            painted = (suspect for suspect in self.suspects if suspect.role == BACKGROUND)
            beside = {(suspect.block, colour_prefix(suspect.value)) for suspect in painted}
        decided: set[int] = set()
        for number, rule, role, may, text, value in self.suspects:
            if may and role == TEXT_COLOUR and not may_be_clear(value):
                prefix = colour_prefix(value)
                may = (rule, prefix) in beside if backgrounds is None else prefix in backgrounds
            if not may:
                continue
            if self.budget <= 0:
                break
            effect = effect_of(text)
            if effect is None or not is_suspect(effect):
                continue
            alone = effect.hides and effect.property not in TOGETHER
            if (alone or rule not in decided) and self._enter(number, rule, text, effect) and alone:
                decided.add(rule)

    def enter_answering(self, in_play: set[str]) -> None:
        """Enter the other declarations of properties in play that reach rows which may be hidden.

        Important ones come first, for they add to the rows about which the others may have something to say.
        """
        declared = self.sheet.declared
        bits = NAME_BITS[declared.name] & np.uint32(sum(BITS[name] for name in in_play))
        wanted = np.flatnonzero(bits).astype(np.int32)
        important = (declared.flags[wanted] & IMPORTANT) > 0
        for chosen in (True, False):
            numbers = wanted[important == chosen]
            if not len(numbers):
                continue
            focus = self.entries.focus(chosen)
            asked: dict[str, Bools] = {}
            for number, block in self._answering(numbers, bits[numbers], focus):
                if self.budget <= 0:
                    break
                if number not in self.entered and self._selectors(block)[0]:
                    text = self._text(number)
                    effect = effect_of(text)
                    if effect is not None and effect.property in in_play:
                        if effect.property not in asked:
                            asked[effect.property] = (focus & np.uint32(BITS[effect.property])) > 0
                        self._enter(number, block, text, effect, asked[effect.property])

    def _answering(self, numbers: Ints, bits: Bits, focus: Bits) -> list[tuple[int, int]]:
        """Those of some declarations, with their blocks, whose rules may choose a row that shares a bit with them."""
        sheet = self.sheet
        numbers = choose(self.index.names, sheet.structure, numbers, bits, focus)
        blocks = sheet.declared.block[numbers].tolist()
        pairs = zip(numbers.tolist(), blocks, strict=True)
        return [(number, block) for number, block in pairs if sheet.applies(block)]

    def _text(self, number: int) -> bytes:
        """A declaration as it is written, but for its variables."""
        declared = self.sheet.declared
        text = self.sheet.text[declared.start[number] : declared.stop[number]].lstrip()
        return self.variables.expanded(text, int(declared.block[number])) if VAR_CALL in text else text

    def _enter(self, number: int, block: int, text: bytes, effect: Effect, asked: Bools | None = None) -> bool:
        """Enter a declaration for all rows its rule reaches; whether it reaches any and means what it says.

        Where rows are asked for, selectors are left out that reach none of them.
        """
        selectors, layer = self._selectors(block)
        if not selectors or (effect.hides and effect.property in SIZES_AND_LINES and has_room(self.sheet.body(block))):
            return False
        reaches = False
        for selector in selectors:
            matched = self._matched(selector)
            if matched is None or (asked is not None and not asked[matched.rows].any()):
                continue
            reaches = True
            self.budget -= len(matched.rows)
            if self.budget > 0:
                self.entries.enter(
                    Declared(effect, text, RULE, selector, layer), matched.rows, number, matched.specificity
                )
        if reaches:
            self.entered.add(number)
        return reaches

    def _selectors(self, block: int) -> tuple[list[bytes], int]:
        """The selectors before a block that may match, and how strong the layer is that it stands in."""
        if block not in self._before:
            self.budget -= _PRELUDE_BYTE_COST * self.sheet.prelude_size(block)
            plain = self._plain(block)
            if plain is not None:
                self._before[block] = plain
                return plain
            rule = self.sheet.rule(block)
            matching = [] if rule is None else [text for text in rule.selectors if self.index.may_match(text)]
            if rule is None or (matching and len(rule.selectors) > 1 and not self.sheet.is_valid(block)):
                self._before[block] = [], 0
            else:
                self._before[block] = matching, self.sheet.strength(rule)
        return self._before[block]

    def _plain(self, block: int) -> tuple[list[bytes], int] | None:
        """The same where all selectors are plain and stand in no other rule; most do, and need not be taken apart."""
        around = self.sheet.outer(self.sheet.parent(block))
        if around is None or around.selectors:
            return None
        selectors = self.index.plain.selectors(self.sheet.text, *self.sheet.prelude_span(block))
        return None if selectors is None else (selectors, self.sheet.strength(around))

    def _matched(self, selector: bytes) -> Matched | None:
        """The rows that a selector matches, where it matches any."""
        if selector not in self._matches:
            matched = self.index.match(selector) if self._affords(selector) else None
            self._matches[selector] = matched if matched is not None and len(matched.rows) else None
        return self._matches[selector]

    def _affords(self, text: bytes) -> bool:
        """Whether the budget is enough to match a selector; then it is spent."""
        compounds = 1 + text.count(b" ") + text.count(b">")
        scans = (
            sum(map(text.count, _SCANNING_SIGNS))
            + _ATTRIBUTE_SCANS * text.count(b"[")
            + max(compounds - _USUAL_COMPOUNDS, 0)
        )
        self.budget -= _COMPOUND_COST * compounds + scans * len(self.page)
        return self.budget > 0
