"""JSON-LD islands -> items, however badly they are written.

Pages wrap them in comments and CDATA, leave commas before brackets, put raw line breaks into strings, write several
objects one after the other.  All of that is read.  What is nested deeper or longer than any real page needs is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

import numpy as np

from thresher.page import Island

__all__ = ["read"]

_MAX_LENGTH = 1_000_000  # characters of one island; the longest of 1,219 real ones has 150,000
_MAX_DEPTH = 200  # brackets; the json module's own limit depends on how deep its caller stands
_MAX_VALUES = 200  # values written one after the other

# A string may lack its end: the pattern then takes all the rest, so that no text is searched twice.
_STRING = r'"(?:[^"\\]+|\\.)*"?'
# A comma with nothing behind it; strings are matched first, so that theirs are left alone.
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*(?:,|[}}\]]))", re.DOTALL)
_COMMENT = re.compile(rf"({_STRING})|/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})|(\\.)')
_VALUE = re.compile(r"[{\[]")
_QUOTED = r"""\s*:\s*["']([^"'\\<>{}\[\]]{2,300})["']"""
_FACTS = {
    "@type": re.compile(r"""["']@type["']\s*:\s*["']([A-Za-z]{0,30}(?:Article|Posting))["']"""),
    "datePublished": re.compile(rf"""["']datePublished["']{_QUOTED}"""),
    "dateModified": re.compile(rf"""["']dateModified["']{_QUOTED}"""),
    "name": re.compile(rf"""["']author["']\s*:\s*\[?\s*\{{[^{{}}]{{0,200}}?["']name["']{_QUOTED}"""),
}

# Raw line breaks and tabs in strings are fine.  Numbers stay strings: "20240305" may be a date, and turning a million
# digits into a number takes seconds.
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)


def read(islands: Iterable[Island]) -> list[Any]:
    """The values of all JSON-LD islands of a page, in document order."""
    values: list[Any] = []
    for island in islands:
        if "ld+json" in island.type and len(island.text) <= _MAX_LENGTH:
            values += _values(island.text)
    return values


def _values(text: str) -> list[Any]:
    """Everything that can be read of one island: as it stands, else repaired, step by step."""
    text = text.replace("<![CDATA[", "")
    if _nesting(text) > _MAX_DEPTH:
        return []
    best: list[Any] = []
    for version in _versions(text):
        values, complete = _decode_all(version)
        if complete:
            return values
        best = values if len(values) > len(best) else best
    return best or _salvaged(text)


def _versions(text: str) -> Iterator[str]:
    """The text and, if that cannot be read, its repairs, one upon the other."""
    yield text
    if "&quot;" in text and '"' not in text:
        text = unescape(text)
        yield text
    text = _BAD_ESCAPE.sub(lambda match: match[1] or r"\\", text)
    yield text
    text = _COMMENT.sub(lambda match: match[1] or "", text)
    yield _TRAILING_COMMA.sub(lambda match: match[1] or "", text)


def _decode_all(text: str) -> tuple[list[Any], bool]:
    """The objects and lists that stand one after the other, and whether none of them was broken."""
    values: list[Any] = []
    at = _VALUE.search(text)
    while at and len(values) < _MAX_VALUES:
        try:
            value, end = _DECODER.raw_decode(text, at.start())
        except (ValueError, RecursionError):
            return values, False
        values += [value] if value else []
        at = _VALUE.search(text, end)
    return values, True


def _salvaged(text: str) -> list[Any]:
    """The plain facts of an object that cannot be read: cut off, or with quotes in its strings.

    Only where each stands there once, so that nothing of another article is taken.
    """
    item: dict[str, Any] = {}
    for key, pattern in _FACTS.items():
        values = {match[1] for match in pattern.finditer(text)}
        if len(values) == 1:
            item[key] = values.pop()
    if "name" in item:
        item["author"] = {"name": item.pop("name")}
    return [item] if "@type" in item and len(item) > 1 else []


def _nesting(text: str) -> int:
    """How deep brackets nest, those in strings counted along: max over k of Σ_{j ≤ k} (+1 opening, -1 closing)."""
    if text.count("{") + text.count("[") <= _MAX_DEPTH:
        return 0
    characters = np.frombuffer(text.encode("utf-8", "replace"), np.uint8) | 0x20  # "[" and "{" differ in this bit
    level = np.cumsum((characters == ord("{")).astype(np.int32) - (characters == ord("}")))
    return int(level.max(initial=0))
