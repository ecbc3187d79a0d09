"""The names and tags around each block as bags, from which training learns their vectors: what methods/auto/names.py
adds up at run time, listed."""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.names import BAGS, names
from thresher.page import Page
from thresher.page.types import Bools, Rows

__all__ = ["name_bags"]

_DEEP = 24  # pages that nest no deeper are not looked at for wrappers around wrappers


def name_bags(page: Page, found: Blocks) -> tuple[Rows, Rows]:
    """(bag, bucket), sorted by bags: those of block b are BAGS · b + part."""
    row, bucket = _element_buckets(page)
    row = np.concatenate((row, np.arange(len(page))))
    bucket = np.concatenate((bucket, BUCKETS + page.tag.astype(np.intp)))
    further = _further_wrappers(page)
    if further is not None:
        row, bucket = row[~further[row]], bucket[~further[row]]
    order = np.argsort(row, kind="stable")
    bucket = bucket[order]
    begin = np.searchsorted(row[order], np.arange(len(page) + 1))
    ends = [*_path_ends(page, found), np.zeros(len(found), np.intp)]
    bag, buckets = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for part in range(len(BAGS)):
        here, upper = ends[part] - 1, ends[part + 1] - 1
        block = np.arange(len(found))
        while len(block):
            climbs = here > upper
            block, here, upper = block[climbs], here[climbs], upper[climbs]
            count = begin[here + 1] - begin[here]
            offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
            bag.append(np.repeat(block * len(BAGS) + part, count))
            buckets.append(bucket[np.repeat(begin[here], count) + offset])
            here = page.parent[here].astype(np.intp)
    bags, found_buckets = np.concatenate(bag), np.concatenate(buckets)
    order = np.argsort(bags, kind="stable")
    return bags[order], found_buckets[order]


def _element_buckets(page: Page) -> tuple[Rows, Rows]:
    """(row, bucket) of every word in the names of every element, in no particular order."""
    known = names(page)
    rows, buckets = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for begin, stop, _ in known.bounds.tolist():
        first, last = known.words[:, begin + known.code[begin:stop]].astype(np.intp)
        count = last - first
        offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        rows.append(np.repeat(known.row[begin:stop], count))
        buckets.append(known.bucket[np.repeat(first, count) + offset])
    return np.concatenate(rows, dtype=np.intp), np.concatenate(buckets)


def _further_wrappers(page: Page) -> Bools | None:
    """Elements that say no more, for they and the eight around them hold the same texts; None if there are none.

    On pages that nest hundreds of elements, to no purpose or to hide, their names would outweigh everything else.
    """
    if int(page.depth.max(initial=0)) <= _DEEP:
        return None
    up = np.maximum(page.parent, 0).astype(np.intp)
    same: Bools = (page.first == page.first[up]) & (page.last == page.last[up]) & (page.parent >= 0)
    for _ in range(3):  # of one, two, four elements
        same &= same[up]
        up = up[up]
    return same


def _path_ends(page: Page, found: Blocks) -> Rows:
    """Where the four parts of each block's path end, from below: one more than the row of the lowest element."""
    ends = np.empty((len(BAGS), len(found)), np.intp)
    ends[0] = found.at
    ends[1:] = page.parent[found.level[[0, 1, 3]]]
    ends += 1
    return ends
