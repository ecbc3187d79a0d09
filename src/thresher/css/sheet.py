"""A small reader of style sheets: rules, and the declarations of a few properties.

A declaration is wanted if the bytes before its colon, read backwards, are those of a wanted name: told for all colons
of a sheet at once.  Python looks only at the declarations left and at what stands before their blocks.

Departures from CSS: values are not validated; the lower limit of a `@scope` is not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.invalid_selectors import is_invalid
from thresher.css.layers import Layer, Layers, names_in
from thresher.css.media import holds
from thresher.css.structure import Structure
from thresher.css.text import Places, split_list, without_comments
from thresher.page.byte_words import as_word, last_words, words_at

__all__ = ["UNLAYERED", "Definitions", "Names", "Rule", "Sheet"]

Words = NDArray[np.uint64]

_HYPHEN, _SLASH = b"-/"
_MAX_NESTING = 8  # blocks around a declaration; deeper ones are not read
_MAX_TRAILING_BLANKS = 3  # bytes of white space behind the name of a variable
_MAX_BODY_BYTES = 1_000  # bytes of a block that are looked at as a whole
_MAX_PRELUDE_BYTES = 20_000  # bytes of a prelude
UNLAYERED = 1 << 30  # stronger than any layer
_HASH_FACTOR, _SLOT_BITS = np.uint64(0x9E3779B97F4A7C15), 12
_SHIFT = np.uint64(64 - _SLOT_BITS)
_LOWER_BITS = np.uint64(0x2020202020202020)  # the bit that makes ASCII letters small
_FIRST_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)  # masks the first bytes of a word


class Rule(NamedTuple):
    """Where a block's declarations apply."""

    selectors: tuple[bytes, ...]
    layer: Layer = ()  # the cascade layer they stand in


class Definitions(NamedTuple):
    """The definitions of variables, by the last eight bytes of their names, then in the order of the sheet."""

    tail: Words
    block: Places
    first: Places  # the name is text[first:last], the value text[value:stop]
    last: Places
    value: Places
    stop: Places

    def alike(self, name: bytes) -> Iterator[tuple[int, int, int, int, int]]:
        """The others of the columns, for all names that end as one does."""
        tail = np.uint64(as_word(name[-8:]))
        some = slice(*(int(self.tail.searchsorted(tail, side)) for side in ("left", "right")))
        return zip(*(column[some].tolist() for column in self[1:]), strict=True)


class Names:
    """Names of properties, told apart by their last eight bytes, to be found among many."""

    def __init__(self, names: tuple[bytes, ...]) -> None:
        self.numbers = {name: number for number, name in enumerate(dict.fromkeys(name[-8:] for name in names))}
        self.words = np.array([as_word(name[::-1]) for name in self.numbers], np.uint64)
        self.slots = np.full(1 << _SLOT_BITS, -1, np.intp)
        slot, number = _slot(self.words), np.arange(len(self.words))
        self.slots[slot] = number
        assert (self.slots[slot] == number).all(), "two names share a slot; make it larger"

    def before(self, structure: Structure) -> Places:
        """The number of the name that stands before each colon; -1 for a stranger."""
        colon, bound, buffer = structure.colon, structure.before, structure.buffer
        end = colon - (buffer[colon - 1] <= 32)
        word, mask = last_words(buffer, end, before=_HYPHEN, also=(_SLASH,))
        word = (word | _LOWER_BITS) & mask & _FIRST_BYTES.take(end - bound - 1, mode="clip")
        number: Places = self.slots[_slot(word)]
        number[self.words[number] != word] = -1
        last = buffer[end - 1]
        for odd in np.flatnonzero((last <= 32) | (last == _SLASH)).tolist():  # more white space, or a comment
            name = without_comments(structure.text[bound[odd] + 1 : colon[odd]], b" ").strip().lower()
            number[odd] = self.numbers.get(name[-8:], -1)
        return number


def _slot(words: Words) -> Words:
    slot: Words = (words * _HASH_FACTOR) >> _SHIFT
    return slot


class Sheet:
    """Some style sheets, read as one: the declarations of all properties whose names end as a wanted one does, and
    where they apply."""

    def __init__(self, sheets: list[bytes], wanted: Names) -> None:
        self.structure = Structure(sheets)
        self.text = self.structure.text
        name = wanted.before(self.structure)
        chosen = np.flatnonzero(name >= 0)
        self.declared = self.structure.declarations(chosen, name[chosen])
        self._rules: dict[int, Rule | None] = {}

    def definitions(self) -> Definitions:
        """All definitions of variables, `--name: value`."""
        structure, buffer = self.structure, self.structure.buffer
        at = structure.solid(structure.before + 1)
        chosen = np.flatnonzero((buffer[at] == _HYPHEN) & (buffer[at + 1] == _HYPHEN))
        block, place, _, value, stop = structure.declarations(chosen, chosen)
        first, last = at[place], structure.colon[place]
        for _ in range(_MAX_TRAILING_BLANKS):
            last = last - (buffer[last - 1] <= 32)
        spare = np.maximum(8 - (last - first), 0).astype(np.uint64)
        tail = words_at(buffer, last - 8) >> (spare << np.uint64(3))
        order = np.argsort(tail, kind="stable")
        places = (column[order] for column in (block, first, last, value, stop))
        return Definitions(tail[order], *places)

    def prelude_size(self, block: int) -> int:
        """How many bytes stand before a block."""
        size: int = self.structure.open.item(block) - self.structure.prelude.item(block)
        return size

    def prelude(self, block: int) -> bytes:
        """What stands before a block: selectors or an at-rule; nothing if it is too long to be read."""
        start, size = self.structure.prelude.item(block), self.prelude_size(block)
        if size > _MAX_PRELUDE_BYTES:
            return b""
        text = self.text[start : start + size]
        if b"/*" in text:
            text = without_comments(text, b"")
        return text.strip()

    def body(self, block: int) -> bytes:
        """The start of what stands in a block, up to where another begins or this one ends."""
        start = self.structure.open.item(block) + 1
        return self.text[start : start + _MAX_BODY_BYTES].partition(b"}")[0]

    def outer(self, block: int) -> Rule | None:
        """Where anything inside a block applies; None if nowhere, or in a way we do not read."""
        if block < 0:
            return _ANYWHERE
        if block not in self._rules:
            rule = self.rule(block)
            self._rules[block] = None if rule is None or any(map(is_invalid, rule.selectors)) else rule
        return self._rules[block]

    @cached_property
    def _layers(self) -> Layers:
        return Layers(self.structure, self._layer)

    def _layer(self, block: int) -> Layer | None:
        """The layer that a block stands for."""
        rule = self.outer(block)
        return None if rule is None else rule.layer

    def strength(self, rule: Rule) -> int:
        """How strong the layer of a rule is among all; rules outside of layers are the strongest."""
        return self._layers.strength(rule.layer) if rule.layer else UNLAYERED

    @property
    def has_containers(self) -> bool:
        """Whether any rule makes a box one that can be asked for its size."""
        return b"container-type:" in self.text or b"container:" in self.text

    def rule(self, block: int) -> Rule | None:
        """Where the declarations of a block apply on a desktop screen.

        A rule inside a rule (`.a { .b { … } }`, `.a { &.b { … } }`) is the selector `:is(.a) .b` or `:is(.a).b`.
        """
        around = self.outer(self.structure.parent.item(block)) if self.structure.depth[block] <= _MAX_NESTING else None
        if around is None:
            return None
        prelude = self.prelude(block)
        if prelude.startswith(b"@"):
            if prelude[1:6].lower() == b"layer":
                return Rule(around.selectors, (*around.layer, *names_in(prelude, block)[0]))
            if prelude[1:6].lower() == b"scope":
                scope = prelude[6:].strip().partition(b") to")[0].removesuffix(b")").removeprefix(b"(").strip()
                return Rule((scope,), around.layer) if scope and not around.selectors else None
            if prelude[1:10].lower() == b"container" and not self.has_containers:
                return None
            return around if holds(prelude) else None
        selectors = split_list(prelude) if b"," in prelude else [prelude]
        if b"" in selectors:
            return None
        if around.selectors:
            outer = b":is(" + b",".join(around.selectors) + b")"
            if len(selectors) * len(outer) + len(prelude) > _MAX_PRELUDE_BYTES:
                return None
            selectors = [part.replace(b"&", outer) if b"&" in part else outer + b" " + part for part in selectors]
        return Rule(tuple(dict.fromkeys(selectors)) if len(selectors) > 1 else tuple(selectors), around.layer)


_ANYWHERE = Rule(())
