"""The network: one pass over the blocks of a page, numpy alone.

    h   = relu(x W + b)                                      x: numbers, names and wording of each block
    h  += relu(Σ_j A_j(h) W_j + b)      for each layer       A_j: what stands around each block
    p   = σ(h w + b)                                         the probability that a block is content
    t   = softmax(z V + b)                                   the page's type

Every A_j is a fixed linear map over the rows of h, so a layer sees the block itself, its neighbours and its
containers at once:

    itself                h_b
    shift by ±d           h_{b-d}, h_{b+d}; zero beyond the ends of the page
    container of level l  the mean of h over the blocks of that container
    alike                 the mean of h over the blocks that are built like this one
    page                  the mean of h over the page, blocks weighted by the logarithm of their words

The containers are what repairs single blocks: a short paragraph between long ones, a heading, a caption.  Each map
has its adjoint beside it, which is all that training needs to go backwards.

z puts the page together: the mean of h over the page, the mean over its content (blocks weighted by p), the highest
value of each column of h, and what is known of the page as a whole.

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
    "Trace",
    "agreed",
    "forward",
    "group_mean",
    "logistic",
    "page_mean",
    "page_types",
    "shift",
    "softmax",
    "summary",
]

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

DILATIONS = (1, 2, 4)  # one layer each: how far its neighbours stand away
POOLS = (1, 2, 3)  # the levels of the containers that a layer averages over
_LEVELS = slice(POOLS[0], POOLS[-1] + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What the network reads of a page."""

    x: Floats  # (B, F)  numbers, names and wording side by side, standardised
    weight: Floats  # (B,)  of each block in the mean of the page; the sum is 1
    begin: Rows  # (LEVELS, B)  containers as ranges of blocks
    stop: Rows  # (LEVELS, B)
    alike: Rows  # (B,)  group numbers of the blocks that are built alike
    together: Rows  # (B,)  and of those that stand or fall together
    page: Floats  # (P,)  columns of x that are the same for all blocks


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What a pass computed.  Training goes back along `hidden` and `around`; without a trace these are empty."""

    logit: Floats  # (B,)
    last: Floats  # (B, width)  the last h
    hidden: list[Floats]  # the h before each layer, and the last
    around: list[Floats]  # A_1(h) … A_k(h) side by side, before each layer


def forward(weights: Mapping[str, Floats], inputs: Inputs, traced: bool = True) -> Trace:
    """One pass.  The weights are named as in the docstring: `in.w`, `layer0.w`, `layer0.pool`, …, `out.w`."""
    h = product(inputs.x, weights["in.w"])
    h += weights["in.b"]
    np.maximum(h, 0, out=h)
    pools = _Pools(inputs)
    hidden, around = [h] if traced else [], []
    seen = None
    for k, distance in enumerate(DILATIONS):
        seen = surroundings(h, weights[f"layer{k}.pool"], distance, pools, out=None if traced else seen)
        step = product(seen, weights[f"layer{k}.w"])
        step += page_mean(h, inputs) @ weights[f"layer{k}.page"] + weights[f"layer{k}.b"]
        np.maximum(step, 0, out=step)
        step += h
        h = step
        if traced:
            hidden.append(h)
            around.append(seen)
    logit = np.asarray(product(h, weights["out.w"][:, None])[:, 0] + weights["out.b"], np.float32)
    return Trace(logit, h, hidden, around)


def agreed(logit: Floats, inputs: Inputs) -> Floats:
    """The logits, those of blocks that stand or fall together replaced by their mean, weighted as the blocks are:
    l_b ← Σ w l / Σ w."""
    group, weight = inputs.together, inputs.weight
    mean = np.bincount(group, weights=logit * weight) / np.bincount(group, weights=weight)
    return mean[group].astype(np.float32)


def page_types(weights: Mapping[str, Floats], z: Floats) -> Floats:
    """The probability of each page type; `type.w` is V of the docstring."""
    return softmax(z @ weights["type.w"] + weights["type.b"])


def summary(inputs: Inputs, h: Floats, p: Floats) -> Floats:
    """z of the docstring."""
    content = inputs.weight * p
    content /= max(float(content.sum()), 1e-6)
    z: Floats = np.concatenate((page_mean(h, inputs), content @ h, h.max(axis=0, initial=0), inputs.page))
    return z


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


def group_mean(h: Floats, group: Rows) -> Floats:
    """The mean of h over the rows of the same group, for each row.  The map is symmetric: it is its own adjoint."""
    groups = _Groups(group)
    return groups.means(h, np.empty((len(groups.count), h.shape[1]), np.float32)).take(group, axis=0)


def shift(h: Floats, by: int, out: Floats) -> None:
    """out_b = h_{b-by}, zero beyond the ends.  The adjoint is the shift by -by."""
    if by > 0:
        out[:by] = 0
        out[by:] = h[:-by]
    else:
        out[by:] = 0
        out[:by] = h[-by:]


def page_mean(h: Floats, inputs: Inputs) -> Floats:
    """Σ_b weight_b h_b."""
    mean: Floats = inputs.weight @ h
    return mean
