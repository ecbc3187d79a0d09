"""Which elements the styles of a page hide, by each property.

Most properties hide by themselves; the others only with a second one (`left` with `position`), in company of the same
around them (`opacity`), or on boxes but not on pieces of a line (`height`).
"""

from __future__ import annotations

from thresher.css.animations import apply_animations
from thresher.css.cascade_entries import Styles
from thresher.css.combined_declarations import (
    above_window,
    boxes_of_flat_lines,
    empty_boxes,
    fully_faded,
    inline_boxes,
    seen_from_behind,
    shifted_out,
    shrunk,
    small_masks,
    table_cells,
    too_small,
)
from thresher.css.outcome import IF_CUT, IF_FIXED, ONLY_UP
from thresher.css.page_sheets import uses_other_sheets
from thresher.css.properties import HIDE_ALONE, HIDE_WITH, INHERITED, OF_BOXES, OF_NO_CELLS
from thresher.css.references import cut_by_element
from thresher.page import Page
from thresher.page.types import Bools
from thresher.text.patterns import compile_later
from thresher.visible.cut_off import cut_off

__all__ = ["hidden_by_styles"]

# Properties that pass on to what is inside and hide by themselves.
_PASSED_ON = tuple(name for name in INHERITED if name not in ("line-height", "color", "text-fill"))
_BY_THEMSELVES = (*HIDE_ALONE, *_PASSED_ON)
_FIXED = compile_later(rb"fixed")
_TAKEN_OUT = compile_later(rb"absolute|fixed")
_OF_ROOT = compile_later(rb".*rem")


def hidden_by_styles(page: Page, won: Styles) -> dict[str, Bools]:
    """Rows that each property hides: themselves and, but for inherited ones, everything inside."""
    entered = won.entered
    if not entered:
        return {}
    reasons = {name: won.hides(name) for name in _BY_THEMSELVES if name in entered}
    if "font-size" in reasons and reasons["font-size"][page.parent < 0].any():
        reasons["font-size"] |= won.of_values("font-size", _OF_ROOT)  # so many times the root's, which is nothing
    if "line-height" in entered:
        reasons["line-height"] = boxes_of_flat_lines(page, won)
    for name, needed in HIDE_WITH.items():
        if name in entered and needed in won.winner:
            reasons[name] = won.hides(name) & (won.hides(needed) | (name == "clip"))
            if needed == "position":
                beyond = won.shares(name) == IF_FIXED
                if beyond.any():
                    reasons[name] |= beyond & won.of_values("position", _FIXED)
    _combine(page, won, reasons)
    if not uses_other_sheets(page):  # which may make anything a box
        _pass_over_lines(page, won, reasons)
    if len(won.low_boxes):
        reasons["overflow"] = cut_off(page, won)
    if "animation" in reasons:
        apply_animations(won, reasons)
    return reasons


def _combine(page: Page, won: Styles, reasons: dict[str, Bools]) -> None:
    """What some properties hide only with others, or in company of the same around them."""
    external = uses_other_sheets(page)
    if "opacity" in reasons:
        reasons["opacity"] |= fully_faded(page, won)
    if "zoom" in reasons:
        reasons["zoom"] = too_small(page, won)
    for name in ("transform", "scale"):
        if name in reasons:
            reasons[name] |= shrunk(page, won, name)
    for name in ("transform", "translate", "margin-left"):
        if name in reasons:
            reasons[name] |= shifted_out(page, won, name)
    for name in ("mask", "clip-path"):
        if name in reasons:
            reasons[name] |= cut_by_element(page, won, name)
    for name, size in (("top", "height"), ("left", "width")):
        if name in reasons:
            reasons[name] |= above_window(page, won, name, size)
    if "clip" in reasons:
        elsewhere = external & (won.winner["position"] == 0)
        reasons["clip"] &= won.of_values("position", _TAKEN_OUT) | elsewhere
    if "backface-visibility" in reasons:
        reasons["backface-visibility"] &= seen_from_behind(won)
    if "contain" in reasons:
        reasons["contain"] = empty_boxes(won, external)
    if "mask-size" in reasons:
        reasons["mask-size"] = small_masks(won)
    if "text-indent" in reasons:
        cut = won.hides("overflow") & (won.hides("white-space") | won.shows("height"))
        reasons["text-indent"] |= (won.shares("text-indent") == IF_CUT) & cut
    if "aspect-ratio" in reasons:
        reasons["aspect-ratio"] &= ~won.shows("height")
    for name in ("height", "max-height"):
        if name in reasons and "min-height" in won.winner:
            reasons[name] &= ~won.shows("min-height")


def _pass_over_lines(page: Page, won: Styles, reasons: dict[str, Bools]) -> None:
    """Take out what would hide a box but stands on a piece of a line, and sizes of table cells."""
    if "margin-left" in reasons:
        only_up = won.shares("margin-left") == ONLY_UP
        reasons["margin-left"] |= only_up & ~inline_boxes(page, won) if only_up.any() else only_up
    for names, lines in (((*OF_BOXES, "line-height"), inline_boxes), (OF_NO_CELLS, table_cells)):
        hiding = [name for name in names if name in reasons and reasons[name].any()]
        if hiding:
            open_rows = ~lines(page, won)
            for name in hiding:
                reasons[name] &= open_rows
