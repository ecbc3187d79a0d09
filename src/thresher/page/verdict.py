"""Verdict: what was decided about a page, one value from the method to the result.

A method makes it; the steps behind it (`thresher.result`) each take one and give the next, with `dataclasses.replace`.
It carries its page: text that stands only in the page's JSON-LD makes another page of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from thresher.page.columns import chars, chars_in
from thresher.page.page import Page, Problem
from thresher.page.tree import block_sum
from thresher.page.types import Bools, Floats

__all__ = ["Verdict", "kept_share"]


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Which texts of a page are main content, and all that is known about why."""

    page: Page
    keep: Bools  # over page.text
    score: Floats = None  # type: ignore[assignment]  # over blocks, 0 … 1; unless given, the share that is kept
    elements: Bools | None = None  # the chosen DOM nodes, from methods that choose nodes
    confidence: float | None = None  # 0 … 1; None where no model tells
    reasons: Callable[[int], Iterable[str]] | None = field(default=None, repr=False)  # block -> why, in words
    problems: tuple[Problem, ...] = ()  # what the reader should know
    appended: Bools | None = None  # texts of further articles on the page, which would be kept on pages of their own
    _kept_chars: list[int] = field(default_factory=list, init=False, repr=False)  # once they were counted

    def __post_init__(self) -> None:
        if self.score is None:
            object.__setattr__(self, "score", kept_share(self.page, self.keep))

    @property
    def kept_chars(self) -> int:
        """How many characters are kept."""
        if not self._kept_chars:
            self._kept_chars.append(chars_in(self.page, self.keep))
        return self._kept_chars[0]


def kept_share(page: Page, keep: Bools) -> Floats:
    """The share of each block's characters that is kept."""
    share: Floats = block_sum(page, chars(page) * keep) / np.maximum(block_sum(page, chars(page)), 1)
    return share
