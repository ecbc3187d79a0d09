"""What the network at run time makes of an example, or of one that has lost something (perturb.py); numpy alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thresher.learn.auto.examples import Bags, Example
from thresher.learn.auto.perturb import Seen, as_it_is
from thresher.methods.auto.claims import KINDS
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.model import mean_weights, within_range
from thresher.methods.auto.names import BAGS, MAX_SUM
from thresher.methods.auto.network import Inputs, Network, probabilities
from thresher.methods.auto.page_type import page_numbers, page_types
from thresher.methods.auto.wording import heading_above
from thresher.page.types import Singles

__all__ = ["gather", "inputs_of", "predict"]

Weights = Mapping[str, Singles]
_HEADING = FEATURES.index("in heading")


def predict(weights: Weights, example: Example, seen: Seen | None = None) -> tuple[Singles, Singles]:
    """The probability of each block, and of each page type; `seen` is the example as it is unless given."""
    inputs = inputs_of(weights, example, seen or as_it_is(example))
    return probabilities(Network(weights).forward(inputs), inputs)[0], inputs.types


def inputs_of(weights: Weights, example: Example, seen: Seen) -> Inputs:
    """What `model.inputs` makes of a page, from an example's bags."""
    blocks = len(seen.x)
    x = within_range(seen.x, weights)
    named = gather(weights["names"], seen.names, blocks * len(BAGS)).reshape(blocks, -1)
    worded, headed = (
        gather(weights[name], seen.words, blocks) * _per_word(seen.words, blocks)[:, None]
        for name in ("words", "headings")
    )
    above = heading_above(example.x[:, _HEADING] > 0)
    half = weights["claims"].shape[1] // len(KINDS)
    claims = [
        weights["claims"][bucket, k * half : (k + 1) * half].sum(axis=0) / max(len(bucket), 1) ** 0.5
        for k, bucket in enumerate(seen.claims)
    ]
    weight = mean_weights(x)
    return Inputs(
        np.concatenate((x, named.clip(-MAX_SUM, MAX_SUM), worded, headed[above] * (above >= 0)[:, None]), axis=1),
        np.concatenate(claims, dtype=np.float32),
        page_types(weights, page_numbers(x, weight), seen.of_page),
        weight,
        example.begin,
        example.stop,
        example.alike,
        example.together,
    )


def gather(table: Singles, bags: Bags, count: int) -> Singles:
    """The sum of the vectors of each bag."""
    sums = np.zeros((count, table.shape[1]), np.float32)
    if len(bags.bag):
        start = np.flatnonzero(np.diff(bags.bag, prepend=-1))
        sums[bags.bag[start]] = np.add.reduceat(table[bags.bucket], start, axis=0)
    return sums


def _per_word(words: Bags, blocks: int) -> Singles:
    """1 / √(words of each block)."""
    return (1 / np.sqrt(np.maximum(np.bincount(words.bag, minlength=blocks), 1))).astype(np.float32)
