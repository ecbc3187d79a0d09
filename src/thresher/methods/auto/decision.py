"""Which blocks are kept: those that are likely enough (threshold.py), and what the rules keep and drop (rules/)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from thresher.methods.auto.kernels import columns as col
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules import RULES, Evidence, Rule, candidates, on_page
from thresher.methods.auto.threshold import likely
from thresher.page import Page
from thresher.page.types import Bools, Floats

__all__ = ["Decision", "decide"]


class Decision(NamedTuple):
    """What is thought of each block."""

    p: Floats
    kept: Bools
    ruled: dict[str, Bools]  # the blocks that each rule is about, by its name

    def reasons(self, block: int) -> Iterator[str]:
        """What the rules say about a block: all against it, and the first for it if it is kept."""
        ruled = {name for name, blocks in self.ruled.items() if blocks[block]}
        applied = [rule for rule in RULES if rule.name in ruled]
        yield from dict.fromkeys(f"against: {rule.reason}" for rule in applied if rule.action == "drop")
        yield from [f"for: {rule.reason}" for rule in applied if rule.action == "keep" and self.kept[block]][:1]


def decide(page: Page, opinion: Opinion, p: Floats, focus: str, without: Collection[str] = ()) -> Decision:
    """The decision on blocks with these probabilities, some rules left out."""
    chosen = likely(p, opinion.words, opinion.types["article"], focus)
    ruled: dict[str, Bools] = {}
    if not np.count_nonzero(chosen):
        return Decision(p, chosen, ruled)
    balanced = decide(page, opinion, p, "balanced", without).ruled if focus == "precision" else {}
    marks, found = candidates(page, opinion, p, chosen)
    found |= on_page(page)
    evidence, kept = Evidence(page, opinion, p, chosen, marks), chosen
    for rule in RULES:
        if focus == "precision" and not rule.recall:
            blocks = balanced.get(rule.name)
        elif rule.bits & found and rule.name not in without and _holds(rule, opinion, focus):
            blocks = rule.blocks(evidence, chosen if rule.action == "keep" else kept)
        else:
            continue
        if blocks is None:
            continue
        ruled[rule.name] = blocks
        if rule.action == "keep":
            kept = kept | blocks
            for bits in marks[blocks].tolist():
                found |= bits
        else:
            kept = kept & ~blocks
            found |= col.ORPHAN  # what stood under a heading may be gone
    return Decision(p, kept, ruled)


def _holds(rule: Rule, opinion: Opinion, focus: str) -> bool:
    return (rule.recall or focus != "recall") and (rule.pages is None or rule.pages(opinion.types))
