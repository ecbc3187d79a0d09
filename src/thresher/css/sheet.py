"""A small reader of style sheets: blocks, their preludes, and the declarations of a few properties.

A page's own sheets can be a megabyte of rules of which a handful matters, so they are not tokenised.  The bytes that
are structure in CSS are found in one pass; those inside comments and strings are dropped; then the tree of blocks is a
running sum of +1 and -1, every `{ ; }` bounds a declaration or a prelude, and a declaration is wanted if the eight
bytes after a boundary begin a wanted name.  All of it is arithmetic on arrays; Python looks only at the blocks left.

Departures from CSS: selectors and values are not validated; rules of one cascade layer come in source order like all
others; `@container` and `@scope` blocks are not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.media import holds
from thresher.css.text import opaque_spans, spelled_out, split_list, without_comments
from thresher.page import Ints
from thresher.words8 import as_word, name_words

__all__ = ["Names", "Rule", "Sheet", "read"]

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]

_OPEN, _CLOSE, _SEMICOLON, _COLON, _SLASH, _STAR, _DOUBLE, _SINGLE, _BACKSLASH = b"{};:/*\"'\\"
_MARGIN = b" " * 16  # so that a name at the start can be read backwards
_NESTING = 8  # blocks around a declaration; deeper ones are not read
_INDENT = 12  # bytes of white space skipped one by one
_TRAIL = 3  # bytes of white space cut off after a declaration
_COMMENTS = 4  # comments in a row before a declaration or a value
_BODY = 1_000  # bytes of a block that are looked at as a whole
_LONGEST = 20_000  # bytes of a prelude
_ODD, _SLOT_BITS = np.uint64(0x9E3779B97F4A7C15), 12
_SHIFT = np.uint64(64 - _SLOT_BITS)
_CASE = np.uint64(0x2020202020202020)  # the bit that makes ASCII letters small


class Rule(NamedTuple):
    """Where a block's declarations apply."""

    selectors: tuple[bytes, ...]
    layered: bool  # inside a cascade layer: any rule outside of layers is stronger


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The blocks of some CSS and those of their declarations that set a wanted property."""

    text: bytes
    open: Ints  # (b,)  the brace that opens each block
    prelude: Ints  # (b,)  where the text before that brace starts
    parent: Ints  # (b,)  the block around; -1 at the top
    depth: Ints  # (b,)  how many blocks stand around it, itself counted
    block: Ints  # (d,)  the block of each declaration
    name: Ints  # (d,)  number of the wanted name that its name starts with
    start: Ints  # (d,)  the declaration is text[start:stop], its value text[value:stop]
    value: Ints  # (d,)
    stop: Ints  # (d,)
    _around: dict[int, Rule | None] = field(default_factory=dict, repr=False)

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

    def around(self, block: int) -> Rule | None:
        """Where anything inside the block around a block applies; None if nowhere, or in a way we do not read."""
        parent = int(self.parent[block])
        if parent < 0:
            return _ANYWHERE
        if parent not in self._around:
            self._around[parent] = self.rule(parent, self.head(parent))
        return self._around[parent]

    def rule(self, block: int, head: bytes) -> Rule | None:
        """Where a block with this prelude applies on a desktop screen.

        A rule inside a rule (`.a { .b { … } }`, `.a { &.b { … } }`) is the selector `:is(.a) .b` or `:is(.a).b`.
        """
        around = self.around(block) if self.depth[block] <= _NESTING else None
        if around is None:
            return None
        if head.startswith(b"@"):
            if head[1:6].lower() == b"layer":
                return Rule(around.selectors, True)
            return around if holds(head) else None
        selectors = split_list(head)
        if b"" in selectors:
            return None
        if around.selectors:
            outer = b":is(" + b",".join(around.selectors) + b")"
            if len(selectors) * len(outer) + len(head) > _LONGEST:
                return None
            selectors = [part.replace(b"&", outer) if b"&" in part else outer + b" " + part for part in selectors]
        return Rule(tuple(dict.fromkeys(selectors)), around.layered)


_ANYWHERE = Rule((), False)


class Names:
    """Names of properties, cut to eight bytes, to be found among many."""

    def __init__(self, names: tuple[bytes, ...]) -> None:
        self.words = np.array([as_word(name) for name in names], np.uint64)
        self.slots = np.full(1 << _SLOT_BITS, -1, np.int32)
        self.slots[_slot(self.words)] = np.arange(len(names))
        assert (self.slots[_slot(self.words)] == np.arange(len(names))).all(), "two names share a slot; make it larger"

    def find(self, words: Words) -> Ints:
        """The number of each word among the names; -1 for a stranger."""
        guess: Ints = self.slots[_slot(words)]
        guess[self.words[guess] != words] = -1
        return guess


def _slot(words: Words) -> Words:
    slot: Words = (words * _ODD) >> _SHIFT
    return slot


def read(sheets: list[bytes], wanted: Names) -> Sheet:
    """The blocks of some style sheets.  Of names that begin with the eight bytes of a wanted one, all are found."""
    sheets = [spelled_out(sheet) + b"\n;" for sheet in sheets]  # ends what the sheet left open
    text = _MARGIN + b"".join(sheets)
    buffer = np.frombuffer(text + b"\0", np.uint8)
    borders = np.cumsum([len(_MARGIN), *map(len, sheets)])
    bound, colon, comments = _structure(text, buffer, borders[1:] - 1)
    event = bound[buffer[bound] != _SEMICOLON]
    opens = buffer[event] == _OPEN
    level = np.cumsum(np.where(opens, 1, -1), dtype=np.int32)
    before = bound
    if level.min(initial=0) < 0 or np.append(np.int32(0), level)[event.searchsorted(borders)].any():
        event, opens, stray = _balanced(event, opens, borders)
        level = np.cumsum(np.where(opens, 1, -1), dtype=np.int32)
        before = bound[~np.isin(bound, stray)]  # a stray brace stays in the prelude, and spoils it
    inside, parent = _blocks(opens, level)
    start = np.append(np.int32(-1), before)[before.searchsorted(event[opens])] + np.int32(1)

    begin, stop = _solid(buffer, bound[:-1] + np.int32(1), comments), bound[1:]
    word, mask = name_words(buffer, begin, before=33, also=(_COLON, _SLASH))
    name = wanted.find((word | _CASE) & mask)
    chosen = np.flatnonzero((name >= 0) & (buffer[stop] != _OPEN))
    after = np.append(colon, np.int32(len(text)))[colon.searchsorted(begin[chosen])]
    block = np.append(inside, np.int32(-1))[event.searchsorted(bound[chosen], side="right") - 1]
    proper = (after < stop[chosen]) & (block >= 0)
    chosen, after, block = chosen[proper], after[proper], block[proper]
    value = _solid(buffer, after + np.int32(1), comments)
    stop = stop[chosen]
    for _ in range(_TRAIL):
        stop = stop - (buffer[stop - 1] <= 32)
    return Sheet(
        text, event[opens], start, parent, level[opens],
        block, name[chosen], begin[chosen], value, stop,
    )  # fmt: skip


def _structure(text: bytes, buffer: Bytes, borders: NDArray[np.intp]) -> tuple[Ints, Ints, Ints]:
    """Where the braces and semicolons stand, where the colons, and where comments start and end (as two rows): all
    but what is inside of comments and strings."""
    whole = buffer[: len(text)]
    is_mark = (whole & 0xFE) == _COLON  # and the semicolon, its neighbour
    for byte in (_OPEN, _CLOSE, _SLASH, _DOUBLE, _SINGLE):
        is_mark |= whole == byte
    mark = np.flatnonzero(is_mark).astype(np.int32)
    if b"\\" in text:  # of two backslashes the second is escaped, and what follows is not
        mark = mark[(buffer[mark - 1] != _BACKSLASH) | (buffer[mark - 2] == _BACKSLASH)]
    kind = buffer[mark]
    comment = (kind == _SLASH) & (buffer[mark + 1] == _STAR)
    quote = (kind == _DOUBLE) | (kind == _SINGLE)
    comments = np.zeros((2, 0), np.int32)
    if comment.any() or (quote.any() and not _are_plain(kind[(kind != _COLON) & (kind != _SLASH)])):
        spans = (
            np.array(opaque_spans(text, mark[comment | quote].tolist(), borders.tolist()), np.int32).reshape(-1, 2).T
        )
        outside = spans[0].searchsorted(mark, side="right") == spans[1].searchsorted(mark, side="right")
        mark, kind = mark[outside], kind[outside]
        comments = spans[:, buffer[spans[0]] == _SLASH]
    colon = mark[kind == _COLON]
    return mark[(kind == _OPEN) | (kind == _CLOSE) | (kind == _SEMICOLON)], colon, comments


def _are_plain(kind: Bytes) -> bool:
    """Whether between the quotes of each string, among these bytes, none of the others stands."""
    quote = np.flatnonzero((kind == _DOUBLE) | (kind == _SINGLE))
    first, second = quote[::2], quote[1::2]
    return len(first) == len(second) and bool(((second - first == 1) & (kind[first] == kind[second])).all())


def _balanced(event: Ints, opens: Bools, borders: NDArray[np.intp]) -> tuple[Ints, Bools, Ints]:
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
    closing = np.repeat(borders[1:] - 1, missing).astype(np.int32)
    return np.insert(event[kept], at, closing), np.insert(opens[kept], at, False), event[~kept]


def _solid(buffer: Bytes, at: Ints, comments: Ints) -> Ints:
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


def _skip_blank(buffer: Bytes, at: Ints) -> Ints:
    """The first byte from each position on that is no white space, or the last byte."""
    last = len(buffer) - 1
    for _ in range(_INDENT):
        blank = (buffer[at] <= 32) & (at < last)
        if not blank.any():
            return at
        at = at + blank
    solid = np.append(np.flatnonzero(buffer > 32), len(buffer) - 1).astype(np.int32)
    return solid[solid.searchsorted(at)]


def _blocks(opens: Bools, level: Ints) -> tuple[Ints, Ints]:
    """The innermost block after each brace (-1: none), and the parent of each block.

    The innermost block after a brace at level v is the last one opened at level v: one search in (level, brace) keys.
    """
    count = len(opens)
    number = np.cumsum(opens, dtype=np.int32) - np.int32(1)
    opened = np.flatnonzero(opens)
    if not len(opened):
        return np.full(count, -1, np.int32), np.zeros(0, np.int32)
    key = level.astype(np.int64) * count + np.arange(count)
    order = np.sort(key[opened])
    last = order[order.searchsorted(key, side="right") - 1] % count
    inside = np.where(level > 0, number[last], np.int32(-1)).astype(np.int32)
    parent = np.where(opened > 0, inside[np.maximum(opened - 1, 0)], np.int32(-1)).astype(np.int32)
    return inside, parent
