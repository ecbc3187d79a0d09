"""Post-filters: what LBS, SLS and TP keep of the content segments.  Paper 000, section 2.3.

A segment that was classified as content still has noise inside: advertisements, links to related articles, author
boxes.  LBS and SLS go through each segment by itself.  They are believed where they leave at least `BELIEVED` of the
text, because what is embedded in an article is less than the article; where they would drop more, their assumption
does not hold (LBS on an article cut into sections), and the classifier's verdict stands.

TP looks for repeated posts, and a post may well be a segment itself, so it goes through the smallest element around all
content segments.  What it finds there takes the place of the segments, if the two agree: at least `BELIEVED` of the
smaller is in the larger.  The guards are ours; the paper has none, and with `strict` there are none: what a filter does
not keep of the segments is dropped, whatever is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from thresher.methods import lbs, sls, tp
from thresher.methods._segments import seen_chars
from thresher.methods.seeker.segments import candidates, leaves
from thresher.page import Page
from thresher.page.types import Bools, Rows
from thresher.visible.readable import readable

__all__ = ["BELIEVED", "Filter", "filtered"]

Filter = Literal["none", "lbs", "sls", "tp"]

BELIEVED = 0.5


def filtered(page: Page, rows: Rows, kind: Filter, strict: bool = False) -> Bools:
    """Which texts of the content segments `rows` are kept."""
    whole = np.zeros(len(page.start), bool)
    for row in rows.tolist():
        whole[page.first[row] : page.last[row]] = True
    whole &= readable(page)
    if kind == "none" or not len(rows):
        return whole
    if kind == "tp":
        posts: Bools = tp.posts(page, _around(page, rows))[page.owner] & readable(page)
        if strict:
            return posts & whole
        return posts if _agree(page, posts, whole) else whole
    keeps = _largest if kind == "lbs" else sls.smoothed_strings
    return _all(page, rows, whole, keeps) if strict else _each(page, rows, whole, keeps)


def _all(page: Page, rows: Rows, whole: Bools, keeps: Callable[[Page, int], Bools]) -> Bools:
    """What the filter keeps of each segment."""
    keep = np.zeros(len(whole), bool)
    for row in rows.tolist():
        texts = slice(page.first[row], page.last[row])
        keep[texts] |= keeps(page, row)[texts]
    return keep & whole


def _each(page: Page, rows: Rows, whole: Bools, keeps: Callable[[Page, int], Bools]) -> Bools:
    """Each segment filtered by itself.  A segment without structure is one string and stays."""
    keep: Bools = whole.copy()
    plain = set(candidates(page)[leaves(page, candidates(page))].tolist())
    for row in rows.tolist():
        if row not in plain:
            texts = slice(page.first[row], page.last[row])
            inside = np.zeros(len(whole), bool)
            inside[texts] = whole[texts]
            left = keeps(page, row) & inside
            if _believed(page, left, inside):
                keep[texts] = left[texts]
    return keep


def _largest(page: Page, row: int) -> Bools:
    texts: Bools = lbs.largest_block(page, row)[page.owner]
    return texts


def _believed(page: Page, left: Bools, of: Bools) -> bool:
    size = seen_chars(page)
    return int(size[left].sum()) >= BELIEVED * int(size[of].sum())


def _agree(page: Page, one: Bools, other: Bools) -> bool:
    size = seen_chars(page)
    common, smaller = int(size[one & other].sum()), min(int(size[one].sum()), int(size[other].sum()))
    return smaller > 0 and common >= BELIEVED * smaller


def _around(page: Page, rows: Rows) -> int:
    """The smallest element that contains all of the ascending rows."""
    row = int(rows[0])
    while page.end[row] <= rows[-1]:
        row = int(page.parent[row])
    return row
