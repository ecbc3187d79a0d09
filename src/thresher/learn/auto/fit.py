"""Fitting the judge's network to examples, with numpy alone: Adam over batches of pages, weights averaged at the end.

The pass forwards is the one that `auto` makes at run time (`judge.network`), the pass backwards is `gradient`.
Vectors of names, words and claims are learned with the rest; the layer that tells page types comes last (page_types).
Same examples, same settings, same machine: same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from thresher.learn.auto.examples import Bags, Example
from thresher.learn.auto.gradient import Gradients, backward, hinted, losses
from thresher.learn.auto.page_types import regression
from thresher.learn.auto.perturb import BARE, Chances, Seen, as_it_is, perturbed
from thresher.methods.auto import claims, names
from thresher.methods.auto.features import FEATURES, INSIDE_AT
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.model import TYPES, whole_page, within_range
from thresher.methods.auto.network import DILATIONS, POOLS, Inputs, agreed, forward, logistic, page_types, summary

__all__ = ["Settings", "Weights", "fit", "predict"]

Floats = NDArray[np.float32]
Weights = dict[str, Floats]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the network is built and fitted."""

    width: int = 64  # channels of the hidden layers
    narrow: int = 16  # channels of the means over containers
    vector: int = 8  # numbers per name and per word
    familiar: int = 25  # sites that must have a name, word or claim before it gets a vector
    claim_vector: int = 8
    epochs: int = 6  # more of them learn the sites by heart
    batch: int = 16  # pages
    rate: float = 3e-3  # the highest; it rises for a tenth of the steps and falls along a cosine
    decay: float = 0.05
    averaging: float = 0.99  # the weights are averaged over about 1 / (1 - averaging) steps
    average_from: float = 0.4  # share of the steps after which averaging starts
    type_weight: float = 0.1
    entropy_weight: float = 1.0
    seed: int = 0
    chances: Chances = field(default_factory=Chances)


def fit(
    examples: Sequence[Example], settings: Settings, progress: Callable[[int, int], None] = lambda done, of: None
) -> Weights:
    """Weights fitted to the examples; `progress` hears after each batch how many there are."""
    random = np.random.default_rng(settings.seed)
    familiar: dict[str, NDArray[np.bool_]] = {}
    typical = np.concatenate([example.x for example in examples]).mean(axis=0)
    spread = np.concatenate(list(_tables(examples))).std(axis=0) + np.float32(0.05)
    weights = _start(settings, random)
    for name, known in _familiar(examples, settings.familiar).items():
        weights[name][~known] = 0
        familiar[name] = known[:, None]
    optimiser = _Adam(weights, settings)
    batches = -(-len(examples) // settings.batch)
    for epoch in range(settings.epochs):
        order = random.permutation(len(examples))
        for number in range(batches):
            chosen = order[number * settings.batch : (number + 1) * settings.batch]
            total: Gradients = {}
            for index in chosen.tolist():
                example = examples[index]
                seen = perturbed(example, settings.chances, typical, random)
                for name, gradient in _gradients(weights, example, seen, typical, spread, settings).items():
                    total[name] = total[name] + gradient if name in total else gradient
            for name, known in familiar.items():
                total[name] = total[name] * known
            step = epoch * batches + number + 1
            optimiser.step(
                {k: g / np.float32(len(chosen)) for k, g in total.items()}, step / (settings.epochs * batches)
            )
            progress(step, settings.epochs * batches)
    fitted = _typical(_folded(optimiser.averaged(), typical, spread), examples)
    return _telling_types(fitted, examples, settings, typical, random)


def predict(weights: Weights, example: Example, seen: Seen | None = None) -> tuple[Floats, Floats]:
    """The probability of each block, and of each page type; `seen` is the example as it is unless given."""
    p, z = _judged(weights, example, seen or as_it_is(example))
    return p, page_types(weights, z)


def _judged(weights: Weights, example: Example, seen: Seen) -> tuple[Floats, Floats]:
    """The probability of each block, and the page as `page_types` reads it."""
    inputs = _inputs(weights, example, replace(seen, x=within_range(seen.x, weights)))
    trace = forward(weights, inputs, traced=False)
    p = logistic(agreed(trace.logit, inputs))
    return p, summary(inputs, trace.last, p)


def _telling_types(
    weights: Weights, examples: Sequence[Example], settings: Settings, typical: Floats, random: np.random.Generator
) -> Weights:
    """The weights with the layer that tells page types in place of the one that gave hints.  It sees every page three
    times: as it is, with something taken away as in training, and bare."""
    z, kind = [], []
    for example in examples:
        harder = (perturbed(example, chances, typical, random) for chances in (settings.chances, BARE))
        for seen in (as_it_is(example), *harder):
            z.append(_judged(weights, example, seen)[1])
            kind.append(example.page_type)
    v, b = regression(np.array(z), np.array(kind), len(TYPES))
    kept = {name: value for name, value in weights.items() if not name.startswith("hint.")}
    return kept | {"type.w": v, "type.b": b}


def _start(settings: Settings, random: np.random.Generator) -> Weights:
    """Random weights, scaled so that the signal neither grows nor fades from layer to layer."""

    def normal(rows: int, columns: int, scale: float) -> Floats:
        return (random.standard_normal((rows, columns)) * scale).astype(np.float32)

    width, narrow, vector, claim = settings.width, settings.narrow, settings.vector, settings.claim_vector
    inside = len(FEATURES) + (len(names.BAGS) + 1) * vector + len(claims.KINDS) * claim
    around = 3 * width + (len(POOLS) + 1) * narrow
    weights = {
        "names": normal(names.ROWS, vector, 0.05),
        "words": normal(BUCKETS, vector, 0.05),
        "claims": normal(BUCKETS, len(claims.KINDS) * claim, 0.05),
        "in.w": normal(inside, width, 1.4 / inside**0.5),
        "in.b": np.zeros(width, np.float32),
        "out.w": normal(width, 1, 0.05)[:, 0],
        "out.b": np.zeros((), np.float32),
        "hint.w": normal(width, len(TYPES), 0.3 / width**0.5),
        "hint.b": np.zeros(len(TYPES), np.float32),
    }
    for k in range(len(DILATIONS)):
        weights[f"layer{k}.w"] = normal(around, width, 0.7 / around**0.5)
        weights[f"layer{k}.pool"] = normal(width, narrow, 1 / width**0.5)
        weights[f"layer{k}.page"] = normal(width, width, 0.5 / width**0.5)
        weights[f"layer{k}.b"] = np.zeros(width, np.float32)
    return weights


def _familiar(examples: Sequence[Example], least: int) -> dict[str, NDArray[np.bool_]]:
    """Which rows of each table enough sites have.  A name that two sites use tells which site this is, not what it
    names."""
    count = {"names": np.zeros(names.ROWS, int), "words": np.zeros(BUCKETS, int), "claims": np.zeros(BUCKETS, int)}
    by_site: dict[str, list[Example]] = {}
    for example in examples:
        by_site.setdefault(example.site, []).append(example)
    for pages in by_site.values():
        count["names"][np.unique(np.concatenate([page.names.bucket for page in pages]))] += 1
        count["words"][np.unique(np.concatenate([page.words.bucket for page in pages]))] += 1
        count["claims"][np.unique(np.concatenate([claim for page in pages for claim in page.claims]))] += 1
    return {name: seen >= min(least, len(by_site)) for name, seen in count.items()}


def _gradients(
    weights: Weights, example: Example, seen: Seen, typical: Floats, spread: Floats, settings: Settings
) -> Gradients:
    """The gradient of one page's loss at every weight, the vectors included."""
    inputs = _inputs(weights, example, seen, typical, spread)
    trace = forward(weights, inputs)
    _, d_logit = losses(trace.logit, example.share, example.size, example.gold, settings.entropy_weight)
    _, d_hint = hinted(weights, inputs, trace, example.page_type, settings.type_weight)
    gradients, d_x = backward(weights, inputs, trace, d_logit, d_hint)
    vector, claim = settings.vector, settings.claim_vector
    features, named, worded = np.cumsum([seen.x.shape[1], len(names.BAGS) * vector, vector]).tolist()
    gradients["names"] = _scatter(d_x[:, features:named].reshape(-1, vector), seen.names, names.ROWS)
    d_words = d_x[:, named:worded] * _per_word(seen.words, len(d_x))[:, None]
    gradients["words"] = _scatter(d_words, seen.words, BUCKETS)
    gradients["claims"] = np.zeros_like(weights["claims"])
    d_claims = d_x[:, worded:].sum(axis=0)
    for k, bucket in enumerate(seen.claims):
        part = slice(k * claim, (k + 1) * claim)
        gradients["claims"][bucket, part] = d_claims[part] / max(len(bucket), 1) ** 0.5
    return gradients


def _inputs(
    weights: Weights, example: Example, seen: Seen, typical: Floats | float = 0.0, spread: Floats | float = 1.0
) -> Inputs:
    """What `judge.model.inputs` makes of a page, from an example's bags."""
    blocks = len(seen.x)
    named = _gather(weights["names"], seen.names, blocks * len(names.BAGS)).reshape(blocks, -1)
    worded = _gather(weights["words"], seen.words, blocks) * _per_word(seen.words, blocks)[:, None]
    claim = weights["claims"].shape[1] // len(claims.KINDS)
    claimed = np.concatenate(
        [
            weights["claims"][bucket, k * claim : (k + 1) * claim].sum(axis=0) / max(len(bucket), 1) ** 0.5
            for k, bucket in enumerate(seen.claims)
        ]
    )
    x = np.concatenate(
        ((seen.x - typical) / spread, named, worded, np.broadcast_to(claimed, (blocks, len(claimed)))),
        axis=1,
        dtype=np.float32,
    )
    weight = example.x[:, FEATURES.index("own words")] + np.float32(1e-3)
    weight /= weight.sum()
    page = whole_page(x, len(claimed))
    return Inputs(x, weight, example.begin, example.stop, example.alike, example.together, page)


def _per_word(words: Bags, blocks: int) -> Floats:
    """1 / √(words of each block)."""
    return (1 / np.sqrt(np.maximum(np.bincount(words.bag, minlength=blocks), 1))).astype(np.float32)


def _gather(table: Floats, bags: Bags, count: int) -> Floats:
    """The sum of the vectors of each bag."""
    sums = np.zeros((count, table.shape[1]), np.float32)
    if len(bags.bag):
        start = np.flatnonzero(np.diff(bags.bag, prepend=-1))
        sums[bags.bag[start]] = np.add.reduceat(table[bags.bucket], start, axis=0)
    return sums


def _scatter(d_sums: Floats, bags: Bags, rows: int) -> Floats:
    """The adjoint of `_gather`: each vector gets the gradients of the bags it stands in."""
    order = np.argsort(bags.bucket, kind="stable")
    return _gather(d_sums, Bags(bags.bucket[order], bags.bag[order]), rows)


def _folded(weights: Weights, typical: Floats, spread: Floats) -> Weights:
    """The standardisation of the features moved into the first layer: (x - m) / s · W + b = x · (W / s) + (b - m / s
    · W)."""
    first = weights["in.w"].copy()
    features = len(typical)
    first[:features] /= spread[:, None]
    return {**weights, "in.w": first, "in.b": weights["in.b"] - typical @ first[:features]}


def _typical(weights: Weights, examples: Sequence[Example]) -> Weights:
    """The weights with the mean of every input column over the examples: what `judge.reasons` puts in place of
    evidence."""
    rows = [_inputs(weights, example, as_it_is(example)).x for example in examples]
    return {**weights, **_range(examples), "typical": np.concatenate(rows).mean(axis=0)}


def _tables(examples: Sequence[Example]) -> Iterator[Floats]:
    """The features of the examples, and of those in other scripts."""
    for example in examples:
        yield example.x
        if example.foreign is not None:
            yield example.foreign.x


def _range(examples: Sequence[Example]) -> Weights:
    """Of each feature what nine of ten pages stay within (see `judge.model.within_range`).  What says in what a block
    stands is 0 or 1, and 1 is within if one page in twenty has it: that few have code does not make it odd."""
    lowest = np.array([x.min(axis=0) for x in _tables(examples)])
    highest = np.array([x.max(axis=0) for x in _tables(examples)])
    low, high = np.percentile(lowest, 10, axis=0), np.percentile(highest, 90, axis=0)
    high[INSIDE_AT] = np.percentile(highest[:, INSIDE_AT], 95, axis=0)
    return {"low": low.astype(np.float32), "high": high.astype(np.float32)}


class _Adam:
    """Adam with decoupled decay, clipped gradients, and a running average of the weights."""

    def __init__(self, weights: Weights, settings: Settings) -> None:
        self.weights, self.settings, self.time = weights, settings, 0
        self.mean = {name: np.zeros_like(value) for name, value in weights.items()}
        self.square = {name: np.zeros_like(value) for name, value in weights.items()}
        self.average: dict[str, NDArray[np.float64]] = {}

    def step(self, gradients: Gradients, progress: float) -> None:
        """One step; `progress` is the share of all steps done, which sets the rate."""
        self.time += 1
        settings, time = self.settings, self.time
        norm = sum(float(np.vdot(gradient, gradient)) for gradient in gradients.values()) ** 0.5
        clip = min(1.0, 1 / (norm + 1e-6))
        rising, falling = progress / 0.1, 0.5 * (1 + np.cos(np.pi * (progress - 0.1) / 0.9))
        rate = settings.rate * min(rising, falling if progress > 0.1 else 1.0) + 1e-5
        for name, gradient in gradients.items():
            gradient = gradient * np.float32(clip)
            mean, square, weight = self.mean[name], self.square[name], self.weights[name]
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            move = mean / (1 - 0.9**time) / (np.sqrt(square / (1 - 0.999**time)) + 1e-8) + settings.decay * weight
            weight -= (rate * move).astype(np.float32)
        if progress >= settings.average_from:
            for name, weight in self.weights.items():
                kept = self.average.setdefault(name, weight.astype(np.float64))
                kept += (1 - settings.averaging) * (weight - kept)

    def averaged(self) -> Weights:
        return {name: value.astype(np.float32) for name, value in (self.average or self.weights).items()}
