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
from numpy.typing import NDArray

from thresher import attributes
from thresher.css.selector import CLASS, ID, Selector, Simple, parse_selector
from thresher.data.tags import NUMBER
from thresher.page import Page

__all__ = ["Distinct", "Index", "Matched", "Rows", "distinct", "index", "is_among"]

Rows = NDArray[np.int32]


class Distinct:
    """The different values of an attribute, and which of them each row has that has any, in document order."""

    def __init__(self, values: list[bytes], rows: Rows, number: Rows) -> None:
        self.values = values
        self.rows = rows
        self.number = number
        self._groups: list[Rows] | None = None

    def of(self, number: int) -> Rows:
        """The rows that have one of the values."""
        if len(self.values) <= _FEW_VALUES:
            rows: Rows = self.rows[self.number == number]
            return rows
        if self._groups is None:
            order = np.argsort(self.number, kind="stable")
            ends = np.cumsum(np.bincount(self.number, minlength=len(self.values)))
            self._groups = np.split(self.rows[order], ends[:-1])
        return self._groups[number]

    def of_any(self, numbers: list[int]) -> Rows:
        """The rows that have one of several values."""
        if len(numbers) == 1:
            return self.of(numbers[0])
        wanted = np.zeros(len(self.values), bool)
        wanted[numbers] = True
        return self.rows[wanted[self.number]] if numbers else _NO_ROWS


_FEW_VALUES = 1_000  # up to this many, comparing all rows is cheaper than to sort them by value


def distinct(page: Page, name: str) -> Distinct:
    """The values of an attribute, each once, unescaped."""
    memo = page._memo
    key = f"css distinct {name}"
    if key not in memo:
        memo[key] = _distinct(page, name)
    result: Distinct = memo[key]
    return result


def _distinct(page: Page, name: str) -> Distinct:
    rows, number, values = attributes.distinct(page, name)
    if (rows[1:] < rows[:-1]).any():  # irregular tags come last
        order = np.argsort(rows)
        rows, number = rows[order], number[order]
    return Distinct([value.encode() for value in values], rows.astype(np.int32), number.astype(np.int32))


class Matched(NamedTuple):
    """The rows that a selector matches, ascending, and how specific it is."""

    rows: Rows
    specificity: int


class Index:
    """Rows of a page by class, id, tag and attribute, each looked up when first asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.fold = page.markup[:9].lower() != b"<!doctype"  # quirks mode: case does not matter in classes and ids
        # The class values, one a line, with a space before and after each class.
        values = distinct(page, "class").values
        text = b"\n".join(values)
        if text.count(b"\n") >= len(values) or b"\t" in text or b"\f" in text or b"\r" in text:
            text = b"\n".join([b" ".join(value.split()) for value in values])
        self.class_text = self._folded(b" " + text.replace(b" ", b"  ").replace(b"\n", b" \n ") + b" ")
        self.classes = frozenset(self.class_text.split())
        self._memo: dict[Any, Rows] = {}

    def _folded(self, name: bytes) -> bytes:
        return name.lower() if self.fold else name

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
            rows = self._plain(part)
            found = rows if found is None else combine(self, found, rows)
            combine = _below
            if not len(found):
                return Matched(_NO_ROWS, 0)
        return Matched(_NO_ROWS if found is None else found, weight)

    def may_match(self, text: bytes) -> bool:
        """Whether every class that a selector asks for is on the page, and nothing that only a user can bring about;
        cheaper than to match it.

        What stands after a bracket (`:not(.x)`, `[href=".x"]`) need not be there, and escapes are not decoded here.
        """
        if b"(" in text or b"[" in text:
            text = text.partition(b"(")[0].partition(b"[")[0]
        elif b":" in text and _NOTHING_YET.search(text):
            return False
        if self.fold:
            text = text.lower()
        classes = self.classes
        return b"\\" in text or all(name in classes for name in _CLASSES.findall(text))

    def _plain(self, part: bytes) -> Rows:
        """The rows of a compound of tag, classes and ids, such as `li.open`."""
        if part not in self._memo:
            simples = [Simple(_KINDS[sign], name) for sign, name in _PARTS.findall(part)]
            self._memo[part] = self._compound(tuple(simples)) if part != b"*" else self._all()
        return self._memo[part]

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
        if simple.kind == "tag" and simple.name == b"*":
            return self._all()
        return self._once(simple, lambda: _ROWS_OF[simple.kind](self, simple))

    def _all(self) -> Rows:
        return self._once("all", lambda: np.arange(len(self.page), dtype=np.int32))

    def class_rows(self, simple: Simple) -> Rows:
        """Found in the text of all class values: each line there is one value."""
        text, name = self.class_text, self._folded(simple.name)
        if name not in self.classes:
            return _NO_ROWS
        token = b" %b " % name
        numbers = []
        at = text.find(token)
        line = counted = 0
        while at >= 0:
            line += text.count(b"\n", counted, at)
            numbers.append(line)
            counted = at
            after = text.find(b"\n", at)
            at = text.find(token, after) if after >= 0 else -1
        return distinct(self.page, "class").of_any(numbers)

    def id_rows(self, simple: Simple) -> Rows:
        name = self._folded(simple.name)
        found = distinct(self.page, "id")
        return found.of_any([number for number, value in enumerate(found.values) if self._folded(value) == name])

    def tag_rows(self, simple: Simple) -> Rows:
        name = simple.name.decode(errors="replace").lower()
        number = NUMBER.get(name, 0)
        rows = np.flatnonzero(self.page.tag == number).astype(np.int32)
        if number:
            return rows
        return np.array([row for row in rows.tolist() if self.page.name(row).lower() == name], np.int32)

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
        rest = self.place(simple.from_end) - np.int64(offset)
        fits = rest == 0 if factor == 0 else (rest % factor == 0) & (rest // factor >= 0)
        return np.flatnonzero(fits).astype(np.int32)

    def place(self, from_end: bool) -> Rows:
        """The number of each element among its siblings, from 1."""
        return self._once(("place", from_end), lambda: self._place(from_end))

    def _place(self, from_end: bool) -> Rows:
        order = self._siblings()
        if from_end:
            order = order[::-1]
        first = np.flatnonzero(np.diff(self.page.parent[order], prepend=-2))
        count = np.diff(np.append(first, len(order)))
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order)) - np.repeat(first, count) + 1
        return place

    def _siblings(self) -> Rows:
        """All rows, those of one parent together, in document order."""
        return self._once("siblings", lambda: np.argsort(self.page.parent, kind="stable").astype(np.int32))

    def previous(self) -> Rows:
        """The sibling before each row; -1 for none."""
        return self._once("previous", self._previous)

    def _previous(self) -> Rows:
        order = self._siblings()
        previous = np.full(len(order), -1, np.int32)
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


_NO_ROWS: Rows = np.zeros(0, np.int32)
_COMPOUND = rb"(?:(?:\*|[a-zA-Z][-\w]*)(?:[.#](?!-?\d)[-\w\x80-\xff]+)*|(?:[.#](?!-?\d)[-\w\x80-\xff]+)+)"
_PLAIN = re.compile(_COMPOUND + rb"(?:(?:\s*>\s*|\s+)" + _COMPOUND + rb")*")
_PARTS = re.compile(rb"([.#]?)([-\w\x80-\xff]+|\*)")
_CLASSES = re.compile(rb"\.([-\w\x80-\xff]+)")
_NOTHING_YET = re.compile(rb":(?:hover|focus|active|visited|target|:|before|after|first-l)")
_KINDS = {b"": "tag", b".": "class", b"#": "id"}
_NO_TAG = b".#*"
_ORDER = {
    kind: place
    for place, kind in enumerate(
        ("nothing", "id", "class", "root", "attribute", "checked", "tag", "is", "child", "not")
    )
}
_ROWS_OF: dict[str, Callable[[Index, Simple], Rows]] = {
    "nothing": lambda index, simple: _NO_ROWS,
    "root": lambda index, simple: np.flatnonzero(index.page.parent < 0).astype(np.int32),
    "id": Index.id_rows,
    "class": Index.class_rows,
    "tag": Index.tag_rows,
    "attribute": Index.attribute_rows,
    "checked": Index.checked_rows,
    "child": Index.child_rows,
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


def is_among(some: NDArray[Any], ascending: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of some numbers are among others that ascend and are not none; cheaper than `np.isin`."""
    among: NDArray[np.bool_] = ascending[np.minimum(ascending.searchsorted(some), len(ascending) - 1)] == some
    return among


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
