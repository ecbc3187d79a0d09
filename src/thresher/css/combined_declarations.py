"""Declarations that hide only together: of one element, or of one and those around it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.css.cascade_entries import Styles
from thresher.css.lengths import MAX_INVISIBLE_SHARE
from thresher.data.tags import NUMBER, TAGS
from thresher.page import Page
from thresher.page.tree import inherit, subtree_sum
from thresher.page.types import Bools
from thresher.text.patterns import compile_later

__all__ = ["boxes_of_flat_lines", "fully_faded", "inherit_sparse", "inline_boxes", "table_cells"]


_LOG_INVISIBLE = math.log(MAX_INVISIBLE_SHARE) + 1e-9  # a sum is never exact
_MAX_SPARSE_ROWS = 500  # rows; more are inherit_sparse level by level
_AUTO_HEIGHT = compile_later(rb"auto|initial")  # heights that leave a box as high as what is in it
_IS_INLINE = np.zeros(len(TAGS), bool)  # elements that make a line no higher
for _name in "a abbr b bdi bdo br cite code del dfn em font i ins kbd mark q s small span strong sub sup u".split():
    _IS_INLINE[NUMBER[_name]] = True


def fully_faded(page: Page, won: Styles) -> Bools:
    """Rows of which several opacities leave nothing: Σ log(share) along the path, a running sum over the rows."""
    left = won.effects("opacity", lambda effect: effect.share, 1.0)
    fading = np.flatnonzero(left < 1)
    step = np.zeros(len(page) + 1)
    step[fading] = np.log(left[fading])
    np.subtract.at(step, page.end[fading], step[fading])
    nothing: Bools = np.cumsum(step)[:-1] <= _LOG_INVISIBLE
    return nothing & (left < 1)


def boxes_of_flat_lines(page: Page, won: Styles) -> Bools:
    """Boxes that cut off what does not fit and hold nothing but lines without a height: no image, no block, whose
    margins would have one, and no height of their own."""
    low = inherit_sparse(page, won.hides("line-height"), won.winner["line-height"] > 0)
    sized = won.shows("height") & ~won.of_values("height", _AUTO_HEIGHT)
    lofty = ~low | ~_IS_INLINE[page.tag]
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
    """Cells, which grow with what is in them whatever their size."""
    cells = (page.tag == NUMBER["td"]) | (page.tag == NUMBER["th"])
    plain: Bools = cells & (won.winner["display"] == 0)
    return plain | won.of_values("display", _CELL)


_INLINE, _CELL = compile_later(rb"inline|contents|initial|unset|inherit"), compile_later(rb"table-cell")
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
