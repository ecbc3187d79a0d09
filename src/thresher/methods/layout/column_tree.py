"""The column tree: zones merged where they share their left and right edges.  Paper 003, section 3.2.

    root        the body
    children    the child zones of all zones of a column, in reading order; consecutive ones whose left and right edges
                are equal within a tolerance (10 % of the width) are one column                        columns
    collapse    a child as wide as its parent, within the tolerance, is replaced by its children       collapsed

Zones of one depth are split into columns at once, so a page takes as many steps as its zone tree is deep.

Choices.  A zone is compared with the zone before it, which stands for the column so far, and the width is that of the
zone before.  The edges of a column are the outermost of its zones'.  A child is compared with the parent that it
has after the branches above it were collapsed, and the width is that parent's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.layout.zones import Zones
from thresher.page.types import Bools, Floats, Rows

__all__ = ["Columns", "collapsed", "columns"]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """C columns, parents before children, those of one parent in reading order."""

    parent: Rows  # (C,)  -1 for the root
    left: Floats  # (C,)  edges in CSS pixels of the document
    right: Floats
    of_zone: Rows  # (Z,)  the column of each zone

    def __len__(self) -> int:
        return len(self.parent)


def columns(zones: Zones, tolerance: float = 0.10) -> Columns:
    """The column tree before its branches are collapsed."""
    of_zone = np.zeros(len(zones), np.intp)
    parent = [np.array([-1], np.intp)]
    count = 1
    order = np.argsort(zones.depth, kind="stable")
    bounds = np.searchsorted(zones.depth[order], np.arange(1, zones.depth.max(initial=0) + 2))
    for begin, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        level = order[begin:stop]
        above = of_zone[zones.parent[level]]
        before, this = level[:-1], level[1:]
        left, right = zones.left, zones.right
        starts = np.ones(len(level), bool)
        starts[1:] = (above[1:] != above[:-1]) | ~_equal(
            left[before], right[before], left[this], right[this], tolerance
        )
        of_zone[level] = count + np.cumsum(starts) - 1
        parent.append(above[starts])
        count += int(np.count_nonzero(starts))
    if not len(zones):
        return Columns(np.zeros(0, np.intp), np.zeros(0), np.zeros(0), of_zone)
    edge_left, edge_right = np.full(count, np.inf), np.full(count, -np.inf)
    np.fmin.at(edge_left, of_zone, zones.left)
    np.fmax.at(edge_right, of_zone, zones.right)
    return Columns(np.concatenate(parent), edge_left, edge_right, of_zone)


def collapsed(tree: Columns, tolerance: float = 0.10) -> Columns:
    """The tree without the columns that are as wide as their parents; those keep their zones through the parent.

    `of_zone` of the result is the innermost column that is left around each zone.
    """
    keeper = np.arange(len(tree))
    left, right = tree.left.tolist(), tree.right.tolist()
    for column, above in enumerate(tree.parent.tolist()):
        if above < 0:
            continue
        parent = int(keeper[above])
        room = tolerance * (right[parent] - left[parent])
        if abs(left[column] - left[parent]) <= room and abs(right[column] - right[parent]) <= room:
            keeper[column] = parent
    kept = keeper == np.arange(len(tree))
    number = np.cumsum(kept) - 1
    parent_of = tree.parent[kept]
    return Columns(
        np.where(parent_of < 0, -1, number[keeper[parent_of]]),
        tree.left[kept],
        tree.right[kept],
        number[keeper[tree.of_zone]],
    )


def _equal(left: Floats, right: Floats, other_left: Floats, other_right: Floats, tolerance: float) -> Bools:
    """Whether two regions share both edges, within a share of the first one's width."""
    room = tolerance * (right - left)
    equal: Bools = (np.abs(left - other_left) <= room) & (np.abs(right - other_right) <= room)
    return equal
