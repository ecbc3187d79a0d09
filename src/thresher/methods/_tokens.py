"""A page as one sequence of content and code: words and tags, or characters and the bytes of tags.

Gottron's "content code vector" and the token sequences of BTE and DSC are one thing in two units.  Both are kept as
runs: before text k stand code_k units of code, then come its content_k units of content; code_m is what stands behind
the last text.  A page of a million characters has a few thousand runs.

Choices.  The tags are those of the tree: an element the source leaves open (`<p>`, `<li>`) is closed all the same, so
it counts two.  Comments are no tags.  Scripts and styles are not in the tree and count nothing, neither their tags nor
what is in them; as code they would change the verdict on 0.1 to 0.5 % of the text (37 pages of wcxb).  What no reader
sees (`readable`) is no content: its words are no tokens, and its characters are code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER, VOID, group
from thresher.page import Page
from thresher.page.columns import words
from thresher.page.types import Bools, Bytes, Longs
from thresher.visible.readable import readable

__all__ = ["Runs", "characters", "majority", "spread", "tags_before", "tokens"]


_IS_VOID = group(VOID)
_A = NUMBER["a"]
_CLOSING_A = len(b"</a>")
_LESS_THAN = ord("<")
_SPACE = 32


class Runs(NamedTuple):
    """code_0 content_0 code_1 content_1 … content_{m-1} code_m, each a number of units."""

    code: Longs  # (m + 1,)
    content: Longs  # (m,)

    @property
    def stop(self) -> Longs:
        """Where each content run ends, counted in units from the start of the page; it starts at stop - content."""
        stop: Longs = np.cumsum(self.code[:-1] + self.content)
        return stop


def tokens(page: Page) -> Runs:
    """Words as content, tags as code."""
    before, total = tags_before(page)
    return Runs(np.diff(before, prepend=0, append=total), words(page) * readable(page))


def tags_before(page: Page) -> tuple[Longs, int]:
    """How many tags stand before each text, and how many the page has.

    o_k, the opening tags before text k, is one search in the ascending column `tag_start`.  The elements open at text k
    are its owner and the owner's ancestors, depth + 1 of them, and every other element that has a closing tag is closed
    by then, so the closing tags are

        c_k = |{i < o_k : i has a closing tag}| - (depth(owner_k) + 1)

    O(n + m log n), and no byte of the markup is read.  An element with a void name has a closing tag if it holds
    something, as in `<svg><input>x</input></svg>`.
    """
    alone = (page.end == np.arange(1, len(page) + 1)) & (page.first == page.last)
    paired = _running(~(_IS_VOID[page.tag] & alone))
    opened = np.searchsorted(page.tag_start, page.position)
    before: Longs = opened + paired[opened] - page.depth[page.owner] - 1
    return before, len(page) + int(paired[-1])


def characters(page: Page, anchors: bool = True) -> Runs:
    """Characters of text as content, all else in the canonical markup as code; without `anchors`, the tags of `a`
    elements are neither.

    Content is counted in code points, with white space as a browser shows it: a run of it is one character, and there
    is none at the edges of a text.  Counted as it stands, indentation would count as content and cost CCB 0.025 F1 (150
    pages of wcxb).  White space between two tags is code.  Code is counted in bytes; nearly all of it is ASCII.
    """
    buffer = np.frombuffer(page.markup, np.uint8)
    start = page.position.astype(np.int64)
    bracket = np.append(np.flatnonzero(buffer == _LESS_THAN), len(buffer))
    stop = bracket[np.searchsorted(bracket, start)]  # a text holds no "<": the next one ends it
    seen = readable(page)
    stop = np.where(seen, stop, start)
    total = len(buffer)
    if not anchors:
        skipped, in_all = _anchor_bytes(page)
        start, stop, total = start - skipped, stop - skipped, total - in_all
    code = np.append(start, total) - np.concatenate((np.zeros(1, np.int64), stop))
    return Runs(code, _shown_characters(page) * seen)


def _anchor_bytes(page: Page) -> tuple[Longs, int]:
    """Bytes of `<a …>` and `</a>` before each text, and in the whole page.  The closing ones are those opened before
    the text less those still open, and how many are open follows from the texts at which they start and stop."""
    row = np.flatnonzero(page.tag == _A)
    opening = _running(page.tag_stop[row] - page.tag_start[row])
    opened = np.searchsorted(page.tag_start[row], page.position)
    texts = len(page.position)
    step = np.bincount(page.first[row], minlength=texts + 1) - np.bincount(page.last[row], minlength=texts + 1)
    still_open = np.cumsum(step)[:texts]
    before: Longs = opening[opened] + _CLOSING_A * (opened - still_open)
    return before, int(opening[-1]) + _CLOSING_A * len(row)


def _shown_characters(page: Page) -> Longs:
    """Code points of each text, white space collapsed: those that leave ink, and a space between two runs of them."""
    if not len(page.start):
        return np.zeros(0, np.int64)
    bytes_ = np.frombuffer(page.utf8, np.uint8)
    ink = bytes_ > _SPACE
    run = ink.copy()
    run[1:] &= ~ink[:-1]
    unit = ink & ((bytes_ & 0xC0) != 0x80)
    edges = np.stack((page.start, page.stop), axis=1).ravel()
    counted: Longs = np.add.reduceat(unit.view(np.uint8) + run, edges, dtype=np.int64)[::2]
    return np.maximum(counted - 1, 0)


def spread(runs: Runs) -> Bytes:
    """The content code vector: 1 for each unit of content, 0 for each unit of code."""
    length = np.empty(2 * len(runs.content) + 1, np.int64)
    length[0::2], length[1::2] = runs.code, runs.content
    return np.repeat((np.arange(len(length)) & 1).astype(np.uint8), length)


def majority(runs: Runs, chosen: Bools, step: int = 1) -> Bools:
    """Which texts have half of their units chosen, or more; `chosen` has an entry for every `step` units.

    A text without units, such as the comma between two words in bold, goes with the units on both sides of it.
    """
    running, padded = _running(chosen), np.append(chosen, False)

    def until(unit: Longs) -> Longs:
        whole, rest = np.divmod(unit, step)
        count: Longs = running[whole] * step + rest * padded[whole]
        return count

    stop = runs.stop
    start = stop - runs.content
    half = 2 * (until(stop) - until(start)) >= runs.content
    around = padded[start // step] & padded[np.maximum(start - 1, 0) // step]
    keep: Bools = half & ((runs.content > 0) | around)
    return keep


def _running(x: NDArray[Any]) -> Longs:
    """0, x_0, x_0 + x_1, …"""
    running = np.zeros(len(x) + 1, np.int64)
    np.cumsum(x, out=running[1:])
    return running
