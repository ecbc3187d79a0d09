"""Which blocks are kept: those that are likely enough (threshold.py), with what belongs to them (belonging.py), without
what stands apart from the text (apart.py)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.methods.auto.apart import apart
from thresher.methods.auto.belonging import belonging
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.threshold import likely
from thresher.page import Page

__all__ = ["Verdict", "verdict"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Verdict(NamedTuple):
    """What is thought of each block."""

    p: Floats
    kept: Bools
    belongs: dict[str, Bools]  # kept for the text they belong to, by the reason
    apart: dict[str, Bools]  # left out though likely, by the reason

    def without(self, reason: str, blocks: Bools) -> Verdict:
        """The verdict with some more blocks left out."""
        return self._replace(kept=self.kept & ~blocks, apart=self.apart | {reason: self.kept & blocks})


def verdict(page: Page, found: Opinion, p: Floats, focus: str) -> Verdict:
    """The verdict on blocks with these probabilities."""
    chosen = likely(p, found.words, found.types["article"], focus)
    if not chosen.any():
        return Verdict(p, chosen, {}, {})
    belongs = belonging(page, found, p, chosen)
    chosen = np.logical_or.reduce([chosen, *belongs.values()])
    left_out = apart(page, found, p, chosen, focus)
    return Verdict(p, chosen & ~np.logical_or.reduce(list(left_out.values())), belongs, left_out)
