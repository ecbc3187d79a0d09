"""A small reader of style sheets: blocks, their preludes, and the declarations of a few properties.

A page's own sheets can be a megabyte of rules of which a handful matters, so they are not tokenised.  The bytes that
are structure in CSS, `{ } ; :`, are found in one pass; those inside comments and strings are dropped.  Then the tree of
blocks is a running sum of +1 and -1, and a declaration is what stands around a colon that is the first one behind a
`{ ; }`.  It is wanted if the bytes before the colon, read backwards, are those of a wanted name.  All of it is
arithmetic on arrays; Python looks only at the declarations left.

Departures from CSS: selectors and values are not validated; rules of one cascade layer come in source order like all
others; the lower limit of a `@scope` is not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.media import holds
from thresher.css.text import Bytes, Places, opaque_spans, spelled_out, split_list, unescaped, without_comments
from thresher.spans import outside
from thresher.words8 import as_word, last_words

__all__ = ["Names", "Rule", "Sheet", "read"]

Bools = NDArray[np.bool_]
Words = NDArray[np.uint64]

_OPEN, _CLOSE, _SEMICOLON, _COLON, _SLASH = b"{};:/"
_MARGIN = b" " * 16  # so that a name at the start can be read backwards
_NESTING = 8  # blocks around a declaration; deeper ones are not read
_INDENT = 12  # bytes of white space skipped one by one
_TRAIL = 3  # bytes of white space cut off after a declaration
_COMMENTS = 4  # comments in a row beside a colon
_BODY = 1_000  # bytes of a block that are looked at as a whole
_LONGEST = 20_000  # bytes of a prelude
_ODD, _SLOT_BITS = np.uint64(0x9E3779B97F4A7C15), 12
_SHIFT = np.uint64(64 - _SLOT_BITS)
_CASE = np.uint64(0x2020202020202020)  # the bit that makes ASCII letters small
_BEFORE_NAME = tuple(b";{}/")  # and white space


class Rule(NamedTuple):
    """Where a block's declarations apply."""

    selectors: tuple[bytes, ...]
    layered: bool  # inside a cascade layer: any rule outside of layers is stronger


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The blocks of some CSS and those of their declarations that set a wanted property."""

    text: bytes
    open: Places  # (b,)  the brace that opens each block
    prelude: Places  # (b,)  where the text before that brace starts
    parent: Places  # (b,)  the block around; -1 at the top
    depth: Places  # (b,)  how many blocks stand around it, itself counted
    block: Places  # (d,)  the block of each declaration
    name: Places  # (d,)  number of the wanted name that its name ends with
    start: Places  # (d,)  the declaration is text[start:stop], white space before it, its value text[value:stop]
    value: Places  # (d,)
    stop: Places  # (d,)
    _rules: dict[int, Rule | None] = field(default_factory=dict, repr=False)

    def head(self, block: int) -> bytes:
        """What stands before a block: selectors or an at-rule; nothing if it is too long to be read."""
        start, stop = int(self.prelude[block]), int(self.open[block])
        if stop - start > _LONGEST:
            return b""
        text = self.text[start:stop]
        if b"/*" in text:
            text = without_comments(text, b"")
        return text.strip()

    def body(self, block: int) -> bytes:
        """The start of what stands in a block, up to where another begins or this one ends."""
        start = int(self.open[block]) + 1
        return self.text[start : start + _BODY].partition(b"}")[0]

    def outer(self, block: int) -> Rule | None:
        """Where anything inside a block applies; None if nowhere, or in a way we do not read."""
        if block < 0:
            return _ANYWHERE
        if block not in self._rules:
            self._rules[block] = self.rule(block)
        return self._rules[block]

    @property
    def has_containers(self) -> bool:
        """Whether any rule makes a box one that can be asked for its size."""
        return b"container-type:" in self.text or b"container:" in self.text

    def rule(self, block: int) -> Rule | None:
        """Where the declarations of a block apply on a desktop screen.

        A rule inside a rule (`.a { .b { … } }`, `.a { &.b { … } }`) is the selector `:is(.a) .b` or `:is(.a).b`.
        """
        around = self.outer(int(self.parent[block])) if self.depth[block] <= _NESTING else None
        if around is None:
            return None
        head = self.head(block)
        if head.startswith(b"@"):
            if head[1:6].lower() == b"layer":
                return Rule(around.selectors, True)
            if head[1:6].lower() == b"scope":
                scope = head[6:].strip().partition(b") to")[0].removesuffix(b")").removeprefix(b"(").strip()
                return Rule((scope,), around.layered) if scope and not around.selectors else None
            if head[1:10].lower() == b"container" and not self.has_containers:
                return None
            return around if holds(head) else None
        selectors = split_list(head) if b"," in head else [head]
        if b"" in selectors:
            return None
        if around.selectors:
            outer = b":is(" + b",".join(around.selectors) + b")"
            if len(selectors) * len(outer) + len(head) > _LONGEST:
                return None
            selectors = [part.replace(b"&", outer) if b"&" in part else outer + b" " + part for part in selectors]
        return Rule(tuple(dict.fromkeys(selectors)) if len(selectors) > 1 else tuple(selectors), around.layered)


_ANYWHERE = Rule((), False)


class Names:
    """Names of properties, told apart by their last eight bytes, to be found among many."""

    def __init__(self, names: tuple[bytes, ...]) -> None:
        self.numbers = {name: number for number, name in enumerate(dict.fromkeys(name[-8:] for name in names))}
        self.words = np.array([as_word(name[::-1]) for name in self.numbers], np.uint64)
        self.slots = np.full(1 << _SLOT_BITS, -1, np.intp)
        slot, number = _slot(self.words), np.arange(len(self.words))
        self.slots[slot] = number
        assert (self.slots[slot] == number).all(), "two names share a slot; make it larger"

    def before(self, text: bytes, colon: Places, bound: Places) -> Places:
        """The number of the name that stands before each colon, behind the bound before it; -1 for a stranger."""
        buffer = np.frombuffer(text, np.uint8)
        end = colon - (buffer[colon - 1] <= 32)
        word, mask = last_words(buffer, end, before=ord("-"), also=_BEFORE_NAME)
        word = (word | _CASE) & mask
        number: Places = self.slots[_slot(word)]
        number[self.words[number] != word] = -1
        last = buffer[end - 1]
        for odd in np.flatnonzero((last <= 32) | (last == _SLASH)).tolist():  # more white space, or a comment
            name = without_comments(text[bound[odd] + 1 : colon[odd]], b" ").strip().lower()
            number[odd] = self.numbers.get(name[-8:], -1)
        return number


def _slot(words: Words) -> Words:
    slot: Words = (words * _ODD) >> _SHIFT
    return slot


def read(sheets: list[bytes], wanted: Names) -> Sheet:
    """The blocks of some style sheets, and the declarations of all properties whose names end as a wanted one does."""
    sheets = [spelled_out(sheet) + b"\n;" for sheet in sheets]  # ends what the sheet left open
    text = b"".join((_MARGIN, *sheets, b"\0"))
    buffer = np.frombuffer(text, np.uint8)
    borders = np.cumsum([len(_MARGIN), *map(len, sheets)])
    mark, kind, comments = _structure(text, buffer, borders[1:] - 1)
    is_bound = kind != _COLON
    bound, what = mark[is_bound], kind[is_bound]
    event = bound[what != _SEMICOLON]
    opens = buffer[event] == _OPEN
    prelude = np.append(-1, bound)[np.flatnonzero(what == _OPEN)] + 1
    level = np.cumsum(np.where(opens, 1, -1))
    if level.min(initial=0) < 0 or np.append(0, level)[event.searchsorted(borders)].any():
        event, opens, stray = _balanced(event, opens, borders)
        level = np.cumsum(np.where(opens, 1, -1))
        before = bound[~np.isin(bound, stray)]  # a stray brace stays in the prelude, and spoils it
        prelude = np.append(-1, before)[before.searchsorted(event[opens])] + 1

    # A declaration has its colon right behind one boundary, as marks go, and up to the next, which opens no block.
    first = np.flatnonzero(is_bound[:-1] & ~is_bound[1:]) + 1
    name = wanted.before(text, mark[first], mark[first - 1])
    chosen = np.flatnonzero(name >= 0)
    first, name = first[chosen], name[chosen]
    stop = bound[bound.searchsorted(mark[first])]
    opened = np.flatnonzero(opens)
    around = _innermost(opens, level, np.concatenate((event.searchsorted(mark[first]) - 1, opened - 1)))
    block, parent = around[: len(first)], around[len(first) :]
    proper = (block >= 0) & (buffer[stop] != _OPEN)
    first, stop = first[proper], stop[proper]
    for _ in range(_TRAIL):
        stop = stop - (buffer[stop - 1] <= 32)
    return Sheet(
        text, event[opened], prelude, parent, level[opened],
        block[proper], name[proper], mark[first - 1] + 1, _solid(buffer, mark[first] + 1, comments), stop,
    )  # fmt: skip


def _structure(text: bytes, buffer: Bytes, borders: Places) -> tuple[Places, Bytes, Places]:
    """Where braces, semicolons and colons stand, which of them it is, and where comments start and end (as two rows):
    all but what is inside of comments and strings."""
    is_mark = (buffer & 0xFE) == _COLON  # and the semicolon, its neighbour
    is_mark |= buffer == _OPEN
    is_mark |= buffer == _CLOSE
    mark = unescaped(text, np.flatnonzero(is_mark))
    start, stop = opaque_spans(text, borders)
    mark = outside(mark, start, stop)
    comment = buffer[start] == _SLASH
    return mark, buffer[mark], np.stack((start[comment], stop[comment]))


def _balanced(event: Places, opens: Bools, borders: Places) -> tuple[Places, Bools, Places]:
    """The braces without stray closing ones and with all blocks closed where their sheet ends; and the stray ones.

    A brace is stray where the level sinks below all before: running minimum, in steps of one.
    """
    places = event.searchsorted(borders)
    total = np.append(0, np.cumsum(np.where(opens, 1, -1)))
    lowest = np.minimum.reduceat(total, places)[:-1]
    wrong = (total[places[1:]] != total[places[:-1]]) | (lowest < total[places[:-1]])
    kept = np.ones(len(event), bool)
    missing = np.zeros(len(wrong), np.intp)
    for sheet in np.flatnonzero(wrong).tolist():
        some = slice(places[sheet], places[sheet + 1])
        level = np.cumsum(np.where(opens[some], 1, -1))
        lowest = np.minimum(np.minimum.accumulate(level), 0)
        kept[some] = np.diff(lowest, prepend=0) == 0
        missing[sheet] = level[-1] - lowest[-1]
    left = np.append(0, np.cumsum(kept))  # how many are kept before each
    at = np.repeat(left[places[1:]], missing)
    closing = np.repeat(borders[1:] - 1, missing)
    return np.insert(event[kept], at, closing), np.insert(opens[kept], at, False), event[~kept]


def _solid(buffer: Bytes, at: Places, comments: Places) -> Places:
    """The first byte from each position on that is neither white space nor in a comment."""
    at = _skip_blank(buffer, at)
    starts, ends = comments
    for _ in range(_COMMENTS if len(starts) else 0):
        place = np.minimum(starts.searchsorted(at), len(starts) - 1)
        hit = starts[place] == at
        if not hit.any():
            break
        at[hit] = _skip_blank(buffer, ends[place[hit]])
    return at


def _skip_blank(buffer: Bytes, at: Places) -> Places:
    """The first byte from each position on that is no white space, or the last byte."""
    last = len(buffer) - 1
    for _ in range(_INDENT):
        blank = (buffer[at] <= 32) & (at < last)
        if not blank.any():
            return at
        at = at + blank
    solid = np.append(np.flatnonzero(buffer > 32), last)
    return solid[solid.searchsorted(at)]


def _innermost(opens: Bools, level: Places, at: Places) -> Places:
    """The number of the innermost block after each of some braces; -1 where there is none, and after brace -1.

    After one that opens it is the block itself.  After one that closes, at level v, it is the last one opened at
    level v before: one search in (level, brace) keys.
    """
    count = len(opens)
    if not count:
        return np.full(len(at), -1)
    number = np.cumsum(opens) - 1
    opened = opens[at]
    found = np.where(opened, number[at], -1)
    rest = np.flatnonzero(~opened & (level[at] > 0))
    if len(rest):
        key = level * count + np.arange(count)
        order = np.sort(key[opens])
        found[rest] = number[order[order.searchsorted(key[at[rest]]) - 1] % count]
    return found
