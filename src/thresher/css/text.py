"""The text of style sheets: comments, strings, escapes, lists."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Bytes",
    "Places",
    "opaque_spans",
    "spelled_out",
    "split_declarations",
    "split_list",
    "unescape",
    "unescaped",
    "without_comments",
]

Bytes = NDArray[np.uint8]
Places = NDArray[np.intp]  # positions and indices; numpy indexes with its own word size twice as fast

_SLASH, _STAR, _BACKSLASH, _DOUBLE, _SINGLE, _LINE_FEED = b"/*\\\"'\n"

# A string; one that is not closed ends with its line.
_STRING = rb'"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'?'
_COMMENT = re.compile(rb"(\\.|" + _STRING + rb")|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LIST_MARK = re.compile(rb"\\.|" + _STRING + rb"|[][(),]", re.DOTALL)
_DECLARATION = re.compile(rb"(?:[^;\"'/]+|" + _STRING + rb"|/\*.*?(?:\*/|\Z)|/)+", re.DOTALL)
# Escapes that spell a letter or a hyphen: `n\6fne` and `n\one` are both `none`.
_SPELLED = re.compile(rb"\\(?:0{0,4}(?:2[dD]|[46][1-9a-fA-F]|[57][0-9aA])(?![0-9a-fA-F])|[g-zG-Z])")
_ESCAPE = re.compile(rb"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|(.))", re.DOTALL)


def spelled_out(text: bytes) -> bytes:
    """A text with the escapes decoded that stand for letters and hyphens; the others may be structure."""
    if b"\\" in text and _SPELLED.search(text):
        return _ESCAPE.sub(_decode_letter, text)
    return text


def _decode_letter(match: re.Match[bytes]) -> bytes:
    code = int(match[1], 16) if match[1] else match[2][0]
    letter = code < 128 and (chr(code).isalpha() or code == ord("-"))
    return bytes((code,)) if letter else match[0]


def unescape(text: bytes) -> bytes:
    """A name or string with all its escapes decoded."""
    return _ESCAPE.sub(_decode, text) if b"\\" in text else text


def _decode(match: re.Match[bytes]) -> bytes:
    if not match[1]:
        return b"" if match[2] == b"\n" else match[2]
    code = int(match[1], 16)
    valid = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code if valid else 0xFFFD).encode()


def without_comments(text: bytes, instead: bytes) -> bytes:
    """A piece of a sheet with `instead` for each comment: nothing in a selector, a space in a declaration."""
    if b"/*" not in text:
        return text
    if b'"' in text or b"'" in text or b"\\" in text:
        return _COMMENT.sub(lambda match: match[1] or instead, text)
    pieces = []
    done = 0
    while (start := text.find(b"/*", done)) >= 0:
        pieces.append(text[done:start])
        end = text.find(b"*/", start + 2)
        done = end + 2 if end >= 0 else len(text)
    return instead.join((*pieces, text[done:]))


def split_declarations(body: bytes) -> list[bytes]:
    """The parts of a style attribute between semicolons that stand in no string and no comment."""
    if b"/*" not in body and b'"' not in body and b"'" not in body:
        return body.split(b";")
    return _DECLARATION.findall(body)


def split_list(text: bytes) -> list[bytes]:
    """The parts between commas that stand in no brackets and no string."""
    if b"(" not in text and b"[" not in text:
        return [part.strip() for part in text.split(b",")]
    parts = []
    depth = start = 0
    for match in _LIST_MARK.finditer(text):
        mark = match[0]
        if mark in b"([":
            depth += 1
        elif mark in b")]":
            depth -= 1
        elif mark == b"," and depth <= 0:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    parts.append(text[start:].strip())
    return parts


def opaque_spans(text: bytes, borders: Places) -> tuple[Places, Places]:
    """Where the comments and strings of some sheets that stand one after the other start and stop.

    `borders` is where the sheets end.  A string ends at its quote or, as in CSS, with its line; a comment or string
    left open ends with its sheet.  Where each would end is told for all quotes and comment marks at once; then Python
    hops from the end of one to the next mark, and the marks it passes over are inside of comments and strings.
    """
    buffer = np.frombuffer(text, np.uint8)
    opens = (buffer == _DOUBLE) | (buffer == _SINGLE)
    opens[:-1] |= (buffer[:-1] == _SLASH) & (buffer[1:] == _STAR)
    start = unescaped(text, np.flatnonzero(opens))
    if not len(start):
        return start, start
    stop = borders[borders.searchsorted(start, side="right")]
    kind = buffer[start]
    comment = np.flatnonzero(kind == _SLASH)
    if len(comment):
        ends = np.flatnonzero((buffer[:-1] == _STAR) & (buffer[1:] == _SLASH)) + 2
        _stop_at(stop, comment, ends, start[comment] + 4)
    if len(comment) < len(start):
        for quote in (_DOUBLE, _SINGLE):
            string = np.flatnonzero(kind == quote)
            _stop_at(stop, string, start[string] + 1, start[string] + 2)
        lines = unescaped(text, np.flatnonzero(buffer == _LINE_FEED))
        string = np.flatnonzero(kind != _SLASH)
        _stop_at(stop, string, lines, start[string] + 1)
    following = start.searchsorted(stop).tolist()
    hops = []
    at, count = 0, len(following)
    while at < count:
        hops.append(at)
        at = following[at]
    return (start, stop) if len(hops) == count else (start[hops], stop[hops])


def _stop_at(stop: Places, some: Places, ends: Places, least: Places) -> None:
    """Let some spans stop at the first of these ends from a least position on, if they do not stop before."""
    place = ends.searchsorted(least)
    found = place < len(ends)
    some = some[found]
    stop[some] = np.minimum(stop[some], ends[place[found]])


def unescaped(text: bytes, at: Places) -> Places:
    """Those of some ascending positions that have no backslash before them, or one that is itself escaped."""
    if b"\\" not in text:
        return at
    buffer = np.frombuffer(text, np.uint8)
    slash = np.flatnonzero(buffer == _BACKSLASH)
    first = np.flatnonzero(np.diff(slash, prepend=-2) > 1)  # of each run of backslashes
    length = np.diff(np.append(first, len(slash)))
    escaped = (slash[first] + length)[length % 2 == 1]
    if not len(escaped):
        return at
    kept: Places = at[escaped[np.minimum(escaped.searchsorted(at), len(escaped) - 1)] != at]
    return kept
