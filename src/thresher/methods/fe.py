"""FE: the feature extractor.  Debnath, Mitra, Giles, "Identifying content blocks from web documents", ISMIS 2005.

Cut the page at its block tags and count in each block b how much there is of each feature f: text, links, images,
lists, tables, forms, objects.  The block of the article is the one in which text outweighs all the rest and which has
most of the page's text:

    p_b(f)   = n_b(f) / Σ_g n_b(g)                                  shares
    eligible : p_b(text) > Σ p_b(f) over the other features f       winner
    content  : the eligible block with the largest n_b(text)        winner

Choices.  The page is cut at the opening and closing tags of BLOCK_TAGS, the authors' kind of list (table, tr, hr, ul,
p, div) with the sectioning elements of today.  Text is counted in words outside links, links in words inside links,
so that a link weighs what it says; the other features are counts of elements.  The first of equal blocks wins; when
none is eligible, nothing is content.

It keeps one block, and a paragraph is a block: precise, with the recall of one paragraph.  The authors' answer is
`kfe`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thresher.data.tags import group
from thresher.methods._segments import pieces, shown
from thresher.page import Page
from thresher.page.columns import in_link, words
from thresher.page.types import Floats, Rows
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["BLOCK_TAGS", "FEATURES", "NEEDS", "Options", "SegmentFeatures", "judge", "segment", "shares", "winner"]


BLOCK_TAGS = frozenset(
    """
    table tr td th hr ul ol dl p div center form blockquote pre h1 h2 h3 h4 h5 h6
    article section main aside nav header footer figure
    """.split()
)
# Feature columns after text and links, by the elements counted for each.
FEATURES = {
    "image": ("img", "picture", "svg"),
    "list": ("li", "dt", "dd"),
    "table": ("td", "th"),
    "form": ("input", "select", "textarea", "button"),
    "object": ("object", "embed", "iframe", "video", "audio", "canvas"),
}
_BLOCK_TAGS = group(BLOCK_TAGS)
_COUNTED = [group(names) for names in FEATURES.values()]


class SegmentFeatures(NamedTuple):
    """The blocks of a page: which one each text lies in, and the counts n_b(f), text and links first."""

    of_text: Rows
    counts: Floats


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    """There is nothing to choose: the wanted feature is text."""


def segment(page: Page) -> SegmentFeatures:
    """Cut the page into blocks and count the features of each."""
    of_text, of_element, number = pieces(page, _BLOCK_TAGS[page.tag])
    seen = words(page) * readable(page)
    columns = [
        np.bincount(of_text, seen * ~in_link(page), minlength=number),
        np.bincount(of_text, seen * in_link(page), minlength=number),
    ]
    # A frame or a drop-down shows as a box though its text is not read, so the parent decides whether it is seen.
    seen_boxes = shown(page)[np.maximum(page.parent, 0)]
    for counted in _COUNTED:
        boxes = counted[page.tag] & seen_boxes
        columns.append(np.bincount(of_element[boxes], minlength=number))
    return SegmentFeatures(of_text, np.stack(columns, axis=1).astype(float).reshape(-1, len(FEATURES) + 2))


def shares(blocks: SegmentFeatures) -> Floats:
    """p_b(f): the share of each feature in each block; zeros for a block without any."""
    share: Floats = blocks.counts / np.maximum(blocks.counts.sum(axis=1, keepdims=True), 1)
    return share


def winner(blocks: SegmentFeatures) -> int | None:
    """The eligible block with the most text; None when no block is eligible."""
    eligible = np.flatnonzero(shares(blocks)[:, 0] > 0.5)
    if not len(eligible):
        return None
    return int(eligible[np.argmax(blocks.counts[eligible, 0])])


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text of the winning block."""
    blocks = segment(page)
    best = winner(blocks)
    if best is None:
        return Verdict(page, np.zeros(len(page.start), bool))
    return Verdict(page, np.asarray(blocks.of_text == best) & readable(page))
