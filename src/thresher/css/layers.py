"""Cascade layers: `@layer base, theme;` and `@layer theme { … }`, and which of them is stronger.

A layer is a path of names, `@layer a { @layer b { … } }` is a.b; one without a name is like no other.  Layers come in
the order in which their names are first read, those inside of a layer before the rules of that layer itself, and all
rules outside of layers after them.  So with n(p) the place at which a path is first read

    key(a.b) = (n(a), n(a.b), ∞)  <  key(a) = (n(a), ∞)  <  key() = (∞)

and a rule has the strength that its layer's key has among all; of important declarations it is the other way round.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import islice

from thresher.css.structure import Structure
from thresher.css.text import split_list
from thresher.text.patterns import compile_later

__all__ = ["Layer", "Layers", "names_in"]

Layer = tuple[bytes, ...]  # names, from the outermost in

_NAMES_LAYERS = compile_later(rb"@(?:layer|import)\b", re.IGNORECASE)
_IMPORTED = compile_later(rb"\blayer(?:\(\s*([^()]*?)\s*\))?(?![-\w(])", re.IGNORECASE)
_MAX_AT_RULES = 10_000  # in which layers are looked for
_MAX_PATH_NAMES = 20  # names of a path that are told apart


def names_in(prelude: bytes, block: int) -> list[Layer]:
    """The layers that the prelude of a block, or a statement, names: `@layer a.b, c`; one without a name has the
    number of the block."""
    listed = prelude[len(b"@layer") :].strip()
    if not listed:
        return [(b" %d" % block,)]
    return [_path(name) for name in split_list(listed)]


def _path(name: bytes) -> Layer:
    return tuple(part.strip() for part in name.split(b".", _MAX_PATH_NAMES))


class Layers:
    """The layers of some sheets, in order."""

    def __init__(self, structure: Structure, around: Callable[[int], Layer | None]) -> None:
        """`around` tells the layer that a block stands in, None where nothing in it applies."""
        first: dict[Layer, int] = {}
        statements = islice(zip(*(column.tolist() for column in structure.statements), strict=True), _MAX_AT_RULES)
        for start, stop, block, opened in statements:
            if _NAMES_LAYERS.match(structure.text, start) is None:
                continue
            outer, statement = around(block), structure.text[start:stop].strip()
            if outer is None:
                continue
            for path in names_in(statement, opened) if statement[1:6].lower() == b"layer" else _imported(statement):
                for depth in range(1, len(path) + 1):
                    first.setdefault((*outer, *path)[: len(outer) + depth], len(first))
        keys = {layer: _key(layer, first) for layer in first}
        self._strength = {layer: place for place, layer in enumerate(sorted(keys, key=keys.__getitem__))}

    def strength(self, layer: Layer) -> int:
        """The place of a layer among all, from the weakest on."""
        return self._strength.get(layer, -1) if layer else len(self._strength)


def _key(layer: Layer, first: dict[Layer, int]) -> tuple[float, ...]:
    return (*(first[layer[:depth]] for depth in range(1, len(layer) + 1)), math.inf)


def _imported(statement: bytes) -> list[Layer]:
    """The layer of `@import url(a.css) layer(base)`."""
    layer = _IMPORTED.search(statement.rpartition(b'"')[2].rpartition(b"'")[2])
    return [] if layer is None or not layer[1] else [_path(layer[1])]
