"""Files by path or URL: local ones by the system, all others (s3://, gs://, hdfs://, https://, …) by fsspec."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit

from thresher.errors import MissingExtra

__all__ = ["PRIVATE", "expand", "filesystem", "is_folder", "is_remote", "local", "open_binary", "size_of", "walk"]

PRIVATE = "_thresher"  # what is ours in an output folder; readers of data sets skip names with an underscore
_REMOTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*(?:://|::)")
_MAGIC = re.compile(r"[*?[]")


def is_remote(path: str) -> bool:
    """Whether fsspec has to open it."""
    return _REMOTE.match(path) is not None


def local(path: str) -> str:
    """`file://` URLs as the paths they are."""
    return unquote(urlsplit(path).path) if path.startswith("file://") else path


def filesystem(path: str) -> tuple[Any, str]:
    """fsspec's file system for a URL, and the path in it."""
    try:
        import fsspec
    except ImportError as missing:
        raise MissingExtra(f"{path} is opened by fsspec: pip install 'thresher[batch]'") from missing
    try:
        filesystem_and_path: tuple[Any, str] = fsspec.core.url_to_fs(path)
    except ImportError as missing:  # fsspec is there, but s3fs, gcsfs, … is not; its message names it
        raise MissingExtra(f"{path}: {missing}") from missing
    return filesystem_and_path


def open_binary(path: str) -> BinaryIO:
    """A seekable file."""
    if is_remote(path):
        fs, inside = filesystem(path)
        return cast(BinaryIO, fs.open(inside, "rb"))
    return open(path, "rb")


def size_of(path: str) -> int:
    """In bytes."""
    if is_remote(path):
        fs, inside = filesystem(path)
        try:
            size = fs.size(inside)
        except (OSError, ImportError):
            raise
        except Exception as error:  # of the library below: a server that refuses, say
            raise OSError(str(error)) from error
        if size is None:
            raise OSError("the server does not say how long it is")
        return int(size)
    return os.stat(path).st_size


def is_folder(path: str) -> bool:
    if is_remote(path):
        fs, inside = filesystem(path)
        return bool(fs.isdir(inside))
    return os.path.isdir(path)


def expand(pattern: str) -> list[str]:
    """The paths that match a pattern, sorted; a path without wildcards, or one that exists as it is, is itself."""
    if not _MAGIC.search(pattern):
        return [pattern]
    if is_remote(pattern):
        fs, inside = filesystem(pattern)
        return sorted(str(fs.unstrip_protocol(match)) for match in fs.glob(inside))
    return [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))


def walk(folder: str) -> Iterator[str]:
    """Every file below a folder, sorted; hidden ones and what earlier runs wrote there are left out."""
    if is_remote(folder):
        fs, inside = filesystem(folder)
        paths = fs.find(inside)
        written = tuple({path.partition(f"/{PRIVATE}/")[0] + "/" for path in paths if f"/{PRIVATE}/" in path})
        yield from sorted(str(fs.unstrip_protocol(path)) for path in paths if not path.startswith(written or "\0"))
        return
    for path, folders, names in os.walk(folder):
        if PRIVATE in folders:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (str(Path(path) / name) for name in sorted(names) if not name.startswith("."))
