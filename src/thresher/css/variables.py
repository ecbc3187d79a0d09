"""Custom properties: `display: var(--gone)` reads as `display: none` where it is plain what the variable holds.

Which definition holds on an element is a matter of the whole cascade.  Read here is what decides on nearly all pages:

    a definition in the same block        .x { --gone: none; display: var(--gone) }
    the only value that is ever defined   article { --gone: none }
    the last one for the whole page       :root { --gone: none }, outside of conditions

and the fallback, `var(--gone, none)`, of one that is nowhere defined.  What is not plain stays as it stands.  Only uses
in properties that may hide are looked at.
"""

from __future__ import annotations

import re

from thresher.css.hiding import NAMES

__all__ = ["Variables"]

_DEFINITION = re.compile(rb"(?<![\w-])(--[\w\x80-\xff-]+)\s*:([^;{}]*)")
_USE = re.compile(rb"var\(\s*(--[\w\x80-\xff-]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)", re.IGNORECASE)
_WHOLE_PAGE = frozenset({b":root", b"html", b"body", b"*", b":host"})
_IMPORTANT = re.compile(rb"\s*!\s*important\s*$", re.IGNORECASE)
_NAMES = frozenset(NAMES)
_NEAR = 60  # bytes between the name of a property and a variable in its value
_LONGEST = 200  # bytes of a value
_MOST = 20_000  # uses that are looked at
_DEEPEST = 4  # variables that hold variables


class Variables:
    """The definitions in the sheets of a page."""

    def __init__(self, sheets: list[bytes]) -> None:
        self.sheets = [sheet for sheet in sheets if b"--" in sheet]
        self._defined: dict[bytes, list[tuple[bytes, int, bytes]]] | None = None
        self._plain: dict[bytes, bytes | None] = {}

    def expanded(self, text: bytes, alone: bool = False) -> bytes:
        """Some CSS with the variables replaced that stand in properties which may hide.  `alone`: it is the value of a
        style attribute, a block of its own."""
        at = text.find(b"var(")
        if at < 0:
            return text
        pieces, done = [], 0
        for _ in range(_MOST):
            use = _USE.match(text, at) if self._may_hide(text, at) else None
            value = None if use is None else self._value(use, text, at, alone)
            if use is not None and value is not None:
                pieces += [text[done:at], value]
                done = use.end()
            at = text.find(b"var(", max(at + 4, done))
            if at < 0:
                break
        return b"".join((*pieces, text[done:])) if pieces else text

    def _may_hide(self, text: bytes, at: int) -> bool:
        """Whether the property whose value stands at a position may hide."""
        before = text[max(0, at - _NEAR) : at].rpartition(b":")[0]
        start = max(before.rfind(b";"), before.rfind(b"{"), before.rfind(b"}"), before.rfind(b"/"))
        return before[start + 1 :].strip().lower() in _NAMES

    def _value(self, use: re.Match[bytes], text: bytes, at: int, alone: bool, depth: int = 0) -> bytes | None:
        name = use[1]
        first = 0 if alone else text.rfind(b"{", 0, at) + 1
        last = len(text) if alone else text.find(b"}", at)
        value = _defined_in(text[first : last if last >= 0 else len(text)], name)
        if value is None:
            value = self._everywhere(name)
            if value is None and name not in self._definitions():
                value = use[2]
        if value is None:
            return None
        value = _IMPORTANT.sub(b"", value).strip()
        inner = _USE.search(value)
        if inner is not None:
            if depth >= _DEEPEST:
                return None
            found = self._value(inner, text, at, alone, depth + 1)
            value = value[: inner.start()] + (found or b"?") + value[inner.end() :]
        return value if 0 < len(value) <= _LONGEST else None

    def _definitions(self) -> dict[bytes, list[tuple[bytes, int, bytes]]]:
        """By name: the sheet, the place in it, and the value of each definition."""
        if self._defined is None:
            self._defined = {}
            for sheet in self.sheets:
                for match in _DEFINITION.finditer(sheet):
                    self._defined.setdefault(match[1], []).append((sheet, match.start(), match[2].strip()))
        return self._defined

    def _everywhere(self, name: bytes) -> bytes | None:
        """The value of a variable on the whole page, if that is plain."""
        if name not in self._plain:
            found = self._definitions().get(name, [])[-_SOME:]
            values = {value for _, _, value in found}
            for_all = (
                values if len(values) == 1 else [value for sheet, at, value in found if _for_whole_page(sheet, at)]
            )
            self._plain[name] = list(for_all)[-1] if for_all else None
        return self._plain[name]


_SOME = 50  # definitions of one variable


def _defined_in(block: bytes, name: bytes) -> bytes | None:
    """The last value that a block gives a variable."""
    if name + b":" not in block and name not in block:
        return None
    found = [match[2] for match in _DEFINITION.finditer(block) if match[1] == name]
    return found[-1] if found else None


def _for_whole_page(sheet: bytes, at: int) -> bool:
    """Whether a place stands in a rule for the root, outside of any condition."""
    opened = sheet.rfind(b"{", 0, at)
    start = max(sheet.rfind(mark, 0, max(opened, 0)) for mark in (b"}", b"{", b";", b"*/"))
    nested = start >= 0 and sheet[start : start + 1] == b"{"
    selectors = sheet[start + 1 : max(opened, 0)].lstrip(b"/").split(b",")
    return not nested and any(selector.strip().lower() in _WHOLE_PAGE for selector in selectors)
