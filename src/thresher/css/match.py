"""Which rows of a page a selector matches.

A selector is read into a table (selector_table.py), its names are looked up and its combinators followed by loops
(row_match.py).  For conditions that are more than names sets of rows are integers (rowsets.py).  Those of each compound
come from an index of tags, classes and ids; what two conditions share is one `&`.  Matching goes from left to right: a
combinator makes of the set that matched so far the set of rows below, right below, right after or after one of it, once
for each set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from thresher.css.names import PageNames
from thresher.css.rowsets import RowSets, bits
from thresher.css.selector import (
    KNOWN,
    MAX_NESTING,
    MAX_SELECTOR_BYTES,
    NAME,
    Selector,
    Simple,
    parse_selector,
)
from thresher.css.selector_table import PageSelectors, SelectorTable
from thresher.css.shadow_scopes import shadow_scopes
from thresher.css.text import unescape
from thresher.css.values import distinct
from thresher.page import Page, attributes, memoised
from thresher.page.tree import inherit
from thresher.page.types import Rows
from thresher.text.patterns import compile_later

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
        self.names = PageNames(page, self.fold)
        self.sets = RowSets(page)
        self._present: dict[bytes, bool] = {}  # whether any row has an attribute
        self._memo: dict[Any, int] = {}
        self._places: dict[tuple[bool, bool], Rows] = {}

    def may_match(self, text: bytes) -> bool:
        """Whether the page has every name that a selector asks for, but for tags, and nothing is asked that we do not
        know or that only a user brings about; cheaper than to match it."""
        if len(text) > MAX_SELECTOR_BYTES:
            return False
        return all(self._may_hold(*asked) for asked in _REQUIRED_NAME.findall(_required(text)))

    def _may_hold(self, sign: bytes, name: bytes) -> bool:
        name = unescape(name)
        if sign == b"[":
            name = name.lower()
            if name not in self._present:  # some sheets ask for one attribute ten thousand times
                self._present[name] = bool(attributes.rows_with(self.page, name.decode(errors="replace")).any())
            return self._present[name]
        if sign == b":":
            return name.lower() in KNOWN
        return len(self.names.rows_with(sign, name)) > 0

    def match(self, text: bytes) -> Matched | None:
        """The rows that a selector matches and how specific it is; None where it is wrong or we cannot judge it."""
        selector = parse_selector(text)
        if selector is None:
            return None
        for results in self.of_table(SelectorTable.of(text.strip())).match(_FIRST_SELECTOR, _MAX_COST):
            for _, _, first, last in results.columns[:, : results.size].T.tolist():
                return Matched(results.rows[first:last], selector.specificity)
        return Matched(_NO_ROWS, selector.specificity)

    def of_table(self, table: SelectorTable) -> PageSelectors:
        """The selectors of a table on this page."""
        scopes = shadow_scopes(self.page)
        parent = self.page.parent if scopes is None else scopes.parent
        return PageSelectors(table, self.names, parent, self._satisfying)

    def _satisfying(self, text: bytes, condition: Selector) -> Rows:
        simples = condition.compounds[0][1]
        if len(condition.compounds) == len(simples) == 1 and simples[0].kind == "attribute":
            return self._with_attribute(simples[0])
        return self.sets.rows(self._selected(condition)) if self.may_match(text) else _NO_ROWS

    def _named(self, sign: bytes, name: bytes) -> int:
        """The rows that have a class, an id or a tag."""
        return self.sets.all if name == b"*" and not sign else self.sets.packed(self.names.rows_with(sign, name))

    def _selected(self, selector: Selector) -> int:
        """The rows that a selector matches."""
        rows = self.sets.all
        for combinator, compound in selector.compounds:
            rows = (self._related(combinator, rows) if combinator else rows) & self._compound(compound)
            if not rows:
                break
        return rows

    def _compound(self, simples: tuple[Simple, ...]) -> int:
        """The rows that satisfy all conditions, the rarest kind looked up first."""
        rows = self.sets.all
        for simple in sorted(simples, key=lambda simple: _ORDER[simple.kind]) if len(simples) > 1 else simples:
            if simple.kind == "is":
                rows &= self._union(simple.inner)
            elif simple.kind == "not":
                rows &= ~self._union(simple.inner)
            elif simple.kind in _SIGNS:
                rows &= self._once((_SIGNS[simple.kind], simple.name), self._named, _SIGNS[simple.kind], simple.name)
            else:
                rows &= self._once(simple, _ROWS_OF[simple.kind], self, simple)
            if not rows:
                break
        return rows

    def _union(self, selectors: tuple[Selector, ...]) -> int:
        rows = 0
        for selector in selectors:
            rows |= self._selected(selector)
        return rows

    def _related(self, combinator: bytes, rows: int) -> int:
        """The rows that stand to one of a set as a combinator says."""
        return self._once((combinator, rows), _RELATED[combinator], self.sets, rows)

    def _once(self, key: Any, compute: Callable[..., int], *given: Any) -> int:
        result = self._memo.get(key)
        if result is None:
            if len(self._memo) * len(self.page) > _MAX_REMEMBERED_BITS:
                self._memo.clear()
            result = self._memo[key] = compute(*given)
        return result

    def attribute_rows(self, simple: Simple) -> int:
        return self.sets.packed(self._with_attribute(simple))

    def _with_attribute(self, simple: Simple) -> Rows:
        """The rows whose attribute passes a test; each different value is tested once."""
        name = simple.name.decode(errors="replace")
        if not simple.operator:
            return attributes.columns(self.page, name)[0].astype(np.intp)
        values = attributes.numbered(self.page, name)
        wanted, test = simple.value, _TESTS[simple.operator.removesuffix(b"i")]
        numbers: Iterable[int] = range(len(values.start))
        if _WRITTEN_PLAINLY.fullmatch(wanted):  # all tests ask for it somewhere in the value
            numbers = attributes.containing(self.page, values, wanted.lower())
        known = ((number, attributes.value_of(self.page, values, number)) for number in numbers)
        if simple.operator.endswith(b"i"):
            wanted, known = wanted.lower(), ((number, value.lower()) for number, value in known)
        passes = np.zeros(len(values.start), bool)
        passes[[number for number, value in known if test(value, wanted)]] = True
        return values.row[passes[values.code]].astype(np.intp)

    def checked_rows(self, _: Simple) -> int:
        inputs = self._compound((Simple("tag", b"input"), Simple("attribute", b"checked")))
        options = self._compound((Simple("tag", b"option"), Simple("attribute", b"selected")))
        return inputs | options

    def empty_rows(self, _: Simple) -> int:
        """Those without an element and without a text inside."""
        page = self.page
        return bits((page.end == np.arange(len(page)) + 1) & (page.first == page.last))

    def shadow_rows(self, simple: Simple) -> int:
        """The hosts of shadow roots, or what slots take, that others choose."""
        scopes = shadow_scopes(self.page)
        if scopes is None:
            return 0
        chosen = self.sets.flags(self._union(simple.inner) if simple.inner else self.sets.all)
        if simple.kind == "slotted":
            return self.sets.packed(scopes.taken[chosen[scopes.taken]])
        of_hosts = chosen[scopes.host]  # a root stands for its host where something below it is chosen
        return self.sets.packed(np.concatenate((scopes.host[of_hosts], scopes.root[of_hosts])))

    def having_rows(self, simple: Simple) -> int:
        """Those for which the selector inside `:has(…)` finds something."""
        return _HAVING[simple.operator](self.sets, self._selected(simple.inner[0]))

    def child_rows(self, simple: Simple) -> int:
        """Those whose place p among their siblings, or those of them that others choose, is a·k + b for some k ≥ 0."""
        factor, offset = simple.step
        if simple.step == (0, 1) and not simple.operator and not simple.inner:
            return self._once(("only", simple.from_end), self._outermost_children, simple.from_end)
        among = self._union(simple.inner) if simple.inner else None
        rest = self._place(simple.from_end, bool(simple.operator), among) - np.int64(offset)
        rows = bits(rest == 0 if factor == 0 else (rest % factor == 0) & (rest // factor >= 0))
        return rows if among is None else rows & among

    def _outermost_children(self, last: bool) -> int:
        """First children come right after their parents; last ones end where these do."""
        page = self.page
        if last:
            return bits(page.end == np.append(page.end, len(page))[page.parent])
        return bits(page.parent == np.arange(-1, len(page) - 1))

    def _place(self, from_end: bool, of_type: bool, among: int | None) -> Rows:
        key = (from_end, of_type)
        if among is not None:
            return self.sets.places(from_end, of_type, self.sets.flags(among))
        if key not in self._places:
            self._places[key] = self.sets.places(from_end, of_type)
        return self._places[key]

    def nearest_rows(self, simple: Simple) -> int:
        """Those for which the nearest element that has an attribute, itself or around it, passes a test."""
        passes = self.sets.flags(self.attribute_rows(simple))
        has_own = attributes.rows_with(self.page, simple.name.decode())
        if simple.name == b"dir":  # what is no direction says nothing, and the page itself runs from left to right
            directions = distinct(self.page, "dir")
            has_own[
                directions.of_any([n for n, value in enumerate(directions.values) if value.lower() not in _DIRECTIONS])
            ] = False
            passes |= ~has_own & (self.page.parent < 0) & (simple.value == _DIRECTIONS[0])
        return bits(inherit(self.page, passes, has_own))


@memoised
def index(page: Page) -> Index:
    """The index of a page."""
    return Index(page)


_WRITTEN_PLAINLY = compile_later(rb"[^&<>\"\x80-\xff]+")  # in attributes as in selectors
_FIRST_SELECTOR = np.zeros(1, np.int32)
_NO_ROWS: Rows = np.zeros(0, np.intp)
_MAX_COST = 1 << 40  # of matching a selector by itself
_MAX_REMEMBERED_BITS = 1 << 29  # bits of sets that are remembered: 64 MB
_REQUIRED_NAME = compile_later(rb"([.#:\[])\s*(" + NAME + rb")")
_STRING = compile_later(rb"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_OPTIONAL = compile_later(rb":not\([^()]*\)|\([^(),]*,[^()]*\)", re.IGNORECASE)
_SIGNS = {"tag": b"", "class": b".", "id": b"#"}
_DIRECTIONS = (b"ltr", b"rtl", b"auto")
_KINDS = "nothing host slotted id class root attribute checked tag is nearest child empty has not".split()
_ORDER = {kind: place for place, kind in enumerate(_KINDS)}
_RELATED: dict[bytes, Callable[[RowSets, int], int]] = {
    b" ": RowSets.below,
    b">": RowSets.children,
    b"+": RowSets.following,
    b"~": RowSets.later,
}
_HAVING: dict[bytes, Callable[[RowSets, int], int]] = {
    b" ": RowSets.above,
    b">": RowSets.parents,
    b"+": RowSets.preceding,
    b"~": RowSets.earlier,
}
_ROWS_OF: dict[str, Callable[[Index, Simple], int]] = {
    "nothing": lambda index, simple: 0,
    "root": lambda index, simple: bits(index.page.parent < 0),
    "host": Index.shadow_rows,
    "slotted": Index.shadow_rows,
    "attribute": Index.attribute_rows,
    "checked": Index.checked_rows,
    "child": Index.child_rows,
    "empty": Index.empty_rows,
    "nearest": Index.nearest_rows,
    "has": Index.having_rows,
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
    for _ in range(MAX_NESTING):
        if b"(" not in text:
            break
        text = _OPTIONAL.sub(b"", text)
    return text.partition(b"(")[0] if b"," in text or b":not(" in text.lower() else text
