"""Models are .npz files: arrays, nothing that can run.  Objects, which numpy would unpickle, are refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TypeVar, cast
from zipfile import BadZipFile
from zlib import error as ZlibError

import numpy as np
from numpy.lib.npyio import NpzFile

from thresher.errors import NeedsModel

__all__ = ["loader"]

Model = TypeVar("Model")
_MAX_FILE_BYTES = 200_000_000  # bytes of a file
_MAX_CACHED = 8  # models of a kind in memory


def loader(read: Callable[[NpzFile], Model], command: str, shipped: str = "") -> Callable[[str], Model]:
    """A function from the name of a file to the model in it: what `read` makes of its arrays.

    A file is read once, and again when it has changed.  Without a name it is the one that is `shipped` in the package.
    NeedsModel, with the command that makes such a file, where there is none or it holds something else.
    """

    @lru_cache(_MAX_CACHED)
    def kept(file: str, changed: int, size: int) -> Model:
        if size > _MAX_FILE_BYTES:
            raise ValueError("it is too large")
        with _opened(Path(file).read_bytes() if file else files("thresher").joinpath(shipped).read_bytes()) as arrays:
            return read(arrays)

    def load(file: str = "") -> Model:
        try:
            stamp = Path(file).stat() if file or not shipped else None
            return kept(file, stamp.st_mtime_ns, stamp.st_size) if stamp else kept("", 0, 0)
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, ZlibError) as reason:
            raise NeedsModel(f"{file or shipped} holds no model ({reason}); make one with `{command}`") from None

    return load


def _opened(data: bytes) -> NpzFile:
    if not data.startswith(b"PK"):  # numpy would take it for a pickle, and tell how to load that
        raise ValueError("it is no .npz file")
    return cast(NpzFile, np.load(BytesIO(data), allow_pickle=False))
