"""Saved pages of a site, read back: from the folder of a crawl, any crawler's WARC files, a folder of HTML files.

    for saved in pages("crawl"):              or "crawl/pages-00000.warc.gz", or "mirror/"
        page = thresher.parse(saved.html, url=saved.url, encoding=saved.encoding)

Of an archive come the HTML pages that were answered with 2xx, in the order in which they were saved, with their
transfer and content encodings undone.  An archive that ends in the middle of a record (a crawl was killed, or is still
running) gives what is whole.
"""

from __future__ import annotations

import gzip
import re
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

from thresher.errors import FetchError, MissingExtra, SiteError
from thresher.fetch.encodings import decoded, layers
from thresher.fetch.response import Headers, Response
from thresher.limits import LIMITS
from thresher.sniff import not_html

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

__all__ = ["HTML_TYPES", "SavedPage", "pages"]

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_ENDINGS = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
_NOWHERE = "http://site.invalid/"  # a folder does not say where its pages come from
_HEADER_BYTES = 1 << 20
_LARGEST = LIMITS.bytes + _HEADER_BYTES  # what is longer is cut, with a word, by `parse`
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(r"HTTP/[0-9.]+ +([0-9]{3})\b")
_PIECE = 1 << 20
_RECORD = re.compile(rb"\x1f\x8b\x08|WARC/1\.")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,1000}\r?\n")


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page as it was fetched: its address, its bytes, and the charset that came with it."""

    url: str
    html: bytes = field(repr=False)
    encoding: str | None = None


def pages(path: str | Path, root: str | None = None) -> Iterator[SavedPage]:
    """The pages in a crawl's folder, a .warc or .warc.gz file, or a folder of HTML files.

    `root` is the address of a folder of HTML files: `a/b.html` in it comes from `root` + `a/b.html`.
    SiteError if there is nothing of the kind.
    """
    path = Path(path)
    if path.is_file():
        return _archived(path)
    if not path.is_dir():
        raise SiteError(f"there is no file or folder {path}")
    archives = sorted(file for file in path.iterdir() if file.name.endswith((".warc", ".warc.gz")))
    if archives:
        return (page for archive in archives for page in _archived(archive))
    files = sorted(file for file in path.rglob("*") if file.name.lower().endswith(_ENDINGS) and file.is_file())
    if not files:
        raise SiteError(f"{path} holds neither WARC files nor HTML files")
    return _filed(path, files, root or _NOWHERE)


def _filed(folder: Path, files: list[Path], root: str) -> Iterator[SavedPage]:
    for file in files:
        data = file.read_bytes()
        name = file.relative_to(folder).as_posix()
        if name.lower().endswith(".gz"):
            name = name[:-3]
            try:
                data = gzip.decompress(data)
            except (OSError, EOFError, zlib.error) as error:
                raise SiteError(f"{file} is no whole gzip file ({error}); take it out of the folder") from None
        yield SavedPage(root.rstrip("/") + "/" + quote(name), data)


def _archived(path: Path) -> Iterator[SavedPage]:
    for record in _records(path):
        url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
        if not url.startswith(("http://", "https://")):
            continue
        try:
            block = record.reader.read(_LARGEST)
        except OSError:
            continue  # the next record shows where it goes on
        if "Content-Length" not in record.headers or len(block) < min(record.content_length, _LARGEST):
            return  # the archive ends in the middle of this record
        saved = _response(url, block) if record.is_http else _resource(url, block, record.headers.get("Content-Type"))
        # A PDF is no page, even if its header says so.
        if saved.ok and saved.content_type in {None, *HTML_TYPES} and not not_html(saved.body):
            yield SavedPage(url, saved.body, saved.encoding)


def _resource(url: str, body: bytes, kind: str | None) -> Response:
    headers = Headers([("Content-Type", kind)] if kind else [])
    return Response(url=url, requested_url=url, status=200, headers=headers, body=body)


def _response(url: str, block: bytes) -> Response:
    """An answer as it went over the line: status and headers, an empty line, the body with its encodings."""
    end = _EMPTY_LINE.search(block)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block, b"")
    first, *lines = head.decode("latin-1").splitlines() or [""]
    headers = Headers((name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines))
    status = _STATUS.match(first)
    body = _decoded(body, headers.get("transfer-encoding", ""), headers.get("content-encoding", ""))
    return Response(
        url=url,
        requested_url=url,
        status=int(status[1]) if status else 0,
        headers=headers,
        body=body[: LIMITS.bytes + 1],
    )


def _records(path: Path) -> Iterator[WarcRecord]:
    """The responses and resources of an archive; damaged records are passed over, with a warning."""
    try:
        with warnings.catch_warnings():  # of its own module for old names, which is no news to users
            warnings.simplefilter("ignore", DeprecationWarning)
            from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError as missing:
        raise MissingExtra("reading archives needs: pip install 'thresher[site]'") from missing
    with path.open("rb") as stream:
        start = stream.read(5)
        if start and not start.startswith((b"WARC/", b"\x1f\x8b")):
            raise SiteError(f"{path} is no WARC file; to extract from a page, use: thresher extract {path.name}")
        wanted = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.warcinfo
        position: int | None = 0
        broken = ""
        while position is not None:
            stream.seek(position)
            try:
                for record in ArchiveIterator(stream, wanted, parse_http=False, max_header_len=_HEADER_BYTES):
                    if broken:  # and not just the end of a file that was cut off
                        warnings.warn(f"{path} is damaged {broken}; going on behind it", stacklevel=2)
                        broken = ""
                    position = record.stream_pos
                    if record.record_type != WarcRecordType.warcinfo:
                        yield record
                return
            except OSError as error:
                broken = f"after byte {position:,} ({error})"
                position = _next_record(stream, position + 1)


def _next_record(stream: BinaryIO, position: int) -> int | None:
    """Where the next record starts that can be told as one; None if there is none."""
    while True:
        stream.seek(position)
        piece = stream.read(_PIECE)
        if len(piece) < 5:
            return None
        for match in _RECORD.finditer(piece):
            there = piece[match.start() : match.start() + 512]
            try:
                start = zlib.decompressobj(wbits=31).decompress(there) if there[0] == 0x1F else there
            except zlib.error:
                continue
            if start.startswith(b"WARC/1."):
                return position + match.start()
        position += max(len(piece) - 600, 1)  # a record may start at the very end of the piece


def _decoded(body: bytes, transfer: str, content: str) -> bytes:
    """The body without its encodings; as it is where it is not encoded as its headers say."""
    if "chunked" in transfer.lower():
        body = _unchunked(body)
    if content:
        try:
            return b"".join(decoded([body], layers(content), LIMITS.bytes, lambda: None))
        except FetchError:
            pass  # many archives hold the decoded body under the headers of the encoded one
    return body


def _unchunked(body: bytes) -> bytes:
    pieces: list[bytes] = []
    at = 0
    while size := _CHUNK.match(body, at):
        length = int(size[1], 16)
        if not length:
            return b"".join(pieces)
        pieces.append(body[size.end() : size.end() + length])
        at = size.end() + length + 2
    return b"".join(pieces) or body
