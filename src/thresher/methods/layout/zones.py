"""The zone tree: a page cut where its lines break.  Paper 003, section 3.1.

Leaf zones are runs of text with no line break between them; an inner zone is an element that holds two or more of
them whole; the body is the root.  The paper finds them by recursion from the body.  Here all come at once:

    breaks      elements before and behind which a line breaks                                line_breaks
    leaf        number of breaks passed by each visible text, without gaps                    _leaves
    zone        an element whose first text starts a leaf and whose last text ends one

An element introduces a line break in the paper's three circumstances (two block children; a block child and an inline
child; two inline children with a line break element between them) exactly when it holds two leaves, so inner zones
are the same elements.

What breaks a line is told by the computed `display`.  The paper knows block and inline; the others are taken by what
they do:

    list-item, table and its parts, flex, grid, flow-root     as block.  The cells of a row stand side by side, but each
                                                              begins lines of its own
    items of flex and grid, floats, positioned elements       their computed display is block already
    a float or positioned element of one word                 stands in the line: an initial, a note's number (not with
                                                              `strict`: its display is block)
    inline-block, inline-flex, inline-grid, inline-table      stand in the line as long as there is one line in them;
                                                              with breaks inside or three lines high they are regions
    contents, and what has no box                             not there; their children are
    ruby, the parts of a formula                              inline

An inline element around blocks breaks no line by itself: the blocks in it do.  It is a zone when its ends are ends of
lines (an application's custom elements, which nobody gave a display).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.data.tags import NUMBER
from thresher.page import Page, memoised
from thresher.page.columns import words
from thresher.page.tree import text_sum, within
from thresher.page.types import Bools, Floats, Rows
from thresher.visible.browser import boxed
from thresher.visible.readable import readable

__all__ = ["Zones", "line_breaks", "strict_zones", "zones"]


_OUTERMOST = (np.fmin, np.fmax, np.fmin, np.fmax)  # of left, right, top, bottom
_MIN_REGION_HEIGHT = 3.5  # font sizes: an inline box as high as this has three lines of text


@dataclass(frozen=True, slots=True, eq=False)
class Zones:
    """Z zones in reading order, outer ones before inner; L of them are leaves."""

    element: Rows  # (Z,)  the element of the zone; -1 for an inline zone that has none of its own
    parent: Rows  # (Z,)  -1 for the root
    depth: Rows  # (Z,)
    first: Rows  # (Z,)  zone i holds the leaves first[i]:last[i]
    last: Rows  # (Z,)
    leaf: Bools  # (Z,)
    left: Floats  # (Z,)  edges in CSS pixels of the document
    right: Floats
    top: Floats
    bottom: Floats
    of_text: Rows  # (m,)  the leaf of each text of the page, 0 … L - 1; -1 for texts that are not seen

    def __len__(self) -> int:
        return len(self.element)

    @property
    def leaves(self) -> int:
        """L, the number of leaves."""
        return int(np.count_nonzero(self.leaf))


def line_breaks(page: Page, strict: bool = False) -> Bools:
    """The elements before and behind which a line breaks; for `br` and `hr`, which hold nothing, at which.

    With `strict` a float of one word breaks it as well: its display is block.
    """
    display = page.style.values["display"]
    kinds = np.array([_kind(value) for value in (*display, "none")])[page.style.codes["display"]]
    laid_out = boxed(page)
    breaks: Bools = laid_out & ((kinds == "block") | (page.tag == NUMBER["br"]))
    # Floats and positioned elements of one word stand in the line, with all that is in them.
    lifted = ~page.style.equals("float", "none") | page.style.equals("position", "absolute", "fixed")
    word_count = text_sum(page, words(page) * readable(page))
    in_line = lifted & laid_out & (word_count == 1) & (not strict)
    boxes = np.flatnonzero(laid_out & (kinds == "box") & (word_count > 0))
    if len(boxes):
        leaf = np.cumsum(_before_text(page, breaks))
        size = np.nan_to_num(page.style.pixels("font-size")[boxes], nan=16.0)
        assert page.box is not None
        region = leaf[page.first[boxes]] != leaf[page.last[boxes] - 1]
        region |= page.box[boxes, 3] > _MIN_REGION_HEIGHT * np.maximum(size, 1)
        breaks[boxes[region]] = True
        in_line[boxes[~region]] = True
    if in_line.any():
        breaks &= ~within(page, in_line)
    formula = page.tag == NUMBER["math"]
    return breaks & ~within(page, formula[page.parent] & (page.parent >= 0)) if formula.any() else breaks


def _kind(display: str) -> str:
    """What an element of this display does to the line it stands in: block breaks it, box stands in it with lines of
    its own, inline is part of it."""
    if display.startswith("inline-"):
        return "box"
    if display in ("none", "contents") or display.startswith(("inline", "ruby", "math")):
        return "inline"
    return "block"


def _before_text(page: Page, breaks: Bools) -> Bools:
    """Before which texts a line breaks; one more for the end of the page."""
    marks = np.zeros(len(page.start) + 1, bool)
    marks[page.first[breaks]] = True
    marks[page.last[breaks]] = True
    return marks


@memoised
def zones(page: Page) -> Zones:
    """The zone tree of a rendered page; without any zone where it shows no text."""
    return _zones(page, line_breaks(page))


@memoised
def strict_zones(page: Page) -> Zones:
    """The same, with every float and positioned element as a block."""
    return _zones(page, line_breaks(page, strict=True))


def _zones(page: Page, breaks: Bools) -> Zones:
    body = int(np.argmax(page.tag == NUMBER["body"]))
    seen = readable(page).copy()
    seen[: page.first[body]] = False
    seen[page.last[body] :] = False
    texts = np.flatnonzero(seen)
    of_text = np.full(len(seen), -1, np.intp)
    if not len(texts):
        none, nothing = np.zeros(0, np.intp), np.zeros(0)
        return Zones(none, none, none, none, none, np.zeros(0, bool), nothing, nothing, nothing, nothing, of_text)
    passed = np.cumsum(_before_text(page, breaks))[texts]
    starts = np.concatenate(([True], passed[1:] != passed[:-1]))
    leaf = np.cumsum(starts) - 1
    of_text[texts] = leaf
    # Elements as ranges of visible texts, and of leaves where both ends are ends of leaves.
    before = np.concatenate(([0], np.cumsum(seen)))
    first, last = before[page.first], before[page.last]
    ends = np.append(starts, True)
    whole = (last > first) & boxed(page)
    whole &= ends[first] & ends[last]
    whole[:body] = False
    whole[page.end[body] :] = False
    whole[body] = True
    rows = np.flatnonzero(whole)
    low, high = leaf[first[rows]], leaf[last[rows] - 1] + 1
    many = (high - low > 1) | (rows == body)
    inner, single = rows[many], rows[~many]
    boxes = _leaf_boxes(page, texts, starts, inner, single, low[~many])
    return _table(page, of_text, inner, low[many], high[many], *boxes)


def _leaf_boxes(page: Page, texts: Rows, starts: Bools, inner: Rows, single: Rows, leaf: Rows) -> tuple[Rows, Floats]:
    """The element of each leaf, the outermost that holds nothing else, and its edges: left, right, top, bottom.

    An inline zone without such an element reaches as far as its inline elements; text that stands in an inner zone
    directly has the room inside the padding of that zone.
    """
    edges = _edges(page)
    inside = edges.copy()
    sides = ("left", "right", "top", "bottom")
    for column, (side, sign) in enumerate(zip(sides, (1, -1, 1, -1), strict=True)):
        for name in {f"padding-{side}", f"border-{side}-width"} & page.style.codes.keys():
            inside[inner, column] += sign * np.nan_to_num(page.style.pixels(name)[inner])
    owner = page.owner[texts].astype(np.intp)
    while (unboxed := ~boxed(page)[owner] & (owner > 0)).any():  # display: contents
        owner = np.where(unboxed, page.parent[owner], owner)
    around = np.zeros(len(page), bool)
    around[inner] = True
    own = np.where(around[owner][:, None], inside[owner], edges[owner])
    at = np.flatnonzero(starts)
    bounds = np.stack([bound.reduceat(own[:, k], at) for k, bound in enumerate(_OUTERMOST)], axis=1)
    element = np.full(len(at), -1, np.intp)
    which, where = np.unique(leaf, return_index=True)
    element[which] = single[where]
    bounds[which] = edges[single[where]]
    return element, bounds


def _edges(page: Page) -> Floats:
    """Left, right, top, bottom of each element."""
    assert page.box is not None
    window = np.array((0, 0, *page.style.viewport), np.float64)  # for a body without a box
    x, y, width, height = np.where(boxed(page)[:, None], page.box, window).T
    return np.stack([x, x + width, y, y + height], axis=1)


def _table(page: Page, of_text: Rows, inner: Rows, low: Rows, high: Rows, element: Rows, leaf_edges: Floats) -> Zones:
    """Inner zones and leaves in one table, in reading order, each with its parent."""
    leaves = len(element)
    first = np.concatenate((low, np.arange(leaves)))
    last = np.concatenate((high, np.arange(leaves) + 1))
    leaf = np.repeat([False, True], [len(inner), leaves])
    row = np.concatenate((inner, np.full(leaves, len(page))))
    order = np.lexsort((row, first))  # inner zones in document order, then the leaf
    first, last, leaf = first[order], last[order], leaf[order]
    # Depth: zones begun minus zones ended before each.
    ended = np.bincount(last[~leaf], minlength=leaves + 1).cumsum()
    begun = np.cumsum(~leaf) - ~leaf
    depth = begun - ended[first]
    left, right, top, bottom = np.concatenate((_inner_edges(page, inner, low, high, leaf_edges), leaf_edges))[order].T
    element = np.concatenate((inner, element))[order]
    return Zones(element, _parents(depth), depth, first, last, leaf, left, right, top, bottom, of_text)


def _parents(depth: Rows) -> Rows:
    """The last zone before each that is one less deep; -1 for the root.  A search among (depth, position)."""
    count = len(depth)
    keys = np.sort(depth * count + np.arange(count))
    at = np.searchsorted(keys, (depth - 1) * count + np.arange(count)) - 1
    parent: Rows = np.where(depth > 0, keys[np.maximum(at, 0)] % count, -1)
    return parent


def _inner_edges(page: Page, inner: Rows, low: Rows, high: Rows, leaf_edges: Floats) -> Floats:
    """The edges of inner zones: of their elements, but for inline ones, which reach as far as their leaves."""
    edges = _edges(page)[inner]
    inline = np.flatnonzero(page.style.equals("display", "inline")[inner])
    if len(inline):
        bounds = np.stack((low[inline], high[inline]), axis=1).ravel()
        padded = np.concatenate((leaf_edges, leaf_edges[-1:]))
        edges[inline, 0::2] = np.fmin.reduceat(padded[:, 0::2], bounds, axis=0)[::2]
        edges[inline, 1::2] = np.fmax.reduceat(padded[:, 1::2], bounds, axis=0)[::2]
    return edges
