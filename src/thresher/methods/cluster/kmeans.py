"""Module 2 the other way: K-Means, by scikit-learn.  Every block is in a cluster, none is noise.

K-Means needs points in a space, not distances.  A block is the tokens of its path, selectors and style as columns of 0
and 1, each group scaled to length 1 so that forty declarations of CSS do not outvote one path, and its left edge, width
and text length, weighted as in the distance of DBSCAN (distance.py).

The number of clusters k is at the knee of the inertia over k = 2, 4, 8, …, 64: more clusters always fit better, and
from some k on hardly.  The same seed every time, so the same blocks give the same clusters.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from thresher.errors import MissingExtra
from thresher.methods.cluster.blocks import SiteBlocks
from thresher.methods.cluster.dbscan import Clusters, by_size
from thresher.methods.cluster.distance import CONTINUOUS, DISCRETE, SCALE, Space
from thresher.methods.cluster.features import GROUPS, numbers, shared_tokens
from thresher.page.types import Rows

__all__ = ["kmeans"]

_TRIED = (2, 4, 8, 16, 32, 64)  # clusters
_STARTS, _SEED = 3, 0


def kmeans(blocks: SiteBlocks, points: Space) -> Clusters:
    """Cluster the distinct points among some blocks; k by the knee rule."""
    try:
        from sklearn.cluster import KMeans
    except ImportError as missing:
        raise MissingExtra("clustering needs scikit-learn: pip install 'thresher[learn]'") from missing
    vectors = _vectors(blocks, np.unique(points.code, return_index=True)[1])
    fits = [
        KMeans(k, n_init=_STARTS, random_state=_SEED).fit(vectors, sample_weight=points.weight)
        for k in [k for k in _TRIED if k < len(points)] or [1]
    ]
    best = fits[_knee([fit.inertia_ for fit in fits])]
    return Clusters(*by_size(best.labels_.astype(np.intp), points.weight))


def _knee(inertia: list[float]) -> int:
    """Where a falling curve is farthest below the chord between its ends."""
    return int(np.argmax(np.linspace(inertia[0], inertia[-1], len(inertia)) - inertia))


def _vectors(blocks: SiteBlocks, rows: Rows) -> Any:
    """Some blocks as rows of a sparse matrix."""
    from scipy.sparse import csr_array, hstack
    from sklearn.preprocessing import MultiLabelBinarizer, normalize

    number = numbers(blocks)
    columns = [csr_array(sqrt(CONTINUOUS / len(SCALE)) * np.column_stack([number[name][rows] for name in SCALE]))]
    for group in GROUPS:
        tokens = shared_tokens(blocks, group)
        indicator = MultiLabelBinarizer(sparse_output=True).fit_transform([tokens[row] for row in rows])
        if indicator.shape[1]:
            columns.append(sqrt(DISCRETE / len(GROUPS)) * normalize(indicator.astype(np.float64)))
    return hstack(columns, format="csr")
