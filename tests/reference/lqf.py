"""LQF: after the blocks inside it, look at each block, count its link text, throw it away when that is too much."""

from __future__ import annotations

from tests.reference.segments import branch, children, linked, own_texts, seen_chars
from thresher.data.tags import BLOCK
from thresher.page import Page


def kept_elements(page: Page, quota: float) -> list[bool]:
    kept = [True] * len(page)
    weigh(page, 0, quota, kept)
    return kept


def weigh(page: Page, row: int, quota: float, kept: list[bool]) -> tuple[int, int]:
    """The characters that stay below an element, all and those in links."""
    chars = seen_chars(page)
    total = sum(chars[k] for k in own_texts(page, row))
    in_links = sum(chars[k] for k in own_texts(page, row) if linked(page, k))
    for child in children(page, row):
        more, more_in_links = weigh(page, child, quota, kept)
        total += more
        in_links += more_in_links
    if page.name(row) in BLOCK - {"html", "head", "body"} and total and in_links / total > quota:
        for gone in branch(page, row):
            kept[gone] = False
        return 0, 0
    return total, in_links
