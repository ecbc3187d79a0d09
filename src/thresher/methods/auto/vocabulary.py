"""Vocabulary as evidence: does a block speak of what the page is about?

    a_b = Σ r_w [w ∈ T] / Σ r_w      over the words w with which block b begins (wording)
    r_w = 1 / log₂(2 + blocks with w)

T are the words of the page's title, or those with which the other blocks of the longest run of prose begin.  Rare words
count most: those that stand in every block say nothing.  Of a container it is the mean over its blocks, weighted by the
logarithm of their words.
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import NUMBER
from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.counts import WORDS, Counts
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.kernels.vocabulary import overlap
from thresher.methods.auto.prose import ProseRun, running
from thresher.methods.auto.wording import WIDTH, buckets_at, first_words
from thresher.page import Page
from thresher.page.types import Bools, Singles

__all__ = ["VOCABULARY", "vocabulary_columns"]

VOCABULARY = "title title_1 run run_1 run_2".split()
_LONGEST_TITLE = 3 * WIDTH  # bytes


def vocabulary_columns(page: Page, page_blocks: Blocks, counts: Counts, run: ProseRun, out: Singles) -> None:
    """The columns named in VOCABULARY."""
    block, bucket = first_words(page)
    rarity = 1 / np.log2(np.arange(2, len(page_blocks) + 3))
    share = np.empty((2, len(page_blocks)))
    stamp = np.zeros((3, BUCKETS), np.int32)
    title = _title(page).view(np.uint8)
    overlap(block.data, bucket.data, title.data, run.begin, run.stop, rarity.data, stamp.data, share.data)
    weight = np.log1p(counts.own[WORDS])
    for number, columns in enumerate(((0, 1), (2, 3, 4))):
        out[:, columns[0]] = share[number]
        sums, weights = running(share[number] * weight), running(weight)
        for level, column in enumerate(columns[1:], 1):
            begin, stop = page_blocks.begin[level], page_blocks.stop[level]
            out[:, column] = (sums[stop] - sums[begin]) / np.maximum(weights[stop] - weights[begin], 1e-6)


def _title(page: Page) -> Bools:
    """The buckets of the words of the page's title."""
    in_prose_words = np.zeros(BUCKETS, bool)
    for row in (page.tag == NUMBER["title"]).nonzero()[0][:1].tolist():
        first, last = int(page.first[row]), int(page.last[row])
        if first < last:
            begin = int(page.start[first])
            length = min(int(page.stop[last - 1]) - begin, _LONGEST_TITLE)
            start = np.arange(begin, begin + length, WIDTH)
            in_prose_words[buckets_at(page, start, np.minimum(begin + length - start, WIDTH))[1]] = True
    return in_prose_words
