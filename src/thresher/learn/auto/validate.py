"""How good a fitted judge is on sites it has never seen: folds by site, verdicts out of fold, calibration, losses.

Every figure in a model card comes from here.  A page is always judged by a network that saw no page of its site.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from thresher.learn.auto.examples import Example
from thresher.learn.auto.fit import Settings, Weights, fit
from thresher.learn.auto.perturb import NOTHING, Chances, perturbed
from thresher.learn.auto.predict import predict
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.model import TYPES
from thresher.methods.auto.threshold import expected_f1, likely
from thresher.page.types import Bools, Floats, Rows, Singles

__all__ = ["PERTURBATIONS", "Judged", "by_type", "calibration", "out_of_fold", "perturbed_f1"]

Progress = Callable[[int, int], None]

PERTURBATIONS: dict[str, Chances] = {
    "as it is": NOTHING,
    "scrambled class names": replace(NOTHING, scramble=1.0),
    "no class names": replace(NOTHING, no_names=1.0),
    "unknown language": replace(NOTHING, no_words=1.0),
    "no main, no article": replace(NOTHING, no_semantics=1.0),
    "no address": replace(NOTHING, no_url=1.0),
    "no head": replace(NOTHING, no_claims=1.0),
}


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """An example with what a network that never saw its site made of it."""

    example: Example
    fold: int
    p: Singles  # of each block
    types: Singles

    def keep(self, focus: str = "balanced") -> Bools:
        return likely(self.p.astype(np.float64), self.example.size, float(self.types[TYPES.index("article")]), focus)

    @property
    def f1(self) -> float:
        return self.example.f1(self.keep())

    @property
    def expected(self) -> float:
        return expected_f1(self.p.astype(np.float64), self.example.size, self.keep())


def out_of_fold(
    examples: Sequence[Example], settings: Settings, fold_of: Rows, progress: Progress
) -> tuple[list[Judged], list[Weights]]:
    """Every example judged out of fold, in order, and the weights of each fold."""
    count = int(fold_of.max()) + 1
    judged: list[Judged] = []
    models = []
    for fold in range(count):
        others = [example for example, where in zip(examples, fold_of, strict=True) if where != fold]
        models.append(fit(others, settings, partial(_tell, progress, fold, count)))
    for example, where in zip(examples, fold_of.tolist(), strict=True):
        judged.append(Judged(example, where, *predict(models[where], example)))
    return judged, models


def _tell(progress: Progress, fold: int, count: int, done: int, of: int) -> None:
    progress(fold * of + done, count * of)


def by_type(judged: Sequence[Judged]) -> dict[str, tuple[int, float]]:
    """How many pages of each type there are, and their mean F1; "all" first."""
    score = np.array([one.f1 for one in judged])
    kind = np.array([one.example.page_type for one in judged])
    table = {"all": (len(judged), float(score.mean()))}
    for number, name in enumerate(TYPES):
        if (kind == number).any():
            table[name] = (int((kind == number).sum()), float(score[kind == number].mean()))
    return table


def perturbed_f1(judged: Sequence[Judged], models: Sequence[Weights], chance: Chances, seed: int = 0) -> float:
    """Mean F1 when every page loses something before it is judged, out of fold as before."""
    random = np.random.default_rng(seed)
    scores = []
    for one in judged:
        weights = models[one.fold]
        seen = perturbed(one.example, chance, weights["typical"][: len(FEATURES)], random)
        again = Judged(one.example, one.fold, *predict(weights, one.example, seen))
        scores.append(again.f1)
    return float(np.mean(scores))


def calibration(expected: Floats, observed: Floats, knots: int = 12) -> tuple[Floats, Floats]:
    """A rising curve from the F1 that the scores promise to the F1 that was seen: means of equal groups, made to rise.

    Groups that fall are joined with their neighbours until none does (pool adjacent violators).
    """
    order = np.argsort(expected, kind="stable")
    groups = [group for group in np.array_split(order, knots) if len(group)]
    pooled: list[tuple[float, float, int]] = []
    for group in groups:
        pooled.append((float(expected[group].mean()), float(observed[group].mean()), len(group)))
        while len(pooled) > 1 and pooled[-2][1] >= pooled[-1][1]:
            (a, b, m), (c, d, n) = pooled[-2:]
            pooled[-2:] = [((a * m + c * n) / (m + n), (b * m + d * n) / (m + n), m + n)]
    return np.array([x for x, _, _ in pooled]), np.array([y for _, y, _ in pooled])
