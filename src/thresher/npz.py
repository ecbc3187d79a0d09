"""Models are .npz files: arrays, nothing that can run.  Objects, which numpy would unpickle, are refused."""

from __future__ import annotations

from io import BytesIO
from typing import cast

import numpy as np
from numpy.lib.npyio import NpzFile

__all__ = ["opened"]


def opened(data: bytes) -> NpzFile:
    """The arrays in the bytes of an .npz file; ValueError if they are none."""
    if not data.startswith(b"PK"):  # numpy would take it for a pickle, and tell how to load that
        raise ValueError("it is no .npz file")
    return cast(NpzFile, np.load(BytesIO(data), allow_pickle=False))
