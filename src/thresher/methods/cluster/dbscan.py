"""Module 2: DBSCAN, density-based clusters with noise.  Ester, Kriegel, Sander, Xu, KDD 1996.

    k-distance of p   distance to the k-th nearest block, p itself the first; equal blocks count each
    core              k-distance ≤ eps, with k = min_points: at least so many blocks within eps
    cluster           core blocks that are connected by steps of at most eps
    border            no core, but within eps of one: it belongs to the nearest core's cluster
    noise             the rest, number -1

eps is not chosen by hand.  The k-distances, sorted, rise slowly through the clusters and steeply through the noise; eps
is at the knee, where the curve is farthest below the straight line between its ends.  Only distances above zero are
looked at: templates repeat blocks exactly, and a knee among zeros would say nothing.  Bounds (0.08 and 0.16, between
which clusters of the mixed pages hardly change) keep a few odd pages from merging everything or nothing.

Departure.  The textbook gives a border block to the cluster that comes first; the nearest depends on no order.

Nothing of size M × M is kept: distances come in stripes of rows, once for the k-distances, and once while clusters
grow, for each block is expanded once.  O(M²) time, O(M) memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEAST_EPS", "MIN_POINTS", "MOST_EPS", "Clusters", "dbscan", "k_distances", "knee"]

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

MIN_POINTS = 5
LEAST_EPS, MOST_EPS = 0.08, 0.16
_STRIPE = 4_000_000  # distances computed at a time


class Distances(Protocol):
    """Distinct points with weights, and the distances of some of them from others (`None`: all)."""

    @property
    def weight(self) -> NDArray[np.int64]: ...

    def __len__(self) -> int: ...

    def rows(self, some: Rows, others: Rows | None = None) -> Floats: ...


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The cluster of each distinct point, 0, 1, … by size, -1 for noise; and what it was found with."""

    number: Rows  # (M,)
    count: int
    eps: float
    min_points: int


def dbscan(points: Distances, eps: float | None = None, min_points: int = MIN_POINTS) -> Clusters:
    """Cluster distinct points; eps by the knee rule unless it is given."""
    near = k_distances(points, min_points)
    if eps is None:
        eps = min(max(knee(np.repeat(near, points.weight)), LEAST_EPS), MOST_EPS)
    core = near <= eps
    number = _grown(points, core, eps)
    _join_borders(points, core, number, eps)
    size = np.bincount(number[number >= 0], points.weight[number >= 0])
    rank = np.empty(len(size) + 1, np.intp)
    rank[np.argsort(-size, kind="stable")] = np.arange(len(size))
    rank[-1] = -1  # noise stays noise
    return Clusters(rank[number], len(size), eps, min_points)


def k_distances(points: Distances, k: int) -> Floats:
    """The distance of each point to its k-th nearest, weights counted; infinite where there are fewer."""
    found = np.full(len(points), np.inf, np.float32)
    most = min(k, len(points))  # so many distinct points are enough: each counts once at least
    for some in _stripes(np.arange(len(points)), len(points)):
        distance = points.rows(some)
        nearest = np.argpartition(distance, most - 1, axis=1)[:, :most]
        distance = np.take_along_axis(distance, nearest, 1)
        order = np.argsort(distance, axis=1, kind="stable")
        counted = np.cumsum(points.weight[np.take_along_axis(nearest, order, 1)], axis=1)
        reached = np.argmax(counted >= k, axis=1)
        kth = np.take_along_axis(distance, np.take_along_axis(order, reached[:, None], 1), 1)[:, 0]
        found[some] = np.where(counted[:, -1] >= k, kth, np.inf)
    return found


def knee(distances: NDArray[np.floating]) -> float:
    """Where the sorted curve is farthest below the chord between its ends; zeros and infinities are left out."""
    curve = np.sort(distances[(distances > 0) & np.isfinite(distances)].astype(np.float64))
    if len(curve) < 3 or curve[-1] == curve[0]:
        return float(curve[-1]) if len(curve) else 0.0
    chord = np.linspace(curve[0], curve[-1], len(curve))
    return float(curve[np.argmax(chord - curve)])


def _grown(points: Distances, core: NDArray[np.bool_], eps: float) -> Rows:
    """The connected cores, numbered in the order of their first points: the frontier moves out until it is empty."""
    number = np.full(len(points), -1, np.intp)
    left = np.flatnonzero(core)
    found = 0
    while len(left):
        frontier, left = left[:1], left[1:]
        number[frontier] = found
        while len(frontier) and len(left):
            reached = np.zeros(len(left), bool)
            for some in _stripes(frontier, len(left)):
                reached |= (points.rows(some, left) <= eps).any(axis=0)
            frontier, left = left[reached], left[~reached]
            number[frontier] = found
        found += 1
    return number


def _join_borders(points: Distances, core: NDArray[np.bool_], number: Rows, eps: float) -> None:
    cores = np.flatnonzero(core)
    if not len(cores):
        return
    for some in _stripes(np.flatnonzero(~core), len(cores)):
        distance = points.rows(some, cores)
        nearest = distance.argmin(axis=1)
        close = distance[np.arange(len(some)), nearest] <= eps
        number[some[close]] = number[cores[nearest[close]]]


def _stripes(rows: Rows, width: int) -> list[Rows]:
    """The rows in pieces whose distances fit into a cache of memory."""
    height = max(1, _STRIPE // max(width, 1))
    return [rows[at : at + height] for at in range(0, len(rows), height)]
