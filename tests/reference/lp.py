"""LP: the pagelets of a page by the two definitions, and the largest of them."""

from __future__ import annotations

from collections import deque

from tests.reference.segments import body, branch, children, is_shown, seen_chars, texts
from thresher.page import Page


def links(page: Page, row: int) -> int:
    return sum(
        page.name(inner) == "a" and "href" in page.attributes(inner) and is_shown(page, inner)
        for inner in branch(page, row)
    )


def linked(page: Page, k: int) -> list[int]:
    """Elements with k links none of whose children has k."""
    return [
        row
        for row in range(len(page))
        if links(page, row) >= k and not any(links(page, child) >= k for child in children(page, row))
    ]


def partition(page: Page, k: int) -> list[int]:
    """The authors' partition: from the root down, an element gives way to its children when one has k links."""
    found, queue = [], deque([0])
    while queue:
        row = queue.popleft()
        if any(links(page, child) >= k for child in children(page, row)):
            queue.extend(children(page, row))
        else:
            found.append(row)
    return sorted(found)


def largest(page: Page, pagelets: list[int]) -> int:
    chars = seen_chars(page)
    found = [row for row in pagelets if is_shown(page, row)]
    return max(found, key=lambda row: (sum(chars[k] for k in texts(page, row)), -row), default=body(page))
