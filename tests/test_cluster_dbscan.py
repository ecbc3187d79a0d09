"""DBSCAN and its distance against their textbook forms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clock import at_most
from tests.rendered_site import article
from thresher.methods.cluster.blocks import of_pages
from thresher.methods.cluster.dbscan import dbscan, k_distances, knee
from thresher.methods.cluster.distance import jaccard, space
from thresher.methods.cluster.features import GROUPS, numbers, shared_tokens


@dataclass(frozen=True)
class Points:
    """Points on a line, some of them several times."""

    at: np.ndarray
    weight: np.ndarray

    def __len__(self):
        return len(self.at)

    def rows(self, some, others=None):
        other = self.at if others is None else self.at[others]
        return np.abs(self.at[some][:, None] - other[None, :]).astype(np.float32)


points = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 3)), min_size=1, max_size=25).map(
    lambda some: Points(np.array([at for at, _ in some], np.float32), np.array([weight for _, weight in some]))
)


def textbook(points, eps, min_points):
    """DBSCAN as printed: expand from every unvisited core; border points to the nearest core."""
    distance = points.rows(np.arange(len(points)))
    around = [np.flatnonzero(row <= eps) for row in distance]
    core = [points.weight[near].sum() >= min_points for near in around]
    number = [-1] * len(points)
    found = 0
    for start in range(len(points)):
        if not core[start] or number[start] >= 0:
            continue
        waiting = [start]
        while waiting:
            one = waiting.pop()
            if number[one] < 0 and core[one]:
                number[one] = found
                waiting += list(around[one])
        found += 1
    for one in range(len(points)):
        near = [other for other in around[one] if core[other]]
        if number[one] < 0 and near:
            number[one] = number[min(near, key=lambda other: distance[one, other])]
    return number


def same_partition(a, b):
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b)) and all(
        (x < 0) == (y < 0) for x, y in zip(a, b, strict=True)
    )


@settings(deadline=None)
@given(points, st.integers(1, 6), st.integers(1, 6))
def test_clusters_are_those_of_the_textbook(points, eps, min_points):
    found = dbscan(points, eps, min_points)
    assert same_partition(found.number.tolist(), textbook(points, eps, min_points))


@settings(deadline=None)
@given(points, st.integers(1, 6))
def test_k_distances_count_every_copy(points, k):
    copies = np.repeat(points.at, points.weight)
    for at, found in zip(points.at, k_distances(points, k), strict=True):
        ordered = np.sort(np.abs(copies - at))
        assert found == (ordered[k - 1] if len(ordered) >= k else np.inf)


def test_clusters_are_numbered_by_size_and_noise_is_minus_one():
    at = np.array([0, 0.1, 0.2, 10, 10.1, 10.2, 10.3, 50], np.float32)
    found = dbscan(Points(at, np.ones(len(at), int)), 0.5, 3)
    assert found.number.tolist() == [1, 1, 1, 0, 0, 0, 0, -1]
    assert found.count == 2


def test_the_knee_is_where_the_curve_turns():
    flat, steep = np.linspace(0.01, 0.1, 90), np.linspace(0.2, 1, 10)
    assert 0.09 <= knee(np.concatenate((np.zeros(500), flat, steep, [np.inf]))) <= 0.2
    assert knee(np.zeros(5)) == 0
    assert knee(np.array([0.3])) == pytest.approx(0.3)


sets = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), min_size=1, max_size=8, unique=True)


@settings(deadline=None)
@given(sets, st.integers(0, 5))
def test_jaccard_is_that_of_sets(some, shared):
    slow = [[len(a ^ b) / max(len(a | b) + shared, 1) for b in some] for a in some]
    np.testing.assert_allclose(jaccard(some, shared), slow, atol=1e-6)


def test_the_distance_of_blocks_is_the_formula_of_its_docstring():
    blocks = of_pages([article(1), article(2), article(3)])
    points = space(blocks)
    sets = {group: [frozenset(own) for own in shared_tokens(blocks, group)] for group in GROUPS}
    number = numbers(blocks)
    rng = np.random.default_rng(0)
    for a, b in rng.integers(0, len(blocks), (60, 2)).tolist():
        parts = [
            len(own[a] ^ own[b]) / max(len(own[a] | own[b]) + (10 if group == "style" else 0), 1)
            for group, own in sets.items()
        ]
        steps = [
            min(1, scale * abs(number[name][a] - number[name][b]))
            for name, scale in {"left": 10, "width": 5, "length": 1}.items()
        ]
        expected = 0.75 * np.mean(parts) + 0.25 * np.mean(steps)
        found = points.rows(points.code[[a]], points.code[[b]])[0, 0]
        assert found == pytest.approx(expected, abs=0.02)  # lengths are rounded


def test_equal_blocks_are_one_point():
    blocks = of_pages([article(seed) for seed in range(4)])
    points = space(blocks)
    assert points.weight.sum() == len(blocks)
    assert len(points) < len(blocks) / 2


def test_ten_thousand_distinct_points_take_seconds():
    rng = np.random.default_rng(0)
    many = Points(rng.random(10_000).astype(np.float32) * 1000, np.ones(10_000, int))
    with at_most(20):
        found = dbscan(many)
        assert found.number.shape == (10_000,)
