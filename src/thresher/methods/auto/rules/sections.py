"""What belongs to the text and is kept with it, though less likely by itself:

title            the main heading that says it, or the only one there is, in a container with kept text; a heading that
                 says it word for word also elsewhere before the text
section_heading  of a section of which most is kept
code             in a container of which most is kept
caption          of a picture that goes with kept text; of a numbered figure ("Figure 3: …") in a container of which
                 most is kept
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import NUMBER
from thresher.methods.auto.kernels import columns as col
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules.rule import Evidence, among
from thresher.output.captions import picture_captions
from thresher.output.media import in_content
from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.page.types import Bools
from thresher.text.patterns import compile_later
from thresher.visible.readable import readable

__all__ = ["caption", "code", "is_numbered", "section_heading", "title"]

_NUMBERED = compile_later(r"\W*[^\W\d_]{1,12}\.?\s*\d{1,3}[a-z]?\s*[.:)|–—．：]")  # Figure 3: · Abb. 2. · 图 1：
_MAX_NUMBER_BYTES = 60  # of a caption that are looked at
_MAX_STEPS_TO_LINK = 4  # elements around a title, of which one may be a link
_LINK = NUMBER["a"]


def section_heading(evidence: Evidence, chosen: Bools) -> Bools | None:
    marked: Bools = evidence.marks & col.HEADING != 0
    return marked


def code(evidence: Evidence, chosen: Bools) -> Bools | None:
    marked: Bools = evidence.marks & col.CODE != 0
    return marked


def caption(evidence: Evidence, chosen: Bools) -> Bools | None:
    page, opinion, *_ = evidence
    captions = [block for block in (evidence.marks & col.CAPTION).nonzero()[0].tolist() if is_numbered(evidence, block)]
    shown = _of_kept_pictures(page, opinion, chosen)
    if not captions:
        return shown
    numbered = among(captions, len(chosen))
    return numbered if shown is None else numbered | shown


def _of_kept_pictures(page: Page, opinion: Opinion, chosen: Bools) -> Bools | None:
    """The captions of pictures that the forms of the result show."""
    spans = _caption_spans(page, opinion)
    candidates = [(picture, span) for picture, span in spans if not chosen[span].all()]
    if not candidates:
        return None
    captions = np.zeros(len(chosen), bool)
    keep = np.zeros(len(page.start), bool)
    for block in chosen.nonzero()[0].tolist():
        keep[opinion.blocks.first[block] : opinion.blocks.last[block] + 1] = True
    content = in_content(page, keep & readable(page))
    for picture, span in candidates:
        if content[picture]:
            captions[span] = True
    return captions & ~chosen


def _caption_spans(page: Page, opinion: Opinion) -> list[tuple[int, slice]]:
    """The pictures that have captions, and the blocks of these: those whose first text stands in one."""
    pictures = picture_captions(page)
    if not pictures:
        return []
    rows = np.array([*pictures])
    begin, stop = (opinion.blocks.first.searchsorted(column[rows]).tolist() for column in (page.first, page.last))
    return [(picture, slice(a, b)) for picture, a, b in zip(pictures.values(), begin, stop, strict=True)]


def is_numbered(evidence: Evidence, block: int) -> bool:
    """Whether a caption or heading begins with the number of a figure."""
    page, opinion, *_ = evidence
    start, stop = int(page.start[opinion.blocks.first[block]]), int(page.stop[opinion.blocks.last[block]])
    text = page.utf8[start : min(stop, start + _MAX_NUMBER_BYTES)].replace(b"\0", b"").decode(errors="replace")
    return _NUMBERED.match(text) is not None


def title(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The page's title, if it is not chosen anyway: the likeliest of the main headings that say it, or where there is
    none of the others; in a container with chosen text, or word for word somewhere before it.  A heading behind some
    text says it only if no other does.  In many titles the name of the site stands, too; it leads to the front page."""
    page, opinion, p, *_ = evidence
    for bit in (col.TITLE, col.PHRASE):
        candidates: list[int] = (evidence.marks & bit).nonzero()[0].tolist()
        if len(candidates) > 1:
            candidates.sort(key=lambda block: -p[block])
        for block in candidates:
            if not _leads_home(page, int(opinion.blocks.at[block])):
                return among([block], len(chosen)) if evidence.marks[block] & col.TITLED else None
    return None


def _leads_home(page: Page, row: int) -> bool:
    """Whether an element is or stands in a link to the front page."""
    for _ in range(_MAX_STEPS_TO_LINK + 1):
        if page.tag[row] == _LINK:
            return Resolver(page).is_home(page.attribute(row, "href"))
        if row == 0:
            break
        row = int(page.parent[row])
    return False
