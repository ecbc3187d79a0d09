"""Pages in WARC files (thresher.warc): responses and resources, each with what its record says of it."""

from __future__ import annotations

from collections.abc import Iterator

from thresher.batch.files import open_binary, size_of
from thresher.batch.record import PageRecord, derived_id
from thresher.batch.sources.source import PageSource
from thresher.http.media_types import media_type
from thresher.warc.http import ArchivedResponse, is_html, parse_response
from thresher.warc.members import open_stream
from thresher.warc.reader import Headers, WarcReader, WarcRecord
from thresher.warc.streams import Position

__all__ = ["ArchiveSource"]


class ArchiveSource(PageSource):
    """WARC: responses and resources that hold HTML, or everything that was fetched."""

    _refused: str | None = None  # what the response is that `_wants` was asked about, if it is not wanted

    def records(self) -> Iterator[PageRecord]:
        piece = self.piece
        with open_binary(piece.source) as file:
            size = size_of(piece.source)
            stream = open_stream(file, size, piece.source)
            begin = Position(*piece.begin) if piece.begin else stream.find(piece.start, piece.stop)
            if begin is None:  # a record that began before covers all of this slice
                return
            reader = WarcReader(stream, begin, piece.stop)
            for block in reader.records(self._wants):
                self.read = block.position.member - piece.start
                kind = self._kind(block.headers)
                if kind:
                    self.skipped[kind] += 1
                    continue
                record = self._record(block)
                if isinstance(record, str):
                    self.skipped[record] += 1
                else:
                    yield record
            self.begin, self.next = begin, reader.next
            self.damage = sorted([*reader.damage, *reader.wrong_lengths], key=lambda damage: damage.start)

    def _kind(self, headers: Headers) -> str | None:
        """What a record is that cannot hold a page."""
        kind = headers.get("warc-type", "").lower()
        if kind in ("response", "resource"):
            return None
        return kind or "no type"

    def _wants(self, headers: Headers, start: bytes) -> bool:
        self._refused = self._kind(headers) or self._unwanted(headers, start)
        return self._refused is None

    def _unwanted(self, headers: Headers, block: bytes) -> str | None:
        """The media type of a response that is no HTML; the header decides, or the archive's own look at it."""
        if self.job.include == "all":
            return None
        if headers.get("content-type", "").lower().startswith("text/dns") or _is_dns(headers):
            return "dns"
        response = parse_response(block)
        content_type = _content_type(headers, response)
        identified = headers.get("warc-identified-payload-type")
        if is_html(content_type, block[response.body_at : response.body_at + 256]) or (
            identified and is_html(identified, b"")
        ):
            return None
        return media_type(content_type) or "no media type"

    def _record(self, block: WarcRecord) -> PageRecord | str:
        headers, position = block.headers, _position_text(block.position)
        response = parse_response(block.content)
        problem = block.problem
        damaged = problem is not None and problem.code == "damaged"
        if damaged:
            identified = headers.get("warc-identified-payload-type")
            unwanted = (
                media_type(identified)
                if identified and self.job.include == "html" and not is_html(identified, b"")
                else None
            )
        else:
            unwanted = self._refused if block.length else self._unwanted(headers, b"")
        if unwanted:
            return unwanted
        warnings = [str(problem)] if problem and not damaged else []
        if "warc-truncated" in headers:
            warnings.append(f"truncated: the crawler cut the page off ({headers['warc-truncated'][:40]})")
        if block.length > len(block.content) and not damaged:
            warnings.append(f"truncated: only {len(block.content):,} of {block.length:,} bytes were read")
        return PageRecord(
            id=headers.get("warc-record-id") or derived_id(self.piece.source, position),
            source=self.piece.source,
            position=position,
            body=block.content[response.body_at :],
            url=headers.get("warc-target-uri", "").strip("<> ") or None,
            date=headers.get("warc-date") or None,
            http_status=response.status,
            content_type=_content_type(headers, response),
            codings=response.codings,
            http_length=response.length,
            warnings=tuple(warnings),
            error=str(problem) if damaged else None,
        )


def _content_type(headers: Headers, response: ArchivedResponse) -> str | None:
    """Of the page: a resource stands in its record without a server's headers, and the record's own say what it is."""
    resource = headers.get("warc-type", "").lower() == "resource"
    return (headers if resource else response.headers).get("content-type")


def _is_dns(headers: Headers) -> bool:
    return headers.get("warc-target-uri", "").lower().strip("<").startswith("dns:")


def _position_text(position: Position) -> str:
    return f"{position.member}+{position.inner}" if position.inner else str(position.member)
