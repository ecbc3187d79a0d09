"""Style sheets: rules, and the declarations of a few properties.

Where blocks and declarations stand is read in one pass (structure.py); what stands before a block is looked at when
somebody asks.

Departures from CSS: values are not validated.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from thresher.css.invalid_selectors import is_invalid
from thresher.css.layers import Layer, Layers, names_in
from thresher.css.media import holds
from thresher.css.structure import Structure
from thresher.css.text import split_list, without_comments
from thresher.css.tokeniser import Properties, name_hash
from thresher.text.patterns import compile_later

__all__ = ["UNLAYERED", "Sheet", "StyleRule"]

_MAX_NESTING = 8  # blocks around a declaration; deeper ones are not read
_MAX_BODY_BYTES = 1_000  # of a block that are looked at as a whole
_MAX_PRELUDE_BYTES = 20_000
UNLAYERED = 1 << 30  # stronger than any layer


class StyleRule(NamedTuple):
    """Where a block's declarations apply."""

    selectors: tuple[bytes, ...]
    layer: Layer = ()  # the cascade layer they stand in
    limits: tuple[bytes, ...] = ()  # of a scope: elements that it ends at


class Sheet:
    """Some style sheets, read as one: the declarations of all properties whose names end as a wanted one does, and
    where they apply."""

    def __init__(self, sheets: list[bytes], properties: Properties) -> None:
        self.structure = Structure(sheets, properties)
        self.text = self.structure.text
        self.declared = self.structure.declared
        blocks = self.structure.blocks
        self._open, self._prelude, self._parent, self._depth = (column.data for column in blocks)
        self._defining = [column.data for column in self.structure.defined]
        self._outer: dict[int, StyleRule | None] = {}
        self._rules: dict[int, StyleRule | None] = {}
        self._valid: dict[int, bool] = {}

    def parent(self, block: int) -> int:
        """The block around a block; -1 at the top."""
        return self._parent[block]

    def definitions(self, name: bytes) -> dict[int, bytes]:
        """The value that each block gives a variable."""
        text, values = self.text, {}
        block, _, start, value, stop, last = self._defining
        alike = self.structure.defined.hash == name_hash(name) & 0x7FFFFFFF
        for number in alike.nonzero()[0].tolist():
            if text[start[number] : last[number]] == name:
                values[block[number]] = text[value[number] : stop[number]]
        return values

    def prelude(self, block: int) -> bytes:
        """What stands before a block: selectors or an at-rule; nothing if it is too long to be read."""
        start, size = self._prelude[block], self._open[block] - self._prelude[block]
        if size > _MAX_PRELUDE_BYTES:
            return b""
        text = self.text[start : start + size]
        if b"/*" in text:
            text = without_comments(text, b"")
        return text.strip()

    def body(self, block: int) -> bytes:
        """The start of what stands in a block, up to where another begins or this one ends."""
        start = self._open[block] + 1
        return self.text[start : start + _MAX_BODY_BYTES].partition(b"}")[0]

    def outer(self, block: int) -> StyleRule | None:
        """Where anything inside a block applies; None if nowhere, or in a way we do not read."""
        if block < 0:
            return _ANYWHERE
        if block not in self._outer:
            rule = self.rule(block)
            self._outer[block] = rule if rule is not None and self.is_valid(block) else None
        return self._outer[block]

    def is_valid(self, block: int) -> bool:
        """Whether a browser reads the selectors before a block."""
        if block not in self._valid:
            rule = self.rule(block)
            self._valid[block] = rule is None or not any(map(is_invalid, rule.selectors))
        return self._valid[block]

    @cached_property
    def _layers(self) -> Layers:
        return Layers(self.structure, self._layer)

    def _layer(self, block: int) -> Layer | None:
        """The layer that a block stands for."""
        rule = self.outer(block)
        return None if rule is None else rule.layer

    def strength(self, rule: StyleRule) -> int:
        """How strong the layer of a rule is among all; rules outside of layers are the strongest."""
        return self._layers.strength(rule.layer) if rule.layer else UNLAYERED

    @property
    def has_containers(self) -> bool:
        """Whether any rule makes a box one that can be asked for its size."""
        return b"container-type:" in self.text or b"container:" in self.text

    def rule(self, block: int) -> StyleRule | None:
        """Where the declarations of a block apply on a desktop screen."""
        if block not in self._rules:
            self._rules[block] = self._rule(block)
        return self._rules[block]

    def _rule(self, block: int) -> StyleRule | None:
        """A rule inside a rule (`.a { .b { … } }`, `.a { &.b { … } }`) is the selector `:is(.a) .b` or `:is(.a).b`."""
        around = self.outer(self._parent[block]) if self._depth[block] <= _MAX_NESTING else None
        if around is None:
            return None
        prelude = self.prelude(block)
        if prelude.startswith(b"@"):
            if prelude[1:6].lower() == b"layer":
                return around._replace(layer=(*around.layer, *names_in(prelude, block)[0]))
            if prelude[1:6].lower() == b"scope":
                return None if around.selectors else _scope(prelude[6:], around.layer)
            if prelude[1:10].lower() == b"container" and not self.has_containers:
                return None
            return around if holds(prelude) else None
        selectors = split_list(prelude) if b"," in prelude else [prelude]
        if b"" in selectors:
            return None
        if around.selectors:
            outer = b":is(" + b",".join(around.selectors) + b")"
            beyond = b"".join(b":not(%b,%b *)" % (limit, limit) for limit in around.limits)
            if len(selectors) * (len(outer) + len(beyond)) + len(prelude) > _MAX_PRELUDE_BYTES:
                return None
            selectors = [_inside(outer, part) + beyond for part in selectors]
        return StyleRule(
            tuple(dict.fromkeys(selectors)) if len(selectors) > 1 else tuple(selectors), around.layer, around.limits
        )


def _scope(prelude: bytes, layer: Layer) -> StyleRule | None:
    """`@scope (roots) to (limits)`: what stands in a root, but not at or in a limit in it."""
    limit = _LIMIT.search(prelude)
    roots, limits = (prelude, b"") if limit is None else (prelude[: limit.start() + 1], prelude[limit.end() - 1 :])
    scope, ends = (tuple(split_list(part.strip()[1:-1])) for part in (roots, limits))
    if b"" in scope:
        return None
    outer = b":is(" + b",".join(scope) + b")"
    return StyleRule(scope, layer, tuple(_inside(outer, end) for end in ends if end))


_LIMIT = compile_later(rb"\)\s*to\s*\(")


def _inside(outer: bytes, selector: bytes) -> bytes:
    """A selector in a rule, or in a scope."""
    for name in (b":scope", b"&"):
        if name in selector:
            return selector.replace(name, outer)
    return outer + b" " + selector


_ANYWHERE = StyleRule(())
