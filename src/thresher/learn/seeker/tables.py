"""Tables 2 and 3 of paper 000: how well four learners tell good segments and content, cross-validated.

    decision tree, random forest      as they stand
    support vector machine            on standardised features, where the paper has SMO
    multilayer perceptron             one hidden layer

The instances are what a person who walks down the page would label: for segments the elements met on the way to the
best segmentation, for content its segments; a random `INSTANCES` of each, as many as the paper had.  Every instance
counts the same here.  Ten folds, split by site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.errors import MissingExtra
from thresher.learn.seeker.examples import SeekerExample
from thresher.page.types import Bools, Rows, Singles

__all__ = ["INSTANCES", "LEARNERS", "ClassScores", "cross_validated", "fold_of_sites"]

INSTANCES = 2000
LEARNERS = ("Decision tree", "Random forest", "Support vector machine", "Multilayer perceptron")
Question = Literal["segment", "content"]


@dataclass(frozen=True, slots=True)
class ClassScores:
    """One line of a table: the positive class is "good segment" or "content"."""

    precision: float
    recall: float
    f1: float


def fold_of_sites(sites: Sequence[str], folds: int, seed: int = 0) -> dict[str, int]:
    """The fold of each site."""
    distinct = sorted(set(sites))
    order = np.random.default_rng(seed).permutation(len(distinct)) % folds
    return dict(zip(distinct, order.tolist(), strict=True))


def cross_validated(
    examples: Sequence[SeekerExample],
    question: Question,
    folds: int = 10,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> Mapping[str, ClassScores]:
    """Precision, recall and F1 of each learner; `progress` hears of each learner that is done."""
    x, y, fold = _instances(examples, question, folds, seed)
    rows = {}
    for name in LEARNERS:
        predicted = np.zeros(len(y), bool)
        for k in range(folds):
            inside, outside = fold != k, fold == k
            if outside.any() and inside.any():
                predicted[outside] = _predicted(name, seed, x[inside], y[inside], x[outside])
        rows[name] = _class_scores(predicted, y)
        progress()
    return rows


def _instances(
    examples: Sequence[SeekerExample], question: Question, folds: int, seed: int
) -> tuple[Singles, Bools, Rows]:
    """Features, answers and folds of the instances."""
    fold_of = fold_of_sites([one.site for one in examples], folds, seed)
    x, y, fold = [], [], []
    for one in examples:
        end = np.where(one.good, one.end, 0)
        met = np.concatenate(([0], np.maximum.accumulate(end)[:-1])) <= one.row
        chosen = one.known & met & (~one.leaf if question == "segment" else one.good)
        x.append(one.x[chosen])
        y.append((one.good if question == "segment" else one.content)[chosen])
        fold.append(np.full(int(chosen.sum()), fold_of[one.site]))
    some = np.random.default_rng(seed).permutation(sum(map(len, y)))[:INSTANCES]
    return np.concatenate(x)[some], np.concatenate(y)[some], np.concatenate(fold)[some]


def _predicted(name: str, seed: int, x: NDArray[Any], y: Bools, unseen: NDArray[Any]) -> Bools:
    if y.all() or not y.any():
        return np.full(len(unseen), bool(y[0]))
    # Neither a machine of vectors nor a perceptron takes missing values: none is worth as much as the mean.
    mean, spread = np.nanmean(_filled(x), axis=0), np.nanstd(_filled(x), axis=0) + 1e-6
    if name in LEARNERS[2:]:
        x, unseen = (np.nan_to_num((table - mean) / spread).clip(-5, 5) for table in (x, unseen))
    predicted: Bools = _learner(name, seed).fit(x, y).predict(unseen).astype(bool)
    return predicted


def _filled(x: NDArray[Any]) -> NDArray[Any]:
    """Columns without any value (layout, when nothing was rendered) as zeros."""
    empty = np.isnan(x).all(axis=0)
    return np.where(empty, 0.0, x)


def _learner(name: str, seed: int) -> Any:
    try:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.neural_network import MLPClassifier
        from sklearn.svm import SVC
        from sklearn.tree import DecisionTreeClassifier
    except ImportError as missing:
        raise MissingExtra("training needs scikit-learn: pip install 'thresher[learn]'") from missing
    return {
        LEARNERS[0]: lambda: DecisionTreeClassifier(min_samples_leaf=5, random_state=seed),
        LEARNERS[1]: lambda: RandomForestClassifier(60, random_state=seed),
        LEARNERS[2]: lambda: SVC(),
        LEARNERS[3]: lambda: MLPClassifier((32,), max_iter=120, early_stopping=True, random_state=seed),
    }[name]()


def _class_scores(predicted: Bools, y: Bools) -> ClassScores:
    hits = int((predicted & y).sum())
    precision, recall = hits / max(int(predicted.sum()), 1), hits / max(int(y.sum()), 1)
    return ClassScores(precision, recall, 2 * hits / max(int(predicted.sum()) + int(y.sum()), 1))
