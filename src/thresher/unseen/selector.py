"""Which elements a selector names, from the page's own index of tags, classes and ids.

Tags, classes, ids, attributes, `:root` and `:not()` of one of them, joined by descendants, children and siblings.
A selector with anything else (states, pseudo-elements, positions) names nothing here: what it says depends on what we
do not know, and an element is hidden only when we are sure.
"""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.data.tags import NUMBER
from thresher.page import Page

__all__ = ["Index"]

Rows = NDArray[np.intp]

_SIMPLE = re.compile(
    r"""(?P<tag>[a-zA-Z][\w-]*|\*) | \.(?P<class>-?[\w\u0080-\U0010ffff-]+)
    | \#(?P<id>[\w\u0080-\U0010ffff-]+) | (?P<root>:root)
    | \[\s*(?P<name>[\w-]+)\s*(?:(?P<test>[~^$*|]?=)\s*(?P<value>"[^"]*"|'[^']*'|[^\]\s]*)\s*)?\]
    | :not\(\s*(?P<not>[^()]*)\)""",
    re.VERBOSE,
)
_PART = re.compile(r"\s*([>+~]?)\s*((?:\[[^\]]*\]|\([^)]*\)|[^\s>+~\[(])+)")  # a combinator and a compound
_NAMES = re.compile(r"[.#]-?[\w\u0080-\U0010ffff-]+")
_FEW = 200
_LONGEST = 12  # compounds
_MOST_CHARACTERS = 1_000  # longer selectors name nothing


class Index:
    """The rows of a page by class, id, tag and attribute; each is looked up once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._known: dict[str, Rows] = {}

    @cached_property
    def classes(self) -> dict[str, list[int]]:
        """Each class name with the distinct values of `class` that hold it."""
        found: dict[str, list[int]] = {}
        for number, value in enumerate(attributes.distinct(self.page, "class")[2]):
            for name in set(value.split()):
                found.setdefault(name, []).append(number)
        return found

    @cached_property
    def ids(self) -> dict[str, int]:
        """Each id with its place among the distinct values of `id`."""
        return {value.strip(): number for number, value in enumerate(attributes.distinct(self.page, "id")[2])}

    def names(self, rows: Rows | None = None) -> frozenset[bytes]:
        """The classes and ids of some rows, or of the whole page, with their signs."""
        if rows is None:
            signed = " ".join([*(f".{name}" for name in self.classes), *(f"#{name}" for name in self.ids)])
            return frozenset(signed.encode().split())
        found: set[bytes] = set()
        for attribute, sign in (("class", "."), ("id", "#")):
            owner, code, values = attributes.distinct(self.page, attribute)
            for number in np.unique(code[np.isin(owner, rows)]).tolist():
                found.update(f"{sign}{name}".encode() for name in values[number].split())
        return frozenset(found)

    def may_name(self, selector: str) -> bool:
        """A quick look: does the page have the classes and ids that the selector asks for?"""
        asked = _NAMES.findall(selector.split(":not(", 1)[0])
        return all(name[1:] in (self.classes if name[0] == "." else self.ids) for name in asked)

    def match(self, selector: str) -> tuple[Rows, int] | None:
        """The rows that a selector names and its specificity; None for a selector we cannot judge."""
        selector = selector.strip()
        if len(selector) > _MOST_CHARACTERS:
            return None
        parts = list(_PART.finditer(selector))
        if not 0 < len(parts) <= _LONGEST or sum(len(part[0]) for part in parts) != len(selector) or parts[0][1]:
            return None
        specificity = 0
        rows: Rows | None = None
        for part in parts:
            found = self._compound(part[2])
            if found is None:
                return None
            named, weight = found
            specificity += weight
            rows = named if rows is None else self._joined(rows, named, part[1])
            if not len(rows):
                return rows, specificity
        return (rows if rows is not None else np.zeros(0, np.intp)), specificity

    def _joined(self, left: Rows, right: Rows, combinator: str) -> Rows:
        """The rows of `right` that stand in the given relation to one of `left`; both are ascending."""
        page = self.page
        if combinator == ">":
            if len(left) + len(right) > _FEW:
                return right[np.isin(page.parent[right], left)]
            above = set(left.tolist())
            parents = page.parent[right].tolist()
            return np.array([row for row, up in zip(right.tolist(), parents, strict=True) if up in above], np.intp)
        if not combinator:
            # Inside a subtree of an earlier row: the furthest end of the rows before lies behind.
            before = np.searchsorted(left, right)
            furthest = np.concatenate(([0], np.maximum.accumulate(page.end[left])))
            return right[furthest[before] > right]
        # Siblings: an earlier one has the same parent; the adjacent one also ends where the later begins.
        if combinator == "+":
            ends = {(int(page.parent[row]), int(page.end[row])) for row in left.tolist()}
            return np.array([row for row in right.tolist() if (int(page.parent[row]), row) in ends], np.intp)
        first: dict[int, int] = {}
        for row in left.tolist():
            first.setdefault(int(page.parent[row]), row)
        return np.array([row for row in right.tolist() if first.get(int(page.parent[row]), row) < row], np.intp)

    def _compound(self, compound: str) -> tuple[Rows, int] | None:
        rows: Rows | None = None
        weight = done = 0
        for part in _SIMPLE.finditer(compound):
            if part.start() != done:
                return None
            done = part.end()
            if part["not"] is not None:
                inner = self._compound(part["not"].strip())
                if inner is None:
                    return None
                rows = np.setdiff1d(self._all if rows is None else rows, inner[0])
                weight += inner[1]
                continue
            found, more = self._simple(part)
            weight += more
            rows = found if rows is None else _common(rows, found)
        return None if done != len(compound) or rows is None else (rows, weight)

    def _simple(self, part: re.Match[str]) -> tuple[Rows, int]:
        if part["class"]:
            return self._class(part["class"]), 100
        if part["id"]:
            rows, code, _ = attributes.distinct(self.page, "id")
            return np.sort(rows[code == self.ids.get(part["id"], -1)]), 10_000
        if part["root"]:
            return np.zeros(1, np.intp), 100
        if part["name"]:
            return self._attribute(part), 100
        if part["tag"] == "*":
            return self._all, 0
        return self._tag(part["tag"].lower()), 1

    @cached_property
    def _all(self) -> Rows:
        return np.arange(len(self.page))

    def _class(self, name: str) -> Rows:
        key = "." + name
        if key not in self._known:
            rows, code, values = attributes.distinct(self.page, "class")
            holds = np.zeros(len(values) + 1, bool)
            holds[self.classes.get(name, [])] = True
            self._known[key] = np.sort(rows[holds[code]])
        return self._known[key]

    def _tag(self, name: str) -> Rows:
        if name not in self._known:
            if name in NUMBER:
                self._known[name] = np.flatnonzero(self.page.tag == NUMBER[name])
            else:
                strangers = np.flatnonzero(self.page.tag == 0)
                same = [row for row in strangers.tolist() if self.page.name(row) == name]
                self._known[name] = np.array(same, np.intp)
        return self._known[name]

    def _attribute(self, part: re.Match[str]) -> Rows:
        test, wanted = part["test"], (part["value"] or "").strip("\"'")
        key = f"[{part['name']}{test}{wanted}"
        if key not in self._known:
            found = attributes.values(self.page, part["name"].lower())
            self._known[key] = np.array(
                sorted(row for row, value in found.items() if _holds(value, test, wanted)), np.intp
            )
        return self._known[key]


def _common(a: Rows, b: Rows) -> Rows:
    """The rows in both; for a few of them sets are quicker than arrays."""
    if len(a) + len(b) > _FEW:
        return np.intersect1d(a, b, assume_unique=True)
    return np.array(sorted(set(a.tolist()) & set(b.tolist())), np.intp)


def _holds(value: str, test: str | None, wanted: str) -> bool:
    """Whether an attribute's value passes the test of an attribute selector."""
    if test is None:
        return True
    if test == "=":
        return value == wanted
    if not wanted:
        return False
    if test == "~=":
        return wanted in value.split()
    if test == "|=":
        return value == wanted or value.startswith(wanted + "-")
    return {"^=": value.startswith, "$=": value.endswith, "*=": value.__contains__}[test](wanted)
