"""Records of a WARC 1.1 file, each a gzip member of its own.

    WARC/1.1 CRLF  name: value CRLF …  CRLF  block of Content-Length bytes  CRLF CRLF

Bodies are stored as they were understood, without content and transfer encodings: headers that speak of those are kept
under X-Archive-Orig-…, as other crawlers do it, and Content-Length is that of the stored body.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import uuid
from base64 import b32encode
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.http.response import Response

__all__ = ["digest", "info_record", "response_record"]

_REPLACED = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_BREAKS = re.compile(r"[\r\n\0]+")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def info_record(name: str, about: Mapping[str, str], time: str) -> bytes:
    """The first record of a file: its name, and what there is to say `about` it."""
    headers = {"WARC-Filename": name, "Content-Type": "application/warc-fields"}
    return _record("warcinfo", time, headers, _lines(about.items()).encode())


def response_record(url: str, response: Response, time: str) -> bytes:
    """An answer; `time` is when it was asked for, as in 2024-05-17T12:30:00Z."""
    headers = {"WARC-Target-URI": url, "WARC-Payload-Digest": digest(response.body)}
    if response.address:
        headers["WARC-IP-Address"] = response.address
    if response.truncated:
        headers["WARC-Truncated"] = "disconnect"
    headers["Content-Type"] = "application/http; msgtype=response"
    return _record("response", time, headers, _http_head(response) + response.body)


def digest(data: bytes) -> str:
    """`sha1:` and Base32, as all crawlers write it."""
    return f"sha1:{b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()}"


def _record(kind: str, time: str, headers: Mapping[str, str], block: bytes) -> bytes:
    head = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid4()}>",
        "WARC-Date": time,
        **headers,
        "WARC-Block-Digest": digest(block),
        "Content-Length": str(len(block)),
    }
    return gzip.compress(f"WARC/1.1\r\n{_lines(head.items())}\r\n".encode() + block + b"\r\n\r\n", mtime=0)


def _http_head(response: Response) -> bytes:
    headers = [
        (f"X-Archive-Orig-{name}" if name.lower() in _REPLACED else name, value)
        for name, value in response.headers.pairs
        if _NAME.fullmatch(name)
    ]
    headers.append(("Content-Length", str(len(response.body))))
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = ""
    # Latin-1 is how they were read: the bytes of the server come out again.
    return f"HTTP/1.1 {response.status} {phrase}\r\n{_lines(headers)}\r\n".encode("latin-1", "replace")


def _lines(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f"{name}: {_BREAKS.sub(' ', value).strip()}\r\n" for name, value in pairs)
