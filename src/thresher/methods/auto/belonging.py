"""What belongs to the text and is kept with it, though less likely by itself:

headings     of a section of which most is kept
listings     of code, in a container of which most is kept
captions     of numbered figures ("Figure 3: …"), the same
the title    the main heading that says it, or the only one there is, in a container with kept text; a heading that
             says it word for word also elsewhere before the text
"""

from __future__ import annotations

import re
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER
from thresher.methods.auto.model import Opinion
from thresher.output.urls import Resolver
from thresher.page import Page

__all__ = ["SECTION", "before", "belonging", "held", "is_numbered"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_TITLE, _TEXT = "it is the title of the page", "it belongs to the text around it, which is kept"
SECTION, _COLUMN = 1, 3  # the levels of the containers that count as around it
_CODE, _HEADING = 0.1, 0.3  # the least probability of a listing and of a heading that is kept for what is around it
_MOSTLY, _HALF = 0.6, 0.5
_SOME_WORDS = 20
_NUMBERED = re.compile(r"\W*[^\W\d_]{1,12}\.?\s*\d{1,3}[a-z]?\s*[.:)|–—．：]")  # Figure 3: · Abb. 2. · 图 1：
_LABEL = 60  # bytes of a caption that are looked at
_NEAR = 4  # elements around a title, of which one may be a link


def belonging(page: Page, found: Opinion, p: Floats, chosen: Bools) -> dict[str, Bools]:
    """What is kept besides the chosen blocks, by the reason for it."""
    belongs = _belonging(found, chosen, found.listing, p >= _CODE, _COLUMN)
    belongs |= _belonging(found, chosen, found.heading, p >= _HEADING, SECTION)
    for block in np.flatnonzero(_belonging(found, chosen, found.caption, ~chosen, _COLUMN)).tolist():
        belongs[block] = is_numbered(page, found, block)
    title = _titles(page, found, p, chosen)
    return {_TITLE: title, _TEXT: belongs & ~title}


def _belonging(found: Opinion, chosen: Bools, kind: Bools, able: Bools, level: int) -> Bools:
    """The blocks of a kind that are able to belong to the text around them and do: most words of their container on a
    level are chosen, blocks of the kind left out."""
    able = kind & able & ~chosen
    if not able.any():
        return able
    kept = held(found, chosen & ~kind, level)
    belong: Bools = able & (kept > 0) & (kept >= _MOSTLY * held(found, ~kind, level))
    return belong


def held(found: Opinion, counted: Bools, level: int) -> Floats:
    """The words of the counted blocks in each block's container on a level."""
    words = before(found.words * counted)
    held: Floats = words[found.blocks.stop[level]] - words[found.blocks.begin[level]]
    return held


def before(words: NDArray[np.floating]) -> Floats:
    """The sums of all before each block, and of all."""
    sums = np.zeros(len(words) + 1)
    np.cumsum(words, out=sums[1:])
    return sums


def is_numbered(page: Page, found: Opinion, block: int) -> bool:
    """Whether a caption or heading begins with the number of a figure."""
    start, stop = int(page.start[found.blocks.first[block]]), int(page.stop[found.blocks.last[block]])
    text = page.utf8[start : min(stop, start + _LABEL)].replace(b"\0", b"").decode(errors="replace")
    return _NUMBERED.match(text) is not None


def _titles(page: Page, found: Opinion, p: Floats, chosen: Bools) -> Bools:
    """The page's title, if it is not chosen anyway: the likeliest of the main headings that say it, or where there is
    none of the others; in a container with chosen text, or word for word somewhere before it.  A heading behind some
    text says it only if no other does.  In many titles the name of the site stands, too; it leads to the front page."""
    titles = np.zeros(len(chosen), bool)
    if not (found.title | found.verbatim).any():
        return titles
    words = before(found.words * chosen)
    enough = min(_SOME_WORDS, _HALF * words[-1])  # of a page of few words, most of them
    first = before(found.words * ((p >= _HALF) & ~found.heading))[:-1] < _SOME_WORDS
    for said in (found.title, found.verbatim):
        able = said & first if (said & first).any() else said
        if (able & chosen).any():
            return titles
        for block in sorted(np.flatnonzero(able).tolist(), key=lambda block: -p[block]):
            if not _leads_home(page, int(found.blocks.at[block])):
                begin, stop = found.blocks.begin[_COLUMN, block], found.blocks.stop[_COLUMN, block]
                around, behind = words[stop] - words[begin], words[-1] - words[block]
                titles[block] = (behind if found.verbatim[block] else around) >= enough
                return titles
    return titles


def _leads_home(page: Page, row: int) -> bool:
    """Whether an element is or stands in a link to the front page."""
    link = next((above for above in (row, *islice(page.ancestors(row), _NEAR)) if page.tag[above] == NUMBER["a"]), None)
    return link is not None and Resolver(page).is_home(page.attribute(link, "href"))
