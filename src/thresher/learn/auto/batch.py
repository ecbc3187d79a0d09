"""Several pages as one: their blocks one below the other, so that the network goes over all of them in one pass.

Every map of the network (methods/auto/network.py) is given by row numbers: where the neighbours stand, where containers
begin and stop, which blocks are alike.  Row N, one behind the last block, stands for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thresher.learn.auto.examples import Bags, Example
from thresher.learn.auto.perturb import Seen
from thresher.learn.auto.pytorch import Tensor, torch
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.model import mean_weights
from thresher.methods.auto.names import BAGS
from thresher.methods.auto.network import DILATIONS, POOLS
from thresher.methods.auto.wording import heading_above
from thresher.page.types import Ints, Rows, Singles

__all__ = ["Batch", "Containers", "TensorBags", "batched"]

_HEADING = FEATURES.index("in heading")


class TensorBags(NamedTuple):
    """Bags of table rows, as `embedding_bag` wants them."""

    row: Tensor
    start: Tensor  # of each bag
    size: Tensor  # of each bag


class Containers(NamedTuple):
    """The containers of one level: ranges of blocks, and which of them each block stands in."""

    begin: Tensor
    stop: Tensor
    which: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """N blocks of P pages."""

    x: Tensor  # (N, F)  features, standardised
    names: TensorBags  # 4 N bags
    words: TensorBags  # N bags
    claims: tuple[TensorBags, ...]  # P bags each
    heading: Tensor  # (N,)  row of the heading above, N for none
    page: Tensor  # (N,)  which page
    weight: Tensor  # (N,)  in the mean of the page
    neighbours: tuple[tuple[Tensor, Tensor], ...]  # of each layer: rows before and behind
    containers: tuple[Containers, ...]
    alike: Tensor  # (N,)  group numbers
    types: Tensor  # (P, T)
    share: Tensor  # (N,)  gold words / words
    size: Tensor  # (N,)
    said: Tensor  # (N,)  1 where the data set says whether the block is content, 0 where that is open
    gold: Tensor  # (P,)  words of the gold text that are not open

    @property
    def pages(self) -> int:
        return len(self.types)


def batched(examples: Sequence[Example], seen: Sequence[Seen], types: Singles) -> Batch:
    """The examples as they are seen; the features of `seen` are standardised already."""
    sizes = [len(example.size) for example in examples]
    offset = np.concatenate(([0], np.cumsum(sizes)))
    count = int(offset[-1])
    number = np.arange(count)
    first, stop = np.repeat(offset[:-1], sizes), np.repeat(offset[1:], sizes)
    above = [heading_above(example.x[:, _HEADING] > 0) for example in examples]
    heading = np.concatenate([np.where(row >= 0, row + at, count) for row, at in zip(above, offset, strict=False)])
    share, size = (np.concatenate([getattr(one, name) for one in examples]) for name in ("share", "size"))
    said = np.concatenate([example.said for example in examples])
    unsaid = [float((one.share * one.size * (1 - one.said)).sum()) for one in examples]
    gold = np.array([one.gold - open_ for one, open_ in zip(examples, unsaid, strict=True)], np.float32)
    return Batch(
        x=torch.from_numpy(np.concatenate([one.x for one in seen], dtype=np.float32)),
        names=_bags([one.names for one in seen], offset * len(BAGS)),
        words=_bags([one.words for one in seen], offset),
        claims=tuple(_claims([one.claims[kind] for one in seen]) for kind in range(2)),
        heading=torch.from_numpy(heading),
        page=torch.from_numpy(np.repeat(np.arange(len(examples)), sizes)),
        weight=torch.from_numpy(np.concatenate([mean_weights(one.x) for one in examples])),
        neighbours=tuple(
            (
                torch.from_numpy(np.where(number - by >= first, number - by, count)),
                torch.from_numpy(np.where(number + by < stop, number + by, count)),
            )
            for by in DILATIONS
        ),
        containers=tuple(_containers(examples, offset, level) for level in POOLS),
        alike=torch.from_numpy(_groups([example.alike for example in examples])),
        types=torch.from_numpy(types),
        share=torch.from_numpy(share),
        size=torch.from_numpy(size),
        said=torch.from_numpy(said),
        gold=torch.from_numpy(gold),
    )


def _bags(bags: Sequence[Bags], offset: Rows) -> TensorBags:
    bag = np.concatenate([one.bag + at for one, at in zip(bags, offset, strict=False)])
    return _tensors(np.concatenate([one.bucket for one in bags]), np.bincount(bag, minlength=int(offset[-1])))


def _claims(rows: Sequence[Rows]) -> TensorBags:
    return _tensors(np.concatenate(rows), np.array([len(row) for row in rows]))


def _tensors(row: Rows, count: Rows) -> TensorBags:
    start = np.cumsum(count) - count
    return TensorBags(torch.from_numpy(row), torch.from_numpy(start), torch.from_numpy(count.astype(np.float32)))


def _containers(examples: Sequence[Example], offset: Rows, level: int) -> Containers:
    begin, stop = (
        np.concatenate(
            [getattr(one, side)[level].astype(np.intp) + at for one, at in zip(examples, offset, strict=False)]
        )
        for side in ("begin", "stop")
    )
    differs = np.ones(len(begin), bool)
    differs[1:] = (begin[1:] != begin[:-1]) | (stop[1:] != stop[:-1])
    which = differs.cumsum() - 1
    return Containers(torch.from_numpy(begin[differs]), torch.from_numpy(stop[differs]), torch.from_numpy(which))


def _groups(groups: Sequence[Ints]) -> Rows:
    """Group numbers of several pages, those of no two the same."""
    first = np.cumsum([0, *(int(group.max(initial=-1)) + 1 for group in groups)])
    return np.concatenate([group.astype(np.intp) + at for group, at in zip(groups, first, strict=False)])
