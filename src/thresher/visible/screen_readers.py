"""What `aria-hidden` hides: it hides from screen readers, not from eyes.

Such an element is left out only where nothing is lost by it, or where it is one that scripts show:

    repeated   all of its text stands elsewhere on the page too: the copy of a heading, a slide that comes round again
    a sign     it has no word of two letters, or is one word in an element for icons (`<i>arrow_back</i>`)
    a popup    it is called modal, menu, tooltip or the like, and the sheets that hide it may be others than the page's

All other text stays, as far as nothing else hides it.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.data.tags import group
from thresher.page import Page, attributes
from thresher.page.parts import Parts, with_part
from thresher.page.tree import texts_within
from thresher.page.types import Bools, Rows
from thresher.text.patterns import compile_later
from thresher.visible.word_kernels import squeeze_texts

__all__ = ["left_out"]

_MAX_ROWS = 2_000  # rows that are compared with the rest of the page
_MAX_COMPARED_BYTES = 50_000_000  # bytes that are searched for all of them together
_MAX_SIGN_CHARS = 30  # characters of what stands for an icon
_ICONS = group(("i", "span", "svg", "em", "b"))
_WORD = compile_later(r"[^\W\d_]{2}")
# A popup has one of these in its class, id or role.
_POPUP_PARTS = Parts(
    *b"modal popup pop-up popover dropdown drop-down menu nav cookie consent gdpr tooltip overlay".split(),
    *b"offcanvas off-canvas drawer lightbox toast dialog search flyout sidebar panel accordion".split(),
    *b"collapse tab cloned".split(),
)
_POPUP = compile_later(
    r"""modal|popup|pop-up|popover|dropdown|drop-down|\bmenu|\bnav|cookie|consent|gdpr|tooltip|overlay|off-?canvas
    |drawer|lightbox|toast|dialog|search|flyout|sidebar|panel|accordion|collapse|\btab|cloned""",
    re.VERBOSE,
)


def left_out(page: Page, rows: Rows, other_sheets: bool) -> Bools:
    """Which of the rows with `aria-hidden=true` hide what is in them."""
    hides = np.ones(len(rows), bool)
    hides[_MAX_ROWS:] = False
    places = (page.first[rows] < page.last[rows])[:_MAX_ROWS].nonzero()[0]
    if other_sheets and len(places):
        places = places[~_popups(page, rows[places])]
    compared: list[tuple[int, bytes]] = []
    for place, row in zip(places.tolist(), rows[places].tolist(), strict=True):
        words = _words(page, page.first[row], page.last[row])
        if not _is_sign(page, row, words):
            compared.append((place, words.encode()))
    if not compared:  # as on most pages: such elements are icons
        return hides
    hides[[place for place, _ in compared]] = False
    rest = _words_outside(page, rows)
    most = _MAX_COMPARED_BYTES // max(len(rest), 1)
    for place, said in compared:
        hides[place] = place < most and said in rest
    return hides


def _words_outside(page: Page, rows: Rows) -> bytes:
    """The texts of the page that do not stand in some elements, with single spaces."""
    inside = np.zeros(len(page), bool)
    inside[rows] = True
    rest = np.empty(len(page.utf8) + 1, np.uint8)
    size = squeeze_texts(page.utf8, page.start, page.stop, texts_within(page, inside).view(np.uint8), rest)
    return rest[:size].tobytes()


def _words(page: Page, first: int, last: int) -> str:
    """Some texts that follow each other, with single spaces."""
    return " ".join(page.utf8[page.start[first] : page.stop[last - 1]].decode().replace("\0", " ").split())


def _is_sign(page: Page, row: int, words: str) -> bool:
    if not _WORD.search(words):
        return True
    return len(words) <= _MAX_SIGN_CHARS and " " not in words and bool(_ICONS[page.tag[row]])


def _popups(page: Page, rows: Rows) -> Bools:
    """Which of some rows are popups by their names."""
    likely = np.zeros(len(page), bool)
    for name in _NAMES:
        likely[attributes.rows_of(attributes.numbered(page, name), with_part(page, name, _POPUP_PARTS))] = True
    popups: Bools = likely[rows]
    for place in popups.nonzero()[0].tolist():
        names = page.attributes(int(rows[place]))
        popups[place] = _POPUP.search(" ".join(names.get(name, "") for name in _NAMES).lower()) is not None
    return popups


_NAMES = ("class", "id", "role")
