"""Semantic: the first `article` or `main`.  Rae, Kim, Le, Thoma, DocEng 2018 (paper 003), section 4.

The page is cut into zones at its line breaks; the zone tree is searched top-down and breadth first for the first zone
that holds an element with the wanted name; that zone and all below it are the main content.  When there is none,
nothing is.

Choices.  `article` and `main` are block elements, so each has a zone of its own, and zones are as deep in the zone
tree as their elements in the page.  So we search the elements: the least deep one that holds text a reader sees, and
of several at that depth the first.  The paper runs its baseline once for each name and reports the better of the two;
`tag` = "either" takes whichever comes first and needs no gold text to choose.

It fails as the paper says: on pages without the tags, and where authors misuse them, as with an `article` for each
teaser of a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.columns import readable, tag_mask
from thresher.methods._segments import seen_chars
from thresher.page import Page
from thresher.tree import text_sum

__all__ = ["Options", "elements", "extract"]


@dataclass(frozen=True, slots=True)
class Options:
    tag: Literal["article", "main", "either"] = "either"


def elements(page: Page, options: Options = Options()) -> NDArray[np.bool_]:
    """The first zone with the wanted element, and all below it."""
    names = ("article", "main") if options.tag == "either" else (options.tag,)
    mask = np.zeros(len(page), bool)
    found = np.flatnonzero(tag_mask(page, *names))
    found = found[text_sum(page, seen_chars(page))[found] > 0]
    if len(found):
        row = int(found[np.argmin(page.depth[found])])
        mask[row : page.end[row]] = True
    return mask


def extract(page: Page, options: Options = Options()) -> NDArray[np.bool_]:
    """The readable text of that zone."""
    return elements(page, options)[page.owner] & readable(page)
