"""What a reader of a page gets to see, and how much of it there is.

    not read      the head, scripts' and forms' innards, drawings, templates, fallbacks      `UNREAD`, by their names
    hidden        by attributes and styles, as far as the page itself tells                  hidden
    unseen        on a rendered page also what the browser did not show                      browser

No method keeps a text that is not readable, and none counts it.
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import NUMBER, UNREAD, group
from thresher.page import Page, attributes
from thresher.page.columns import chars, column, in_link
from thresher.page.tree import block_sum, texts_within
from thresher.page.types import Bools, Floats, Longs
from thresher.visible.browser import painted as painted_by_browser
from thresher.visible.browser import seen as seen_in_browser
from thresher.visible.hidden import doubtful, hidden, own_text_hidden
from thresher.visible.until_script import has_prose

__all__ = ["block_chars", "block_link_density", "in_doubt", "readable"]


_UNREAD = group(UNREAD - {"noscript"})  # that one is looked at
_FALLBACK_CHARS = 300  # a noscript with less is a request to turn scripts on
_FALLBACK_SHARE = 10  # what is seen without it may have a tenth of its text


@column
def readable(page: Page) -> Bools:
    """Which texts a reader of the page gets to see: all but those in the head, in scripts' and forms' innards,
    in drawings, templates and fallbacks (`UNREAD`), and in hidden elements.

    One fallback may be the page itself: some forums write their posts into `noscript` for visitors without scripts
    and next to nothing outside it.  It counts when it has ten times the text of the rest, and the rest no sentence, but
    not where the page is judged strictly.
    On a rendered page the browser decides: what it painted is seen whatever the styles seem to say, and a text that it
    did not show is not.
    """
    closed = texts_within(page, hidden(page)) | own_text_hidden(page)[page.owner]
    if page.box is not None and page.style is not None:
        closed = (closed & ~painted_by_browser(page)) | ~seen_in_browser(page)
    seen = ~(texts_within(page, _UNREAD[page.tag] & ~_empty_objects(page)) | closed)
    offered = texts_within(page, page.tag == NUMBER["noscript"])
    if offered.any():
        size = chars(page) * seen
        rest = size * ~offered
        offered_size = int(size[offered].sum())
        is_small = offered_size < max(_FALLBACK_CHARS, _FALLBACK_SHARE * int(rest.sum()))
        if page.strict or is_small or has_prose(page, rest):
            seen &= ~offered
    return seen


def _empty_objects(page: Page) -> Bools:
    """An `object` that shows nothing else shows its fallback."""
    objects: Bools = page.tag == NUMBER["object"]
    if objects.any():
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
def block_chars(page: Page) -> Longs:
    """Readable characters of each block."""
    return block_sum(page, chars(page) * readable(page))


@column
def block_link_density(page: Page) -> Floats:
    """Share of each block's readable characters that stand in links; 0 for a block without any."""
    total = block_chars(page)
    linked = block_sum(page, chars(page) * (readable(page) & in_link(page)))
    return linked / np.maximum(total, 1)
