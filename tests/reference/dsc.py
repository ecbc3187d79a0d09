"""DSC one window at a time."""

from __future__ import annotations

from fractions import Fraction

from tests.reference.tokens import TAG


def low_slope(sequence: list[int | None], window: int, share: float) -> list[bool]:
    """Which tokens some window covers whose slope is below a share of the mean slope."""
    n = len(sequence)
    if n <= window:
        return [True] * n
    mean_slope = Fraction(sequence.count(TAG), n)
    covered = [False] * n
    for k in range(n - window + 1):
        if Fraction(sequence[k : k + window].count(TAG), window) < Fraction(share) * mean_slope:
            covered[k : k + window] = [True] * window
    return covered
