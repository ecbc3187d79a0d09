"""RTDM-TD: what a restricted top-down mapping leaves unchanged on all pages.  Vieira et al., CIKM 2006.

A top-down mapping pairs nodes of two trees, in order, only where their parents are paired.  It is restricted (Reis et
al., WWW 2004) when a node that is paired with a different one has nothing paired below it.  Such a mapping turns one
page into the other at the cost of the nodes that are not paired, plus those paired with different ones; the nodes
paired with equal ones are retained.

    retained(page, other) = nodes paired with an equal one                             retained
    template              = the nodes retained in the mappings to all pages            template

Reis finds the cheapest mapping with a table of children × children for each pair of nodes, which is quadratic: 25
million steps for two pages of 5,000 nodes.  Here the children of two paired nodes are matched in three passes,

    1. those with equal subtrees (one number per subtree, `site.subtrees`); nothing below them needs a look,
    2. equal ones with equal children (one number per list, `site.styles`),
    3. equal ones,

each in the gaps that the passes before have left, and each pairs the first of a kind with the first of its kind in the
other list, the second with the second, …  Where these pairs cross, the heaviest chain that does not is kept, heavy by
the size of the subtrees.  All lists of a level are matched at once.  Every child is in one list and has one candidate
in a pass, so a mapping costs O(N log N), whatever the pages.

That is a restricted top-down mapping, not always the cheapest.  On the pages of `sites` and their siblings it retains
97 % of the nodes and 98 % of the texts that the cheapest one retains (benchmarks/site_templates.py --exact).

Choices.  Nodes are equal by name and attributes but for those that carry the state of one page, texts by their words.
Each sibling is mapped to the whole key page, so their order does not matter; Vieira's maps each to what is left so far.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thresher.methods._options import Count, option
from thresher.methods._template import Bools, compared, content_elements, content_texts
from thresher.page import Page, memoised
from thresher.page.types import Rows
from thresher.page.verdict import Verdict
from thresher.template.fingerprint import Keys, mixed
from thresher.template.mapping import keys
from thresher.template.nodes import nodes
from thresher.template.style_tree import presentation_styles
from thresher.template.subtrees import subtrees

__all__ = ["NEEDS", "Options", "judge", "retained", "template"]


NEEDS: frozenset[str] = frozenset({"siblings"})


@dataclass(frozen=True, slots=True)
class Options:
    siblings: tuple[Page, ...] = ()
    pages: Count = option(4, "how many of them are compared")


def retained(page: Page, other: Page) -> Bools:
    """Which nodes of the page are paired with an equal node of the other page."""
    ours, theirs = _tree(page), _tree(other)
    paired = np.zeros(len(ours.key), bool)
    edge = np.zeros(len(ours.key) + 1, np.intp)  # +1 where an unchanged subtree begins, -1 where it ends
    a = b = _Lists(np.zeros(1, np.intp), np.zeros(1, np.intp))  # the roots, a list of one
    while len(a.node) and len(b.node):
        i, j = _matched(a, b, ours.subtree, theirs.subtree, ours.size)
        unchanged = a.node[i]
        edge[unchanged] += 1
        np.subtract.at(edge, unchanged + ours.size[unchanged], 1)
        a, b = _between(a, i), _between(b, j)
        u, v = _paired(a, b, ours, theirs)
        paired[u] = True
        a, b = _children(ours, u), _children(theirs, v)
    return paired | (np.cumsum(edge[:-1]) > 0)


def template(page: Page, options: Options) -> Bools:
    """Which nodes, elements and texts, are retained in the mappings to all pages."""
    others = compared("rtdm", page, options.siblings, options.pages)
    same = np.full(len(nodes(page)), bool(others))
    for other in others:
        same &= retained(page, other)
    return same


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable texts that are no template."""
    repeated = template(page, options)
    return Verdict(page, content_texts(page, repeated), elements=content_elements(page, repeated))


class _Tree(NamedTuple):
    """What the mapping asks of a page's nodes."""

    key: Keys  # of the node alone
    styled: Keys  # with the names and attributes of its children
    subtree: Keys  # with all below it
    size: Rows  # nodes of the subtree
    children: Rows  # all nodes, those of one parent together, in order
    first: Rows  # the children of v are children[first[v]:first[v + 1]]


class _Lists(NamedTuple):
    """Lists of children, one after the other; `list` says which one each node is in, and ascends."""

    node: Rows
    list: Rows


@memoised
def _tree(page: Page) -> _Tree:
    tree = nodes(page)
    order = np.argsort(tree.parent, kind="stable")
    first = np.searchsorted(tree.parent[order], np.arange(len(tree) + 1))
    size = tree.end - np.arange(len(tree))
    styled = mixed(keys(page), presentation_styles(page))
    return _Tree(keys(page), styled, subtrees(page), size, order, first)


def _children(tree: _Tree, parents: Rows) -> _Lists:
    """The children of some nodes, a list for each."""
    first = tree.first[parents]
    count = tree.first[parents + 1] - first
    before = np.cumsum(count) - count
    at = np.arange(count.sum()) + np.repeat(first - before, count)
    return _Lists(tree.children[at], np.repeat(np.arange(len(parents)), count))


def _between(lists: _Lists, matched: Rows) -> _Lists:
    """What is left of the lists, cut where nodes were matched.

    A node's new list is the number of its old one plus the matched nodes before it.  Both ascend along the lists and
    do so alike on both sides, so equal numbers mean the same gap of the same list.
    """
    gone = np.zeros(len(lists.node), bool)
    gone[matched] = True
    return _Lists(lists.node[~gone], (lists.list + np.cumsum(gone))[~gone])


def _paired(a: _Lists, b: _Lists, ours: _Tree, theirs: _Tree) -> tuple[Rows, Rows]:
    """Equal nodes, those with equal children first."""
    i, j = _matched(a, b, ours.styled, theirs.styled, ours.size)
    rest_a, rest_b = _between(a, i), _between(b, j)
    x, y = _matched(rest_a, rest_b, ours.key, theirs.key, ours.size)
    return np.concatenate((a.node[i], rest_a.node[x])), np.concatenate((b.node[j], rest_b.node[y]))


def _matched(a: _Lists, b: _Lists, key_a: Keys, key_b: Keys, size: Rows) -> tuple[Rows, Rows]:
    """Places in `a` and in `b` of the nodes that are paired: the k-th of a key in a list with the k-th on the other
    side, without those that cross heavier ones."""
    ours, theirs = _numbered(key_a[a.node], a.list), _numbered(key_b[b.node], b.list)
    _, i, j = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    order = np.argsort(i)
    i, j = i[order], j[order]
    if (j[1:] < j[:-1]).any():
        chain = _heaviest_chain(j.tolist(), size[a.node[i]].tolist())
        i, j = i[chain], j[chain]
    return i, j


def _numbered(key: Keys, list_: Rows) -> Keys:
    """A number for the key, the list, and how many of this key stand before in this list."""
    kind = mixed(key, list_.astype(np.uint64))
    order = np.argsort(kind, kind="stable")
    ordered = kind[order]
    rank = np.empty(len(kind), np.uint64)
    rank[order] = np.arange(len(kind)) - np.searchsorted(ordered, ordered)
    return mixed(kind, rank)


def _heaviest_chain(values: list[int], weights: list[int]) -> list[int]:
    """The places of an increasing subsequence of the greatest weight.

    For each chain found so far its last value and its weight are kept, both ascending: a chain that ends later and
    weighs no more is dropped.  A new value goes on from the chain that ends just before it.  O(n log n).
    """
    ends: list[int] = []
    best: list[int] = []
    last: list[int] = []  # the place where the chain ends
    before = [-1] * len(values)
    for place, (value, weight) in enumerate(zip(values, weights, strict=True)):
        at = bisect_left(ends, value)
        if at:
            weight += best[at - 1]
            before[place] = last[at - 1]
        stop = at
        while stop < len(ends) and best[stop] <= weight:
            stop += 1
        ends[at:stop], best[at:stop], last[at:stop] = [value], [weight], [place]
    chain = []
    place = last[-1] if last else -1
    while place >= 0:
        chain.append(place)
        place = before[place]
    return chain[::-1]
