"""A page as an outline to choose from: nested elements, and the texts in them, in reading order.

    elements   structural ones that hold readable text (`seeker.segments`), those that hold exactly one block, and of a
               rendered page those that are zones; of several with the same text the outermost; and whatever has a label
    texts      what stands in an element beside the elements in it

An element without others in it shows its whole text.  Everything is text: no markup of the page comes through.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from thresher.methods.seeker.segments import candidates
from thresher.page import Page
from thresher.page.columns import tag_mask, words
from thresher.page.tree import block_first, text_sum
from thresher.page.types import Bools, Rows
from thresher.page.xpath import xpaths
from thresher.text.invisible import without_invisible
from thresher.visible.readable import readable

__all__ = ["OutlineItem", "outline"]

_MAX_ITEMS = 4_000
_MAX_TEXT_LENGTH = 600  # characters of a text


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A line of the outline: an element, or a text that stands in one directly."""

    element: bool
    row: int  # of the element, or of the one around the text
    parent: int  # the item around it; -1 for the outermost
    end: int  # the items below it are those before this one
    depth: int
    name: str  # "article", "div p": the element and those below with the same text
    xpath: str
    text: str  # cut off where it is long; nothing for elements with others in them
    words: int
    block: int  # the first block in it


def outline(page: Page, labelled: Iterable[str] = ()) -> list[OutlineItem]:
    """The items in reading order, at most some thousand; `labelled` are XPaths of elements that must be among them."""
    rows = _rows(page, set(labelled))
    return _Walk(page, rows).items


def _rows(page: Page, labelled: set[str]) -> Rows:
    """The elements of the outline, ascending."""
    visible = readable(page)
    held = text_sum(page, visible.astype(np.intp)) > 0
    chosen = np.zeros(len(page), bool)
    chosen[candidates(page)] = True
    chosen |= held & _holds_one_block(page)
    if page.box is not None and page.style is not None:
        from thresher.methods.layout.zones import zones

        elements = zones(page).element
        chosen[elements[elements >= 0]] = True
    chosen &= ~tag_mask(page, "html")  # the body says the same
    rows = np.flatnonzero(chosen & held)
    # Of those that hold the same readable texts the outermost: rows ascend, so it comes first.
    before = np.concatenate(([0], np.cumsum(visible)))
    ranges = before[page.first[rows]] * (len(visible) + 1) + before[page.last[rows]]
    rows = rows[np.unique(ranges, return_index=True)[1]]
    labelled_rows = (
        [row for row, path in enumerate(xpaths(page, range(len(page)))) if path in labelled] if labelled else []
    )
    return np.union1d(rows, np.array(labelled_rows, np.intp)).astype(np.intp)


def _holds_one_block(page: Page) -> Bools:
    """The elements whose texts are exactly those of one block."""
    first = block_first(page)
    if not len(first):
        return np.zeros(len(page), bool)
    ends = np.append(first[1:], len(page.start))
    at = np.minimum(page.first, len(page.start) - 1)
    number = page.block[at]
    whole: Bools = (page.first < page.last) & (first[number] == page.first) & (ends[number] == page.last)
    return whole


class _Walk:
    """Meets elements and texts in order."""

    def __init__(self, page: Page, rows: Rows) -> None:
        self.page, self.items = page, list[OutlineItem]()
        self._visible, self._words, self._text = readable(page), words(page), page.text
        self._paths = dict(zip(rows.tolist(), xpaths(page, rows.tolist()), strict=True))
        self._open: list[int] = []  # items around the place
        self._at = 0  # the next text
        for row in rows.tolist():
            if len(self.items) >= _MAX_ITEMS:
                break
            self._texts_before(int(page.first[row]), row)
            self._add(True, row, int(page.first[row]), int(page.last[row]), self._is_leaf(rows, row))
        self._texts_before(len(page.start), len(page))

    def _is_leaf(self, rows: Rows, row: int) -> bool:
        following = int(np.searchsorted(rows, row, side="right"))
        return following == len(rows) or rows[following] >= self.page.end[row]

    def _end_inner(self) -> None:
        """The innermost open element has no more items."""
        number = self._open.pop()
        self.items[number] = replace(self.items[number], end=len(self.items))

    def _texts_before(self, stop: int, row: int) -> None:
        """The texts that stand directly in open elements; those of one block in one element together."""
        page = self.page
        while self._open:
            inner = self.items[self._open[-1]]
            last = min(int(page.last[inner.row]), stop)
            while self._at < last and len(self.items) < _MAX_ITEMS:
                start = self._at
                while self._at < last and page.block[self._at] == page.block[start]:
                    self._at += 1
                if self._visible[start : self._at].any():
                    self._add(False, inner.row, start, self._at, True)
            self._at = max(self._at, last)
            if page.end[inner.row] > row:
                break
            self._end_inner()

    def _add(self, element: bool, row: int, start: int, stop: int, leaf: bool) -> None:
        page = self.page
        visible = self._visible[start:stop]
        texts = np.flatnonzero(visible) + start
        number = len(self.items)
        item = OutlineItem(
            element,
            row,
            self._open[-1] if self._open else -1,
            number + 1,
            len(self._open),
            self._name(row) if element else "",
            self._paths[row],
            self._joined(texts.tolist()) if leaf else "",
            int((self._words[start:stop] * visible).sum()),
            int(page.block[texts[0]]) if len(texts) else -1,
        )
        self.items.append(item)
        if element and leaf:
            self._at = stop
        elif element:
            self._open.append(number)

    def _name(self, row: int) -> str:
        """The element, with the one below that holds the same, which often says more."""
        page, inner = self.page, row
        while inner + 1 < page.end[inner] and (page.first[inner + 1], page.last[inner + 1]) == (
            page.first[inner],
            page.last[inner],
        ):
            inner += 1
        names = [page.name(row)] + ([page.name(inner)] if inner != row else [])
        return " › ".join(dict.fromkeys(name[:40] for name in names))

    def _joined(self, texts: list[int]) -> str:
        page, pieces, size, before = self.page, list[str](), 0, -1
        for text in texts:
            piece = self._text[text]
            # What stands between may be a line break, which is no white space.
            broken = before >= 0 and b"<br" in page.markup[page.position[before] : page.position[text]].lower()
            pieces.append((" " if broken or page.spaced[text] else "") + piece)
            size, before = size + len(piece), text
            if size > 2 * _MAX_TEXT_LENGTH:
                break
        text_of_item = " ".join(without_invisible("".join(pieces)).split())
        return text_of_item if len(text_of_item) <= _MAX_TEXT_LENGTH else text_of_item[: _MAX_TEXT_LENGTH - 1] + "…"
