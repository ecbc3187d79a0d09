"""The few rules of a page's style sheets that matter: those that may hide something, or show it again.

Sheets are long and most of their rules are about looks, so nothing is parsed until it is known to matter.  The sheets
are copied without white space; there the eight bytes before each colon name the property and the eight after it start
the value, and comparing such words finds all suspects at once.  White space holds no braces, so the number of `}`
before a suspect names its rule in the original, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.unseen.declarations import plain
from thresher.words8 import Words, words_at

__all__ = ["NAMES", "Rule", "Sheet"]

Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

_STRING = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
NAMES = re.compile(rb"[.#]-?[\w\x80-\xff-]+")  # classes and ids, with their signs
_SPACE = b" \t\n\r\f"
_BEFORE = bytes(8)  # so that eight bytes stand before every colon
# Suspects that need a second look: a length far to the left or above, a box without size, a vanishing transform.
_FAR = re.compile(rb"-(?:\d{3}|\d\d(?:\.\d+)?(?:r?em|vw|ch))")
_SMALL = re.compile(rb"(?<!-)(?:height|width):[01](?:px)?[;}!]|max-height:0")
_VANISHES = re.compile(rb"[^;}]*(?:scale(?:3d|x|y)?\(0|translate(?:3d|x|y)?\(-\d{2})")


class Rule(NamedTuple):
    """One rule: its place in the page's sheets, its selectors and its declarations, as they stand."""

    order: int
    selectors: str
    body: str


class Sheet:
    """The style sheets of a page, searched but not parsed."""

    def __init__(self, texts: list[str]) -> None:
        css = b"\n".join(map(_closed, texts))
        self.pieces = css.split(b"}")
        self.compact = _BEFORE + css.translate(None, _SPACE).lower()
        buffer = np.frombuffer(self.compact, np.uint8)
        self.ends = np.flatnonzero(buffer == ord("}"))
        self.colons = np.flatnonzero(buffer == ord(":"))
        self.before = words_at(buffer, self.colons - 7)
        self.after = words_at(buffer, self.colons + 1)
        opens = np.searchsorted(self.ends, np.flatnonzero(buffer == ord("{")))
        self.applies = _applicable(self.pieces, np.bincount(opens, minlength=len(self.ends))[: len(self.ends)])

    def hiding(self, known: frozenset[bytes]) -> Iterator[Rule]:
        """The rules that may hide something, but those whose classes and ids are all unknown to the page."""
        surely = self._sets(b"display:") & self._to(b"none")
        surely |= self._sets(b"visibility:") & (self._to(b"hidden") | self._to(b"collapse"))
        surely |= (self._sets(b"opacity:") | self._sets(b"font-size:")) & (self._to(b"0") | self._to(b".0"))
        surely |= self._sets(b"clip:") | self._sets(b"clip-path:") | self._inks()
        places = self.colons[surely].tolist()
        places += [at for at in self.colons[self._to(b"-")].tolist() if _FAR.match(self.compact, at + 1)]
        places += [
            at for at in self.colons[self._sets(b"transform:")].tolist() if _VANISHES.match(self.compact, at + 1)
        ]
        boxes = self.colons[self._sets(b"overflow:") & self._to(b"hidden")].tolist()
        places += [at for at in boxes if _SMALL.search(self._rule_around(at))]
        for number in self._numbers(places):
            names = NAMES.findall(self.pieces[number].rpartition(b"{")[0])
            if not names or not known.isdisjoint(names):
                yield from self._rule(number)

    def setting(self, key: str, wanted: frozenset[bytes]) -> Iterator[Rule]:
        """The rules that set a property and name one of the wanted classes and ids."""
        for number in self._numbers(self.colons[self._sets(key.encode() + b":")].tolist()):
            if not wanted.isdisjoint(NAMES.findall(self.pieces[number].rpartition(b"{")[0])):
                yield from self._rule(number)

    def _sets(self, name: bytes) -> Bools:
        """Which colons follow this property; where the name is short, something ends with it that is not longer."""
        tail = name[-8:]
        sets: Bools = (self.before >> np.uint64(8 * (8 - len(tail)))) == np.uint64(int.from_bytes(tail, "little"))
        return sets

    def _to(self, start: bytes) -> Bools:
        """Which colons stand before a value that starts so."""
        mask = np.uint64((1 << 8 * len(start)) - 1)
        to: Bools = (self.after & mask) == np.uint64(int.from_bytes(start, "little"))
        return to

    def _inks(self) -> Bools:
        """Colours of text that are transparent, or start like the colour of the ground in the same rule."""
        inks = self._sets(b"{color:") | self._sets(b";color:")
        suspects = inks & self._to(b"transpar")
        grounds = self._sets(b"background:") | self._sets(b"ground-color:")
        if inks.any() and grounds.any():
            key = _rule_and_start(self.ends, self.colons, self.after)
            suspects |= inks & np.isin(key, key[grounds])
        return suspects

    def _rule_around(self, place: int) -> bytes:
        number = int(np.searchsorted(self.ends, place))
        start = int(self.ends[number - 1]) + 1 if number else 0
        return self.compact[start : int(self.ends[number]) + 1 if number < len(self.ends) else None]

    def _numbers(self, places: list[int]) -> Iterator[int]:
        """The rules in which these places lie, as far as they apply."""
        for number in sorted(set(np.searchsorted(self.ends, places).tolist())):
            if number < len(self.applies) and self.applies[number]:
                yield number

    def _rule(self, number: int) -> Iterator[Rule]:
        head, _, body = self.pieces[number].rpartition(b"{")
        selectors = head.rpartition(b"{")[2].rpartition(b";")[2].strip()
        if not selectors.startswith(b"@"):
            yield Rule(number, selectors.decode("utf-8", "replace"), body.decode("utf-8", "replace"))


def _rule_and_start(ends: Rows, colons: Rows, after: Words) -> Words:
    """A number for the rule of each colon and the first four bytes of its value: `#ffffff` starts with `#fff`."""
    rule: Words = np.searchsorted(ends, colons).astype(np.uint64) << np.uint64(32)
    rule |= after & np.uint64(0xFFFFFFFF)
    return rule


def _closed(text: str) -> bytes:
    """One style element, so that what it leaves open does not swallow the next."""
    css = plain(text).encode("utf-8", "replace")
    if css.count(b"{") != css.count(b"}"):  # perhaps some stand in strings
        css = _STRING.sub(b'""', css)
        css += b"}" * max(0, css.count(b"{") - css.count(b"}"))
    return css


def _applicable(pieces: list[bytes], braces: Rows) -> Bools:
    """For each piece up to a `}`: does it hold a rule that counts on a desktop screen before anybody does anything?

    `braces` counts the `{` of each piece: one is a rule, none the end of a block around rules, several open such
    blocks.  Only the last two are looked at.
    """
    applies = np.ones(len(braces), bool)
    around = [True]
    done = 0
    for number in np.flatnonzero(braces != 1).tolist():
        applies[done:number] = around[-1]
        done = number + 1
        if not braces[number]:
            applies[number] = False
            if len(around) > 1:
                around.pop()
            continue
        for prelude in pieces[number].split(b"{")[:-2]:
            around.append(around[-1] and _holds(prelude.rpartition(b";")[2].strip().lower()))
        applies[number] = around[-1]
    applies[done:] = around[-1]
    return applies


_WIDTH = 1280.0  # pixels of the screen we judge for
_FEATURE = re.compile(rb"\(\s*(min|max)-(?:device-)?width\s*:\s*([\d.]+)(px|em|rem)\s*\)")
_MEDIUM = re.compile(rb"(?:only\s+)?(?:screen|all)|and|\s+")


def _holds(prelude: bytes) -> bool:
    """Whether the rules of an at-rule count: media queries for wide screens, layers, supported features."""
    if prelude.startswith(b"@media"):
        return any(_matches(query) for query in prelude[6:].split(b","))
    return prelude.startswith((b"@layer", b"@supports")) and b"not" not in prelude


def _matches(query: bytes) -> bool:
    for bound, number, unit in _FEATURE.findall(query):
        try:
            width = float(number) * (1 if unit == b"px" else 16)
        except ValueError:
            return False
        if width > _WIDTH if bound == b"min" else width < _WIDTH:
            return False
    return not _MEDIUM.sub(b"", _FEATURE.sub(b"", query))  # anything else asks for what we do not know
