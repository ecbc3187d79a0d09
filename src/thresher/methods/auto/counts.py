"""What is counted once and asked for by all columns of evidence: running sums over the texts and the elements, and sums
by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import HEADINGS, group
from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.kernels.counts import sum_blocks, sum_texts, walk_elements
from thresher.methods.auto.script import is_foreign
from thresher.page import Page
from thresher.page.columns import in_link, text_counts
from thresher.page.textcounts import COUNTED
from thresher.page.types import Bits, Ints, Singles
from thresher.visible.readable import readable

__all__ = [
    "CAPITALS",
    "CHARS",
    "DIGITS",
    "EMPHASIS",
    "ENDS",
    "INSIDE",
    "LINKED",
    "PUNCTUATION",
    "SUMS",
    "WORDS",
    "Counts",
    "Elements",
    "counts",
    "elements",
]

SUMS = (*COUNTED, "linked", "emphasis")
WORDS, CHARS, DIGITS, CAPITALS, PUNCTUATION, ENDS, LINKED, EMPHASIS = range(len(SUMS))
_EMPHASIS = group({"b", "strong", "em", "i", "mark", "u"}).view(np.uint8)

# Elements that are counted, a bit each; the loops know them by their places
_MARKS = {
    "images": ("img", "picture", "video", "figure", "svg"),
    "controls": ("input", "button", "select", "textarea", "label"),
    "headings": HEADINGS,
    "main headings": ("h1", "h2"),
    "articles": ("article",),
    "pictures": ("img", "picture", "video", "figure"),
    "times": ("time",),
}
# What a block may stand in, a bit each
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


def _bits(groups: dict[str, tuple[str, ...]], kind: type[np.unsignedinteger[Any]]) -> NDArray[Any]:
    """For each tag a bit per group that it is in."""
    bits = [group(names).astype(kind) << bit for bit, names in enumerate(groups.values())]
    return np.asarray(np.sum(bits, axis=0, dtype=kind))


_MARKS_OF, _INSIDE_OF = _bits(_MARKS, np.uint8), _bits(INSIDE, np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """One row per name in SUMS, readable texts only."""

    sums: Ints  # (S, m + 1)  over the texts before each
    own: Singles  # (S, B)  of each block


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """What stands above the elements and in them."""

    marks: Ints  # (7, n + 1)  how many images, controls, headings, h1 and h2, articles, pictures, times before each
    inside: Bits  # (n,)  a bit per group in INSIDE: whether one is on its path
    article: Ints  # (2, n)  one more than the row of the innermost article around it, and how many are around it
    children: Ints  # (n,)


def counts(page: Page) -> Counts:
    page_blocks = blocks(page)
    sums = np.empty((len(SUMS), len(page.start) + 1), np.int32)
    own = np.empty((len(SUMS), len(page_blocks)), np.float32)
    sum_texts(
        text_counts(page), readable(page).view(np.uint8), in_link(page).view(np.uint8),
        page.owner, page.tag, _EMPHASIS, is_foreign(page), sums,
    )  # fmt: skip
    sum_blocks(sums, page_blocks.first, page_blocks.last, own)
    return Counts(sums, own)


def elements(page: Page) -> Elements:
    marks, inside = np.empty((len(_MARKS), len(page) + 1), np.int32), np.empty(len(page), np.uint32)
    article, children = np.empty((2, len(page)), np.int32), np.empty(len(page), np.int32)
    walk_elements(
        page.tag, page.parent, _MARKS_OF, _INSIDE_OF, marks, inside, article,
        children,
    )  # fmt: skip
    return Elements(marks, inside, article, children)
