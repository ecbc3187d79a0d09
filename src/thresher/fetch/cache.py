"""Answers on disk, for those who ask for it: a folder with a file per address.

    FOLDER/3f/3fa9….page   =   "thresher page 1 DIGEST\\n"  a line of JSON  "\\n"  the decoded body

Files are written under another name and moved into place, so that readers and other processes see a whole file or none,
and the digest over the rest makes a damaged file a missing one.  Delete files, or the folder, whenever you like.

The folder is kept below a size: the answers that were not used for longest go first.  The time of last use is that of
the file's last change.  Processes that share a folder each look again when they have added a twentieth of its size.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from thresher.fetch.freshness import is_storable
from thresher.http.response import Headers

__all__ = ["CachedResponse", "ResponseCache"]

_LOOK_AGAIN = 0.05  # of the size, added by this process: then what others added counts, too
_KEPT = 0.9  # of the size, after a sweep
_NAMES = re.compile(r"[0-9a-f]{64}\.page|tmp\w+\.part")

_MAGIC = b"thresher page 1 "
# Fields that belong to one transfer, or to one visitor, and not to the page.
_TRANSFER_FIELDS = frozenset(
    "connection keep-alive transfer-encoding trailer upgrade set-cookie content-length content-encoding".split()
)


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A stored answer."""

    url: str
    stored: float  # seconds since 1970
    headers: Headers
    body: bytes
    address: str | None
    asked: dict[str, str]  # the request's values of the headers in Vary

    def fits(self, asked: Mapping[str, str]) -> bool:
        """Whether it answers a request with these headers, too (names in lower case)."""
        return all(asked.get(name, "") == value for name, value in self.asked.items())

    def confirmed(self, headers: Headers) -> CachedResponse:
        """The same answer after the server said that it still holds (304), with the fields that it sent anew."""
        new = Headers((name, value) for name, value in headers.pairs if name not in _TRANSFER_FIELDS)
        kept = [(name, value) for name, value in self.headers.pairs if name not in new and name != "age"]
        return CachedResponse(self.url, time.time(), Headers((*kept, *new.pairs)), self.body, self.address, self.asked)


class ResponseCache:
    """A folder of stored answers.  Threads and processes may share it."""

    def __init__(self, folder: str | Path, max_bytes: int = 1 << 30) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._max_bytes = max_bytes
        self._added: float = max_bytes  # since the last look: there was none yet

    def load(self, url: str, asked: Mapping[str, str]) -> CachedResponse | None:
        """The stored answer for this address and these request headers, fresh or not."""
        path = self._path(url)
        try:
            entry = _decode(path.read_bytes())
        except (OSError, ValueError, KeyError, TypeError):  # not there, or damaged
            return None
        if entry.url != url or not entry.fits(asked):
            return None
        with suppress(OSError):
            os.utime(path)  # used just now
        return entry

    def store(self, url: str, headers: Headers, body: bytes, address: str | None, asked: Mapping[str, str]) -> None:
        """Keep an answer with status 200, if its headers allow it; otherwise forget the one that was kept."""
        if not is_storable(200, headers):
            with suppress(OSError):
                self._path(url).unlink()
            return
        names = [name.strip().lower() for name in headers.get("vary", "").split(",") if name.strip()]
        lasting = Headers((name, value) for name, value in headers.pairs if name not in _TRANSFER_FIELDS)
        varied = {name: asked.get(name, "") for name in names}
        self.put(CachedResponse(url, time.time(), lasting, body, address, varied))

    def put(self, entry: CachedResponse) -> None:
        """Write an entry.  A full or read-only disk is no reason to lose the page that was fetched."""
        path, data = self._path(entry.url), _encode(entry)
        if not self._make_room(len(data)):
            return
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                os.replace(name, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(name)
                raise

    def _make_room(self, size: int) -> bool:
        """Delete what was not used for longest; False for an answer that would fill the folder alone."""
        if size > self._max_bytes * _KEPT:
            return False
        self._added += size
        if self._added > self._max_bytes * _LOOK_AGAIN:
            self._added = size
            self._sweep(self._max_bytes - size)
        return True

    def _sweep(self, allowed: int) -> None:
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        margin = self._max_bytes * _LOOK_AGAIN  # what may be added before the next look
        if total <= allowed - margin:
            return
        for _, size, path in files:
            if total <= allowed * _KEPT:
                break
            with suppress(OSError):  # another process was faster
                os.unlink(path)
            total -= size

    def _files(self) -> Iterator[tuple[float, int, str]]:
        """Time of last use, size and path of every file of ours."""
        for group in self.folder.glob("[0-9a-f][0-9a-f]"):
            with suppress(OSError), os.scandir(group) as entries:
                for entry in entries:
                    if _NAMES.fullmatch(entry.name):
                        with suppress(OSError):
                            about = entry.stat(follow_symlinks=False)
                            yield about.st_mtime, about.st_size, entry.path

    def _path(self, url: str) -> Path:
        name = hashlib.sha256(url.encode()).hexdigest()
        return self.folder / name[:2] / f"{name}.page"


def _encode(entry: CachedResponse) -> bytes:
    facts = {"url": entry.url, "stored": entry.stored, "headers": entry.headers.pairs}
    facts |= {"address": entry.address, "asked": entry.asked}
    rest = json.dumps(facts).encode() + b"\n" + entry.body
    return _MAGIC + hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def _decode(data: bytes) -> CachedResponse:
    """ValueError, KeyError or TypeError if this is no whole entry."""
    mark, _, rest = data.partition(b"\n")
    if mark != _MAGIC + hashlib.sha256(rest).hexdigest().encode():
        raise ValueError("damaged")
    line, _, body = rest.partition(b"\n")
    facts = json.loads(line)
    headers = Headers((name, value) for name, value in facts["headers"])
    return CachedResponse(facts["url"], facts["stored"], headers, body, facts["address"], facts["asked"])
