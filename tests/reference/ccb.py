"""Content code blurring, one entry of the vector at a time."""

from __future__ import annotations

import math

from tests.reference.tokens import half


def blur(vector: list[float], reach: int) -> list[float]:
    """The weighted average of each entry's neighbourhood; beyond the ends lies code."""
    weights = [math.exp(-0.5 * (3 * j / reach) ** 2) for j in range(-reach, reach + 1)]
    total = sum(weights)
    result = []
    for k in range(len(vector)):
        average = 0.0
        for j in range(-reach, reach + 1):
            if 0 <= k + j < len(vector):
                average += weights[j + reach] / total * vector[k + j]
        result.append(average)
    return result


def extract(
    sequence: list[int | None], texts: int, reach: int, threshold: float, settled: float, passes: int
) -> list[bool]:
    """Blur until at most a share `settled` of the extracted units changes."""
    vector = [0.0 if unit is None else 1.0 for unit in sequence]
    size = [sequence.count(k) for k in range(texts)]
    keep: list[bool] | None = None
    for _ in range(passes):
        vector = blur(vector, reach)
        before, keep = keep, half(sequence, [value > threshold for value in vector], texts)
        if before is not None:
            changed = sum(size[k] for k in range(texts) if keep[k] != before[k])
            if changed <= settled * sum(size[k] for k in range(texts) if keep[k]):
                break
    return keep or []
