"""Content: which segments of a page are its main content.  Paper 000, sections 2.1 and 2.2.

    good_i     the segment tree says at least 1/2, or nothing lies below      all candidates at once
    segment_i  good, and no candidate around it is                            outermost
    p_i        (c_i + Σ_{leaf j in i} t_j c_j / Σ t_j) / 2                    segments only
    content_i  p_i ≥ threshold

c is what the content tree says, t are characters.  A single tree is a nervous judge; the segment and the leaves inside
are several views of the same text, and their mean is calmer than the tree alone, which is all the paper has.

A page says what it has to say in prose.  When the content segments hold less than `LEAST` of the page's prose, the
threshold falls until they do.  The paper would return the little, or nothing.

With `strict` there is nothing but the two trees: good_i is what the segment tree says, p_i is c_i, no threshold falls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.seeker.features import FEATURES, features, features_of
from thresher.methods.seeker.model import Classifiers
from thresher.methods.seeker.segments import candidates, leaves, outermost, strict_candidates
from thresher.page import Page
from thresher.page.columns import chars
from thresher.page.tree import text_sum
from thresher.page.types import Bools, Floats, Rows, Singles
from thresher.visible.readable import readable

__all__ = ["GOOD", "LEAST", "Segments", "segments"]


GOOD = 0.5
LEAST = 0.45
_PROSE = FEATURES.index("page_prose")


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """The segments of a page in document order; S of them."""

    row: Rows  # (S,)  their elements
    x: Singles  # (S, F)  their features
    probability: Floats  # (S,)  of being main content
    text: Floats  # (S,)  characters
    prose: Floats  # (S,)  shares of the page's prose
    strict: bool = False

    def content(self, threshold: float) -> Bools:
        """Which of them are main content: those that reach the threshold, or the likeliest, long ones first."""
        chosen: Bools = self.probability >= threshold
        if self.strict:
            return chosen
        least = min(LEAST, float(self.prose.sum()))
        if not len(chosen) or (chosen.any() and self.prose[chosen].sum() >= least):
            return chosen
        order = np.lexsort((-self.text, -self.probability))
        enough = int(np.searchsorted(np.cumsum(self.prose[order]), least - 1e-6))
        chosen[order[: enough + 1]] = True
        return chosen


def segments(page: Page, trees: Classifiers, strict: bool = False) -> Segments:
    """The segments of a page, and what the content tree says of them."""
    rows = strict_candidates(page) if strict else candidates(page)
    x = features_of(page, rows) if strict else features(page)
    leaf = leaves(page, rows) & (not strict)
    text = text_sum(page, chars(page) * readable(page))[rows].astype(np.float64)
    chosen = np.flatnonzero(outermost(page, rows, (trees.segment(x) >= GOOD) | leaf))
    probability = trees.content(x)
    if not strict:
        probability = (probability + _leaf_mean(page, rows, np.where(leaf, text, 0.0), probability)) / 2
    prose = x[chosen, _PROSE].astype(np.float64)
    return Segments(rows[chosen], x[chosen], probability[chosen], text[chosen], prose, strict)


def _leaf_mean(page: Page, rows: Rows, weight: Floats, x: Floats) -> Floats:
    """Σ w_j x_j / Σ w_j over the candidates j in the subtree of each, by running sums."""
    stop = np.searchsorted(rows, page.end[rows])
    at = np.arange(len(rows))
    total, weighted = (np.concatenate((np.zeros(1), np.cumsum(one))) for one in (weight, weight * x))
    mean: Floats = (weighted[stop] - weighted[at]) / np.maximum(total[stop] - total[at], 1e-9)
    return mean.clip(0, 1)
