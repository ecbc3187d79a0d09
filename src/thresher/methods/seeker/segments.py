"""Segments: structural elements of good granularity.  Paper 000, section 2.1.

The elements are met depth first.  At each structural element (block, list, table element) a classifier says whether it
is a good segment; if so, the descent ends there, and what lies below is never met:

    structural   block, list and table elements, and elements with names of their own       STRUCTURAL
    candidates   structural elements that hold readable text, in document order             candidates
    segments     good candidates without a good candidate above                             outermost

No walk is needed: the classifier judges all candidates at once, and the candidates below a good one are struck out by
a running maximum over the ends of the good ones.

Departures.  A candidate without candidates below is a segment whatever the classifier says, since there is nothing to
descend to; the paper would lose its text.  `span`, which the paper counts among the block elements, is inline today: it
is structural with `strict` only (strict_candidates).
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import group
from thresher.methods._segments import shown
from thresher.page import Page
from thresher.page.columns import chars, column
from thresher.page.tree import text_sum
from thresher.page.types import Bools, Rows
from thresher.visible.readable import readable

__all__ = ["STRUCTURAL", "candidates", "holders", "leaves", "outermost", "strict_candidates"]


STRUCTURAL = frozenset(
    """
    address article aside blockquote body center details dialog div fieldset figcaption figure footer form h1 h2 h3 h4
    h5 h6 header hgroup main nav p pre search section summary
    ul ol li dl dt dd dir menu
    table caption thead tbody tfoot tr td th
    """.split()
)
_STRUCTURAL = group(STRUCTURAL)
_STRUCTURAL_IN_PAPER = group(STRUCTURAL | {"span"})


@column
def candidates(page: Page) -> Rows:
    """The rows of the structural elements that hold readable text."""
    return _with_text(page, _STRUCTURAL[page.tag])


@column
def strict_candidates(page: Page) -> Rows:
    """The same with `span` among them, as in the paper."""
    return _with_text(page, _STRUCTURAL_IN_PAPER[page.tag])


def _with_text(page: Page, structural: Bools) -> Rows:
    held = text_sum(page, chars(page) * readable(page))
    return np.flatnonzero((structural | (page.tag == 0)) & shown(page) & (held > 0))


def holders(page: Page, rows: Rows) -> Rows:
    """For each of some ascending rows the position, in `rows`, of the nearest one around it; -1 where there is none.

    Pointers go from each element to its parent, and stop at the chosen rows: ⌈log₂ depth⌉ doublings.
    """
    position = np.full(len(page), -1)
    position[rows] = np.arange(len(rows))
    jump = np.where((position >= 0) | (page.parent < 0), np.arange(len(page)), page.parent)
    while True:
        further = jump[jump]
        if np.array_equal(further, jump):
            break
        jump = further
    above = page.parent[rows]
    return np.where(above < 0, -1, position[jump[above]])


def leaves(page: Page, rows: Rows) -> Bools:
    """Which of some ascending rows have none of the others below."""
    following = np.append(rows[1:], len(page))
    return following >= page.end[rows]


def outermost(page: Page, rows: Rows, good: Bools) -> Bools:
    """Which of the ascending rows are good and have no good one around them.

    The good rows before row i that end after it contain it: i is struck out when the running maximum of their ends
    passes it.  O(n).
    """
    end = np.where(good, page.end[rows], 0)
    reached = np.concatenate(([0], np.maximum.accumulate(end)[:-1])) if len(rows) else end
    chosen: Bools = good & (reached <= rows)
    return chosen
