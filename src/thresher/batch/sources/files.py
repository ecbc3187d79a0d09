"""Pages in files of their own, plain or gzipped."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from thresher.batch.files import open_binary
from thresher.batch.record import PageRecord, derived_id
from thresher.batch.sources.source import PageSource
from thresher.warc.reader import MAX_RECORD_BYTES

__all__ = ["FileSource"]


class FileSource(PageSource):
    """Files, one page each."""

    def records(self) -> Iterator[PageRecord]:
        for position, path in self.piece.items:
            yield self._record(position, path)

    def _record(self, position: str, path: str) -> PageRecord:
        id = derived_id(path, position)
        try:
            with open_binary(path) as file:
                body, warnings = _content(file, path)
                self.read += file.tell()  # of the file, not of what is packed in it: the progress counts files
        except (OSError, EOFError, zlib.error) as error:
            return PageRecord(id, path, position, error=f"unreadable: {getattr(error, 'strerror', None) or error}")
        return PageRecord(id, path, position, body, warnings=warnings)


def _content(file: BinaryIO, path: str) -> tuple[bytes, tuple[str, ...]]:
    opened = gzip.GzipFile(fileobj=file) if path.endswith(".gz") else file
    body = opened.read(MAX_RECORD_BYTES)
    cut = len(body) == MAX_RECORD_BYTES and bool(opened.read(1))
    return body, (f"truncated: only the first {MAX_RECORD_BYTES:,} bytes were read",) if cut else ()
