"""The steps of training: Adam with decoupled decay, clipped gradients, and a running average of the weights.

    m ← 0.9 m + 0.1 g      s ← 0.999 s + 0.001 g²      w ← w - rate · (m̂ / √ŝ + decay · w)

m̂ and ŝ are freed of their start at 0.  The rate rises for a tenth of the steps and falls along a cosine.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.learn.gradient import Gradients

__all__ = ["Adam"]

Weights = dict[str, NDArray[np.float32]]


class Pace(Protocol):
    """What of the settings is asked here."""

    @property
    def rate(self) -> float: ...
    @property
    def decay(self) -> float: ...
    @property
    def averaging(self) -> float: ...
    @property
    def average_from(self) -> float: ...


class Adam:
    """Adam with decoupled decay, clipped gradients, and a running average of the weights."""

    def __init__(self, weights: Weights, settings: Pace) -> None:
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
        """The weights as they were on the mean of the last steps."""
        return {name: value.astype(np.float32) for name, value in (self.average or self.weights).items()}
