"""Pages in tables: JSON lines and Parquet, with the HTML in one column, and perhaps id, url and date in others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

from thresher.batch.files import open_binary, size_of
from thresher.batch.record import PageRecord, derived_id
from thresher.batch.sources.source import PageSource
from thresher.errors import MissingExtra
from thresher.parse.limits import LIMITS
from thresher.warc.members import open_stream
from thresher.warc.reader import Damage
from thresher.warc.streams import BrokenMember, Stream

__all__ = ["PAGE_COLUMNS", "JsonLinesSource", "ParquetSource", "record_of"]

_MAX_LINE_BYTES = 4 * LIMITS.bytes  # bytes; escapes can make six of one
_ROWS_AT_A_TIME = 64  # of a Parquet file decoded at once
_URL, _DATE, _ID = ("url", "uri", "target_uri"), ("date", "timestamp", "crawl_date"), ("id", "record_id")
PAGE_COLUMNS = frozenset((*_URL, *_DATE, *_ID))  # what is read of a row beside its page


class JsonLinesSource(PageSource):
    """The lines that begin in the slice; a line that is no JSON object with a page is an error row."""

    def records(self) -> Iterator[PageRecord]:
        piece = self.piece
        with open_binary(piece.source) as file:
            stream = open_stream(file, size_of(piece.source), piece.source)
            for offset, line in self._lines(stream):
                if line is None:
                    id = derived_id(piece.source, str(offset))
                    yield PageRecord(
                        id, piece.source, str(offset), error=f"unreadable: the line exceeds {_MAX_LINE_BYTES:,} bytes"
                    )
                elif line.strip():
                    yield self._record(str(offset), line)

    def _lines(self, stream: Stream) -> Iterator[tuple[int, bytes | None]]:
        """Offset and content of each line; None for one that is too long to hold."""
        packed = stream.name != "plain"
        start, stop = (0, None) if packed else (self.piece.start, self.piece.stop)
        # A line belongs to the slice in which it begins: read from the byte before, up to the first line end.
        at = begin = max(start - 1, 0)
        inside = start > 0  # a line of the slice before
        pieces: list[bytes] = []
        length = 0
        for data in self._pieces(stream, at):
            *ends, rest = data.split(b"\n")
            for end in ends:
                if not inside:
                    if stop is not None and begin >= stop:
                        return
                    yield begin, b"".join((*pieces, end)) if length + len(end) <= _MAX_LINE_BYTES else None
                at += len(end) + 1
                pieces, length, begin, inside = [], 0, at, False
            at += len(rest)
            length += len(rest)
            if length <= _MAX_LINE_BYTES:
                pieces.append(rest)
            self.read = min(stream.end if packed else at - start, self.piece.size)
        if length and not inside and (stop is None or begin < stop):
            yield begin, b"".join(pieces) if length <= _MAX_LINE_BYTES else None

    def _pieces(self, stream: Stream, at: int) -> Iterator[bytes]:
        try:
            while stream.open(at):
                while piece := stream.read():
                    yield piece
                at = stream.end
        except BrokenMember as broken:
            # One stream of text, so there is nothing to begin again with behind the damage.
            self.damage.append(Damage(broken.offset, stream.size, broken.reason))

    def _record(self, position: str, line: bytes) -> PageRecord:
        source = self.piece.source
        try:
            values = json.loads(line)
            if not isinstance(values, dict):
                raise ValueError("it is no object")
        except (ValueError, RecursionError) as error:
            return PageRecord(
                derived_id(source, position), source, position, error=f"unreadable: no JSON line ({error})"
            )
        return record_of(values, source, position, self.job.html_column)


class ParquetSource(PageSource):
    """The rows of some row groups; a group that cannot be decoded gives an error row for each of its rows."""

    def records(self) -> Iterator[PageRecord]:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as missing:
            raise MissingExtra("reading Parquet needs pyarrow: pip install 'thresher[batch]'") from missing
        with open_binary(self.piece.source) as file:
            table = pyarrow.parquet.ParquetFile(file)
            names = set(table.schema_arrow.names) & {self.job.html_column, *PAGE_COLUMNS}
            sizes = [table.metadata.row_group(number).num_rows for number in range(self.piece.stop)]
            for group in range(self.piece.start, self.piece.stop):
                yield from self._group(
                    table, group, sorted(names), sum(sizes[:group]), sizes[group], pyarrow.ArrowException
                )
                self.read = self.piece.size * (group + 1 - self.piece.start) // (self.piece.stop - self.piece.start)

    def _group(
        self, table: Any, group: int, names: list[str], first: int, size: int, failure: type[Exception]
    ) -> Iterator[PageRecord]:
        source = self.piece.source
        done = 0
        try:
            for batch in table.iter_batches(_ROWS_AT_A_TIME, row_groups=[group], columns=names):
                for values in batch.to_pylist():
                    yield record_of(values, source, str(first + done), self.job.html_column)
                    done += 1
        except (failure, OSError) as error:
            for row in range(first + done, first + size):
                reason = f"damaged: row group {group} cannot be read ({error})"
                yield PageRecord(derived_id(source, str(row)), source, str(row), error=reason)


def record_of(values: dict[str, Any], source: str, position: str, html_column: str) -> PageRecord:
    """The record of one row of a table."""
    html = values.get(html_column)
    id = _first(values, _ID) or derived_id(source, position)
    url, day = _first(values, _URL), _first(values, _DATE)
    if not isinstance(html, (str, bytes)):
        reason = "is empty" if html_column in values else "is not there"
        return PageRecord(id, source, position, url=url, date=day, error=f"unreadable: column {html_column!r} {reason}")
    if isinstance(html, str):
        # Already text: no charset that the page declares is true any more.
        return PageRecord(
            id, source, position, html.encode("utf-8", "replace"), url, day, content_type="text/html; charset=utf-8"
        )
    return PageRecord(id, source, position, html, url, day)


def _first(values: dict[str, Any], names: tuple[str, ...]) -> str | None:
    value = next((values[name] for name in names if values.get(name) not in (None, "")), None)
    return None if value is None else value.isoformat() if isinstance(value, date) else str(value)
