"""Small WARC archives for the tests, made from nothing: records, members, and damage to them."""

from __future__ import annotations

import gzip
import io
import random
import re
import zlib
from collections.abc import Iterable, Sequence

from thresher.warc.members import open_stream
from thresher.warc.reader import WarcReader, WarcRecord
from thresher.warc.streams import Position

TEXT = (
    "The flail is two sticks and a strap, and with it a good thresher beats seven bushels of wheat out of the ears "
    "in a winter day, if the barn is dry and the sheaves lie well."
)


def page(number: int, paragraphs: int = 3) -> bytes:
    """An article with a menu and a footer around it; its number stands in every paragraph."""
    body = "".join(f"<p>Paragraph {i} of page {number}. {TEXT}</p>" for i in range(paragraphs))
    return (
        f"<!doctype html><html lang=en><head><title>Page {number}</title></head><body><nav><a href=/>Home</a> "
        f"<a href=/about>About us</a></nav><article><h1>Page {number}</h1>{body}</article>"
        "<footer>Copyright, all rights reserved. <a href=/imprint>Imprint</a></footer></body></html>"
    ).encode()


def response(body: bytes, headers: str = "Content-Type: text/html; charset=utf-8", status: str = "200 OK") -> bytes:
    """An HTTP response as crawlers keep it."""
    return f"HTTP/1.1 {status}\r\n{headers}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def identifier(number: int) -> str:
    return f"<urn:uuid:{number:08x}-0000-4000-8000-000000000000>"


def record(
    content: bytes,
    number: int = 0,
    kind: str = "response",
    url: str | None = None,
    length: int | None = None,
    extra: str = "",
) -> bytes:
    """One record; `length` may lie."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {identifier(number)}\r\nWARC-Date: 2024-05-01T12:00:00Z\r\n"
        f"WARC-Target-URI: {url or f'http://example.org/{number}'}\r\n"
        f"Content-Type: application/http; msgtype={kind}\r\n{extra}"
        f"Content-Length: {len(content) if length is None else length}\r\n\r\n"
    )
    return head.encode() + content + b"\r\n\r\n"


def records(count: int, **options: int) -> list[bytes]:
    """So many pages, each in a record."""
    return [record(response(page(number, **options)), number) for number in range(count)]


def gzipped(parts: Iterable[bytes]) -> list[bytes]:
    return [gzip.compress(part, 6, mtime=0) for part in parts]


def bgzf(data: bytes, size: int) -> bytes:
    """Members of a fixed size, wherever the records begin."""
    return b"".join(gzipped(data[i : i + size] for i in range(0, len(data), size)))


def read(
    data: bytes, name: str = "", start: Position = Position(0), stop: int | None = None
) -> tuple[list[WarcRecord], WarcReader]:
    """All records of an archive, and the reader for its damage."""
    reader = WarcReader(open_stream(io.BytesIO(data), len(data), name), start, stop)
    return list(reader.records()), reader


def numbers(blocks: Sequence[WarcRecord]) -> list[int | str]:
    """Which records these are; the id itself where damage has changed it."""
    ids = [block.headers["warc-record-id"][10:18] for block in blocks]
    return [int(one, 16) if re.fullmatch("[0-9a-f]+", one) else one for one in ids]


def flip(data: bytes, at: int, how_many: int = 8) -> bytes:
    """Some bytes turned over."""
    return data[:at] + bytes(byte ^ 0xFF for byte in data[at : at + how_many]) + data[at + how_many :]


def zeroed(data: bytes, at: int, how_many: int) -> bytes:
    """Some bytes overwritten with zeros, as a disk or a hole in a file leaves them."""
    return data[:at] + bytes(len(data[at : at + how_many])) + data[at + how_many :]


def noise(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)


def raw_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(data) + compressor.flush()
