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

from thresher.methods.auto.kernels.means import find_ranges, means
from thresher.methods.auto.kernels.network import agree, close_layer, open_layer, write_logits
from thresher.page.types import Ints, Singles

__all__ = ["DILATIONS", "MANY_BLOCKS", "POOLS", "Inputs", "Network", "probabilities", "product"]


DILATIONS = (1, 2, 4)  # one layer each: how far its neighbours stand away
POOLS = (1, 2, 3)  # the levels of the containers that a layer averages over
_KINDS = len(POOLS) + 1  # of means: those, and the blocks alike
_RANGES = 11  # rows of numbers about them (kernels/means.py)


@dataclass(slots=True, eq=False)
class Inputs:
    """What the network reads of a page."""

    x: Singles  # (B, F)  numbers, names and wording side by side
    page: Singles  # (Q,)  claims of the page
    types: Singles  # (T,)  probabilities of its types
    weight: Singles  # (B,)  of each block in the mean of the page; the sum is 1
    begin: Ints  # (LEVELS, B)  containers as ranges of blocks
    stop: Ints  # (LEVELS, B)
    alike: Ints  # (B,)  group numbers of the blocks that are built alike
    together: Ints  # (B,)  and of those that stand or fall together


class _Layer:
    """The weights of one layer.

    Two blocks a distance d apart have neighbours in common.  What their neighbours and they themselves are multiplied
    with, W₋, W and W₊, is taken together as in a filter of three taps (Winograd 1980), so that four products do the
    work of six:

        (h₋ - h₊) W₋    (h + h₊) (W₋ + W + W₊)/2    (h₊ - h) (W₋ - W + W₊)/2    (h - h₊₊) W₊
    """

    def __init__(self, weights: Mapping[str, Singles], name: str) -> None:
        w = weights[f"{name}.w"]
        self.pool = weights[f"{name}.pool"]
        width, narrow = self.pool.shape
        itself, before, behind = w[: 3 * width].reshape(3, width, width)
        sides = before + behind
        self.near: Singles = np.stack((before, (sides + itself) / 2, (sides - itself) / 2, behind))
        self.far = w[3 * width :].reshape(_KINDS, narrow, width)
        self.aside = _aside(weights, name)


class Network:
    """Weights as the loops want them.  They are named `in.w`, `layer0.w`, `layer0.pool`, …, `out.w`."""

    def __init__(self, weights: Mapping[str, Singles]) -> None:
        self.entry = weights["in.w"]
        self.aside = _aside(weights, "in")
        self.layers = [_Layer(weights, f"layer{k}") for k in range(len(DILATIONS))]
        self.narrow = weights["layer0.pool"].shape[1]  # the width of what means are taken of
        self.last = np.block(
            [[weights["out.w"], weights["out.b"]], [weights["out.types"], weights["out.types_b"][:, None]]]
        )

    def forward(self, inputs: Inputs) -> Singles:
        """The logits of the blocks."""
        return self.logits(inputs, product(inputs.x, self.entry))

    def logits(self, inputs: Inputs, h: Singles) -> Singles:
        """The same where h = x W is known: x is needed no more, which is most of what a page takes in memory."""
        blocks, width = h.shape
        bias, mean, last, logit = (np.empty(size, np.float32) for size in (width, width, width + 1, blocks))
        if not blocks:
            return logit
        ranges = np.empty((_RANGES, blocks + 1), np.int32)
        most = find_ranges(inputs.begin, inputs.stop, POOLS[0], inputs.alike, ranges) + 1
        room = np.empty((blocks + most, self.narrow))
        is_large = blocks > MANY_BLOCKS
        count = -(-(min(blocks, _SOME_BLOCKS) if is_large else blocks) // (2 * DILATIONS[-1])) * DILATIONS[-1]
        tiles = _Pieces(count, width, width)
        some = tiles.rows.shape[1]
        far = _Pieces(2 * some if is_large else most, self.narrow, width)
        around = np.empty((_KINDS, most, self.narrow), np.float32) if is_large else far.rows
        numbers = np.tile(np.arange(2 * some, dtype=np.int32), (_KINDS, 1)) if is_large else ranges
        open_layer(h, inputs.page, inputs.types, self.aside, inputs.weight, bias, mean, tiles.rows, DILATIONS[0])
        for layer, distance, further in zip(self.layers, DILATIONS, (*DILATIONS[1:], 0), strict=True):
            means(product(h, layer.pool), ranges, room, around)
            for first in range(0, blocks, 2 * some):
                if is_large:
                    _of_blocks(around, ranges[:, first:blocks], far.rows)
                close_layer(
                    h, tiles.times(layer.near), far.times(layer.far), numbers, inputs.types, layer.aside,
                    inputs.weight, bias, mean, tiles.rows, first // 2, distance, further,
                )  # fmt: skip
        write_logits(h, inputs.types, self.last, last, logit)
        return logit


def _aside(weights: Mapping[str, Singles], name: str) -> Singles:
    """b, V and U of a layer, one below the other."""
    return np.concatenate((weights[f"{name}.b"][None], weights[f"{name}.page"], weights[f"{name}.types"]))


def probabilities(logit: Singles, inputs: Inputs) -> tuple[Singles, Singles]:
    """σ(l) of the blocks, those that stand or fall together with the mean of their logits, weighted as the blocks are,
    l_b ← Σ w l / Σ w; and σ(l) of each alone."""
    p = np.empty((2, len(logit)), np.float32)
    agree(logit, inputs.together, inputs.weight, np.empty((2, len(logit))), p)
    return p[0], p[1]


def product(x: Singles, w: Singles) -> Singles:
    """x · w, some rows of x at a time.

    A product as small as ours gains nothing from several threads, but the linear algebra library behind numpy starts
    them from a certain size on, and they spin while they wait: twice the CPU time for the same result.
    """
    rows = max(_MULTIPLICATIONS // w.size, 1)
    if len(x) <= rows:
        return np.asarray(x @ w)
    result = np.empty((len(x), w.shape[1]), np.float32)
    whole = len(x) - len(x) % rows
    np.matmul(x[:whole].reshape(-1, rows, len(w)), w, out=result[:whole].reshape(-1, rows, w.shape[1]))
    if whole < len(x):
        np.matmul(x[whole:], w, out=result[whole:])
    return result


_MULTIPLICATIONS = 1 << 18  # up to this many one thread makes them
MANY_BLOCKS = 4096  # which take a layer some blocks at a time: tiles and products take more room than all else
_SOME_BLOCKS = 1024


def _of_blocks(around: Singles, ranges: Ints, rows: Singles) -> None:
    """Write what stands around each of the first of these blocks, as many as there are rows; zeros behind the last."""
    count = min(ranges.shape[1], rows.shape[1])
    for k in range(_KINDS):
        np.take(around[k], ranges[k, :count], axis=0, out=rows[k, :count], mode="clip")
    rows[:, count:] = 0


class _Pieces:
    """Tables that are multiplied each by its own weights, all at once (`product`)."""

    def __init__(self, rows: int, height: int, width: int) -> None:
        """Room for as many tables as there are kinds, with so many rows and perhaps a few more."""
        pieces = -(-rows // max(_MULTIPLICATIONS // (height * width), 1))
        some = -(-rows // (pieces * DILATIONS[-1])) * DILATIONS[-1]  # whole groups of tiles
        self.rows = np.empty((_KINDS, pieces * some, height), np.float32)
        self._pieces = self.rows.reshape(_KINDS, pieces, some, height)
        self._products = np.empty((_KINDS, pieces, some, width), np.float32)
        self._flat = self._products.reshape(_KINDS, pieces * some, width)

    def times(self, w: Singles) -> Singles:
        """The product of each table with one of the weights; it stands where the one before stood."""
        np.matmul(self._pieces, w[:, None], out=self._products)
        return self._flat
