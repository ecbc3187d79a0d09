"""The text of style sheets: comments, strings, escapes, lists."""

from __future__ import annotations

import re

from thresher.page.types import Bytes
from thresher.text.patterns import compile_later

__all__ = [
    "Bytes",
    "spelled_out",
    "split_declarations",
    "split_list",
    "unescape",
    "without_comments",
]


# A string; one that is not closed ends with its line.
_STRING = rb'"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'?'
_COMMENT = compile_later(rb"(\\.|" + _STRING + rb")|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LIST_MARK = compile_later(rb"\\.|" + _STRING + rb"|[][(),]", re.DOTALL)
_BRACKET = compile_later(rb"\\.|" + _STRING + rb"|[][()]", re.DOTALL)
_ADDRESS = rb"url\(\s*(?![\"'\s])(?:[^)\\]|\\.)*"  # one without quotes
_DECLARATION = compile_later(
    rb"(?:[^;\"'/u]+|" + _ADDRESS + rb"|u|" + _STRING + rb"|/\*.*?(?:\*/|\Z)|/)+", re.DOTALL | re.IGNORECASE
)
_URL = compile_later(rb"url\(", re.IGNORECASE)
# Escapes that spell a letter or a hyphen: `n\6fne` and `n\one` are both `none`; and escaped backslashes.
_LETTER = rb"(?:2[dD]|[46][1-9a-fA-F]|[57][0-9aA])"
_SPELLED = compile_later(
    rb"\\(?:(0{4}" + _LETTER + rb"|0{0,3}" + _LETTER + rb"(?![0-9a-fA-F]))(?:\r\n|[ \t\r\n\f])?|([-g-zG-Z\\]))"
)
_ESCAPE = compile_later(rb"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|(.))", re.DOTALL)


def spelled_out(text: bytes) -> bytes:
    """A text with the escapes decoded that stand for letters and hyphens; the others may be structure."""
    return _SPELLED.sub(_decode_letter, text) if b"\\" in text else text


def _decode_letter(match: re.Match[bytes]) -> bytes:
    if match[2] == b"\\":
        return match[0]
    return bytes((int(match[1], 16),)) if match[1] else match[2]


def unescape(text: bytes) -> bytes:
    """A name or string with all its escapes decoded."""
    if b"\\" not in text:
        return text
    parts = text.split(b"\\")
    if not any(part[:1] in _SPECIAL_ESCAPES for part in parts[1:]):  # most only take the meaning from a byte
        return b"".join(parts)
    return _ESCAPE.sub(_decode, text)


_SPECIAL_ESCAPES = b"0123456789abcdefABCDEF\n"  # and nothing


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
    """The parts of a style attribute between semicolons that stand in no string, no comment and no address."""
    if b"/*" not in body and b'"' not in body and b"'" not in body and (b"(" not in body or not _URL.search(body)):
        return body.split(b";")
    return _DECLARATION.findall(body)


def split_list(text: bytes) -> list[bytes]:
    """The parts between commas that stand in no brackets and no string."""
    if b"(" not in text and b"[" not in text:
        return [part.strip() for part in text.split(b",")]
    parts = []
    depth = start = at = 0
    while match := (_BRACKET if depth > 0 else _LIST_MARK).search(text, at):
        mark, at = match[0], match.end()
        if mark in b"([":
            depth += 1
        elif mark in b")]":
            depth -= 1
        elif mark == b",":
            parts.append(text[start : match.start()].strip())
            start = at
    parts.append(text[start:].strip())
    return parts
