"""The measures as one would explain them on a blackboard: slow, and plainly right."""

from __future__ import annotations

from collections.abc import Sequence


def lcs_length(a: Sequence[object], b: Sequence[object]) -> int:
    """The table L[i][j] = length for the first i of a and the first j of b, filled row by row."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, start=1):
        for j, y in enumerate(b, start=1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    return table[len(a)][len(b)]


def bag_overlap(a: Sequence[object], b: Sequence[object]) -> int:
    """Take each item of a out of b once; count how often that worked."""
    left = list(b)
    taken = 0
    for x in a:
        if x in left:
            left.remove(x)
            taken += 1
    return taken


def runs(items: Sequence[object], n: int) -> list[tuple[object, ...]]:
    """Every stretch of n neighbours."""
    return [tuple(items[i : i + n]) for i in range(len(items) - n + 1)]


def f1(precision: float, recall: float) -> float:
    """The harmonic mean."""
    return 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)
