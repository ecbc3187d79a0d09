"""The column tree: zones merged where they share their left and right edges.  Paper 003, section 3.2.

    root        the body
    children    the child zones of all zones of a column, in reading order; consecutive ones whose left and right edges
                are equal within a tolerance (10 % of the width) are one column                        columns
    collapse    a child as wide as its parent, within the tolerance, is replaced by its children       collapsed

Zones of one depth are split into columns at once, so a page takes as many steps as its zone tree is deep.

The edges of a column are the outermost of its zones'.  As the paper has it (`strict`), a zone joins a column when its
edges are those of the column so far, within 10 % of the column's width: zones of width 500 that begin at 0, 40, 80, 120
and 160 are three columns.

Departure, without `strict`.  A zone is compared with the zone before it, and the width is that zone's, so a column may
move on by steps: the same five zones are one column.  On pages that indent (lists in lists, quoted replies) this keeps
together what is read together.

Choice.  A child is compared with the parent that it has after the branches above it were collapsed, and the width is
that parent's.
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


def columns(zones: Zones, tolerance: float = 0.10, strict: bool = False) -> Columns:
    """The column tree before its branches are collapsed."""
    begins = _column_begins if strict else _zone_begins
    of_zone = np.zeros(len(zones), np.intp)
    parent = [np.array([-1], np.intp)]
    count = 1
    order = np.argsort(zones.depth, kind="stable")
    bounds = np.searchsorted(zones.depth[order], np.arange(1, zones.depth.max(initial=0) + 2))
    for begin, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        level = order[begin:stop]
        above = of_zone[zones.parent[level]]
        starts = begins(zones.left[level], zones.right[level], above, tolerance)
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


def _zone_begins(left: Floats, right: Floats, above: Rows, tolerance: float) -> Bools:
    """Which zones of a level begin a column, each compared with the zone before it."""
    room = tolerance * (right - left)[:-1]
    begins = np.ones(len(left), bool)
    begins[1:] = (above[1:] != above[:-1]) | ~((np.abs(np.diff(left)) <= room) & (np.abs(np.diff(right)) <= room))
    return begins


def _column_begins(left: Floats, right: Floats, above: Rows, tolerance: float) -> Bools:
    """The same, each compared with the column before it: with all of its zones."""
    begins = np.ones(len(left), bool)
    column_left = column_right = 0.0
    parent = -1
    for at, (zone_left, zone_right, zone_above) in enumerate(
        zip(left.tolist(), right.tolist(), above.tolist(), strict=True)
    ):
        room = tolerance * (column_right - column_left)
        if zone_above == parent and abs(zone_left - column_left) <= room and abs(zone_right - column_right) <= room:
            begins[at] = False
            column_left, column_right = min(column_left, zone_left), max(column_right, zone_right)
        else:
            column_left, column_right, parent = zone_left, zone_right, zone_above
    return begins
