"""Which elements are gold, and which an extract takes: the two masks of the `nodes` measure (paper 002)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from thresher.data.tags import NUMBER
from thresher.errors import DatasetError
from thresher.page import Page
from thresher.page.tree import inherit, within
from thresher.page.types import Bools


def gold_elements(page: Page, gold: Iterable[str], exclude: Iterable[str]) -> Bools:
    """What matches a gold selector with all under it, without what matches an excluding one with all under it.

    The selectors run on lexbor's tree of the page's own markup, whose elements in document order are the rows
    of the page, but for the inside of templates, which selectors do not reach.  Markup that parses differently the
    second time would break that (none of the 51 pages of `sites` does): DatasetError.
    """
    tree = LexborHTMLParser(page.markup)
    nodes = tree.css("*")
    in_template = within(page, page.tag == NUMBER["template"])
    reached = np.flatnonzero((page.parent < 0) | ~in_template[page.parent])
    if len(nodes) != len(reached):
        raise DatasetError("the gold selectors cannot be placed: the page's markup parses differently again")
    rows = {node.mem_id: row for node, row in zip(nodes, reached.tolist(), strict=True)}
    mask = np.zeros(len(page), bool)
    for selectors, value in ((gold, True), (exclude, False)):
        for selector in selectors:
            for node in tree.css(selector):
                row = rows[node.mem_id]
                mask[row : page.end[row]] = value
    return mask


def kept_elements(page: Page, keep: Bools) -> Bools:
    """What a verdict on texts takes: the elements holding kept text, up to their smallest common ancestor.

    Above that ancestor everything holds the kept text too, `html` and `body` among it, and nobody would say
    that it was extracted.  An element without any text (a picture, a line break) goes with the nearest
    ancestor that has some, when all of that is kept.

    The texts of the gold elements themselves score 0.97 in this way on the pages of `sites`: containers around
    several gold elements count as too much, empty ones beside an excluded part as missed.
    """
    kept_texts = np.flatnonzero(keep)
    if not len(kept_texts):
        return np.zeros(len(page), bool)
    count = np.concatenate(([0], np.cumsum(keep)))
    inside = count[page.last] - count[page.first]
    texts = page.last - page.first
    top = np.flatnonzero(inside == len(kept_texts)).max()  # the last in document order is the deepest
    has_text = texts > 0
    whole = inherit(page, inside == texts, has_text)  # of the nearest ancestor with text, or of itself
    mask: Bools = np.where(has_text, inside > 0, whole)
    below = np.zeros(len(page), bool)
    below[top : page.end[top]] = True
    return mask & below
