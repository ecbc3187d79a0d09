"""LP: the largest pagelet.  Bar-Yossef, Rajagopalan, WWW 2002, doi:10.1145/511446.511522, as LP-7 in paper 000.

A pagelet is a region of a page with one purpose.  It is found by its links:

    L_i = number of links in the subtree of i                             links
    i is a pagelet  ⟺  L_i ≥ k, and no child c of i has L_c ≥ k           pagelets
    content: the pagelet with the most characters of text                 elements

k = 7 is the value of the authors and of paper 000.

Choices.  A link is an `a` with an `href` that a reader sees.  The authors' partition of a page also makes pagelets of
the regions with fewer than k links beside one with k; `Options.regions` = "all" takes them in (F1 0.72 against 0.54
on 150 pages of wcxb).  A page without a pagelet has fewer than k links; it is then itself the only pagelet, as in the
authors' partition.

It was made to tell templates from content, not to extract: an article with few links is no pagelet at all, and LP
keeps whatever region with links has the most text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from thresher.methods._options import Count, option
from thresher.methods._segments import body, seen_chars, shown
from thresher.page import Page
from thresher.page.attributes import rows_with
from thresher.page.columns import tag_mask
from thresher.page.tree import subtree_sum, text_sum
from thresher.page.types import Bools, Longs
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "elements", "judge", "links", "pagelets"]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    k: Count = option(7, "links that make a region")
    regions: Literal["linked", "all"] = option("linked", '"all": also those beside a region with k links')


def links(page: Page) -> Longs:
    """L_i: the links in the subtree of each element."""
    counts: Longs = subtree_sum(page, tag_mask(page, "a") & rows_with(page, "href") & shown(page))
    return counts


def pagelets(page: Page, options: Options = Options()) -> Bools:
    """Which elements are pagelets.

    An element is split when a child has k links, that is, when it is the parent of an element with k.  Every ancestor
    of an element with k links has k itself, so an element's ancestors are all split exactly when its parent is.
    """
    enough = links(page) >= options.k
    split = np.zeros(len(page), bool)
    split[page.parent[enough & (page.parent >= 0)]] = True
    if options.regions == "linked":
        return enough & ~split
    reached = np.zeros(len(page), bool)
    reached[0] = True
    reached[1:] = split[page.parent[1:]]
    return reached & ~split


def elements(page: Page, options: Options = Options()) -> Bools:
    """The pagelet with the most readable text, the first of equals; the body where there is none."""
    mask = np.zeros(len(page), bool)
    candidates = np.flatnonzero(pagelets(page, options) & shown(page))
    row = body(page)
    if len(candidates):
        row = int(candidates[np.argmax(text_sum(page, seen_chars(page))[candidates])])
    mask[row : page.end[row]] = True
    return mask


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text of the largest pagelet."""
    chosen = elements(page, options)
    return Verdict(page, chosen[page.owner] & readable(page), elements=chosen)
