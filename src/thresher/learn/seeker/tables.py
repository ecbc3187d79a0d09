"""Tables 2 and 3 of paper 000: how well four learners tell good segments and content, cross-validated.

The instances are what a person who walks down the page would label: for segments the elements met on the way to the
best segmentation, for content its segments; a random `INSTANCES` of each, as many as the paper had.  Every instance
counts the same here.  Folds are split by site, or, as WEKA does it, by drawing instances of each class (`by_site`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thresher.learn.seeker.examples import SeekerExample
from thresher.learn.seeker.learners import LEARNERS, predicted
from thresher.learn.seeker.splits import fold_of_sites
from thresher.page.types import Bools, Rows, Singles

__all__ = ["INSTANCES", "ClassScores", "Question", "cross_validated"]

INSTANCES = 2000
Question = Literal["segment", "content"]


@dataclass(frozen=True, slots=True)
class ClassScores:
    """One line of a table: the positive class is "good segment" or "content"."""

    precision: float
    recall: float
    f1: float


def cross_validated(
    examples: Sequence[SeekerExample],
    question: Question,
    folds: int = 10,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
    by_site: bool = True,
) -> Mapping[str, ClassScores]:
    """Precision, recall and F1 of each learner; `progress` hears of each learner that is done."""
    x, y, fold = _instances(examples, question, folds, seed)
    if not by_site:
        fold = _stratified(y, folds, seed)
    rows = {}
    for name in LEARNERS:
        answers = np.zeros(len(y), bool)
        for k in range(folds):
            inside, outside = fold != k, fold == k
            if outside.any() and inside.any():
                answers[outside] = predicted(name, seed, x[inside], y[inside], x[outside])
        rows[name] = _class_scores(answers, y)
        progress()
    return rows


def _instances(
    examples: Sequence[SeekerExample], question: Question, folds: int, seed: int
) -> tuple[Singles, Bools, Rows]:
    """Features, answers and folds of the instances."""
    fold_of = fold_of_sites([one.site for one in examples], folds, seed)
    x, y, fold = [], [], []
    for one in examples:
        end = np.where(one.good, one.end, 0)
        met = np.concatenate(([0], np.maximum.accumulate(end)[:-1])) <= one.row
        chosen = one.known & met & (~one.leaf if question == "segment" else one.good)
        x.append(one.x[chosen])
        y.append((one.good if question == "segment" else one.content)[chosen])
        fold.append(np.full(int(chosen.sum()), fold_of[one.site]))
    some = np.random.default_rng(seed).permutation(sum(map(len, y)))[:INSTANCES]
    return np.concatenate(x)[some], np.concatenate(y)[some], np.concatenate(fold)[some]


def _stratified(y: Bools, folds: int, seed: int) -> Rows:
    """A fold for each instance, those of a class spread evenly over the folds."""
    fold = np.zeros(len(y), np.intp)
    for answer in (False, True):
        rows = np.random.default_rng(seed).permutation(np.flatnonzero(y == answer))
        fold[rows] = np.arange(len(rows)) % folds
    return fold


def _class_scores(answers: Bools, y: Bools) -> ClassScores:
    hits = int((answers & y).sum())
    precision, recall = hits / max(int(answers.sum()), 1), hits / max(int(y.sum()), 1)
    return ClassScores(precision, recall, 2 * hits / max(int(answers.sum()) + int(y.sum()), 1))
