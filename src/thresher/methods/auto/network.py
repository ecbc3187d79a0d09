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
from math import exp

import numpy as np

from thresher.methods.auto.kernels import network as kernels
from thresher.methods.auto.kernels.network import activate, add_near, agree, means, page_bias
from thresher.page.types import Rows, Singles

__all__ = [
    "DILATIONS",
    "POOLS",
    "Inputs",
    "agreed",
    "deeper_layers",
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
    return deeper_layers(weights, inputs, product(inputs.x, weights["in.w"]))


def deeper_layers(weights: Mapping[str, Singles], inputs: Inputs, h: Singles) -> Singles:
    """The same where x W is known: x is needed no more, which is most of what a page takes in memory."""
    types, width = inputs.types, h.shape[1]
    bias, mean = np.empty((2, width), np.float32)
    page_bias(inputs.page, weights["in.page"], types, weights["in.types"], weights["in.b"], bias)
    activate(h, bias, h[:0], inputs.weight, mean)
    around = _Surroundings(inputs)
    for k, distance in enumerate(DILATIONS):
        of_page, of_types, own = weights[f"layer{k}.page"], weights[f"layer{k}.types"], weights[f"layer{k}.b"]
        step = around.product(h, weights, k, distance)
        page_bias(mean, of_page, types, of_types, own, bias)
        activate(step, bias, h, inputs.weight, mean)
        h = step
    last = weights["out.w"] + types @ weights["out.types"]
    bias = weights["out.b"] + types @ weights["out.types_b"]
    return np.asarray(product(h, last[:, None])[:, 0] + bias, np.float32)


def agreed(logit: Singles, inputs: Inputs) -> Singles:
    """The logits, those of blocks that stand or fall together replaced by their mean, weighted as the blocks are:
    l_b ← Σ w l / Σ w."""
    room, mean = np.empty((2, len(logit))), np.empty(len(logit), np.float32)
    agree(logit, inputs.together, inputs.weight, room, mean)
    return mean


def softmax(logit: Singles) -> Singles:
    """e^l / Σ e^l of a few."""
    values: list[float] = logit.tolist()
    highest = max(values)
    likely = [exp(value - highest) for value in values]
    whole = sum(likely)
    return np.array([value / whole for value in likely], np.float32)


def logistic(logit: Singles) -> Singles:
    """σ(l)"""
    p = np.empty(len(logit), np.float32)
    kernels.write_logistic(logit, p)
    return p


def product(x: Singles, w: Singles, out: Singles | None = None) -> Singles:
    """x · w, some rows of x at a time; with each of several w, one after the other.

    A product as small as ours gains nothing from several threads, but the linear algebra library behind numpy starts
    them from a certain size on, and they spin while they wait: twice the CPU time for the same result.
    """
    height, width = w.shape[-2:]
    rows = max(_MULTIPLICATIONS // (height * width), 1)
    if len(x) <= rows:
        return np.matmul(x, w, out=out)
    whole = len(x) - len(x) % rows
    result = np.empty((*w.shape[:-2], len(x), width), np.float32) if out is None else out
    pieces = result[..., :whole, :].reshape(*w.shape[:-2], -1, rows, width)
    np.matmul(x[:whole].reshape(-1, rows, height), w[..., None, :, :], out=pieces)
    if whole < len(x):
        np.matmul(x[whole:], w, out=result[..., whole:, :])
    return result


_MULTIPLICATIONS = 1 << 18  # up to this many one thread makes them
_BLOCKS_AT_ONCE = 512  # what is near them is half a megabyte, which stays in the cache


class _Surroundings:
    """Σ_j A_j(h) W_j.  Of the neighbours, h W_j is computed once and added to the blocks beside; the means over the
    containers and over the blocks alike are those of h · pool, which is narrower.  The page's mean is the same for all
    blocks and added apart."""

    def __init__(self, inputs: Inputs) -> None:
        self.begin, self.stop = inputs.begin[_LEVELS], inputs.stop[_LEVELS]
        self.alike = inputs.alike
        self.groups = int(np.maximum.reduce(inputs.alike, initial=-1)) + 1

    def product(self, h: Singles, weights: Mapping[str, Singles], layer: int, distance: int) -> Singles:
        """The sum of one layer; the neighbours some blocks at a time, for side by side they are three times h."""
        blocks, width = h.shape
        pool, w = weights[f"layer{layer}.pool"], weights[f"layer{layer}.w"]
        running, groups = np.empty((blocks + 1, pool.shape[1])), np.empty((self.groups, pool.shape[1] + 1))
        around = np.empty((blocks, len(w) - 3 * width), np.float32)
        means(
            product(h, pool), self.alike, self.begin, self.stop, running, groups,
            around,
        )  # fmt: skip
        step = product(around, w[3 * width :])
        of_near = w[: 3 * width].reshape(3, width, width)
        for start in range(0, blocks, _BLOCKS_AT_ONCE):
            first, stop = max(start - distance, 0), start + _BLOCKS_AT_ONCE
            some = h[first : stop + distance]
            near = np.empty((3, len(some), width), np.float32)
            product(some, of_near, out=near)
            add_near(near, start - first, distance, step[start:stop])
        return step
