"""Which blocks are kept: those that are likely enough (threshold.py), and what the rules keep and drop (rules/)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules import RULES, Evidence
from thresher.methods.auto.threshold import likely
from thresher.page import Page
from thresher.page.types import Bools, Floats

__all__ = ["Decision", "decide"]


_PAGES = {rule.pages for rule in RULES}  # on which rules hold: a few functions for all


class Decision(NamedTuple):
    """What is thought of each block."""

    p: Floats
    kept: Bools
    ruled: dict[str, Bools | None]  # the blocks that each rule is about, by its name; None for none

    def reasons(self, block: int) -> Iterator[str]:
        """What the rules say about a block: all against it, and the first for it if it is kept."""
        ruled = {name for name, blocks in self.ruled.items() if blocks is not None and blocks[block]}
        applied = [rule for rule in RULES if rule.name in ruled]
        yield from dict.fromkeys(f"against: {rule.reason}" for rule in applied if rule.action == "drop")
        yield from [f"for: {rule.reason}" for rule in applied if rule.action == "keep" and self.kept[block]][:1]


def decide(page: Page, opinion: Opinion, p: Floats, focus: str, without: Collection[str] = ()) -> Decision:
    """The decision on blocks with these probabilities, some rules left out."""
    chosen = likely(p, opinion.words, opinion.types["article"], focus)
    ruled: dict[str, Bools | None] = {}
    if not np.count_nonzero(chosen):
        return Decision(p, chosen, ruled)
    balanced = decide(page, opinion, p, "balanced", without).ruled if focus == "precision" else {}
    evidence, kept = Evidence(page, opinion, p), chosen
    holds = {pages: pages(opinion.types) for pages in _PAGES}
    for rule in RULES:
        if rule.name in without or not holds[rule.pages] or not (rule.recall or focus != "recall"):
            continue
        if rule.name in balanced and not rule.recall:
            blocks = balanced[rule.name]
        else:
            blocks = rule.blocks(evidence, chosen if rule.action == "keep" else kept)
        ruled[rule.name] = blocks
        if blocks is not None:
            kept = kept | blocks if rule.action == "keep" else kept & ~blocks
    return Decision(p, kept, ruled)
