"""The trained trees: two for each page type, plain arrays in an .npz file.

    features                                    the names of the columns they were trained on
    TYPE.segment.ARRAY, TYPE.content.ARRAY      the arrays of a tree (see trees)

The shipped ones are data/seeker.npz, with a card in data/seeker.json; they are read once, on first use.  Nothing in
such a file can run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.methods._models import Arrays, loader
from thresher.methods.seeker.features import FEATURES
from thresher.methods.seeker.trees import Tree
from thresher.methods.seeker.types import TYPES

__all__ = ["Classifiers", "Model", "load", "write"]


@dataclass(frozen=True, slots=True)
class Classifiers:
    """What is asked about the pages of one type."""

    segment: Tree  # is this element a good segment?
    content: Tree  # is this segment main content?


Model = Mapping[str, Classifiers]  # by page type


def _read(arrays: Arrays) -> Model:
    stored = arrays
    if tuple(stored["features"].tolist()) != FEATURES:
        raise ValueError("it was made for other features")
    types = [name for name in TYPES if f"{name}.segment.feature" in stored]
    if not types:
        raise ValueError("it has no trees")
    return {name: Classifiers(_tree(stored, f"{name}.segment"), _tree(stored, f"{name}.content")) for name in types}


# The trees in a file, or those that come with the package.
load: Callable[..., Model] = loader(_read, "thresher train seeker", shipped="data/seeker.npz")


def _tree(stored: Mapping[str, NDArray[Any]], prefix: str) -> Tree:
    own = {name.removeprefix(f"{prefix}."): array for name, array in stored.items() if name.startswith(f"{prefix}.")}
    return Tree.from_arrays(own, len(FEATURES))


def write(model: Model, target: Path) -> None:
    """The model as a file that `load` reads."""
    arrays: dict[str, Any] = {"features": np.array(FEATURES)}
    for name, trees in model.items():
        for part, tree in (("segment", trees.segment), ("content", trees.content)):
            arrays |= {f"{name}.{part}.{array}": column for array, column in tree.arrays().items()}
    np.savez_compressed(target, **arrays)
