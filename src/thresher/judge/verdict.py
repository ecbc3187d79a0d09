"""Which blocks are kept: from the probabilities of a page's blocks to the verdict on each.

    kept       p_b ≥ T(focus, a) · √(E* / 2 T(balanced, a))          a: the probability that the page is an article

An article is one text, so of an article only likely blocks are kept; of other pages less likely ones too, for they
are made of many pieces: T(balanced, a) is where the F1 of unseen pages was highest.  What is best for this page is
another question.  If its probabilities are right, keeping all blocks from t on gives the F1

    E(t) = 2 Σ_{p_b ≥ t} p_b n_b / (Σ_{p_b ≥ t} n_b + Σ_b p_b n_b)          n_b: words of block b

and the best one, E*, is had with t = E*/2.  So `balanced` is halfway between the two, √(T · E*/2), and the others move
with it: what `precision` keeps `balanced` keeps too, and `recall` keeps all of that.

What belongs to the text is kept with it though less likely by itself: the heading of a section that is kept, and in a
container of which most is kept the listings of code, the captions of numbered figures ("Figure 3: …") and the title of
the page.  The heading of a box in an article or a page of a service goes with the box: "People also read" says nothing
without its links.  The table of contents (`thresher.judge.contents`) is left out, and what dialogs say that lie over
the page.

A page on which no block reaches a threshold still gives the blocks with the best E, unless these are but a phrase of a
page that is all menus.
"""

from __future__ import annotations

import re
from itertools import islice
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.comments import named
from thresher.data.tags import NUMBER
from thresher.judge.contents import contents
from thresher.judge.model import Opinion
from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.spans import is_among
from thresher.tree import within

__all__ = ["best", "comments", "expected_f1", "in_dialogs", "kept", "likely", "threshold"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_THRESHOLD = {"precision": (0.5, 0.8), "balanced": (0.15, 0.6), "recall": (0.07, 0.2)}  # other pages, articles
_FOCUSES = list(_THRESHOLD)
_CODE, _HEADING = 0.1, 0.3  # the least probability of a listing and of a heading that is kept for what is around it
_SECTION, _COLUMN = 1, 3  # the levels of the containers that count as around it
_MOSTLY = 0.6
_FEW_WORDS, _SOME_WORDS, _MANY_WORDS = 4, 20, 100
_HALF, _REST = 0.5, 1.1
_HOPELESS = 0.15  # a page with many words, none of them in a block likelier than this, may have no content
_NUMBERED = re.compile(r"\W*[^\W\d_]{1,12}\.?\s*\d{1,3}[a-z]?\s*[.:)|–—．：]")  # Figure 3: · Abb. 2. · 图 1：
_DIALOGS = (b"dialog", b"alertdialog")  # roles
_LABEL = 60  # bytes of a caption that are looked at
_NEAR = 4  # elements around a title, of which one may be a link


def threshold(focus: str, article: float, best: float) -> float:
    """The probability from which blocks are kept, on a page that is an article with the probability `article` and of
    which the best choice of blocks has the expected F1 `best`."""
    return _usual(focus, article) * sqrt(best / 2 / _usual("balanced", article))


def _usual(focus: str, article: float) -> float:
    other, of_articles = _THRESHOLD[focus]
    return other + (of_articles - other) * article


def expected_f1(p: Floats, words: NDArray[np.floating], chosen: Bools) -> float:
    """E of the module's docstring for some blocks."""
    whole = float(p @ words) + float(words[chosen].sum())
    return 2 * float(p[chosen] @ words[chosen]) / whole if whole else 0.0


def best(p: Floats, words: NDArray[np.floating]) -> tuple[float, float]:
    """E*, and the probability of the least likely block with which it is reached."""
    order = np.argsort(-p, kind="stable")
    words = words[order]
    hits = np.cumsum(p[order] * words)
    expected = 2 * hits / (np.cumsum(words) + hits[-1] + 1e-9)
    at = int(expected.argmax())
    return float(expected[at]), float(p[order[at]])


def likely(p: Floats, words: NDArray[np.floating], article: float, focus: str) -> Bools:
    """The blocks that reach the threshold, or if none does, that of a wider focus; if none reaches any, those with the
    best E, unless there is no hope."""
    expected, least = best(p, words)
    highest = p.max(initial=0)
    thresholds = (threshold(wider, article, expected) for wider in _FOCUSES[_FOCUSES.index(focus) :])
    chosen: Bools = p >= next((reached for reached in thresholds if reached <= highest), least)
    unlikely = highest < _HOPELESS and words.sum() >= _MANY_WORDS
    return np.zeros(len(p), bool) if unlikely and words[chosen].sum() < _SOME_WORDS else chosen


def kept(page: Page, found: Opinion, p: Floats, focus: str) -> Bools:
    """The verdict on each block."""
    chosen = likely(p, found.words, found.types["article"], focus)
    if not chosen.any():
        return chosen
    belongs = _belonging(found, chosen, found.listing, p >= _CODE, _COLUMN)
    belongs |= _belonging(found, chosen, found.heading, p >= _HEADING, _SECTION)
    for block in np.flatnonzero(_belonging(found, chosen, found.caption, ~chosen, _COLUMN)).tolist():
        belongs[block] = _is_numbered(page, found, block)
    chosen = chosen | belongs | _titles(page, found, p, chosen)
    chosen &= ~(contents(page, found, chosen) | in_dialogs(page, found, p))
    return chosen & ~_bereft(page, found, p, chosen)


def _belonging(found: Opinion, chosen: Bools, kind: Bools, able: Bools, level: int) -> Bools:
    """The blocks of a kind that are able to belong to the text around them and do: most words of their container on a
    level are chosen, blocks of the kind left out."""
    able = kind & able & ~chosen
    if not able.any():
        return able
    kept = _held(found, chosen & ~kind, level)
    belong: Bools = able & (kept > 0) & (kept >= _MOSTLY * _held(found, ~kind, level))
    return belong


def _held(found: Opinion, counted: Bools, level: int) -> Floats:
    """The words of the counted blocks in each block's container on a level."""
    words = _before(found.words * counted)
    held: Floats = words[found.blocks.stop[level]] - words[found.blocks.begin[level]]
    return held


def _before(words: NDArray[np.floating]) -> Floats:
    """The sums of all before each block, and of all."""
    sums = np.zeros(len(words) + 1)
    np.cumsum(words, out=sums[1:])
    return sums


def _bereft(page: Page, found: Opinion, p: Floats, chosen: Bools) -> Bools:
    """The chosen headings of boxes that have other text and none of it chosen, in an article or a page of a service,
    but for those of numbered figures.  A subtitle with the author's name under it stands before the text; how much of
    that comes before is expected, not chosen, so that the verdicts stay nested."""
    bereft = chosen & found.heading & ~found.title
    if found.types["article"] + found.types["service"] <= _HALF or not bereft.any():
        return np.zeros(len(chosen), bool)
    text = ~found.heading
    bereft &= (_held(found, chosen & text, _SECTION) == 0) & (_held(found, text, _SECTION) >= _FEW_WORDS)
    if bereft.any():
        bereft &= _before(p * found.words * text)[found.blocks.begin[_SECTION]] >= _SOME_WORDS
    for block in np.flatnonzero(bereft).tolist():
        bereft[block] = not _is_numbered(page, found, block)
    return bereft


def _is_numbered(page: Page, found: Opinion, block: int) -> bool:
    """Whether a caption or heading begins with the number of a figure."""
    start, stop = int(page.start[found.blocks.first[block]]), int(page.stop[found.blocks.last[block]])
    text = page.utf8[start : min(stop, start + _LABEL)].replace(b"\0", b"").decode(errors="replace")
    return _NUMBERED.match(text) is not None


def in_dialogs(page: Page, found: Opinion, p: Floats) -> Bools:
    """The blocks in dialogs, unless half of what is expected of the page or more stands there: some show all in one."""
    rows, code, roles = attributes.distinct_bytes(page, "role")
    dialogs = [number for number, role in enumerate(roles) if role.strip().lower() in _DIALOGS]
    if not dialogs:
        return np.zeros(len(p), bool)
    called = np.zeros(len(page), bool)
    called[rows[is_among(code, np.array(dialogs))]] = True
    inside: Bools = within(page, called)[found.blocks.at]
    expected = p * found.words
    return inside if 2 * expected[inside].sum() < expected.sum() else np.zeros(len(p), bool)


def _titles(page: Page, found: Opinion, p: Floats, chosen: Bools) -> Bools:
    """The page's title where it stands in a container with chosen text: the likeliest of the headings that say it, if
    none is chosen anyway; those behind some text say it only if no other does.  In many titles the name of the site
    stands, too; it leads to the front page."""
    titles = np.zeros(len(chosen), bool)
    if not found.title.any():
        return titles
    able = found.title & (_before(found.words * ((p >= _HALF) & ~found.heading))[:-1] < _SOME_WORDS)
    if not able.any():
        able = found.title
    if (able & chosen).any():
        return titles
    for block in sorted(np.flatnonzero(able).tolist(), key=lambda block: -p[block]):
        if not _leads_home(page, int(found.blocks.at[block])):
            begin, stop = found.blocks.begin[_COLUMN, block], found.blocks.stop[_COLUMN, block]
            titles[block] = found.words[begin:stop][chosen[begin:stop]].sum() >= _SOME_WORDS
            break
    return titles


def _leads_home(page: Page, row: int) -> bool:
    """Whether an element is or stands in a link to the front page."""
    link = next((above for above in (row, *islice(page.ancestors(row), _NEAR)) if page.tag[above] == NUMBER["a"]), None)
    return link is not None and Resolver(page).is_home(page.attribute(link, "href"))


def comments(page: Page, found: Opinion, p: Floats) -> Bools:
    """The blocks that are called comments and stand under an article: a hundred words that are not, and hardly any
    behind the first comment.  The same for every focus, so that the verdicts stay nested."""
    none = np.zeros(len(p), bool)
    article = found.types["article"]
    if article <= _HALF:
        return none
    said: Bools = within(page, named(page))[found.blocks.at]
    chosen = likely(p, found.words, article, "balanced") if said.any() else none
    if not (said & chosen).any():
        return none
    own, first = found.words * (chosen & ~said), int((said & chosen).argmax())
    before = float(own[:first].sum())
    return said if before >= _MANY_WORDS and own.sum() <= _REST * before else none
