"""What is counted once and asked for by all columns of evidence: running sums over the texts and the elements, and sums
by block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.data.tags import HEADINGS, group
from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.kernels.counts import sum_texts, walk_elements
from thresher.methods.auto.script import is_foreign
from thresher.page import Page, attributes
from thresher.page.columns import in_link, text_counts
from thresher.page.textcounts import COUNTED
from thresher.page.types import Ints, LongBits, Singles
from thresher.visible.readable import readable

__all__ = ["CHARS", "ENDS", "FACTS", "INSIDE", "LINKED", "SUMS", "WORDS", "Counts", "counts"]

SUMS = (*COUNTED, "linked", "emphasis")
WORDS, CHARS, _, _, _, ENDS, LINKED, _ = range(len(SUMS))

# Elements that are counted; the loops know them by their places
_MARKS = {
    "images": ("img", "picture", "video", "figure", "svg"),
    "controls": ("input", "button", "select", "textarea", "label"),
    "headings": HEADINGS,
    "main headings": ("h1", "h2"),
    "articles": ("article",),
    "pictures": ("img", "picture", "video", "figure"),
    "times": ("time",),
}
# What a block may stand in
INSIDE = {
    "link": ("a",),
    "heading": HEADINGS,
    "main heading": ("h1",),
    "paragraph": ("p",),
    "list item": ("li", "dd", "dt"),
    "table cell": ("td", "th"),
    "code": ("pre", "code", "samp", "kbd"),
    "quotation": ("blockquote", "q"),
    "caption": ("figcaption", "caption"),
    "navigation": ("nav", "menu"),
    "footer": ("footer",),
    "aside": ("aside",),
    "header": ("header",),
    "form": ("form", "button", "label", "fieldset", "legend"),
    "article": ("article",),
    "main": ("main",),
    "section": ("section",),
    "time": ("time",),
    "address": ("address",),
}
_EMPHASIS = ("b", "strong", "em", "i", "mark", "u")
_INLINE = tuple("a span b strong em i u br img small sup sub font option time svg path".split())
# Three bits of a number: 6 for h1, 1 for h6
_RANKS = [tuple(name for rank, name in enumerate(reversed(HEADINGS), 1) if rank >> bit & 1) for bit in range(3)]


def _facts() -> LongBits:
    """For each tag a bit for each group of tags that it is in."""
    groups = (*_MARKS.values(), *INSIDE.values(), _EMPHASIS, _INLINE, *_RANKS, ("title",))
    facts = np.zeros(len(group(())), np.uint64)
    for bit, names in enumerate(groups):
        facts |= group(names).astype(np.uint64) << np.uint64(bit)
    return facts


FACTS = _facts()
# Columns of the elements: how many have each mark before them, what the page says of them, and
# class     one more than the number of its class attribute, 0 without one
# inside    a bit for each group in INSIDE: whether one of its tags is on the path
# article   one more than the row of the innermost around it; articles around: how many are
_OF_ELEMENTS = (*_MARKS, *"class inside article articles_around children parent end first last depth tag".split())


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """What is counted on a page of m texts, n elements, B blocks."""

    sums: Ints  # (m + 1, S)  over the readable texts before each, one column for each name in SUMS
    own: Singles  # (B, S)  of each block
    elements: Ints  # (n + 1, E)  a column for each name in _OF_ELEMENTS
    title: int  # the row of the first title, or -1


def counts(page: Page, page_blocks: Blocks) -> Counts:
    sums, own = np.empty((len(page.start) + 1, len(SUMS)), np.int32), np.empty((len(page_blocks), len(SUMS)), np.float32)
    sum_texts(
        text_counts(page), readable(page).view(np.uint8), in_link(page).view(np.uint8), page.owner,
        page.tag, FACTS, is_foreign(page), page_blocks.table, sums, own,
    )  # fmt: skip
    elements = np.empty((len(page) + 1, len(_OF_ELEMENTS)), np.int32)
    class_row, class_code, _, _ = attributes.numbered(page, "class")
    title = walk_elements(
        page.tag, page.parent, page.end, page.depth, page.first, page.last, class_row, class_code,
        FACTS, elements,
    )  # fmt: skip
    return Counts(sums, own, elements, title)
