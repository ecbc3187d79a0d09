"""What of the kept texts is printed.  Some are part of the page, and a verdict may keep them, but no form shows them:
line numbers beside listings, links of headings to themselves or to an editor, the number of a note in the note, a
joiner with nothing to join, a heading that says what the one before it says, and one with nothing under it.

One loop (survey_kernels) tells which of these there may be at all, and what else the forms have to look for.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from thresher.output import permalinks
from thresher.output.asides import repeated_marks
from thresher.output.captions import in_picture_caption
from thresher.output.editing import edit_links
from thresher.output.empty_headings import empty_headings
from thresher.output.fragments import fragment_links
from thresher.output.grids import in_data_table
from thresher.output.preformatted import gutter
from thresher.output.survey_kernels import survey
from thresher.output.traits import EXTRA, LISTING, PRESENT, SPAN, TRAITS
from thresher.page import Page
from thresher.page.types import Bools, Bytes, Ints

__all__ = ["NOTES", "Printed", "find_printed", "printed_texts", "requested"]

_PERMALINKS, _EDIT_LINKS, NOTES, _REPEATED, _EMPTY = (1 << EXTRA + bit for bit in range(5))
_LINE_NUMBERS = (LISTING | SPAN) << PRESENT  # stand beside code
_UNWANTED = _PERMALINKS | _EDIT_LINKS | NOTES | _LINE_NUMBERS
_SAME = 2  # of two headings that may say the same
_NOTHING = np.zeros(0, np.uint8)


class Printed(NamedTuple):
    """The texts that are printed, and what is among them: the traits of the elements that they stand in, those of all
    elements of the page << PRESENT, and NOTES where LaTeXML wrote it."""

    texts: Bools
    found: int


def requested(page: Page, keep: Bools, *, tables: bool, captions: bool) -> Bools:
    """The kept texts without those that the caller does not want: in tables of data, in captions of pictures."""
    if not tables:
        keep = keep & ~in_data_table(page)
    return keep if captions else keep & ~in_picture_caption(page)


def printed_texts(page: Page, keep: Bools) -> Bools:
    """The kept texts without those that no form shows."""
    return find_printed(page, keep).texts


def find_printed(page: Page, keep: Bools) -> Printed:
    """The same, and what is among them; known if it is the verdict that the last form asked for."""
    known: tuple[Bools, Printed] | None = page._memo.get("output.printed")
    if known is None or known[0] is not keep:
        known = page._memo["output.printed"] = keep, _find_printed(page, keep)
    return known[1]


def _find_printed(page: Page, keep: Bools) -> Printed:
    count, linked = fragment_links(page)
    shown, found, heads = _survey(page, keep, linked if count else _NOTHING)
    if found & _UNWANTED:
        left = keep
        for bit, unwanted in (
            (_LINE_NUMBERS, gutter),
            (_PERMALINKS, permalinks.unprinted_texts),
            (_EDIT_LINKS, edit_links),
            (NOTES, repeated_marks),
        ):
            texts = unwanted(page) if found & bit else None
            if texts is not None:
                left = left & ~texts
        if left is not keep:
            shown, found, heads = _survey(page, left, _NOTHING)
    if found & _REPEATED:
        again = _repeated_headings(page, shown, _pairs(heads, _SAME))
        if again:
            shown, found, heads = _survey(page, _without(page, shown, again), _NOTHING)
    if found & _EMPTY:
        empty = empty_headings(page, shown, heads[0], _pairs(heads))
        if empty:
            shown = _without(page, shown, empty)
    return Printed(shown, found)


def _survey(page: Page, keep: Bools, linked: Bytes) -> tuple[Bools, int, Ints]:
    """The kept texts without lone joiners, what is among them, and the headings."""
    size, texts = len(page.tag), len(keep)
    shown, room = np.empty(texts, np.uint8), np.empty((3, max(size, texts) + 1), np.int32)
    found: int = survey(
        page.tag,
        page.end,
        page.first,
        page.last,
        page.tag_start,
        page.tag_stop,
        page.start,
        page.stop,
        page.block,
        page.markup,
        page.utf8,
        linked,
        keep.view(np.uint8),
        TRAITS,
        shown,
        room,
    )
    return shown.view(bool), found, room[:2, : room[2, 0]]


def _pairs(heads: Ints, least: int = 1) -> list[tuple[int, int]]:
    """The headings with kept texts that follow each other with none between."""
    rows, bare = heads.tolist()
    return [pair for pair, how in zip(pairwise(rows), bare, strict=False) if how >= least]


def _without(page: Page, keep: Bools, rows: Iterable[int]) -> Bools:
    """The kept texts but for those of some elements."""
    keep = keep.copy()
    for row in rows:
        keep[page.first[row] : page.last[row]] = False
    return keep


def _repeated_headings(page: Page, keep: Bools, pairs: list[tuple[int, int]]) -> set[int]:
    """Of two headings that say the same with no kept text between, the lower one, or the second: pages have one for
    wide screens and one for narrow ones, or one in a banner and one in the article."""
    again: set[int] = set()
    shown = -1
    for one, other in pairs:
        one = shown if one in again else one
        if _heading_text(page, keep, one) == _heading_text(page, keep, other):
            lower = one if page.tag[one] > page.tag[other] else other
            again.add(lower)
            shown = one + other - lower
    return again


def _heading_text(page: Page, keep: Bools, row: int) -> str:
    first, last = int(page.first[row]), int(page.last[row])
    return " ".join("".join(page.cut(first + keep[first:last].nonzero()[0])).split())
