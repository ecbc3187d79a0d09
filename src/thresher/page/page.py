"""Page: an HTML document as columns.

One row per element in document order, and a second table with one row per text node in reading order.
Nothing edits a page: "without this subtree" is a mask over rows, "the blocks" are a column of block
numbers, "now rendered" is `dataclasses.replace(page, box=boxes)`.

Text and attributes stay bytes until somebody asks: `page.text` cuts and decodes all text nodes at once,
`page.attributes(row)` reads one opening tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache, wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import TAGS
from thresher.page.types import Bools, Ints, Singles, Tags
from thresher.text.patterns import compile_later

__all__ = ["Island", "Page", "Problem", "memoised", "memoised_by_name", "unescape"]


# Names hold no "=" but perhaps as their first character, and values hold no quote: the canonical form.
_ATTRIBUTE = compile_later(r' (=?[^= ]*)="([^"]*)"')
_NAME = compile_later(rb"<([^ >]+)")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that went wrong or was cut: a code for machines, a sentence for people."""

    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


@dataclass(frozen=True, slots=True)
class Island:
    """A script or style element that holds data or rules: JSON-LD, application state, a style sheet."""

    tag: str  # "script" or "style"
    type: str  # the type attribute in lower case; "" when there is none
    id: str
    text: str
    shadow: int = -1  # the number of the shadow root it stands in and holds for; -1 for the page itself


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: two arrays have no single truth value
class Page:
    """The columns.  n elements, m text nodes; all arrays are read-only."""

    # Elements, in document order
    tag: Tags  # (n,)  name, an index into TAGS; 0 = a name not in the table
    parent: Ints  # (n,)  row of the parent; -1 for the root
    end: Ints  # (n,)  the subtree of row i is the slice i:end[i]
    depth: Ints  # (n,)  edges to the root
    first: Ints  # (n,)  the texts inside row i are text[first[i]:last[i]]
    last: Ints  # (n,)
    tag_start: Ints  # (n,)  the opening tag of row i is markup[tag_start[i]:tag_stop[i]]
    tag_stop: Ints  # (n,)
    # Text nodes, in reading order; those that hold only white space are left out
    start: Ints  # (m,)  text i is utf8[start[i]:stop[i]]
    stop: Ints  # (m,)
    owner: Ints  # (m,)  row of the element that holds the text
    position: Ints  # (m,)  where the text starts in `markup`
    block: Ints  # (m,)  number of the block of each text: 0, 1, … without gaps
    spaced: Bools  # (m,)  white space stands between this text and the one before
    # What the columns point into
    markup: bytes = field(repr=False)  # canonical UTF-8 serialisation without scripts and styles
    utf8: bytes = field(repr=False)  # the text nodes, unescaped, a NUL after each
    # What came along
    islands: tuple[Island, ...] = field(default=(), repr=False)
    url: str | None = None
    encoding: str | None = None
    size: int = 0  # bytes of the source, UTF-8
    removed: Ints | None = field(default=None, repr=False)  # (k, 3)  scripts and styles: place in `markup`, characters,
    # words and tags; None unless `parse` was asked for them
    guard: str = ""  # the company whose bot check this may be, by its scripts
    problems: tuple[Problem, ...] = ()
    # Evidence beyond the code, once rendered
    box: Singles | None = field(default=None, repr=False)  # (n, 4)  x, y, width, height
    style: Any = field(default=None, repr=False)  # computed styles, by property
    strict: bool = False  # what may be hidden counts as hidden
    # Columns computed from the ones above, each at most once (see `memoised`)
    _memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without what was computed from the columns."""
        return Page, tuple(getattr(self, column.name) for column in fields(self) if column.init)

    def _repr_html_(self) -> str:
        """What a notebook shows: facts, no content."""
        from html import escape

        blocks = int(self.block[-1]) + 1 if len(self.block) else 0
        facts = {
            "address": self.url,
            "encoding": self.encoding,
            "size": f"{self.size:,} bytes",
            "elements": f"{len(self):,}",
            "texts": f"{len(self.start):,} in {blocks:,} blocks",
            "rendered": "no" if self.box is None else "yes",
            **{problem.code: problem.message for problem in self.problems},
        }
        rows = (f"<tr><th>{escape(name)}</th><td>{escape(str(fact))}</td></tr>" for name, fact in facts.items() if fact)
        return f"<table>{''.join(rows)}</table>"

    def __len__(self) -> int:
        """The number of elements."""
        return len(self.tag)

    @property
    def text(self) -> tuple[str, ...]:
        """The text nodes in reading order, entities decoded, white space as it stands in the page."""
        memo = self._memo
        if "text" not in memo:
            memo["text"] = tuple(self.cut(slice(None)))
        return memo["text"]  # type: ignore[no-any-return]

    def cut(self, texts: NDArray[np.integer[Any]] | slice) -> list[str]:
        """The strings of some text nodes; cheaper than `text` when few are wanted."""
        utf8 = self.utf8
        spans = zip(self.start[texts].tolist(), self.stop[texts].tolist(), strict=True)
        return [utf8[a:b].decode() for a, b in spans]

    def name(self, row: int) -> str:
        """The element's name in lower case, also where the table lacks it."""
        number = self.tag[row]
        if number:
            return TAGS[int(number)]
        match = _NAME.match(self.markup, int(self.tag_start[row]))
        return str(match[1], "utf-8").lower() if match else ""

    def attributes(self, row: int) -> dict[str, str]:
        """All attributes of one element, values unescaped, in the order of the page."""
        tag = self.markup[self.tag_start[row] : self.tag_stop[row]].decode()
        named = dict(_ATTRIBUTE.findall(tag))
        return named if "&" not in tag else {name: unescape(value) for name, value in named.items()}

    def attribute(self, row: int, name: str) -> str | None:
        """One attribute of one element; None when it is absent."""
        begin, end = int(self.tag_start[row]), int(self.tag_stop[row])
        if self.markup.find(f' {name}="'.encode(), begin, end) < 0:
            return None
        match = _attribute_named(name).match(self.markup, begin, end)
        return unescape(match[1].decode()) if match else None

    def ancestors(self, row: int) -> Iterator[int]:
        """Rows from the parent up to the root."""
        row = int(self.parent[row])
        while row >= 0:
            yield row
            row = int(self.parent[row])

    def inner_text(self, row: int) -> str:
        """All text below an element, white space collapsed."""
        first, last = int(self.first[row]), int(self.last[row])
        if last == first + 1:  # as in most headings
            return " ".join(self.utf8[self.start[first] : self.stop[first]].decode().split())
        texts = slice(first, last)
        pieces = self.cut(texts)
        gaps = [" " if spaced else "" for spaced in self.spaced[texts].tolist()]
        return " ".join("".join(gap + piece for gap, piece in zip(gaps, pieces, strict=True)).split())


def unescape(value: str) -> str:
    """Undo the canonical form's escapes; it has these five and no others."""
    if "&" not in value:
        return value
    value = value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&nbsp;", "\xa0")
    return value.replace("&amp;", "&")


@cache
def _attribute_named(name: str) -> re.Pattern[bytes]:
    """A tag up to the value of an attribute; what looks like one may stand in the value of another."""
    return re.compile(rb'<[^ >]*(?: =?[^= ]*="[^"]*")*? ' + re.escape(name.encode()) + b'="([^"]*)"')


Value = TypeVar("Value")


def memoised(compute: Callable[[Page], Value]) -> Callable[[Page], Value]:
    """Make a function of a page remember what it gave: computed once per page."""
    key = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def remembered(page: Page) -> Value:
        memo = page._memo
        if key not in memo:
            memo[key] = compute(page)
        return memo[key]  # type: ignore[no-any-return]

    return remembered


def memoised_by_name(compute: Callable[[Page, str], Value]) -> Callable[[Page, str], Value]:
    """The same for a function of a page and a name, such as that of an attribute."""
    own = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def remembered(page: Page, name: str) -> Value:
        memo, key = page._memo, (own, name)
        if key not in memo:
            memo[key] = compute(page, name)
        return memo[key]  # type: ignore[no-any-return]

    return remembered
