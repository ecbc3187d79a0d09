"""The text of style sheets: comments, strings, escapes, lists."""

from __future__ import annotations

import re

__all__ = ["opaque_spans", "spelled_out", "split_declarations", "split_list", "unescape", "without_comments"]

_SLASH, _STAR, _BACKSLASH, _DOUBLE, _SINGLE = b"/*\\\"'"
_MARKS = 200_000  # quotes and comments read; what follows is left out, for each costs a step in Python

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
    return _COMMENT.sub(lambda match: match[1] or instead, text)


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


def opaque_spans(text: bytes, marks: list[int], borders: list[int]) -> list[tuple[int, int]]:
    """The comments and strings of some sheets that stand one after the other.

    `marks` are the positions of all quotes and of the slashes before a star, but for escaped ones, ascending; `borders`
    is where the sheets end.
    A string ends at its quote or, as in CSS, with its line; a comment or string left open ends with its sheet.
    """
    spans = []
    free = 0  # a mark before this lies inside a string or a comment
    sheet_ends = iter(borders)
    border = 0
    for at in marks[:_MARKS]:
        if at < free:
            continue
        while at >= border:
            border = next(sheet_ends)
        if text[at] == _SLASH:
            end = text.find(b"*/", at + 2, border)
            free = border if end < 0 else end + 2
        else:
            free = _string_end(text, at, border)
        spans.append((at, free))
    if len(marks) > _MARKS:
        spans.append((marks[_MARKS], len(text)))
    return spans


def _escaped(text: bytes, at: int) -> bool:
    """Whether an odd number of backslashes stands before a position; of a longer run than 100 this is a guess."""
    run = text[max(0, at - 100) : at]
    return (len(run) - len(run.rstrip(b"\\"))) % 2 == 1


def _string_end(text: bytes, at: int, border: int) -> int:
    quote = text[at : at + 1]
    end = text.find(quote, at + 1, border)
    while end >= 0 and text[end - 1] == _BACKSLASH and _escaped(text, end):
        end = text.find(quote, end + 1, border)
    line = text.find(b"\n", at + 1, border if end < 0 else end)
    while line >= 0 and text[line - 1] == _BACKSLASH:
        line = text.find(b"\n", line + 1, border if end < 0 else end)
    if line >= 0:
        return line
    return border if end < 0 else end + 1
