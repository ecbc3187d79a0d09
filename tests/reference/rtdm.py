"""RTDM twice: our mapping, node by node, and the cheapest restricted top-down mapping, with a table for each pair of
nodes (Reis et al., WWW 2004), which ours approximates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tests.reference import templates as site
from tests.reference.templates import Tree
from thresher.page import Page


def retained(page: Page, other: Page) -> set[int]:
    """The nodes of the page that our rules pair with an equal one."""
    ours, theirs = site.tree(page), site.tree(other)
    found: set[int] = set()
    _pair([0], [0], ours, theirs, found)
    return found


def _pair(a: list[int], b: list[int], ours: Tree, theirs: Tree, found: set[int]) -> None:
    """Match two lists of children: equal subtrees, then equal nodes with equal children, then equal nodes, each in the
    gaps between the ones before; then go down."""
    kinds = (Tree.whole, lambda tree, v: (tree.key[v], styled(tree, v)), lambda tree, v: tree.key[v])
    paired: list[tuple[int, int]] = []
    for number, kind in enumerate(kinds):
        edges = [(-1, -1), *sorted(paired), (len(a), len(b))]
        for (i, j), (next_i, next_j) in pairwise(edges):
            left, right = range(i + 1, next_i), range(j + 1, next_j)
            size = [len(ours.branch(a[x])) for x in left]
            matched = _match([kind(ours, a[x]) for x in left], [kind(theirs, b[y]) for y in right], size)
            for x, y in matched:
                paired.append((left[x], right[y]))
                found.update(ours.branch(a[left[x]]) if number == 0 else [a[left[x]]])
    for x, y in paired:
        _pair(ours.children[a[x]], theirs.children[b[y]], ours, theirs, found)


def styled(tree: Tree, v: int) -> tuple[Any, ...]:
    """The children by name and attributes, texts as texts; nothing for a node without child elements."""
    kinds = [tree.node[child][0] for child in tree.children[v]]
    if "element" not in kinds:
        return ()
    inside = zip(tree.children[v], kinds, strict=True)
    return tuple(tree.key[child] if kind == "element" else "text" for child, kind in inside)


def _match(a: Sequence[object], b: Sequence[object], size: Sequence[int]) -> list[tuple[int, int]]:
    """The k-th of a kind with the k-th of its kind; where pairs cross, the heaviest chain."""
    numbered = {(value, list(b[:j]).count(value)): j for j, value in enumerate(b)}
    pairs = [(i, numbered.get((value, list(a[:i]).count(value)))) for i, value in enumerate(a)]
    return heaviest([(i, j) for i, j in pairs if j is not None], size)


def heaviest(pairs: list[tuple[int, int]], size: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs that ascend on both sides, of the greatest size: the best chain that ends at each pair, one after another.

    Of chains of one size the one whose last pair comes first on the right is as good as any other and is taken.
    """
    best: list[tuple[int, list[tuple[int, int]]]] = []
    for at, (i, j) in enumerate(pairs):
        before = [best[k] for k in range(at) if pairs[k][1] < j]
        weight, chain = max(before, key=lambda item: (item[0], -item[1][-1][1]), default=(0, []))
        best.append((weight + size[i], [*chain, (i, j)]))
    return max(best, key=lambda item: (item[0], -item[1][-1][1]), default=(0, []))[1]


def cheapest(page: Page, other: Page) -> tuple[int, int]:
    """The cost of the cheapest restricted top-down mapping, and how many nodes it retains.

    An inserted or deleted node costs 1, a replaced one 1.  Pairing saves 2 for equal nodes and 1 for different ones,
    below which nothing is paired: the cheapest mapping saves most.
    """
    ours, theirs = site.tree(page), site.tree(other)
    known: dict[tuple[int, int], tuple[int, int]] = {}

    def saved(u: int, v: int) -> tuple[int, int]:
        if ours.whole(u) == theirs.whole(v):
            return 2 * len(ours.branch(u)), len(ours.branch(u))
        if ours.key[u] != theirs.key[v]:
            return 1, 0
        if (u, v) not in known:
            most, kept = aligned(ours.children[u], theirs.children[v])
            known[u, v] = most + 2, kept + 1
        return known[u, v]

    def aligned(a: list[int], b: list[int]) -> tuple[int, int]:
        row = [(0, 0)] * (len(b) + 1)
        for u in a:
            above, row = row, [(0, 0)]
            for j, v in enumerate(b):
                most, kept = saved(u, v)
                row.append(max(above[j + 1], row[j], (above[j][0] + most, above[j][1] + kept)))
        return row[-1]

    most, kept = saved(0, 0)
    return len(ours.key) + len(theirs.key) - most, kept
