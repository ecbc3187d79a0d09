"""Module 4: a linear support vector machine with weighted classes.

    min_w  ½ |w|² + Σ_i C_i max(0, 1 - y_i w·x_i)²        y = ±1;  C_i = C · n / (2 n_class(i)) where balanced

the squared hinge loss of LIBLINEAR's default, the intercept a column of ones.  The objective is convex and once
differentiable; Newton's method with the generalised Hessian (Keerthi, DeCoste 2005; Lin, Weng, Keerthi 2008) needs a
dozen steps:

    active     the rows with y_i w·x_i < 1
    gradient   w + 2 Xᵀ(C (Xw - y))                 over the active rows
    H s = -g   H v = v + 2 Xᵀ(C X v)                by conjugate gradients, never written out
    w ← w + t s                                     t halved until the objective falls enough

The solution is unique, so the tests check it against scikit-learn's.  Equal rows are solved as one with the sum of
their costs: templates repeat themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.methods.cluster.features import Matrix

__all__ = ["fit"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_STEPS, _INNER = 100, 200
_EXACT = 1e-6  # of the gradient, relative to that at the start
_LOOSE = 0.1  # of a step's residual, relative to the gradient: more would be work for a step that is short anyway


def fit(x: Matrix, content: Bools, *, cost: float = 1.0, balanced: bool = True, weight: Floats | None = None) -> Floats:
    """The weights w, one per column; a margin w·x above 0 is content.  `weight` multiplies the cost of each row."""
    y = np.where(content, 1.0, -1.0)
    c = np.full(len(x), cost) if weight is None else cost * weight
    if balanced:
        for own in (content, ~content):
            if own.any():
                c = np.where(own, c * len(x) / (2 * np.count_nonzero(own)), c)
    x, y, c = _merged(x, y, c)
    w = np.zeros(x.width)
    margin = np.zeros(len(x))
    first = 0.0
    for _ in range(_STEPS):
        active = y * margin < 1
        inner = x.take(np.flatnonzero(active))
        gradient = w + 2 * inner.transposed_times(c[active] * (margin - y)[active])
        size = float(np.linalg.norm(gradient))
        first = first or size
        if size <= _EXACT * first or not size:
            break
        step = _direction(inner, c[active], gradient)
        moved = x.times(step)
        w, margin = _searched(w, margin, step, moved, y, c, float(gradient @ step))
    return w


def _objective(w: Floats, margin: Floats, y: Floats, c: Floats) -> float:
    return float(0.5 * w @ w + c @ np.maximum(0, 1 - y * margin) ** 2)


def _direction(inner: Matrix, c: Floats, gradient: Floats) -> Floats:
    """H s = -g by conjugate gradients, to a tenth."""
    s = np.zeros(len(gradient))
    residual = -gradient
    d = residual.copy()
    left = float(residual @ residual)
    enough = _LOOSE**2 * left
    for _ in range(_INNER):
        product = d + 2 * inner.transposed_times(c * inner.times(d))
        step = left / float(d @ product)
        s += step * d
        residual = residual - step * product
        after = float(residual @ residual)
        if after <= enough:
            break
        d = residual + (after / left) * d
        left = after
    return s


def _searched(
    w: Floats, margin: Floats, step: Floats, moved: Floats, y: Floats, c: Floats, slope: float
) -> tuple[Floats, Floats]:
    """The longest of the steps 1, ½, ¼, … by which the objective falls by a fair part of what the slope promises."""
    now = _objective(w, margin, y, c)
    t = 1.0
    while t > 1e-10:
        if _objective(w + t * step, margin + t * moved, y, c) <= now + 0.01 * t * slope:
            return w + t * step, margin + t * moved
        t /= 2
    return w, margin


def _merged(x: Matrix, y: Floats, c: Floats) -> tuple[Matrix, Floats, Floats]:
    """Equal rows with equal labels as one row, its cost the sum of theirs."""
    number: dict[tuple[bytes, bytes, float], int] = {}
    first: list[int] = []
    code = np.empty(len(x), np.intp)
    for row, (start, stop) in enumerate(zip(x.start[:-1].tolist(), x.start[1:].tolist(), strict=True)):
        key = (x.column[start:stop].tobytes(), x.value[start:stop].tobytes(), float(y[row]))
        code[row] = number.setdefault(key, len(number))
        if len(first) < len(number):
            first.append(row)
    some = np.array(first, np.intp)
    total: Floats = np.bincount(code, c, minlength=len(some)).astype(np.float64)
    return x.take(some), y[some], total
