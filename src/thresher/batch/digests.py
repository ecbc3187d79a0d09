"""What the inputs of a run hold, as digests: a file that was edited is another input, even if it has kept its size.

Local files are read whole, once: a digest is kept in the output folder and holds as long as the file has the same size,
times and inode.  Far away one does not read: there the file system's own mark counts (an ETag, a time).
"""

from __future__ import annotations

import hashlib
import json
import os
import time

from thresher.batch.files import PRIVATE, filesystem, is_remote
from thresher.batch.store import OutputStore

__all__ = ["Digests"]

_NAME = f"{PRIVATE}/inputs.jsonl"
_PIECE_BYTES = 1 << 20
_SETTLED_SECONDS = 2.0  # a file that changed just now may change again within one tick of its clock

# What fsspec's file systems call a digest of a file, or the time of its last change; not that of the last access.
_REMOTE_MARKS = (
    "ETag",
    "etag",
    "md5Hash",
    "content_md5",
    "checksum",
    "mtime",
    "LastModified",
    "last_modified",
    "updated",
)

_Stamp = tuple[int, int, int, int]


class Digests:
    """Digests of files, some of them known from an earlier run."""

    def __init__(self, store: OutputStore) -> None:
        self._store = store
        self._known: dict[str, tuple[_Stamp, str]] = {}
        self._fresh = False
        if store.exists(_NAME):
            for line in store.read(_NAME).splitlines():
                try:
                    path, stamp, digest = json.loads(line)
                    self._known[path] = tuple(stamp), digest
                except (ValueError, TypeError):
                    continue  # then the file is read again

    def of(self, path: str) -> str:
        """The digest of a file; empty when it cannot be read, which whoever reads its pages will say."""
        try:
            return _remote_mark(path) if is_remote(path) else self._of_local(path)
        except OSError:
            return ""

    def of_all(self, paths: list[str]) -> str:
        """One digest of several files."""
        return _short(hashlib.sha256("\n".join(map(self.of, paths)).encode()))

    def save(self) -> None:
        """Keep what is known for the next run."""
        if self._fresh:
            lines = (json.dumps([path, *known]) + "\n" for path, known in self._known.items())
            self._store.write(_NAME, "".join(lines).encode())
            self._fresh = False

    def _of_local(self, path: str) -> str:
        stamp = _stamp(path)
        known = self._known.get(path)
        if known and known[0] == stamp:
            return known[1]
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            while piece := file.read(_PIECE_BYTES):
                digest.update(piece)
        if time.time_ns() - max(stamp[1:3]) > _SETTLED_SECONDS * 1e9 and _stamp(path) == stamp:
            self._known[path] = stamp, _short(digest)
            self._fresh = True
        return _short(digest)


def _stamp(path: str) -> _Stamp:
    """What changes with every edit; the time of the last change cannot be set back as that of the content can."""
    about = os.stat(path)
    return about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino


def _remote_mark(path: str) -> str:
    fs, inside = filesystem(path)
    about = fs.info(inside)
    return _short(hashlib.sha256(repr([about[name] for name in _REMOTE_MARKS if name in about]).encode()))


def _short(digest: hashlib._Hash) -> str:
    return digest.hexdigest()[:32]
