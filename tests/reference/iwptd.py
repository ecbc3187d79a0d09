"""IWPTD subtree by subtree."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from tests.reference.segments import seen_chars, texts, up
from tests.reference.templates import media, text_key, tree
from thresher.methods.iwptd import STRUCTURAL
from thresher.page import Page


def template(page: Page, others: Sequence[Page], support: int, ratio: float) -> set[int]:
    """The nodes inside a structural element whose text is mostly known from other pages, or known and in none such; of
    the media only those that are known themselves."""
    pages = [{text_key(text) for text in other.text} for other in (page, *others)]
    needed = max(2, min(support, ceil(len(pages) / 2)))
    known = [sum(text_key(text) in segments for segments in pages) >= needed for text in page.text]
    size = seen_chars(page)

    def total(row: int) -> int:
        return sum(size[k] for k in texts(page, row))

    def is_root(row: int) -> bool:
        return page.name(row) in STRUCTURAL and total(row) > 0

    def is_template(row: int) -> bool:
        shared = sum(size[k] for k in texts(page, row) if known[k])
        return is_root(row) and shared >= ratio * total(row)

    loads = [set(media(other).values()) for other in (page, *others)]
    found = set()
    for v, (kind, number) in enumerate(tree(page).node):
        holders = up(page, number if kind == "element" else int(page.owner[number]))
        inside, alone = any(map(is_template, holders)), not any(map(is_root, holders))
        if kind == "text":
            chosen = inside or (alone and known[number])
        elif number in media(page):
            chosen = (inside or alone) and sum(media(page)[number] in loaded for loaded in loads) >= needed
        else:
            chosen = inside
        if chosen:
            found.add(v)
    return found
