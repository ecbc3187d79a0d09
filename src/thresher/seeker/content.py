"""Content: which segments of a page are its main content.  Paper 000, sections 2.1 and 2.2.

    good_i     the segment tree says at least 1/2, or nothing lies below      all candidates at once
    segment_i  good, and no candidate around it is                            outermost
    p_i        what the content tree says of it                               segments only
    content_i  p_i ≥ threshold

When no segment reaches the threshold, the likeliest is taken, the longest of equals: a page with text has something to
say, and the paper, which would return nothing, evaluates pages with content only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.columns import chars, readable
from thresher.page import Page
from thresher.seeker.features import features
from thresher.seeker.model import Classifiers
from thresher.seeker.segments import candidates, leaves, outermost
from thresher.tree import text_sum

__all__ = ["GOOD", "Segments", "segments"]

Rows = NDArray[np.intp]
GOOD = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """The segments of a page in document order; S of them."""

    candidate: Rows  # (S,)  their numbers among the candidates
    row: Rows  # (S,)  their elements
    probability: NDArray[np.float64]  # (S,)  of being main content

    def content(self, page: Page, threshold: float) -> NDArray[np.bool_]:
        """Which of them are main content."""
        chosen: NDArray[np.bool_] = self.probability >= threshold
        if not chosen.any() and len(self.row):
            size = text_sum(page, chars(page) * readable(page))[self.row]
            chosen = np.zeros(len(self.row), bool)
            chosen[np.lexsort((-size, -self.probability))[0]] = True
        return chosen


def segments(page: Page, trees: Classifiers) -> Segments:
    """The segments of a page, and what the content tree says of them."""
    rows = candidates(page)
    x = features(page)
    good = (trees.segment(x) >= GOOD) | leaves(page, rows)
    chosen = np.flatnonzero(outermost(page, rows, good))
    return Segments(chosen, rows[chosen], trees.content(x[chosen]))
