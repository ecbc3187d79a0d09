"""The column with the main content.  Paper 003, section 3.3.

    score of a leaf zone    its words when it is a paragraph, else 0
    score of a column       that of its leaf zones, divided by that of the page                    column_scores
    search                  from the root to the child with the highest score, again and again; before a step that loses
                            more than delta = 0.3 of the score the search ends                      main_column

Choices.  What counts as a paragraph where there are few is told in `paragraphs`.  A column without children ends the
search too.  Of children with equal scores the first is taken.
"""

from __future__ import annotations

import numpy as np

from thresher.methods.layout.column_tree import Columns
from thresher.methods.layout.zones import Zones
from thresher.page import Page
from thresher.page.tree import text_sum
from thresher.page.types import Bools, Floats, Longs
from thresher.visible.readable import readable

__all__ = ["column_leaves", "column_scores", "leaf_texts", "main_column", "whole_elements"]


def column_scores(zones: Zones, columns: Columns, words: Longs, paragraph: Bools) -> Floats:
    """The share of the page's paragraph words that each column holds; 0 everywhere on a page without words."""
    score = np.zeros(len(columns))
    if not len(columns):
        return score
    np.add.at(score, columns.of_zone[zones.leaf], words * paragraph)
    for column in range(len(columns) - 1, 0, -1):
        score[columns.parent[column]] += score[column]
    share: Floats = score / max(float(score[0]), 1.0)
    return share


def main_column(columns: Columns, score: Floats, delta: float = 0.3) -> int:
    """The column at which the search ends."""
    children: dict[int, list[int]] = {}
    for column, parent in enumerate(columns.parent.tolist()):
        children.setdefault(parent, []).append(column)
    current = 0
    while current in children:
        following = max(children[current], key=lambda column: float(score[column]))
        if score[current] - score[following] > delta:
            break
        current = following
    return current


def column_leaves(zones: Zones, columns: Columns, column: int) -> Bools:
    """Which leaf zones lie in a column."""
    inside = np.zeros(len(columns), bool)
    inside[column] = True
    for other in range(column + 1, len(columns)):
        inside[other] |= inside[columns.parent[other]]
    held: Bools = inside[columns.of_zone[zones.leaf]]
    return held


def leaf_texts(zones: Zones, leaves: Bools) -> Bools:
    """Which texts of the page lie in some leaf zones."""
    kept: Bools = np.append(leaves, False)[zones.of_text]
    return kept


def whole_elements(page: Page, keep: Bools) -> Bools:
    """The elements all of whose readable text is kept."""
    held = text_sum(page, keep)
    whole: Bools = (held > 0) & (held == text_sum(page, readable(page)))
    return whole
