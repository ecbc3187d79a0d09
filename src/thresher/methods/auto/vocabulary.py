"""Vocabulary as evidence: does a block speak of what the page is about?

    a_b = Σ r_w [w ∈ T] / Σ r_w      over the words w with which block b begins (wording)
    r_w = 1 / log₂(2 + blocks with w)

T are the words of the page's title, or those with which the other blocks of the longest run of prose begin.  Rare words
count most: those that stand in every block say nothing.  Of a container it is the mean over its blocks, weighted by the
logarithm of their words.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from thresher.data.tags import NUMBER
from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.counts import WORDS, Counts
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.kernels.vocabulary import overlap, write_vocabulary
from thresher.methods.auto.prose import ProseRun
from thresher.methods.auto.wording import WIDTH, buckets_at, first_words
from thresher.page import Page
from thresher.page.types import Bools, Floats, Singles

__all__ = ["VOCABULARY", "title_span", "vocabulary_columns"]

VOCABULARY = "title title_1 run run_1 run_2".split()
_LONGEST_TITLE = 3 * WIDTH  # bytes


def vocabulary_columns(page: Page, page_blocks: Blocks, counts: Counts, run: ProseRun, out: Singles) -> None:
    """The columns named in VOCABULARY."""
    block, bucket = first_words(page)
    share, running = np.empty((2, len(page_blocks))), np.empty((3, len(page_blocks) + 1))
    stamp, rarity = np.empty((3, BUCKETS), np.int32), _rarity((len(page_blocks) + 1).bit_length())
    title = _title(page).view(np.uint8)
    overlap(block, bucket, title, run.begin, run.stop, rarity, stamp, share)
    write_vocabulary(
        share, counts.own[WORDS], page_blocks.begin, page_blocks.stop, running, out
    )  # fmt: skip


@cache
def _rarity(bits: int) -> Floats:
    """r_w for words in 0, 1, … blocks, as many as there are numbers of so many bits."""
    return np.asarray(1 / np.log2(np.arange(2, 2 + (1 << bits))))


def title_span(page: Page) -> tuple[int, int]:
    """Where the page's title stands in its text; two equal numbers if it has none."""
    row = int((page.tag == NUMBER["title"]).argmax())
    first, last = int(page.first[row]), int(page.last[row])
    if page.tag[row] != NUMBER["title"] or first == last:
        return 0, 0
    return int(page.start[first]), int(page.stop[last - 1])


def _title(page: Page) -> Bools:
    """The buckets of the words of the page's title."""
    in_title = np.zeros(BUCKETS, bool)
    begin, stop = title_span(page)
    if begin < stop:
        stop = min(stop, begin + _LONGEST_TITLE)
        start = np.arange(begin, stop, WIDTH, dtype=np.int32)
        in_title[buckets_at(page, start, np.full(len(start), stop, np.int32))[1]] = True
    return in_title
