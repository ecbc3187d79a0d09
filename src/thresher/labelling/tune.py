"""`auto` with a few more pages: the shipped network, moved a little.

A hundred labelled pages cannot teach a network what fifteen hundred did, but they can move it.  So nothing is fitted
anew: the layers start from the shipped weights and follow the gradient of the same loss over the labelled pages, and
over some pages of other data sets so that what was known is not forgotten.  Vectors of names and words
stay as they are.

    w  ←  w - rate · Adam(∇ mean loss) - pull · (w - w_shipped)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from thresher.learn.auto.batch import batched
from thresher.learn.auto.examples import Example, example
from thresher.learn.auto.page_types import types_of
from thresher.learn.auto.perturb import as_it_is
from thresher.learn.auto.pytorch import Tensor, torch
from thresher.learn.auto.torch_network import block_inputs, claim_inputs, gradients, layers, loss
from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.model import Weights, within_range
from thresher.page import Page
from thresher.page.columns import chars
from thresher.page.tree import block_sum
from thresher.page.types import Bools
from thresher.visible.readable import readable

__all__ = ["TuneSettings", "sample", "tune"]

_LAYERS = ("in.", "layer", "out.")


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """How far the weights may move."""

    steps: int = 30
    batch: int = 8  # pages
    rate: float = 1e-3
    pull: float = 0.002
    entropy_weight: float = 1.0
    seed: int = 0


def sample(page: Page, gold: str, keep: Bools | None = None) -> Example | None:
    """A page with its gold text; where the texts that are content are known, `keep` says so better."""
    found = example(page, gold)
    if found is None or keep is None:
        return found
    size = chars(page) * readable(page)
    share = block_sum(page, size * keep) / np.maximum(block_sum(page, size), 1)
    return replace(found, share=share[blocks(page).number].astype(np.float32))


def tune(
    shipped: Weights,
    samples: Sequence[Example],
    settings: TuneSettings = TuneSettings(),
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Weights:
    """The weights, moved towards what the samples say."""
    random = np.random.default_rng(settings.seed)
    seen = [replace(as_it_is(one), x=within_range(one.x, shipped)) for one in samples]
    types = types_of(shipped, samples)
    fixed = {name: torch.from_numpy(np.array(value)) for name, value in shipped.items()}
    weights = {name: value.clone() for name, value in fixed.items() if name.startswith(_LAYERS)}
    mean = {name: torch.zeros_like(value) for name, value in weights.items()}
    square = {name: torch.zeros_like(value) for name, value in weights.items()}
    for step in range(1, settings.steps + 1):
        chosen = random.permutation(len(samples))[: settings.batch]
        batch = batched([samples[k] for k in chosen.tolist()], [seen[k] for k in chosen.tolist()], types[chosen])
        x, claims = block_inputs(fixed, batch), claim_inputs(fixed, batch)

        def mean_loss(moving: Mapping[str, Tensor]) -> Tensor:
            return loss(layers(moving, x, claims, batch, None), batch, settings.entropy_weight).mean()  # noqa: B023

        rate = settings.rate * 0.5 * (1 + np.cos(np.pi * step / settings.steps))
        for name, gradient in gradients(mean_loss, weights).items():
            mean[name].mul_(0.9).add_(gradient, alpha=0.1)
            square[name].mul_(0.99).addcmul_(gradient, gradient, value=0.01)
            move = mean[name] / (1 - 0.9**step) / ((square[name] / (1 - 0.99**step)).sqrt() + 1e-6)
            weights[name] -= rate * move + settings.pull * (weights[name] - fixed[name])
        progress(step, settings.steps)
    return {**shipped, **{name: value.numpy() for name, value in weights.items()}}
