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
the page.  A page on which no block reaches a threshold still gives the blocks with the best E, unless these are but a
phrase of a page that is all menus.
"""

from __future__ import annotations

import re
from itertools import islice
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from thresher.comments import headed, named
from thresher.data.tags import NUMBER
from thresher.judge.model import Opinion
from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.tree import within

__all__ = ["best", "comments", "expected_f1", "kept", "likely", "may_be_article", "threshold"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_THRESHOLD = {"precision": (0.5, 0.8), "balanced": (0.15, 0.6), "recall": (0.07, 0.2)}  # other pages, articles
_FOCUSES = list(_THRESHOLD)
_CODE, _HEADING = 0.1, 0.3  # the least probability of a listing and of a heading that is kept for what is around it
_SECTION, _COLUMN = 1, 3  # the levels of the containers that count as around it
_MOSTLY = 0.6
_SOME_WORDS, _MANY_WORDS = 20, 100
_HALF, _HARDLY, _REST = 0.5, 0.2, 1.25
_HOPELESS = 0.15  # a page with many words, none of them in a block likelier than this, may have no content
_NUMBERED = re.compile(r"\W*[^\W\d_]{1,12}\.?\s*\d{1,3}[a-z]?\s*[.:)|–—．：]")  # Figure 3: · Abb. 2. · 图 1：
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
    return chosen | belongs | _titles(page, found, p, chosen)


def _belonging(found: Opinion, chosen: Bools, kind: Bools, able: Bools, level: int) -> Bools:
    """The blocks of a kind that are able to belong to the text around them and do: most words of their container on a
    level are chosen, blocks of the kind left out."""
    able = kind & able & ~chosen
    if not able.any():
        return able
    words = np.zeros((2, len(kind) + 1))
    np.cumsum(found.words * ~kind, out=words[0, 1:])
    np.cumsum(found.words * (chosen & ~kind), out=words[1, 1:])
    held, kept = words[:, found.blocks.stop[level]] - words[:, found.blocks.begin[level]]
    belong: Bools = able & (kept > 0) & (kept >= _MOSTLY * held)
    return belong


def _is_numbered(page: Page, found: Opinion, block: int) -> bool:
    """Whether a caption begins with the number of a figure."""
    start = int(page.start[found.blocks.first[block]])
    text = page.utf8[start : start + _LABEL].replace(b"\0", b"").decode(errors="replace")
    return _NUMBERED.match(text) is not None


def _titles(page: Page, found: Opinion, p: Floats, chosen: Bools) -> Bools:
    """The page's title where it stands in a container with chosen text: the likeliest of the headings that say it, if
    none is chosen anyway.  In many titles the name of the site stands, too; it leads to the front page."""
    titles = np.zeros(len(chosen), bool)
    if (found.title & chosen).any():
        return titles
    for block in sorted(np.flatnonzero(found.title).tolist(), key=lambda block: -p[block]):
        if not _leads_home(page, int(found.blocks.at[block])):
            begin, stop = found.blocks.begin[_COLUMN, block], found.blocks.stop[_COLUMN, block]
            titles[block] = found.words[begin:stop][chosen[begin:stop]].sum() >= _SOME_WORDS
            break
    return titles


def _leads_home(page: Page, row: int) -> bool:
    """Whether an element is or stands in a link to the front page."""
    link = next((above for above in (row, *islice(page.ancestors(row), _NEAR)) if page.tag[above] == NUMBER["a"]), None)
    return link is not None and Resolver(page).is_home(page.attribute(link, "href"))


def may_be_article(found: Opinion) -> bool:
    """Whether a page is an article, or surely no thread and no product: one in another language, or without names, is
    often taken for another kind."""
    return found.types["article"] > _HALF or found.types["forum"] + found.types["product"] <= _HARDLY


def comments(page: Page, found: Opinion, p: Floats) -> Bools:
    """The blocks that are called comments and stand under an article: a hundred words that are not, and hardly any
    behind the first comment.  What a heading calls so is none in threads and reviews; a name alone says less.  The same
    for every focus, so that the verdicts stay nested."""
    none = np.zeros(len(p), bool)
    if not may_be_article(found):
        return none
    article = found.types["article"]
    called = headed(page) | named(page) if article > _HALF else headed(page)
    said: Bools = within(page, called)[found.blocks.at]
    chosen = likely(p, found.words, article, "balanced") if said.any() else none
    if not (said & chosen).any():
        return none
    own, first = found.words * (chosen & ~said), int((said & chosen).argmax())
    before = float(own[:first].sum())
    return said if before >= _MANY_WORDS and own.sum() <= _REST * before else none
