"""What the naive detectors of templates share: a page as a tree of nodes, elements and texts alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tests.reference.segments import children as child_rows
from tests.reference.segments import own_texts
from thresher.page import Page
from thresher.template.fingerprint import STATE
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
        if key not in STATE and not key.startswith(("data-", "on"))
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


def content_elements(page: Page, template: set[int]) -> set[int]:
    """Elements with something that is no template, inside the smallest element that holds all content texts."""
    made = tree(page)
    kept = {k for k, keep in enumerate(content_texts(page, template)) if keep}
    if not kept:
        return set()

    def holds(row: int) -> set[int]:
        return set(range(page.first[row], page.last[row])) & kept

    top = max(row for row in range(len(page)) if holds(row) == kept)
    return {
        row
        for v, (kind, row) in enumerate(made.node)
        if kind == "element" and top <= row < page.end[top] and not set(made.branch(v)) <= template
    }
