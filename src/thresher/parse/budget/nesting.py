"""Tags that nest too deep, or leave too much formatting open, taken out of a source before it is parsed.

A walk over the tags with a stack of open elements, as the HTML standard's tree builder has one, but simpler.  Where the
two could differ, ours has more open: an end tag closes an element only where the standard is sure to close it (nothing
between that would keep it open), so no page is deeper than it seems here.

Formatting (`b`, `font`, …) that no end tag closes is opened anew by the parser in every block that follows: n such
elements and n paragraphs make n² elements.  So only `pending` of them may be open at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.data.tags import CLOSES, VOID
from thresher.page.kernels import count_byte
from thresher.page.types import Bytes, Words
from thresher.parse.budget.flatten import flatten
from thresher.parse.budget.kernels import NESTING, survey_nesting
from thresher.parse.budget.leaf_tags import without_leaves
from thresher.parse.budget.source_tags import RAW_TEXT, tags

__all__ = ["REOPENED", "Unnested", "may_nest", "nests", "unnest"]

# What the parser opens again in the next block when it was not closed; an `a` closes the one before.
REOPENED = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_FORMATTING = REOPENED | {b"a"}
_VOID = frozenset(name.encode() for name in VOID)
_CLOSES = {name.encode(): frozenset(other.encode() for other in others) for name, others in CLOSES.items()}
# What keeps elements around it open (the standard's "special" elements), and what hides them from end tags ("scope").
_SCOPE = frozenset(
    b"applet caption frameset html table td th marquee object template select svg math foreignobject desc title".split()
)
_HEADINGS = frozenset(b"h1 h2 h3 h4 h5 h6".split())
_BLOCKS = _HEADINGS | frozenset(
    b"""
    address article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption figure footer
    header hgroup li listing main menu nav ol p pre search section summary ul table applet marquee object template
    """.split()
)
_TABLE_PARTS = frozenset(b"caption col colgroup tbody td tfoot th thead tr".split())  # ignored outside of tables
_INTEGRATION = frozenset(b"foreignobject desc title mi mo mn ms mtext annotation-xml".split())  # HTML goes on inside
_SPECIAL = (
    _SCOPE | _BLOCKS | _TABLE_PARTS | _INTEGRATION
    | frozenset(b"body form frameset head noscript optgroup option plaintext".split())
)  # fmt: skip
_APART = _BLOCKS | _TABLE_PARTS
_KEPT_OPEN_BY = {b"li": frozenset({b"ol", b"ul"})}
_ITEMS = frozenset({b"li", b"dt", b"dd"})
_INSIDE_ITEMS = frozenset({b"div", b"p", b"address"})  # an item closes the one before through these, too
_ROWS = frozenset({b"tr", b"thead", b"tbody", b"tfoot"})  # close a cell and the row around it
_CLOSES[b"a"] = frozenset({b"a"})
_FOREIGN_ROOTS = frozenset({b"svg", b"math"})
_BREAKS_OUT = frozenset(  # start tags that end a drawing or formula
    b"""
    b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
    nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
    """.split()
)
_LEAVES = frozenset({b"p", b"br"}) | _TABLE_PARTS  # end tags that may do so, though nothing of the name was opened
_ONCE = frozenset({b"html", b"head", b"body"})  # further ones are ignored
_IMPLIED = 4  # elements that the parser opens for one tag, with itself: a cell brings its table's parts along
_FAR = 100  # open elements looked at for one tag
_MOST_BLOCKS = 6  # between a formatting element and its end tag; with more the parser may give up
_MAX_UNWRAPPED = 50_000  # elements, one by one; where more are too deep, all tags that follow are taken out at once


class Unnested(NamedTuple):
    """The source and what was taken out of it."""

    source: bytes
    deeper: int  # elements beyond the depth
    reopened: int  # formatting elements beyond those pending
    read: int  # bytes up to the last tag that was looked at


def may_nest(source: bytes, depth: int, pending: int) -> bool:
    """Whether `nests` is worth asking; where most elements are closed in their order, it is not."""
    if len(source) >= 1 << 31:
        return True
    most = np.zeros(2, np.int64)
    stack = np.empty(count_byte(source, ord("<")) + 1, np.int32)
    survey_nesting(source, _SLOT_WORDS, _SLOT_BITS, stack, most)
    waiting, formatting = most.tolist()
    return bool(_IMPLIED * (waiting + 1) > depth or formatting > pending)


def nests(source: bytes, depth: int, pending: int) -> bool:
    """Whether `unnest` might find something to take out; fast where most elements are plain."""
    walk = _Walk(depth, pending, trusting=False)
    for _, _, name, closing in tags(without_leaves(source), walk.may_draw):
        if walk.close(name) if closing else walk.open(name, False):
            return True
    return False


def unnest(source: bytes, depth: int, pending: int, most: int) -> Unnested:
    """Without the tags of elements deeper than `depth`, and those of formatting elements while `pending` are open.

    At most `most` tags are looked at; the source ends there.
    """
    walk = _Walk(depth, pending, trusting=True)
    pieces: list[bytes] = []
    copied = 0
    read = len(source)
    for number, (start, stop, name, closing) in enumerate(tags(source, walk.may_draw)):
        if number == most:
            read = start
            break
        cut = walk.close(name) if closing else walk.open(name, source[stop - 2 : stop] == b"/>")
        if cut:
            if start > copied or not pieces:
                text = source[copied:start]
                pieces += text, _gap(name, text)
            copied = stop
            if walk.deeper > _MAX_UNWRAPPED:
                text, further = flatten(source[stop:])
                return Unnested(b"".join((*pieces, text)), walk.deeper + further, walk.reopened, read)
    pieces.append(source[copied:read])
    return Unnested(b"".join(pieces), walk.deeper, walk.reopened, read)


def _gap(name: bytes, text: bytes) -> bytes:
    """What stands for a tag behind a text: what it kept apart stays apart, paragraphs, or words."""
    if name in _APART and text and not text.isspace():
        return b"<br><br>"
    return b"" if name in REOPENED else b" "


class _Walk:
    """The stack of open elements.

    Formatting that is closed with the block around it comes back in the next one, so it counts until its end tag:
    depth = other elements on the stack + formatting left open.
    """

    def __init__(self, depth: int, pending: int, trusting: bool) -> None:
        self.most, self.pending = depth, pending
        self.trusting = trusting  # that nothing was left out which ends a drawing
        self.stack: list[bytes] = []
        self.opened: dict[bytes, int] = {}  # how many of each name are on the stack
        self.left_open = dict.fromkeys(REOPENED, 0)
        self.formatting = 0  # the sum of those
        self.others = 0  # elements on the stack that are not among those
        self.drawing = -1  # place on the stack of a drawing or formula that is surely open, with only its own in it
        self.deeper = self.reopened = 0

    @property
    def depth(self) -> int:
        return self.others + self.formatting

    def may_draw(self) -> bool:
        """Whether a drawing or formula may be open."""
        return bool(self.opened.get(b"svg") or self.opened.get(b"math"))

    def open(self, name: bytes, self_closing: bool) -> bool:
        """A start tag; whether it is to be taken out."""
        if self.drawing >= 0 and (name in _BREAKS_OUT or self.stack[-1] in _INTEGRATION):
            self.drawing = -1
        if self_closing and (self.drawing >= 0 or name in _FOREIGN_ROOTS):
            return False
        if self.drawing < 0 and not self.may_draw():
            if name in _ONCE or name in _VOID or name in RAW_TEXT:
                return False
            if name in _TABLE_PARTS and not self.opened.get(b"table") and not self.opened.get(b"template"):
                return False
            self._close_implied(name)
        if name in REOPENED:
            if self.formatting >= self.pending:
                self.reopened += 1
                return True
            self.left_open[name] += 1
            self.formatting += 1
        else:
            self.others += 1
        if self.trusting and name in _FOREIGN_ROOTS and not self.may_draw():
            self.drawing = len(self.stack)
        self.stack.append(name)
        self.opened[name] = self.opened.get(name, 0) + 1
        if self.depth <= self.most:
            return False
        self.deeper += 1
        return True

    def close(self, name: bytes) -> bool:
        """An end tag; whether it is to be taken out."""
        too_deep = self.depth > self.most
        place, blocks = self._find(name)
        if name in _LEAVES or (place < 0 and self.opened.get(name)):
            self.drawing = -1
        if place < 0:
            return too_deep and bool(self.opened.get(name))
        alone = (blocks and name in _FORMATTING) or name == b"form"  # what stands in it stays open
        self._drop(place, place + 1 if alone else len(self.stack))
        if self.left_open.get(name):
            self.left_open[name] -= 1
            self.formatting -= 1
        return too_deep

    def _find(self, name: bytes) -> tuple[int, int]:
        """The place of the element that an end tag closes, and how many blocks are open in it; -1 if none is sure."""
        if not self.opened.get(name):
            return -1, 0
        stack = self.stack
        blocks = 0
        unsure = name == b"frameset" or (self.may_draw() and self.drawing < 0)
        far = 1 if unsure else _FAR
        for place in range(len(stack) - 1, max(len(stack) - 1 - far, -1), -1):
            top = stack[place]
            if top == name or (name in _HEADINGS and top in _HEADINGS):
                return place, blocks
            if name in _TABLE_PARTS:
                kept_open = top not in _FORMATTING and top != b"p"
            elif top not in _SPECIAL:
                continue
            elif name in _FORMATTING:
                blocks += 1
                kept_open = top in _SCOPE or blocks > _MOST_BLOCKS
            elif name == b"table":
                kept_open = top in _SCOPE and top not in _TABLE_PARTS
            elif name in _BLOCKS and name != b"p":  # blocks close a p, they do not stand in it
                kept_open = top in _SCOPE or top in _KEPT_OPEN_BY.get(name, ())
            else:
                kept_open = True
            if kept_open:
                break
        return -1, 0

    def _drop(self, first: int, last: int) -> None:
        for name in self.stack[first:last]:
            self.opened[name] -= 1
            self.others -= name not in REOPENED
        del self.stack[first:last]
        if len(self.stack) <= self.drawing:
            self.drawing = -1

    def _close_implied(self, name: bytes) -> None:
        """Close the element whose end tag was left out, with the formatting in it."""
        closes = _CLOSES.get(name)
        if not closes or name == b"option" or not any(self.opened.get(other) for other in closes):
            return
        stack = self.stack
        for place in range(len(stack) - 1, max(len(stack) - 1 - _FAR, -1), -1):
            top = stack[place]
            if top in closes:
                self._drop(place, len(stack))
                if name in _ROWS:
                    self._close_implied(name)
                return
            through = top in _FORMATTING and name != b"a"
            if (
                not through
                and (name not in _ITEMS or top not in _INSIDE_ITEMS)
                and (name not in _TABLE_PARTS or top != b"p")
            ):
                return


def _nesting_table() -> tuple[Words, Bytes]:
    """By slot: a name of up to eight letters as a word, and what it is for its nesting; 0 where the slot is free."""
    words, bits = np.zeros(256, np.uint64), np.zeros(256, np.uint8)
    groups = {
        "empty": (b"br", b"hr", b"img", b"meta", b"embed"),  # in drawings too, which they end
        "void": _VOID,
        "closed by next": (b"p", b"li", b"dd", b"dt"),
        "formatting": REOPENED,
        "foreign": _FOREIGN_ROOTS,
    }
    for group, names in groups.items():
        for name in names:
            word = int.from_bytes(name, "little")
            slot = (word * 0x9E3779B97F4A7C15 & (1 << 64) - 1) >> 56
            while bits[slot] and words[slot] != word:
                slot = (slot + 1) % 256
            words[slot] = word
            bits[slot] |= NESTING[group]
    return words, bits


_SLOT_WORDS, _SLOT_BITS = _nesting_table()
