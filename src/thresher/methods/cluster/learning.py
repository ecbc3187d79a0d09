"""Rendered pages of a site -> clusters -> labels -> a classifier for that site.  No label is made by hand.

    blocks ──DBSCAN or K-Means──> clusters ──Algorithm 1──> labels ──SVM──> weights of tokens

How good the classifier is on pages it has not seen is estimated by cross-validation over whole pages: it is trained on
three quarters of them and tested on the rest, four times.  It is compared with the labels of those pages, which it has
not seen, and than which it cannot be better: gold texts say how good these are (docs/cluster.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from thresher.methods.cluster import svm
from thresher.methods.cluster.blocks import SiteBlocks
from thresher.methods.cluster.dbscan import Clusters, dbscan
from thresher.methods.cluster.distance import space
from thresher.methods.cluster.features import FEATURE_SETS, Matrix, encode, vocabulary
from thresher.methods.cluster.kmeans import kmeans
from thresher.methods.cluster.relevance import Labelling, Labels, Measure, labelled
from thresher.page.types import Bools, Floats, Rows

__all__ = [
    "FOLDS",
    "Clustered",
    "Clustering",
    "HeldOutScore",
    "Learned",
    "cluster",
    "folds",
    "held_out",
    "learn",
    "score",
    "validate",
]


FOLDS = 4
Clustering = Literal["dbscan", "kmeans"]


class HeldOutScore(NamedTuple):
    """Precision, recall and F1 over blocks."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, eq=False)
class Clustered:
    """The cluster of each block, 0, 1, … by size, -1 for noise; and how they were found."""

    number: Rows  # (N,)
    clusters: Clusters


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A classifier of blocks, and what is known of how it came about."""

    columns: tuple[str, ...]  # what each weight is for; the last weight is the intercept
    weight: Floats
    labels: Labels
    clustered: Clustered
    held_out: HeldOutScore | None  # None where there were too few pages


def cluster(blocks: SiteBlocks, eps: float | None = None, clustering: Clustering = "dbscan") -> Clustered:
    """Modules 1 and 2."""
    points = space(blocks)
    clusters = dbscan(points, eps) if clustering == "dbscan" else kmeans(blocks, points)
    return Clustered(clusters.number[points.code], clusters)


def learn(
    blocks: SiteBlocks,
    measure: Measure = "pieces",
    labelling: Labelling = "grown",
    clustering: Clustering = "dbscan",
    *,
    check: bool = True,
    announce: Callable[[str], None] = lambda stage: None,
) -> Learned:
    """Modules 1 to 4 over the pages of one site; the paper's are measure "subsequence" and labelling "site".

    `announce` hears of each stage when it begins: cluster, label, train.
    """
    announce("cluster")
    clustered = cluster(blocks, clustering=clustering)
    announce("label")
    labels = labelled(blocks, clustered.number, measure, labelling)
    announce("train")
    columns = vocabulary(blocks, FEATURE_SETS["all"])
    x = encode(blocks, columns)
    held_out = validate(x, labels.content, folds(blocks)) if check and len(blocks.pages) >= FOLDS else None
    return Learned(columns, svm.fit(x, labels.content), labels, clustered, held_out)


def folds(blocks: SiteBlocks, seed: int = 0, count: int = FOLDS) -> list[Rows]:
    """The blocks of each part of the pages, shuffled; the paper has four."""
    fold = np.random.default_rng(seed).permutation(np.arange(len(blocks.pages)) % count)
    return [np.flatnonzero(fold[blocks.page] == k) for k in range(count)]


def predictions(x: Matrix, content: Bools, parts: list[Rows]) -> Iterator[tuple[Rows, Bools]]:
    """For each part its rows and what a classifier says of them that was trained on all others."""
    for test in parts:
        training = np.setdiff1d(np.arange(len(x)), test)
        weight = svm.fit(x.take(training), content[training])
        yield test, x.take(test).times(weight) > 0


def held_out(x: Matrix, content: Bools, parts: list[Rows]) -> Bools:
    """What is said of every block by a classifier that was trained on the other parts."""
    predicted = np.zeros(len(x), bool)
    for test, of_test in predictions(x, content, parts):
        predicted[test] = of_test
    return predicted


def validate(x: Matrix, content: Bools, parts: list[Rows], true: Bools | None = None) -> HeldOutScore:
    """The score over all parts taken together, against `true` labels where these are others than those trained on."""
    rows = np.concatenate(parts)
    return score(held_out(x, content, parts)[rows], (content if true is None else true)[rows])


def score(predicted: Bools, true: Bools) -> HeldOutScore:
    """Precision, recall, F1; 0 where nothing is right."""
    hits, positives, wanted = (int(np.count_nonzero(mask)) for mask in (predicted & true, predicted, true))
    return HeldOutScore(hits / max(positives, 1), hits / max(wanted, 1), 2 * hits / max(positives + wanted, 1))
