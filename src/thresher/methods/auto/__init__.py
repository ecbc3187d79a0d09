"""Auto: the default.  A small network judges every block by its text, its names, its containers and its neighbours.

    p_b        the probability that block b is content (network)
    kept       p_b ≥ threshold(focus, page)          and what the rules say (decision)

The threshold lies between what was best for pages of the kind and what is best for this page if its probabilities are
right.  It moves with the focus, so what `precision` keeps `balanced` keeps too, and `recall` keeps all of that.  The
items of a list stand or fall together, and so do the cells of a table.  The confidence is the F1 that the probabilities
promise, calibrated on unseen pages.

What the page carries in its data but does not show, an article or a product's description, is added where the visible
page lacks it (`thresher.result.structured_text`).

Rules (rules) keep the title, and headings, code and captions in kept text, and drop the table of contents, dialogs,
headings of boxes that are dropped, comments under an article (they are in `result.comments`), related links, bylines
and datelines, author boxes, labels of advertisements, sign-up forms and copyright notices.  `without=byline+contents`
switches some off.

With pages of the same site, what they share counts against a block, and what `site_plus` takes for content counts
for it:

    logit p_b  ←  logit p_b + min(e_b, k e_b)
    e_b        =  2 (2 s_b - 1) - 6 (r_b - 0.3)
    k          =  Σ_{r_b > 0} (1 - p_b) n_b / Σ_b (1 - p_b) n_b

r_b is the share of the siblings that have the block's texts, s_b the share of its texts that `site_plus` keeps.
Where the shares are known without the pages (`shared`: a whole archive was counted), the term with s_b is left out.
k, the share of the page's chaff that stands on other pages too, is how much it tells that they lack a block: pages
with another template lack everything, and copies of the page are not compared.

A rendered page (`thresher render`) adds where the blocks stand: those outside of the column with the main content count
less, those in it a little more, and much more on a journal article (layout, journal).  What the browser does not show
is not read.

Parts:

    Page  ->  features (numbers)  ┐
          ->  names, wording      ├->  network  ->  probability that each block is content, page type
             (bags of buckets)    ┘

    blocks       the blocks to judge, and where they stand
    elements     what the loops know of each element, in one table
    page_type    the type of the page, told first from the page as a whole; the network reads it
    features     numbers (script: in letters other than Latin ones)
    prose        among these: where the longest run of prose stands, and the container with most of it
    units        cards, teasers and posts that repeat
    vocabulary   words in common with the title and the prose
    signs        dates, prices, comments, dialogs, sign-up forms
    described    what the page's own data says of its text
    comments     elements that are called comments
    openings     labels that a line may open with, told by two bytes
    names        words of classes, ids, roles and tags around a block     } sums of learned vectors,
    wording      first words of a block and of the heading above it       } found by numbers of words (hashing)
    claims       what the page says of itself in head and address         }
    network      one pass over the blocks of a page
    model        the weights, and the page as the network wants it      (shapes: what the arrays must be)
    layout       what a rendering adds (journal: which blocks are a journal article)
    decision     which blocks are kept: those that are likely enough (threshold), and what the table of rules (rules)
                 keeps and drops
    reasons      why: which evidence moved the verdict
    phrases      … and the words for it
    kernels      the loops of these, compiled where a compiler is at hand

Everything here runs on numpy and these loops.  Training is in `thresher.learn`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from thresher.methods._options import Several, option
from thresher.methods.auto.decision import Decision, decide
from thresher.methods.auto.kernels.decision import spread_texts
from thresher.methods.auto.model import Opinion, is_judged, opinion, weights
from thresher.methods.auto.rules import NAMES
from thresher.methods.auto.threshold import expected_f1
from thresher.page import Page
from thresher.page.tree import block_first
from thresher.page.types import Bools, Floats
from thresher.page.verdict import Verdict
from thresher.visible.readable import block_chars, readable

__all__ = ["NEEDS", "RECOVERS", "Options", "judge", "known_page_types", "load_model", "page_types"]


@dataclass(frozen=True, slots=True)
class Options:
    focus: Literal["precision", "balanced", "recall"] = option("balanced", "moves the threshold on the same scores")
    siblings: tuple[Page, ...] = option((), "pages of the same site")
    model: str = option("", "a file from `thresher train auto`; the shipped model without")
    shared: Floats | None = field(
        default=None,
        compare=False,
        metadata={
            "help": "on which share of the site's pages each text stands, where that is all that is known",
        },
    )
    without: Annotated[str, Several(NAMES)] = option("", "rules that are switched off")


NEEDS: frozenset[str] = frozenset()
RECOVERS = True  # text that the visible page lacks and its data or closed panels have is content

load_model = weights  # reads a file of option `model`
_SHARED, _USUAL, _CHOSEN = 6.0, 0.3, 2.0  # how the pages of the site count
_MOVED = 0.1  # a lesser change of a probability is no reason
_COMPARED = "site_plus, which compares the pages of the site,"


@dataclass(frozen=True, slots=True, eq=False)
class _Site:
    """What the other pages of the site tell about each block."""

    repeated: Floats  # r of the module's docstring
    chosen: Floats  # 2 s - 1
    pages: int | None = None  # how many were compared, copies of the page left out; None where only shares are known


def judge(page: Page, options: Options = Options()) -> Verdict:
    """Keep the readable texts of the blocks that reach the threshold."""
    return Verdict(
        page,
        _keep(page, options),
        _scores(page, options),
        confidence=_confidence(page, options),
        reasons=partial(_reasons, page, options),
    )


def _keep(page: Page, options: Options) -> Bools:
    view = opinion(page, options.model)
    if not len(view.probability):
        return np.zeros(len(page.block), bool)
    keep = np.empty(len(page.block), bool)
    spread_texts(
        _decision(page, options).kept.view(np.uint8),
        view.blocks.number,
        page.block,
        readable(page).view(np.uint8),
        block_chars(page),
        keep.view(np.uint8),
    )
    return keep


def _scores(page: Page, options: Options) -> Floats:
    """p for every block of the page; 0 for blocks without readable text."""
    view = opinion(page, options.model)
    if not len(view.probability):
        return np.zeros(len(block_first(page)))
    return view.blocks.spread(_decision(page, options).p, block_chars(page) > 0)


def _confidence(page: Page, options: Options) -> float:
    """The F1 to expect of the verdict, 0 … 1, calibrated on unseen pages."""
    view = opinion(page, options.model)
    if not len(view.probability):
        return 0.0
    decision = _decision(page, options)
    expected = expected_f1(decision.p, view.words, decision.kept)
    model = weights(options.model)
    return _interpolated(expected, model["expected"].tolist(), model["observed"].tolist())


def _interpolated(x: float, at: list[float], values: list[float]) -> float:
    """The value at x between those that are known, as `np.interp` has it; a fraction of its time."""
    place = bisect_right(at, x)
    if place in (0, len(at)):
        return values[max(place - 1, 0)]
    share = (x - at[place - 1]) / (at[place] - at[place - 1])
    return values[place - 1] + share * (values[place] - values[place - 1])


def page_types(page: Page) -> dict[str, float]:
    """The probability of each page type."""
    return opinion(page).types


def known_page_types(page: Page) -> dict[str, float]:
    """The same of a page that was judged already; nothing of another."""
    return opinion(page).types if is_judged(page) else {}


def _reasons(page: Page, options: Options, block: int) -> Iterator[str]:
    """What moved the verdict on a block most, in words."""
    from thresher.methods.auto.reasons import reasons as judged_reasons

    view = opinion(page, options.model)
    at = int(view.blocks.number.searchsorted(block))
    if at < len(view.blocks.number) and view.blocks.number[at] == block:
        yield from _on_the_site(page, view, at, options)
        yield from _in_the_browser(page, view, at)
        yield from _decision(page, options).reasons(at)
        change = float(view.probability[at] - view.alone[at])
        if abs(change) >= _MOVED:
            yield f"{'for' if change > 0 else 'against'}: the list or table it stands in"
    yield from judged_reasons(page, block, options.model)


def _decision(page: Page, options: Options) -> Decision:
    """Computed once for the same options."""
    known = page._memo.get("auto.decision")
    if known is None or known[0] is not options:
        without = options.without.split("+")
        decision = decide(page, opinion(page, options.model), _probability(page, options), options.focus, without)
        known = page._memo["auto.decision"] = options, decision
    return cast(Decision, known[1])


def _probability(page: Page, options: Options) -> Floats:
    """The network's probabilities, moved by what the browser and the pages of the site tell."""
    view = opinion(page, options.model)
    p = _open(view)
    if len(p) and _is_laid_out(page):
        p = _laid_out(page, view, p)
    site = _site(page, view, options)
    return p if site is None else _shifted(p, view.words, site)


def _open(view: Opinion) -> Floats:
    """The network's probabilities, with finite logits."""
    p: Floats = view.probability.astype(np.float64)
    return np.minimum(np.maximum(p, 1e-9, out=p), 1 - 1e-9, out=p)


def _is_laid_out(page: Page) -> bool:
    if page.box is None:
        return False
    from thresher.visible.browser import is_laid_out

    return is_laid_out(page)


def _in_the_browser(page: Page, view: Opinion, at: int) -> Iterator[str]:
    """What the browser says about a block, where that counts."""
    if not _is_laid_out(page):
        return
    p = _open(view)
    change = float((_laid_out(page, view, p) - p)[at])
    if change > 0:
        yield "for: stands in the column of the main content, as the browser shows it"
    elif change < 0:
        yield "against: stands outside of the main content column, as the browser shows it"


def _laid_out(page: Page, view: Opinion, p: Floats) -> Floats:
    """The probabilities, moved by where a browser shows the blocks."""
    from thresher.methods import layout
    from thresher.methods.auto.journal import article_blocks
    from thresher.methods.auto.layout import moved

    if "auto.layout" not in page._memo:
        page._memo["auto.layout"] = layout.judge(page).keep, article_blocks(page, view)
    column, article = page._memo["auto.layout"]
    (inside,) = _by_block(page, view, column)
    inside = np.where(view.title, 1.0, inside)  # a title often stands above all columns
    return moved(p, view.words, inside, article)


def _on_the_site(page: Page, view: Opinion, at: int, options: Options) -> Iterator[str]:
    """What the pages of the site say about a block."""
    site = _site(page, view, options)
    if site is None or site.pages == 0:
        return
    repeated, chosen = float(site.repeated[at]), float(site.chosen[at])
    counted = f"{repeated:.0%} of the" if site.pages is None else f"{round(repeated * site.pages)} of {site.pages}"
    yield f"{'against' if repeated > _USUAL else 'for'}: stands on {counted} other pages of the site"
    if chosen:
        yield f"for: {_COMPARED} keeps it" if chosen > 0 else f"against: {_COMPARED} drops it"


def _site(page: Page, view: Opinion, options: Options) -> _Site | None:
    """What is known of the site; pages are compared once."""
    if not len(view.probability):
        return None
    if not options.siblings:
        if options.shared is None:
            return None
        (repeated,) = _by_block(page, view, options.shared)
        return _Site(repeated, np.zeros(len(repeated)))
    kept = page._memo.get("auto.siblings")
    if kept is None or kept[0] != options.siblings:
        kept = page._memo["auto.siblings"] = options.siblings, _compared(page, view, options.siblings)
    compared: _Site = kept[1]
    return compared


def _compared(page: Page, view: Opinion, siblings: tuple[Page, ...]) -> _Site:
    from thresher.methods import site_plus
    from thresher.template.evidence import others, text_repeated

    chosen = site_plus.judge(page, site_plus.Options(siblings=siblings)).keep
    repeated, own = _by_block(page, view, text_repeated(page, siblings), chosen)
    return _Site(repeated, 2 * own - 1, len(others(page, siblings)))


def _by_block(page: Page, view: Opinion, *texts: NDArray[Any]) -> Floats:
    """The mean over the readable texts of each block, for values over texts."""
    shown = readable(page)
    columns = np.stack([*texts, shown]) * shown
    held = np.add.reduceat(columns.astype(np.float64), view.blocks.first, axis=1)
    means: Floats = held[:-1] / np.maximum(held[-1], 1)
    return means


def _shifted(p: Floats, words: NDArray[Any], site: _Site) -> Floats:
    """The formula of the module's docstring."""
    chaff = (1 - p) * words
    known = chaff[site.repeated > 0].sum() / max(chaff.sum(), 1)
    shift = _CHOSEN * site.chosen - _SHARED * (site.repeated - _USUAL)
    logit = np.log(p / (1 - p)) + np.minimum(shift, known * shift)
    moved: Floats = 1 / (1 + np.exp(-logit))
    return moved
