"""Adam with decoupled decay, clipped gradients, and a running average of the weights."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sqrt
from typing import Protocol

from thresher.learn.auto.pytorch import Tensor, torch

__all__ = ["AveragedAdam"]

_MEAN, _SQUARE, _TINY = 0.9, 0.999, 1e-8
_RISING = 0.1  # share of the steps in which the rate rises; then it falls along a cosine
_LEAST_RATE = 1e-5
_MAX_NORM = 1.0  # of all gradients together


class Rates(Protocol):
    """What of the settings of a fit it reads."""

    @property
    def rate(self) -> float: ...
    @property
    def decay(self) -> float: ...
    @property
    def averaging(self) -> float: ...
    @property
    def average_from(self) -> float: ...


class AveragedAdam:
    """Moves weights in place, so many steps."""

    def __init__(self, weights: Mapping[str, Tensor], settings: Rates, steps: int) -> None:
        self.weights, self.settings, self.steps, self.time = weights, settings, steps, 0
        self.mean = {name: torch.zeros_like(value) for name, value in weights.items()}
        self.square = {name: torch.zeros_like(value) for name, value in weights.items()}
        self.average: dict[str, Tensor] = {}

    def step(self, gradients: Mapping[str, Tensor]) -> None:
        """One step along these gradients."""
        self.time += 1
        norm = sqrt(sum(float((gradient * gradient).sum()) for gradient in gradients.values()))
        clip = min(1.0, _MAX_NORM / (norm + 1e-6))
        progress = self.time / self.steps
        falling = 0.5 * (1 + cos(pi * (progress - _RISING) / (1 - _RISING)))
        rate = self.settings.rate * (progress / _RISING if progress < _RISING else falling) + _LEAST_RATE
        for name, gradient in gradients.items():
            mean, square, weight = self.mean[name], self.square[name], self.weights[name]
            mean.mul_(_MEAN).add_(gradient, alpha=(1 - _MEAN) * clip)
            square.mul_(_SQUARE).addcmul_(gradient, gradient, value=(1 - _SQUARE) * clip**2)
            move = mean / (1 - _MEAN**self.time) / ((square / (1 - _SQUARE**self.time)).sqrt() + _TINY)
            weight -= rate * (move + self.settings.decay * weight)
        if progress >= self.settings.average_from:
            for name, weight in self.weights.items():
                kept = self.average.setdefault(name, weight.clone())
                kept += (1 - self.settings.averaging) * (weight - kept)

    def averaged(self) -> Mapping[str, Tensor]:
        return self.average or self.weights
