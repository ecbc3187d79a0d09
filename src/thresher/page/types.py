"""The arrays that columns are made of, by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Bits",
    "Bools",
    "Bytes",
    "Floats",
    "Ints",
    "LongBits",
    "Longs",
    "Numbers",
    "Rows",
    "Singles",
    "Tags",
    "Words",
]

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Tags = NDArray[np.int16]  # indices into TAGS
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Rows = NDArray[np.intp]  # indices, in the word size in which numpy is fastest at them
Bits = NDArray[np.uint32]  # a set of flags each
LongBits = NDArray[np.uint64]  # a larger one
Words = NDArray[np.uint64]  # eight bytes each
Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Numbers = NDArray[Any]
