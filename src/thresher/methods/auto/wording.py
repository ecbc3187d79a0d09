"""Wording as evidence: the words with which each block begins, as sums of learned vectors.

"Share this", "Posted by", "Subscribe to our newsletter", "In stock": boilerplate repeats itself from site to site.  The
first 48 bytes of each block are cut into words (runs of letters, digits and everything beyond ASCII), each word is
hashed into a bucket, and training gives each bucket a vector.  In another script than that of the pages it learned from
no word is known, and what shares its bucket by chance is not asked (script.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.hashing import codes, hash_words
from thresher.methods.auto.script import is_foreign
from thresher.page import Page

__all__ = ["WIDTH", "first_words", "word_sums"]

Rows = NDArray[np.intp]
WIDTH = 48  # bytes

_CODES = codes(lambda byte: byte >= 0x80 or chr(byte).isalnum())
_PLACES = np.arange(WIDTH, dtype=np.uint8)


def first_words(page: Page, found: Blocks) -> tuple[Rows, Rows]:
    """(block, bucket) of the words with which the blocks begin, in order."""
    if not len(found) or is_foreign(page):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    start = page.start[found.first]
    length = np.minimum(page.stop[found.last] - start, WIDTH).astype(np.uint8)
    utf8 = page.utf8 + bytes(WIDTH)
    eight_bytes = np.ndarray(len(utf8) - 7, "<u8", utf8, strides=(1,))
    begin = eight_bytes[start[:, None] + _PLACES[::8]].tobytes()
    code = np.frombuffer(begin.translate(_CODES), np.uint8).reshape(-1, WIDTH) * (length[:, None] > _PLACES)
    letter = code.astype(bool)
    begins = letter.copy()
    begins.ravel()[1:] = letter.ravel()[1:] > letter.ravel()[:-1]
    begins[:, 0] = letter[:, 0]
    at, bucket = hash_words(code, begins)
    return at // WIDTH, bucket


def word_sums(page: Page, found: Blocks, table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Σ vectors / √count of the words with which each block begins."""
    block, bucket = first_words(page, found)
    sums = np.zeros((len(found), table.shape[1]), np.float32)
    if len(block):
        count = np.bincount(block, minlength=len(found))
        filled = count.nonzero()[0]
        starts = (np.cumsum(count) - count)[filled]
        sums[filled] = np.add.reduceat(table.take(bucket, axis=0), starts, axis=0)
        sums /= np.sqrt(np.maximum(count, 1), dtype=np.float32)[:, None]
    return sums
