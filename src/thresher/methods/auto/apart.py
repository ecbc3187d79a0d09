"""What stands in or around the text and is none of it, however likely:

the table of contents    links to the headings of the page in their words (contents.py)
dialogs                  which lie over the page, unless the page is in one
headings of boxes        in an article or a page of a service, where the box itself is left out: "People also read"
                         says nothing without its links
comments                 under an article; with focus="recall" they stay

Lines on who wrote an article and on what else there is to read are told by their words (sidelines).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.methods.auto.belonging import SECTION, before, held, is_numbered
from thresher.methods.auto.comments import headed, named
from thresher.methods.auto.contents import contents
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.threshold import likely
from thresher.page import Page, attributes
from thresher.page.spans import is_among
from thresher.page.tree import within

__all__ = ["apart", "may_be_article"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_CONTENTS, _DIALOG = "the table of contents", "a dialog that lies over the page"
_BEREFT, _COMMENT = "the heading of a box that is left out", "a comment under an article"
_DIALOGS = (b"dialog", b"alertdialog")  # roles
_FEW_WORDS, _SOME_WORDS, _MANY_WORDS = 4, 20, 100
_HALF, _HARDLY, _REST = 0.5, 0.2, 1.25


def apart(page: Page, found: Opinion, p: Floats, chosen: Bools, focus: str) -> dict[str, Bools]:
    """Which blocks are left out, chosen or not, by the reason for it."""
    table, dialogs = contents(page, found, chosen), _in_dialogs(page, found, p)
    left_out = {_CONTENTS: table, _DIALOG: dialogs, _BEREFT: _bereft(page, found, p, chosen & ~table & ~dialogs)}
    if focus != "recall":
        left_out[_COMMENT] = _comments(page, found, p)
    return left_out


def _in_dialogs(page: Page, found: Opinion, p: Floats) -> Bools:
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


def _bereft(page: Page, found: Opinion, p: Floats, chosen: Bools) -> Bools:
    """The chosen headings of boxes that have other text and none of it chosen, in an article or a page of a service,
    but for those of numbered figures.  A subtitle with the author's name under it stands before the text; how much of
    that comes before is expected, not chosen, so that the verdicts stay nested."""
    bereft = chosen & found.heading & ~found.title
    if found.types["article"] + found.types["service"] <= _HALF or not bereft.any():
        return np.zeros(len(chosen), bool)
    text = ~found.heading
    bereft &= (held(found, chosen & text, SECTION) == 0) & (held(found, text, SECTION) >= _FEW_WORDS)
    if bereft.any():
        bereft &= before(p * found.words * text)[found.blocks.begin[SECTION]] >= _SOME_WORDS
    for block in np.flatnonzero(bereft).tolist():
        bereft[block] = not is_numbered(page, found, block)
    return bereft


def may_be_article(found: Opinion) -> bool:
    """Whether a page is an article, or surely no thread and no product: one in another language, or without names, is
    often taken for another kind."""
    return found.types["article"] > _HALF or found.types["forum"] + found.types["product"] <= _HARDLY


def _comments(page: Page, found: Opinion, p: Floats) -> Bools:
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
    above = float(own[:first].sum())
    return said if above >= _MANY_WORDS and own.sum() <= _REST * above else none
