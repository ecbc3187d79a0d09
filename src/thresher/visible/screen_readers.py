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
from thresher.page import Page
from thresher.page.tree import texts_within
from thresher.page.types import Bools, Rows
from thresher.text.patterns import compile_later

__all__ = ["left_out"]

_MAX_ROWS = 2_000  # rows that are compared with the rest of the page
_MAX_COMPARED_BYTES = 50_000_000  # bytes that are searched for all of them together
_FEW_ROWS = 5  # of which the longest words are looked for before the rest of the page is read
_MAX_SIGN_CHARS = 30  # characters of what stands for an icon
_ICONS = group(("i", "span", "svg", "em", "b"))
_WORD = compile_later(r"[^\W\d_]{2}")
_POPUP = compile_later(
    r"""modal|popup|pop-up|popover|dropdown|drop-down|\bmenu|\bnav|cookie|consent|gdpr|tooltip|overlay|off-?canvas
    |drawer|lightbox|toast|dialog|search|flyout|sidebar|panel|accordion|collapse|\btab|cloned""",
    re.VERBOSE,
)


def left_out(page: Page, rows: Rows, other_sheets: bool) -> Bools:
    """Which of the rows with `aria-hidden=true` hide what is in them."""
    hides = np.ones(len(rows), bool)
    hides[_MAX_ROWS:] = False
    compared: list[tuple[int, str]] = []
    first, last = page.first[rows].tolist(), page.last[rows].tolist()
    for place, row in enumerate(rows.tolist()[:_MAX_ROWS]):
        if first[place] < last[place] and not (other_sheets and _is_popup(page, row)):
            words = _words(page, first[place], last[place])
            if not _is_sign(page, row, words):
                compared.append((place, words))
    hides[[place for place, _ in compared]] = False
    if len(compared) <= _FEW_ROWS:
        compared = [(place, words) for place, words in compared if _may_recur(page, first[place], last[place], words)]
    if compared:  # on few pages: most of such elements are icons
        rest = _words_outside(page, rows)
        most = _MAX_COMPARED_BYTES // max(len(rest), 1)
        for place, words in compared:
            hides[place] = place < most and words in rest
    return hides


def _may_recur(page: Page, first: int, last: int, words: str) -> bool:
    """Whether the longest of the words of some texts stands elsewhere on the page, too; soon told."""
    longest = max(words.split(), key=len).encode()
    own = page.utf8.count(longest, page.start[first], page.stop[last - 1])
    return page.utf8.count(longest) > own


def _words_outside(page: Page, rows: Rows) -> str:
    """The texts of the page that do not stand in some elements."""
    inside = np.zeros(len(page), bool)
    inside[rows] = True
    outside = np.zeros(len(page.start) + 2, bool)
    outside[1:-1] = ~texts_within(page, inside)
    edges = (outside[1:] != outside[:-1]).nonzero()[0].tolist()
    return " ".join(_words(page, first, last) for first, last in zip(edges[::2], edges[1::2], strict=True))


def _words(page: Page, first: int, last: int) -> str:
    """Some texts that follow each other, with single spaces."""
    return " ".join(page.utf8[page.start[first] : page.stop[last - 1]].decode().replace("\0", " ").split())


def _is_sign(page: Page, row: int, words: str) -> bool:
    if not _WORD.search(words):
        return True
    return len(words) <= _MAX_SIGN_CHARS and " " not in words and bool(_ICONS[page.tag[row]])


def _is_popup(page: Page, row: int) -> bool:
    tag = page.markup[page.tag_start[row] : page.tag_stop[row]].decode().lower()
    if _POPUP.search(tag) is None:  # as in most
        return False
    names = page.attributes(row)
    return _POPUP.search(" ".join(names.get(name, "") for name in ("class", "id", "role")).lower()) is not None
