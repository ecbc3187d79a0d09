"""A decision tree as arrays, asked about all rows of a table at once.

Node k asks whether x[feature_k] ≤ threshold_k and sends the row left or right; a missing value (NaN) goes where
training saw it better off.  A leaf has feature -1 and the share of positive examples.  All rows walk together, one
level a step:

    node_i  ←  left[node_i] if x[i, feature[node_i]] ≤ threshold[node_i] else right[node_i]

so a table costs as many numpy steps as the tree is deep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Bools, Floats, Ints, Tags

__all__ = ["Question", "Tree"]

_ARRAYS = {
    "feature": np.int16, "threshold": np.float64, "left": np.int32, "right": np.int32, "missing_left": np.bool_,
    "value": np.float64,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """One question on the way to a leaf, and the answer."""

    feature: int
    threshold: float
    value: float
    smaller: bool  # the row went left
    before: float  # share of positive examples before the question
    after: float  # and after it


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """K nodes; node 0 is the root."""

    feature: Tags  # (K,)  -1: a leaf
    threshold: Floats
    left: Ints
    right: Ints
    missing_left: Bools
    value: Floats  # share of positive examples

    def __len__(self) -> int:
        return len(self.feature)

    def __call__(self, x: NDArray[Any]) -> Floats:
        """The probability of the positive class for each row."""
        node = np.zeros(len(x), np.intp)
        walking = np.flatnonzero(self.feature[node] >= 0)
        while len(walking):
            at = node[walking]
            node[walking] = np.where(self._smaller(x[walking, self.feature[at]], at), self.left[at], self.right[at])
            walking = walking[self.feature[node[walking]] >= 0]
        return self.value[node]

    def path(self, row: NDArray[Any]) -> Iterator[Question]:
        """The questions that one row was asked, from the root down."""
        node = 0
        while self.feature[node] >= 0:
            feature = int(self.feature[node])
            at = np.array([node])
            smaller = bool(self._smaller(row[[feature]], at)[0])
            below = int(self.left[node] if smaller else self.right[node])
            yield Question(
                feature,
                float(self.threshold[node]),
                float(row[feature]),
                smaller,
                float(self.value[node]),
                float(self.value[below]),
            )
            node = below

    def _smaller(self, value: NDArray[Any], node: NDArray[Any]) -> Bools:
        smaller: Bools = np.where(
            np.isnan(value), self.missing_left[node], value.astype(np.float64) <= self.threshold[node]
        )
        return smaller

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What `from_arrays` reads."""
        return {name: getattr(self, name) for name in _ARRAYS}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], features: int) -> Tree:
        """The tree in these arrays; ValueError where they are none.  A child comes after its parent, so every walk
        ends."""
        columns: dict[str, Any] = {}
        for name, kind in _ARRAYS.items():
            columns[name] = np.ascontiguousarray(arrays[name], kind)
            columns[name].setflags(write=False)
        tree = cls(**columns)
        size = len(tree)
        inner = np.flatnonzero(tree.feature >= 0)
        child = np.stack((tree.left[inner], tree.right[inner]))
        if (
            not size
            or any(column.shape != (size,) for column in columns.values())
            or (tree.feature >= features).any()
            or (child <= inner).any()
            or (child >= size).any()
            or not ((tree.value >= 0) & (tree.value <= 1)).all()
        ):
            raise ValueError("it holds no decision tree")
        return tree
