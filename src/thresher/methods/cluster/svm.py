"""Module 4: a linear support vector machine with weighted classes, by scikit-learn's LinearSVC.

    min_w  ½ |w|² + Σ_i C_i max(0, 1 - y_i w·x_i)²        y = ±1;  C_i = C · n / (2 n_class(i)) where balanced

The squared hinge loss, the intercept a column of ones.  The objective is strictly convex, so its solution is unique;
LIBLINEAR solves it in the primal, where nothing is left to chance.  What comes back is an array of weights: to use a
model needs no scikit-learn.
"""

from __future__ import annotations

import numpy as np

from thresher.errors import MissingExtra
from thresher.methods.cluster.features import Matrix
from thresher.page.types import Bools, Floats

__all__ = ["fit"]

_TOLERANCE, _MAX_STEPS = 1e-5, 10_000


def fit(x: Matrix, content: Bools, *, cost: float = 1.0, balanced: bool = True, weight: Floats | None = None) -> Floats:
    """The weights w, one per column; a margin w·x above 0 is content.  `weight` multiplies the cost of each row."""
    if content.all() or not content.any():  # one class: the intercept says which
        alone = np.zeros(x.width)
        alone[-1] = 1.0 if content.any() else -1.0
        return alone
    try:
        from scipy.sparse import csr_matrix
        from sklearn.svm import LinearSVC
    except ImportError as missing:
        raise MissingExtra("training needs scikit-learn: pip install 'thresher[learn]'") from missing
    classifier = LinearSVC(
        C=cost,
        class_weight="balanced" if balanced else None,
        dual=False,
        fit_intercept=False,
        tol=_TOLERANCE,
        max_iter=_MAX_STEPS,
    )
    rows = csr_matrix((x.value, x.column, x.start), shape=(len(x), x.width))
    classifier.fit(rows, content, sample_weight=weight)
    weights: Floats = classifier.coef_[0].astype(np.float64)
    return weights
