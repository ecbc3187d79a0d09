"""Values that depend on a condition, `opacity: if(media(print): 1; else: 0)`, as they are on a desktop screen."""

from __future__ import annotations

from itertools import islice

from thresher.css.media import holds
from thresher.text.patterns import compile_later

__all__ = ["CONDITIONAL", "without_conditionals"]

CONDITIONAL = b"if("
_CALL = compile_later(rb"(?<![\w-])if\(")
_MARK = compile_later(rb"[();:]")
_QUERY = compile_later(rb"(?i)(not\s+)?(media|supports)\((.*)\)")
_TYPES = frozenset((b"all", b"print", b"screen", b"speech"))
_MAX_CALLS = 100  # of a sheet that are read
_MAX_BYTES = 1_000  # of a call
_UNSET = b"unset"  # what a value is of which no condition holds


def without_conditionals(text: bytes) -> bytes:
    """A sheet or a style attribute with the value of each `if()` in its place, where its conditions can be told."""
    places = [match.end() for match in islice(_CALL.finditer(text), _MAX_CALLS)]
    for start in reversed(places):  # those in others first
        branches, end = _branches(text, start)
        value = _chosen(branches) if end else None
        if value is not None:
            text = text[: start - len(CONDITIONAL)] + value + text[end:]
    return text


def _branches(text: bytes, start: int) -> tuple[list[tuple[bytes, bytes]], int]:
    """The conditions and values of a call, and where it ends; 0 where its bracket is not closed."""
    branches: list[tuple[bytes, bytes]] = []
    depth, begin, colon = 0, start, -1
    for match in _MARK.finditer(text, start, start + _MAX_BYTES):
        mark, at = match[0], match.start()
        if mark == b"(":
            depth += 1
        elif mark == b")" and depth:
            depth -= 1
        elif mark == b":" and not depth and colon < 0:
            colon = at
        elif mark in b";)" and not depth:
            if colon >= 0:
                branches.append((text[begin:colon].strip(), text[colon + 1 : at].strip()))
            if mark == b")":
                return branches, at + 1
            begin, colon = at + 1, -1
    return branches, 0


def _chosen(branches: list[tuple[bytes, bytes]]) -> bytes | None:
    """The value of the first condition that holds; None where one before cannot be told."""
    for condition, value in branches:
        answer = _holds(condition)
        if answer is None:
            return None
        if answer:
            return value
    return _UNSET


def _holds(condition: bytes) -> bool | None:
    if condition.lower() == b"else":
        return True
    query = _QUERY.fullmatch(condition)
    if query is None:  # style(), or several
        return None
    asked = query[3].strip()
    name = b"@" + query[2].lower() + b" "
    return holds(name + (asked if asked.lower() in _TYPES else b"(" + asked + b")")) != bool(query[1])
