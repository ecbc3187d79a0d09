"""Custom properties: `display: var(--gone)` reads as `display: none` where it is plain what the variable holds.

Which definition holds on an element is a matter of the whole cascade.  Read here is what decides on nearly all pages:

    a definition in the same block        .x { --gone: none; display: var(--gone) }
    the only value that is ever defined   article { --gone: none }
    the last one for the whole page       :root { --gone: none }, outside of conditions

and the fallback, `var(--gone, none)`, of one that is nowhere defined.  What is not plain stays as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from thresher.css.invalid_selectors import is_invalid
from thresher.css.properties import NAMES
from thresher.css.sheet import Sheet
from thresher.css.text import split_declarations, split_list
from thresher.text.patterns import compile_later

__all__ = ["VAR_CALL", "Variables", "definitions"]

VAR_CALL = b"var("  # where the value of a variable stands for itself
Own = Callable[[bytes], bytes | None]  # what the block around defines
_VAR = compile_later(rb"var\(\s*(--[\w\x80-\xff-]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)", re.IGNORECASE)
_WHOLE_PAGE = frozenset({b":root", b"html", b"body", b"*", b":host"})
_IMPORTANT = compile_later(rb"\s*!\s*important\s*$", re.IGNORECASE)
_NAMES = frozenset(NAMES)
_MAX_VALUE_BYTES = 200  # bytes of a value
_MAX_USES = 20_000  # uses that are looked at
_MAX_NESTING = 4  # variables that hold variables
_NOTHING: dict[Any, Any] = {}
_MAX_DEFINITIONS = 50  # definitions of one variable


def definitions(body: bytes) -> dict[bytes, bytes]:
    """The variables that a style attribute defines."""
    parts = (part.partition(b":") for part in split_declarations(body))
    return {name.strip(): value.strip() for name, _, value in parts if name.lstrip().startswith(b"--")}


class Variables:
    """The definitions in the sheets of a page, and what uses of them mean."""

    def __init__(self, sheet: Sheet | None) -> None:
        self._sheet = sheet
        self._left = _MAX_USES
        self._plain: dict[bytes, bytes | None] = {}
        self._texts: dict[bytes, bytes] = {}
        self._read: dict[bytes, dict[int, bytes]] = {}
        self._for_whole_page: dict[int, bool] = {}
        self._attributes: dict[bytes, tuple[list[tuple[bytes, bool]], dict[bytes, bytes]]] = {}

    @cached_property
    def _defining(self) -> set[int]:
        """The blocks with definitions."""
        return set() if self._sheet is None else set(self._sheet.structure.defined.block.tolist())

    def _defined(self, name: bytes) -> dict[int, bytes]:
        """The value that each block gives a variable."""
        if name not in self._read:
            self._read[name] = {} if self._sheet is None else self._sheet.definitions(name)
        return self._read[name]

    def expanded(self, text: bytes, block: int) -> bytes:
        """A declaration, or its value, with the variables replaced of which it is plain what they hold."""
        if block in self._defining:
            return self._expanded(text, lambda name: self._defined(name).get(block))
        if text not in self._texts:
            self._texts[text] = self._expanded(text, _NOTHING.get)
        return self._texts[text]

    def expanded_attribute(self, body: bytes, around: Own = _NOTHING.get) -> bytes:
        """A style attribute, which is a block of its own, with the variables replaced in properties that may hide;
        `around` tells what those of the elements around define."""
        parts, own = self._attribute(body)

        def holding(name: bytes) -> bytes | None:
            return own.get(name) or around(name)

        return b";".join(self._expanded(part, holding) if is_of_use else part for part, is_of_use in parts)

    def _attribute(self, body: bytes) -> tuple[list[tuple[bytes, bool]], dict[bytes, bytes]]:
        """The declarations of a style attribute, and whether variables in them are to be replaced; what it defines.
        Read once, however many elements have it."""
        if body not in self._attributes:
            parts = [(part, part.partition(b":")) for part in split_declarations(body)]
            self._attributes[body] = (
                [(part, VAR_CALL in value and name.strip().lower() in _NAMES) for part, (name, _, value) in parts],
                definitions(body),
            )
        return self._attributes[body]

    def _expanded(self, text: bytes, own: Own) -> bytes:
        """Some CSS with its variables replaced; `own` are the definitions of the block it stands in."""
        pieces, done = [], 0
        at = text.find(VAR_CALL)
        while at >= 0 and self._left > 0:
            self._left -= 1
            use = _VAR.match(text, at)
            value = None if use is None else self._value(use, own)
            if use is not None and value is not None:
                pieces += [text[done:at], value]
                done = use.end()
            at = text.find(VAR_CALL, max(at + len(VAR_CALL), done))
        return b"".join((*pieces, text[done:])) if pieces else text

    def _value(self, use: re.Match[bytes], own: Own, depth: int = 0) -> bytes | None:
        """What a use stands for; None where that is not plain."""
        name = use[1]
        value = own(name)
        if value is None:
            value = self._everywhere(name) if self._defined(name) else use[2]
        value = b"" if value is None else value.strip()
        if not value or len(value) > _MAX_VALUE_BYTES:
            return None
        value = _IMPORTANT.sub(b"", value) if b"!" in value else value
        inner = _VAR.search(value) if b"(" in value else None
        if inner is not None:
            if depth >= _MAX_NESTING:
                return None
            value = value[: inner.start()] + (self._value(inner, own, depth + 1) or b"?") + value[inner.end() :]
        return value if 0 < len(value) <= _MAX_VALUE_BYTES else None

    def _everywhere(self, name: bytes) -> bytes | None:
        """The value of a variable on the whole page, if that is plain."""
        if name not in self._plain:
            defined = list(self._defined(name).items())[-_MAX_DEFINITIONS:]
            values = [value for _, value in defined]
            if len(set(values)) > 1:
                values = [value for block, value in defined if self._is_for_whole_page(block)]
            self._plain[name] = values[-1] if values else None
        return self._plain[name]

    def _is_for_whole_page(self, block: int) -> bool:
        """Whether a block is a rule for the root, outside of any condition."""
        if self._sheet is None or self._sheet.parent(block) >= 0:
            return False
        if block not in self._for_whole_page:
            selectors = split_list(self._sheet.prelude(block))
            chosen = any(selector.lower() in _WHOLE_PAGE for selector in selectors)
            self._for_whole_page[block] = chosen and not any(map(is_invalid, selectors))
        return self._for_whole_page[block]
