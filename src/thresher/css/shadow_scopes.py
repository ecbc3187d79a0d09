"""Which rows the rules of a sheet may reach where a page has shadow roots (parse/shadow.py): those of its own tree.

A page's own sheets reach all rows outside of shadow roots, also the children of hosts, wherever slots put them.  A
sheet in a shadow root reaches what stands in that root, its host by `:host`, and what its slots take by `::slotted()`;
these two are weaker than any rule outside, and their important declarations stronger.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from thresher.css.selector_table import Results, SelectorTable
from thresher.data.tags import NUMBER
from thresher.page import Page, attributes, memoised
from thresher.page.types import Ints, Rows
from thresher.text.patterns import compile_later

__all__ = ["ShadowScopes", "scopes_of_blocks", "shadow_scopes"]

_WEAKEST = -2  # the strength of a rule that reaches out of its shadow root: below that of all layers
_NO_SCOPE = -2  # of the template itself
_FOR_HOST = compile_later(rb":host(?:\([^()]*\))?[^\s>+~]*$")
_FOR_SLOTTED = b":slotted("


class ShadowScopes:
    """The shadow roots of a page: -1 is the page itself."""

    def __init__(self, page: Page, roots: Rows) -> None:
        self.of = np.full(len(page), -1, np.int32)  # the scope of each row
        self.parent = page.parent.copy()  # in the tree that is not flat; none around a root
        self.root, self.host = roots, page.parent[roots]
        slotted = attributes.rows_with(page, "slotted") & (page.tag == NUMBER["slot"])
        taken = []
        numbers = {row: number for number, row in enumerate(roots.tolist())}
        scope, parents = self.of.tolist(), page.parent.tolist()
        for row, parent in enumerate(parents):
            if row in numbers:
                scope[row], self.parent[row] = _NO_SCOPE, -1
            elif parent in numbers:
                scope[row] = numbers[parent]
            elif parent >= 0 and slotted[parent] and scope[parent] >= 0:
                self.parent[row] = self.host[scope[parent]]
                scope[row] = scope[self.parent[row]]
                taken.append(row)
            elif parent >= 0:
                scope[row] = scope[parent]
        self.of[:] = scope
        self.taken = np.array(taken, np.intp)

    def within(self, results: Results, table: SelectorTable, scope: Ints) -> Results:
        """Results with those rows only that each selector may reach; `scope` is that of the sheet of each block."""
        pieces = [results.rows[:0]]
        columns: list[tuple[int, int, int, int]] = []
        for selector, specificity, first, last in results.columns[:, : results.size].T.tolist():
            rows = results.rows[first:last]
            rows = rows[self._reached(rows, int(scope[table.block[selector]]), _target(table, selector))]
            if len(rows):
                start = columns[-1][3] if columns else 0
                columns.append((selector, specificity, start, start + len(rows)))
                pieces.append(rows)
        shape = np.array(columns, np.int32).reshape(-1, 4).T
        return Results(np.ascontiguousarray(shape), len(columns), np.concatenate(pieces), results.budget)

    def _reached(self, rows: Rows, scope: int, target: str) -> Rows:
        if target == "host" and scope >= 0:
            return np.flatnonzero(rows == self.host[scope])
        if target == "slotted" and scope >= 0:
            return np.flatnonzero(self.parent[rows] == self.host[scope])
        return np.flatnonzero(self.of[rows] == scope)

    def strength(self, blocks: Ints, table: SelectorTable, first: Ints, strength: Ints) -> Ints:
        """The strengths of some blocks, those weakest that reach out of their root."""
        reach_out = [bool(_target(table, selector)) for selector in first[blocks].tolist()]
        weaker: Ints = np.where(reach_out, np.int32(_WEAKEST), strength)
        return weaker


def _target(table: SelectorTable, selector: int) -> str:
    text = table.text[int(table.begin[selector]) : int(table.end[selector])].lower()
    if _FOR_SLOTTED in text:
        return "slotted"
    return "host" if _FOR_HOST.search(text) else ""


@memoised
def shadow_scopes(page: Page) -> ShadowScopes | None:
    """The shadow roots of a page, if it has any."""
    if not attributes.is_used(page, "shadowrootmode"):
        return None
    roots = np.flatnonzero(attributes.rows_with(page, "shadowrootmode") & (page.tag == NUMBER["div"]))
    roots = roots[[page.markup.startswith(b"<template", page.tag_start[row]) for row in roots.tolist()]]
    return ShadowScopes(page, roots) if len(roots) else None


def scopes_of_blocks(opens: Ints, sizes: list[int], scopes: list[int]) -> Ints:
    """The scope of each block: that of the sheet it stands in."""
    of_blocks = np.full(len(opens), -1, np.int32)
    ends = np.cumsum([0, *sizes])
    for (start, stop), scope in zip(pairwise(ends.tolist()), scopes, strict=True):
        of_blocks[(opens >= start) & (opens < stop)] = scope
    return of_blocks
