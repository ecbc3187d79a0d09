"""`auto` with a few more pages: the shipped network, moved a little.

A hundred labelled pages cannot teach a network what fifteen hundred did, but they can move it.  So nothing is fitted
anew: the layers start from the shipped weights and follow the gradient of the same loss over the labelled pages, and
over some pages of other data sets so that what was known is not forgotten.  Vectors of names and words
stay as they are.

    w  ←  w - rate · Adam(∇ mean loss) - pull · (w - w_shipped)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from thresher.learn.auto.examples import Example, example
from thresher.learn.auto.gradient import Gradients, backward, losses
from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.model import Weights, inputs
from thresher.methods.auto.network import Inputs, forward
from thresher.page import Page
from thresher.page.columns import chars
from thresher.page.tree import block_sum
from thresher.page.types import Bools
from thresher.visible.readable import readable

__all__ = ["Sample", "TuneSettings", "sample", "tune"]


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """How far the weights may move."""

    steps: int = 30
    batch: int = 8  # pages
    rate: float = 1e-3
    pull: float = 0.002
    entropy_weight: float = 1.0
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A page as the network reads it, and what is content on it."""

    inputs: Inputs
    example: Example


def sample(page: Page, gold: str, weights: Weights, keep: Bools | None = None) -> Sample | None:
    """A page with its gold text; where the texts that are content are known, `keep` says so better."""
    page_example = example(page, gold)
    if page_example is None:
        return None
    if keep is not None:
        size = chars(page) * readable(page)
        share = block_sum(page, size * keep) / np.maximum(block_sum(page, size), 1)
        page_example = replace(page_example, share=share[blocks(page).number].astype(np.float32))
    return Sample(inputs(page, weights), page_example)


def tune(
    shipped: Weights,
    samples: Sequence[Sample],
    settings: TuneSettings = TuneSettings(),
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Weights:
    """The weights, moved towards what the samples say."""
    random = np.random.default_rng(settings.seed)
    weights = {name: np.array(value) for name, value in shipped.items()}
    mean: Gradients = {}
    square: Gradients = {}
    for step in range(1, settings.steps + 1):
        chosen = random.permutation(len(samples))[: settings.batch]
        total: Gradients = {}
        for number in chosen.tolist():
            for name, gradient in _gradients(weights, samples[number], settings).items():
                total[name] = total[name] + gradient if name in total else gradient
        rate = settings.rate * 0.5 * (1 + np.cos(np.pi * step / settings.steps))
        for name, gradient in total.items():
            gradient = np.asarray(gradient / np.float32(len(chosen))).reshape(weights[name].shape)
            mean[name] = 0.9 * mean.get(name, np.zeros_like(gradient)) + 0.1 * gradient
            square[name] = 0.99 * square.get(name, np.zeros_like(gradient)) + 0.01 * gradient**2
            move = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.99**step)) + 1e-6)
            weights[name] -= (rate * move + settings.pull * (weights[name] - shipped[name])).astype(np.float32)
        progress(step, settings.steps)
    return weights


def _gradients(weights: Weights, one: Sample, settings: TuneSettings) -> Gradients:
    trace = forward(weights, one.inputs)
    example = one.example
    _, d_logit = losses(trace.logit, example.share, example.size, example.gold, settings.entropy_weight)
    return backward(weights, one.inputs, trace, d_logit)[0]
