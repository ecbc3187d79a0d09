"""Fitting the trees of `seeker`: examples in, arrays out.  scikit-learn is needed here and nowhere else.

Every candidate of every page is an example for the content tree, and every candidate with others below for the
segment tree: what lies below a good segment is never met, but more examples make a better tree.  What a wrong answer
costs is known in characters, so that is what an example weighs, as a share of its page:

    segment   |whole_i - parts_i| / t_page        content   (|2 g_i - t_i| / t_page)^0.3

The root lets small elements speak, too: what the tree says of the leaves inside a segment counts (seeker.content).
Where there are more examples than `most`, some are drawn with chances that follow their weights.

An answer that a person gave (a file of labels) weighs `LABEL_WEIGHT` more.

The elements of one page are much alike, so a leaf with a hundred of them may have seen one page.  What stops a tree
from learning pages by heart is therefore counted in pages: a leaf weighs at least as much as `content_leaf` pages do
on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.errors import MissingExtra
from thresher.learn.seeker.examples import SeekerExample
from thresher.methods.seeker.model import Classifiers
from thresher.methods.seeker.trees import Tree
from thresher.page.types import Bools, Floats, Singles

__all__ = ["LABEL_WEIGHT", "TrainingTable", "TreeSettings", "exported", "fit", "training_table"]

LABEL_WEIGHT = 0.05  # as much as a twentieth of a page
_CONTENT_EXPONENT = 0.3
_MIN_WEIGHT = 1e-9


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """What stops the trees from growing."""

    depth: int = 14
    segment_leaf: float = 0.3  # a leaf weighs at least as much as so many pages
    content_leaf: float = 2.5
    most: int = 15_000  # examples; more are drawn from
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TrainingTable:
    """Examples of one question."""

    x: Singles
    y: Bools
    weight: Floats

    def only(self, chosen: NDArray[Any]) -> TrainingTable:
        return TrainingTable(self.x[chosen], self.y[chosen], self.weight[chosen])


def training_table(examples: Sequence[SeekerExample], question: Literal["segment", "content"]) -> TrainingTable:
    """All examples of a question."""
    x, y, weight = [], [], []
    for one in examples:
        chosen = one.known & ~one.leaf if question == "segment" else one.known
        cost = np.abs(one.whole - one.parts) if question == "segment" else np.abs(2 * one.gold - one.text)
        votes = one.segment_votes if question == "segment" else one.content_votes
        x.append(one.x[chosen])
        y.append((one.good if question == "segment" else one.content)[chosen])
        share = cost / max(one.size, 1.0)
        weight.append(
            ((share if question == "segment" else share**_CONTENT_EXPONENT) + LABEL_WEIGHT * ~np.isnan(votes))[chosen]
        )
    return TrainingTable(np.concatenate(x), np.concatenate(y), np.concatenate(weight))


def fit(examples: Sequence[SeekerExample], settings: TreeSettings = TreeSettings()) -> Classifiers:
    """The two trees of one page type."""
    return Classifiers(
        _tree(training_table(examples, "segment"), settings.segment_leaf / len(examples), settings),
        _tree(training_table(examples, "content"), settings.content_leaf / len(examples), settings),
    )


def _tree(examples: TrainingTable, leaf: float, settings: TreeSettings) -> Tree:
    try:
        from sklearn.tree import DecisionTreeClassifier
    except ImportError as missing:
        raise MissingExtra("training needs scikit-learn: pip install 'thresher[learn]'") from missing
    if len(examples.y) > settings.most:
        examples = _drawn(examples, settings)
    learner = DecisionTreeClassifier(
        max_depth=settings.depth, min_weight_fraction_leaf=min(leaf, 0.25), random_state=settings.seed
    )
    return exported(learner.fit(examples.x, examples.y, sample_weight=examples.weight + _MIN_WEIGHT))


def _drawn(examples: TrainingTable, settings: TreeSettings) -> TrainingTable:
    """Examples drawn without replacement, chances by weight (log weight plus Gumbel noise, the highest win)."""
    noise = np.random.default_rng(settings.seed).gumbel(size=len(examples.y))
    drawn = examples.only(np.argsort(-(np.log(examples.weight + _MIN_WEIGHT) + noise))[: settings.most])
    return TrainingTable(drawn.x, drawn.y, np.ones(len(drawn.y)))


def exported(learner: Any) -> Tree:
    """A fitted tree of scikit-learn as arrays."""
    inside = learner.tree_
    leaf = inside.children_left < 0
    share = inside.value[:, 0, :]
    positive = np.flatnonzero(learner.classes_)
    value = share[:, positive].sum(axis=1) / np.maximum(share.sum(axis=1), 1e-300)
    missing = inside.missing_go_to_left
    return Tree(
        feature=np.where(leaf, -1, inside.feature).astype(np.int16),
        threshold=np.where(leaf, 0.0, inside.threshold).astype(np.float64),
        left=np.where(leaf, 0, inside.children_left).astype(np.int32),
        right=np.where(leaf, 0, inside.children_right).astype(np.int32),
        missing_left=np.asarray(missing).astype(np.bool_),
        value=value.clip(0, 1),
    )
