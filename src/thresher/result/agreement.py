"""How far methods agree about a page."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from thresher.page.columns import chars
from thresher.result.extraction import Extraction

__all__ = ["agreement"]


def agreement(results: Mapping[str, Extraction]) -> NDArray[np.float64]:
    """A_ij = characters kept by both i and j / characters kept by either; 1 when neither keeps any."""
    kept = np.array([result.keep for result in results.values()], float)
    size = chars(next(iter(results.values())).page)
    both = (kept * size) @ kept.T
    total = both.diagonal()
    either = total[:, None] + total[None, :] - both
    share: NDArray[np.float64] = np.where(either > 0, both / np.maximum(either, 1), 1.0)
    return share
