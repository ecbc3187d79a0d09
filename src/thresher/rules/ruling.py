"""Site rules on a page: which rule decides about each text, and whether the rules still fit the site.

Selectors give rows; a rule's number goes down from its rows to the texts below, the nearest one first (`tree.inherit`).
What no rule reaches is left to the method.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from thresher.css.match import index
from thresher.css.text import split_list
from thresher.http.urls import without_www
from thresher.page import Page, Problem
from thresher.page.columns import chars
from thresher.page.tree import block_first, block_sum, inherit
from thresher.page.types import Bools, Floats, Rows
from thresher.page.verdict import Verdict
from thresher.rules.rules import SiteRule, SiteRules
from thresher.text.invisible import without_invisible
from thresher.visible.readable import readable

__all__ = ["Ruling", "matching_rows", "site_host", "whole_blocks", "word_key"]


_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Ruling:
    """The rules of a site applied to one page."""

    rules: tuple[SiteRule, ...]
    of_element: Rows  # the rule that decides about each element; -1: none
    of_text: Rows  # the same for each text
    problems: tuple[Problem, ...]

    @classmethod
    def on(cls, page: Page, site: SiteRules) -> Ruling:
        """Apply the rules of a site to a page."""
        own = np.full(len(page), -1)
        matched = np.zeros(len(site.rules), bool)
        for number, rule in enumerate(site.rules):
            if rule.kind != "drop_text":
                rows = matching_rows(page, rule.value)
                own[rows] = number
                matched[number] = len(rows) > 0
        of_element = inherit(page, own, own >= 0)
        of_text = of_element[page.owner]
        _apply_text_rules(page, site, of_text)
        return cls(site.rules, of_element, of_text, tuple(_misfits(page, site, matched)))

    def applied(self, verdict: Verdict) -> Verdict:
        """A method's verdict with that of the rules."""
        page, keep = verdict.page, self.keep(verdict.page, verdict.keep)
        return replace(
            verdict,
            keep=keep,
            score=self.score(page, verdict.score, keep),
            elements=self.elements(verdict.elements),
            reasons=partial(self._block_reasons, verdict),
            problems=(*verdict.problems, *self.problems),
        )

    def keep(self, page: Page, keep: Bools) -> Bools:
        """A method's verdict on texts, with the rules'."""
        return np.where(self.of_text >= 0, self._keeps(self.of_text) & readable(page), keep)

    def elements(self, elements: Bools | None) -> Bools | None:
        """A method's choice of elements, with the rules'."""
        return elements if elements is None else np.where(self.of_element >= 0, self._keeps(self.of_element), elements)

    def score(self, page: Page, score: Floats, keep: Bools) -> Floats:
        """Scores of blocks; where a rule decides, the share of the block that is kept."""
        seen = chars(page) * readable(page)
        total = np.maximum(block_sum(page, seen), 1)
        ruled = block_sum(page, (self.of_text >= 0) & readable(page)) > 0
        return np.where(ruled, block_sum(page, seen * keep) / total, score)

    def _block_reasons(self, verdict: Verdict, block: int) -> Iterator[str]:
        """The rules that decide about a block, then the method's reasons."""
        page = verdict.page
        yield from self.reasons(np.flatnonzero((page.block == block) & readable(page)))
        if verdict.reasons is not None:
            yield from verdict.reasons(block)

    def reasons(self, texts: NDArray[np.integer[Any]]) -> Iterator[str]:
        """The rules that decide about some texts, in words."""
        for number in np.unique(self.of_text[texts]).tolist():
            if number >= 0:
                yield f"site rule: {self.rules[number]}"

    def _keeps(self, number: Rows) -> Bools:
        """Whether each rule keeps; False for none."""
        keeps = np.array([*(rule.keeps for rule in self.rules), False])
        decided: Bools = keeps[number]
        return decided


def matching_rows(page: Page, selectors: str) -> Rows:
    """The rows that one of some selectors matches, ascending."""
    matches = [index(page).match(part) for part in split_list(selectors.encode())]
    return np.unique(
        np.concatenate([np.zeros(0, np.intp), *(matched.rows for matched in matches if matched is not None)])
    )


def word_key(text: str) -> str:
    """A key that is equal for texts with the same words; a text without words is its own key, blanks aside."""
    text = without_invisible(text)
    return " ".join(_WORD.findall(text.casefold())) or " ".join(text.split())


def whole_blocks(page: Page) -> list[str]:
    """The readable text of each block."""
    seen = readable(page)
    pieces = [
        (" " * spaced + text) * shown
        for text, spaced, shown in zip(page.text, page.spaced.tolist(), seen.tolist(), strict=True)
    ]
    first = block_first(page).tolist()
    return ["".join(pieces[a:b]) for a, b in zip(first, [*first[1:], len(pieces)], strict=True)]


def site_host(url: str | None) -> str | None:
    """The host of an address without `www.`; None where there is none, or only the stand-in of a folder's pages."""
    try:
        name = without_www(urlsplit(url or "").hostname or "").rstrip(".")
    except ValueError:
        return None
    return None if not name or name.endswith(".invalid") else name


def _apply_text_rules(page: Page, site: SiteRules, of_text: Rows) -> None:
    """Let the rules about texts decide."""
    wanted = {word_key(rule.value): n for n, rule in enumerate(site.rules) if rule.kind == "drop_text"}
    if wanted and len(page.block):
        decided = np.array([wanted.get(word_key(text), -1) for text in whole_blocks(page)])[page.block]
        np.copyto(of_text, decided, where=decided >= 0)


def _misfits(page: Page, site: SiteRules, matched: Bools) -> Iterator[Problem]:
    """Signs that these rules do not fit this page."""
    ours = site_host(page.url)
    theirs = site.site and site_host(f"//{site.site}")
    if ours and theirs and ours != theirs and not ours.endswith(f".{theirs}") and not theirs.endswith(f".{ours}"):
        yield Problem("other_site", f"the rules are those of {theirs}, and the page comes from {ours}")
    always = np.array([rule.always for rule in site.rules], bool)
    expected, matching = int(always.sum()), int((always & matched).sum())
    if 2 * matching < expected and readable(page).any():
        yield Problem(
            "old_rules",
            f"{matching} of the {expected} site rules that should match every page match this one; "
            "if the site has changed, run: thresher site learn",
        )
