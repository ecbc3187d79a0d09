"""What stands around each text and what stands between two, for all texts at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import VOID, group
from thresher.output.gap_kernels import separate
from thresher.output.traits import TRAITS
from thresher.page import Page
from thresher.page.types import Bools, Bytes, Rows
from thresher.visible.readable import readable

__all__ = [
    "BLOCK",
    "JOINED",
    "LINE",
    "NOT_SHOWN",
    "NO_PARTS",
    "SPACE",
    "TAB",
    "closing_tag_start",
    "elements_with_text",
    "gaps",
    "has_space_before",
    "separators",
]

# What separates a text from the one before, from the weakest to the strongest; in tables, a TAB.
JOINED, SPACE, LINE, BLOCK, TAB = range(5)
NOT_SHOWN = -1
NO_PARTS = np.zeros(0, np.uint8)


def elements_with_text(page: Page, rows: Rows, kept: Rows) -> Rows:
    """Those of the elements in which at least one of the kept texts (ascending) stands."""
    return rows[kept.searchsorted(page.first[rows]) < kept.searchsorted(page.last[rows])]


def gaps(page: Page, kept: Rows) -> NDArray[np.int8]:
    """What separates each kept text from the kept one before it: JOINED, SPACE, LINE (a `br`) or BLOCK.

    Where readable texts between the two were dropped there is at least a SPACE, so that what stood apart stays apart,
    and so there is where a style sheet must have set two words apart: it keeps `<a>Pricing</a><a>Blog</a>` and
    `7/9/05<i></i>7:57 PM` apart; `<b>T</b>he` and `M<sup>me</sup>` are one word each.  The first is a BLOCK.

    So two texts are apart if an element ends and another begins between them, or a whole one lies between, unless

        the later one is raised or lowered, or both only format (`<b>bo</b><i>ld</i>`), or either text is one letter and
        the later one no link, label or key, or both stand in the same code, or no letter or digit stands on either
        side; before, a colon after a letter will do (`<b>Time:</b><span>10 min</span>`).
    """
    shown = np.zeros(len(page.start), bool)
    shown[kept] = True
    between: NDArray[np.int8] = separators(page, shown)[0][kept]
    return between


def separators(page: Page, shown: Bools, parts: Bytes | None = None) -> tuple[NDArray[np.int8], int]:
    """The same for all texts, NOT_SHOWN for those that are not; and how many bytes those have that are.

    With `parts` (grids.table_parts), which may be empty, what stands in plain text: a LINE between the items of a list
    that have one block each and between the rows of a table, TAB between its cells, nothing before the first text.
    """
    gap = np.empty(len(shown), np.int8)
    size = separate(
        shown.view(np.uint8),
        page.start,
        page.stop,
        page.owner,
        page.position,
        page.block,
        page.spaced.view(np.uint8),
        readable(page).view(np.uint8),
        page.utf8,
        _LETTERS,
        page.tag,
        page.parent,
        page.end,
        page.last,
        page.tag_start,
        TRAITS,
        parts is not None,
        parts if parts is not None else NO_PARTS,
        np.empty((6, len(page)), np.int32),
        gap,
    )
    return gap, size


def closing_tag_start(page: Page, row: int) -> int:
    """Where the closing tag of an element begins; of one without, where its tag does.

    Behind the opening tag of the last element in it, at depth d', as many closing tags follow as elements are open
    there: d' - d + 1, or one less if that element has no closing tag.
    """
    last = int(page.end[row]) - 1
    if last == row and _VOID[page.tag[row]]:
        return int(page.tag_start[row])
    count = int(page.depth[last] - page.depth[row]) + (not _VOID[page.tag[last]])
    at = int(page.tag_start[last])
    for _ in range(count):
        at = page.markup.find(b"</", at + 1)
    return max(at, int(page.tag_start[row]))


def has_space_before(page: Page, at: int, after: int) -> bool:
    """Whether white space stands before a place in the markup, but for tags between, and after another place."""
    markup = page.markup
    for _ in range(_MAX_TAGS_BETWEEN):
        if markup[at - 1 : at] != b">":
            break
        at = markup.rfind(b"<", 0, at)
        if at <= after:
            return False
    return markup[at - 1 : at] in _WHITE


_VOID = group(VOID)
_WHITE = (b" ", b"\t", b"\n", b"\r", b"\f")
_MAX_TAGS_BETWEEN = 8  # tags between white space and the element it stands before
_LETTERS = bytes(
    (chr(byte).isalpha() or byte >= 128) | (chr(byte).isalpha() or byte >= 128 or chr(byte).isdigit()) << 1
    for byte in range(256)
)
