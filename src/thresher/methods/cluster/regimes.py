"""The paper's three regimes, each with 4-fold cross-validation, for each of five sets of features.

    one site       pages of one site, shuffled, a quarter of them held out
    unseen sites   whole sites held out: no page of a tested site was trained on
    random mix     pages of many sites, shuffled: most tested sites were trained on

A score is over the blocks of all held-out pages together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thresher.methods.cluster.blocks import SiteBlocks
from thresher.methods.cluster.features import FEATURE_SETS, encode, vocabulary
from thresher.methods.cluster.learning import FOLDS, HeldOutScore, folds, validate
from thresher.page.types import Bools, Rows

__all__ = ["compare", "random_mix", "unseen_sites"]


def compare(
    blocks: SiteBlocks,
    content: Bools,
    parts: Sequence[Rows],
    *,
    true: Bools | None = None,
    whole_strings: bool = False,
    sets: Sequence[str] = tuple(FEATURE_SETS),
) -> dict[str, HeldOutScore]:
    """The score of each set of features, trained on `content` and tested on `true`, the same unless given.
    `whole_strings` is the paper's reading: no parts of paths.

    Columns that training pages lack have no weight, so one matrix serves all parts.
    """
    found = {}
    for name in sets:
        x = encode(blocks, vocabulary(blocks, FEATURE_SETS[name], not whole_strings), not whole_strings)
        found[name] = validate(x, content, list(parts), true)
    return found


def random_mix(blocks: SiteBlocks, seed: int = 0, count: int = FOLDS) -> list[Rows]:
    """Pages by chance, whatever their site; of one site's pages this is the first regime."""
    return folds(blocks, seed, count)


def unseen_sites(blocks: SiteBlocks, site: Sequence[str], seed: int = 0, count: int = FOLDS) -> list[Rows]:
    """Whole sites, the largest first, each to the part with the fewest pages so far; `site` is that of each page."""
    names, which, pages = np.unique(np.asarray(site), return_inverse=True, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(names))
    part = np.zeros(len(names), np.intp)
    held = np.zeros(count, np.intp)
    for name in order[np.argsort(-pages[order], kind="stable")].tolist():
        part[name] = int(held.argmin())
        held[part[name]] += pages[name]
    return [np.flatnonzero(part[which][blocks.page] == k) for k in range(count)]
