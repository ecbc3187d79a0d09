"""The cascade over a page, for the properties that hide: which declaration wins on which element."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from thresher.css.cascade_entries import ATTRIBUTE, CascadeEntries, Declared, Styles
from thresher.css.colour import BLACK_PREFIXES, UNKNOWN, WHITE_PREFIXES, colour, colour_prefix, may_vanish, with_shades
from thresher.css.compiled_sheet import CompiledSheet, read_sheets
from thresher.css.hiding import Effect
from thresher.css.page_sheets import sources, uses_other_sheets
from thresher.css.properties import BESIDE, PLACES, PROPERTIES
from thresher.css.rules import Rules
from thresher.css.style_attributes import MAX_VALUES, StyleAttributes
from thresher.css.values import distinct
from thresher.data.tags import NUMBER, group
from thresher.page import Page, attributes
from thresher.page.types import Rows
from thresher.text.patterns import compile_later

__all__ = ["Hint", "styles"]


class Hint(NamedTuple):
    """Rows on which an attribute acts as a declaration does."""

    effect: Effect
    words: str
    rows: Rows


def styles(page: Page, hints: list[Hint]) -> Styles:
    """The winning declarations of all properties by which something on the page may be hidden."""
    written, scopes, unread = sources(page)
    sheet = read_sheets(written, PROPERTIES) if written else None
    entries = CascadeEntries(page, sheet)
    for hint in hints:
        entries.enter(Declared(hint.effect, hint.words.encode(), ATTRIBUTE), hint.rows)
    inline = StyleAttributes(page, sheet)
    # What other sheets paint is not known: then only backgrounds in style attributes and in the same rule count.
    external = uses_other_sheets(page)
    rules = None if sheet is None else Rules(sheet, entries, external, scopes)
    backgrounds = inline.backgrounds()
    if attributes.is_used(page, "bgcolor"):
        backgrounds.update(colour_prefix(value.strip()) for value in distinct(page, "bgcolor").values)
    if not external:
        backgrounds |= WHITE_PREFIXES if rules is None else WHITE_PREFIXES | rules.backgrounds()
        if backgrounds & BLACK_PREFIXES and not _is_dark(page, sheet):
            _enter_first_colour(page, entries)
    backgrounds = with_shades(backgrounds) if backgrounds else backgrounds
    _enter_text_colours(page, entries, backgrounds)
    inline.enter_hiding(entries, backgrounds)
    if rules is not None:
        rules.enter_hiding(None if external else backgrounds)
    in_play = entries.in_play()
    if in_play:
        if entries.find_low_boxes():
            in_play.update(PLACES)
        in_play.update(*(BESIDE[name] for name in in_play))
        if "color" in in_play:
            _enter_backgrounds(page, entries)
        inline.enter_answering(entries, in_play)
        if rules is not None:
            rules.enter_answering(in_play)
    spent = rules is not None and rules.budget <= 0
    return entries.settle(in_play, spent or inline.unread or unread)


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
        if not attributes.is_used(page, attribute):
            continue
        values = distinct(page, attribute)
        for number, value in enumerate(values.values[:MAX_VALUES]):
            value = value.strip().lower()
            value = b"#" + value if _BARE_HEX_COLOUR.fullmatch(value) else value
            rows = values.of(number)
            rows = rows[page.tag[rows] == NUMBER[tag]]
            if len(rows) and may_vanish(value, backgrounds):
                effect = Effect("color", False, colour(value), False)
                entries.enter(Declared(effect, attribute.encode() + b" attribute", ATTRIBUTE), rows)
