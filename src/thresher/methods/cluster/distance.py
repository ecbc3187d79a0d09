"""How far two blocks are from each other: 0 for the same, 1 for nothing in common.

Sets of tokens are compared by Jaccard's distance, group by group, so that forty declarations of CSS do not outvote one
path; edges and sizes by their difference:

    d(a, b) = 3/4 · mean over g of |A_g Δ B_g| / (|A_g ∪ B_g| + k_g)     g: path, selector, style; k: 0, 0, 10
            + 1/4 · mean over x of min(1, s_x |x_a - x_b|)               x: left edge, width, length of the text

Text that looks like the body's has few declarations of its own, and one more or less (the margin of a first paragraph)
would be half of them: k_g counts that many declarations as shared by all.

The left edge and the width of a column are what the eye follows; the distance from the top would tell the paragraphs of
one article apart.  Text length counts gently: a short paragraph is one.

A site has few distinct sets, however many blocks: distances are computed once per pair of distinct sets (one matrix
product per group) and looked up; identical blocks are one row with a weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thresher.methods.cluster.blocks import SiteBlocks
from thresher.methods.cluster.features import GROUPS, numbers, shared_tokens
from thresher.page.types import Longs, Rows, Singles

__all__ = ["CONTINUOUS", "DISCRETE", "SCALE", "Space", "jaccard", "space"]


DISCRETE, CONTINUOUS = 0.75, 0.25
# Scales: edges that are 10 % of the page apart are apart; of lengths, one to a thousand characters is the whole way.
SCALE = {"left": 10.0, "width": 5.0, "length": 1.0}
_SHARED_TOKENS = {"path": 0, "selector": 0, "style": 10}
_ROUNDING = 0.01  # to which edges, sizes and lengths are rounded: 10 pixels of a page 1000 wide


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Distinct blocks, M of them, and how far they are from each other."""

    code: Rows  # (N,)  the distinct block of each block
    weight: Longs  # (M,)  how many blocks each stands for
    tables: tuple[Singles, ...]  # by group: distances of its distinct sets
    which: Rows  # (groups, M)  the set that each distinct block has
    place: Singles  # (M, continuous)  scaled

    def __len__(self) -> int:
        return len(self.weight)

    def rows(self, some: Rows, others: Rows | None = None) -> Singles:
        """The distances of some distinct blocks from others, or from all."""
        which, place = (self.which, self.place) if others is None else (self.which[:, others], self.place[others])
        total = np.zeros((len(some), len(place)), np.float32)
        for group, table in enumerate(self.tables):
            total += table[self.which[group, some]][:, which[group]]
        total *= np.float32(DISCRETE / len(self.tables))
        share = np.float32(CONTINUOUS / self.place.shape[1])
        for own, other in zip(self.place[some].T, place.T, strict=True):
            total += share * np.minimum(np.abs(own[:, None] - other), 1)
        return total


def space(blocks: SiteBlocks) -> Space:
    """The blocks of some pages, equal ones taken together."""
    coded = [_numbered(shared_tokens(blocks, group)) for group in GROUPS]
    number = numbers(blocks)
    place = np.column_stack([np.round(number[name] / _ROUNDING) * _ROUNDING * scale for name, scale in SCALE.items()])
    keys = np.column_stack([*(code for code, _ in coded), place.astype(np.float32)])
    _, first, code, weight = np.unique(keys, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return Space(
        code.reshape(-1).astype(np.intp),
        weight,
        tuple(jaccard(sets, _SHARED_TOKENS[group]) for group, (_, sets) in zip(GROUPS, coded, strict=True)),
        np.stack([own[first] for own, _ in coded]),
        place[first].astype(np.float32),
    )


def jaccard(sets: Sequence[frozenset[str]], shared: int = 0) -> Singles:
    """|A Δ B| / (|A ∪ B| + shared) for all pairs; two empty sets are the same.

    |A ∩ B| is a product of 0/1 matrices, and |A ∪ B| = |A| + |B| - |A ∩ B|.  A token that one set alone has counts in
    its size and needs no column.
    """
    size = np.array([len(own) for own in sets], np.float32)
    count: dict[str, int] = {}
    for own in sets:
        for token in own:
            count[token] = count.get(token, 0) + 1
    column = {token: number for number, token in enumerate(token for token, times in count.items() if times > 1)}
    has = np.zeros((len(sets), len(column)), np.float32)
    for row, own in enumerate(sets):
        has[row, [column[token] for token in own if token in column]] = 1
    both = has @ has.T
    either = size[:, None] + size - both
    distance: Singles = (either - both) / np.maximum(either + np.float32(shared), 1)
    np.fill_diagonal(distance, 0)  # the product lacks the tokens of one set alone
    return distance


def _numbered(own: Sequence[tuple[str, ...]]) -> tuple[Rows, list[frozenset[str]]]:
    """Which of the distinct sets each block has, and these."""
    number: dict[frozenset[str], int] = {}
    code = [number.setdefault(frozenset(some), len(number)) for some in own]
    return np.array(code, np.intp), list(number)
