"""Where the blocks and declarations of style sheets stand.

A page's own sheets can be a megabyte of rules of which a handful matters, so they are not tokenised.  All bytes that
may be structure are found in one pass over the text: `{ } ; :`, commas, and the quotes and stars by which strings and
comments begin and end; what stands inside of those, or in an address without quotes, is dropped.  Then the tree of
blocks is a running sum of +1 and -1, and a declaration is what stands around a colon that is the first one behind a
`{ ; }`.  All of it is arithmetic on arrays of marks.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.text import Bytes, Places, spelled_out
from thresher.page.spans import outside

__all__ = ["MARGIN", "Declarations", "Structure"]

Bools = NDArray[np.bool_]

_OPEN, _CLOSE, _SEMICOLON, _COLON, _COMMA, _SLASH, _STAR, _DOUBLE, _SINGLE, _BACKSLASH = b"{};:,/*\"'\\"
_BRACKET, _SHUT, _U, _R, _L = b"()url"
_IN_NAME = np.array([chr(code).isalnum() or chr(code) in "-_\\" or code >= 128 for code in range(256)])
MARGIN = b" " * 16  # so that a name at the start can be read backwards
_MAX_STEPPED_BLANKS = 12  # bytes of white space skipped one by one
_MAX_TRAILING_BLANKS = 3  # bytes of white space cut off after a declaration
_MAX_ADJACENT_COMMENTS = 4  # comments in a row beside a colon


class Declarations(NamedTuple):
    """Some declarations: each is text[start:stop], white space before it, its value text[value:stop]."""

    block: Places  # the block it stands in
    name: Places  # a number for its name
    start: Places
    value: Places
    stop: Places

    def only(self, kept: Places | Bools) -> Declarations:
        return Declarations(*(column[kept] for column in self))


class Structure:
    """The marks of some sheets, one after the other; b blocks, c colons that may belong to declarations."""

    def __init__(self, sheets: list[bytes]) -> None:
        sheets = [spelled_out(sheet) + b"\n;" for sheet in sheets]  # ends what the sheet left open
        self.text = b"".join((MARGIN, *sheets, b"\0"))
        self.buffer = np.frombuffer(self.text, np.uint8)
        self._blank = _Blank(self.buffer)
        borders = np.cumsum([len(MARGIN), *map(len, sheets)])
        self._read_marks(borders)
        self._read_blocks(borders)

    def _read_marks(self, borders: Places) -> None:
        buffer = self.buffer
        is_mark = (buffer - _COLON) <= 1  # and the semicolon, its neighbour
        is_mark |= (buffer - _OPEN) <= _CLOSE - _OPEN  # and the bar between them
        is_mark |= (buffer - _SINGLE) <= _STAR - _SINGLE  # and the brackets between them
        for other in (_COMMA, _DOUBLE):
            is_mark |= buffer == other
        mark = np.flatnonzero(is_mark)
        kind = buffer[mark]
        start, stop = _opaque_spans(self.text, self._blank, mark, borders[1:] - 1)
        comment = buffer[start] == _SLASH
        self._comments = start[comment], stop[comment]
        self.comma = mark[kind == _COMMA]  # also in strings
        mark = outside(_unescaped(self.text, buffer, mark[_IS_STRUCTURE[kind]]), start, stop)
        kind = buffer[mark]
        is_bound = kind != _COLON
        self._bound, self._bounds = mark[is_bound], kind[is_bound]
        # A declaration has its colon right behind one boundary, as marks go, and up to the next, which opens no block.
        first = np.flatnonzero(is_bound[:-1] & ~is_bound[1:]) + 1
        self.colon, self.before = mark[first], mark[first - 1]  # (c,)  and the boundary before it

    def _read_blocks(self, borders: Places) -> None:
        bound, what = self._bound, self._bounds
        is_brace = what != _SEMICOLON
        event, opens = bound[is_brace], what[is_brace] == _OPEN
        prelude = np.append(-1, bound)[np.flatnonzero(what == _OPEN)] + 1
        level = np.cumsum(np.where(opens, 1, -1))
        if level.min(initial=0) < 0 or np.append(0, level)[event.searchsorted(borders)].any():
            event, opens, stray = _balanced(event, opens, borders)
            level = np.cumsum(np.where(opens, 1, -1))
            before = bound[~np.isin(bound, stray)]  # a stray brace stays in the prelude, and spoils it
            prelude = np.append(-1, before)[before.searchsorted(event[opens])] + 1
        self._event, self._opens, self._level = event, opens, level
        opened = np.flatnonzero(opens)
        self.open = event[opened]  # (b,)  the brace that opens each block
        self.prelude = prelude  # (b,)  where the text before that brace starts
        self.parent = self._innermost(opened - 1)  # (b,)  the block around; -1 at the top
        self.depth = level[opened]  # (b,)  how many blocks stand around it, itself counted

    def declarations(self, chosen: Places, name: Places) -> Declarations:
        """The declarations at some of the colons, with numbers for their names."""
        colon, buffer = self.colon[chosen], self.buffer
        block = self._innermost(self._event.searchsorted(colon) - 1)
        stop = self._bound[self._bound.searchsorted(colon)]
        proper = (block >= 0) & (buffer[stop] != _OPEN)
        colon, stop = colon[proper], stop[proper]
        for _ in range(_MAX_TRAILING_BLANKS):
            stop = stop - (buffer[stop - 1] <= 32)
        start = self.before[chosen[proper]] + 1
        return Declarations(block[proper], name[proper], start, self.solid(colon + 1), stop)

    def statements(self, at: Places) -> tuple[Places, Places, Places, Places]:
        """Those of some ascending positions at which a statement begins; the block around each, where its head ends,
        and the block that it opens, or -1."""
        place = self._bound.searchsorted(at)
        before = np.append(-1, self._bound)[place] + 1
        begins = (place < len(self._bound)) & (self.solid(before) == at)
        at, stop = at[begins], self._bound[place[begins]]
        opened = np.where(self.buffer[stop] == _OPEN, self.open.searchsorted(stop), -1)
        return at, self._innermost(self._event.searchsorted(at) - 1), stop, opened

    def _innermost(self, at: Places) -> Places:
        """The number of the innermost block after each of some braces; -1 where there is none, and after brace -1.

        After one that opens it is the block itself.  After one that closes, at level v, it is the last one opened at
        level v before: one search in (level, brace) keys.
        """
        opens, level = self._opens, self._level
        count = len(opens)
        if not count:
            return np.full(len(at), -1)
        number = np.cumsum(opens) - 1
        opened = opens[at]
        innermost = np.where(opened, number[at], -1)
        rest = np.flatnonzero(~opened & (level[at] > 0))
        if len(rest):
            key = level * count + np.arange(count)
            order = np.sort(key[opens])
            innermost[rest] = number[order[order.searchsorted(key[at[rest]]) - 1] % count]
        return innermost

    def solid(self, at: Places) -> Places:
        """The first byte from each position on that is neither white space nor in a comment."""
        at = self._blank.skip(at)
        starts, ends = self._comments
        for _ in range(_MAX_ADJACENT_COMMENTS if len(starts) else 0):
            place = np.minimum(starts.searchsorted(at), len(starts) - 1)
            hit = starts[place] == at
            if not hit.any():
                break
            at[hit] = self._blank.skip(ends[place[hit]])
        return at


_IS_STRUCTURE = np.isin(np.arange(256), (_OPEN, _CLOSE, _SEMICOLON, _COLON))


def _unescaped(text: bytes, buffer: Bytes, at: Places) -> Places:
    """Those of some positions that have no backslash before them, or one that is itself escaped."""
    if b"\\" not in text:
        return at
    escaped = buffer[at - 1] == _BACKSLASH
    for place in np.flatnonzero(escaped & (buffer[at - 2] == _BACKSLASH)).tolist():
        escaped[place] = _is_escaped(text, int(at[place]))
    kept: Places = at[~escaped]
    return kept


def _is_escaped(text: bytes, at: int) -> bool:
    """Whether an odd number of backslashes stands before a position."""
    before = at
    while text[before - 1] == _BACKSLASH:
        before -= 1
    return (at - before) % 2 == 1


def _opaque_spans(text: bytes, blank: _Blank, mark: Places, borders: Places) -> tuple[Places, Places]:
    """Where the comments, strings and addresses of some sheets that stand one after the other start and stop.

    `borders` is where the sheets end.  A string ends at its quote or, as in CSS, with its line; a comment or string
    left open ends with its sheet.  Where each would end is told for all quotes and comment marks at once; then Python
    hops from the end of one to the next mark, and the marks it passes over are inside of comments and strings.
    """
    buffer = blank.buffer
    kind = buffer[mark]
    quote = _unescaped(text, buffer, mark[(kind == _DOUBLE) | (kind == _SINGLE)])
    star = mark[kind == _STAR]
    opening = _unescaped(text, buffer, star[buffer[star - 1] == _SLASH] - 1)
    address = _addresses(blank, mark[kind == _BRACKET])
    start = np.concatenate((quote, opening, address))
    if not len(start):
        return start, start
    stop = borders[borders.searchsorted(start, side="right")]
    marks = np.arange(len(start))
    comments, addresses = marks[len(quote) : len(quote) + len(opening)], marks[len(quote) + len(opening) :]
    _stop_at(stop, comments, star[buffer[star + 1] == _SLASH] + 2, opening + 4)
    if len(address):
        _stop_at(stop, addresses, _unescaped(text, buffer, mark[kind == _SHUT]), address)
    for sign in (_DOUBLE, _SINGLE):
        string = np.flatnonzero(buffer[quote] == sign)
        _stop_at(stop, string, quote[string] + 1, quote[string] + 2)
    for place, (first, last) in enumerate(zip(quote.tolist(), stop[: len(quote)].tolist(), strict=True)):
        line = text.find(b"\n", first, last)
        while line >= 0 and _is_escaped(text, line):
            line = text.find(b"\n", line + 1, last)
        if line >= 0:
            stop[place] = line
    order = np.argsort(start)
    start, stop = start[order], stop[order]
    following = start.searchsorted(stop).tolist()
    hops = []
    at, count = 0, len(following)
    while at < count:
        hops.append(at)
        at = following[at]
    return (start, stop) if len(hops) == count else (start[hops], stop[hops])


def _addresses(blank: _Blank, at: Places) -> Places:
    """Those of some brackets that open an address without quotes, `url(`: up to the next bracket it holds anything."""
    buffer = blank.buffer
    for back, letter in ((1, _L), (2, _R), (3, _U)):
        at = at[(buffer[at - back] | 0x20) == letter]
    at = at[~_IN_NAME[buffer[at - 4]]]
    first = buffer[blank.skip(at + 1)]
    unquoted: Places = at[(first != _DOUBLE) & (first != _SINGLE)]
    return unquoted


def _stop_at(stop: Places, some: Places, ends: Places, least: Places) -> None:
    """Let some spans stop at the first of these ends from a least position on, if they do not stop before."""
    place = ends.searchsorted(least)
    has_end = place < len(ends)
    some = some[has_end]
    stop[some] = np.minimum(stop[some], ends[place[has_end]])


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


class _Blank:
    """The white space of a text."""

    def __init__(self, buffer: Bytes) -> None:
        self.buffer = buffer

    def skip(self, at: Places) -> Places:
        """The first byte from each position on that is no white space, or the last byte."""
        last = len(self.buffer) - 1
        at = np.minimum(at, last)
        left = np.flatnonzero(self.buffer[at] <= 32)  # the last byte is a NUL
        for _ in range(_MAX_STEPPED_BLANKS):
            if not len(left):
                return at
            at[left] = ahead = np.minimum(at[left] + 1, last)
            left = left[self.buffer[ahead] <= 32]
        if len(left):
            at[left] = self._solid[self._solid.searchsorted(at[left])]
        return at

    @cached_property
    def _solid(self) -> Places:
        """Where no white space stands, and the last byte."""
        return np.append(np.flatnonzero(self.buffer > 32), len(self.buffer) - 1)
