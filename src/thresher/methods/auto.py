"""Auto: the default.  A small network judges every block by its text, its names, its containers and its neighbours.

    p_b        the probability that block b is content (see `thresher.judge`)
    kept       p_b ≥ threshold(focus)

One threshold moves with the focus, so what `precision` keeps `balanced` keeps too, and `recall` keeps all of that.
`balanced` is where the F1 of unseen pages was highest.  A page on which no block reaches the threshold still gives
the blocks with the highest expected F1,

    E(t) = 2 Σ_{p_b ≥ t} p_b n_b / (Σ_{p_b ≥ t} n_b + Σ_b p_b n_b)          n_b: words of block b

and a low confidence, which is E at the chosen threshold, calibrated on unseen pages.

The main heading that says what the title of the page says is kept where it stands in the content's container.

With pages of the same site, what they share counts against a block, and what `site_plus` takes for content counts
for it:

    logit p_b  ←  logit p_b - 6 (r_b - 0.3) + 2 (2 s_b - 1)

r_b is the share of the siblings that have the block's texts, s_b the share of its texts that `site_plus` keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.columns import readable
from thresher.judge.model import Opinion, opinion, weights
from thresher.judge.reasons import reasons as judged_reasons
from thresher.page import Page
from thresher.tree import block_first

__all__ = ["THRESHOLD", "Options", "confidence", "expected_f1", "extract", "page_types", "reasons", "scores"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Options:
    """`focus` moves the threshold on the same scores; `siblings` are pages of the same site, `model` weights of your
    own."""

    focus: Literal["precision", "balanced", "recall"] = "balanced"
    siblings: tuple[Page, ...] = ()
    model: str = ""  # a file from `thresher train auto`; the shipped model without


THRESHOLD = {"precision": 0.55, "balanced": 0.3, "recall": 0.1}
_COLUMN = 3  # the level of the container in which a title must stand beside the text
_SOME_WORDS = 20
_SHARED, _USUAL, _CHOSEN = 6.0, 0.3, 2.0  # how the pages of the site count


def extract(page: Page, options: Options = Options()) -> Bools:
    """Keep the readable texts of the blocks that reach the threshold."""
    chosen = np.zeros(len(block_first(page)), bool)
    found = opinion(page, options.model)
    if len(found.probability):
        chosen[found.blocks.number] = _kept(found, _probability(page, options), options)
    return chosen[page.block] & readable(page)


def scores(page: Page, options: Options = Options()) -> Floats:
    """p for every block of the page; 0 for blocks without readable text."""
    score = np.zeros(len(block_first(page)))
    score[opinion(page, options.model).blocks.number] = _probability(page, options)
    return score


def confidence(page: Page, options: Options = Options()) -> float:
    """The F1 to expect of the verdict, 0 … 1, calibrated on unseen pages."""
    found = opinion(page, options.model)
    if not len(found.probability):
        return 0.0
    p = _probability(page, options)
    expected = expected_f1(p, found.words, _kept(found, p, options))
    model = weights(options.model)
    return float(np.interp(expected, model["expected"], model["observed"]))


def page_types(page: Page) -> dict[str, float]:
    """The probability of each page type."""
    return opinion(page).types


def reasons(page: Page, block: int) -> Iterator[str]:
    """What moved the verdict on a block most, in words."""
    return judged_reasons(page, block)


def expected_f1(p: Floats, words: NDArray[np.floating], kept: Bools) -> float:
    """E of the module's docstring."""
    whole = float(p @ words) + float(words[kept].sum())
    return 2 * float(p[kept] @ words[kept]) / whole if whole else 0.0


def _kept(found: Opinion, p: Floats, options: Options) -> Bools:
    kept: Bools = p >= THRESHOLD[options.focus]
    if kept.any():
        return kept | _titles(found, kept)
    order = np.argsort(-p, kind="stable")
    words = found.words[order]
    hits = np.cumsum(p[order] * words)
    best = int(np.argmax(hits / (np.cumsum(words) + hits[-1] + 1e-9)))
    highest: Bools = p >= p[order[best]]
    return highest


def _titles(found: Opinion, kept: Bools) -> Bools:
    """The page's title where it stands in a container with kept text."""
    titles = np.zeros(len(kept), bool)
    for block in np.flatnonzero(found.title & ~kept).tolist():
        begin, stop = found.blocks.begin[_COLUMN, block], found.blocks.stop[_COLUMN, block]
        titles[block] = found.words[begin:stop][kept[begin:stop]].sum() >= _SOME_WORDS
    return titles


def _probability(page: Page, options: Options) -> Floats:
    """The network's probabilities; with siblings, moved by what they tell, computed once for the same ones."""
    found = opinion(page, options.model)
    p = np.clip(found.probability.astype(np.float64), 1e-9, 1 - 1e-9)
    if not options.siblings or not len(p):
        return p
    kept = page._memo.get("auto.siblings")
    if kept is None or kept[0] != (options.siblings, options.model):
        kept = page._memo["auto.siblings"] = (options.siblings, options.model), _moved(page, found, p, options)
    moved: Floats = kept[1]
    return moved


def _moved(page: Page, found: Opinion, p: Floats, options: Options) -> Floats:
    """The probabilities, moved by what the pages of the site tell."""
    from thresher.methods import site_plus
    from thresher.site.evidence import text_repeated

    shown = readable(page)
    shared = text_repeated(page, options.siblings) * shown
    chosen = site_plus.extract(page, site_plus.Options(siblings=options.siblings)) & shown
    held = np.add.reduceat(np.stack((shared, chosen, shown)).astype(np.float64), found.blocks.first, axis=1)
    repeated, own = held[:2] / np.maximum(held[2], 1)
    logit = np.log(p / (1 - p)) - _SHARED * (repeated - _USUAL) + _CHOSEN * (2 * own - 1)
    moved: Floats = 1 / (1 + np.exp(-logit))
    return moved
