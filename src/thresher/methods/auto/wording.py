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
from numpy.typing import NDArray

from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.hashing import BUCKETS, codes, hash_words
from thresher.page import Page, memoised

__all__ = ["WIDTH", "buckets_at", "first_words", "heading_above", "word_sums"]

Rows = NDArray[np.intp]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
WIDTH = 48  # bytes

_CODES = codes(lambda byte: byte >= 0x80 or chr(byte).isalnum())
_PLACES = np.arange(WIDTH, dtype=np.uint8)
_KANA, _HAN_END, _FIRST_BYTE = 0xE3, 0xE9, 0xC0  # first bytes of kana and ideographs; any of more than one byte
_HAN_BYTES = 3


@memoised
def first_words(page: Page) -> tuple[Rows, Rows]:
    """(block, bucket) of the words with which the blocks begin, in order."""
    found = blocks(page)
    start = page.start[found.first]
    return buckets_at(page, start, np.minimum(page.stop[found.last] - start, WIDTH))


def buckets_at(page: Page, start: NDArray[np.integer], length: NDArray[np.integer]) -> tuple[Rows, Rows]:
    """(piece, bucket) of the words in pieces of the text of at most WIDTH bytes, in order."""
    if not len(start):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    utf8 = page.utf8 + bytes(WIDTH)
    eight_bytes = np.ndarray(len(utf8) - 7, "<u8", utf8, strides=(1,))
    begin = eight_bytes[start[:, None] + _PLACES[::8]].tobytes()
    code = np.frombuffer(begin.translate(_CODES), np.uint8).reshape(-1, WIDTH) * (length[:, None] > _PLACES)
    letter = code.astype(bool)
    begins = letter.copy()
    begins.ravel()[1:] = letter.ravel()[1:] > letter.ravel()[:-1]
    begins[:, 0] = letter[:, 0]
    byte = np.frombuffer(begin, np.uint8).reshape(-1, WIDTH)
    han = (byte >= _KANA) & (byte <= _HAN_END) & letter
    if not han.any():
        at, bucket = hash_words(code, begins)
        return at // WIDTH, bucket
    begins |= han
    begins[:, _HAN_BYTES:] |= (
        han[:, :-_HAN_BYTES]
        & letter[:, _HAN_BYTES:]
        & ((byte[:, _HAN_BYTES:] < 0x80) | (byte[:, _HAN_BYTES:] >= _FIRST_BYTE))
    )
    at, bucket = hash_words(code, begins)
    return _pairs(at, bucket, han.ravel()[at])


def _pairs(at: Rows, bucket: Rows, han: Bools) -> tuple[Rows, Rows]:
    """The words with every two ideographs that follow each other taken as one; one alone stays."""
    joined = np.zeros(len(at) + 1, bool)  # with the one before
    joined[1:-1] = han[:-1] & han[1:] & (np.diff(at) == _HAN_BYTES)
    with_next = joined[1:]
    bucket = bucket.copy()
    first = with_next.nonzero()[0]
    bucket[first] = (bucket[first] * 31 + bucket[first + 1] * 7 + 1) % BUCKETS
    kept = with_next | ~joined[:-1]
    return at[kept] // WIDTH, bucket[kept]


def heading_above(heading: Bools) -> Rows:
    """The last heading up to each block, itself if it is one; -1 where there is none."""
    return np.asarray(np.maximum.accumulate(np.where(heading, np.arange(len(heading)), -1)), np.intp)


def word_sums(page: Page, table: Floats) -> Floats:
    """Σ vectors / √count of the words with which each block begins."""
    block, bucket = first_words(page)
    count = np.bincount(block, minlength=len(blocks(page)))
    sums = np.zeros((len(count), table.shape[1]), np.float32)
    if len(block):
        filled = count.nonzero()[0]
        starts = (np.cumsum(count) - count)[filled]
        sums[filled] = np.add.reduceat(table.take(bucket, axis=0), starts, axis=0)
        sums /= np.sqrt(np.maximum(count, 1), dtype=np.float32)[:, None]
    return sums
