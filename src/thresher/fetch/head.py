"""The head of an HTTP/1 response, repaired for a strict parser.

Servers send lines that no grammar allows: header lines without a colon, blanks in or after names, an empty
Content-Length, `Transfer-Encoding: identity`, blank lines before the status line.  Browsers pass over them; the parser
of our engine gives up.  So heads are repaired before it sees them.
"""

from __future__ import annotations

import re

__all__ = ["is_interim", "repaired", "split"]

_BLANK_LINE = re.compile(rb"\n\r?\n")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*)", re.DOTALL)
_INTERIM = re.compile(rb"HTTP/1\.[01] 1(?!01)\d\d")  # 101 is the last word before another protocol


def split(buffer: bytes, seen: int = 0) -> tuple[bytes, bytes] | None:
    """The head with its blank line, and what follows it; None as long as the head is not complete.

    `seen` bytes of it were looked at before, so that a head sent byte by byte is not searched from the start each time.
    """
    end = _BLANK_LINE.search(buffer, max(seen - 3, 0))
    return (buffer[: end.end()], buffer[end.end() :]) if end else None


def is_interim(head: bytes) -> bool:
    """Whether another head follows: 100 Continue, 103 Early Hints."""
    return _INTERIM.match(head) is not None


def repaired(head: bytes) -> bytes:
    """The same head without the lines that mean nothing."""
    status, *lines = head.rstrip(b"\r\n").split(b"\n")
    kept = [status.rstrip(b"\r")]
    last_was_kept = False
    for line in (line.rstrip(b"\r") for line in lines):
        if line[:1] in (b" ", b"\t"):  # a value that goes on
            if last_was_kept:
                kept.append(line)
            continue
        field = _FIELD.fullmatch(line)
        last_was_kept = field is not None and not _is_meaningless(field[1].lower(), field[2].strip().lower())
        if field and last_was_kept:
            kept.append(field[1] + b": " + field[2])
    return b"\r\n".join(kept) + b"\r\n\r\n"


def _is_meaningless(name: bytes, value: bytes) -> bool:
    return (name == b"content-length" and not value) or (name == b"transfer-encoding" and value == b"identity")
