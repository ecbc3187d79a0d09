"""Semantic: the first `article` or `main`.  Rae, Kim, Le, Thoma, DocEng 2018 (paper 003), section 4.

The page is cut into zones at its line breaks; the zone tree is searched top-down and breadth first for the first zone
that holds an element with the wanted name; that zone and all below it are the main content.  When there is none,
nothing is.

Choices.  `article` and `main` are block elements, so each has a zone of its own, and zones are as deep in the zone
tree as their elements in the page.  So we search the elements: the least deep one that holds text a reader sees, and
of several at that depth the first.  The paper runs its baseline once for each name and reports the better of the two;
`tag` = "either" takes whichever comes first and needs no gold text to choose.

A rendered page has its real zone tree (`layout.zones`), and that is searched: an element that is no zone by itself (one
line of text, an inline element) stands for the zone it lies in.

It fails as the paper says: on pages without the tags, and where authors misuse them, as with an `article` for each
teaser of a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from thresher.methods._segments import nearest, seen_chars
from thresher.page import Page
from thresher.page.columns import tag_mask
from thresher.page.tree import text_sum
from thresher.page.types import Bools, Rows
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

if TYPE_CHECKING:
    from thresher.methods.layout.zones import Zones

__all__ = ["NEEDS", "Options", "elements", "judge"]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    tag: Literal["article", "main", "either"] = "either"


def elements(page: Page, options: Options = Options()) -> Bools:
    """The first element of the wanted name, in breadth-first order, and all below it."""
    mask = np.zeros(len(page), bool)
    rows = _wanted(page, options)
    if len(rows):
        row = int(rows[np.argmin(page.depth[rows])])
        mask[row : page.end[row]] = True
    return mask


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text of that zone."""
    shown = _rendered(page, options)
    if shown is not None:
        from thresher.methods.layout.main_column import whole_elements

        return Verdict(page, shown, elements=whole_elements(page, shown))
    chosen = elements(page, options)
    return Verdict(page, chosen[page.owner] & readable(page), elements=chosen)


def _wanted(page: Page, options: Options) -> Rows:
    """The rows of the wanted elements that hold text a reader sees."""
    names = ("article", "main") if options.tag == "either" else (options.tag,)
    rows = np.flatnonzero(tag_mask(page, *names))
    return rows[text_sum(page, seen_chars(page))[rows] > 0]


def _rendered(page: Page, options: Options) -> Bools | None:
    """The texts of the least deep zone that holds a wanted element, the first of several at that depth; None where the
    page was not rendered."""
    if page.box is None:
        return None
    from thresher.methods.layout.main_column import leaf_texts
    from thresher.methods.layout.zones import zones
    from thresher.visible.browser import is_laid_out

    if not is_laid_out(page):
        return None
    tree = zones(page)
    leaves = np.zeros(tree.leaves, bool)
    held = _zones_of(page, tree, _wanted(page, options))
    if len(held):
        zone = int(held[np.argmin(tree.depth[held])])
        leaves[tree.first[zone] : tree.last[zone]] = True
    return leaf_texts(tree, leaves)


def _zones_of(page: Page, tree: Zones, rows: Rows) -> Rows:
    """The innermost zone that holds all visible text of each of some elements: a leaf, itself, or one around it."""
    texts = np.flatnonzero(tree.of_text >= 0)
    first = np.searchsorted(texts, page.first[rows])
    last = np.searchsorted(texts, page.last[rows]) - 1
    rows, first, last = (column[first <= last] for column in (rows, first, last))
    leaf = tree.of_text[texts]
    zone_of = np.zeros(len(page), np.intp)
    inner = np.flatnonzero(~tree.leaf)
    zone_of[tree.element[inner]] = inner
    stands = np.zeros(len(page), bool)
    stands[tree.element[inner]] = True
    around = zone_of[nearest(page, stands)[rows]]
    return np.where(leaf[first] == leaf[last], np.flatnonzero(tree.leaf)[leaf[first]], around)
