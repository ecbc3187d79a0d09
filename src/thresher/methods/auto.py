"""Auto: the default.  A small network judges every block by its text, its names, its containers and its neighbours.

    p_b        the probability that block b is content (see `thresher.judge`)
    kept       p_b ≥ threshold(focus, a)          a: the probability that the page is an article

An article is one text, so of an article only likely blocks are kept; of other pages less likely ones too, for they
are made of many pieces.  The threshold moves with the focus, so what `precision` keeps `balanced` keeps too, and
`recall` keeps all of that.  `balanced` is where the F1 of unseen pages was highest.  A page on which no block reaches
the threshold still gives the blocks with the highest expected F1,

    E(t) = 2 Σ_{p_b ≥ t} p_b n_b / (Σ_{p_b ≥ t} n_b + Σ_b p_b n_b)          n_b: words of block b

and a low confidence, which is E at the chosen threshold, calibrated on unseen pages.

The main heading that says what the title of the page says is kept where it stands in the content's container.

With pages of the same site, what they share counts against a block, and what `site_plus` takes for content counts
for it:

    logit p_b  ←  logit p_b - 6 (r_b - 0.3) + 2 (2 s_b - 1)

r_b is the share of the siblings that have the block's texts, s_b the share of its texts that `site_plus` keeps.
Where the shares are known without the pages (`shared`: a whole archive was counted), the last term is left out.

A rendered page (`thresher render`) adds where the blocks stand: those outside of the column with the main content count
less, those in it a little more (`thresher.judge.layout`).  What the browser does not show is not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.columns import block_chars, readable
from thresher.judge.model import Opinion, opinion, weights
from thresher.judge.reasons import reasons as judged_reasons
from thresher.page import Page
from thresher.tree import block_first

__all__ = ["Options", "confidence", "expected_f1", "extract", "page_types", "reasons", "scores", "threshold"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Options:
    """`focus` moves the threshold on the same scores; `siblings` are pages of the same site, `shared` says of each text
    on which share of them it stands, where that is all that is known; `model` are weights of your own."""

    focus: Literal["precision", "balanced", "recall"] = "balanced"
    siblings: tuple[Page, ...] = ()
    model: str = ""  # a file from `thresher train auto`; the shipped model without
    shared: Floats | None = field(default=None, compare=False)


_THRESHOLD = {"precision": (0.5, 0.8), "balanced": (0.2, 0.6), "recall": (0.07, 0.2)}  # other pages, articles
_COLUMN = 3  # the level of the container in which a title must stand beside the text
_SOME_WORDS = 20
_SHARED, _USUAL, _CHOSEN = 6.0, 0.3, 2.0  # how the pages of the site count


def extract(page: Page, options: Options = Options()) -> Bools:
    """Keep the readable texts of the blocks that reach the threshold."""
    found = opinion(page, options.model)
    if not len(found.probability):
        return np.zeros(len(page.block), bool)
    return found.blocks.spread(_verdict(page, options)[1], block_chars(page) > 0)[page.block] & readable(page)


def threshold(focus: str, article: float) -> float:
    """The probability from which blocks are kept, on a page that is an article with the probability `article`."""
    other, of_articles = _THRESHOLD[focus]
    return other + (of_articles - other) * article


def scores(page: Page, options: Options = Options()) -> Floats:
    """p for every block of the page; 0 for blocks without readable text."""
    found = opinion(page, options.model)
    if not len(found.probability):
        return np.zeros(len(block_first(page)))
    return found.blocks.spread(_verdict(page, options)[0], block_chars(page) > 0)


def confidence(page: Page, options: Options = Options()) -> float:
    """The F1 to expect of the verdict, 0 … 1, calibrated on unseen pages."""
    found = opinion(page, options.model)
    if not len(found.probability):
        return 0.0
    p, kept = _verdict(page, options)
    expected = expected_f1(p, found.words, kept)
    model = weights(options.model)
    return float(np.interp(expected, model["expected"], model["observed"]))


def page_types(page: Page) -> dict[str, float]:
    """The probability of each page type."""
    return opinion(page).types


def reasons(page: Page, block: int) -> Iterator[str]:
    """What moved the verdict on a block most, in words."""
    yield from _place(page, block)
    yield from judged_reasons(page, block)


def expected_f1(p: Floats, words: NDArray[np.floating], kept: Bools) -> float:
    """E of the module's docstring."""
    whole = float(p @ words) + float(words[kept].sum())
    return 2 * float(p[kept] @ words[kept]) / whole if whole else 0.0


def _verdict(page: Page, options: Options) -> tuple[Floats, Bools]:
    """p and whether it is kept for each block of the opinion; computed once for the same options."""
    said = page._memo.get("auto.verdict")
    if said is None or said[0] is not options:
        found = opinion(page, options.model)
        p = _probability(page, options)
        said = page._memo["auto.verdict"] = options, p, _kept(found, p, options)
    p, kept = said[1:]
    return p, kept


def _kept(found: Opinion, p: Floats, options: Options) -> Bools:
    kept: Bools = p >= threshold(options.focus, found.types["article"])
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
    p = _open(found)
    if len(p) and _is_laid_out(page):
        p = _laid_out(page, found, p)
    if len(p) and options.shared is not None and not options.siblings:
        (repeated,) = _by_block(page, found, options.shared)
        return _shifted(p, repeated, 0.0)
    if not options.siblings or not len(p):
        return p
    kept = page._memo.get("auto.siblings")
    if kept is None or kept[0] != (options.siblings, options.model):
        kept = page._memo["auto.siblings"] = (options.siblings, options.model), _moved(page, found, p, options)
    moved: Floats = kept[1]
    return moved


def _open(found: Opinion) -> Floats:
    """The network's probabilities, with finite logits."""
    p: Floats = found.probability.astype(np.float64)
    return np.minimum(np.maximum(p, 1e-9, out=p), 1 - 1e-9, out=p)


def _is_laid_out(page: Page) -> bool:
    if page.box is None:
        return False
    from thresher.render.sight import is_laid_out

    return is_laid_out(page)


def _place(page: Page, block: int) -> Iterator[str]:
    """What the browser says about a block, where that counts."""
    found = opinion(page)
    at = np.flatnonzero(found.blocks.number == block)
    if not len(at) or not _is_laid_out(page):
        return
    p = _open(found)
    change = float((_laid_out(page, found, p) - p)[at[0]])
    if change > 0:
        yield "for: stands in the column of the main content, as the browser shows it"
    elif change < 0:
        yield "against: stands outside of the main content column, as the browser shows it"


def _laid_out(page: Page, found: Opinion, p: Floats) -> Floats:
    """The probabilities, moved by where a browser shows the blocks."""
    from thresher.judge.layout import moved
    from thresher.methods import layout

    if "auto.layout" not in page._memo:
        page._memo["auto.layout"] = layout.extract(page)
    (inside,) = _by_block(page, found, page._memo["auto.layout"])
    return moved(p, found.words, np.where(found.title, 1.0, inside))  # a title often stands above all columns


def _moved(page: Page, found: Opinion, p: Floats, options: Options) -> Floats:
    """The probabilities, moved by what the pages of the site tell."""
    from thresher.methods import site_plus
    from thresher.site.evidence import text_repeated

    chosen = site_plus.extract(page, site_plus.Options(siblings=options.siblings))
    repeated, own = _by_block(page, found, text_repeated(page, options.siblings), chosen)
    return _shifted(p, repeated, 2 * own - 1)


def _by_block(page: Page, found: Opinion, *texts: NDArray[Any]) -> Floats:
    """The mean over the readable texts of each block, for values over texts."""
    shown = readable(page)
    columns = np.stack([*texts, shown]) * shown
    held = np.add.reduceat(columns.astype(np.float64), found.blocks.first, axis=1)
    means: Floats = held[:-1] / np.maximum(held[-1], 1)
    return means


def _shifted(p: Floats, repeated: Floats, chosen: Floats | float) -> Floats:
    """The formula of the module's docstring."""
    logit = np.log(p / (1 - p)) - _SHARED * (repeated - _USUAL) + _CHOSEN * chosen
    moved: Floats = 1 / (1 + np.exp(-logit))
    return moved
