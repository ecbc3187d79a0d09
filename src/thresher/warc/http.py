"""HTTP responses as archives keep them: head and body, and the codings of the body undone.

Common Crawl stores bodies decoded and renames the headers that said how they were coded (X-Crawler-…).  Heritrix and
others store them as they came over the wire: in chunks, compressed, or both.  Some decode the body and leave the
headers.  So a coding is undone where the bytes bear it out, and a body that breaks off gives what came before.

Nothing here is unbounded: a body grows to `limit` bytes and no further, whatever its codings promise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from thresher.errors import FetchError, ThresherError
from thresher.http.content_codings import decoders_for
from thresher.http.media_types import HTML_TYPES, media_type
from thresher.page import Problem
from thresher.parse.limits import LIMITS
from thresher.warc.head import BLANK_LINE, parse_fields, whole_number

__all__ = ["ArchivedResponse", "CodingError", "decode_body", "is_html", "parse_response"]

_STATUS = re.compile(r"HTTP/\d(?:\.\d)?\s+(\d{3})", re.IGNORECASE)
_CHUNK = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_MAX_BODY_BYTES = LIMITS.bytes + 1  # bytes; what is longer is cut, with a word, by `parse`
_MAX_CODINGS = 5  # nested codings; more is an attack
_MAX_HEAD_BYTES = 1 << 20  # bytes of a head
_MAX_HEADS = 10  # the last of them counts
_FEED_BYTES = 4096  # bytes: what is fed together with the damage is lost
_MAGIC = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}


class CodingError(ThresherError):
    """A body whose coding cannot be undone."""


@dataclass(frozen=True, slots=True)
class ArchivedResponse:
    """The head of a response, and where its body begins."""

    status: int | None
    headers: Mapping[str, str]  # names in lower case
    body_at: int

    @property
    def codings(self) -> tuple[str, ...]:
        """Transfer and content codings in the order in which to undo them."""
        listed = [*_listed(self.headers.get("content-encoding")), *_listed(self.headers.get("transfer-encoding"))]
        return tuple(coding for coding in reversed(listed) if coding != "identity")

    @property
    def length(self) -> int | None:
        return whole_number(self.headers.get("content-length"))


def parse_response(block: bytes) -> ArchivedResponse:
    """The head of a response; a block without one is all body.  Interim answers before it (100, 103) are no heads."""
    at, status = 0, None
    headers: Mapping[str, str] = {}
    for _ in range(_MAX_HEADS):
        blank = BLANK_LINE.search(block, at, at + _MAX_HEAD_BYTES)
        if block[at : at + 5].upper() != b"HTTP/" or not blank:
            break
        first, headers = parse_fields(block[at : blank.start()])
        status_line = _STATUS.match(first)
        at, status = blank.end(), int(status_line[1]) if status_line else None
        if status is None or not 100 <= status < 200:
            break
    return ArchivedResponse(status, headers, at)


def is_html(content_type: str | None, body: bytes) -> bool:
    """By its type; by its first characters when nothing was said."""
    kind = media_type(content_type)
    return kind in HTML_TYPES if kind else _is_markup(body)


def decode_body(
    body: bytes, codings: tuple[str, ...], limit: int = _MAX_BODY_BYTES
) -> tuple[bytes, tuple[Problem, ...]]:
    """The body without its codings, at most `limit` bytes of it, and what went wrong."""
    if len(codings) > _MAX_CODINGS:
        raise CodingError(f"{len(codings)} nested codings; more than {_MAX_CODINGS} are not undone")
    problems: list[Problem] = []
    for coding in codings:
        body, cut = _dechunked(body) if coding == "chunked" else _decompressed(body, coding, limit)
        if cut:
            problems.append(Problem("truncated", cut))
    return body, tuple(problems)


def _dechunked(body: bytes) -> tuple[bytes, str | None]:
    if not _CHUNK.match(body):
        return body, None  # stored without its chunks
    pieces: list[bytes] = []
    at = 0
    while size := _CHUNK.match(body, at):
        length = int(size[1], 16)
        if not length:
            return b"".join(pieces), None
        pieces.append(body[size.end() : size.end() + length])
        at = size.end() + length
        if at >= len(body):
            break
        at += 2 if body.startswith(b"\r\n", at) else 1
    return b"".join(pieces), "the last chunk of the response is missing"


def _decompressed(body: bytes, coding: str, limit: int) -> tuple[bytes, str | None]:
    """A compressed body as it was before; as it is where it turns out not to be compressed."""
    try:
        decoders = decoders_for(coding)
    except FetchError as error:
        if _is_markup(body):
            return body, None  # stored decoded
        raise CodingError(str(error)) from None
    if not decoders or not body or (coding in _MAGIC and not body.startswith(_MAGIC[coding])):
        return body, None
    content = bytearray()
    try:
        for at in range(0, len(body), _FEED_BYTES):
            for piece in decoders[0].pieces(body[at : at + _FEED_BYTES]):
                content += piece
                if len(content) > limit:
                    return bytes(content[:limit]), None
    except Exception as error:  # zlib.error, brotli.error, ZstdError: they have no common base
        if _is_markup(body):
            return body, None
        if not content:
            raise CodingError(f"the {coding} coding of the body is broken ({error})") from None
        return bytes(content), f"the {coding} coding of the body is broken ({error})"
    return bytes(content), None if decoders[0].whole else f"the {coding} coding of the body breaks off"


def _is_markup(body: bytes) -> bool:
    return body[:256].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _listed(value: str | None) -> list[str]:
    return [item.strip().lower() for item in (value or "").split(",") if item.strip()]
