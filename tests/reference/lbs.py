"""LBS as the paper tells it: level by level, the children with text and their neighbours; then the largest block."""

from __future__ import annotations

from tests.reference.segments import below, branch, children, own_texts, seen_chars
from thresher.data.tags import BLOCK
from thresher.page import Page


def block(page: Page, p: int, transparent: bool) -> tuple[int, set[int]]:
    """The length of the block of one element, and the texts in it."""
    own, lower = contents(page, p, transparent)
    kept = set(own)
    for child in lower:
        if has_text(page, child, transparent):
            kept.update(contents(page, child, True)[0])  # up to the blocks in it
    chars = seen_chars(page)
    return sum(chars[k] for k in kept), kept


def has_text(page: Page, child: int, transparent: bool) -> bool:
    own, _ = contents(page, child, transparent)
    chars = seen_chars(page)
    return any(chars[k] and not (transparent and below(page, int(page.owner[k]), "a", "button")) for k in own)


def contents(page: Page, row: int, transparent: bool) -> tuple[list[int], list[int]]:
    """The own texts of an element and its children; with `transparent`, through inline elements."""
    own, lower = list(own_texts(page, row)), []
    for child in children(page, row):
        if transparent and page.name(child) not in BLOCK:
            more, further = contents(page, child, transparent)
            own += more
            lower += further
        else:
            lower.append(child)
    return own, lower


def largest_block(page: Page, segment: int, transparent: bool) -> set[int]:
    best, kept = 0, set[int]()
    for p in branch(page, segment):
        if transparent and p and page.name(p) not in BLOCK:
            continue
        length, found = block(page, p, transparent)
        if length > best:
            best, kept = length, found
    return kept
