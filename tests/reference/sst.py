"""SST as the paper builds it: pages are merged one by one into a tree of element nodes and style nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

from tests.reference.templates import Tree, tree
from thresher.page import Page


@dataclass
class Style:
    """S = (Es, n), and the features that each page has here when there are no children."""

    children: list[Element]
    pages: int = 0
    contents: list[Counter[Any]] = field(default_factory=list)


@dataclass
class Element:
    """E, with the styles found below it."""

    pages: int = 0
    styles: dict[Any, Style] = field(default_factory=dict)


def template(page: Page, others: Sequence[Page], threshold: float, decay: float) -> set[int]:
    """The nodes of the page that are noise."""
    root = Element()
    at: dict[int, Element] = {}
    for other in (page, *others):
        merge(other, tree(other), 0, root, at if other is page else {})
    if not others:
        return set()
    return {v for v, element in at.items() if largest(element, decay) < threshold}


def merge(page: Page, made: Tree, v: int, element: Element, at: dict[int, Element]) -> None:
    at[v] = element
    element.pages += 1
    inside = made.children[v]
    leaf = not any(made.node[child][0] == "element" for child in inside)
    key = () if leaf else tuple(made.key[c] if made.node[c][0] == "element" else "text" for c in inside)
    style = element.styles.setdefault(key, Style([Element() for _ in key]))
    style.pages += 1
    if leaf:
        style.contents.append(features(page, made, v))
        at.update(dict.fromkeys(inside, element))
    else:
        for child, below in zip(inside, style.children, strict=True):
            merge(page, made, child, below, at)


def features(page: Page, made: Tree, v: int) -> Counter[Any]:
    """The words of a leaf and the address it shows."""
    kind, number = made.node[v]
    texts = [number] if kind == "text" else [made.node[child][1] for child in made.children[v]]
    found: Counter[Any] = Counter()
    for k in texts:
        found.update("".join(" " if ord(c) <= 32 else c for c in page.text[k]).split(" "))
    found.pop("", None)
    source = page.attribute(number, "src") if kind == "element" else None
    if source is not None:
        found["src", source] += 1
    return found


def node_importance(element: Element) -> float:
    m = element.pages
    if m == 1:
        return 1
    return -sum(style.pages / m * log(style.pages / m, m) for style in element.styles.values())


def leaf_importance(style: Style) -> float:
    m = style.pages
    if m == 1:
        return 1
    found = {word for page in style.contents for word in page}
    if not found:
        return 0
    return 1 - sum(entropy([page[word] for page in style.contents], m) for word in found) / len(found)


def entropy(counts: list[int], m: int) -> float:
    total = sum(counts)
    return -sum(count / total * log(count / total, m) for count in counts if count)


def importance(element: Element, decay: float) -> float:
    styles = list(element.styles.values())
    below = sum(
        style.pages / element.pages * (style_importance(style, decay) if style.children else leaf_importance(style))
        for style in styles
    )
    if len(styles) == 1 and not styles[0].children:
        return below
    weight = decay ** len(styles)
    return (1 - weight) * node_importance(element) + weight * below


def style_importance(style: Style, decay: float) -> float:
    return sum(importance(child, decay) for child in style.children) / len(style.children)


def largest(element: Element, decay: float) -> float:
    """The greatest importance of an element node and all below it."""
    inner = [largest(child, decay) for style in element.styles.values() for child in style.children]
    return max([importance(element, decay), *inner])
