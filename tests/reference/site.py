"""Paper 002 read literally: the mapping as a recursion, Algorithms 1 to 5 on sets of nodes, distances by counting."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from urllib.parse import unquote, urlsplit

from tests.reference.templates import Tree, tree
from thresher.page import Page

Pairs = dict[int, int]


def kind(page: Page, row: int) -> object:
    """Name and first class without digits, or id without digits where there is no class; the frame by name alone."""
    name, held = page.name(row), page.attributes(row)
    if name in ("html", "head", "body"):
        return name
    if "class" in held:
        return name, "class", re.sub("[0-9]+", "", held["class"]).split()[:1]
    return name, "id" in held, re.sub("[0-9]+", "", held.get("id", "")).split()[:1]


def equal_keys(page: Page, equal: str) -> list[object]:
    """What each node must share with its partner."""
    made = tree(page)
    keys: list[object] = []
    for (what, number), key, children in zip(made.node, made.key, made.children, strict=True):
        frame = what == "element" and page.name(number) in ("html", "head", "body")
        if what == "text" or frame or equal == "attributes":
            keys.append(key)
        elif equal == "kind":
            keys.append(str(kind(page, number)))
        elif equal == "children":
            keys.append((key, len(children)))
        else:
            leaf = all(made.node[child][0] == "text" for child in children)
            keys.append((key, [made.key[child] for child in children] if leaf else None))
    return [str(key) for key in keys]


def mapping(page: Page, other: Page, equal: str = "attributes") -> Pairs:
    """Nodes of the page and their partners: equal roots, then equal children, the k-th of a kind with the k-th."""
    a, b = tree(page), tree(other)
    a.key, b.key = equal_keys(page, equal), equal_keys(other, equal)
    pairs: Pairs = {}

    def map_children(x: int, y: int) -> None:
        pairs[x] = y
        waiting: dict[object, list[int]] = defaultdict(list)
        for child in b.children[y]:
            waiting[b.key[child], b.node[child][0]].append(child)
        for child in a.children[x]:
            partners = waiting[a.key[child], a.node[child][0]]
            if partners:
                map_children(child, partners.pop(0))

    if a.key[0] == b.key[0]:
        map_children(0, 0)
    return pairs


def occurrences(page: Page, others: list[Page], equal: str = "attributes") -> list[int]:
    """Algorithm 1."""
    count = Counter(node for other in others for node in mapping(page, other, equal))
    return [count[node] for node in range(len(tree(page).node))]


class Algorithms:
    """Algorithms 2 to 5 as they are printed, on the numbers of nodes."""

    def __init__(self, page: Page) -> None:
        self.tree: Tree = tree(page)
        self.parent = {child: v for v, children in enumerate(self.tree.children) for child in children}

    def subtree(self, v: int) -> set[int]:
        return set(self.tree.branch(v))

    def ancestors(self, v: int) -> set[int]:
        return {u for u in range(len(self.tree.node)) if v in self.subtree(u)} - {v}

    def algorithm_2(self, candidates: set[int]) -> set[int]:
        reduced = set()
        left = set(candidates)
        for node in sorted(candidates):
            if node not in left:
                continue
            cand = node
            while self.parent.get(cand) in left:
                cand = self.parent[cand]
                left -= self.subtree(cand)
            left -= self.subtree(cand) - {cand}
            reduced.add(cand)
        return reduced

    def algorithm_3(self, reduced: set[int]) -> int:
        count, branch = 0, -1
        for n in sorted(reduced):
            node = self.parent[n]
            if len(self.subtree(node)) > count:
                branch, count = node, len(self.subtree(node))
        return branch

    def algorithm_4(self, reduced: set[int], branch: int) -> set[int]:
        return {node for node in reduced if branch in self.ancestors(node)}

    def algorithm_5(self, reduced: set[int]) -> set[int]:
        content = set(reduced)
        while True:
            pair = next(
                ((a, b) for a in content for b in content if a < b and self.parent.get(a) == self.parent.get(b, -2)),
                None,
            )
            if pair is None:
                return content
            content = (content - set(pair)) | {self.parent[pair[0]]}

    def content(self, candidates: set[int]) -> set[int]:
        """All of it: the nodes of the main content."""
        reduced = self.algorithm_2(candidates)
        if len(reduced) > 1:
            reduced = self.algorithm_5(self.algorithm_4(reduced, self.algorithm_3(reduced)))
        return {inner for node in reduced for inner in self.subtree(node)}


def hyperlink_distance(key: str, target: str) -> int:
    """Steps up from the key page's directory until the target lies below, as negative; else steps down to it."""
    here, there = (unquote(urlsplit(url).path).rpartition("/")[0] + "/" for url in (key, target))
    up = 0
    while not there.startswith(here):
        here = here.rstrip("/").rpartition("/")[0] + "/"
        up += 1
    return -up if up else there[len(here) :].count("/")


def dom_distance(page: Page, a: int, b: int) -> int:
    """Edges on the way from one element to the other: up to the first common ancestor and down."""
    above_a, above_b = [a, *page.ancestors(a)], [b, *page.ancestors(b)]
    common = next(row for row in above_a if row in above_b)
    return above_a.index(common) + above_b.index(common)
