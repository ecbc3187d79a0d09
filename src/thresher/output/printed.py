"""What of the kept texts is printed.  Some are part of the page, and a verdict may keep them, but no form shows them:
line numbers beside listings, links of headings to themselves or to an editor, the number of a note in the note, a
joiner with nothing to join, and a heading that says what the one before it says."""

from __future__ import annotations

import numpy as np

from thresher.output import permalinks
from thresher.output.asides import repeated_marks
from thresher.output.captions import in_picture_caption
from thresher.output.containers import headings
from thresher.output.editing import edit_links
from thresher.output.preformatted import gutter
from thresher.output.tables import in_data_table
from thresher.page import Page
from thresher.page.tree import block_sum
from thresher.page.types import Bools

__all__ = ["printed_texts", "requested"]

_JOINERS = ("\u200d".encode(), "\u200c".encode())


def requested(page: Page, keep: Bools, *, tables: bool, captions: bool) -> Bools:
    """The kept texts without those that the caller does not want: in tables of data, in captions of pictures."""
    if not tables:
        keep = keep & ~in_data_table(page)
    return keep if captions else keep & ~in_picture_caption(page)


def printed_texts(page: Page, keep: Bools) -> Bools:
    """The kept texts without those that no form shows."""
    for unwanted in (
        gutter(page),
        permalinks.unprinted_texts(page, keep),
        edit_links(page),
        repeated_marks(page),
        _lone_joiners(page),
    ):
        if unwanted is not None:
            keep = keep & ~unwanted
    again = _repeated_headings(page, keep)
    if again:
        keep = keep.copy()
        for row in again:
            keep[page.first[row] : page.last[row]] = False
    return keep


def _lone_joiners(page: Page) -> Bools | None:
    """Texts that are a joiner, alone in their block: some editors fill empty paragraphs with it."""
    short = (page.stop - page.start == len(_JOINERS[0])).nonzero()[0]
    begins = np.frombuffer(page.utf8, np.uint8)[page.start[short]]
    short = short[begins == _JOINERS[0][0]]
    joiners = [text for text in short.tolist() if page.utf8[page.start[text] : page.stop[text]] in _JOINERS]
    if not joiners:
        return None
    lone = np.zeros(len(page.start), bool)
    lone[joiners] = True
    lone &= (block_sum(page, np.ones(len(lone), np.int64)) == 1)[page.block]
    return lone


def _repeated_headings(page: Page, keep: Bools) -> set[int]:
    """Of two headings that say the same with no kept text between, the lower one, or the second: pages have one for
    wide screens and one for narrow ones, or one in a banner and one in the article.

    b_h and e_h kept texts stand before a heading's begin and end; it has some if b_h < e_h, and follows heading g if
    b_h = e_g.
    """
    heads, first, last = headings(page)
    if len(heads) < 2:
        return set()
    kept = keep.nonzero()[0]
    begin, end = kept.searchsorted(first), kept.searchsorted(last)
    some = (begin < end).nonzero()[0]
    begin, end = begin[some], end[some]
    pairs = (begin[1:] == end[:-1]).nonzero()[0]
    if not len(pairs):
        return set()
    rows, texts = heads[some].tolist(), kept[begin]
    spans = zip(page.start[texts].tolist(), page.stop[texts].tolist(), strict=True)
    starts = [page.utf8[start:stop].lstrip()[:1] for start, stop in spans]  # of most, no more need be read
    again: set[int] = set()
    shown = -1
    for place in pairs.tolist():
        if starts[place] == starts[place + 1]:
            one, other = shown if rows[place] in again else rows[place], rows[place + 1]
            if _heading_text(page, keep, one) == _heading_text(page, keep, other):
                lower = one if page.tag[one] > page.tag[other] else other
                again.add(lower)
                shown = one + other - lower
    return again


def _heading_text(page: Page, keep: Bools, row: int) -> str:
    first, last = int(page.first[row]), int(page.last[row])
    return " ".join("".join(page.cut(first + keep[first:last].nonzero()[0])).split())
