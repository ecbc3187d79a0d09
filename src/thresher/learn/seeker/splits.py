"""Which pages train and which are judged.  A source, a registrable domain, is never on both sides.

    folds     every page is judged once, by trees of the other folds                       ours
    share     a share of the pages trains, all others are judged                           the paper: 10 %

"The pages in the training set are taken from different sources which do not occur in the evaluation set" (section 3.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

__all__ = ["fold_of_sites", "splits", "training_sites"]


def fold_of_sites(sites: Sequence[str], folds: int, seed: int = 0) -> dict[str, int]:
    """The fold of each site."""
    distinct = sorted(set(sites))
    order = np.random.default_rng(seed).permutation(len(distinct)) % folds
    return dict(zip(distinct, order.tolist(), strict=True))


def training_sites(sites: Sequence[str], share: float, seed: int = 0) -> set[str]:
    """Sites with that share of the pages, drawn at random; `sites` has the site of each page.

    A site that would exceed the share is passed over.  At least one site trains, the one with the fewest pages if all
    are too large, and at least one is left to be judged.
    """
    pages = Counter(sites)
    order = np.random.default_rng(seed).permutation(sorted(pages)).tolist()
    room, chosen = share * len(sites), set[str]()
    for site in order:
        if pages[site] <= room and len(chosen) < len(pages) - 1:
            chosen.add(site)
            room -= pages[site]
    return chosen or {min(order, key=lambda site: pages[site])}


def splits(
    sites: Sequence[str], folds: int, share: float | None, seed: int = 0
) -> Iterator[tuple[list[int], list[int]]]:
    """Numbers of the pages that train and of those that are judged, for each split in which there are both."""
    if share is not None:
        chosen = training_sites(sites, share, seed)
        judged = [site not in chosen for site in sites]
        yield from _both(judged)
        return
    fold_of = fold_of_sites(sites, folds, seed)
    for fold in range(folds):
        yield from _both([fold_of[site] == fold for site in sites])


def _both(judged: Sequence[bool]) -> Iterator[tuple[list[int], list[int]]]:
    training = [number for number, one in enumerate(judged) if not one]
    evaluation = [number for number, one in enumerate(judged) if one]
    if training and evaluation:
        yield training, evaluation
