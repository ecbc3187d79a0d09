"""Tree kernels, one element at a time."""

from __future__ import annotations

from collections.abc import Sequence

from thresher.page import Page


def subtree(page: Page, row: int) -> list[int]:
    """The row and everything that has it among its ancestors."""
    return [other for other in range(len(page)) if other == row or row in set(page.ancestors(other))]


def subtree_sum(page: Page, x: Sequence[float]) -> list[float]:
    return [sum(x[j] for j in subtree(page, i)) for i in range(len(page))]


def text_sum(page: Page, x: Sequence[float]) -> list[float]:
    owners = [int(owner) for owner in page.owner]
    return [sum(x[k] for k, owner in enumerate(owners) if owner in set(subtree(page, i))) for i in range(len(page))]


def block_sum(page: Page, x: Sequence[float]) -> list[float]:
    count = max(page.block.tolist(), default=-1) + 1
    return [sum(x[k] for k in range(len(page.text)) if page.block[k] == block) for block in range(count)]


def child_count(page: Page) -> list[int]:
    return [sum(1 for parent in page.parent if parent == row) for row in range(len(page))]


def within(page: Page, chosen: Sequence[bool]) -> list[bool]:
    return [bool(chosen[row]) or any(chosen[up] for up in page.ancestors(row)) for row in range(len(page))]


def inherit(page: Page, x: Sequence[int], stands: Sequence[bool]) -> list[int]:
    def nearest(row: int) -> int:
        return next((up for up in (row, *page.ancestors(row)) if stands[up]), 0)

    return [x[nearest(row)] for row in range(len(page))]
