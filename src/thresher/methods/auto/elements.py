"""What the loops know of each element: what stands before it, what it stands in, and its place in the tree.

One table for all of them: a loop that reads one column of an element mostly reads another, and each array that is
handed to a loop costs as much as some hundred steps of it.
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import BLOCK, HEADINGS, group
from thresher.methods.auto.kernels.elements import walk_elements
from thresher.page import Page, attributes
from thresher.page.types import Ints, LongBits

__all__ = ["FACTS", "INSIDE", "elements", "forget_elements", "title_row"]

# Elements that are counted; the loops know them by their places
_MARKS = {
    "images": ("img", "picture", "video", "figure", "svg"),
    "controls": ("input", "button", "select", "textarea", "label"),
    "headings": HEADINGS,
    "main headings": ("h1", "h2"),
    "articles": ("article",),
    "pictures": ("img", "picture", "video", "figure"),
    "times": ("time",),
    "no data": ("table", "div", "form"),  # what a table of data does not hold
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
_LISTS = ("ul", "ol", "dl")
# Three bits of a number: 6 for h1, 1 for h6
_RANKS = [tuple(name for rank, name in enumerate(reversed(HEADINGS), 1) if rank >> bit & 1) for bit in range(3)]


def _facts() -> LongBits:
    """For each tag a bit for each group of tags that it is in."""
    groups = (
        *_MARKS.values(),
        *INSIDE.values(),
        _EMPHASIS,
        _INLINE,
        *_RANKS,
        ("title",),
        BLOCK,
        _LISTS,
        ("table",),
    )
    facts = np.zeros(len(group(())), np.uint64)
    for bit, names in enumerate(groups):
        facts |= group(frozenset(names)).astype(np.uint64) << np.uint64(bit)
    return facts


FACTS = _facts()
# Columns of the elements: how many have each mark before them, what the page says of them, and
# class     one more than the number of its class attribute, 0 without one
# inside    a bit for each group in INSIDE: whether one of its tags is on the path
# article   one more than the row of the innermost around it; articles around: how many are
_OF_ELEMENTS = (*_MARKS, *"class inside article articles_around children parent end first last depth tag".split())

_KEY = "auto.elements"


def elements(page: Page) -> Ints:
    """(n + 1, E), a column for each name in _OF_ELEMENTS."""
    return _walked(page)[0]


def title_row(page: Page) -> int:
    """The row of the first title, or -1."""
    return _walked(page)[1]


def forget_elements(page: Page) -> None:
    """They are as large as the rest of the page and needed no more when its blocks are judged."""
    page._memo.pop(_KEY, None)


def _walked(page: Page) -> tuple[Ints, int]:
    if _KEY not in page._memo:
        table = np.empty((len(page.tag) + 1, len(_OF_ELEMENTS)), np.int32)
        class_row, class_code, _, _ = attributes.numbered(page, "class")
        title = walk_elements(
            page.tag, page.parent, page.end, page.depth, page.first, page.last, class_row, class_code, FACTS, table
        )
        page._memo[_KEY] = table, title
    walked: tuple[Ints, int] = page._memo[_KEY]
    return walked
