"""The cascade over a page, for the properties that hide: which declaration wins on which element."""

from __future__ import annotations

import binascii
import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

import numpy as np

from thresher.css.cascade_entries import ATTRIBUTE, CascadeEntries, Declared, Styles
from thresher.css.colour import BLACK_PREFIXES, UNKNOWN, WHITE_PREFIXES, colour, colour_prefix, may_vanish, with_shades
from thresher.css.compiled_sheet import CompiledSheet, read_sheets
from thresher.css.conditionals import CONDITIONAL, without_conditionals
from thresher.css.hiding import Effect
from thresher.css.properties import BESIDE, PLACES, PROPERTIES
from thresher.css.rules import Rules
from thresher.css.style_attributes import MAX_VALUES, StyleAttributes
from thresher.css.values import distinct
from thresher.css.variables import Variables
from thresher.data.tags import NUMBER, group
from thresher.page import Page, attributes, memoised
from thresher.page.types import Rows
from thresher.text.patterns import compile_later

__all__ = ["Hint", "styles", "uses_other_sheets"]

_MAX_SHEET_BYTES = 2_000_000  # of style sheets read per page; the rest is left unread


class Hint(NamedTuple):
    """Rows on which an attribute acts as a declaration does."""

    effect: Effect
    words: str
    rows: Rows


def styles(page: Page, hints: list[Hint]) -> Styles:
    """The winning declarations of all properties by which something on the page may be hidden."""
    sheets = _style_sheets(page)
    sheet = read_sheets([text for text, _ in sheets], PROPERTIES) if sheets else None
    entries = CascadeEntries(page, sheet)
    for hint in hints:
        entries.enter(Declared(hint.effect, hint.words.encode(), ATTRIBUTE), hint.rows)
    inline = StyleAttributes(page, entries, Variables(sheet))
    # What other sheets paint is not known: then only backgrounds in style attributes and in the same rule count.
    external = uses_other_sheets(page)
    rules = None if sheet is None else Rules(sheet, entries, external, [scope for _, scope in sheets])
    backgrounds = inline.backgrounds() | {colour_prefix(value.strip()) for value in distinct(page, "bgcolor").values}
    if not external:
        backgrounds |= WHITE_PREFIXES if rules is None else WHITE_PREFIXES | rules.backgrounds()
    if not external and backgrounds & BLACK_PREFIXES and not _is_dark(page, sheet):
        _enter_first_colour(page, entries)
    backgrounds = with_shades(backgrounds)
    _enter_text_colours(page, entries, backgrounds)
    inline.enter_hiding(backgrounds)
    if rules is not None:
        rules.enter_hiding(None if external else backgrounds)
    in_play = entries.in_play()
    if entries.find_low_boxes():
        in_play.update(PLACES)
    in_play.update(*(BESIDE[name] for name in in_play))
    if in_play:
        if "color" in in_play:
            _enter_backgrounds(page, entries)
        inline.enter_answering(in_play)
        if rules is not None:
            rules.enter_answering(in_play)
    spent = rules is not None and rules.budget <= 0
    unread = spent or inline.unread or _sheet_bytes(page) > _MAX_SHEET_BYTES
    return entries.settle(in_play, unread)


@memoised
def uses_other_sheets(page: Page) -> bool:
    """Whether the page loads style sheets that we do not see."""
    if b"stylesheet" in page.markup and (b"data:text/css" not in page.markup or _links_elsewhere(page)):
        return True
    sheets = (island.text for island in page.islands if island.tag == "style" and "@import" in island.text)
    return any(_IMPORT.match(_DATA_IMPORT.sub("", text)) is not None for text in sheets)


def _links_elsewhere(page: Page) -> bool:
    """Whether a link to a style sheet is more than a sheet that is written out in the address."""
    addresses = attributes.values(page, "href")
    linked = [row for row, relation in attributes.values(page, "rel").items() if "stylesheet" in relation.lower()]
    return any(_DATA_SHEET.match(addresses.get(row, "")) is None for row in linked)


def _style_sheets(page: Page) -> list[tuple[bytes, int]]:
    """The page's own sheets, up to a limit: those of style elements, then those written out in an address; each with
    the shadow root that it stands in, or -1."""
    left = _MAX_SHEET_BYTES
    sheets: list[tuple[bytes, int]] = []
    for island in page.islands:
        if island.tag == "style" and island.type in ("", "text/css") and left > 0:
            text = island.text[:left].encode(errors="replace")
            left -= len(text)
            # Old pages hide their rules in a comment from browsers that are older still.
            old = b"<" in text and b"<!--" in text
            if b"|" in text:  # which few sheets have, and one byte is soon looked for
                text = text.replace(_ANY_NAMESPACE, b"")
            if b"@scope" in text:
                text = text.replace(b":scope", b"&")  # as in a rule around
            if CONDITIONAL in text:
                text = without_conditionals(text)
            if b"@import" in text:
                sheets += ((sheet, island.shadow) for sheet in _imported_sheets(island.text))
            if island.shadow >= 0:
                text = text.replace(b"::slotted(", b":slotted(")
            text = text.replace(b"<!--", b"    ").replace(b"-->", b"   ") if old else text
            sheets.append((text, island.shadow))
    links = np.flatnonzero(page.tag == NUMBER["link"])
    tags = zip(page.tag_start[links].tolist(), page.tag_stop[links].tolist(), strict=True)
    if any(page.markup.find(b"data:text/css", start, stop) >= 0 for start, stop in tags):
        sheets += ((sheet, -1) for sheet in _linked_sheets(page))
    return sheets


def _linked_sheets(page: Page) -> list[bytes]:
    """`<link rel=stylesheet href="data:text/css,…">`"""
    relations = attributes.values(page, "rel")
    sheets = []
    for row, address in list(attributes.values(page, "href").items()):
        relation = relations.get(row, "").lower().split()
        if page.tag[row] == NUMBER["link"] and "stylesheet" in relation and "alternate" not in relation:
            sheets += _written_out(address)
    return sheets


def _written_out(address: str) -> list[bytes]:
    """The sheet that an address is, if it is one."""
    match = _DATA_SHEET.match(address)
    if match is None:
        return []
    text = unquote_to_bytes(address[match.end() : match.end() + _MAX_SHEET_BYTES])
    if ";base64" in match[0].lower():
        try:
            text = binascii.a2b_base64(text)
        except binascii.Error:
            return []
    return [text.replace(_ANY_NAMESPACE, b"")]


def _imported_sheets(text: str) -> list[bytes]:
    """`@import url("data:text/css,…") screen;` before all rules of a sheet, unless for print."""
    matches = list(_DATA_IMPORT.finditer(text))[:_MAX_IMPORTS]
    return [
        sheet
        for match in matches
        if "print" not in match[3].lower()
        for sheet in _written_out(match[1] or match[2] or "")
    ]


_ANY_NAMESPACE = b"*|"  # before the name of an element in a selector: `*|p`
_MAX_IMPORTS = 50
_DATA_IMPORT = compile_later(
    r"""@import\s+(?:url\(\s*)?(?:["'](data:text/css[^"']*)["']|(data:text/css[^\s)"';]*))\s*\)?([^;"']{0,200});""",
    re.IGNORECASE,
)


_IMPORT = compile_later(r"[^{]*?@import")  # which stands before all rules
_DATA_SHEET = compile_later(r"\s*data:text/css[^,]*,", re.IGNORECASE)


def _sheet_bytes(page: Page) -> int:
    return sum(len(island.text) for island in page.islands if island.tag == "style")


def _enter_backgrounds(page: Page, entries: CascadeEntries) -> None:
    """Backgrounds that attributes paint: `bgcolor`, and `background`, which is an image."""
    for attribute, read in (("bgcolor", colour), ("background", lambda value: UNKNOWN)):
        values = distinct(page, attribute)
        for number, value in enumerate(values.values):
            effect = Effect("background", False, read(value.strip().lower()), False)
            entries.enter(Declared(effect, b"", ATTRIBUTE), values.of(number))


_BARE_HEX_COLOUR = compile_later(
    rb"[0-9a-f]{3}|[0-9a-f]{6}"
)  # of a colour whose sign was left out, as attributes allow


def _is_dark(page: Page, sheet: CompiledSheet | None) -> bool:
    """Whether a page may be dark by itself: then its first text colour is white."""
    texts = (page.markup,) if sheet is None else (page.markup, sheet.text)
    return any(_COLOR_SCHEME in text.lower() and _DARK.search(text) is not None for text in texts)


_COLOR_SCHEME = b"color-scheme"  # soon looked for, unlike a pattern
_DARK = compile_later(rb"color-scheme[^;<>{}]{1,20}dark", re.IGNORECASE)
# Elements whose text the browser paints in a colour of its own.
_OWN_COLOUR = group(("a", "button", "input", "select", "textarea", "mark", "legend", "meter", "progress"))


def _enter_first_colour(page: Page, entries: CascadeEntries) -> None:
    """Text is black until something is said."""
    for rows, written in ((page.parent < 0, colour(b"black")), (_OWN_COLOUR[page.tag], UNKNOWN)):
        effect = Effect("color", False, written, False)
        entries.enter(Declared(effect, b"black text on black", ATTRIBUTE), np.flatnonzero(rows))


def _enter_text_colours(page: Page, entries: CascadeEntries, backgrounds: set[int]) -> None:
    """Text colours that attributes set and that may be those of the backgrounds: `<font color>`, `<body text>`."""
    for attribute, tag in (("color", "font"), ("text", "body")):
        values = distinct(page, attribute)
        for number, value in enumerate(values.values[:MAX_VALUES]):
            value = value.strip().lower()
            value = b"#" + value if _BARE_HEX_COLOUR.fullmatch(value) else value
            rows = values.of(number)
            rows = rows[page.tag[rows] == NUMBER[tag]]
            if len(rows) and may_vanish(value, backgrounds):
                effect = Effect("color", False, colour(value), False)
                entries.enter(Declared(effect, attribute.encode() + b" attribute", ATTRIBUTE), rows)
