"""Naive readings of paper 000, sections 2.1 and 2.2: a walk, counts by recursion, a tree asked row by row."""

from __future__ import annotations

import math

from tests.reference.lbs import largest_block
from thresher.methods._segments import shown
from thresher.methods.seeker.segments import STRUCTURAL
from thresher.methods.seeker.trees import Tree
from thresher.page import Page
from thresher.page.columns import chars
from thresher.visible.readable import readable


def children(page: Page, row: int) -> list[int]:
    return [i for i in range(len(page)) if page.parent[i] == row]


def text_size(page: Page, row: int) -> int:
    seen = readable(page)
    return sum(int(chars(page)[k]) for k in range(page.first[row], page.last[row]) if seen[k])


def is_candidate(page: Page, row: int, shown: list[bool]) -> bool:
    structural = page.tag[row] == 0 or page.name(row) in STRUCTURAL
    return structural and shown[row] and text_size(page, row) > 0


def walk(page: Page, good: dict[int, bool], row: int = 0) -> list[int]:
    """The depth-first walk: a good candidate ends the descent."""
    if good.get(row, False):
        return [row]
    return [found for child in children(page, row) for found in walk(page, good, child)]


def height(page: Page, row: int) -> int:
    return max((1 + height(page, child) for child in children(page, row)), default=0)


def count(page: Page, row: int, *names: str) -> int:
    return (page.name(row) in names) + sum(count(page, child, *names) for child in children(page, row))


def ask(tree: Tree, row: list[float]) -> float:
    node = 0
    while tree.feature[node] >= 0:
        value = row[tree.feature[node]]
        left = bool(tree.missing_left[node]) if math.isnan(value) else value <= tree.threshold[node]
        node = int(tree.left[node] if left else tree.right[node])
    return float(tree.value[node])


def cheapest(page: Page, rows: list[int], wanted: list[float], price: float, row: int) -> tuple[float, float]:
    """whole and parts of a candidate, by recursion."""
    seen = readable(page)
    inside = [k for k in range(page.first[row], page.last[row]) if seen[k]]
    gold = sum(wanted[k] for k in inside)
    text = sum(int(chars(page)[k]) for k in inside)
    whole = price + min(gold, text - gold)
    below = [r for r in rows if row < r < page.end[row]]
    nearest = [r for r in below if not any(o < r < page.end[o] for o in below)]
    if not nearest:
        return whole, whole
    covered = sum(wanted[k] for r in nearest for k in range(page.first[r], page.last[r]) if seen[k])
    return whole, gold - covered + sum(min(cheapest(page, rows, wanted, price, r)) for r in nearest)


def strict(page: Page, good: dict[int, bool], content: dict[int, bool], post_filter: str) -> set[int]:
    """Paper 000, figure 1, and nothing else: the classifiers' answers per element, then the filter in each segment.

    An element is asked about when it is structural, SPAN among them, and has text; a good one ends the descent.
    """
    shown_rows = shown(page).tolist()
    seen = readable(page)

    def met(row: int) -> list[int]:
        structural = page.tag[row] == 0 or page.name(row) in STRUCTURAL | {"span"}
        if structural and shown_rows[row] and text_size(page, row) > 0 and good[row]:
            return [row]
        return [segment for child in children(page, row) for segment in met(child)]

    kept: set[int] = set()
    for segment in met(0):
        if content[segment]:
            inside = {k for k in range(page.first[segment], page.last[segment]) if seen[k]}
            left = largest_block(page, segment, True) if post_filter == "lbs" else inside
            kept |= inside & left
    return kept
