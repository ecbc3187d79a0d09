"""The rules of a page's style sheets, read in two passes.

Only elements that some declaration hides are of interest, and of those only the properties that decide.  So first the
declarations that may hide are found and the rows they reach, then the other declarations of the same properties
that reach these rows; there a rule is dropped unread when no selector of it ends with a name of these rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.colour import heads, may_be_clear
from thresher.css.hiding import BITS, SIZES, TAIL_BITS, TOGETHER, Said, has_room, is_suspect, judge, may_hide
from thresher.css.ledger import LAYERED, RULE, Declared, Ledger
from thresher.css.match import Index, index
from thresher.css.sheet import Sheet
from thresher.css.subjects import Bits, Subjects
from thresher.css.text import Places
from thresher.css.values import Rows
from thresher.spans import is_among
from thresher.words8 import as_word, words_at

__all__ = ["Rules"]

Bools = NDArray[np.bool_]

# What matching and entering may cost, in rows looked at: a plain compound is as dear as a thousand, a condition that is
# none (an attribute, a place among siblings, :not) as all rows.  Some tenths of a second.
_BUDGET = 40_000_000
_COMPOUND = 2_000
_SCANS = (b"(", b"~", b"+", b"*", b":")
_VALUES = 20  # to look at the values of an attribute is so much dearer than to look at rows
_USUAL = 8  # compounds; of longer selectors each further one counts as a scan
_FEW, _MANY = 40, 200  # declarations; where to try each rule is cheaper than to drop many at once
_MPORTANT = np.uint64(as_word(b"mportant"))
_CASE = np.uint64(0x2020202020202020)
_ALL = np.uint32(0xFFFFFFFF)
_COLOR, _BACKGROUND = (np.equal(TAIL_BITS, BITS[name]) for name in ("color", "background"))


def _pair(block: Places, colour: NDArray[np.uint32]) -> NDArray[np.int64]:
    return (block.astype(np.int64) << 32) | colour


class _Reach(NamedTuple):
    """What a selector before a block reaches."""

    level: int
    specificity: int
    rows: Rows
    selector: bytes


class Rules:
    """The rules of one page, on their way into its ledger."""

    def __init__(self, sheet: Sheet, ledger: Ledger) -> None:
        self.sheet = sheet
        self.ledger = ledger
        self.page = ledger.page
        self.buffer = np.frombuffer(sheet.text, np.uint8)
        self.budget = _BUDGET
        self.reached: dict[int, list[_Reach]] = {}
        self.entered: set[int] = set()
        self._index: Index | None = None
        self._subjects: Subjects | None = None

    def papers(self) -> set[int]:
        """The heads of all backgrounds."""
        found = self.sheet.value[_BACKGROUND[self.sheet.name]]
        return set(np.unique(heads(self.buffer, found)).tolist())

    def enter_hiding(self, papers: set[int] | None) -> None:
        """Enter the declarations that may hide, with all rows they reach.

        A text colour is compared with the papers; where these are not known, with a background in the same rule.
        Once a rule hides by one declaration alone, those that would need the company of others are left out: the usual
        rule for screen readers clips its box, and also makes it tiny.
        """
        sheet = self.sheet
        may = may_hide(self.buffer, sheet.name, sheet.value, sheet.stop)
        inks = np.flatnonzero(may & _COLOR[sheet.name])
        if len(inks):
            ink = heads(self.buffer, sheet.value[inks])
            may[inks] = may_be_clear(self.buffer, sheet.value[inks], sheet.stop[inks])
            grounds = np.flatnonzero(_BACKGROUND[sheet.name])
            if papers is not None:
                may[inks] |= is_among(ink, np.array(sorted(papers), np.uint32))
            elif len(grounds):
                paper = heads(self.buffer, sheet.value[grounds])
                pairs = np.sort(_pair(sheet.block[grounds], paper))
                may[inks] |= is_among(_pair(sheet.block[inks], ink), pairs)
        decided: set[int] = set()
        for number, block, text in self._declarations(self._choosable(np.flatnonzero(may), may, None)):
            if self.budget <= 0:
                break
            said = judge(text)
            if said is None or not is_suspect(said):
                continue
            alone = said.hides and said.property not in TOGETHER
            if (alone or block not in decided) and self._enter(number, block, text, said) and alone:
                decided.add(block)

    def enter_answering(self, in_play: set[str]) -> None:
        """Enter the other declarations of properties in play that reach rows which may be hidden.

        Important ones come first, for they add to the rows about which the others may have something to say.
        """
        sheet = self.sheet
        bits = TAIL_BITS[sheet.name] & np.uint32(sum(BITS[name] for name in in_play))
        wanted = np.flatnonzero(bits)
        important = self._important(wanted)
        for chosen in (True, False):
            numbers = wanted[important == chosen]
            if len(numbers):
                numbers = self._choosable(numbers, bits, self.ledger.focus(chosen))
            for number, block, text in self._declarations(numbers):
                said = judge(text) if number not in self.entered else None
                if said is not None and said.property in in_play:
                    self._enter(number, block, text, said)

    def _choosable(self, numbers: Places, bits: NDArray[Any], rows: Bits | None) -> Places:
        """Declarations in rules that apply and may choose rows which have one of the declaration's bits; any rows where
        none are given.  Where they are few, to try each is cheaper than to tell."""
        if rows is not None and not rows.any():
            return numbers[:0]
        numbers = numbers[self._applies(self.sheet.block[numbers])]
        if len(numbers) <= (_FEW if rows is not None else _MANY):
            return numbers
        blocks, place = np.unique(self.sheet.block[numbers], return_inverse=True)
        asked = np.full(len(self.page), _ALL) if rows is None else rows
        if self._subjects is None:
            self._subjects = Subjects(self.page)
        chosen = self._subjects.chosen_bits(self.sheet, blocks, asked)[place]
        kept: Places = numbers[(chosen & bits[numbers]) > 0]
        return kept

    def _applies(self, blocks: Places) -> Bools:
        """Which blocks do not stand in a block that applies nowhere."""
        parents = self.sheet.parent[blocks]
        applies = np.ones(len(self.sheet.parent) + 1, bool)
        for parent in set(parents.tolist()) - {-1}:
            applies[parent] = self.sheet.outer(parent) is not None
        kept: Bools = applies[parents]
        return kept

    def _important(self, numbers: Places) -> Bools:
        """Whether a declaration may end with `!important`."""
        stop = self.sheet.stop[numbers]
        may: Bools = (words_at(self.buffer, stop - 8) | _CASE) == _MPORTANT
        may |= self.buffer[stop - 1] <= 32
        return may

    def _declarations(self, numbers: Places) -> Iterator[tuple[int, int, bytes]]:
        """The number, block and text of some declarations."""
        sheet = self.sheet
        spans = zip(sheet.start[numbers].tolist(), sheet.stop[numbers].tolist(), strict=True)
        texts = [sheet.text[start:stop].lstrip() for start, stop in spans]
        return zip(numbers.tolist(), sheet.block[numbers].tolist(), texts, strict=True)

    def _enter(self, number: int, block: int, text: bytes, said: Said) -> bool:
        """Enter a declaration for all rows its rule reaches; whether it reaches any and means what it says."""
        reached = self.reached.get(block)
        if reached is None:
            reached = self.reached[block] = self._reach(block)
        if not reached or (said.hides and said.property in SIZES and has_room(self.sheet.body(block))):
            return False
        self.entered.add(number)
        for level, specificity, rows, selector in reached:
            self.budget -= len(rows)
            if self.budget > 0:
                self.ledger.enter(Declared(said, text, level, selector), rows, number, specificity)
        return True

    def _reach(self, block: int) -> list[_Reach]:
        """The rows that each selector before a block matches, where it matches any."""
        rule = self.sheet.rule(block)
        if rule is None:
            return []
        if self._index is None:
            self._index = index(self.page)
        may_match, match = self._index.may_match, self._index.match
        level = LAYERED if rule.layered else RULE
        found = []
        for text in rule.selectors:
            matched = match(text) if may_match(text) and self._affords(text) else None
            if matched is not None and len(matched.rows):
                found.append(_Reach(level, matched.specificity, matched.rows, text))
        return found

    def _affords(self, text: bytes) -> bool:
        """Whether the budget is enough to match a selector; then it is spent."""
        compounds = 1 + text.count(b" ") + text.count(b">")
        scans = sum(map(text.count, _SCANS)) + _VALUES * text.count(b"[") + max(compounds - _USUAL, 0)
        self.budget -= _COMPOUND * compounds + scans * len(self.page)
        return self.budget > 0
