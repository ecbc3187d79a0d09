"""Fitting the last layer that tells the types of pages, when the network itself is done.

A logistic regression on what the network makes of whole pages (z of `judge.network`):

    L(V, b) = mean CE(softmax(z_i V + b), y_i) + λ/2 |V|²       z standardised

L is convex; it is minimised by Nesterov's method.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from thresher.methods.auto.network import softmax

__all__ = ["regression"]

Floats = NDArray[np.float32]
_DECAY = 0.03  # λ
_STEPS = 400


def regression(z: Floats, kind: NDArray[np.intp], types: int) -> tuple[Floats, Floats]:
    """V and b for some pages and the numbers of their types, -1 for one that is unknown.  Where all are, V and b are
    zero: then all types are equally likely."""
    z, kind = z[kind >= 0], kind[kind >= 0]
    if not len(kind):
        return np.zeros((z.shape[1], types), np.float32), np.zeros(types, np.float32)
    middle, spread = z.mean(axis=0), z.std(axis=0) + np.float32(1e-3)
    table = np.concatenate(((z - middle) / spread, np.ones((len(z), 1))), axis=1).astype(np.float32)
    target = np.eye(types, dtype=np.float32)[kind]
    decay = np.full((table.shape[1], 1), _DECAY, np.float32)
    decay[-1] = 0  # of b
    step = 1 / (_DECAY + float((table**2).sum(axis=1).mean()) / 2)  # the curvature is nowhere more
    found = ahead = np.zeros((table.shape[1], types), np.float32)
    pace = 1.0
    for _ in range(_STEPS):
        slope = table.T @ (softmax(table @ ahead) - target) / np.float32(len(table)) + decay * ahead
        moved = ahead - np.float32(step) * slope
        following = (1 + sqrt(1 + 4 * pace**2)) / 2
        ahead = moved + np.float32((pace - 1) / following) * (moved - found)
        found, pace = moved, following
    v = found[:-1] / spread[:, None]
    return v, found[-1] - middle @ v
