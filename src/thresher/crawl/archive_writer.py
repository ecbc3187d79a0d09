"""The files of a crawl: WARC 1.1 with one gzip member a record, and a JSON line about each record.

    pages-00000.warc.gz   warcinfo, then a response record for every page or file that came back, whatever its status
    index.jsonl           url, final_url, status, content_type, encoding, bytes, title, depth, referrer, time, digest,
                          and where the record is: warc, offset, length

Files only grow.  What is written is good once the state of the crawl says so (`frontier`): when a crawl starts, what
stands behind that is cut off, be it half a record or a whole one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from thresher import __version__
from thresher.errors import SiteError
from thresher.warc.writer import digest, info_record, response_record

if TYPE_CHECKING:
    from thresher.http.response import Response

__all__ = ["INDEX", "ArchiveWriter", "RecordLocation"]

INDEX = "index.jsonl"
_MAX_FILE_BYTES = 1_000_000_000  # then a new file is begun


@dataclass(frozen=True, slots=True)
class RecordLocation:
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
        for path in (*folder.glob("pages-*.warc.gz"), folder / INDEX):
            _cut(path, self.sizes.get(path.name, 0))
        self._number = max(0, sum(name.startswith("pages-") for name in self.sizes) - 1)
        self._files: dict[str, BinaryIO] = {}

    def add(self, url: str, response: Response, time: str) -> RecordLocation:
        """Write a response; `time` is when it was asked for, as in 2024-05-17T12:30:00Z."""
        name = f"pages-{self._number:05d}.warc.gz"
        if self.sizes.get(name, 0) > _MAX_FILE_BYTES:
            self._number += 1
            name = f"pages-{self._number:05d}.warc.gz"
        start = b"" if self.sizes.get(name) else info_record(name, {**_SOFTWARE, **self._about}, time)
        record = response_record(url, response, time)
        offset = self.sizes.get(name, 0) + len(start)
        self._append(name, start + record)
        return RecordLocation(name, offset, len(record), digest(response.body))

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


def _cut(path: Path, size: int) -> None:
    """Cut a file to what is good of it."""
    actual = path.stat().st_size if path.exists() else 0
    if actual < size:
        raise SiteError(
            f"{path} is shorter than the crawl left it: put the whole file back, or crawl into another folder"
        )
    if actual > size:
        os.truncate(path, size)
