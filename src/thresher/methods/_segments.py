"""What the DOM methods share: the segment a method works on, what a reader sees of it, where it breaks into pieces.

A segment is an element with its subtree.  Alone on a page a method takes the body; after a classifier of segments
(paper 000) it takes each segment that was labelled content.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER, UNREAD, group
from thresher.page import Page
from thresher.page.columns import chars, column
from thresher.page.tree import within
from thresher.page.types import Bools, Longs, Rows
from thresher.visible.hidden import hidden
from thresher.visible.readable import readable

__all__ = ["body", "nearest", "pieces", "seen_chars", "shown", "subtree_max"]


_BODY = NUMBER["body"]
_NOSCRIPT = NUMBER["noscript"]
_UNREAD = group(UNREAD - {"noscript"})


def body(page: Page) -> int:
    """The row of the body; the root where there is none (a frameset)."""
    return int(np.argmax(page.tag == _BODY))


@column
def shown(page: Page) -> Bools:
    """Which elements a reader gets to see: `readable` for elements.

    `readable` takes the text of a `noscript` for the page's when there is little other; its elements are shown then.
    """
    fallback = within(page, page.tag == _NOSCRIPT)
    seen = ~within(page, _UNREAD[page.tag] | hidden(page))
    return seen if readable(page)[fallback[page.owner]].any() else seen & ~fallback


@column
def seen_chars(page: Page) -> Longs:
    """Characters of each text that a reader sees; 0 for the others."""
    return chars(page) * readable(page)


def nearest(page: Page, stands: Bools) -> Rows:
    """Each element's own row where `stands`, else that of its nearest ancestor that stands; the root always stands.

    Pointers to the parent are doubled until they rest: ⌈log₂ depth⌉ steps of O(n).
    """
    own = np.arange(len(page))
    jump = np.where(stands | (page.parent < 0), own, page.parent)
    while True:
        further = jump[jump]
        if np.array_equal(further, jump):
            return further
        jump = further


def subtree_max(page: Page, x: NDArray[Any], rows: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """M_i = max x_j over the subtree of i, for some rows i.

    One `reduceat` over the slices i:end_i.  Its cost is the sum of their sizes, that is elements times their mean
    depth: some 20 comparisons per element on real pages.
    """
    padded = np.append(x, x[:1])  # reduceat takes no bound beyond the last element
    bounds = np.stack((rows, page.end[rows]), axis=1).ravel()
    result: NDArray[Any] = np.maximum.reduceat(padded, bounds)[::2]
    return result


def pieces(page: Page, breaks: Bools) -> tuple[Rows, Rows, int]:
    """Cut the page at the opening and closing tags of some elements: the piece of each text, of each element, and
    how many pieces there are.

    The piece is numbered by the tags passed.  Text k has passed the opening tags that start before it and the closing
    tags of elements with last ≤ k; element i has passed the opening tags of rows ≤ i and the closing tags of elements
    with end ≤ i.  Numbers that no text has are left out: pieces without text fall to the piece before, or to the first.
    """
    opened = page.tag_start[breaks]
    passed_by_text = np.searchsorted(opened, page.position) + np.searchsorted(
        np.sort(page.last[breaks]), np.arange(len(page.start)), side="right"
    )
    passed_by_element = np.cumsum(breaks) + np.searchsorted(
        np.sort(page.end[breaks]), np.arange(len(page)), side="right"
    )
    marks = np.unique(passed_by_text)
    of_text = np.searchsorted(marks, passed_by_text)
    of_element = np.maximum(np.searchsorted(marks, passed_by_element, side="right") - 1, 0)
    return of_text, of_element, max(len(marks), 1)
