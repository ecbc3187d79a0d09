"""Which blocks are likely enough to be kept: from the probabilities of a page's blocks to a first verdict on each.

    kept       p_b ≥ T(focus, a) · √(E* / 2 T(balanced, a))          a: the probability that the page is an article

An article is one text, so of an article only likely blocks are kept; of other pages less likely ones too, for they
are made of many pieces: T(balanced, a) is where the F1 of unseen pages was highest.  What is best for this page is
another question.  If its probabilities are right, keeping all blocks from t on gives the F1

    E(t) = 2 Σ_{p_b ≥ t} p_b n_b / (Σ_{p_b ≥ t} n_b + Σ_b p_b n_b)          n_b: words of block b

and the best one, E*, is had with t = E*/2.  So `balanced` is halfway between the two, √(T · E*/2), and the others move
with it: what `precision` keeps `balanced` keeps too, and `recall` keeps all of that.

Of a page of a few words every focus keeps what `recall` keeps.  A page on which no block reaches a threshold still
gives the blocks with the best E, unless these are but a phrase of a page that is all menus.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from thresher.methods.auto.kernels.decision import best_choice, expected_hits
from thresher.page.types import Bools, Floats, Singles

__all__ = ["expected_f1", "likely", "threshold"]

_THRESHOLD = {"precision": (0.5, 0.8), "balanced": (0.15, 0.6), "recall": (0.07, 0.2)}  # other pages, articles
_WIDER = {"precision": ("precision", "balanced", "recall"), "balanced": ("balanced", "recall"), "recall": ("recall",)}
_FEW_PAGE_WORDS = 20
# A page of many words, all of them in unlikely blocks, of which the best are few words, has no content.
_MANY_PAGE_WORDS, _UNLIKELY, _MIN_KEPT_WORDS = 100, 0.15, 20


def threshold(focus: str, article: float, best: float) -> float:
    """The probability from which blocks are kept, on a page that is an article with the probability `article` and of
    which the best choice of blocks has the expected F1 `best`."""
    (other, of_articles), (balanced, of_balanced) = _THRESHOLD[focus], _THRESHOLD["balanced"]
    base, middle = other + (of_articles - other) * article, balanced + (of_balanced - balanced) * article
    return base * sqrt(best / 2 / middle)


def expected_f1(p: Floats, words: Singles, chosen: Bools) -> float:
    """E of the module's docstring for some blocks."""
    return expected_hits(p, words, chosen.view(np.uint8))


def likely(p: Floats, words: Singles, article: float, focus: str) -> Bools:
    """The blocks that reach the threshold, or if none does, that of a wider focus; if none reaches any, those with the
    best E, unless the page has no content."""
    if not len(p):
        return np.zeros(0, bool)
    order = (-p).argsort(kind="stable")
    expected, last, total = best_choice(p, words, order)
    highest, least = float(p[order[0]]), float(p[last])
    for wider in _WIDER["recall" if total < _FEW_PAGE_WORDS else focus]:
        reached = threshold(wider, article, expected)
        if reached <= highest:
            least = reached
            break
    chosen: Bools = p >= least
    all_unlikely = highest < _UNLIKELY and total >= _MANY_PAGE_WORDS
    return np.zeros(len(p), bool) if all_unlikely and words[chosen].sum() < _MIN_KEPT_WORDS else chosen
