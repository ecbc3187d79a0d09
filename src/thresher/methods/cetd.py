"""CETD: content extraction via text density.  Sun, Song, Liao, SIGIR 2011, doi:10.1145/2009916.2009952.

Content has much text and few tags, noise has many tags and many links.  With C_i characters, T_i tags, LC_i link
characters and LT_i link tags below element i, ¬LC_i = C_i - LC_i, and the body b:

    TD_i  = C_i / T_i                                                           text_density
    CTD_i = C_i / T_i · log_x(C_i / LC_i · T_i / LT_i)                          composite_text_density
            x = ln(C_i / ¬LC_i · LC_i + LC_b / C_b · C_i + e)
    DS_i  = Σ density_j over the children j of i                                density_sum
    t     = min density_j on the path from the largest DS up to the body        threshold
    content: going down from the body through elements with density ≥ t,
             for each the element of its subtree with the largest DS,
             with all below it                                                  elements

A T, LC, ¬LC or LT of zero counts as 1, as in the paper; an element without text has density 0.

Choices.  Tags that no reader sees (drawings, templates, hidden parts) are not counted; the pages of 2011 had none.
Links are `a` and `button`; a link tag is such an element or one inside it.  A text node is a child, too: a leaf with
T = 1.  Without that an element whose paragraphs are separated by `br` would have no sum; the authors' program does
the same.  Where several elements of a subtree share the largest sum, all are taken.

It fails where noise is as dense as content: a long comment thread, a cookie notice of several sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.methods._options import option
from thresher.methods._segments import body, seen_chars, shown, subtree_max
from thresher.page import Page
from thresher.page.columns import column, tag_mask
from thresher.page.tree import subtree_sum, text_sum, within
from thresher.page.types import Bools, Floats, Longs
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = [
    "NEEDS",
    "Options",
    "composite_text_density",
    "density_sum",
    "elements",
    "judge",
    "text_density",
    "threshold",
]

Numbers = NDArray[Any]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    density: Literal["composite", "text"] = option("composite", "the paper's CETD-DS uses the composite one")


@column
def text_density(page: Page) -> Floats:
    """TD_i = C_i / T_i."""
    density: Floats = text_sum(page, seen_chars(page)) / _positive(_tags(page))
    return density


@column
def composite_text_density(page: Page) -> Floats:
    """CTD_i, the text density weighed down by links."""
    c = text_sum(page, seen_chars(page))
    lc = text_sum(page, seen_chars(page) * _linked(page)[page.owner])
    link_tags = _linked(page) & shown(page)
    lt = subtree_sum(page, link_tags) - link_tags
    return _composite(c, _positive(_tags(page)), lc, lt, _link_share(page))


def density_sum(page: Page, options: Options = Options()) -> Floats:
    """DS_i = Σ density_j over the children j of i, text nodes among them."""
    density, c = _density(page, options), seen_chars(page)
    own = c.astype(float)
    if options.density == "composite":
        own = _composite(c, np.ones_like(c), c * _linked(page)[page.owner], np.zeros_like(c), _link_share(page))
    total = np.bincount(page.parent[1:], density[1:], minlength=len(page)).astype(float)
    return total + np.bincount(page.owner, own, minlength=len(page))


def threshold(page: Page, density: Floats, total: Floats) -> float:
    """t: the least density on the path from the element with the largest sum up to the body."""
    top = body(page)
    row = top + int(np.argmax(total[top : page.end[top]]))
    path = [row, *(above for above in page.ancestors(row) if above >= top)]
    return float(density[path].min())


def elements(page: Page, options: Options = Options()) -> Bools:
    """The element with the largest sum below each element that is dense enough, with its subtree.

    An element is reached when it and all above it are dense enough.  The paper goes down recursively and skips what is
    already content; but the largest sum below an element inside content is inside that content, too, so the order does
    not matter.
    """
    density, total, top = _density(page, options), density_sum(page, options), body(page)
    in_body = np.zeros(len(page), bool)
    in_body[top : page.end[top]] = True
    reached = in_body & ~within(page, in_body & (density < threshold(page, density, total)))
    # The largest sum below each reached element; for the others that of the nearest reached one above them, which is
    # the parent of the topmost one not reached.
    largest = np.full(len(page), np.inf)
    largest[reached] = subtree_max(page, total, np.flatnonzero(reached))
    barred = in_body & ~reached
    fence = np.flatnonzero(barred & reached[page.parent])
    largest[barred] = np.repeat(largest[page.parent[fence]], page.end[fence] - fence)
    return within(page, in_body & (total > 0) & (total >= largest))


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text of those elements."""
    chosen = elements(page, options)
    return Verdict(page, chosen[page.owner] & readable(page), elements=chosen)


def _density(page: Page, options: Options) -> Floats:
    return composite_text_density(page) if options.density == "composite" else text_density(page)


@column
def _linked(page: Page) -> Bools:
    """Elements that are links or inside one."""
    return within(page, tag_mask(page, "a", "button"))


def _tags(page: Page) -> Longs:
    """T_i: the elements a reader sees below each element, itself not counted."""
    tags: Longs = subtree_sum(page, shown(page)) - shown(page)
    return tags


def _link_share(page: Page) -> float:
    """LC_b / C_b."""
    c = seen_chars(page)
    in_body = slice(page.first[body(page)], page.last[body(page)])
    linked = c * _linked(page)[page.owner]
    return float(linked[in_body].sum() / max(c[in_body].sum(), 1))


def _composite(c: Numbers, t: Numbers, lc: Numbers, lt: Numbers, share: float) -> Floats:
    """C/T · ln(C/LC · T/LT) / ln ln(C/¬LC · LC + share · C + e); 0 where there is no text.

    With LC ≥ 1 the inner logarithm is above ln(1 + e), so nothing divides by zero.
    """
    text = np.maximum(c, 1)
    links, others = _positive(lc), _positive(c - lc)
    inner = np.log(text / others * links + share * text + np.e)
    density: Floats = text / t * np.log(text / links * t / _positive(lt)) / np.log(inner)
    return np.where(c > 0, density, 0.0)


def _positive(x: Numbers) -> Numbers:
    return np.maximum(x, 1)
