"""Declarations that hide only together: of one element, or of one and those around it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.css.cascade_entries import INLINE, Styles
from thresher.css.lengths import MAX_INVISIBLE_SHARE, pixels
from thresher.css.outcome import DOUBLE_SHIFT, FROM_BEHIND, IF_CUT, IF_NO_LARGER
from thresher.data.tags import NUMBER, TAGS, group
from thresher.page import Page
from thresher.page.tree import inherit, subtree_sum, within
from thresher.page.types import Bools, Floats
from thresher.text.patterns import compile_later

__all__ = [
    "above_window", "boxes_of_flat_lines", "empty_boxes", "fully_faded", "inherit_sparse", "inline_boxes",
    "seen_from_behind", "shifted_out", "shrunk", "small_masks", "table_cells", "too_small",
]  # fmt: skip


_MAX_SPARSE_ROWS = 500  # rows; more are inherit_sparse level by level
_CLIP = compile_later(rb"clip")
_AUTO_HEIGHT = compile_later(rb"auto|initial")  # heights that leave a box as high as what is in it
_IS_INLINE = np.zeros(len(TAGS), bool)  # elements that make a line no higher
for _name in "a abbr b bdi bdo br cite code del dfn em font i ins kbd mark q s small span strong sub sup u".split():
    _IS_INLINE[NUMBER[_name]] = True


def left_along(page: Page, left: Floats, least: float) -> Bools:
    """Rows with a share of which the shares of those around leave no more than this: Σ log(share) along the path, a
    running sum over the rows."""
    changing = np.flatnonzero((left != 1) & (left > 0))
    step = np.zeros(len(page) + 1)
    step[changing] = np.log(left[changing])
    np.subtract.at(step, page.end[changing], step[changing])
    nothing: Bools = np.cumsum(step)[:-1] <= math.log(least) + 1e-9  # a sum is never exact
    return nothing


_REPLACED = group(("img", "svg", "video", "canvas", "iframe", "input", "button", "select", "textarea", "hr"))


_TABLE_PARTS = group(("td", "th", "tr", "table"))


def fully_faded(page: Page, won: Styles) -> Bools:
    """Rows of which several opacities leave nothing."""
    left = won.shares("opacity")
    return left_along(page, left, MAX_INVISIBLE_SHARE) & (left < 1)


def too_small(page: Page, won: Styles) -> Bools:
    """Rows whose letters are zoomed too small to be read, and none of those inside."""
    left = won.shares("zoom")
    small = left_along(page, left, _MIN_READABLE_ZOOM)
    rows: Bools = small & (left < 1) & (subtree_sum(page, ~small) == 0)
    return rows


def shrunk(page: Page, won: Styles, name: str) -> Bools:
    """Rows that are scaled to nothing, with those around them."""
    left = won.shares(name)
    left = np.where((left > 0) & (left < 1), left, 1.0)
    return left_along(page, left, _MIN_READABLE_SCALE) & (left < 1)


_MIN_READABLE_ZOOM = 0.25  # letters of four pixels
_MIN_READABLE_SCALE = 0.06


def shifted_out(page: Page, won: Styles, name: str) -> Bools:
    """Rows that are shifted by twice their width, and hold nothing beside each other that may stick out."""
    shifted: Bools = won.shares(name) == DOUBLE_SHIFT
    if shifted.any():
        children = np.bincount(page.parent[page.parent >= 0], minlength=len(page))
        shifted &= subtree_sum(page, children > 1) == 0
    return shifted


def above_window(page: Page, won: Styles, name: str, size: str) -> Bools:
    """Fixed boxes that are moved out of the window, above it or to the left, by their own size or more."""
    few = won.shares(name) == IF_NO_LARGER
    out = np.zeros(len(page), bool)
    if not few.any():
        return out
    for row in np.flatnonzero(few & won.of_values("position", _FIXED))[:_MAX_ROWS_ABOVE].tolist():
        entry = int(won.winner[size][row]) if size in won.winner else 0
        value = won.declared(entry).value if entry else b"%"
        length = None if value.endswith(b"%") else pixels(value)
        out[row] = length is not None and length <= -(pixels(won.declared(int(won.winner[name][row])).value) or 0)
    return out


_MAX_ROWS_ABOVE = 1_000  # fixed boxes that are looked at
_FIXED = compile_later(rb"fixed")


def seen_from_behind(won: Styles) -> Bools:
    """Rows that are turned to show their back, by one of two properties."""
    behind: Bools = (won.shares("transform") == FROM_BEHIND) ^ (won.shares("rotate") == FROM_BEHIND)
    return behind


def empty_boxes(won: Styles, external: bool) -> Bools:
    """Boxes whose size does not depend on what is in them, with no other size, which cut off what does not fit."""
    sized = won.shows("height") & ~won.of_values("height", _AUTO_HEIGHT)
    sized |= won.shows("min-height") | won.shows("contain-intrinsic-size")
    cuts = won.hides("contain") | ((won.shares("contain") == IF_CUT) & won.hides("overflow"))
    empty: Bools = cuts & ~sized
    return empty & (won.origin[won.winner["contain"]] == INLINE) if external else empty


def small_masks(won: Styles) -> Bools:
    """Masks that are smaller than a letter and stand alone, or have no size at all."""
    image = (won.winner["mask"] > 0) & ~won.of_values("mask", _NO_MASK)
    alone = won.hides("mask-repeat") | won.of_values("mask", _NOT_REPEATED)
    rows: Bools = won.hides("mask-size") & image & (alone | won.of_values("mask-size", _NO_SIZE))
    return rows


_NO_MASK, _NOT_REPEATED = compile_later(rb"none|initial"), compile_later(rb".*no-repeat.*")
_NO_SIZE = compile_later(rb"0[a-z%]*(?: .*)?|.* 0[a-z%]*")


def boxes_of_flat_lines(page: Page, won: Styles) -> Bools:
    """Boxes that cut off what does not fit and hold nothing but lines without a height: no image, no block, whose
    margins would have one, and no height of their own."""
    low = inherit_sparse(page, won.hides("line-height"), won.winner["line-height"] > 0)
    sized = won.shows("height") & ~won.of_values("height", _AUTO_HEIGHT)
    # Where nothing scrolls, the margins of paragraphs stick out.
    plain = _IS_INLINE[page.tag] | (within(page, won.of_values("overflow", _CLIP)) & ~_REPLACED[page.tag])
    lofty = ~low | ~plain
    boxes: Bools = low & (subtree_sum(page, lofty) == lofty) & won.hides("overflow") & ~sized
    return boxes


def inline_boxes(page: Page, won: Styles) -> Bools:
    """Pieces of a line: elements that are inline by themselves and that nothing makes a box.  Sizes and transforms say
    nothing of them."""
    inline = _IS_INLINE[page.tag] & ~won.hides("float") & ~won.of_values("position", _TAKEN_OUT)
    if "display" in won.winner:
        inline &= (won.winner["display"] == 0) | won.of_values("display", _INLINE)
    return inline | won.of_values("display", _INLINE)


def table_cells(page: Page, won: Styles) -> Bools:
    """Parts of tables, which grow with what is in them whatever their size, where nothing makes another box of them."""
    parts = _TABLE_PARTS[page.tag] & ~won.hides("float") & ~won.of_values("position", _TAKEN_OUT)
    plain: Bools = parts & (won.winner["display"] == 0)
    return plain | won.of_values("display", _CELL)


_INLINE, _CELL = (
    compile_later(rb"inline|contents|initial|unset|inherit"),
    compile_later(rb"(?:inline-)?table(?:-cell|-row)?"),
)
_TAKEN_OUT = compile_later(rb"absolute|fixed")


def inherit_sparse(page: Page, x: NDArray[Any], stands: Bools) -> NDArray[Any]:
    """Each element's own x where it stands, else that of the nearest ancestor where it does, else 0.

    As `tree.inherit`, but for few rows that stand: written in document order, the inner ones come last.
    """
    rows = np.flatnonzero(stands)
    if len(rows) > _MAX_SPARSE_ROWS:
        return inherit(page, np.where(stands, x, 0).astype(x.dtype), stands)
    inherit_sparse = np.zeros_like(x)
    for row, end, value in zip(rows.tolist(), page.end[rows].tolist(), x[rows].tolist(), strict=True):
        inherit_sparse[row:end] = value
    return inherit_sparse
