"""What stands around a block, one block at a time, as methods/auto/network.py has it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["surroundings"]

Numbers = NDArray[np.float32]
Rows = NDArray[np.intp]


def surroundings(
    h: Numbers, pooled: Numbers, distance: int, begin: Rows, stop: Rows, alike: Rows, groups: int
) -> Numbers:
    """h of each block, of the two `distance` away, and the means of `pooled` over its containers and its group; zeros
    for what is not there."""
    return np.array([_of_block(h, pooled, distance, begin, stop, alike, groups, b) for b in range(len(h))])


def _of_block(
    h: Numbers, pooled: Numbers, distance: int, begin: Rows, stop: Rows, alike: Rows, groups: int, b: int
) -> Numbers:
    row = [h[k] if 0 <= k < len(h) else np.zeros_like(h[0]) for k in (b, b - distance, b + distance)]
    for first, last in zip(begin[:, b].tolist(), stop[:, b].tolist(), strict=True):
        is_filled = 0 <= first < last <= len(h)
        row.append(pooled[first:last].mean(axis=0) if is_filled else np.zeros_like(pooled[0]))
    is_group = 0 <= alike[b] < groups
    row.append(pooled[alike == alike[b]].mean(axis=0) if is_group else np.zeros_like(pooled[0]))
    return np.concatenate(row)
