"""BTE as Finn writes it: try every i and j, take the pair with the largest T(i, j)."""

from __future__ import annotations

from tests.reference.tokens import TAG


def body(sequence: list[int | None]) -> set[int]:
    """The texts between the best i and j; {} when the page has no word."""
    best, kept = 0, set[int]()
    for j in range(len(sequence)):
        for i in range(j + 1):
            inside = sequence[i : j + 1]
            gain = len(inside) - 2 * inside.count(TAG)  # T(i, j) less the tags of the whole page
            if gain > best:
                best, kept = gain, {unit for unit in inside if unit is not None}
    return kept
