"""What the naive DOM methods share: walking a page node by node, what a reader sees, what stands in links."""

from __future__ import annotations

from collections.abc import Iterator

from tests.reference import columns
from thresher.data.tags import UNREAD
from thresher.page import Page
from thresher.visible.hidden import hidden
from thresher.visible.readable import readable


def children(page: Page, row: int) -> list[int]:
    return [child for child in range(len(page)) if page.parent[child] == row]


def texts(page: Page, row: int) -> range:
    """The text nodes below an element."""
    return range(page.first[row], page.last[row])


def own_texts(page: Page, row: int) -> list[int]:
    return [k for k in range(len(page.text)) if page.owner[k] == row]


def branch(page: Page, row: int) -> range:
    """The rows of a subtree."""
    return range(row, page.end[row])


def body(page: Page) -> int:
    return next((row for row in range(len(page)) if page.name(row) == "body"), 0)


def walk(page: Page, row: int = 0) -> Iterator[tuple[str, int]]:
    """("open", row), ("text", k) and ("close", row) in the order of the document."""
    yield "open", row
    inside = [(int(page.tag_start[child]), "element", child) for child in children(page, row)]
    inside += [(int(page.position[k]), "text", k) for k in own_texts(page, row)]
    for _, kind, number in sorted(inside):
        if kind == "text":
            yield "text", number
        else:
            yield from walk(page, number)
    yield "close", row


def up(page: Page, row: int) -> list[int]:
    """The element and its ancestors."""
    return [row, *page.ancestors(row)]


def below(page: Page, row: int, *names: str) -> bool:
    """Whether the element has one of these names, or an ancestor has."""
    return any(page.name(above) in names for above in up(page, row))


def is_shown(page: Page, row: int) -> bool:
    hides = hidden(page)
    if any(hides[above] or page.name(above).lower() in UNREAD - {"noscript"} for above in up(page, row)):
        return False
    fallback = [k for k in range(len(page.text)) if below(page, int(page.owner[k]), "noscript")]
    return not below(page, row, "noscript") or any(readable(page)[k] for k in fallback)


def seen_chars(page: Page) -> list[int]:
    return [count if seen else 0 for count, seen in zip(columns.chars(page), readable(page), strict=True)]


def seen_words(page: Page) -> list[int]:
    return [count if seen else 0 for count, seen in zip(columns.words(page), readable(page), strict=True)]


def linked(page: Page, k: int) -> bool:
    return below(page, int(page.owner[k]), "a")
