"""The rules of a page's style sheets, read in two passes.

Rules that apply nowhere or to no element of the page are dropped unread, and what is left gets the values of its
variables.  Only elements that some declaration hides are of interest, and of those only the properties that decide.  So
first the declarations that may hide are found and the rows they reach, then the other declarations of the same
properties that reach these rows; there a rule is dropped when no selector of it ends with a name of these rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.cascade_entries import RULE, Bits, CascadeEntries, Declared
from thresher.css.colour import colour_prefixes, may_be_clear
from thresher.css.hiding import (
    BITS,
    SIZES_AND_LINES,
    TAIL_BITS,
    TOGETHER,
    Effect,
    effect_of,
    has_room,
    is_suspect,
    may_hide,
)
from thresher.css.invalid_selectors import is_invalid
from thresher.css.match import Index, Matched, index
from thresher.css.sheet import Sheet
from thresher.css.structure import Declarations
from thresher.css.subjects import Subjects
from thresher.css.text import Places
from thresher.css.variables import VAR_CALL, Variables
from thresher.page.byte_words import as_word, words_at
from thresher.page.spans import is_among

__all__ = ["Rules"]

Bools = NDArray[np.bool_]

# What matching and entering may cost, in rows looked at: a plain compound is as dear as a thousand, a condition that is
# none (an attribute, a place among siblings, :not) as all rows.  Some tenths of a second.
_MATCH_BUDGET = 40_000_000
_COMPOUND_COST = 2_000
_PRELUDE_BYTE_COST = 20  # what it costs to take the selectors before a block apart, for each byte
_SCANNING_SIGNS = (b"(", b"~", b"+", b"*", b":")
_ATTRIBUTE_SCANS = 20  # to look at the values of an attribute is so much dearer than to look at rows
_USUAL_COMPOUNDS = 8  # compounds; of longer selectors each further one counts as a scan
_MAX_TRIED_ONE_BY_ONE = 60  # declarations, where to try each rule is cheaper than to drop many at once
_MPORTANT = np.uint64(as_word(b"mportant"))
_CASE = np.uint64(0x2020202020202020)
_COLOR, _BACKGROUND = (np.equal(TAIL_BITS, BITS[name]) for name in ("color", "background"))


def _pair(block: Places, colour: NDArray[np.uint32]) -> NDArray[np.int64]:
    return (block.astype(np.int64) << 32) | colour


class _Declared(NamedTuple):
    """Some declarations, and the text they stand in."""

    numbers: Places
    text: bytes
    declared: Declarations


def _texts(numbers: Places, text: bytes, declared: Declarations) -> Iterator[tuple[int, int, bytes]]:
    """The number, block and text of some declarations."""
    spans = zip(declared.start.tolist(), declared.stop.tolist(), strict=True)
    return zip(numbers.tolist(), declared.block.tolist(), [text[a:b].lstrip() for a, b in spans], strict=True)


def _applies(sheet: Sheet, blocks: Places) -> Bools:
    """Which blocks do not stand in a block that applies nowhere."""
    parents = sheet.structure.parent[blocks]
    applies = np.ones(len(sheet.structure.parent) + 1, bool)
    for parent in set(parents.tolist()) - {-1}:
        applies[parent] = sheet.outer(parent) is not None
    kept: Bools = applies[parents]
    return kept


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
        numbers = self._chosen(self._relevant(external))
        self.suspects = _Declared(numbers, *variables.resolved(sheet.text, sheet.declared.only(numbers)))

    def _relevant(self, external: bool) -> Places:
        """The declarations that may hide, and the backgrounds.

        Where other sheets paint, a text colour tells something beside a background, or where it may be transparent:
        by itself, or by a variable.
        """
        block, name, _, value, stop = self.sheet.declared
        buffer = self.sheet.structure.buffer
        may = may_hide(buffer, name, value, stop)
        text_colours, backgrounds = np.flatnonzero(may & _COLOR[name]), np.flatnonzero(_BACKGROUND[name])
        if external:
            coloured, painted = np.zeros((2, len(self.sheet.structure.open)), bool)
            coloured[block[text_colours]], painted[block[backgrounds]] = True, True
            backgrounds = backgrounds[coloured[block[backgrounds]]]
            text_colours = text_colours[~painted[block[text_colours]]]
            first, last = value[text_colours], stop[text_colours]
            by_variable = (buffer[first] | 0x20) == ord("v")
            by_variable |= (buffer[last - 1] == ord(")")) & (buffer[last - 2] == ord(")"))
            may[text_colours] = may_be_clear(buffer, first, last) | by_variable
        may[backgrounds] = True
        return np.flatnonzero(may)

    @property
    def index(self) -> Index:
        return index(self.page)

    def backgrounds(self) -> set[int]:
        """The prefixes of all backgrounds."""
        _, text, declared = self.suspects
        return set(colour_prefixes(np.frombuffer(text, np.uint8), declared.value[_BACKGROUND[declared.name]]).tolist())

    def enter_hiding(self, backgrounds: set[int] | None) -> None:
        """Enter the declarations that may hide, with all rows they reach.

        A text colour is compared with the backgrounds; where these are not known, with a background in the same rule.
        Once a rule hides by one declaration alone, those that would need the company of others are left out: the usual
        rule for screen readers clips its box, and also makes it tiny.
        """
        numbers, text, declared = self.suspects
        block, name, _, value, stop = declared
        buffer = np.frombuffer(text, np.uint8)
        may = may_hide(buffer, name, value, stop)
        text_colours = np.flatnonzero(may & _COLOR[name])
        if len(text_colours):
            text_colour = colour_prefixes(buffer, value[text_colours])
            may[text_colours] = may_be_clear(buffer, value[text_colours], stop[text_colours])
            grounds = np.flatnonzero(_BACKGROUND[name])
            if backgrounds is not None:
                may[text_colours] |= is_among(text_colour, np.array(sorted(backgrounds), np.uint32))
            elif len(grounds):
                background = colour_prefixes(buffer, value[grounds])
                pairs = np.sort(_pair(block[grounds], background))
                may[text_colours] |= is_among(_pair(block[text_colours], text_colour), pairs)
        decided: set[int] = set()
        for number, rule, declaration in _texts(numbers[may], text, declared.only(may)):
            if self.budget <= 0:
                break
            effect = effect_of(declaration)
            if effect is None or not is_suspect(effect):
                continue
            alone = effect.hides and effect.property not in TOGETHER
            if (alone or rule not in decided) and self._enter(number, rule, declaration, effect) and alone:
                decided.add(rule)

    def enter_answering(self, in_play: set[str]) -> None:
        """Enter the other declarations of properties in play that reach rows which may be hidden.

        Important ones come first, for they add to the rows about which the others may have something to say.
        """
        declared = self.sheet.declared
        bits = TAIL_BITS[declared.name] & np.uint32(sum(BITS[name] for name in in_play))
        wanted = np.flatnonzero(bits)
        important = self._important(wanted)
        for chosen in (True, False):
            numbers = wanted[important == chosen]
            if not len(numbers):
                continue
            focus = self.entries.focus(chosen)
            numbers = self._chosen(numbers, bits[numbers], focus)
            asked = {name: (focus & np.uint32(BITS[name])) > 0 for name in in_play}
            for number, block in zip(numbers.tolist(), declared.block[numbers].tolist(), strict=True):
                if self.budget <= 0:
                    break
                if number not in self.entered and self._selectors(block)[0]:
                    text = self._text(number)
                    effect = effect_of(text)
                    if effect is not None and effect.property in in_play:
                        self._enter(number, block, text, effect, asked[effect.property])

    def _chosen(self, numbers: Places, bits: Bits | None = None, rows: Bits | None = None) -> Places:
        """Those of some declarations that stand in rules which apply and may choose a row of the page; one that shares
        a bit with the declaration, where bits are given.  Where they are few, to try each is cheaper than to tell."""
        sheet = self.sheet
        block = sheet.declared.block[numbers]
        if len(numbers) > _MAX_TRIED_ONE_BY_ONE:
            reached = np.zeros(len(sheet.structure.open), np.uint32)
            reached[block] = 1
            blocks = np.flatnonzero(reached)
            names = Subjects.of_page(self.index.names) if rows is None else Subjects.of_rows(self.page, rows)
            reached[blocks] = names.bits(sheet.structure, blocks)
            kept = reached[block] > 0 if bits is None else (reached[block] & bits) > 0
            numbers, block = numbers[kept], block[kept]
        return numbers[_applies(sheet, block)]

    def _text(self, number: int) -> bytes:
        """A declaration as it is written, but for its variables."""
        declared = self.sheet.declared
        text = self.sheet.text[declared.start[number] : declared.stop[number]].lstrip()
        return self.variables.expanded(text, int(declared.block[number])) if VAR_CALL in text else text

    def _important(self, numbers: Places) -> Bools:
        """Whether a declaration may end with `!important`."""
        stop, buffer = self.sheet.declared.stop[numbers], self.sheet.structure.buffer
        may: Bools = (words_at(buffer, stop - 8) | _CASE) == _MPORTANT
        may |= buffer[stop - 1] <= 32
        return may

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
            rule = self.sheet.rule(block)
            matching = [] if rule is None else [text for text in rule.selectors if self.index.may_match(text)]
            if rule is None or (matching and len(rule.selectors) > 1 and any(map(is_invalid, rule.selectors))):
                self._before[block] = [], 0
            else:
                self._before[block] = matching, self.sheet.strength(rule)
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
