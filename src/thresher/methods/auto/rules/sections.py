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
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules.rule import PROBABLE, Evidence, words_before, words_in_container
from thresher.output.captions import picture_captions
from thresher.output.media import in_content
from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.page.tree import within
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


def section_heading(evidence: Evidence, chosen: Bools) -> Bools:
    _, opinion, p = evidence
    # What stands in a caption is judged as a caption.
    return _within_kept(opinion, chosen, opinion.heading, (p >= _MIN_HEADING) & ~opinion.caption, SECTION)


def code(evidence: Evidence, chosen: Bools) -> Bools:
    _, opinion, p = evidence
    return _within_kept(opinion, chosen, opinion.listing, (p >= _MIN_CODE) & ~opinion.caption, _COLUMN)


def caption(evidence: Evidence, chosen: Bools) -> Bools:
    page, opinion, _ = evidence
    captions = _within_kept(opinion, chosen, opinion.caption, ~chosen, _COLUMN)
    for block in captions.nonzero()[0].tolist():
        captions[block] = is_numbered(page, opinion, block)
    return captions | _of_kept_pictures(page, opinion, chosen)


def _of_kept_pictures(page: Page, opinion: Opinion, chosen: Bools) -> Bools:
    """The captions of pictures that the forms of the result show."""
    picture = picture_captions(page)
    captions: Bools = within(page, picture >= 0)[opinion.blocks.at] & ~chosen
    if not captions.any():
        return captions
    keep = np.zeros(len(page.start), bool)
    for block in chosen.nonzero()[0].tolist():
        keep[opinion.blocks.first[block] : opinion.blocks.last[block] + 1] = True
    content = in_content(page, keep & readable(page))
    shown = (picture >= 0) & content[picture]
    return captions & within(page, shown)[opinion.blocks.at]


def _within_kept(opinion: Opinion, chosen: Bools, kind: Bools, likely_enough: Bools, level: int) -> Bools:
    """The blocks of a kind in text that is kept: most words of their container on a level are chosen, blocks of the
    kind left out."""
    candidate = kind & likely_enough & ~chosen
    if not candidate.any():
        return candidate
    kept = words_in_container(opinion, chosen & ~kind, level)
    within: Bools = candidate & (kept > 0) & (kept >= _MIN_KEPT_AROUND * words_in_container(opinion, ~kind, level))
    return within


def is_numbered(page: Page, opinion: Opinion, block: int) -> bool:
    """Whether a caption or heading begins with the number of a figure."""
    start, stop = int(page.start[opinion.blocks.first[block]]), int(page.stop[opinion.blocks.last[block]])
    text = page.utf8[start : min(stop, start + _MAX_NUMBER_BYTES)].replace(b"\0", b"").decode(errors="replace")
    return _NUMBERED.match(text) is not None


def title(evidence: Evidence, chosen: Bools) -> Bools:
    """The page's title, if it is not chosen anyway: the likeliest of the main headings that say it, or where there is
    none of the others; in a container with chosen text, or word for word somewhere before it.  A heading behind some
    text says it only if no other does.  In many titles the name of the site stands, too; it leads to the front page."""
    page, opinion, p = evidence
    titles = np.zeros(len(chosen), bool)
    if not (opinion.title | opinion.verbatim).any():
        return titles
    words = words_before(opinion.words * chosen)
    enough = min(_MIN_TITLED_WORDS, _MIN_TITLED_SHARE * words[-1])
    text = (p >= PROBABLE) & ~opinion.heading
    above_text = words_before(opinion.words * text)[:-1] < _MIN_TITLED_WORDS
    for heading in (opinion.title, opinion.verbatim):
        candidate = heading & above_text if (heading & above_text).any() else heading
        if (candidate & chosen).any():
            return titles
        for block in sorted(candidate.nonzero()[0].tolist(), key=lambda block: -p[block]):
            if not _leads_home(page, int(opinion.blocks.at[block])):
                begin, stop = opinion.blocks.begin[_COLUMN, block], opinion.blocks.stop[_COLUMN, block]
                around, behind = words[stop] - words[begin], words[-1] - words[block]
                titles[block] = (behind if opinion.verbatim[block] else around) >= enough
                return titles
    return titles


def _leads_home(page: Page, row: int) -> bool:
    """Whether an element is or stands in a link to the front page."""
    path = (row, *islice(page.ancestors(row), _MAX_STEPS_TO_LINK))
    link = next((above for above in path if page.tag[above] == NUMBER["a"]), None)
    return link is not None and Resolver(page).is_home(page.attribute(link, "href"))
