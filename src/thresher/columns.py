"""Columns that many methods share: characters, words, links, sentence ends, what a reader can see.

Each is a pure function of a Page, computed at most once per page and read-only.  What texts are made of is counted for
all of them at once (`thresher.textcounts`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.data.tags import NUMBER, UNREAD, group
from thresher.page import Page, memoised
from thresher.textcounts import COUNTED, counts
from thresher.tree import block_sum, text_sum, texts_within

__all__ = [
    "block_chars",
    "block_link_density",
    "capitals",
    "chars",
    "column",
    "digits",
    "in_link",
    "link_density",
    "punctuation",
    "readable",
    "sentence_ends",
    "tag_mask",
    "text_counts",
    "tokens",
    "words",
]

Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]
Array = TypeVar("Array", bound=NDArray[Any])


def column(compute: Callable[[Page], Array]) -> Callable[[Page], Array]:
    """Make a function of a page a column: computed once per page, read-only."""

    @wraps(compute)
    def read_only(page: Page) -> Array:
        array = compute(page)
        array.setflags(write=False)
        return array

    return memoised(read_only)


# ---- text nodes ----------------------------------------------------------------------------------------------


@column
def text_counts(page: Page) -> Counts:
    """All that follow at once, a row for each name in `textcounts.COUNTED`."""
    return counts(page)


@column
def chars(page: Page) -> Counts:
    """Characters of each text that leave ink: code points but white space and control characters.

    In UTF-8 a code point is a byte that is no continuation byte (10xxxxxx); white space is a byte ≤ 32 or U+00A0.
    """
    return _counted(page, "chars")


@column
def words(page: Page) -> Counts:
    """Words of each text, in any script.

    w = r + ⌈c / 2⌉ + ⌈s / 4⌉, where r counts runs of letters and digits in scripts that put spaces between words, c
    the Han and kana characters (a Chinese or Japanese word has about two), s the letters of Thai, Lao, Khmer and
    Burmese (about four, marks not counted).  An apostrophe or a dot inside a run ends it, as `\\w+` does.
    """
    return _counted(page, "words")


@column
def digits(page: Page) -> Counts:
    """ASCII digits of each text."""
    return _counted(page, "digits")


@column
def capitals(page: Page) -> Counts:
    """ASCII capitals of each text."""
    return _counted(page, "capitals")


@column
def punctuation(page: Page) -> Counts:
    """Commas, stops and their kin of each text: , ; : . ! ? and the same marks of other scripts."""
    return _counted(page, "punctuation")


@column
def sentence_ends(page: Page) -> Counts:
    """Sentence ends of each text: . ! ? … before white space, a closing quote or the end of the text, and the stops of
    other scripts (。！？｡ । ॥ ؟ ۔ ። ፧ ។ ၊ ။) anywhere, for those scripts need no space after them."""
    return _counted(page, "sentence_ends")


def _counted(page: Page, name: str) -> Counts:
    row: Counts = text_counts(page)[COUNTED.index(name)]
    return row


@column
def in_link(page: Page) -> Bools:
    """Which texts stand inside an `a` element."""
    return texts_within(page, page.tag == NUMBER["a"])


@column
def readable(page: Page) -> Bools:
    """Which texts a reader of the page gets to see: all but those in the head, in scripts' and forms' innards,
    in drawings, templates and fallbacks (`UNREAD`), and in hidden elements.

    One fallback may be the page itself: some forums write their posts into `noscript` for visitors without scripts
    and next to nothing outside it.  It counts when it has ten times the text of the rest, and the rest no sentence.
    On a rendered page a text must have been seen in the browser too.
    """
    from thresher.selfhiding import has_prose
    from thresher.visibility import hidden, veiled

    seen = ~(texts_within(page, _UNREAD[page.tag] | hidden(page)) | veiled(page)[page.owner])
    offered = texts_within(page, page.tag == NUMBER["noscript"])
    if offered.any():
        size = chars(page) * seen
        rest = size * ~offered
        offered_size = int(size[offered].sum())
        if offered_size < max(_FALLBACK_CHARS, _FALLBACK_SHARE * int(rest.sum())) or has_prose(page, rest):
            seen &= ~offered
    if page.box is not None and page.style is not None:
        from thresher.render.sight import seen as seen_in_browser

        seen &= seen_in_browser(page)
    return seen


# ---- blocks and elements -------------------------------------------------------------------------------------


@column
def block_chars(page: Page) -> Counts:
    """Readable characters of each block."""
    return block_sum(page, chars(page) * readable(page))


@column
def block_link_density(page: Page) -> NDArray[np.float64]:
    """Share of each block's readable characters that stand in links; 0 for a block without any."""
    total = block_chars(page)
    linked = block_sum(page, chars(page) * (readable(page) & in_link(page)))
    return linked / np.maximum(total, 1)


@column
def link_density(page: Page) -> NDArray[np.float64]:
    """Share of each element's readable characters that stand in links; 0 for an element without any."""
    seen = chars(page) * readable(page)
    return text_sum(page, seen * in_link(page)) / np.maximum(text_sum(page, seen), 1)


def tag_mask(page: Page, *names: str) -> Bools:
    """Which elements have one of these names."""
    mask: Bools = group(names)[page.tag]
    return mask


def tokens(page: Page) -> dict[int, tuple[str, ...]]:
    """The class, id and role tokens of each element that has any, in lower case."""
    result: dict[int, tuple[str, ...]] = {}
    for name in ("class", "id", "role"):
        for row, found in attributes.tokens(page, name).items():
            result[row] = result.get(row, ()) + found
    return result


_UNREAD = group(UNREAD - {"noscript"})  # that one is looked at
_FALLBACK_CHARS = 300  # a noscript with less is a request to turn scripts on
_FALLBACK_SHARE = 10  # what is seen without it may have a tenth of its text
