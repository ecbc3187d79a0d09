"""IWPTD subtree by subtree."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from tests.reference.segments import below, seen_chars, texts, up
from tests.reference.templates import text_key, tree
from thresher.methods.iwptd import STRUCTURAL
from thresher.page import Page


def template(page: Page, others: Sequence[Page], support: int, ratio: float) -> set[int]:
    """The nodes inside a structural element whose text is mostly known from other pages."""
    pages = [{text_key(text) for text in other.text} for other in (page, *others)]
    needed = max(2, min(support, ceil(len(pages) / 2)))
    known = [sum(text_key(text) in segments for segments in pages) >= needed for text in page.text]
    size = seen_chars(page)

    def is_template(row: int) -> bool:
        total = sum(size[k] for k in texts(page, row))
        shared = sum(size[k] for k in texts(page, row) if known[k])
        return page.name(row) in STRUCTURAL and total > 0 and shared >= ratio * total

    def holder(kind: str, number: int) -> int:
        return number if kind == "element" else int(page.owner[number])

    assert not below(page, 0, *STRUCTURAL)
    return {
        v
        for v, (kind, number) in enumerate(tree(page).node)
        if any(is_template(row) for row in up(page, holder(kind, number)))
    }
