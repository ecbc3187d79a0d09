"""Folds by site: pages of one site share a design, so they never stand on both sides of a split."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thresher.learn.auto.examples import Example
from thresher.page.types import Rows

__all__ = ["site_folds"]


def site_folds(examples: Sequence[Example], count: int, seed: int = 0) -> Rows:
    """The fold of each example; all pages of a site are in one fold."""
    sites = sorted({example.site for example in examples})
    fold_of = dict(zip(sites, (np.random.default_rng(seed).permutation(len(sites)) % count).tolist(), strict=True))
    return np.array([fold_of[example.site] for example in examples], np.intp)
