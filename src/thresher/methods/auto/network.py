"""The network: one pass over the blocks of a page.

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

from thresher.methods.auto.kernels import surroundings
from thresher.page.types import Rows, Singles

__all__ = [
    "DILATIONS",
    "POOLS",
    "Inputs",
    "agreed",
    "forward",
    "logistic",
    "softmax",
]


DILATIONS = (1, 2, 4)  # one layer each: how far its neighbours stand away
POOLS = (1, 2, 3)  # the levels of the containers that a layer averages over
_LEVELS = slice(POOLS[0], POOLS[-1] + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What the network reads of a page."""

    x: Singles  # (B, F)  numbers, names and wording side by side
    page: Singles  # (Q,)  claims of the page
    types: Singles  # (T,)  probabilities of its types
    weight: Singles  # (B,)  of each block in the mean of the page; the sum is 1
    begin: Rows  # (LEVELS, B)  containers as ranges of blocks
    stop: Rows  # (LEVELS, B)
    alike: Rows  # (B,)  group numbers of the blocks that are built alike
    together: Rows  # (B,)  and of those that stand or fall together


def forward(weights: Mapping[str, Singles], inputs: Inputs) -> Singles:
    """The logits of the blocks.  The weights are named `in.w`, `layer0.w`, `layer0.pool`, …, `out.w`."""
    types = inputs.types
    h = product(inputs.x, weights["in.w"])
    h += inputs.page @ weights["in.page"] + types @ weights["in.types"] + weights["in.b"]
    np.maximum(h, 0, out=h)
    seen = _Surroundings(inputs)
    for k, distance in enumerate(DILATIONS):
        name = f"layer{k}"
        step = product(seen.of(h, weights[f"{name}.pool"], distance), weights[f"{name}.w"])
        step += inputs.weight @ h @ weights[f"{name}.page"] + types @ weights[f"{name}.types"] + weights[f"{name}.b"]
        np.maximum(step, 0, out=step)
        step += h
        h = step
    last = weights["out.w"] + types @ weights["out.types"]
    bias = weights["out.b"] + types @ weights["out.types_b"]
    return np.asarray(product(h, last[:, None])[:, 0] + bias, np.float32)


def agreed(logit: Singles, inputs: Inputs) -> Singles:
    """The logits, those of blocks that stand or fall together replaced by their mean, weighted as the blocks are:
    l_b ← Σ w l / Σ w."""
    group, weight = inputs.together, inputs.weight
    mean = np.bincount(group, weights=logit * weight) / np.bincount(group, weights=weight)
    return mean[group].astype(np.float32)


def softmax(logit: Singles) -> Singles:
    """e^l / Σ e^l along the last axis."""
    likely = np.exp(logit - logit.max(axis=-1, keepdims=True))
    likely /= likely.sum(axis=-1, keepdims=True)
    return np.asarray(likely, np.float32)


def logistic(logit: Singles) -> Singles:
    """σ(l)"""
    return np.asarray(1 / (1 + np.exp(-np.minimum(np.maximum(logit, -30), 30))), np.float32)


def product(x: Singles, w: Singles) -> Singles:
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


class _Surroundings:
    """A_1(h) … A_k(h) side by side: itself, two neighbours, and the means of h · pool, which is narrower, over the
    containers and over the blocks alike.  The page's mean is the same for all blocks and added apart."""

    def __init__(self, inputs: Inputs) -> None:
        self.begin, self.stop = inputs.begin[_LEVELS], inputs.stop[_LEVELS]
        self.alike = inputs.alike
        self.groups = int(inputs.alike.max(initial=-1)) + 1

    def of(self, h: Singles, pool: Singles, distance: int) -> Singles:
        blocks, narrow = len(h), pool.shape[1]
        seen: Singles = np.empty((blocks, 3 * h.shape[1] + (len(POOLS) + 1) * narrow), np.float32)
        running, groups = np.empty((blocks + 1, narrow)), np.empty((self.groups, narrow + 1))
        surroundings(
            h.data, product(h, pool).data, distance, self.begin.data, self.stop.data, self.alike.data, running.data,
            groups.data, seen.data,
        )  # fmt: skip
        return seen
