"""What belongs to the text and is kept with it, though less likely by itself:

title            the main heading that says it, or the only one there is, in a container with kept text; a heading that
                 says it word for word also elsewhere before the text
section_heading  of a section of which most is kept
code             in a container of which most is kept
caption          of a picture that goes with kept text; of a numbered figure ("Figure 3: …") in a container of which
                 most is kept
"""

from __future__ import annotations

from itertools import islice

import numpy as np

from thresher.data.tags import NUMBER
from thresher.methods.auto.kernels.decision import in_kept_text, text_begins
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules.rule import PROBABLE, Evidence, among, flags, words_before
from thresher.output.captions import picture_captions
from thresher.output.media import in_content
from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.page.types import Bools
from thresher.text.patterns import compile_later
from thresher.visible.readable import readable

__all__ = ["SECTION", "caption", "code", "is_numbered", "section_heading", "title"]

SECTION, _COLUMN = 1, 3  # the levels of the containers that count as around a block
_MIN_CODE, _MIN_HEADING = 0.1, 0.3  # probability
_MIN_KEPT_AROUND = 0.6  # share of the words in the container
_MIN_TITLED_WORDS, _MIN_TITLED_SHARE = 20, 0.5  # words under a title; of a page of few words, most of them
_NUMBERED = compile_later(r"\W*[^\W\d_]{1,12}\.?\s*\d{1,3}[a-z]?\s*[.:)|–—．：]")  # Figure 3: · Abb. 2. · 图 1：
_MAX_NUMBER_BYTES = 60  # of a caption that are looked at
_MAX_STEPS_TO_LINK = 4  # elements around a title, of which one may be a link


def section_heading(evidence: Evidence, chosen: Bools) -> Bools | None:
    opinion = evidence.opinion
    # What stands in a caption is judged as a caption.
    return _within_kept(evidence, chosen, opinion.heading, opinion.caption, _MIN_HEADING, SECTION)


def code(evidence: Evidence, chosen: Bools) -> Bools | None:
    opinion = evidence.opinion
    return _within_kept(evidence, chosen, opinion.listing, opinion.caption, _MIN_CODE, _COLUMN)


def caption(evidence: Evidence, chosen: Bools) -> Bools | None:
    page, opinion, _ = evidence
    captions = _within_kept(evidence, chosen, opinion.caption, chosen, 0.0, _COLUMN)
    if captions is not None:
        for block in captions.nonzero()[0].tolist():
            captions[block] = is_numbered(page, opinion, block)
    shown = _of_kept_pictures(page, opinion, chosen)
    return captions if shown is None else shown if captions is None else captions | shown


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


def _within_kept(
    evidence: Evidence, chosen: Bools, kind: Bools, without: Bools, least: float, level: int
) -> Bools | None:
    """The blocks of a kind, `without` others, in text that is kept: most words of their container on a level are
    chosen, blocks of the kind left out."""
    opinion, inside = evidence.opinion, np.empty(len(chosen), bool)
    count = in_kept_text(
        opinion.words,
        flags(chosen),
        flags(kind),
        flags(without),
        evidence.p,
        least,
        opinion.blocks.begin[level],
        opinion.blocks.stop[level],
        _MIN_KEPT_AROUND,
        np.empty((2, len(chosen) + 1)),
        flags(inside),
    )
    return inside if count else None


def is_numbered(page: Page, opinion: Opinion, block: int) -> bool:
    """Whether a caption or heading begins with the number of a figure."""
    start, stop = int(page.start[opinion.blocks.first[block]]), int(page.stop[opinion.blocks.last[block]])
    text = page.utf8[start : min(stop, start + _MAX_NUMBER_BYTES)].replace(b"\0", b"").decode(errors="replace")
    return _NUMBERED.match(text) is not None


def title(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The page's title, if it is not chosen anyway: the likeliest of the main headings that say it, or where there is
    none of the others; in a container with chosen text, or word for word somewhere before it.  A heading behind some
    text says it only if no other does.  In many titles the name of the site stands, too; it leads to the front page."""
    page, opinion, p = evidence
    begins = text_begins(p, opinion.words, flags(opinion.heading), PROBABLE, _MIN_TITLED_WORDS)
    for heading in (opinion.title, opinion.verbatim):
        headings: list[int] = heading.nonzero()[0].tolist()
        candidates = [block for block in headings if block < begins] or headings
        if any(chosen[block] for block in candidates):
            return None
        for block in sorted(candidates, key=lambda block: -p[block]):
            if not _leads_home(page, int(opinion.blocks.at[block])):
                return among([block], len(chosen)) if _has_text_below(opinion, chosen, block) else None
    return None


def _has_text_below(opinion: Opinion, chosen: Bools, block: int) -> bool:
    """Whether a title has enough chosen text in its container or, one that says it word for word, behind it."""
    words = words_before(opinion.words * chosen)
    enough = min(_MIN_TITLED_WORDS, _MIN_TITLED_SHARE * words[-1])
    begin, stop = opinion.blocks.begin[_COLUMN, block], opinion.blocks.stop[_COLUMN, block]
    around, behind = words[stop] - words[begin], words[-1] - words[block]
    return bool((behind if opinion.verbatim[block] else around) >= enough)


def _leads_home(page: Page, row: int) -> bool:
    """Whether an element is or stands in a link to the front page."""
    path = (row, *islice(page.ancestors(row), _MAX_STEPS_TO_LINK))
    link = next((above for above in path if page.tag[above] == NUMBER["a"]), None)
    return link is not None and Resolver(page).is_home(page.attribute(link, "href"))
