"""The four learners of paper 000, from scikit-learn, with the default settings of WEKA as far as it has them.

    Decision tree (J48)             C4.5: entropy, at least two instances a leaf.  scikit-learn grows CART, two branches
                                    a question, and has no error-based pruning
    Random forest                   10 trees, ⌊log₂ features⌋ + 1 features a question
    Support vector machine (SMO)    linear kernel, C = 1, features scaled to 0 … 1
    Multilayer perceptron           one hidden layer of (features + classes) / 2 logistic units, learning rate 0.3,
                                    momentum 0.2, 500 epochs, features scaled to -1 … 1.  Steps of 20 instances where
                                    WEKA takes one, and an end when the loss no longer falls

Missing values are replaced by the mean for the last two, as WEKA does; trees handle them.
"""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import MissingExtra
from thresher.page.types import Bools

__all__ = ["LEARNERS", "SETTINGS", "predicted"]

LEARNERS = (
    "Decision tree (J48)",
    "Random forest",
    "Support vector machine (SMO)",
    "Multilayer perceptron",
)
SETTINGS = {
    LEARNERS[0]: "entropy, at least two instances a leaf, not pruned",
    LEARNERS[1]: "10 trees, ⌊log₂ features⌋ + 1 features a question",
    LEARNERS[2]: "linear kernel, C = 1, features scaled to 0 … 1",
    LEARNERS[3]: "one hidden layer of (features + classes) / 2 logistic units, rate 0.3, momentum 0.2, 500 epochs in "
    "steps of 20 instances, features scaled to -1 … 1",
}
"""In words, for tables; the rest is as scikit-learn has it."""

_SCALES = {LEARNERS[2]: (0.0, 1.0), LEARNERS[3]: (-1.0, 1.0)}


def predicted(name: str, seed: int, x: NDArray[Any], y: Bools, unseen: NDArray[Any]) -> Bools:
    """What a learner, shown x and y, answers to unseen instances."""
    if y.all() or not y.any():
        return np.full(len(unseen), bool(y[0]))
    if name in _SCALES:
        x, unseen = _scaled(x, unseen, *_SCALES[name])
    answers: Bools = _learner(name, seed, *x.shape).fit(x, y).predict(unseen).astype(bool)
    return answers


def _scaled(x: NDArray[Any], unseen: NDArray[Any], low: float, high: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both tables with the means of the first for missing values and its range scaled to low … high."""
    known = np.where(np.isnan(x).all(axis=0), 0.0, x)  # layout, when nothing was rendered
    mean, least, most = (of(known, axis=0) for of in (np.nanmean, np.nanmin, np.nanmax))
    spread = np.maximum(most - least, 1e-9)

    def scale(table: NDArray[Any]) -> NDArray[Any]:
        share = (np.where(np.isnan(table), mean, table) - least) / spread
        result: NDArray[Any] = low + (high - low) * share.clip(0, 1)
        return result

    return scale(x), scale(unseen)


def _learner(name: str, seed: int, instances: int, features: int) -> Any:
    try:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.neural_network import MLPClassifier
        from sklearn.svm import SVC
        from sklearn.tree import DecisionTreeClassifier
    except ImportError as missing:
        raise MissingExtra("training needs scikit-learn: pip install 'thresher[learn]'") from missing
    if name == LEARNERS[0]:
        return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=seed)
    if name == LEARNERS[1]:
        return RandomForestClassifier(10, max_features=int(log2(features)) + 1, random_state=seed)
    if name == LEARNERS[2]:
        return SVC(kernel="linear", C=1.0)
    return MLPClassifier(
        ((features + 2) // 2,),
        activation="logistic",
        solver="sgd",
        learning_rate_init=0.3,
        momentum=0.2,
        nesterovs_momentum=False,
        batch_size=min(20, instances),
        max_iter=500,
        random_state=seed,
    )
