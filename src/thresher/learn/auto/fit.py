"""Fitting the network to examples, in PyTorch: Adam over batches of pages, weights averaged at the end.

Page types come first (page_types.py), then the network that reads them, with the vectors of names, words and claims.
At run time none of this is needed: what is fitted is a dictionary of numpy arrays (methods/auto/model.py).
Same examples, same settings, same machine: same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from thresher.learn.auto.batch import Batch, batched
from thresher.learn.auto.examples import Example
from thresher.learn.auto.optimiser import AveragedAdam
from thresher.learn.auto.page_types import fit_types, out_of_fold_types
from thresher.learn.auto.perturb import Chances, Seen, as_it_is, perturbed
from thresher.learn.auto.predict import inputs_of
from thresher.learn.auto.pytorch import Tensor, one_thread, torch
from thresher.learn.auto.torch_network import gradients, logits, loss
from thresher.methods.auto import claims, names
from thresher.methods.auto.features import FEATURES, INSIDE_AT
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.model import within_range
from thresher.methods.auto.network import DILATIONS, POOLS
from thresher.methods.auto.page_type import TYPES
from thresher.page.types import Singles

__all__ = ["Settings", "Weights", "fit", "start"]

Weights = dict[str, Singles]
_UNKNOWN_TYPE = np.float32(1 / len(TYPES))


@dataclass(frozen=True, slots=True)
class Settings:
    """How the network is built and fitted."""

    width: int = 64  # channels of the hidden layers
    narrow: int = 16  # channels of the means over containers
    vector: int = 8  # numbers per name and per word
    familiar: int = 25  # sites that must have a name, word or claim before it gets a vector
    claim_vector: int = 8
    epochs: int = 8  # more of them learn the sites by heart
    batch: int = 16  # pages
    rate: float = 3e-3  # the highest; it rises for a tenth of the steps and falls along a cosine
    decay: float = 0.05
    averaging: float = 0.99  # the weights are averaged over about 1 / (1 - averaging) steps
    average_from: float = 0.4  # share of the steps after which averaging starts
    entropy_weight: float = 1.0
    no_type: float = 0.1  # how often the network is not told the type of a page
    no_set: float = 0.3  # how often it is not told its data set
    # Whose convention counts at run time, by page type and in part: that of publishers' pages, the strict one, for
    # articles
    conventions: tuple[tuple[str, str, float], ...] = (("article", "fixtures", 0.5),)
    seed: int = 0
    chances: Chances = field(default_factory=Chances)


@dataclass(frozen=True, slots=True, eq=False)
class _Standard:
    """The features are cut to their usual range, then standardised."""

    within: Weights
    typical: Singles
    spread: Singles

    def seen(self, example: Example, chances: Chances, random: np.random.Generator) -> Seen:
        seen = perturbed(example, chances, self.typical, random)
        x = (within_range(seen.x, self.within) - self.typical) / self.spread
        return replace(seen, x=x.astype(np.float32))


@one_thread()
def fit(
    examples: Sequence[Example], settings: Settings, progress: Callable[[int, int], None] = lambda done, of: None
) -> Weights:
    """Weights fitted to the examples; `progress` hears after each batch how many there are."""
    random = np.random.default_rng(settings.seed)
    within = _range(examples)
    features = np.concatenate([within_range(example.x, within) for example in examples])
    standard = _Standard(within, features.mean(axis=0), features.std(axis=0) + np.float32(0.05))
    del features
    types = out_of_fold_types(examples, within)
    sets = sorted({example.dataset for example in examples})
    conventions = np.eye(len(sets), dtype=np.float32)[[sets.index(example.dataset) for example in examples]]
    weights = {name: torch.from_numpy(value) for name, value in start(settings, len(sets), random).items()}
    known = {name: torch.from_numpy(rows) for name, rows in _familiar(examples, settings.familiar).items()}
    for name, rows in known.items():
        weights[name] *= rows[:, None]
    batches = -(-len(examples) // settings.batch)
    optimiser = AveragedAdam(weights, settings, settings.epochs * batches)
    for _ in range(settings.epochs):
        order = random.permutation(len(examples))
        for number in range(batches):
            chosen = order[number * settings.batch : (number + 1) * settings.batch]
            pages = [examples[index] for index in chosen.tolist()]
            seen = [standard.seen(page, settings.chances, random) for page in pages]
            batch = batched(pages, seen, _or(types[chosen], settings.no_type, _UNKNOWN_TYPE, random))
            told = torch.from_numpy(_or(conventions[chosen], settings.no_set, np.float32(0), random))
            optimiser.step(_gradients(weights, batch, told, settings, known))
            progress(optimiser.time, optimiser.steps)
    fitted = {name: value.numpy() for name, value in optimiser.averaged().items()}
    fitted = folded(_with_conventions(fitted, sets, settings), standard.typical, standard.spread) | within
    fitted |= fit_types(examples, within)
    return fitted | _typical(fitted, examples)


def _or(rows: Singles, chance: float, other: np.float32, random: np.random.Generator) -> Singles:
    """The rows, some of them replaced by another value."""
    return np.where(random.random(len(rows))[:, None] < chance, other, rows)


def _gradients(
    weights: Mapping[str, Tensor], batch: Batch, told: Tensor, settings: Settings, known: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """The gradients of a batch; the rows of the tables that are not `known` have none."""

    def mean_loss(moving: Mapping[str, Tensor]) -> Tensor:
        return loss(logits(moving, batch, told), batch, settings.entropy_weight).mean()

    slope = gradients(mean_loss, weights)
    return slope | {name: slope[name] * rows[:, None] for name, rows in known.items()}


def start(settings: Settings, sets: int, random: np.random.Generator) -> Weights:
    """Random weights, scaled so that the signal neither grows nor fades from layer to layer."""

    def normal(rows: int, columns: int, scale: float) -> Singles:
        return (random.standard_normal((rows, columns)) * scale).astype(np.float32)

    width, narrow, vector, claim = settings.width, settings.narrow, settings.vector, settings.claim_vector
    inside = len(FEATURES) + (len(names.BAGS) + 2) * vector
    around = 3 * width + (len(POOLS) + 1) * narrow
    weights = {
        "names": normal(names.ROWS, vector, 0.05),
        "words": normal(BUCKETS, vector, 0.05),
        "headings": normal(BUCKETS, vector, 0.05),
        "claims": normal(BUCKETS, len(claims.KINDS) * claim, 0.05),
        "in.w": normal(inside, width, 1.4 / inside**0.5),
        "in.page": normal(len(claims.KINDS) * claim, width, 1.4 / inside**0.5),
        "out.w": normal(width, 1, 0.05)[:, 0],
        "out.b": np.zeros((), np.float32),
        "out.types": np.zeros((len(TYPES), width), np.float32),
        "out.types_b": np.zeros(len(TYPES), np.float32),
        "out.sets": np.zeros((sets, width), np.float32),
        "out.sets_b": np.zeros(sets, np.float32),
    }
    for k in range(len(DILATIONS)):
        weights[f"layer{k}.w"] = normal(around, width, 0.7 / around**0.5)
        weights[f"layer{k}.pool"] = normal(width, narrow, 1 / width**0.5)
        weights[f"layer{k}.page"] = normal(width, width, 0.5 / width**0.5)
    for layer in ("in", *(f"layer{k}" for k in range(len(DILATIONS)))):
        weights[f"{layer}.b"] = np.zeros(width, np.float32)
        weights[f"{layer}.types"] = np.zeros((len(TYPES), width), np.float32)
        weights[f"{layer}.sets"] = np.zeros((sets, width), np.float32)
    return weights


def _familiar(examples: Sequence[Example], least: int) -> Weights:
    """1 for the rows of each table that enough sites have.  A name that two sites use tells which site this is, not
    what it names."""
    count = {"names": np.zeros(names.ROWS, int), "words": np.zeros(BUCKETS, int), "claims": np.zeros(BUCKETS, int)}
    by_site: dict[str, list[Example]] = {}
    for example in examples:
        by_site.setdefault(example.site, []).append(example)
    for pages in by_site.values():
        count["names"][np.unique(np.concatenate([page.names.bucket for page in pages]))] += 1
        count["words"][np.unique(np.concatenate([page.words.bucket for page in pages]))] += 1
        count["claims"][np.unique(np.concatenate([claim for page in pages for claim in page.claims]))] += 1
    known = {name: (seen >= min(least, len(by_site))).astype(np.float32) for name, seen in count.items()}
    return known | {"headings": known["words"]}


def _with_conventions(weights: Weights, sets: Sequence[str], settings: Settings) -> Weights:
    """The weights with the vectors of data sets added to those of page types, as the settings say; t · (U + M · S)."""
    share = np.zeros((len(TYPES), len(sets)), np.float32)
    for page_type, name, part in settings.conventions:
        if name in sets:
            share[TYPES.index(page_type), sets.index(name)] = part
    of_sets = {name.replace(".sets", ".types"): vectors for name, vectors in weights.items() if ".sets" in name}
    return weights | {name: weights[name] + share @ vectors for name, vectors in of_sets.items()}


def folded(weights: Weights, typical: Singles, spread: Singles) -> Weights:
    """The weights as they are at run time: the standardisation of the features moved into the first layer,
    (x - m) / s · W + b = x · (W / s) + (b - m / s · W), and the vectors of data sets left out."""
    first = weights["in.w"].copy()
    features = len(typical)
    first[:features] /= spread[:, None]
    kept = {name: value for name, value in weights.items() if not name.endswith((".sets", ".sets_b"))}
    return kept | {"in.w": first, "in.b": weights["in.b"] - typical @ first[:features]}


def _typical(weights: Weights, examples: Sequence[Example]) -> Weights:
    """The mean of every input over the examples: what `reasons` puts in place of evidence."""
    given = [inputs_of(weights, example, as_it_is(example)) for example in examples]
    return {
        "typical": np.concatenate([one.x for one in given]).mean(axis=0),
        "typical.page": np.array([one.page for one in given]).mean(axis=0),
        "typical.types": np.array([one.types for one in given]).mean(axis=0),
    }


def _range(examples: Sequence[Example]) -> Weights:
    """Of each feature what nine of ten pages stay within (see `model.within_range`).  What says in what a block
    stands is 0 or 1, and 1 is within if one page in twenty has it: that few have code does not make it odd.  Of the
    columns of evidence that most pages lack, one in thirty is enough."""
    lowest = np.array([example.x.min(axis=0) for example in examples])
    highest = np.array([example.x.max(axis=0) for example in examples])
    low, high = np.percentile(lowest, 10, axis=0), np.percentile(highest, 90, axis=0)
    high[INSIDE_AT] = np.percentile(highest[:, INSIDE_AT], 95, axis=0)
    low[_EVIDENCE], high[_EVIDENCE] = (
        np.percentile(lowest[:, _EVIDENCE], 3, axis=0),
        np.percentile(highest[:, _EVIDENCE], 97, axis=0),
    )
    return {"low": low.astype(np.float32), "high": high.astype(np.float32)}


_EVIDENCE = slice(next(k for k, name in enumerate(FEATURES) if name.startswith("prose ")), None)
