"""Wording as evidence: the words with which each block begins, and those of the heading above it, as sums of learned
vectors.

"Share this", "Posted by", "Subscribe to our newsletter", "In stock": boilerplate repeats itself from site to site, and
so do the headings above it.  The first 48 bytes of each block are cut into words (runs of letters, digits and all that
is beyond ASCII; of ideographs and kana, which are written without spaces, every pair).  Each word is hashed into a
bucket, and training gives each bucket two vectors: one for blocks that begin with the word, one for what stands under a
heading that does.
"""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.hashing import codes
from thresher.methods.auto.kernels.hashing import hash_first_words
from thresher.methods.auto.kernels.vectors import sum_words
from thresher.page import Page, memoised
from thresher.page.types import Bools, Ints, Rows, Singles

__all__ = ["WIDTH", "buckets_at", "first_words", "heading_above", "word_sums"]

WIDTH = 48  # bytes

_CODES = codes(lambda byte: byte >= 0x80 or chr(byte).isalnum())


@memoised
def first_words(page: Page) -> tuple[Rows, Rows]:
    """(block, bucket) of the words with which the blocks begin, in order."""
    page_blocks = blocks(page)
    return buckets_at(page, page.start.take(page_blocks.first), page.stop.take(page_blocks.last))


def buckets_at(page: Page, start: Ints, stop: Ints) -> tuple[Rows, Rows]:
    """(piece, bucket) of the words in pieces of the text, of at most WIDTH bytes of each, in order."""
    most = len(start) * (WIDTH // 2 + 1) + 1  # words; what they do not fill costs nothing
    piece, bucket = np.empty((2, most), np.intp)
    count = hash_first_words(page.utf8, start, stop, _CODES, WIDTH, piece, bucket)
    return piece[:count].copy(), bucket[:count].copy()


def heading_above(heading: Bools) -> Rows:
    """The last heading up to each block, itself if it is one; -1 where there is none."""
    return np.asarray(np.maximum.accumulate(np.where(heading, np.arange(len(heading)), -1)), np.intp)


def word_sums(page: Page, table: Singles, out: Singles, heading: Bools | None = None) -> None:
    """Σ vectors / √count of the words with which each block begins; if headings are given, with which the last one up
    to each block begins, 0 where there is none."""
    block, bucket = first_words(page)
    chosen = np.ones(len(out), np.uint8) if heading is None else heading.view(np.uint8)
    sum_words(block, bucket, table, chosen, out)
