"""The rules of a page's style sheets, read in two passes.

Rules that apply nowhere or to no element of the page are dropped unread, and what is left gets the values of its
variables.  Only elements that some declaration hides are of interest, and of those only the properties that decide.  So
first the declarations that may hide are found and the rows they reach, then the other declarations of the same
properties that reach these rows; there a rule is dropped when no selector of it ends with a name of these rows.

The plain selectors of all rules of a pass are matched at once (plain_match.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
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
from thresher.css.plain_match import MatchedSelector
from thresher.css.rule_choice import choose
from thresher.css.selector_names import OTHER, UNSURE
from thresher.css.sheet import Sheet
from thresher.css.suspects import BACKGROUND, TEXT_COLOUR, may_be_clear, suspects
from thresher.css.tokeniser import IMPORTANT, MAY_HIDE, VARIABLE, may_hide
from thresher.css.variables import Variables
from thresher.page.types import Bits, Ints

Selectors = list[tuple[bytes, Matched | None]]  # with the rows they match, where these are known

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
        self._before: dict[int, tuple[Selectors, int]] = {}
        self._matches: dict[bytes, Matched | None] = {}
        self.suspects = self._suspects(external)

    @cached_property
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
        hiding = []
        for number, rule, role, may, text, value in self.suspects:
            if may and role == TEXT_COLOUR and not may_be_clear(value):
                prefix = colour_prefix(value)
                may = (rule, prefix) in beside if backgrounds is None else prefix in backgrounds
            effect = effect_of(text) if may else None
            if effect is not None and is_suspect(effect):
                hiding.append((number, rule, text, effect))
        self._match_plain(rule for _, rule, _, _ in hiding)
        decided: set[int] = set()
        for number, rule, text, effect in hiding:
            if self.budget <= 0:
                break
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
            answers = list(self._answering(numbers, bits[numbers], focus, in_play))
            self._match_plain(block for _, block, _, _ in answers)
            for number, block, text, effect in answers:
                if self.budget <= 0:
                    break
                self._enter(number, block, text, effect, focus)

    def _answering(
        self, numbers: Ints, bits: Bits, focus: Bits, in_play: set[str]
    ) -> Iterator[tuple[int, int, bytes, Effect]]:
        """Those of some declarations, with their blocks, texts and effects, whose rules may choose a row that shares a
        bit with them."""
        sheet, text = self.sheet, self.sheet.text
        numbers = choose(self.index.names, sheet.structure, numbers, bits, focus)
        block, _, start, _, stop, flags = (column[numbers].tolist() for column in sheet.declared)
        for number, rule, first, last, flag in zip(numbers.tolist(), block, start, stop, flags, strict=True):
            if number not in self.entered and sheet.applies(rule):
                declaration = text[first:last].lstrip()
                if flag & VARIABLE:
                    declaration = self.variables.expanded(declaration, rule)
                effect = effect_of(declaration)
                if effect is not None and effect.property in in_play:
                    yield number, rule, declaration, effect

    def _enter(self, number: int, block: int, text: bytes, effect: Effect, focus: Bits | None = None) -> bool:
        """Enter a declaration for all rows its rule reaches; whether it reaches any and means what it says.

        Where rows have bits, selectors are left out that reach none with the bit of the property.
        """
        selectors, layer = self._selectors(block)
        if not selectors or (effect.hides and effect.property in SIZES_AND_LINES and has_room(self.sheet.body(block))):
            return False
        reaches, bit = False, np.uint32(BITS[effect.property])
        for selector, matched in selectors:
            matched = self._matched(selector) if matched is None else matched
            if matched is None or (focus is not None and not (focus[matched.rows] & bit).any()):
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

    def _match_plain(self, blocks: Iterable[int]) -> None:
        """Look up the selectors before some blocks, and match the plain ones, all at once.

        Those that stand in a rule themselves, or where it is not certain where a selector ends, are left to _selectors.
        """
        strengths = {}
        for block in dict.fromkeys(blocks):
            if block not in self._before:
                around = self.sheet.outer(self.sheet.parent(block))
                if around is None:
                    self._before[block] = [], 0
                elif not around.selectors:
                    self.budget -= _PRELUDE_BYTE_COST * self.sheet.prelude_size(block)
                    strengths[block] = self.sheet.strength(around)
        if not strengths:
            return
        numbers, kinds = np.array(list(strengths), np.int32), np.zeros(len(strengths), np.uint8)
        matched: dict[int, list[MatchedSelector]] = {block: [] for block in strengths}
        for left, selectors in self.index.plain.match_rules(
            self.sheet.structure, numbers, kinds, _COMPOUND_COST, self.budget
        ):
            self.budget = left
            for selector in selectors:
                matched[selector.block].append(selector)
        for (block, strength), kind in zip(strengths.items(), kinds.tolist(), strict=True):
            if kind != UNSURE:
                self._before[block] = self._known(block, matched[block], kind), strength

    def _known(self, block: int, matched: list[MatchedSelector], kind: int) -> Selectors:
        """The selectors before a block that may match."""
        text = self.sheet.text
        selectors: Selectors = []
        for _, begin, end, specificity, rows in matched:
            selector = text[begin:end]
            if rows is not None:
                selectors.append((selector, Matched(rows, specificity)))
            elif self.index.may_hold_all(selector):
                selectors.append((selector, None))
        if kind == OTHER and selectors:
            rule = self.sheet.rule(block)
            if rule is None or (len(rule.selectors) > 1 and not self.sheet.is_valid(block)):
                return []
        return selectors

    def _selectors(self, block: int) -> tuple[Selectors, int]:
        """The selectors before a block that may match, and how strong the layer is that it stands in."""
        if block not in self._before:
            self.budget -= _PRELUDE_BYTE_COST * self.sheet.prelude_size(block)
            rule = self.sheet.rule(block)
            matching = [] if rule is None else [text for text in rule.selectors if self.index.may_match(text)]
            if rule is None or (matching and len(rule.selectors) > 1 and not self.sheet.is_valid(block)):
                self._before[block] = [], 0
            else:
                self._before[block] = [(text, None) for text in matching], self.sheet.strength(rule)
        return self._before[block]

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
