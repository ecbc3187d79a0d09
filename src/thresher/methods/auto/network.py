"""The network: one pass over the blocks of a page, numpy alone.

    h   = relu(x W + c)                                      x: numbers, names and wording of each block
    h  += relu(Σ_j A_j(h) W_j + c)      for each layer       A_j: what stands around each block
    p   = σ(h w + c)                                         the probability that a block is content

Every A_j is a fixed linear map over the rows of h, so a layer sees the block itself, its neighbours and its
containers at once:

    itself                h_b
    shift by ±d           h_{b-d}, h_{b+d}; zero beyond the ends of the page
    container of level l  the mean of h over the blocks of that container
    alike                 the mean of h over the blocks that are built like this one

The containers are what repairs single blocks: a short paragraph between long ones, a heading, a caption.

What is the same for all blocks of a page is added to the bias once, and costs nothing per block: the mean of h over the
page (blocks weighted by the logarithm of their words), the claims of the page, and the probabilities t of its types,
which are known before (page_type.py).  The last layer has weights for each type, mixed by t:

    c = b + page · V + t · U        w = w_0 + Σ_k t_k w_k

A reader expects that of a list either all items are there or none, and so of the cells of a table, so these blocks get
the mean of their logits before anybody reads them (`agreed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "DILATIONS",
    "POOLS",
    "Inputs",
    "agreed",
    "forward",
    "logistic",
    "softmax",
]

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

DILATIONS = (1, 2, 4)  # one layer each: how far its neighbours stand away
POOLS = (1, 2, 3)  # the levels of the containers that a layer averages over
_LEVELS = slice(POOLS[0], POOLS[-1] + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What the network reads of a page."""

    x: Floats  # (B, F)  numbers, names and wording side by side
    page: Floats  # (Q,)  claims of the page
    types: Floats  # (T,)  probabilities of its types
    weight: Floats  # (B,)  of each block in the mean of the page; the sum is 1
    begin: Rows  # (LEVELS, B)  containers as ranges of blocks
    stop: Rows  # (LEVELS, B)
    alike: Rows  # (B,)  group numbers of the blocks that are built alike
    together: Rows  # (B,)  and of those that stand or fall together


def forward(weights: Mapping[str, Floats], inputs: Inputs) -> Floats:
    """The logits of the blocks.  The weights are named `in.w`, `layer0.w`, `layer0.pool`, …, `out.w`."""
    types = inputs.types
    h = product(inputs.x, weights["in.w"])
    h += inputs.page @ weights["in.page"] + types @ weights["in.types"] + weights["in.b"]
    np.maximum(h, 0, out=h)
    pools = _Pools(inputs)
    seen = None
    for k, distance in enumerate(DILATIONS):
        name = f"layer{k}"
        seen = surroundings(h, weights[f"{name}.pool"], distance, pools, out=seen)
        step = product(seen, weights[f"{name}.w"])
        step += inputs.weight @ h @ weights[f"{name}.page"] + types @ weights[f"{name}.types"] + weights[f"{name}.b"]
        np.maximum(step, 0, out=step)
        step += h
        h = step
    last = weights["out.w"] + types @ weights["out.types"]
    bias = weights["out.b"] + types @ weights["out.types_b"]
    return np.asarray(product(h, last[:, None])[:, 0] + bias, np.float32)


def agreed(logit: Floats, inputs: Inputs) -> Floats:
    """The logits, those of blocks that stand or fall together replaced by their mean, weighted as the blocks are:
    l_b ← Σ w l / Σ w."""
    group, weight = inputs.together, inputs.weight
    mean = np.bincount(group, weights=logit * weight) / np.bincount(group, weights=weight)
    return mean[group].astype(np.float32)


def softmax(logit: Floats) -> Floats:
    """e^l / Σ e^l along the last axis."""
    likely = np.exp(logit - logit.max(axis=-1, keepdims=True))
    likely /= likely.sum(axis=-1, keepdims=True)
    return np.asarray(likely, np.float32)


def logistic(logit: Floats) -> Floats:
    """σ(l)"""
    return np.asarray(1 / (1 + np.exp(-np.minimum(np.maximum(logit, -30), 30))), np.float32)


def product(x: Floats, w: Floats) -> Floats:
    """x · w, some rows of x at a time.

    A product as small as ours gains nothing from several threads, but the linear algebra library behind numpy starts
    them from a certain size on, and they spin while they wait: twice the CPU time for the same result.
    """
    whole = len(x) - len(x) % _ROWS
    result = np.empty((len(x), w.shape[1]), np.float32)
    np.matmul(x[:whole].reshape(-1, _ROWS, x.shape[1]), w, out=result[:whole].reshape(-1, _ROWS, w.shape[1]))
    np.matmul(x[whole:], w, out=result[whole:])
    return result


_ROWS = 16  # with 256 columns and 64 results that is 2¹⁸ multiplications: up to this many one thread makes them


def surroundings(h: Floats, pool: Floats, distance: int, pools: _Pools, out: Floats | None = None) -> Floats:
    """A_1(h) … A_k(h) side by side: itself, two neighbours, and the means of h · pool, which is narrower, over the
    containers and over the blocks alike.  The page's mean is the same for all blocks and added apart."""
    blocks, width = h.shape
    seen = np.empty((blocks, 3 * width + (len(POOLS) + 1) * pool.shape[1]), np.float32) if out is None else out
    seen[:, :width] = h
    shift(h, distance, seen[:, width : 2 * width])
    shift(h, -distance, seen[:, 2 * width : 3 * width])
    seen[:, 3 * width :] = pools.means(product(h, pool))
    return seen


class _Pools:
    """The sets of blocks over which each block sees means: its containers on the levels in POOLS, and the blocks alike.
    Most are the sets of many blocks in a row, whose mean is computed once."""

    def __init__(self, inputs: Inputs) -> None:
        begin, stop = inputs.begin[_LEVELS], inputs.stop[_LEVELS]
        differs = np.ones(begin.shape, bool)
        np.not_equal(begin[:, 1:], begin[:, :-1], out=differs[:, 1:])
        differs[:, 1:] |= stop[:, 1:] != stop[:, :-1]
        self.begin, self.stop = begin[differs], stop[differs]
        self.count = np.maximum(self.stop - self.begin, 1)[:, None]
        self.alike = _Groups(inputs.alike)
        which = differs.ravel().cumsum() - 1
        self.which = np.concatenate((which, inputs.alike + len(self.count))).reshape(len(POOLS) + 1, -1).T

    def means(self, h: Floats) -> Floats:
        """The means of h over each block's sets, one beside the other.  Containers are ranges of blocks, so their means
        are differences of running sums."""
        running = np.zeros((len(h) + 1, h.shape[1]))
        h.cumsum(axis=0, out=running[1:])
        means: Floats = np.empty((len(self.count) + len(self.alike.count), h.shape[1]), np.float32)
        held = running.take(self.stop, axis=0)
        held -= running.take(self.begin, axis=0)
        np.divide(held, self.count, out=means[: len(held)], casting="same_kind")
        self.alike.means(h, out=means[len(held) :])
        beside: Floats = means.take(self.which, axis=0).reshape(len(h), (len(POOLS) + 1) * h.shape[1])
        return beside


class _Groups:
    """Groups of rows, given by a group number for each row."""

    def __init__(self, group: Rows) -> None:
        count = np.bincount(group)
        self.order = group.argsort(kind="stable")
        self.start = count.cumsum() - count
        self.count = count[:, None]

    def means(self, h: Floats, out: Floats) -> Floats:
        """The mean of h over the rows of each group."""
        total = np.add.reduceat(h.take(self.order, axis=0), self.start, axis=0)
        return np.divide(total, self.count, out=out, casting="same_kind")


def shift(h: Floats, by: int, out: Floats) -> None:
    """out_b = h_{b-by}, zero beyond the ends."""
    if by > 0:
        out[:by] = 0
        out[by:] = h[:-by]
    else:
        out[by:] = 0
        out[:by] = h[-by:]
