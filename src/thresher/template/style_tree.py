"""The style tree of a site: every way in which its pages lay out the same place, with how many pages do so.

    presentation style of a node   the sequence of its children, each by name and attributes
    style node S                   a style that some page uses in element node E: on c_S pages
    element node E                 a child of a style node, by its place in the sequence: on m_E pages

So an element node is settled by a node's path: the styles of its ancestors and its places among their children,

    E_v = mixed(E_parent(v), style_parent(v), place_v)

and no two nodes of one page share one.  The tree of all pages is the set of these numbers; nothing is merged node by
node.

A text beside elements is a child like them.  The texts of an element without child elements are not: they are its
contents, and the element is a leaf.  The style of a leaf is the empty sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thresher.page import Page, attributes
from thresher.page.columns import column
from thresher.page.types import Bools, Rows
from thresher.template.fingerprint import Keys, element_keys, mixed
from thresher.template.nodes import nodes
from thresher.template.subtrees import child_places, levels

__all__ = ["StyleTree", "content_features", "presentation_styles", "style_tree"]


_TEXT_LABEL = np.uint64(1)  # stands for any text in a style
_BLANKS = bytes(33 * [32]) + bytes(range(33, 256))


@dataclass(frozen=True, slots=True, eq=False)
class StyleTree:
    """Element nodes and style nodes of some pages."""

    # Element nodes
    pages: Rows  # m: how many pages have it
    inside: Rows  # the style node it stands in; -1 for the root
    depth: Rows
    # Style nodes
    owner: Rows  # the element node it belongs to
    used: Rows  # c: how many pages use it
    leaf: Bools  # without children
    # Where the pages are in it: a column over the nodes of each page; the texts of a leaf are where the leaf is
    element_at: tuple[Rows, ...]
    style_at: tuple[Rows, ...]


def style_tree(pages: Sequence[Page]) -> StyleTree:
    """The style tree of some pages.  Two sorts of their nodes."""
    parts = [np.flatnonzero(_is_part(page)) for page in pages]
    both = list(zip(pages, parts, strict=True))
    depth = np.concatenate([nodes(page).depth[part] for page, part in both])
    node = np.concatenate([_element_nodes(page)[part] for page, part in both])
    style = np.concatenate([_style_nodes(page)[part] for page, part in both])
    above = np.concatenate([_style_nodes(page)[nodes(page).parent[part]] for page, part in both])
    leaf = np.concatenate([presentation_styles(page)[part] == 0 for page, part in both])
    _, example, element_of, m = np.unique(node, return_index=True, return_inverse=True, return_counts=True)
    known, of_style, style_of, c = np.unique(style, return_index=True, return_inverse=True, return_counts=True)
    inside = np.where(depth[example] > 0, np.searchsorted(known, above[example]), -1)
    ends = np.cumsum([len(part) for part in parts])[:-1]
    return StyleTree(
        pages=m,
        inside=inside,
        depth=depth[example],
        owner=element_of[of_style],
        used=c,
        leaf=leaf[of_style],
        element_at=_spread(pages, parts, np.split(element_of, ends)),
        style_at=_spread(pages, parts, np.split(style_of, ends)),
    )


def content_features(page: Page) -> tuple[Rows, list[bytes]]:
    """What leaves hold: the words of texts and the addresses in `src`, each with the node it stands at.

    Words are runs of bytes between blanks.
    """
    tree = nodes(page)
    ink = np.concatenate(([False], np.frombuffer(page.utf8, np.uint8) > 32))
    starts = np.flatnonzero(ink[1:] > ink[:-1])
    holder = np.searchsorted(page.start, starts, side="right") - 1
    addresses = attributes.find(page, "src")
    spans = zip(addresses.start.tolist(), addresses.stop.tolist(), strict=True)
    sources = [b"src " + page.markup[start:stop] for start, stop in spans]
    words = page.utf8.translate(_BLANKS).split()
    if (holder < 0).any() or (starts >= page.stop[holder]).any():
        # No-break spaces that stand alone between elements are no texts, but they are no blanks either.
        inside = (holder >= 0) & (starts < np.append(page.stop, 0)[holder])
        words = [word for word, counts in zip(words, inside.tolist(), strict=True) if counts]
        holder = holder[inside]
    return np.concatenate((tree.text[holder], tree.element[addresses.row])), words + sources


@column
def _is_part(page: Page) -> Bools:
    """Which nodes are element nodes: elements, and texts beside elements."""
    tree = nodes(page)
    part = _has_elements(page)[tree.parent]
    part[tree.element] = True
    return part


@column
def _has_elements(page: Page) -> Bools:
    tree = nodes(page)
    mask = np.zeros(len(tree), bool)
    mask[tree.parent[tree.element[1:]]] = True
    return mask


@column
def presentation_styles(page: Page) -> Keys:
    """The presentation style of each node; 0 for leaves."""
    tree, place, part = nodes(page), child_places(page).astype(np.uint64), _is_part(page)
    label = np.full(len(tree), _TEXT_LABEL)
    label[tree.element] = element_keys(page)
    style = np.zeros(len(tree), np.uint64)
    for level in levels(tree)[1:]:
        children = level[part[level]]
        if len(children):
            parent = tree.parent[children]
            first = np.flatnonzero(np.diff(parent, prepend=-1))
            style[parent[first]] = np.add.reduceat(mixed(label[children], place[children]), first)
    return style


@column
def _element_nodes(page: Page) -> Keys:
    """E: the element node that each node is."""
    tree, place, style = nodes(page), child_places(page).astype(np.uint64), presentation_styles(page)
    node = np.zeros(len(tree), np.uint64)
    for level in levels(tree)[1:]:
        parent = tree.parent[level]
        node[level] = mixed(node[parent], style[parent], place[level])
    return node


@column
def _style_nodes(page: Page) -> Keys:
    """S: the style node that each node's children are in."""
    return mixed(_element_nodes(page), presentation_styles(page))


def _spread(pages: Sequence[Page], parts: list[Rows], values: list[Rows]) -> tuple[Rows, ...]:
    """Columns over all nodes from columns over the parts: what is no part has its parent's value."""
    columns = []
    for page, part, value in zip(pages, parts, values, strict=True):
        column_ = np.empty(len(nodes(page)), np.intp)
        column_[part] = value
        rest = np.flatnonzero(~_is_part(page))
        column_[rest] = column_[nodes(page).parent[rest]]
        columns.append(column_)
    return tuple(columns)
