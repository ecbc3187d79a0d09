"""CETD one element at a time, and its content as the paper marks it: recursively, from the body down."""

from __future__ import annotations

from collections.abc import Sequence
from math import e, log

from tests.reference.segments import below, body, branch, children, is_shown, own_texts, seen_chars, texts, up
from thresher.page import Page


def text_density(page: Page, row: int) -> float:
    c, t, _, _ = counts(page, row)
    return c / (t or 1)


def composite_text_density(page: Page, row: int) -> float:
    return composite(*counts(page, row), link_share(page))


def density_sum(page: Page, row: int, kind: str) -> float:
    chars = seen_chars(page)
    density = composite_text_density if kind == "composite" else text_density
    total = sum(density(page, child) for child in children(page, row))
    for k in own_texts(page, row):
        if kind == "composite":
            total += composite(chars[k], 0, chars[k] if is_link(page, row) else 0, 0, link_share(page))
        else:
            total += chars[k]
    return total


def threshold(page: Page, density: Sequence[float], total: Sequence[float]) -> float:
    top = body(page)
    richest = max(branch(page, top), key=lambda row: (total[row], -row))
    return min(density[row] for row in up(page, richest) if row >= top)


def content(page: Page, density: Sequence[float], total: Sequence[float]) -> set[int]:
    marked: set[int] = set()
    mark(page, body(page), threshold(page, density, total), density, total, marked)
    return marked


def mark(
    page: Page, row: int, least: float, density: Sequence[float], total: Sequence[float], marked: set[int]
) -> None:
    if row in marked or density[row] < least:
        return
    largest = max(total[inner] for inner in branch(page, row))
    for inner in branch(page, row):
        if total[inner] == largest > 0:
            marked.update(branch(page, inner))
    for child in children(page, row):
        mark(page, child, least, density, total, marked)


def is_link(page: Page, row: int) -> bool:
    return below(page, row, "a", "button")


def counts(page: Page, row: int) -> tuple[int, int, int, int]:
    """C, T, LC, LT."""
    chars = seen_chars(page)
    tags = [inner for inner in branch(page, row) if inner != row and is_shown(page, inner)]
    return (
        sum(chars[k] for k in texts(page, row)),
        len(tags),
        sum(chars[k] for k in texts(page, row) if is_link(page, int(page.owner[k]))),
        sum(is_link(page, inner) for inner in tags),
    )


def link_share(page: Page) -> float:
    c, _, lc, _ = counts(page, body(page))
    return lc / (c or 1)


def composite(c: int, t: int, lc: int, lt: int, share: float) -> float:
    if not c:
        return 0
    others = c - lc or 1
    t, lc, lt = t or 1, lc or 1, lt or 1
    base = log(c / others * lc + share * c + e)
    return c / t * log(c / lc * t / lt) / log(base)
