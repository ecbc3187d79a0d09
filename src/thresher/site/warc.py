"""The files of a crawl: WARC 1.1 with one gzip member a record, and a JSON line about each record.

    pages-00000.warc.gz   warcinfo, then a response record for every page or file that came back, whatever its status
    index.jsonl           url, final_url, status, content_type, encoding, bytes, title, depth, referrer, time, digest,
                          and where the record is: warc, offset, length

Bodies are stored as they were understood, without content and transfer encodings: headers that speak of those are kept
under X-Archive-Orig-…, as other crawlers do it, and Content-Length is that of the stored body.

Files only grow.  What is written is good once the state of the crawl says so (`frontier`): when a crawl starts, what
stands behind that is cut off, be it half a record or a whole one.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from thresher import __version__
from thresher.errors import MissingExtra, SiteError

if TYPE_CHECKING:
    from thresher.fetch.response import Response

__all__ = ["INDEX", "ArchiveWriter", "Record"]

INDEX = "index.jsonl"
_LARGEST = 1_000_000_000  # bytes after which a new file is begun
_REPLACED = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_BREAKS = re.compile(r"[\r\n\0]+")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class Record:
    """Where a record stands."""

    warc: str  # name of the file
    offset: int
    length: int  # bytes of the gzip member
    digest: str  # of the body


class ArchiveWriter:
    """Appends records and index lines.  `sizes` is how much of each file is good, for the state to keep."""

    def __init__(self, folder: Path, sizes: Mapping[str, int], about: Mapping[str, str]) -> None:
        """Cut everything off that is not good; `about` goes into the first record of each file."""
        self.folder = folder
        self.sizes = {INDEX: 0, **sizes}
        self._about = about
        _warc_writer(BytesIO())  # what it needs is there, or we hear of it before anything is fetched
        for path in (*folder.glob("pages-*.warc.gz"), folder / INDEX):
            _cut(path, self.sizes.get(path.name, 0))
        self._number = max(0, sum(name.startswith("pages-") for name in self.sizes) - 1)
        self._files: dict[str, BinaryIO] = {}

    def add(self, url: str, response: Response, time: str) -> Record:
        """Write a response; `time` is when it was asked for, as in 2024-05-17T12:30:00Z."""
        name = f"pages-{self._number:05d}.warc.gz"
        if self.sizes.get(name, 0) > _LARGEST:
            self._number += 1
            name = f"pages-{self._number:05d}.warc.gz"
        buffer = BytesIO()
        writer = _warc_writer(buffer)
        if not self.sizes.get(name):
            writer.write_record(writer.create_warcinfo_record(name, {**_SOFTWARE, **self._about}))
        start = buffer.tell()
        record = writer.create_warc_record(
            url,
            "response",
            payload=BytesIO(response.body),
            length=len(response.body),
            http_headers=_http_headers(response),
            warc_headers_dict=_warc_headers(response, time),
        )
        writer.write_record(record)
        offset = self.sizes.get(name, 0) + start
        self._append(name, buffer.getvalue())
        return Record(name, offset, buffer.tell() - start, record.rec_headers.get_header("WARC-Payload-Digest"))

    def add_to_index(self, line: Mapping[str, Any]) -> None:
        """Write a line of the index.  ASCII, so that titles cannot harm the terminal on which it is shown."""
        self._append(INDEX, json.dumps(line).encode() + b"\n")

    def close(self) -> None:
        for file in self._files.values():
            file.close()

    def _append(self, name: str, data: bytes) -> None:
        if name not in self._files:
            self._files[name] = (self.folder / name).open("ab", buffering=0)
        file = self._files[name]
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]
        os.fsync(file.fileno())
        self.sizes[name] = self.sizes.get(name, 0) + len(data)


_SOFTWARE = {
    "software": f"thresher/{__version__}",
    "format": "WARC File Format 1.1",
    "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    "robots": "obey",
}


def _warc_writer(buffer: BytesIO) -> Any:
    try:
        from warcio.warcwriter import WARCWriter
    except ImportError as missing:
        raise MissingExtra("writing archives needs: pip install 'thresher[site]'") from missing
    return WARCWriter(buffer, gzip=True, warc_version="1.1")


def _http_headers(response: Response) -> Any:
    from warcio.statusandheaders import StatusAndHeaders

    headers = []
    for name, value in response.headers.pairs:
        value = _BREAKS.sub(" ", value).strip()
        if _NAME.fullmatch(name):
            headers.append((f"X-Archive-Orig-{name}" if name.lower() in _REPLACED else name, value))
    headers.append(("Content-Length", str(len(response.body))))
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = ""
    return StatusAndHeaders(f"{response.status} {phrase}".strip(), headers, protocol="HTTP/1.1")


def _warc_headers(response: Response, time: str) -> dict[str, str]:
    headers = {"WARC-Date": time}
    if response.address:
        headers["WARC-IP-Address"] = response.address
    if response.truncated:
        headers["WARC-Truncated"] = "disconnect"
    return headers


def _cut(path: Path, size: int) -> None:
    """Cut a file to what is good of it."""
    there = path.stat().st_size if path.exists() else 0
    if there < size:
        raise SiteError(
            f"{path} is shorter than the crawl left it: put the whole file back, or crawl into another folder"
        )
    if there > size:
        os.truncate(path, size)
