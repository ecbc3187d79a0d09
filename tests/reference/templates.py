"""What the naive detectors of templates share: a page as a tree of nodes, elements and texts alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tests.reference.segments import children as child_rows
from tests.reference.segments import own_texts
from thresher.data.tags import LAZY_ADDRESSES
from thresher.page import Page
from thresher.template.fingerprint import STATE
from thresher.visible.hidden import hidden
from thresher.visible.readable import readable


@dataclass
class Tree:
    """Nodes in document order, what each is by itself, and its children."""

    node: list[tuple[str, int]]  # ("element", row) or ("text", number)
    key: list[Any]
    children: list[list[int]]

    def branch(self, v: int) -> list[int]:
        return [v, *(inner for child in self.children[v] for inner in self.branch(child))]

    def whole(self, v: int) -> Any:
        """The subtree, as nested tuples."""
        return self.key[v], tuple(self.whole(child) for child in self.children[v])


def tree(page: Page) -> Tree:
    made = Tree([], [], [])

    def add(kind: str, number: int) -> int:
        v = len(made.node)
        made.node.append((kind, number))
        made.key.append(element_key(page, number) if kind == "element" else text_key(page.text[number]))
        made.children.append([])
        if kind == "element":
            inside = [(int(page.tag_start[row]), "element", row) for row in child_rows(page, number)]
            inside += [(int(page.position[k]), "text", k) for k in own_texts(page, number)]
            made.children[v] = [add(kind, number) for _, kind, number in sorted(inside)]
        return v

    add("element", 0)
    return made


def element_key(page: Page, row: int) -> Any:
    """Name and attributes, without those that carry the state of one page; the frame of a page by name alone."""
    name = page.name(row)
    if name in ("html", "head", "body"):
        return name
    lasting = {
        (key, value)
        for key, value in page.attributes(row).items()
        if key not in STATE and (key in LAZY_ADDRESSES or not key.startswith(("data-", "on")))
    }
    return name, frozenset(lasting)


def text_key(text: str) -> str:
    """Letters and digits of a text, whatever the case of ASCII letters, blanks and punctuation."""
    kept = re.sub(r"[\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f\xa0]", "", text)
    return re.sub("[A-Z]", lambda match: match[0].lower(), kept)


def content_texts(page: Page, template: set[int]) -> list[bool]:
    made = tree(page)
    of = {number: v for v, (kind, number) in enumerate(made.node) if kind == "text"}
    return [bool(readable(page)[k]) and of[k] not in template for k in range(len(page.text))]


def media(page: Page) -> dict[int, tuple[tuple[str, str], ...]]:
    """What the elements load that show pictures, videos or sound, by row."""
    shown = {}
    for row in range(len(page)):
        if page.name(row) in ("img", "video", "audio", "source", "iframe", "embed", "object") and not hidden(page)[row]:
            held = page.attributes(row)
            addresses = tuple((n, held[n]) for n in ("src", "srcset", "data", *LAZY_ADDRESSES) if n in held)
            if addresses:
                shown[row] = addresses
    return shown


def content_elements(page: Page, template: set[int]) -> set[int]:
    """Elements with something that is no template, inside the smallest element that holds all content texts; where
    there are none, inside the one that holds all media that are no template."""
    made = tree(page)
    content = {v for v, (kind, k) in enumerate(made.node) if kind == "text" and content_texts(page, template)[k]}
    if not content:
        content = {v for v, (kind, row) in enumerate(made.node) if kind == "element" and row in media(page)} - template
    if not content:
        return set()
    top = max(v for v, (kind, _) in enumerate(made.node) if kind == "element" and content <= set(made.branch(v)))
    return {
        made.node[v][1]
        for v in made.branch(top)
        if made.node[v][0] == "element" and not set(made.branch(v)) <= template
    }
