"""Which texts of a rendered page can be seen.

A browser has decided what a static reading of the styles can only guess.  `render` asks it which texts are painted
where a reader can get to see them (render/painted.py): by their boxes, the window and the page, colours and what lies
behind them, and where that does not tell, by pixels.  A page that comes without this, from an older file, is judged by
its boxes and styles.  There a text is unseen when the element that holds it

    has no layout box                         display: none, what a script took away
    is invisible                              visibility: hidden or collapse, font-size: 0
    stands off the page                       left of it or above it: no scrolling brings it back

or when an element around it

    is clipped away                           overflow hidden in a box of one pixel; a clip-path that leaves nothing
    is fully transparent                      opacity: 0

Four exceptions.  What a `details` element holds has no box until it is opened, and is there to be opened: it stays, as
it does on a page that was not rendered.  A formula in MathML may be clipped to a pixel because a drawing of it stands
beside: it is the text of the formula and stays.  And pages fade in as the reader scrolls: opacity hides nothing where
it would hide half of the page.  A page that shows nothing at all was waiting for a script that did not come:
`visibility` hides nothing of it.
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import NUMBER
from thresher.page import Page
from thresher.page.columns import chars, column
from thresher.page.tree import within
from thresher.page.types import Bools
from thresher.text.patterns import compile_later

__all__ = ["boxed", "is_laid_out", "painted", "seen"]


_MAX_INVISIBLE_SIZE = 1.0  # pixels
_PAINT = "-thresher-paint"  # a column of render: which texts are painted where a reader can get to see them
_CLIPS_ALL = compile_later(r"(?:inset\((?:50|100)%|circle\(0(?:px|%)?[ )]|polygon\(0px 0px(?:, 0px 0px)*\)).*")


# What the analysis of the layout asks for; a page may come from a file that somebody else wrote.
_NEEDED_PROPERTIES = frozenset(
    "display position float visibility opacity font-size overflow-x overflow-y clip-path".split()
)


def is_laid_out(page: Page) -> bool:
    """Whether a page has boxes and the styles that tell its layout."""
    return page.box is not None and page.style is not None and page.style.codes.keys() >= _NEEDED_PROPERTIES


@column
def boxed(page: Page) -> Bools:
    """Which elements have a layout box."""
    assert page.box is not None
    has_box: Bools = ~np.isnan(page.box[:, 0])
    return has_box


@column
def seen(page: Page) -> Bools:
    """Which texts a reader of the rendered page sees."""
    if not is_laid_out(page):
        return np.ones(len(page.start), bool)
    style = page.style
    in_details = within(page, boxed(page) & (page.tag == NUMBER["details"]))
    faint = within(page, style.equals("opacity", "0"))
    shown = _shown_by_layout(page)
    if _PAINT in style.codes:
        judged = style.codes[_PAINT] >= 0
        shown = np.where(judged, ~style.equals(_PAINT, "unpainted"), shown)
        faint |= style.equals(_PAINT, "faint")
    laid_out_text: Bools = (shown | in_details)[page.owner]
    visible: Bools = laid_out_text & ~style.equals("visibility", "hidden", "collapse")[page.owner]
    if not visible.any():
        visible = laid_out_text
    faint = faint[page.owner]
    if faint.any():
        size = chars(page) * visible
        if 2 * int(size[faint].sum()) < int(size.sum()):
            visible &= ~faint
    return visible


def painted(page: Page) -> Bools:
    """Which texts the browser has painted where a reader gets to see them, as far as its pixels were asked."""
    if not is_laid_out(page) or _PAINT not in page.style.codes:
        return np.zeros(len(page.start), bool)
    texts: Bools = page.style.equals(_PAINT, "painted")[page.owner] & seen(page)
    return texts


def _shown_by_layout(page: Page) -> Bools:
    """Elements whose text is shown, by their boxes and styles alone."""
    assert page.box is not None
    style = page.style
    x, y, width, height = page.box.T
    laid_out = boxed(page)
    # An element with `display: contents` has no box of its own, but its text is shown.
    shown = laid_out | style.equals("display", "contents")
    shown &= ~style.equals("font-size", "0px")
    shown &= ~(laid_out & ((x + width < 0) | (y + height < 0)))
    tiny = laid_out & ((width <= _MAX_INVISIBLE_SIZE) | (height <= _MAX_INVISIBLE_SIZE))
    hides = style.equals("overflow-x", "hidden", "clip") | style.equals("overflow-y", "hidden", "clip")
    cut = [value for value in style.values["clip-path"] if _CLIPS_ALL.fullmatch(value)]
    clipped = within(page, tiny & hides | (style.equals("clip-path", *cut) if cut else False))
    clipped &= ~within(page, page.tag == NUMBER["math"])
    rows: Bools = shown & ~clipped
    return rows
