"""Spans of a byte array: what lies outside of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["outside"]

Places = NDArray[np.intp]


def outside(positions: Places, start: Places, stop: Places) -> Places:
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
    free: Places = positions[np.cumsum(step[:-1], dtype=np.int8) == 0]
    return free
