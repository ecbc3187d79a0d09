"""The cascade over a page, for the properties that hide: which declaration wins on which element."""

from __future__ import annotations

import binascii
import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from thresher.css.cascade_entries import ATTRIBUTE, INLINE, Declared, Ledger, Styles
from thresher.css.colour import UNKNOWN, WHITE_HEADS, colour, head, may_vanish, with_shades
from thresher.css.hiding import NAMES, TOGETHER, Part, Said, is_suspect, judge, known_parts
from thresher.css.rules import Rules
from thresher.css.sheet import Names, Sheet
from thresher.css.text import spelled_out
from thresher.css.values import Rows, distinct
from thresher.css.variables import USE, Variables
from thresher.data.tags import NUMBER
from thresher.page import Page, attributes

__all__ = ["Hint", "styles", "unread", "uses_other_sheets"]

_WANTED = Names(NAMES)
_BYTES = 2_000_000  # of style sheets read per page; the rest is left unread
_INLINE = 1_000_000  # bytes of different style attributes
_VALUES = 20_000  # different style attributes read per page


class Hint(NamedTuple):
    """Rows on which an attribute acts as a declaration does."""

    said: Said
    words: str
    rows: Rows


class _StyleAttributes:
    """The declarations of all style attributes, equal ones at the same place in their attribute taken together."""

    def __init__(self, page: Page, ledger: Ledger, variables: Variables) -> None:
        self.ledger = ledger
        self.found = distinct(page, "style")
        self.parts: dict[tuple[int, Part], list[int]] = {}  # the values that have each
        left = _INLINE
        for number, value in enumerate(self.found.values[:_VALUES]):
            left -= len(value)
            if left < 0:
                break
            if USE in value:
                value = variables.expanded_attribute(value)
            for place in enumerate(known_parts(spelled_out(value))):
                self.parts.setdefault(place, []).append(number)
        self.unread = left < 0 or len(self.found.values) > _VALUES

    def papers(self) -> set[int]:
        """The heads of all backgrounds."""
        return {head(part.value) for _, part in self.parts if part.property == "background"}

    def enter_hiding(self, papers: set[int]) -> None:
        """Enter the declarations that hide, and the text colours that may be those of one of the papers."""
        for (order, part), numbers in list(self.parts.items()):
            if part.may_hide and (part.property != "color" or may_vanish(part.value, papers)):
                said = judge(part.text)
                if said is not None and is_suspect(said):
                    self._enter(order, part, said, numbers)
                    del self.parts[order, part]

    def enter_answering(self, in_play: set[str]) -> None:
        """Enter the others that set a property in play."""
        for (order, part), numbers in self.parts.items():
            said = judge(part.text) if part.property in in_play else None
            if said is not None:
                self._enter(order, part, said, numbers)

    def _enter(self, order: int, part: Part, said: Said, numbers: list[int]) -> None:
        self.ledger.enter(Declared(said, part.text, INLINE), self.found.of_any(numbers), order)


def styles(page: Page, hints: list[Hint]) -> Styles:
    """The winning declarations of all properties by which something on the page may be hidden."""
    ledger = Ledger(page)
    for hint in hints:
        ledger.enter(Declared(hint.said, hint.words.encode(), ATTRIBUTE), hint.rows)
    sheets = _style_sheets(page)
    sheet = Sheet(sheets, _WANTED) if sheets else None
    variables = Variables(sheet)
    inline = _StyleAttributes(page, ledger, variables)
    # What other sheets paint is not known: then only backgrounds in style attributes and in the same rule count.
    external = uses_other_sheets(page)
    rules = None if sheet is None else Rules(sheet, ledger, variables, external)
    papers = inline.papers() | {head(value.strip()) for value in distinct(page, "bgcolor").values}
    if not external:
        papers |= WHITE_HEADS if rules is None else WHITE_HEADS | rules.papers()
    papers = with_shades(papers)
    _enter_inks(page, ledger, papers)
    inline.enter_hiding(papers)
    if rules is not None:
        rules.enter_hiding(None if external else papers)
    in_play = set(ledger.entries)
    in_play.update(*(TOGETHER.get(name, ()) for name in in_play))
    if in_play:
        if "color" in in_play:
            _enter_papers(page, ledger)
        inline.enter_answering(in_play)
        if rules is not None:
            rules.enter_answering(in_play)
    spent = rules is not None and rules.budget <= 0
    page._memo["css unread"] = spent or inline.unread or _sheet_bytes(page) > _BYTES
    return ledger.settle(in_play)


def unread(page: Page) -> bool:
    """Whether the page's styles were too many to be read to the end; known once `styles` has run."""
    return bool(page._memo.get("css unread"))


def uses_other_sheets(page: Page) -> bool:
    """Whether the page loads style sheets that we do not see."""
    if b"stylesheet" in page.markup:
        return True
    # An import stands before all rules.
    sheets = (island.text for island in page.islands if island.tag == "style")
    return any("@import" in text.partition("{")[0] for text in sheets)


def _style_sheets(page: Page) -> list[bytes]:
    """The page's own sheets, up to a limit: those of style elements, then those written out in an address."""
    left = _BYTES
    sheets = []
    for island in page.islands:
        if island.tag == "style" and island.type in ("", "text/css") and left > 0:
            text = island.text[:left].encode(errors="replace")
            left -= len(text)
            # Old pages hide their rules in a comment from browsers that are older still.
            old = b"<" in text and b"<!--" in text
            sheets.append(text.replace(b"<!--", b"    ").replace(b"-->", b"   ") if old else text)
    if b"data:text/css" in page.markup:
        sheets += _linked_sheets(page)
    return sheets


def _linked_sheets(page: Page) -> list[bytes]:
    """`<link rel=stylesheet href="data:text/css,…">`"""
    relations = attributes.values(page, "rel")
    sheets = []
    for row, address in list(attributes.values(page, "href").items()):
        match = _DATA_SHEET.match(address)
        relation = relations.get(row, "").lower().split()
        if match and page.tag[row] == NUMBER["link"] and "stylesheet" in relation and "alternate" not in relation:
            text = unquote_to_bytes(address[match.end() : match.end() + _BYTES])
            if ";base64" in match[0].lower():
                try:
                    text = binascii.a2b_base64(text)
                except binascii.Error:
                    continue
            sheets.append(text)
    return sheets


_DATA_SHEET = re.compile(r"\s*data:text/css[^,]*,", re.IGNORECASE)


def _sheet_bytes(page: Page) -> int:
    return sum(len(island.text) for island in page.islands if island.tag == "style")


def _enter_papers(page: Page, ledger: Ledger) -> None:
    """Backgrounds that attributes paint: `bgcolor`, and `background`, which is an image."""
    for attribute, judged in (("bgcolor", colour), ("background", lambda value: UNKNOWN)):
        found = distinct(page, attribute)
        for number, value in enumerate(found.values):
            said = Said("background", False, judged(value.strip().lower()), False)
            ledger.enter(Declared(said, b"", ATTRIBUTE), found.of(number))


_DIGITS = re.compile(rb"[0-9a-f]{3}|[0-9a-f]{6}")  # of a colour whose sign was left out, as attributes allow


def _enter_inks(page: Page, ledger: Ledger, papers: set[int]) -> None:
    """Text colours that attributes set and that may be those of the papers: `<font color>`, `<body text>`."""
    for attribute, tag in (("color", "font"), ("text", "body")):
        found = distinct(page, attribute)
        for number, value in enumerate(found.values[:_VALUES]):
            value = value.strip().lower()
            value = b"#" + value if _DIGITS.fullmatch(value) else value
            rows = found.of(number)
            rows = rows[page.tag[rows] == NUMBER[tag]]
            if len(rows) and may_vanish(value, papers):
                said = Said("color", False, colour(value), False)
                ledger.enter(Declared(said, attribute.encode() + b" attribute", ATTRIBUTE), rows)
