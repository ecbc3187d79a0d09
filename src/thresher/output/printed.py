"""What of the kept texts is printed.  Some are part of the page, and a verdict may keep them, but no form shows them:
line numbers beside listings, links of headings to themselves or to an editor, the number of a note in the note, a
joiner with nothing to join, a heading that says what the one before it says, and one with nothing under it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from thresher.output import permalinks
from thresher.output.asides import repeated_marks
from thresher.output.captions import in_picture_caption
from thresher.output.containers import Rows, headings
from thresher.output.editing import edit_links
from thresher.output.empty_headings import empty_headings
from thresher.output.gap_kernels import find_lone_joiners, following_headings
from thresher.output.grids import in_data_table
from thresher.output.preformatted import gutter
from thresher.page import Page, memoised
from thresher.page.types import Bools

__all__ = ["printed_texts", "requested"]


def requested(page: Page, keep: Bools, *, tables: bool, captions: bool) -> Bools:
    """The kept texts without those that the caller does not want: in tables of data, in captions of pictures."""
    if not tables:
        keep = keep & ~in_data_table(page)
    return keep if captions else keep & ~in_picture_caption(page)


def printed_texts(page: Page, keep: Bools) -> Bools:
    """The kept texts without those that no form shows; known if it is the same verdict that the last form asked for."""
    known: tuple[Bools, Bools] | None = page._memo.get("output.printed_texts")
    if known is None or known[0] is not keep:
        known = page._memo["output.printed_texts"] = keep, _printed(page, keep)
    return known[1]


def _printed(page: Page, keep: Bools) -> Bools:
    for unwanted in (
        gutter(page),
        permalinks.unprinted_texts(page, keep),
        edit_links(page),
        repeated_marks(page),
        _lone_joiners(page),
    ):
        if unwanted is not None:
            keep = keep & ~unwanted
    shown, pairs = _heading_pairs(page, keep)
    again = _repeated_headings(page, keep, pairs)
    if again:
        keep = _without(page, keep, again)
        shown, pairs = _heading_pairs(page, keep)
    empty = empty_headings(page, keep, shown, pairs)
    return _without(page, keep, empty) if empty else keep


def _without(page: Page, keep: Bools, rows: Iterable[int]) -> Bools:
    """The kept texts but for those of some elements."""
    keep = keep.copy()
    for row in rows:
        keep[page.first[row] : page.last[row]] = False
    return keep


@memoised
def _lone_joiners(page: Page) -> Bools | None:
    """Texts that are a joiner, alone in their block: some editors fill empty paragraphs with it."""
    lone = np.zeros(len(page.start), bool)
    marks = lone.view(np.uint8).data
    count = find_lone_joiners(page.utf8, page.start, page.stop, page.block, marks)
    return lone if count else None


def _heading_pairs(page: Page, keep: Bools) -> tuple[Rows, list[tuple[int, int]]]:
    """The headings with kept texts, and those that follow each other with no kept text between."""
    heads, first, last = headings(page)
    if not len(heads):
        return heads, []
    pairs, before = np.empty((2, len(heads)), np.int32), np.empty(len(keep) + 1, np.int32)
    count = following_headings(first, last, keep.view(np.uint8), before, pairs)
    shown = heads[before[first] < before[last]]
    one, other = heads[pairs[:, :count]].tolist()
    return shown, list(zip(one, other, strict=True))


def _repeated_headings(page: Page, keep: Bools, pairs: list[tuple[int, int]]) -> set[int]:
    """Of two headings that say the same with no kept text between, the lower one, or the second: pages have one for
    wide screens and one for narrow ones, or one in a banner and one in the article."""
    again: set[int] = set()
    shown = -1
    for one, other in pairs:
        if _first_byte(page, keep, one) == _first_byte(page, keep, other):  # of most, no more need be read
            one = shown if one in again else one
            if _heading_text(page, keep, one) == _heading_text(page, keep, other):
                lower = one if page.tag[one] > page.tag[other] else other
                again.add(lower)
                shown = one + other - lower
    return again


def _first_byte(page: Page, keep: Bools, row: int) -> bytes:
    """The first byte of a heading's first kept text."""
    first = int(page.first[row])
    while not keep[first]:
        first += 1
    return page.utf8[page.start[first] : page.stop[first]].lstrip()[:1]


def _heading_text(page: Page, keep: Bools, row: int) -> str:
    first, last = int(page.first[row]), int(page.last[row])
    return " ".join("".join(page.cut(first + keep[first:last].nonzero()[0])).split())
