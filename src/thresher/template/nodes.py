"""Elements and texts of a page in one table, as methods that compare whole trees need them.

A text is a node like an element: it has a parent, a place among its siblings, and no children.  Nodes are in document
order and the subtree of node v is the slice v:end[v].  An element or text with i elements and k texts before it has
the number i + k: the table is made of additions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.page import Page, memoised
from thresher.page.types import Bools, Rows

__all__ = ["Nodes", "nodes", "within"]


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The columns; N = n elements + m texts."""

    parent: Rows  # (N,)  -1 for the root
    end: Rows  # (N,)  the subtree of node v is the slice v:end[v]
    depth: Rows  # (N,)  edges to the root
    element: Rows  # (n,)  the node of each element
    text: Rows  # (m,)  the node of each text

    def __len__(self) -> int:
        return len(self.parent)


def within(table: Nodes, chosen: Bools) -> Bools:
    """Which nodes lie in the subtree of a chosen one, itself included: `tree.within` for nodes."""
    step = np.zeros(len(table) + 1, np.int64)
    step[:-1] = chosen
    np.subtract.at(step, table.end[chosen], 1)
    return np.asarray(np.cumsum(step[:-1]) > 0)


@memoised
def nodes(page: Page) -> Nodes:
    """The table of a page, made once."""
    element = np.arange(len(page)) + page.first
    text = np.arange(len(page.owner)) + np.searchsorted(page.tag_start, page.position)
    parent, end, depth = (np.empty(len(element) + len(text), np.intp) for _ in range(3))
    parent[element], parent[text] = np.where(page.parent >= 0, element[page.parent], -1), element[page.owner]
    end[element], end[text] = page.end + page.last, text + 1
    depth[element], depth[text] = page.depth, page.depth[page.owner] + 1
    for column in (parent, end, depth, element, text):
        column.setflags(write=False)
    return Nodes(parent, end, depth, element, text)
