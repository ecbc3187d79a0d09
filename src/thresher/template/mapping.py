"""Equal top-down mapping: which nodes of a key page stand, equal, at the same place of another page (paper 002, 2.2).

The roots are mapped when they are equal; children of mapped nodes are mapped when they are equal; below a node that is
not mapped nothing is.  Each node has at most one partner.  Equal are texts with the same words, and elements of the
same name that agree (`fingerprint`) in

    attributes   class, id and all others, but for those that carry the state of one page
    children     these, and the number of their children
    text         these, and their text where they hold nothing but text
    kind         the first class without digits, or the id

Among the children of two mapped nodes several may be equal: they are matched in order, the first of a kind with the
first of its kind, the second with the second.  So the partner of a node is settled by its path alone,

    place_v = number of (place_parent(v), key_v, how many equal children stand before v under its parent)

and two nodes are mapped exactly where their places are equal.  A page's places are computed once, level by level;
mapping it to another page is a look-up in a sorted list.  Nothing recurs, and the cost is that of sorting the nodes.

The first three are for paper 002, which leaves equality to another paper; `html`, `head` and `body` agree on all pages.
With `kind` the mapping follows the template of a site where the page's number or its category stands in a class, an id
or a title and would end the others at the first such element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from thresher.data.tags import group
from thresher.page import Page, memoised_by_name
from thresher.page.columns import column
from thresher.page.types import Bools, Longs, Rows
from thresher.template.fingerprint import Keys, element_keys, kind_keys, mixed, text_keys
from thresher.template.nodes import Nodes, nodes

__all__ = ["EQUALITIES", "Equality", "keys", "mapped", "occurrences", "paths_by_kind", "places"]

Equality = Literal["attributes", "children", "text", "kind"]
EQUALITIES: tuple[Equality, ...] = get_args(Equality)

_FRAME = group(("html", "head", "body"))  # of every page
_LEAF_BIT = np.uint64(1)  # keeps a leaf without text from equalling an element with children
_TEXT_BITS = np.uint64(0xA0761D6478BD642F)  # keeps a text from equalling an element


def mapped(page: Page, other: Page, equal: Equality = "attributes") -> Bools:
    """The nodes of `page`, elements and texts as in `nodes`, that are mapped to a node of `other`."""
    place, known = places(page, equal), _known(other, equal)
    return np.asarray(known[np.minimum(np.searchsorted(known, place), len(known) - 1)] == place)


def occurrences(page: Page, others: Iterable[Page], equal: Equality = "attributes") -> Longs:
    """Algorithm 1 of paper 002: for each node of the key page the number of pages in which it is repeated."""
    count = np.zeros(len(nodes(page)), np.int64)
    for other in others:
        count += mapped(page, other, equal)
    return count


@column
def keys(page: Page) -> Keys:
    """What a node is, whatever its place: equal nodes have equal numbers."""
    return _on_nodes(page, element_keys(page))


@memoised_by_name
def places(page: Page, equal: str) -> Keys:
    """Where a node is: equal nodes at equal places have equal numbers."""
    key = _EQUAL_KEYS[equal](page)
    return _along_paths(nodes(page), mixed(key, _rank(nodes(page).parent, key)))


@column
def paths_by_kind(page: Page) -> Keys:
    """The kinds on the way from the root to each node: equal for all items of a list."""
    return _along_paths(nodes(page), _on_nodes(page, kind_keys(page)))


@memoised_by_name
def _known(page: Page, equal: str) -> Keys:
    return np.sort(places(page, equal))


def _keys_with_children(page: Page) -> Keys:
    """Keys that count the children of elements, too."""
    table = nodes(page)
    children = np.bincount(table.parent[1:], minlength=len(table)).astype(np.uint64)
    children[table.element[_FRAME[page.tag]]] = 0
    return mixed(keys(page), children)


def _keys_with_text(page: Page) -> Keys:
    """Keys that read the text of elements without child elements, too."""
    table, texts = nodes(page), text_keys(page)
    leaf = (page.end == np.arange(1, len(page) + 1)) & ~_FRAME[page.tag]
    running = np.concatenate((np.zeros(1, np.uint64), np.cumsum(texts)))
    text = np.zeros(len(table), np.uint64)
    text[table.element[leaf]] = mixed(running[page.last] - running[page.first])[leaf] | _LEAF_BIT
    return mixed(keys(page), text)


def _kind_keys(page: Page) -> Keys:
    return _on_nodes(page, kind_keys(page))


_EQUAL_KEYS: dict[str, Callable[[Page], Keys]] = {
    "attributes": keys,
    "children": _keys_with_children,
    "text": _keys_with_text,
    "kind": _kind_keys,
}
assert tuple(_EQUAL_KEYS) == EQUALITIES


def _on_nodes(page: Page, of_elements: Keys) -> Keys:
    table = nodes(page)
    key = np.empty(len(table), np.uint64)
    key[table.element] = of_elements
    key[table.text] = text_keys(page) ^ _TEXT_BITS
    return key


def _rank(parent: Rows, key: Keys) -> Keys:
    """How many children of the same parent with the same key stand before each node."""
    kind = mixed(key, parent.astype(np.uint64))
    order = np.argsort(kind, kind="stable")
    ordered = kind[order]
    new = np.ones(len(kind), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    place = np.arange(len(kind))
    rank = np.empty(len(kind), np.uint64)
    rank[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return rank


def _along_paths(table: Nodes, own: Keys) -> Keys:
    """x_v = number of (x_parent(v), own_v), from the root down, a level at a time."""
    result: Keys = own.copy()
    order = np.argsort(table.depth, kind="stable")
    bounds = np.searchsorted(table.depth[order], np.arange(1, int(table.depth.max(initial=0)) + 2)).tolist()
    for start, stop in pairwise(bounds):
        level = order[start:stop]
        result[level] = mixed(result[table.parent[level]], own[level])
    return result
