"""From the verdict of a method to that of the result: each step takes a verdict and gives the next.

structured_text   text that the page has only in its JSON-LD is added
whole_tables      a table made of other elements is kept or dropped as a whole, as `table` is
site_rules        rules of the page's site decide first, the method about the rest
panels            closed tabs and accordions beside kept text are read
price             the price of a product is added where the extract lacks it, with focus "recall"
appended          articles that the page appends to its own are taken out
printable         a verdict of which nothing is printed keeps nothing
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher import output
from thresher.output.grids import find_grids
from thresher.page import Page, Problem
from thresher.page.columns import chars
from thresher.page.tree import block_sum
from thresher.page.types import Bools
from thresher.page.verdict import Verdict
from thresher.result.appended import without_appended
from thresher.result.structured_text import with_structured_text
from thresher.visible.panels import closed, labels
from thresher.visible.readable import readable

if TYPE_CHECKING:
    from thresher.rules.rules import SiteRules

__all__ = [
    "STEPS",
    "Focus",
    "Hidden",
    "Wishes",
    "appended",
    "panels",
    "plain_text",
    "price",
    "printable",
    "site_rules",
    "structured_text",
    "whole_tables",
]

Focus = Literal["precision", "balanced", "recall"]
Hidden = Literal["default", "strict"]
Reasons = Callable[[int], Iterable[str]]

_SURELY_PRINTS = 1_000  # characters: so many are not all invisible
_PANEL = "for: a hidden panel that the page itself can open (tab, accordion)"
_UNSEEN_DATA = "text of the page's JSON-LD, which the visible page lacks, is not part of the result"
_MOSTLY = 0.5  # of the characters of a table
_TABLE = "{}: in a table most of which was {}"
_WORDS = {1: ("for", "kept"), -1: ("against", "dropped")}
_PANEL_LABEL = "for: the label of a hidden panel that was recovered"


class Wishes(NamedTuple):
    """What the caller of `extract` asked for beside the method."""

    focus: Focus = "balanced"
    recovers: bool = False  # the method takes what a page has in its data or in closed panels for content
    site: SiteRules | None = None


def structured_text(verdict: Verdict, wishes: Wishes) -> Verdict:
    """Add text that the page has only in its JSON-LD.  No reader sees it: a strict judge only says that it is there."""
    longer = with_structured_text(verdict) if wishes.recovers else verdict
    if longer is verdict or not verdict.page.strict:
        return longer
    return replace(verdict, problems=(*verdict.problems, Problem("unjudged", _UNSEEN_DATA)))


def price(verdict: Verdict, wishes: Wishes) -> Verdict:
    """Add the price of the product that the page sells, where the extract lacks it: with focus "recall".

    In the labels of people prices are no content: the line in every result costs 0.2 points of F1 on product pages.
    """
    if wishes.focus != "recall" or not wishes.recovers or verdict.page.strict:
        return verdict
    from thresher.result.price import with_price

    return with_price(verdict)


def whole_tables(verdict: Verdict, wishes: Wishes) -> Verdict:
    """Keep or drop a table that is made of other elements as most of it was: a method may judge each of its cells."""
    grids = find_grids(verdict.page) if wishes.recovers else None
    if grids is None:
        return verdict
    page, keep, seen = verdict.page, verdict.keep.copy(), readable(verdict.page)
    for table in grids.tables.tolist():
        inside = slice(int(page.first[table]), int(page.last[table]))
        shown = chars(page)[inside] * seen[inside]
        keep[inside] = seen[inside] & (int((shown * keep[inside]).sum()) >= _MOSTLY * int(shown.sum()))
    change = block_sum(page, keep.astype(np.int8) - verdict.keep)
    if not change.any():
        return verdict
    added, removed = ((change * sign > 0, _TABLE.format(*words)) for sign, words in _WORDS.items())
    return replace(verdict, keep=keep, reasons=_with_reasons(verdict.reasons, added, removed))


def site_rules(verdict: Verdict, wishes: Wishes) -> Verdict:
    """Let the rules of the page's site decide where they say something."""
    if wishes.site is None:
        return verdict
    from thresher.rules.ruling import Ruling

    return Ruling.on(verdict.page, wishes.site).applied(verdict)


def panels(verdict: Verdict, wishes: Wishes) -> Verdict:
    """Read closed tabs and accordions: always with focus "recall", else where the page is made of them; but not where
    the page is judged strictly."""
    always = wishes.focus == "recall"
    if not always and not (wishes.recovers and wishes.focus == "balanced"):
        return verdict
    page = verdict.page
    panel = closed(page, verdict.keep, verdict.kept_chars, always=always)
    if panel is None:
        return verdict
    verdict = replace(verdict, problems=(*verdict.problems, panel.problem(page.strict)))
    if panel.left_out or page.strict:
        return verdict
    keep = verdict.keep | panel.texts
    recovered = block_sum(page, keep & ~readable(page)) > 0
    label = block_sum(page, labels(page) & keep) > 0
    return replace(
        verdict, keep=keep, reasons=_with_reasons(verdict.reasons, (recovered, _PANEL), (label, _PANEL_LABEL))
    )


def appended(verdict: Verdict, wishes: Wishes) -> Verdict:
    """Take out whole articles behind the first one, as endless scrolling appends them."""
    return without_appended(verdict) if wishes.recovers and wishes.site is None else verdict


def printable(verdict: Verdict, wishes: Wishes) -> Verdict:
    """Keep nothing where nothing would be printed: a few characters may all be invisible, or line numbers."""
    page, keep = verdict.page, verdict.keep
    if verdict.kept_chars > _SURELY_PRINTS or plain_text(page, keep).strip():
        return verdict
    return replace(verdict, keep=np.zeros(len(keep), bool))


def plain_text(page: Page, keep: Bools) -> str:
    """`to_text` of a verdict, written once: of a small page this step asks for it, and then the caller does."""
    known: tuple[Bools, str] | None = page._memo.get("result.plain_text")
    if known is None or known[0] is not keep:
        known = page._memo["result.plain_text"] = keep, output.to_text(page, keep)
    return known[1]


STEPS = (structured_text, whole_tables, site_rules, panels, price, appended, printable)


def _with_reasons(method: Reasons | None, *told: tuple[NDArray[Any], str]) -> Reasons:
    """The reasons of a method, but for blocks of which a step has told why."""

    def reasons(block: int) -> Iterator[str]:
        own = next((reason for blocks, reason in told if blocks[block]), None)
        if own:
            yield own
        elif method is not None:
            yield from method(block)

    return reasons
