"""Ascending positions: which of them lie outside of spans, which are among others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Bools, Rows

__all__ = ["is_among", "outside"]


def outside(positions: Rows, start: Rows, stop: Rows) -> Rows:
    """The ascending positions that lie in none of the ascending, disjoint spans [start, stop).

    Spans are looked up among the positions, not positions among the spans: there are fewer of them.
    """
    first, last = positions.searchsorted(start), positions.searchsorted(stop)
    filled = first < last
    if not filled.any():
        return positions
    step = np.zeros(len(positions) + 1, np.int8)
    step[first[filled]] = 1
    step[last[filled]] -= 1
    free: Rows = positions[np.cumsum(step[:-1], dtype=np.int8) == 0]
    return free


def is_among(some: NDArray[Any], ascending: NDArray[Any]) -> Bools:
    """Which of some numbers are among others that ascend and are not none; cheaper than `np.isin`."""
    among: Bools = ascending[np.minimum(ascending.searchsorted(some), len(ascending) - 1)] == some
    return among
