"""The rules of a page's style sheets, read in two passes.

Only elements that some declaration hides are of interest, and of those only the properties that decide.  So first the
declarations that may hide are found and the rows they reach, then the other declarations of the same properties
that reach these rows; there a rule is dropped unread when no selector of it ends with a name of these rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.colour import heads, may_be_clear
from thresher.css.hiding import BITS, PREFIX_BITS, PREFIXES, SIZES, TOGETHER, has_room, is_suspect, judge, may_hide
from thresher.css.ledger import LAYERED, RULE, Declared, Ledger
from thresher.css.match import Index, Rows, index, is_among
from thresher.css.sheet import Sheet
from thresher.css.subjects import Bits, chosen_bits
from thresher.page import Ints

__all__ = ["Rules"]

Bools = NDArray[np.bool_]

_SELECTORS = 20_000  # compounds matched per page, after those that name a class or id the page lacks
_COLOR, _BACKGROUND = PREFIXES.index(b"color"), PREFIXES.index(b"backgrou")
_FEW, _MANY = 40, 200  # declarations; where to try each rule is cheaper than to drop many at once
_MPORTANT = np.frombuffer(b"mportant", np.uint64)[0]


def _pair(block: Ints, colour: NDArray[np.uint32]) -> NDArray[np.int64]:
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
        self.buffer = np.frombuffer(sheet.text + b"\0", np.uint8)
        self.budget = _SELECTORS
        self.reached: dict[int, list[_Reach]] = {}
        self.entered: set[int] = set()

    def papers(self) -> set[int]:
        """The heads of all backgrounds."""
        found = self.sheet.value[self.sheet.name == _BACKGROUND]
        return set(np.unique(heads(self.buffer, found)).tolist())

    def enter_hiding(self, papers: set[int] | None) -> None:
        """Enter the declarations that may hide, with all rows they reach.

        A text colour is compared with the papers; where these are not known, with a background in the same rule.
        """
        sheet = self.sheet
        may = may_hide(self.buffer, sheet.name, sheet.value)
        inks = np.flatnonzero(may & (sheet.name == _COLOR))
        if len(inks):
            ink = heads(self.buffer, sheet.value[inks])
            may[inks] = may_be_clear(self.buffer, sheet.value[inks], sheet.stop[inks])
            grounds = np.flatnonzero(sheet.name == _BACKGROUND)
            if papers is not None:
                may[inks] |= is_among(ink, np.array(sorted(papers), np.uint32))
            elif len(grounds):
                paper = heads(self.buffer, sheet.value[grounds])
                pairs = np.sort(_pair(sheet.block[grounds], paper))
                may[inks] |= is_among(_pair(sheet.block[inks], ink), pairs)
        numbers = np.flatnonzero(may)
        if len(numbers) > _MANY:
            numbers = self._choosable(numbers, may.astype(np.uint32), np.ones(len(self.page), np.uint32))
        self._enter(numbers, None)

    def enter_answering(self, in_play: set[str]) -> None:
        """Enter the other declarations of properties in play that reach rows which may be hidden."""
        sheet = self.sheet
        bits = PREFIX_BITS[sheet.name] & np.uint32(sum(BITS[name] for name in in_play))
        wanted = np.flatnonzero(bits)
        important = self._important(wanted)
        for chosen in (True, False):
            numbers = wanted[important == chosen]
            if len(numbers):
                self._enter(self._choosable(numbers, bits, self.ledger.focus(chosen)), in_play)

    def _choosable(self, numbers: NDArray[np.intp], bits: Bits, rows: Bits) -> NDArray[np.intp]:
        """Declarations in rules that may choose rows which have one of the declaration's bits; of a few rules, all."""
        if len(numbers) <= _FEW:
            return numbers if rows.any() else numbers[:0]
        blocks, place = np.unique(self.sheet.block[numbers], return_inverse=True)
        return numbers[(chosen_bits(self.page, self.sheet, blocks, rows)[place] & bits[numbers]) > 0]

    def _important(self, numbers: NDArray[np.intp]) -> Bools:
        """Whether a declaration may end with `!important`."""
        stop = self.sheet.stop[numbers]
        tail = np.ascontiguousarray(self.buffer[stop[:, None] + np.arange(-8, 0)] | 0x20).view(np.uint64)[:, 0]
        may: Bools = (tail == _MPORTANT) | (self.buffer[stop - 1] <= 32)
        return may

    def _enter(self, numbers: NDArray[np.intp], in_play: set[str] | None) -> None:
        """Enter some declarations for all rows they reach; without a set in play, those that hide.

        Once a rule hides by one declaration alone, those that would need the company of others are left out: the usual
        rule for screen readers clips its box, and also makes it tiny.
        """
        sheet = self.sheet
        decided: set[int] = set()
        blocks = sheet.block[numbers].tolist()
        spans = zip(numbers.tolist(), blocks, sheet.start[numbers].tolist(), sheet.stop[numbers].tolist(), strict=True)
        for number, block, start, stop in spans:
            if block not in self.reached:
                self.reached[block] = self._reach(block)
            if not self.reached[block] or number in self.entered:
                continue
            text = sheet.text[start:stop]
            said = judge(text)
            if said is not None and said.hides and said.property in SIZES and has_room(sheet.body(block)):
                continue
            if said is None or (in_play is not None and said.property not in in_play):
                continue
            if in_play is None:
                alone = said.hides and said.property not in TOGETHER
                if not alone and (block in decided or not is_suspect(said)):
                    continue
                if alone:
                    decided.add(block)
            self.entered.add(number)
            for level, specificity, rows, selector in self.reached[block]:
                self.ledger.enter(Declared(said, text, level, selector), rows, number, specificity)

    def _reach(self, block: int) -> list[_Reach]:
        """The rows that each selector before a block matches, where it matches any."""
        index = self.index
        head = self.sheet.head(block)
        if (
            b"(" not in head
            and b"&" not in head
            and head[:1] != b"@"
            and not any(map(index.may_match, head.split(b",")))
        ):
            return []
        rule = self.sheet.rule(block, head)
        if rule is None:
            return []
        level = LAYERED if rule.layered else RULE
        found = []
        for text in rule.selectors:
            matched = index.match(text) if self.budget > 0 and index.may_match(text) else None
            if matched is not None:
                self.budget -= 1 + text.count(b" ")
                if len(matched.rows):
                    found.append(_Reach(level, matched.specificity, matched.rows, text))
        return found

    @property
    def index(self) -> Index:
        return index(self.page)
