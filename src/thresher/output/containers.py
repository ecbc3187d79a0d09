"""What stands around each text and what stands between two, for all texts at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import HEADINGS, NUMBER, TAGS, VOID, group
from thresher.page import Page, memoised
from thresher.page.types import Bools, Bytes
from thresher.visible.readable import readable

__all__ = [
    "BLOCK",
    "JOINED",
    "LINE",
    "SPACE",
    "Headings",
    "closing_tag_start",
    "elements_with_text",
    "gaps",
    "has_space_before",
    "headings",
    "nearest_ancestor",
    "tag_names",
]

Rows = NDArray[np.integer[Any]]

# What separates a text from the one before, from the weakest to the strongest.
JOINED, SPACE, LINE, BLOCK = range(4)
_BR = NUMBER["br"]
_HEADING = group(HEADINGS)


@memoised
def tag_names(page: Page) -> frozenset[str]:
    """The names of elements that the page has.  Most pages have no formulas, listings or tables to look for."""
    return frozenset(TAGS[number] for number in np.bincount(page.tag).nonzero()[0].tolist())


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
    gap = np.full(len(kept), BLOCK, np.int8)
    block = page.block[kept]
    inner = (block[1:] == block[:-1]).nonzero()[0] + 1  # the others begin a block
    if not len(inner):
        return gap
    gap[inner] = page.spaced[kept[inner]]
    if "br" in tag_names(page):
        passed = page.tag_start[page.tag == _BR].searchsorted(page.position[kept])
        gap[inner[passed[inner] > passed[inner - 1]]] = LINE
    joined = inner[gap[inner] == JOINED]
    if len(joined):
        before, after = kept[joined - 1], kept[joined]
        apart = _set_apart(page, before, after)
        if (after - before > 1).any():
            passed = np.cumsum(page.spaced | readable(page))
            apart |= passed[after - 1] > passed[before]
        gap[joined[apart]] = SPACE
    return gap


def closing_tag_start(page: Page, row: int) -> int:
    """Where the closing tag of an element begins; of one without, where its tag does.

    Behind the opening tag of the last element in it, at depth d', as many closing tags follow as elements are open
    there: d' - d + 1, or one less if that element has no closing tag.
    """
    last = int(page.end[row]) - 1
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


def _set_apart(page: Page, before: Rows, after: Rows) -> Bools:
    """Which pairs of texts without white space between would run together into one word that nobody wrote.

    A style sheet keeps `<a>Pricing</a><a>Blog</a>` and `7/9/05<i></i>7:57 PM` apart; `<b>T</b>he` and `M<sup>me</sup>`
    are one word each.
    So two texts are apart if an element ends and another begins between them, or a whole one lies between, unless

        the later one is raised or lowered, or both only format (`<b>bo</b><i>ld</i>`), or either text is one letter and
        the later one no link, label or key, or both stand in the same code, or no letter or digit stands on either
        side; before, a colon after a letter will do (`<b>Time:</b><span>10 min</span>`).
    """
    utf8 = np.frombuffer(page.utf8, np.uint8)
    result = np.zeros(len(before), bool)
    ends = page.stop[before] - 1
    end = utf8[ends]
    wordy = _LETTERS[end] | ((end == _COLON) & _LETTERS_ONLY[utf8[ends - 1]] & (ends > page.start[before]))
    chosen = np.flatnonzero(wordy & _LETTERS[utf8[page.start[after]]])
    if not len(chosen):
        return result
    before, after = before[chosen], after[chosen]
    owner = page.owner[before]
    opened = np.searchsorted(page.tag_start, page.position[before])  # the first element that begins after `before`
    opened = np.minimum(opened, len(page) - 1)
    begins = (page.tag_start[opened] > page.position[before]) & (page.tag_start[opened] < page.position[after])
    between = begins & (page.last[opened] <= after) & _SEPARATES[page.tag[opened]]
    # Around `after` but not around `before`: the first one, if it holds `after`, else the innermost.
    later = np.where(page.last[opened] > after, opened, page.owner[after])
    kind = page.tag[later]
    beside = begins & (page.tag_start[later] > page.position[before]) & (page.last[owner] <= after)
    beside &= ~_RAISED[kind] & ~(_FORMATS[kind] & _FORMATS[page.tag[owner]])
    letters = np.minimum(page.stop[before] - page.start[before], page.stop[after] - page.start[after]) == 1
    apart = between | (beside & ~(letters & ~_STANDS_ALONE[kind]))
    candidates = apart.nonzero()[0]
    if len(candidates):
        before, after, owner = before[candidates], after[candidates], owner[candidates]
        apart = ~(_is_mark(utf8, page.stop[before] - 3) | _is_mark(utf8, page.start[after]))
        if not _CODE_NAMES.isdisjoint(tag_names(page)):  # highlighters put a span around each token
            codes = _CODE[page.tag].nonzero()[0]
            code = nearest_ancestor(page, codes, page.owner[after])
            apart &= (code < 0) | (code != nearest_ancestor(page, codes, owner))
        result[chosen[candidates[apart]]] = True
    return result


def _is_mark(utf8: Bytes, at: Rows) -> Bools:
    """Whether a character of three bytes stands there that is no letter: of the blocks General Punctuation (E2 80,
    E2 81) and CJK Symbols (E3 80)."""
    at = np.maximum(at, 0)
    first, second = utf8[at], utf8[np.minimum(at + 1, len(utf8) - 1)]
    mark: Bools = ((first == 0xE2) & (second <= 0x81)) | ((first == 0xE3) & (second == 0x80))
    return mark


_VOID = group(VOID)
_WHITE = (b" ", b"\t", b"\n", b"\r", b"\f")
_MAX_TAGS_BETWEEN = 8  # tags between white space and the element it stands before
_CODE_NAMES = frozenset(("code", "pre", "samp", "tt", "kbd"))
_CODE = group(_CODE_NAMES)
_SEPARATES = group(("i", "img", "input", "svg"))
_RAISED = group(("sup", "sub", "rt", "rp"))
_FORMATS = group(tuple("b strong i em u s small big font mark var q ins del strike".split()))
_STANDS_ALONE = group(("a", "kbd", "label"))
_COLON = ord(":")
_LETTERS_ONLY = np.array([chr(byte).isalpha() or byte >= 128 for byte in range(256)])
_LETTERS = _LETTERS_ONLY | np.array([chr(byte).isdigit() for byte in range(256)])
