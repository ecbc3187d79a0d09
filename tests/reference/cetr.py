"""CETR line by line and point by point."""

from __future__ import annotations

import math
from functools import reduce
from operator import add

from tests.reference.tokens import TAG, nodes
from thresher.page import Page
from thresher.page.columns import chars
from thresher.visible.readable import readable

Point = tuple[float, float]


def tag_ratio(page: Page) -> list[float]:
    """Characters by tags of each line, where a line ends with the last text of its block."""
    lines = int(page.block.max(initial=-1)) + 1
    tags, length = [0] * lines, [0] * lines
    waiting = 0
    for node in nodes(page):
        if node is TAG:
            waiting += 1
        else:
            tags[page.block[node]] += waiting
            waiting = 0
            if readable(page)[node]:
                length[page.block[node]] += int(chars(page)[node])
    return [a / max(b, 1) for a, b in zip(length, tags, strict=True)]


def smooth(x: list[float], radius: int) -> list[float]:
    weights = [math.exp(-(j**2) / (2 * radius**2)) for j in range(-radius, radius + 1)]
    total = _sum(weights)
    result = []
    for i in range(len(x)):
        average = 0.0
        for j in range(-radius, radius + 1):
            if 0 <= i + j < len(x):
                average += weights[j + radius] / total * x[i + j]
        result.append(average)
    return result


def jump(x: list[float], ahead: int) -> list[float]:
    return [abs(_sum(x[i + 1 : i + 1 + ahead]) / ahead - x[i]) for i in range(len(x))]


def cluster(points: list[Point], rounds: int) -> list[int]:
    """k-means with k = 3, one centroid held at the origin."""

    def squared(a: Point, b: Point) -> float:
        return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2

    top = max(points, key=lambda point: squared(point, (0.0, 0.0)))
    centroids = [(0.0, 0.0), (top[0] / 2, top[1] / 2), top]
    labels: list[int] = []
    for _ in range(rounds):
        nearest = [min(range(3), key=lambda c: squared(point, centroids[c])) for point in points]
        if nearest == labels:
            break
        labels = nearest
        for c in (1, 2):
            mine = [point for point, label in zip(points, labels, strict=True) if label == c]
            if mine:
                centroids[c] = (_sum([x for x, _ in mine]) / len(mine), _sum([y for _, y in mine]) / len(mine))
    return labels


def _sum(x: list[float]) -> float:
    """One after the other; the built-in sum of some Python versions makes up for rounding."""
    return reduce(add, x, 0.0)
