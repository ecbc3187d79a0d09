"""Numbers for whole subtrees and for positions: equal subtrees have equal numbers, on every page of the process.

With key_v what a node is by itself (`mapping.keys`) and place_v its number among its siblings, from 0:

    subtree_v  = mixed(key_v, Σ mixed(subtree_c, place_c) over the children c of v)       from the deepest level up
    position_v = mixed(position_parent(v), place_v + 1)                                   from the root down

Siblings stand side by side in a level, so a level's sums are one `reduceat`.  O(N), as many steps as the page is deep.
"""

from __future__ import annotations

import numpy as np

from thresher.page import Page
from thresher.page.columns import column
from thresher.page.types import Rows
from thresher.template.fingerprint import Keys, mixed
from thresher.template.mapping import keys
from thresher.template.nodes import Nodes, nodes

__all__ = ["child_places", "levels", "positions", "subtrees"]


def levels(tree: Nodes) -> list[Rows]:
    """The nodes of each depth, from the root down, in document order."""
    order = np.argsort(tree.depth, kind="stable")
    deepest = int(tree.depth.max(initial=0))
    return np.split(order, np.searchsorted(tree.depth[order], np.arange(1, deepest + 1)))


@column
def child_places(page: Page) -> Rows:
    """The number of each node among its parent's children, from 0.

    A stable sort by parent puts siblings side by side in their order; a place is the distance from the first.
    """
    parent = nodes(page).parent
    order = np.argsort(parent, kind="stable")
    ordered = parent[order]
    place = np.empty(len(parent), np.intp)
    place[order] = np.arange(len(parent)) - np.searchsorted(ordered, ordered)
    return place


@column
def subtrees(page: Page) -> Keys:
    """A number for each node with all below it."""
    tree, key, place = nodes(page), keys(page), child_places(page).astype(np.uint64)
    below = np.zeros(len(tree), np.uint64)
    result = np.empty(len(tree), np.uint64)
    for level in reversed(levels(tree)):
        result[level] = mixed(key[level], below[level])
        parent = tree.parent[level]
        if parent[0] >= 0:
            first = np.flatnonzero(np.diff(parent, prepend=-1))
            below[parent[first]] = np.add.reduceat(mixed(result[level], place[level]), first)
    return result


@column
def positions(page: Page) -> Keys:
    """A number for the places on each node's path from the root."""
    tree, place = nodes(page), child_places(page).astype(np.uint64)
    result = np.zeros(len(tree), np.uint64)
    for level in levels(tree)[1:]:
        result[level] = mixed(result[tree.parent[level]], place[level] + np.uint64(1))
    return result
