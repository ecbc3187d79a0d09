"""Module 2: DBSCAN, density-based clusters with noise, by scikit-learn.  Ester, Kriegel, Sander, Xu, KDD 1996.

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

Distances come in stripes of rows, once for the k-distances, and once for the pairs within eps, which are all that is
kept of them.  O(M²) time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.errors import MissingExtra
from thresher.page.types import Bools, Longs, Rows, Singles

__all__ = ["MAX_EPS", "MIN_EPS", "MIN_POINTS", "Clusters", "by_size", "dbscan", "k_distances", "knee"]


MIN_POINTS = 5
MIN_EPS, MAX_EPS = 0.08, 0.16
_MAX_STRIPE = 4_000_000  # distances computed at a time


class Distances(Protocol):
    """Distinct points with weights, and the distances of some of them from others (`None`: all)."""

    @property
    def weight(self) -> Longs: ...

    def __len__(self) -> int: ...

    def rows(self, some: Rows, others: Rows | None = None) -> Singles: ...


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The cluster of each distinct point, 0, 1, … by size, -1 for noise; and what it was found with."""

    number: Rows  # (M,)
    count: int
    eps: float = 0.0  # of DBSCAN
    min_points: int = 1


def dbscan(points: Distances, eps: float | None = None, min_points: int = MIN_POINTS) -> Clusters:
    """Cluster distinct points; eps by the knee rule unless it is given."""
    try:
        from sklearn.cluster import DBSCAN
    except ImportError as missing:
        raise MissingExtra("clustering needs scikit-learn: pip install 'thresher[learn]'") from missing
    if not len(points):  # a site without text
        return Clusters(np.zeros(0, np.intp), 0, eps or MIN_EPS, min_points)
    nearest = k_distances(points, min_points)
    if eps is None:
        eps = min(max(knee(np.repeat(nearest, points.weight)), MIN_EPS), MAX_EPS)
    fitted = DBSCAN(eps=eps, min_samples=min_points, metric="precomputed")
    fitted.fit(_pairs_within(points, eps), sample_weight=points.weight)
    core = np.zeros(len(points), bool)
    core[fitted.core_sample_indices_] = True
    number = fitted.labels_.astype(np.intp)
    _join_nearest_core(points, core, number)
    number, count = by_size(number, points.weight)
    return Clusters(number, count, eps, min_points)


def by_size(number: Rows, weight: Longs) -> tuple[Rows, int]:
    """Cluster numbers with the largest first, noise still -1; and how many clusters there are."""
    size = np.bincount(number[number >= 0], weight[number >= 0])
    rank = np.empty(len(size) + 1, np.intp)
    rank[np.argsort(-size, kind="stable")] = np.arange(len(size))
    rank[-1] = -1
    return rank[number], len(size)


def k_distances(points: Distances, k: int) -> Singles:
    """The distance of each point to its k-th nearest, weights counted; infinite where there are fewer."""
    kth_nearest = np.full(len(points), np.inf, np.float32)
    most = min(k, len(points))  # so many distinct points are enough: each counts once at least
    for some in _stripes(np.arange(len(points)), len(points)):
        distance = points.rows(some)
        nearest = np.argpartition(distance, most - 1, axis=1)[:, :most]
        distance = np.take_along_axis(distance, nearest, 1)
        order = np.argsort(distance, axis=1, kind="stable")
        counted = np.cumsum(points.weight[np.take_along_axis(nearest, order, 1)], axis=1)
        reached = np.argmax(counted >= k, axis=1)
        kth = np.take_along_axis(distance, np.take_along_axis(order, reached[:, None], 1), 1)[:, 0]
        kth_nearest[some] = np.where(counted[:, -1] >= k, kth, np.inf)
    return kth_nearest


def knee(distances: NDArray[np.floating]) -> float:
    """Where the sorted curve is farthest below the chord between its ends; zeros and infinities are left out."""
    curve = np.sort(distances[(distances > 0) & np.isfinite(distances)].astype(np.float64))
    if len(curve) < 3 or curve[-1] == curve[0]:
        return float(curve[-1]) if len(curve) else 0.0
    chord = np.linspace(curve[0], curve[-1], len(curve))
    return float(curve[np.argmax(chord - curve)])


def _pairs_within(points: Distances, eps: float) -> Any:
    """The distances of at most eps as a sparse matrix, zeros among them."""
    from scipy.sparse import csr_array

    distances, columns, counts = [], [], [np.zeros(1, np.intp)]
    for some in _stripes(np.arange(len(points)), len(points)):
        distance = points.rows(some)
        near = distance <= eps
        distances.append(distance[near])
        columns.append(near.nonzero()[1])
        counts.append(near.sum(axis=1))
    start = np.concatenate(counts).cumsum()
    return csr_array((np.concatenate(distances), np.concatenate(columns), start), shape=(len(points),) * 2)


def _join_nearest_core(points: Distances, core: Bools, number: Rows) -> None:
    """Give each border point to the cluster of the nearest core point."""
    cores = core.nonzero()[0]
    for some in _stripes((~core & (number >= 0)).nonzero()[0], len(cores)):
        number[some] = number[cores[points.rows(some, cores).argmin(axis=1)]]


def _stripes(rows: Rows, width: int) -> list[Rows]:
    """The rows in pieces whose distances fit into memory."""
    height = max(1, _MAX_STRIPE // max(width, 1))
    return [rows[at : at + height] for at in range(0, len(rows), height)]
