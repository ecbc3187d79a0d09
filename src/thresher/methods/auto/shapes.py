"""What the arrays of a model must be: a file that is none says so when it is read, and not on some page in the middle.

A shape is numbers and letters; a letter is the same number wherever it stands.  Values are small, so that no sum of
products leaves the range of 32-bit numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.names import BAGS, ROWS
from thresher.methods.auto.network import DILATIONS, POOLS
from thresher.methods.auto.page_type import TYPES
from thresher.page.types import Singles

__all__ = ["check"]

_F, _T = len(FEATURES), len(TYPES)
_LAYER: dict[str, tuple[int | str, ...]] = {
    "w": ("surroundings", "h"), "pool": ("h", "pool"), "page": ("h", "h"), "b": ("h",), "types": (_T, "h"),
}  # fmt: skip
_SHAPES: dict[str, tuple[int | str, ...]] = {
    "names": (ROWS, "n"), "words": (BUCKETS, "w"), "headings": (BUCKETS, "under"), "claims": (BUCKETS, "q"),
    "in.w": ("x", "h"), "in.page": ("q", "h"), "in.b": ("h",), "in.types": (_T, "h"),
    **{f"layer{k}.{name}": shape for k in range(len(DILATIONS)) for name, shape in _LAYER.items()},
    "out.w": ("h",), "out.b": (1,), "out.types": (_T, "h"), "out.types_b": (_T,),
    "low": (_F,), "high": (_F,), "type.middle": (5 * _F,), "type.spread": (5 * _F,), "type.numbers": (5 * _F, _T),
    "type.meta": (BUCKETS, _T), "type.url": (BUCKETS, _T), "type.names": (ROWS, _T), "type.words": (BUCKETS, _T),
    "type.b": (_T,), "typical": ("x",), "typical.page": ("q",), "typical.types": (_T,),
    "expected": ("points",), "observed": ("points",),
}  # fmt: skip
_MAX = 100.0  # trained values are below ten


def check(model: Mapping[str, Singles]) -> None:
    """Raise ValueError for arrays that are not a model's; KeyError where one is missing."""
    size: dict[str, int] = {}
    for name, shape in _SHAPES.items():
        array = model[name]
        wanted = tuple(one if isinstance(one, int) else size.get(one) for one in shape)
        if array.ndim != len(shape) or any(w not in (None, n) for w, n in zip(wanted, array.shape, strict=True)):
            raise ValueError(f"{name} has another shape; perhaps it was made by an earlier version")
        size.update((one, n) for one, n in zip(shape, array.shape, strict=True) if isinstance(one, str))
        if not (np.abs(array) <= _MAX).all():
            raise ValueError(f"not all of {name} are numbers that training gives")
    inputs = _F + len(BAGS) * size["n"] + size["w"] + size["under"]
    surroundings = 3 * size["h"] + (len(POOLS) + 1) * size["pool"]
    if (size["x"], size["surroundings"], size["q"] % 2) != (inputs, surroundings, 0) or not size["points"]:
        raise ValueError("its arrays do not fit one another")
    rising = (np.diff(model["expected"]) >= 0).all()
    if not rising or not (model["type.spread"] > 0).all():
        raise ValueError("its arrays are not what training gives")
