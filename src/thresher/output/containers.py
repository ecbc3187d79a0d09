"""What stands around each text and what stands between two, for all texts at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import HEADINGS, NUMBER, TAGS, VOID, group
from thresher.output.gap_kernels import find_gaps, part_words
from thresher.page import Page, memoised
from thresher.page.tree import nearest
from thresher.visible.readable import readable

__all__ = [
    "BLOCK",
    "JOINED",
    "LINE",
    "SPACE",
    "TRAITS",
    "Headings",
    "closing_tag_start",
    "elements_with_text",
    "gaps",
    "has_space_before",
    "headings",
    "nearest_ancestor",
    "tag_numbers",
]

Rows = NDArray[np.integer[Any]]

# What separates a text from the one before, from the weakest to the strongest.
JOINED, SPACE, LINE, BLOCK = range(4)
_BR = NUMBER["br"]
_HEADING = group(HEADINGS)


@memoised
def tag_numbers(page: Page) -> frozenset[int]:
    """The numbers of the tags that the page has.  Most pages have no formulas, listings or tables to look for."""
    return frozenset(np.bincount(page.tag).nonzero()[0].tolist())


class Headings(NamedTuple):
    """The headings of a page: their rows, and the first text of each and the one after its last."""

    row: Rows
    first: Rows
    last: Rows


@memoised
def headings(page: Page) -> Headings:
    """The headings that have texts, in document order."""
    rows = _HEADING[page.tag].nonzero()[0]
    first, last = page.first[rows], page.last[rows]
    full = first < last
    return Headings(rows[full], first[full], last[full])


def elements_with_text(page: Page, rows: Rows, kept: Rows) -> Rows:
    """Those of the elements in which at least one of the kept texts (ascending) stands."""
    return rows[kept.searchsorted(page.first[rows]) < kept.searchsorted(page.last[rows])]


def nearest_ancestor(page: Page, chosen: NDArray[np.integer[Any]], rows: NDArray[np.integer[Any]]) -> Rows:
    """For each of `rows` the innermost of the `chosen` elements (ascending) around it, or itself; -1 if there is none.

    An element r is inside D_r = |{c ≤ r}| - |{c : end_c ≤ r}| chosen ones.  The innermost of them is the last
    chosen row up to r that is itself inside D_r - 1 others.  Sorted by (D, row), that is one search: O(k log k).
    """
    if not len(chosen) or not len(rows):
        return np.full(len(rows), -1, np.intp)
    before = chosen.searchsorted(rows, "right")
    ends = page.end[chosen]
    if (ends[:-1] <= chosen[1:]).all():  # none inside another
        last = before - 1
        return np.where((before > 0) & (ends[last] > rows), chosen[last], -1)
    ends = np.sort(ends)
    inside = before - ends.searchsorted(rows, "right")
    level = np.arange(len(chosen)) - ends.searchsorted(chosen, "right")
    wide = np.int64(len(page))
    order = np.argsort(level, kind="stable")
    key = level[order] * wide + chosen[order]
    place = key.searchsorted((inside - 1) * wide + rows, "right") - 1
    return np.where(inside > 0, chosen[order[np.maximum(place, 0)]], -1)


def gaps(page: Page, kept: Rows) -> NDArray[np.int8]:
    """What separates each kept text from the kept one before it: JOINED, SPACE, LINE (a `br`) or BLOCK.

    Where readable texts between the two were dropped there is at least a SPACE, so that what stood apart stays apart,
    and so there is where a style sheet must have set two words apart.  The first is a BLOCK.
    """
    gap = np.empty(len(kept), np.int8)
    breaks = page.tag_start[page.tag == _BR] if _BR in tag_numbers(page) else _NO_ROWS
    joined = find_gaps(
        kept,
        page.block,
        page.position,
        page.spaced.view(np.uint8),
        readable(page).view(np.uint8),
        breaks,
        gap,
    )
    if joined:
        _part_words(page, kept, gap)
    return gap


def _part_words(page: Page, kept: Rows, gap: NDArray[np.int8]) -> None:
    """Set texts apart that would run together into one word that nobody wrote.

    A style sheet keeps `<a>Pricing</a><a>Blog</a>` and `7/9/05<i></i>7:57 PM` apart; `<b>T</b>he` and `M<sup>me</sup>`
    are one word each.
    So two texts are apart if an element ends and another begins between them, or a whole one lies between, unless

        the later one is raised or lowered, or both only format (`<b>bo</b><i>ld</i>`), or either text is one letter and
        the later one no link, label or key, or both stand in the same code, or no letter or digit stands on either
        side; before, a colon after a letter will do (`<b>Time:</b><span>10 min</span>`).
    """
    code = _NO_ROWS if _CODE_NUMBERS.isdisjoint(tag_numbers(page)) else nearest(page, _CODE[page.tag])
    part_words(
        kept,
        page.start,
        page.stop,
        page.owner,
        page.position,
        page.last,
        page.tag_start,
        page.tag,
        TRAITS,
        page.utf8,
        _LETTERS,
        code,
        gap,
    )


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
_NO_ROWS = np.zeros(0, np.int32)
_CODE_NAMES = ("code", "pre", "samp", "tt", "kbd")
_CODE, _CODE_NUMBERS = group(_CODE_NAMES), frozenset(NUMBER[name] for name in _CODE_NAMES)
_TRAITS_OF_NAMES = (  # a bit each
    ("i", "img", "input", "svg"),  # separates what stands on both sides
    ("sup", "sub", "rt", "rp"),  # is raised or lowered
    tuple("b strong i em u s small big font mark var q ins del strike".split()),  # only formats
    ("a", "kbd", "label"),  # stands alone
    ("ul", "ol", "menu", "dir", "dl"),  # is a list
    ("dl",),  # is a list of terms
    ("div",),  # is a group of terms in one
)
TRAITS = bytes(sum((name in names) << bit for bit, names in enumerate(_TRAITS_OF_NAMES)) for name in TAGS)
_LETTERS = bytes(
    (chr(byte).isalpha() or byte >= 128) | (chr(byte).isalpha() or byte >= 128 or chr(byte).isdigit()) << 1
    for byte in range(256)
)
