"""Which elements are gold, and which an extract takes: the two masks of the `nodes` measure (paper 002)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from thresher.page import Page

Mask = NDArray[np.bool_]


def gold_elements(page: Page, gold: Iterable[str], exclude: Iterable[str]) -> Mask | None:
    """What matches a gold selector, with all under it, without what matches an excluding one, with all under it.

    The selectors run on lexbor's tree of the page's own markup, whose elements in document order are the rows
    of the page.  None in the rare case that they are not (markup that parses differently the second time).
    """
    tree = LexborHTMLParser(page.markup)
    rows = {node.mem_id: row for row, node in enumerate(tree.css("*"))}
    if len(rows) != len(page):
        return None
    mask = np.zeros(len(page), bool)
    for selectors, value in ((gold, True), (exclude, False)):
        for selector in selectors:
            for node in tree.css(selector):
                row = rows[node.mem_id]
                mask[row : page.end[row]] = value
    return mask


def kept_elements(page: Page, keep: Mask) -> Mask:
    """What a verdict on texts takes: the elements holding kept text, up to their smallest common ancestor.

    Above that ancestor everything holds the kept text too, `html` and `body` among it, and nobody would say
    that it was extracted.  An element without any text (a picture, a line break) goes with its parent when
    all the text of that parent is kept.
    """
    kept = np.flatnonzero(keep)
    if not len(kept):
        return np.zeros(len(page), bool)
    count = np.concatenate(([0], np.cumsum(keep)))
    inside = count[page.last] - count[page.first]
    texts = page.last - page.first
    top = np.flatnonzero(inside == len(kept)).max()  # the last in document order is the deepest
    mask: Mask = inside > 0
    whole = (inside == texts) & (texts > 0)
    # Textless elements inherit from the nearest ancestor with text; rows come after their parents.
    for row in np.flatnonzero(texts == 0):
        parent = page.parent[row]
        mask[row] = parent >= 0 and (whole[parent] if texts[parent] else mask[parent])
    below = np.zeros(len(page), bool)
    below[top : page.end[top]] = True
    return mask & below
