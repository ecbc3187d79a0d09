"""How far apart two pages and two links are: the order in which paper 002 takes the pages of a site (its section 2.1).

hyperlink distance   from the directory of the key page to that of the link's target
                         0    the same directory
                        +d    d directories deeper below it
                        -d    d directories up, to where both paths part; what lies below that is not counted
                     Closest to zero first, +d before -d: 0, +1, -1, +2, -2, …

DOM distance         edges between two link elements in the tree of the key page,
                         depth_a + depth_b - 2 · depth of their lowest common ancestor
                     Among links with equal hyperlink distances the one as far as possible from those already taken: the
                     one whose nearest taken link is farthest, the first in the page among equals.

Pages in the same directory have the same template more often than others; links that stand far apart lead to pages of
different kinds (a menu, a list of posts, a footer), and what those share is the site's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.page import Page
from thresher.page.types import Rows
from thresher.template.links import Address, SiteLink

__all__ = ["by_distance", "closeness", "dom_distance", "hyperlink_distance"]


def hyperlink_distance(key: Address, target: Address) -> int:
    """Directories from the key page to the target: positive when below, negative when up or in another branch."""
    here, there = key.directories, target.directories
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    up = len(here) - common
    return -up if up else len(there) - common


def closeness(distance: int) -> tuple[int, bool]:
    """A sorting key: closest to zero first, +d before -d."""
    return abs(distance), distance < 0


def dom_distance(page: Page, row: int, rows: NDArray[np.integer[Any]]) -> Rows:
    """Edges of the tree between one element and each of some others.

    The ancestors of `row`, itself included, are nested slices: from the root down their starts grow and their ends
    shrink.  Those that contain another element are the first ones, as many as start before it and as end behind it;
    the last of them is the lowest common ancestor.  O(log depth) for each element.
    """
    above = np.array([row, *page.ancestors(row)])[::-1]
    started = np.searchsorted(above, rows, side="right")
    not_ended = np.searchsorted(-page.end[above], -rows, side="left")
    shared = np.minimum(started, not_ended) - 1
    return np.asarray(page.depth[row] + page.depth[rows] - 2 * shared, np.intp)


def by_distance(page: Page, own: Address, links: Sequence[SiteLink]) -> Iterator[SiteLink]:
    """The links in the order in which their targets are to be taken."""
    distance = [hyperlink_distance(own, link.address) for link in links]
    rows = np.array([link.row for link in links], np.intp)
    apart = np.full(len(links), np.iinfo(np.intp).max)  # to the nearest link already taken
    for group in sorted(set(distance), key=closeness):
        left = np.flatnonzero(np.array(distance) == group)
        while len(left):
            taken = left[np.argmax(apart[left])]
            left = left[left != taken]
            np.minimum(apart, dom_distance(page, int(rows[taken]), rows), out=apart)
            yield links[taken]
