"""Record: one page to extract, whatever archive it came from, and the way it travels to another process.

    length of the head (4 bytes)  head (JSON)  body (the rest)

The head says everything but the page's bytes.  No pickles: what a crashed decoder leaves behind must not run.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass, fields

__all__ = ["PageRecord", "derived_id", "pack", "unpack"]


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A page as it was stored, and what the archive says about it."""

    id: str
    source: str  # the input it came from
    position: str  # where in it
    body: bytes = b""
    url: str | None = None
    date: str | None = None  # when it was fetched
    http_status: int | None = None
    content_type: str | None = None
    codings: tuple[str, ...] = ()  # transfer and content codings of the body, in the order in which to undo them
    http_length: int | None = None  # Content-Length of the response
    warnings: tuple[str, ...] = ()  # what is wrong with the record, as `code: sentence`
    error: str | None = None  # why there is no page in it


_HEAD = tuple(field.name for field in fields(PageRecord) if field.name != "body")


def derived_id(source: str, position: str) -> str:
    """An id for a record that has none: the same for the same place in the same input."""
    return hashlib.sha256(f"{source}\n{position}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def pack(record: PageRecord, task: bytes = b"") -> tuple[bytes, bytes]:
    """The record as bytes in two parts, of which the second may be long; the first opens with what is to be done."""
    head = {name: getattr(record, name) for name in _HEAD}
    data = json.dumps(head).encode()
    return b"".join((task, struct.pack("<I", len(data)), data)), record.body


def unpack(data: bytes, start: int = 0) -> PageRecord:
    """The record that `pack` packed, behind a task of so many bytes."""
    (length,) = struct.unpack_from("<I", data, start)
    body = start + 4 + length
    head = json.loads(data[start + 4 : body])
    head |= {name: tuple(head[name]) for name in ("codings", "warnings")}
    return PageRecord(body=data[body:], **head)
