"""Columns that many methods share: characters, words, links, sentence ends.

Each is a pure function of a Page, computed at most once per page and read-only.  What texts are made of is counted for
all of them at once (`thresher.page.textcounts`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER, TAGS, group
from thresher.page import Page, memoised
from thresher.page.textcounts import COUNTED, counts
from thresher.page.tree import texts_within
from thresher.page.tree_kernels import count_tags, sum_where
from thresher.page.types import Bools, Longs

__all__ = [
    "capitals",
    "chars",
    "chars_in",
    "column",
    "digits",
    "has",
    "in_link",
    "punctuation",
    "sentence_ends",
    "tag_count",
    "tag_mask",
    "text_counts",
    "words",
]

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
def text_counts(page: Page) -> Longs:
    """All that follow at once, a row for each name in `textcounts.COUNTED`."""
    return counts(page)


@column
def chars(page: Page) -> Longs:
    """Characters of each text that leave ink: code points but white space and control characters.

    In UTF-8 a code point is a byte that is no continuation byte (10xxxxxx); white space is a byte ≤ 32 or U+00A0.
    """
    return _counted(page, "chars")


def chars_in(page: Page, texts: Bools) -> int:
    """How many characters some texts have."""
    return sum_where(chars(page), texts.view(np.uint8))


@column
def words(page: Page) -> Longs:
    """Words of each text, in any script.

    w = r + ⌈c / 2⌉ + ⌈s / 4⌉, where r counts runs of letters and digits in scripts that put spaces between words, c
    the Han and kana characters (a Chinese or Japanese word has about two), s the letters of Thai, Lao, Khmer and
    Burmese (about four, marks not counted).  An apostrophe or a dot inside a run ends it, as `\\w+` does.
    """
    return _counted(page, "words")


@column
def digits(page: Page) -> Longs:
    """ASCII digits of each text."""
    return _counted(page, "digits")


@column
def capitals(page: Page) -> Longs:
    """ASCII capitals of each text."""
    return _counted(page, "capitals")


@column
def punctuation(page: Page) -> Longs:
    """Commas, stops and their kin of each text: , ; : . ! ? and the same marks of other scripts."""
    return _counted(page, "punctuation")


@column
def sentence_ends(page: Page) -> Longs:
    """Sentence ends of each text: . ! ? … before white space, a closing quote or the end of the text, and the stops of
    other scripts (。！？｡ । ॥ ؟ ۔ ። ፧ ។ ၊ ။) anywhere, for those scripts need no space after them."""
    return _counted(page, "sentence_ends")


def _counted(page: Page, name: str) -> Longs:
    row: Longs = text_counts(page)[COUNTED.index(name)]
    return row


@column
def in_link(page: Page) -> Bools:
    """Which texts stand inside an `a` element."""
    return texts_within(page, page.tag == NUMBER["a"])


# ---- elements -----------------------------------------------------------------------------------------------


def has(page: Page, *names: str) -> bool:
    """Whether any element has one of these names; for names that few pages have, it saves the search for where."""
    counts = _tag_counts(page)
    for name in names:  # noqa: SIM110  (a generator takes longer)
        if name in counts:
            return True
    return False


def tag_count(page: Page, name: str) -> int:
    """How many elements have this name."""
    return _tag_counts(page).get(name, 0)


@memoised
def _tag_counts(page: Page) -> dict[str, int]:
    """How many elements have each of the names in TAGS that any has."""
    counts = np.empty(len(TAGS), np.int32)
    count_tags(page.tag, counts)
    numbers = counts.nonzero()[0].tolist()
    return {TAGS[number]: count for number, count in zip(numbers, counts.take(numbers).tolist(), strict=True)}


def tag_mask(page: Page, *names: str) -> Bools:
    """Which elements have one of these names."""
    mask: Bools = _group(names)[page.tag]
    return mask


@cache
def _group(names: tuple[str, ...]) -> Bools:
    return group(names)
