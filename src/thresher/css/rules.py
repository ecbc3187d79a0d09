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

from thresher.css.cascade_entries import RULE, Bits, Declared, Ledger
from thresher.css.colour import heads, may_be_clear
from thresher.css.hiding import BITS, ROOMY, TAIL_BITS, TOGETHER, Said, has_room, is_suspect, judge, may_hide
from thresher.css.invalid_selectors import is_refused
from thresher.css.match import Index, Matched, index
from thresher.css.sheet import Sheet
from thresher.css.structure import Declarations
from thresher.css.subjects import Subjects
from thresher.css.text import Places
from thresher.css.variables import USE, Variables
from thresher.page.byte_words import as_word, words_at
from thresher.page.spans import is_among

__all__ = ["Rules"]

Bools = NDArray[np.bool_]

# What matching and entering may cost, in rows looked at: a plain compound is as dear as a thousand, a condition that is
# none (an attribute, a place among siblings, :not) as all rows.  Some tenths of a second.
_BUDGET = 40_000_000
_COMPOUND = 2_000
_BYTE = 20  # what it costs to take the selectors before a block apart, for each byte
_SCANS = (b"(", b"~", b"+", b"*", b":")
_VALUES = 20  # to look at the values of an attribute is so much dearer than to look at rows
_USUAL = 8  # compounds; of longer selectors each further one counts as a scan
_FEW = 60  # declarations; where to try each rule is cheaper than to drop many at once
_MPORTANT = np.uint64(as_word(b"mportant"))
_CASE = np.uint64(0x2020202020202020)
_COLOR, _BACKGROUND = (np.equal(TAIL_BITS, BITS[name]) for name in ("color", "background"))


def _pair(block: Places, colour: NDArray[np.uint32]) -> NDArray[np.int64]:
    return (block.astype(np.int64) << 32) | colour


class _Chosen(NamedTuple):
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
    """The rules of one page, on their way into its ledger."""

    def __init__(self, sheet: Sheet, ledger: Ledger, variables: Variables, external: bool) -> None:
        self.sheet = sheet
        self.ledger = ledger
        self.page = ledger.page
        self.variables = variables
        self.budget = _BUDGET
        self.entered: set[int] = set()
        self._before: dict[int, tuple[list[bytes], int]] = {}
        self._matches: dict[bytes, Matched | None] = {}
        numbers = self._chosen(self._telling(external))
        self.suspects = _Chosen(numbers, *variables.resolved(sheet.text, sheet.declared.only(numbers)))

    def _telling(self, external: bool) -> Places:
        """The declarations that may hide, and the backgrounds.

        Where other sheets paint, a text colour tells something beside a background, or where it may be transparent:
        by itself, or by a variable.
        """
        block, name, _, value, stop = self.sheet.declared
        buffer = self.sheet.structure.buffer
        may = may_hide(buffer, name, value, stop)
        inks, papers = np.flatnonzero(may & _COLOR[name]), np.flatnonzero(_BACKGROUND[name])
        if external:
            inked, painted = np.zeros((2, len(self.sheet.structure.open)), bool)
            inked[block[inks]], painted[block[papers]] = True, True
            papers = papers[inked[block[papers]]]
            inks = inks[~painted[block[inks]]]
            first, last = value[inks], stop[inks]
            by_variable = (buffer[first] | 0x20) == ord("v")
            by_variable |= (buffer[last - 1] == ord(")")) & (buffer[last - 2] == ord(")"))
            may[inks] = may_be_clear(buffer, first, last) | by_variable
        may[papers] = True
        return np.flatnonzero(may)

    @property
    def index(self) -> Index:
        return index(self.page)

    def papers(self) -> set[int]:
        """The heads of all backgrounds."""
        _, text, found = self.suspects
        return set(heads(np.frombuffer(text, np.uint8), found.value[_BACKGROUND[found.name]]).tolist())

    def enter_hiding(self, papers: set[int] | None) -> None:
        """Enter the declarations that may hide, with all rows they reach.

        A text colour is compared with the papers; where these are not known, with a background in the same rule.
        Once a rule hides by one declaration alone, those that would need the company of others are left out: the usual
        rule for screen readers clips its box, and also makes it tiny.
        """
        numbers, text, declared = self.suspects
        block, name, _, value, stop = declared
        buffer = np.frombuffer(text, np.uint8)
        may = may_hide(buffer, name, value, stop)
        inks = np.flatnonzero(may & _COLOR[name])
        if len(inks):
            ink = heads(buffer, value[inks])
            may[inks] = may_be_clear(buffer, value[inks], stop[inks])
            grounds = np.flatnonzero(_BACKGROUND[name])
            if papers is not None:
                may[inks] |= is_among(ink, np.array(sorted(papers), np.uint32))
            elif len(grounds):
                paper = heads(buffer, value[grounds])
                pairs = np.sort(_pair(block[grounds], paper))
                may[inks] |= is_among(_pair(block[inks], ink), pairs)
        decided: set[int] = set()
        for number, rule, declaration in _texts(numbers[may], text, declared.only(may)):
            if self.budget <= 0:
                break
            said = judge(declaration)
            if said is None or not is_suspect(said):
                continue
            alone = said.hides and said.property not in TOGETHER
            if (alone or rule not in decided) and self._enter(number, rule, declaration, said) and alone:
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
            focus = self.ledger.focus(chosen)
            numbers = self._chosen(numbers, bits[numbers], focus)
            asked = {name: (focus & np.uint32(BITS[name])) > 0 for name in in_play}
            for number, block in zip(numbers.tolist(), declared.block[numbers].tolist(), strict=True):
                if self.budget <= 0:
                    break
                if number not in self.entered and self._selectors(block)[0]:
                    text = self._text(number)
                    said = judge(text)
                    if said is not None and said.property in in_play:
                        self._enter(number, block, text, said, asked[said.property])

    def _chosen(self, numbers: Places, bits: Bits | None = None, rows: Bits | None = None) -> Places:
        """Those of some declarations that stand in rules which apply and may choose a row of the page; one that shares
        a bit with the declaration, where bits are given.  Where they are few, to try each is cheaper than to tell."""
        sheet = self.sheet
        block = sheet.declared.block[numbers]
        if len(numbers) > _FEW:
            found = np.zeros(len(sheet.structure.open), np.uint32)
            found[block] = 1
            blocks = np.flatnonzero(found)
            names = Subjects.of_page(self.index.names) if rows is None else Subjects.of_rows(self.page, rows)
            found[blocks] = names.bits(sheet.structure, blocks)
            kept = found[block] > 0 if bits is None else (found[block] & bits) > 0
            numbers, block = numbers[kept], block[kept]
        return numbers[_applies(sheet, block)]

    def _text(self, number: int) -> bytes:
        """A declaration as it is written, but for its variables."""
        declared = self.sheet.declared
        text = self.sheet.text[declared.start[number] : declared.stop[number]].lstrip()
        return self.variables.expanded(text, int(declared.block[number])) if USE in text else text

    def _important(self, numbers: Places) -> Bools:
        """Whether a declaration may end with `!important`."""
        stop, buffer = self.sheet.declared.stop[numbers], self.sheet.structure.buffer
        may: Bools = (words_at(buffer, stop - 8) | _CASE) == _MPORTANT
        may |= buffer[stop - 1] <= 32
        return may

    def _enter(self, number: int, block: int, text: bytes, said: Said, asked: Bools | None = None) -> bool:
        """Enter a declaration for all rows its rule reaches; whether it reaches any and means what it says.

        Where rows are asked for, selectors are left out that reach none of them.
        """
        selectors, layer = self._selectors(block)
        if not selectors or (said.hides and said.property in ROOMY and has_room(self.sheet.body(block))):
            return False
        reaches = False
        for selector in selectors:
            matched = self._matched(selector)
            if matched is None or (asked is not None and not asked[matched.rows].any()):
                continue
            reaches = True
            self.budget -= len(matched.rows)
            if self.budget > 0:
                self.ledger.enter(
                    Declared(said, text, RULE, selector, layer), matched.rows, number, matched.specificity
                )
        if reaches:
            self.entered.add(number)
        return reaches

    def _selectors(self, block: int) -> tuple[list[bytes], int]:
        """The selectors before a block that may match, and how strong the layer is that it stands in."""
        if block not in self._before:
            self.budget -= _BYTE * self.sheet.head_size(block)
            rule = self.sheet.rule(block)
            found = [] if rule is None else [text for text in rule.selectors if self.index.may_match(text)]
            if rule is None or (found and len(rule.selectors) > 1 and any(map(is_refused, rule.selectors))):
                self._before[block] = [], 0
            else:
                self._before[block] = found, self.sheet.strength(rule)
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
        scans = sum(map(text.count, _SCANS)) + _VALUES * text.count(b"[") + max(compounds - _USUAL, 0)
        self.budget -= _COMPOUND * compounds + scans * len(self.page)
        return self.budget > 0
