"""RBMTD node by node: a subtree is template when the same path of child numbers leads to an equal one on every page."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.templates import Tree, tree
from thresher.page import Page


def template(page: Page, others: Sequence[Page]) -> set[int]:
    ours = tree(page)
    at = places(ours)
    found = set(range(len(ours.node))) if others else set()
    for other in others:
        theirs = tree(other)
        known = {place: v for v, place in places(theirs).items()}
        found &= {v for v in found if at[v] in known and ours.whole(v) == theirs.whole(known[at[v]])}
    return found


def places(made: Tree) -> dict[int, tuple[int, ...]]:
    """The child numbers from the root to each node."""
    found: dict[int, tuple[int, ...]] = {0: ()}
    for v, children in enumerate(made.children):
        for number, child in enumerate(children):
            found[child] = (*found[v], number)
    return found
