"""Wording as evidence: the words with which each block begins, as sums of learned vectors.

"Share this", "Posted by", "Subscribe to our newsletter", "In stock": boilerplate repeats itself from site to site.  The
first 48 bytes of each block are cut into words (runs of letters, digits and everything beyond ASCII), each word is
hashed into a bucket, and training gives each bucket a vector.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.judge.blocks import Blocks
from thresher.judge.hashing import hash_words
from thresher.page import Page

__all__ = ["WIDTH", "first_words", "word_sums"]

Rows = NDArray[np.intp]
WIDTH = 48  # bytes

_LETTER = np.array([code >= 0x80 or chr(code).isalnum() for code in range(256)])


def first_words(page: Page, found: Blocks) -> tuple[Rows, Rows]:
    """(block, bucket) of the words with which the blocks begin, in order."""
    if not len(found):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    utf8 = np.frombuffer(page.utf8, np.uint8)
    start = page.start[found.first].astype(np.intp)
    place = start[:, None] + np.arange(WIDTH)
    np.minimum(place, len(utf8) - 1, out=place)
    code = utf8[place]
    letter = _LETTER.take(code)
    letter &= place < page.stop[found.last].astype(np.intp)[:, None]
    begins = letter.copy()
    begins[:, 1:] &= ~letter[:, :-1]
    at, bucket, _ = hash_words(code.ravel(), letter.ravel(), begins.ravel())
    return at // WIDTH, bucket


def word_sums(page: Page, found: Blocks, table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Σ vectors / √count of the words with which each block begins."""
    block, bucket = first_words(page, found)
    sums = np.zeros((len(found), table.shape[1]), np.float32)
    if len(block):
        starts = np.flatnonzero(np.append(True, block[1:] != block[:-1]))
        count = np.append(starts[1:], len(block)) - starts
        sums[block[starts]] = np.add.reduceat(table.take(bucket, axis=0), starts, axis=0) / np.sqrt(count)[:, None]
    return sums
