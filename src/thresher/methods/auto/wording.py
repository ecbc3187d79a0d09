"""Wording as evidence: the words with which each block begins, and those of the heading above it, as sums of learned
vectors.

"Share this", "Posted by", "Subscribe to our newsletter", "In stock": boilerplate repeats itself from site to site, and
so do the headings above it.  The first 48 bytes of each block are cut into words (runs of letters, digits and all that
is beyond ASCII; of ideographs and kana, which are written without spaces, every pair).  Each word is hashed into a
bucket, and training gives each bucket two vectors: one for blocks that begin with the word, one for what stands under a
heading that does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.elements import title_row
from thresher.methods.auto.hashing import codes
from thresher.methods.auto.kernels.hashing import hash_first_words
from thresher.methods.auto.kernels.vectors import write_wording
from thresher.page import Page, memoised
from thresher.page.types import Bools, Rows, Singles

__all__ = ["WIDTH", "Words", "first_words", "heading_above", "title_span", "word_sums"]

WIDTH = 48  # bytes
_LONGEST_TITLE = 3 * WIDTH

_CODES = codes(lambda byte: byte >= 0x80 or chr(byte).isalnum())


class Words(NamedTuple):
    """The words with which blocks begin, in their order, and those of the page's title."""

    block: Rows
    bucket: Rows
    title: Rows  # buckets


@memoised
def first_words(page: Page) -> Words:
    found, (begin, stop) = blocks(page), title_span(page)
    most = (len(found) + 3) * (WIDTH // 2 + 1) + 1  # words; what they do not fill costs nothing
    words, counts = np.empty((2, most), np.intp), np.empty(2, np.intp)
    hash_first_words(
        page.utf8, page.start, page.stop, found.table, begin, min(stop, begin + _LONGEST_TITLE), _CODES, WIDTH,
        words, counts,
    )  # fmt: skip
    of_blocks, of_title = counts.tolist()
    block, bucket = words[:, : of_blocks + of_title].copy()
    return Words(block[:of_blocks], bucket[:of_blocks], bucket[of_blocks:])


@memoised
def title_span(page: Page) -> tuple[int, int]:
    """Where the page's title stands in its text; two equal numbers if it has none."""
    row = title_row(page)
    first, last = (int(page.first[row]), int(page.last[row])) if row >= 0 else (0, 0)
    return (int(page.start[first]), int(page.stop[last - 1])) if first < last else (0, 0)


def heading_above(heading: Bools) -> Rows:
    """The last heading up to each block, itself if it is one; -1 where there is none."""
    return np.asarray(np.maximum.accumulate(np.where(heading, np.arange(len(heading)), -1)), np.intp)


def word_sums(page: Page, table: Singles, x: Singles, heading: int, middle: int, at: int) -> None:
    """Write Σ vectors / √count of the words with which each block begins, from column `at` on, and from `middle` on
    that of those with which the last heading up to it begins, 0 where there is none; `heading` is the column that is
    above 0 for headings.  A row of the table has both vectors."""
    words = first_words(page)
    write_wording(words.block, words.bucket, table, x, heading, middle, at)
