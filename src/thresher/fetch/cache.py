"""Answers on disk, for those who ask for it: a folder with a file per address.

    FOLDER/3f/3fa9….page   =   "thresher page 1 DIGEST\\n"  a line of JSON  "\\n"  the decoded body

Files are written under another name and moved into place, so that readers and other processes see a whole file or none,
and the digest over the rest makes a damaged file a missing one.  Delete files, or the folder, whenever you like.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from thresher.fetch.freshness import is_storable
from thresher.http.response import Headers

__all__ = ["CachedResponse", "ResponseCache"]

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

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def load(self, url: str, asked: Mapping[str, str]) -> CachedResponse | None:
        """The stored answer for this address and these request headers, fresh or not."""
        try:
            entry = _decode(self._path(url).read_bytes())
        except (OSError, ValueError, KeyError, TypeError):  # not there, or damaged
            return None
        return entry if entry.url == url and entry.fits(asked) else None

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
        path = self._path(entry.url)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_encode(entry))
                os.replace(name, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(name)
                raise

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
