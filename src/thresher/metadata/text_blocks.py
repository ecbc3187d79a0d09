"""The texts of the page as blocks, as a reader sees them: around the heading, in an element, before a text."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.metadata.byline_area import BylineArea
from thresher.output.collapse import collapsed_parts
from thresher.page import Page
from thresher.text.plain import plain

__all__ = ["TextBlock", "blocks", "text_before", "visible_blocks"]

_MAX_BLOCK_TEXTS = 20  # of one block
_MAX_LABEL_LENGTH = 40  # characters; a shorter block before a date or name may be its label
_MAX_BLOCK_LENGTH = 400


class TextBlock(NamedTuple):
    """A block of text: its first text node, the element that holds it, and its text."""

    text: int
    row: int
    string: str


def blocks(area: BylineArea) -> list[TextBlock]:
    """The blocks around the heading, those behind it first, then those in front of it, the nearest first."""
    page = area.page
    if area.first == area.last:
        return []
    texts = ((page.owner >= area.first) & (page.owner < area.last) & area.seen).nonzero()[0]
    around = _joined(page, texts)
    behind = [block for block in around if block.row > area.heading]
    return behind + [block for block in around if block.row < area.heading][::-1]


def visible_blocks(area: BylineArea, row: int, longest: int) -> list[str]:
    """The blocks of an element as far as a reader sees them; none when it is longer than any byline."""
    page = area.page
    first, last = int(page.first[row]), int(page.last[row])
    if first == last or page.stop[last - 1] - page.start[first] > 4 * longest:
        return []
    texts = [block.string for block in _joined(page, np.arange(first, last)[area.seen[first:last]])]
    return texts if sum(map(len, texts)) <= longest else []


def text_before(area: BylineArea, text: int) -> str:
    """What stands before a text in its block or, if nothing does, a short block before it: its label.

    The heading labels nothing: "Renovation begins".
    """
    page = area.page
    before = text - 1
    while before >= max(0, text - 5) and not area.seen[before]:
        before -= 1
    if before < 0 or not area.seen[before]:
        return ""
    if area.heading >= 0 and page.first[area.heading] <= before < page.last[area.heading]:
        return ""
    start = before
    while start > max(0, text - 10) and page.block[start - 1] == page.block[before]:
        start -= 1
    label = plain(" ".join(page.cut(slice(start, before + 1))), _MAX_BLOCK_LENGTH)
    same = text < len(page.block) and page.block[before] == page.block[text]  # nothing may stand in or after an element
    return label if same or len(label) <= _MAX_LABEL_LENGTH else ""


def _joined(page: Page, texts: NDArray[np.integer[Any]]) -> list[TextBlock]:
    """Texts joined to blocks; a space is put where one element ends and the next begins."""
    runs: list[list[bytes]] = []
    starts: list[int] = []
    before, utf8 = -1, page.utf8
    columns = (column[texts].tolist() for column in (page.block, page.start, page.stop))
    for text, block, start, stop in zip(texts.tolist(), *columns, strict=True):
        if block != before:
            runs.append([])
            starts.append(text)
            before = block
        runs[-1].append(utf8[start:stop])
    if not runs:
        return []
    strings = _plain([b" ".join(run[:_MAX_BLOCK_TEXTS]) for run in runs])
    joined = zip(starts, page.owner[starts].tolist(), strings, strict=True)
    return [TextBlock(*block) for block in joined if block[2]]


def _plain(texts: list[bytes]) -> list[str]:
    """The beginnings of texts as plain text: what `plain` says of each, of most in one pass."""
    is_easy = [len(text) <= _MAX_BLOCK_LENGTH * 8 and b"<" not in text for text in texts]
    lines = collapsed_parts([text for text, easy in zip(texts, is_easy, strict=True) if easy])
    if lines is None:
        return [plain(text.decode(), _MAX_BLOCK_LENGTH) for text in texts]
    following = iter(lines)
    return [
        next(following)[:_MAX_BLOCK_LENGTH].rstrip() if easy else plain(text.decode(), _MAX_BLOCK_LENGTH)
        for text, easy in zip(texts, is_easy, strict=True)
    ]
