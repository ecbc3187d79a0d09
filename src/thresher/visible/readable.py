"""What a reader of a page gets to see, and how much of it there is.

    not read      the head, scripts' and forms' innards, drawings, templates, fallbacks      `UNREAD`, by their names
    hidden        by attributes and styles, as far as the page itself tells                  hidden
    unseen        on a rendered page also what the browser did not show                      browser

No method keeps a text that is not readable, and none counts it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.data.tags import NUMBER, UNREAD, group
from thresher.page import Page, attributes, memoised
from thresher.page.columns import chars, column, has, in_link
from thresher.page.tree import block_first, block_sum, texts_within
from thresher.page.types import Bools, Bytes, Floats, Longs
from thresher.visible.browser import painted as painted_by_browser
from thresher.visible.browser import seen as seen_in_browser
from thresher.visible.hidden import doubtful, hidden, is_own_text_hidden, own_text_hidden
from thresher.visible.kernels import read_texts
from thresher.visible.until_script import has_prose

__all__ = ["Sizes", "block_chars", "block_link_density", "in_doubt", "readable", "sizes"]


_UNREAD = group(UNREAD - {"noscript"})  # that one is looked at
# What elements are, as the loop knows it: unread, a fallback, a link.
_KINDS = (_UNREAD * 1 + group(("noscript",)) * 2 + group(("a",)) * 4).astype(np.uint8)
_FALLBACK_KINDS = _KINDS & np.uint8(2 | 4)
_FALLBACK_CHARS = 300  # a noscript with less is a request to turn scripts on
_FALLBACK_SHARE = 10  # what is seen without it may have a tenth of its text
_NONE: Bools = np.zeros(0, bool)


class Sizes(NamedTuple):
    """Characters of a page: those that a reader sees, of these those outside of links, and the others."""

    seen: int
    outside_links: int
    unseen: int


class _Reading(NamedTuple):
    seen: Bools  # texts
    chars: Longs  # of these, of each block
    sizes: Sizes
    fallback: int  # characters of `noscript` that might be seen


@memoised
def readable(page: Page) -> Bools:
    """Which texts a reader of the page gets to see: all but those in the head, in scripts' and forms' innards,
    in drawings, templates and fallbacks (`UNREAD`), and in hidden elements.

    One fallback may be the page itself: some forums write their posts into `noscript` for visitors without scripts
    and next to nothing outside it.  It counts when it has ten times the text of the rest, and the rest no sentence, but
    not where the page is judged strictly.
    On a rendered page the browser decides: what it painted is seen whatever the styles seem to say, and a text that it
    did not show is not.
    """
    return _reading(page).seen


@memoised
def block_chars(page: Page) -> Longs:
    """Readable characters of each block."""
    return _reading(page).chars


@memoised
def sizes(page: Page) -> Sizes:
    """How much of the page can be read."""
    return _reading(page).sizes


@memoised
def _reading(page: Page) -> _Reading:
    closed, kinds = _closed(page), _KINDS
    if has(page, "object") and (empty := _empty_objects(page)).any():
        closed = texts_within(page, _UNREAD[page.tag] & ~empty) | (
            closed if len(closed) else texts_within(page, hidden(page))
        )
        kinds = _FALLBACK_KINDS
    reading = _read(page, kinds, closed)
    offered, rest = reading.fallback, reading.sizes.seen
    if offered < max(_FALLBACK_CHARS, _FALLBACK_SHARE * rest) or page.strict:
        return reading
    if has_prose(page, chars(page) * reading.seen):
        return reading
    return _read(page, kinds & np.uint8(1 | 4), closed)


def _read(page: Page, kinds: Bytes, closed: Bools) -> _Reading:
    """What is seen where all in `noscript` is not, if it is a kind: by the texts that are closed, or else by the
    elements that are hidden."""
    seen, sums = np.empty(len(page.start), bool), np.empty(len(block_first(page)) + 4, np.int64)
    by_elements = _NONE if len(closed) else hidden(page)
    read_texts(
        page.tag, page.first, page.last, by_elements.view(np.uint8), closed.view(np.uint8), kinds, page.block,
        chars(page), seen.view(np.uint8), sums,
    )  # fmt: skip
    sums.setflags(write=False)
    seen.setflags(write=False)
    *known, fallback = sums[-4:].tolist()
    return _Reading(seen, sums[:-4], Sizes(*known), fallback)


def _closed(page: Page) -> Bools:
    """The texts that styles or the browser hide; empty where the elements that are hidden tell as much."""
    rendered = page.box is not None and page.style is not None
    if not rendered and not is_own_text_hidden(page):
        return _NONE
    closed = texts_within(page, hidden(page)) | own_text_hidden(page)[page.owner]
    return (closed & ~painted_by_browser(page)) | ~seen_in_browser(page) if rendered else closed


def _empty_objects(page: Page) -> Bools:
    """An `object` that shows nothing else shows its fallback."""
    objects: Bools = page.tag == NUMBER["object"]
    for name in ("data", "type", "classid"):
        objects &= ~attributes.rows_with(page, name)
    return objects


@column
def in_doubt(page: Page) -> Bools:
    """Which texts of a page that is judged strictly are not readable only because nobody can tell."""
    doubts = doubtful(page)
    if not doubts.any():
        return np.zeros(len(page.start), bool)
    unseen = _UNREAD[page.tag] | (page.tag == NUMBER["noscript"]) | (hidden(page) & ~doubts)
    return texts_within(page, doubts) & ~(texts_within(page, unseen) | own_text_hidden(page)[page.owner])


@column
def block_link_density(page: Page) -> Floats:
    """Share of each block's readable characters that stand in links; 0 for a block without any."""
    total = block_chars(page)
    linked = block_sum(page, chars(page) * (readable(page) & in_link(page)))
    return linked / np.maximum(total, 1)
