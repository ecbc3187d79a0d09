"""Which rows of a page a selector matches.

Matching goes from left to right on sorted arrays of rows: those of each compound come from an index of tags, classes
and ids, and a combinator keeps the ones that stand below, right below, right after or after a row that matched so far.
Subtrees are slices of rows, so "below" is a search, not a walk; the cost is that of the rows involved, whatever the
depth of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from thresher.css.having import empty_rows, having_rows
from thresher.css.selector import (
    CLASS,
    DEEPEST,
    ID,
    KNOWN,
    LONGEST,
    NAME,
    PLAIN_PSEUDOS,
    Selector,
    Simple,
    parse_selector,
)
from thresher.css.text import unescape
from thresher.css.values import Rows, classes, distinct, tag_names
from thresher.page import Page
from thresher.spans import is_among

__all__ = ["Index", "Matched", "index"]


class Matched(NamedTuple):
    """The rows that a selector matches, ascending, and how specific it is."""

    rows: Rows
    specificity: int


class Index:
    """Rows of a page by class, id, tag and attribute, each looked up when first asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.fold = page.markup[:9].lower() != b"<!doctype"  # quirks mode: case does not matter in classes and ids
        self.classes = classes(page, self.fold)
        self.ids: dict[bytes, list[int]] = {}  # the numbers of the values that are a name
        for number, value in enumerate(distinct(page, "id").values):
            self.ids.setdefault(self.folded(value), []).append(number)
        # All that a selector may ask for: `.class`, `#id`, `tag`, `:root`.
        self.names = _PSEUDOS.union(
            tag_names(page)[0], [b"." + name for name in self.classes.words], [b"#" + name for name in self.ids]
        )
        self._memo: dict[Any, Rows] = {}

    def folded(self, name: bytes) -> bytes:
        return name.lower() if self.fold else name

    def may_match(self, text: bytes) -> bool:
        """Whether the page has every name that a selector asks for, and nothing is asked that we do not know or that
        only a user brings about; cheaper than to match it."""
        if b"(" in text or b"[" in text or b"\\" in text:
            return len(text) <= LONGEST and all(self._may_hold(*asked) for asked in _ASKED.findall(_required(text)))
        if self.fold:
            text = text.lower()
        apart = text.translate(_APART).replace(b".", b" .").replace(b"#", b" #").replace(b":", b" :").split()
        if self.names.issuperset(apart):
            return True
        if text.islower():
            return False
        return all(name in self.names or (name[0] not in _CASED and name.lower() in self.names) for name in apart)

    def _may_hold(self, sign: bytes, name: bytes) -> bool:
        name = unescape(name)
        if sign == b"[":
            return len(distinct(self.page, name.lower().decode(errors="replace")).rows) > 0
        if sign == b":":
            return name.lower() in KNOWN
        return sign + self.folded(name) in self.names

    def match(self, text: bytes) -> Matched | None:
        """The rows that a selector matches and how specific it is; None where it is wrong or we cannot judge it.

        Most selectors are made of tags, classes and ids, set apart by spaces and `>`: these are matched as they stand.
        """
        if not _PLAIN.fullmatch(text):
            selector = parse_selector(text)
            return None if selector is None else Matched(self.rows(selector), selector.specificity)
        found = None
        combine = _below
        weight = text.count(b"#") * ID + text.count(b".") * CLASS
        for part in text.replace(b">", b" > ").split():
            if part == b">":
                combine = _child
                continue
            weight += part[0] not in _NO_TAG
            rows = self._memo.get(part)
            if rows is None:
                rows = self._memo[part] = self._plain(part)
            found = combine(self, found, rows) if found is not None and len(rows) else rows
            if not len(found):
                return _NOTHING
            combine = _below
        return _NOTHING if found is None else Matched(found, weight)

    def _plain(self, part: bytes) -> Rows:
        """The rows of a compound of tag, classes and ids, such as `li.open`."""
        found: Rows | None = None
        for sign, name in _PARTS.findall(part):
            key = sign + name
            rows = self._memo.get(key)
            if rows is None:
                rows = self._memo[key] = self._named(sign, name)
            found = rows if found is None else _common(found, rows)
        return _NO_ROWS if found is None else found

    def _named(self, sign: bytes, name: bytes) -> Rows:
        """The rows that have a class, an id or a tag."""
        if sign == b".":
            return distinct(self.page, "class").of_any(self.classes.holding(self.folded(name)))
        if sign == b"#":
            return distinct(self.page, "id").of_any(self.ids.get(self.folded(name), []))
        if name == b"*":
            return np.arange(len(self.page))
        tags, number = tag_names(self.page)
        name = name.lower()
        return np.flatnonzero(number == tags[name]) if name in tags else _NO_ROWS

    def rows(self, selector: Selector) -> Rows:
        """The rows that a selector matches, ascending."""
        found = _NO_ROWS
        for combinator, compound in selector.compounds:
            candidates = self._compound(compound)
            joined = combinator and len(candidates)
            found = _COMBINE[combinator](self, found, candidates) if joined else candidates
            if not len(found):
                break
        return found

    def _compound(self, simples: tuple[Simple, ...]) -> Rows:
        """The rows that satisfy all conditions, the rarest kind looked up first."""
        if len(simples) == 1 and simples[0].kind not in ("is", "not"):
            return self._simple(simples[0])
        found: Rows | None = None
        for simple in sorted(simples, key=lambda simple: _ORDER[simple.kind]):
            if simple.kind == "not":
                found = _without(self._all() if found is None else found, self._union(simple.inner))
            else:
                rows = self._union(simple.inner) if simple.kind == "is" else self._simple(simple)
                found = rows if found is None else _common(found, rows)
            if not len(found):
                break
        return _NO_ROWS if found is None else found

    def _union(self, selectors: tuple[Selector, ...]) -> Rows:
        found = [self.rows(selector) for selector in selectors]
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def _once(self, key: Any, compute: Callable[[], Rows]) -> Rows:
        if key not in self._memo:
            self._memo[key] = compute()
        return self._memo[key]

    def _simple(self, simple: Simple) -> Rows:
        if simple.kind in _SIGNS:
            sign = _SIGNS[simple.kind]
            return self._once(sign + simple.name, lambda: self._named(sign, simple.name))
        return self._once(simple, lambda: _ROWS_OF[simple.kind](self, simple))

    def _all(self) -> Rows:
        return self._once(b"*", lambda: np.arange(len(self.page)))

    def attribute_rows(self, simple: Simple) -> Rows:
        """Each different value is tested once."""
        found = distinct(self.page, simple.name.decode(errors="replace"))
        test = _TESTS[simple.operator.removesuffix(b"i")]
        wanted, values = simple.value, found.values
        if simple.operator.endswith(b"i"):
            wanted, values = wanted.lower(), [value.lower() for value in values]
        return found.of_any([number for number, value in enumerate(values) if test(value, wanted)])

    def checked_rows(self, _: Simple) -> Rows:
        inputs = self._compound((Simple("tag", b"input"), Simple("attribute", b"checked")))
        options = self._compound((Simple("tag", b"option"), Simple("attribute", b"selected")))
        return np.union1d(inputs, options)

    def child_rows(self, simple: Simple) -> Rows:
        """Those whose place p among their siblings is a·k + b for some k ≥ 0."""
        factor, offset = simple.step
        rest = self.place(simple.from_end, bool(simple.operator)) - np.int64(offset)
        fits = rest == 0 if factor == 0 else (rest % factor == 0) & (rest // factor >= 0)
        return np.flatnonzero(fits)

    def place(self, from_end: bool, of_type: bool = False) -> Rows:
        """The number of each element among its siblings, or among those of its own tag, from 1."""
        return self._once(("place", from_end, of_type), lambda: self._place(from_end, of_type))

    def _place(self, from_end: bool, of_type: bool) -> Rows:
        page = self.page
        group = page.parent.astype(np.int64) << 16 | page.tag if of_type else page.parent
        order = np.argsort(group, kind="stable") if of_type else self._siblings()
        if from_end:
            order = order[::-1]
        first = np.flatnonzero(np.diff(group[order], prepend=-(1 << 20)))
        count = np.diff(np.append(first, len(order)))
        place = np.empty(len(order), np.intp)
        place[order] = np.arange(len(order)) - np.repeat(first, count) + 1
        return place

    def _siblings(self) -> Rows:
        """All rows, those of one parent together, in document order."""
        return self._once("siblings", lambda: np.argsort(self.page.parent, kind="stable"))

    def previous(self) -> Rows:
        """The sibling before each row; -1 for none."""
        return self._once("previous", self._previous)

    def _previous(self) -> Rows:
        order = self._siblings()
        previous = np.full(len(order), -1, np.intp)
        previous[order[1:]] = order[:-1]
        previous[self.place(False) == 1] = -1
        return previous


def index(page: Page) -> Index:
    """The index of a page, made once."""
    memo = page._memo
    if "selectors.index" not in memo:
        memo["selectors.index"] = Index(page)
    made: Index = memo["selectors.index"]
    return made


_NO_ROWS: Rows = np.zeros(0, np.intp)
_NOTHING = Matched(_NO_ROWS, 0)
_COMPOUND = rb"(?:(?:\*|[a-zA-Z][-\w]*)(?:[.#](?!-?\d)[-\w\x80-\xff]+)*|(?:[.#](?!-?\d)[-\w\x80-\xff]+)+)"
_PLAIN = re.compile(_COMPOUND + rb"(?:(?:\s*>\s*|\s+)" + _COMPOUND + rb")*")
_PARTS = re.compile(rb"([.#]?)([-\w\x80-\xff]+|\*)")
_ASKED = re.compile(rb"([.#:\[])\s*(" + NAME + rb")")
_STRING = re.compile(rb"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_OPTIONAL = re.compile(rb":not\([^()]*\)|\([^()]*,[^()]*\)", re.IGNORECASE)
_SIGNS = {"tag": b"", "class": b".", "id": b"#"}
_PSEUDOS = frozenset(b":" + name for name in PLAIN_PSEUDOS)
_APART = bytes(0x20 if code in b"*>+~" else code for code in range(256))
_CASED = b".#"
_NO_TAG = b".#*"
_ORDER = {
    kind: place
    for place, kind in enumerate(
        ("nothing", "id", "class", "root", "attribute", "checked", "tag", "is", "child", "empty", "has", "not")
    )
}
_ROWS_OF: dict[str, Callable[[Index, Simple], Rows]] = {
    "nothing": lambda index, simple: _NO_ROWS,
    "root": lambda index, simple: np.flatnonzero(index.page.parent < 0),
    "attribute": Index.attribute_rows,
    "checked": Index.checked_rows,
    "child": Index.child_rows,
    "empty": empty_rows,
    "has": having_rows,
}
# An empty string after ^= $= *= ~= matches nothing.
_TESTS: dict[bytes, Callable[[bytes, bytes], bool]] = {
    b"": lambda value, wanted: True,
    b"=": lambda value, wanted: value == wanted,
    b"~=": lambda value, wanted: wanted in value.split(),
    b"|=": lambda value, wanted: value == wanted or value.startswith(wanted + b"-"),
    b"^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    b"$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    b"*=": lambda value, wanted: bool(wanted) and wanted in value,
}


def _required(text: bytes) -> bytes:
    """A selector without strings and without what an element need not have: `:not(.x)`, `:is(.x, .y)`."""
    if b'"' in text or b"'" in text:
        text = _STRING.sub(b"", text)
    for _ in range(DEEPEST):
        if b"(" not in text:
            break
        text = _OPTIONAL.sub(b"", text)
    return text.partition(b"(")[0] if b"," in text or b":not(" in text.lower() else text


def _common(a: Rows, b: Rows) -> Rows:
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    return small[is_among(small, large)] if len(small) else small


def _without(a: Rows, b: Rows) -> Rows:
    return a[~is_among(a, b)] if len(b) else a


def _below(index: Index, above: Rows, candidates: Rows) -> Rows:
    """Candidates in the subtree of one of the rows above: the slices of candidates between i and end_i, for the
    outermost i only, whose slices are disjoint.  O(above · log candidates + found)."""
    end = index.page.end[above]
    if len(above) > 1:
        outer = np.concatenate(([True], above[1:] >= np.maximum.accumulate(end)[:-1]))
        above, end = above[outer], end[outer]
    first = candidates.searchsorted(above, side="right")
    last = candidates.searchsorted(end)
    if len(above) == 1:
        return candidates[first[0] : last[0]]
    count = last - first
    before = np.cumsum(count) - count
    inside: Rows = candidates[np.repeat(first - before, count) + np.arange(count.sum())]
    return inside


def _child(index: Index, above: Rows, candidates: Rows) -> Rows:
    inside = _below(index, above, candidates)
    return inside[is_among(index.page.parent[inside], above)]


def _next(index: Index, before: Rows, candidates: Rows) -> Rows:
    return candidates[is_among(index.previous()[candidates], before)]


def _after(index: Index, before: Rows, candidates: Rows) -> Rows:
    """Candidates with an earlier sibling in `before`: later than the first one of their parent."""
    parent = index.page.parent
    parents, first = np.unique(parent[before], return_index=True)
    among = candidates[is_among(parent[candidates], parents)]
    return among[among > before[first[np.searchsorted(parents, parent[among])]]]


_COMBINE: dict[bytes, Callable[[Index, Rows, Rows], Rows]] = {b" ": _below, b">": _child, b"+": _next, b"~": _after}
