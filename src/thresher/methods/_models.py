"""Models are .npz files: arrays, nothing that can run.  Objects, which numpy would unpickle, are refused.

A file can claim anything: the size of an array is compared with what is there before it gets memory, and NaN, which
would spoil every score without an error, is refused.
"""

from __future__ import annotations

import math
import re
import stat
from collections.abc import Callable, Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import compress
from zlib import error as ZlibError

import numpy as np
from numpy.typing import NDArray

from thresher.errors import NeedsModel

__all__ = ["Arrays", "loader", "write_arrays"]

Arrays = Mapping[str, NDArray[Any]]
Model = TypeVar("Model")
_MAX_FILE_BYTES = 200_000_000
_MAX_ARRAY_BYTES = 500_000_000  # of all arrays of a file
_PACKAGE = Path(__file__).parents[1]
# As numpy writes it, before arrays of numbers and names; no objects, which it would unpickle.
_HEADER = re.compile(
    rb"\x93NUMPY\x01\0..\{'descr': '([<>|=]?[biufU]\d+)', 'fortran_order': (True|False), 'shape': \(([\d, ]*)\), \} *"
    rb"\n",
    re.DOTALL,
)
_COMPRESSED = 0.6  # of its size, at most
_MAX_CACHED = 8  # models of a kind in memory


def loader(read: Callable[[Arrays], Model], command: str, shipped: str = "") -> Callable[[str], Model]:
    """A function from the name of a file to the model in it: what `read` makes of its arrays.

    A file is read once, and again when it has changed.  Without a name it is the one that is `shipped` in the package.
    NeedsModel, with the command that makes such a file, where there is none or it holds something else.
    """

    @lru_cache(_MAX_CACHED)
    def kept(file: str, changed: int, size: int) -> Model:
        if size > _MAX_FILE_BYTES:
            raise ValueError("it is too large")
        return read(_arrays((Path(file) if file else _PACKAGE / shipped).read_bytes()))

    def load(file: str = "") -> Model:
        try:
            if not file and shipped:
                return kept("", 0, 0)
            about = Path(file).stat()
            if not stat.S_ISREG(about.st_mode):  # a device or a pipe has no end
                raise ValueError("it is no file")
            return kept(file, about.st_mtime_ns, about.st_size)
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, ZlibError) as reason:
            raise NeedsModel(f"{file or shipped} holds no model ({reason}); make one with `{command}`") from None

    return load


def write_arrays(target: Path, arrays: Arrays) -> None:
    """Arrays as a file, compressed where that makes much of a difference: what is random is read faster as it is."""
    with ZipFile(target, "w") as archive:
        for name, value in arrays.items():
            file = BytesIO()
            np.save(file, value)
            data = file.getvalue()
            pays = len(compress(data)) <= _COMPRESSED * len(data)
            archive.writestr(ZipInfo(f"{name}.npy"), data, ZIP_DEFLATED if pays else ZIP_STORED)


def _arrays(data: bytes) -> Arrays:
    if not data.startswith(b"PK"):
        raise ValueError("it is no .npz file")
    with ZipFile(BytesIO(data)) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > _MAX_ARRAY_BYTES:
            raise ValueError("its arrays are too large")
        return {member.filename.removesuffix(".npy"): _array(archive.read(member)) for member in members}


def _array(data: bytes) -> NDArray[Any]:
    header = _HEADER.match(data)
    if header is None:
        raise ValueError("its arrays are none of numbers or names")
    dtype = np.dtype(header[1].decode())
    shape = tuple(map(int, header[3].replace(b",", b" ").split()))
    if math.prod(shape) * dtype.itemsize != len(data) - header.end():
        raise ValueError("its arrays are not what their headers say")
    array: NDArray[Any] = np.frombuffer(data, dtype, offset=header.end()).reshape(
        shape, order="F" if header[2] == b"True" else "C"
    )
    if dtype.kind == "f" and np.isnan(array).any():
        raise ValueError("not all of it are numbers")
    return array
