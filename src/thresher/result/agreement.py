"""Several results of one page side by side: who keeps which block, and how far they agree.

A result may hold text that was added to its page (from JSON-LD); it stands behind the texts and blocks that all share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from thresher.page.columns import chars
from thresher.page.types import Floats
from thresher.result.extraction import Extraction

__all__ = ["ComparedBlock", "agreement", "side_by_side"]


def agreement(results: Mapping[str, Extraction]) -> Floats:
    """A_ij = characters kept by both i and j / characters kept by either; 1 when neither keeps any."""
    size = chars(max((result.page for result in results.values()), key=lambda page: len(page.start)))
    kept = np.array([np.append(result.keep, np.zeros(len(size) - len(result.keep))) for result in results.values()])
    both = (kept * size) @ kept.T
    total = both.diagonal()
    either = total[:, None] + total[None, :] - both
    share: Floats = np.where(either > 0, both / np.maximum(either, 1), 1.0)
    return share


class ComparedBlock(NamedTuple):
    """A block, and the names of the results that keep it."""

    number: int
    text: str
    kept_by: list[str]


def side_by_side(results: Mapping[str, Extraction]) -> list[ComparedBlock]:
    """Every block that any result speaks of."""
    texts: dict[int, str] = {}
    keepers: dict[int, list[str]] = {}
    for name, result in results.items():
        for block in result.blocks:
            texts.setdefault(block.number, block.text)
            keepers.setdefault(block.number, []).extend([name] * block.kept)
    return [ComparedBlock(number, texts[number], keepers[number]) for number in sorted(texts)]
