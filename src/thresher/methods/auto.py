"""Auto: the default.  A small network judges every block by its text, its names, its containers and its neighbours.

    p_b        the probability that block b is content (see `thresher.judge`)
    kept       p_b ≥ threshold(focus, a)          a: the probability that the page is an article

An article is one text, so of an article only likely blocks are kept; of other pages less likely ones too, for they
are made of many pieces.  The threshold moves with the focus, so what `precision` keeps `balanced` keeps too, and
`recall` keeps all of that.  `balanced` is where the F1 of unseen pages was highest.  A page on which no block reaches
the threshold still gives the blocks with the highest expected F1,

    E(t) = 2 Σ_{p_b ≥ t} p_b n_b / (Σ_{p_b ≥ t} n_b + Σ_b p_b n_b)          n_b: words of block b

and a low confidence, which is E at the chosen threshold, calibrated on unseen pages; unless these are but a phrase of a
page that is all menus.

What the page carries in its data but does not show, an article or a product's description, is added where the visible
page lacks it (`thresher.carried`).

The main heading that says what the title of the page says is kept where it stands in the content's container.  What is
called comments under an article is left out; it is in `result.comments` (`thresher.comments`).

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
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.comments import named
from thresher.judge.model import Opinion, opinion, weights
from thresher.judge.reasons import reasons as judged_reasons
from thresher.page import Page
from thresher.readable import block_chars, readable
from thresher.tree import block_first, within

__all__ = [
    "RECOVERS",
    "Options",
    "confidence",
    "expected_f1",
    "extract",
    "page_types",
    "reasons",
    "scores",
    "threshold",
]

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


RECOVERS = True  # text that the visible page lacks and its data or closed panels have is content

_THRESHOLD = {"precision": (0.5, 0.8), "balanced": (0.2, 0.6), "recall": (0.07, 0.2)}  # other pages, articles
_COLUMN = 3  # the level of the container in which a title must stand beside the text
_SOME_WORDS, _MANY_WORDS = 20, 100
_HALF, _REST = 0.5, 1.1
_HOPELESS = 0.15  # a page with many words, none of them in a block likelier than this, may have no content
_SHARED, _USUAL, _CHOSEN = 6.0, 0.3, 2.0  # how the pages of the site count
_COMPARED = "site_plus, which compares the pages of the site,"


@dataclass(frozen=True, slots=True, eq=False)
class _Site:
    """What the other pages of the site tell about each block."""

    repeated: Floats  # r of the module's docstring
    chosen: Floats  # 2 s - 1
    pages: int | None = None  # how many were compared, copies of the page left out; None where only shares are known


def extract(page: Page, options: Options = Options()) -> Bools:
    """Keep the readable texts of the blocks that reach the threshold."""
    found = opinion(page, options.model)
    if not len(found.probability):
        return np.zeros(len(page.block), bool)
    return found.blocks.spread(_verdict(page, options).kept, block_chars(page) > 0)[page.block] & readable(page)


def threshold(focus: str, article: float) -> float:
    """The probability from which blocks are kept, on a page that is an article with the probability `article`."""
    other, of_articles = _THRESHOLD[focus]
    return other + (of_articles - other) * article


def scores(page: Page, options: Options = Options()) -> Floats:
    """p for every block of the page; 0 for blocks without readable text."""
    found = opinion(page, options.model)
    if not len(found.probability):
        return np.zeros(len(block_first(page)))
    return found.blocks.spread(_verdict(page, options).p, block_chars(page) > 0)


def confidence(page: Page, options: Options = Options()) -> float:
    """The F1 to expect of the verdict, 0 … 1, calibrated on unseen pages."""
    found = opinion(page, options.model)
    if not len(found.probability):
        return 0.0
    p, kept, _ = _verdict(page, options)
    expected = expected_f1(p, found.words, kept)
    model = weights(options.model)
    return float(np.interp(expected, model["expected"], model["observed"]))


def page_types(page: Page) -> dict[str, float]:
    """The probability of each page type."""
    return opinion(page).types


def reasons(page: Page, options: Options, block: int) -> Iterator[str]:
    """What moved the verdict on a block most, in words."""
    found = opinion(page, options.model)
    at = int(found.blocks.number.searchsorted(block))
    if at < len(found.blocks.number) and found.blocks.number[at] == block:
        yield from _on_the_site(page, found, at, options)
        yield from _in_the_browser(page, found, at)
        if _verdict(page, options).comments[at]:
            yield "against: a comment under an article"
    yield from judged_reasons(page, block, options.model)


def expected_f1(p: Floats, words: NDArray[np.floating], kept: Bools) -> float:
    """E of the module's docstring."""
    whole = float(p @ words) + float(words[kept].sum())
    return 2 * float(p[kept] @ words[kept]) / whole if whole else 0.0


class _Verdict(NamedTuple):
    """What is thought of each block of the opinion."""

    p: Floats
    kept: Bools
    comments: Bools  # left out as comments under an article


def _verdict(page: Page, options: Options) -> _Verdict:
    """Computed once for the same options."""
    said = page._memo.get("auto.verdict")
    if said is None or said[0] is not options:
        found = opinion(page, options.model)
        p = _probability(page, options)
        comments = np.zeros(len(p), bool) if options.focus == "recall" else _comments(page, found, p)
        said = page._memo["auto.verdict"] = options, _Verdict(p, _kept(found, p, options) & ~comments, comments)
    verdict: _Verdict = said[1]
    return verdict


def _kept(found: Opinion, p: Floats, options: Options) -> Bools:
    """The blocks that reach the threshold, and the title; if none does, those with the best E.

    But where these are a few words of many, and unlikely, the page has no content: menus of a shop whose goods a script
    brings.
    """
    kept: Bools = p >= threshold(options.focus, found.types["article"])
    if kept.any():
        return kept | _titles(found, p, kept)
    order = np.argsort(-p, kind="stable")
    words = found.words[order]
    hits = np.cumsum(p[order] * words)
    best = int(np.argmax(hits / (np.cumsum(words) + hits[-1] + 1e-9)))
    highest: Bools = p >= p[order[best]]
    unlikely = p[order[0]] < _HOPELESS and words.sum() >= _MANY_WORDS
    hopeless = unlikely and found.words[highest].sum() < _SOME_WORDS
    return kept if hopeless else highest


def _comments(page: Page, found: Opinion, p: Floats) -> Bools:
    """The blocks that are called comments and stand under an article: a hundred words that are not, and hardly any
    behind the first comment.  The same for every focus, so that the verdicts stay nested."""
    none = np.zeros(len(p), bool)
    article = found.types["article"]
    if article <= _HALF:
        return none
    said: Bools = within(page, named(page))[found.blocks.at]
    likely = p >= threshold("balanced", article)
    if not (said & likely).any():
        return none
    own, first = found.words * (likely & ~said), int((said & likely).argmax())
    before = float(own[:first].sum())
    return said if before >= _MANY_WORDS and own.sum() <= _REST * before else none


def _titles(found: Opinion, p: Floats, kept: Bools) -> Bools:
    """The page's title where it stands in a container with kept text: the likeliest, if several say so (the name of the
    site does, too, in many titles) and none is kept anyway."""
    titles = np.zeros(len(kept), bool)
    if not (found.title & kept).any():
        for block in np.flatnonzero(found.title)[np.argsort(-p[found.title], kind="stable")[:1]].tolist():
            begin, stop = found.blocks.begin[_COLUMN, block], found.blocks.stop[_COLUMN, block]
            titles[block] = found.words[begin:stop][kept[begin:stop]].sum() >= _SOME_WORDS
    return titles


def _probability(page: Page, options: Options) -> Floats:
    """The network's probabilities, moved by what the browser and the pages of the site tell."""
    found = opinion(page, options.model)
    p = _open(found)
    if len(p) and _is_laid_out(page):
        p = _laid_out(page, found, p)
    site = _site(page, found, options)
    return p if site is None else _shifted(p, site)


def _open(found: Opinion) -> Floats:
    """The network's probabilities, with finite logits."""
    p: Floats = found.probability.astype(np.float64)
    return np.minimum(np.maximum(p, 1e-9, out=p), 1 - 1e-9, out=p)


def _is_laid_out(page: Page) -> bool:
    if page.box is None:
        return False
    from thresher.sight import is_laid_out

    return is_laid_out(page)


def _in_the_browser(page: Page, found: Opinion, at: int) -> Iterator[str]:
    """What the browser says about a block, where that counts."""
    if not _is_laid_out(page):
        return
    p = _open(found)
    change = float((_laid_out(page, found, p) - p)[at])
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


def _on_the_site(page: Page, found: Opinion, at: int, options: Options) -> Iterator[str]:
    """What the pages of the site say about a block."""
    site = _site(page, found, options)
    if site is None or site.pages == 0:
        return
    repeated, chosen = float(site.repeated[at]), float(site.chosen[at])
    counted = f"{repeated:.0%} of the" if site.pages is None else f"{round(repeated * site.pages)} of {site.pages}"
    yield f"{'against' if repeated > _USUAL else 'for'}: stands on {counted} other pages of the site"
    if chosen:
        yield f"for: {_COMPARED} keeps it" if chosen > 0 else f"against: {_COMPARED} drops it"


def _site(page: Page, found: Opinion, options: Options) -> _Site | None:
    """What is known of the site; pages are compared once."""
    if not len(found.probability):
        return None
    if not options.siblings:
        if options.shared is None:
            return None
        (repeated,) = _by_block(page, found, options.shared)
        return _Site(repeated, np.zeros(len(repeated)))
    kept = page._memo.get("auto.siblings")
    if kept is None or kept[0] != options.siblings:
        kept = page._memo["auto.siblings"] = options.siblings, _compared(page, found, options.siblings)
    compared: _Site = kept[1]
    return compared


def _compared(page: Page, found: Opinion, siblings: tuple[Page, ...]) -> _Site:
    from thresher.methods import site_plus
    from thresher.site.evidence import others, text_repeated

    chosen = site_plus.extract(page, site_plus.Options(siblings=siblings))
    repeated, own = _by_block(page, found, text_repeated(page, siblings), chosen)
    return _Site(repeated, 2 * own - 1, len(others(page, siblings)))


def _by_block(page: Page, found: Opinion, *texts: NDArray[Any]) -> Floats:
    """The mean over the readable texts of each block, for values over texts."""
    shown = readable(page)
    columns = np.stack([*texts, shown]) * shown
    held = np.add.reduceat(columns.astype(np.float64), found.blocks.first, axis=1)
    means: Floats = held[:-1] / np.maximum(held[-1], 1)
    return means


def _shifted(p: Floats, site: _Site) -> Floats:
    """The formula of the module's docstring."""
    logit = np.log(p / (1 - p)) - _SHARED * (site.repeated - _USUAL) + _CHOSEN * site.chosen
    moved: Floats = 1 / (1 + np.exp(-logit))
    return moved
