"""What declarations say about which rows, entered in any order and settled at the end.

Settling assigns in ascending order of precedence, so the last one stays and nothing is compared:

    attributes (hidden, bgcolor)  <  rules  <  style attributes  <  important rules  <  important ones in attributes

and among rules the one in the stronger layer (layers.py), of important ones in the weaker; then the more specific, then
the later one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from thresher.css.hiding import ANSWERS, BITS, INHERITED, TEXT_ONLY, Effect
from thresher.css.text import without_comments
from thresher.page import Page
from thresher.page.tree import subtree_sum, within
from thresher.page.types import Bits, Bools, Rows

__all__ = ["ATTRIBUTE", "INLINE", "RULE", "CascadeEntries", "Declared", "Styles"]

ATTRIBUTE, RULE, INLINE = range(3)
_IMPORTANT = {RULE: 3, INLINE: 4}
_MAX_QUOTED_BYTES = 100  # bytes of a declaration and of a selector that `words` quotes


class Declared(NamedTuple):
    """A declaration, what it says and where it stands."""

    effect: Effect
    text: bytes
    level: int
    selector: bytes = b""  # of a rule
    layer: int = 0  # how strong the layer of the rule is

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


class Styles(NamedTuple):
    """The declarations entered, and for each property the number of the one that wins on each row (-1: none)."""

    declared: list[Declared]
    winner: dict[str, Rows]
    hiding: Bools  # which declarations hide; one False behind them, for -1
    unread: bool  # whether the page's styles were too many to be read to the end

    def hides(self, name: str) -> Bools:
        """Where the winning declaration of a property in play hides."""
        return self.hiding[self.winner[name]]

    def shows(self, name: str) -> Bools:
        """Where the winning declaration of a property in play does not hide."""
        return (self.winner[name] >= 0) & ~self.hides(name)

    def of_values(self, name: str, pattern: re.Pattern[bytes]) -> Bools:
        """Where the value of the winning declaration of a property in play is like a pattern."""
        alike = [pattern.fullmatch(declared.value) is not None for declared in self.declared]
        return np.array([*alike, False])[self.winner[name]]


class _Entry(NamedTuple):
    precedence: tuple[int, int, int, int]  # level, layer, specificity, order
    rows: Rows
    declared: int


class CascadeEntries:
    """The entries of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.declared: list[Declared] = []
        self.by_property: dict[str, list[_Entry]] = {}
        self.texts = page.first < page.last

    def enter(self, declared: Declared, rows: Rows, order: int = 0, specificity: int = 0) -> None:
        effect, _, level, _, layer = declared
        if effect.property in TEXT_ONLY:
            rows = rows[self.texts[rows]]
        if not len(rows):
            return
        strength = (_IMPORTANT[level], -layer) if effect.important else (level, layer)
        precedence = (*strength, specificity, order)
        self.by_property.setdefault(effect.property, []).append(_Entry(precedence, rows, len(self.declared)))
        self.declared.append(declared)

    def focus(self, important: bool) -> Bits:
        """For each row the properties of which a declaration in a rule, important or not, may decide whether the row is
        hidden: where one was entered on a level below, and where it is inherited all below."""
        bits = np.zeros(len(self.page), np.uint32)
        for name, entries in self.by_property.items():
            answers = np.uint32(ANSWERS[name])
            heirs = np.zeros(len(self.page), bool)
            for entry in entries:
                if name in INHERITED:
                    heirs[entry.rows] = True
                elif important or entry.precedence[0] < INLINE:
                    bits[entry.rows] |= answers
            if heirs.any():
                if name == "color":  # the background may stand on an element around it
                    bits[subtree_sum(self.page, heirs) > 0] |= np.uint32(BITS["background"])
                bits[within(self.page, heirs)] |= answers
        return bits

    def settle(self, properties: set[str], unread: bool) -> Styles:
        """The winners of some properties."""
        winner = {name: np.full(len(self.page), -1) for name in properties}
        for name in properties:
            for entry in sorted(self.by_property.get(name, ()), key=lambda entry: entry.precedence):
                winner[name][entry.rows] = entry.declared
        hiding = np.array([declared.effect.hides for declared in self.declared] + [False])
        return Styles(self.declared, winner, hiding, unread)
