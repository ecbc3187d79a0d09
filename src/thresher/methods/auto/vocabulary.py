"""Vocabulary as evidence: does a block speak of what the page is about?

    a_b = Σ r_w [w ∈ T] / Σ r_w      over the words w with which block b begins (wording)
    r_w = 1 / log₂(2 + blocks with w)

T are the words of the page's title, or those with which the other blocks of the longest run of prose begin.  Rare words
count most: those that stand in every block say nothing.  Of a container it is the mean over its blocks, weighted by the
logarithm of their words.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate

import numpy as np

from thresher.methods.auto.blocks import SECRET, Blocks, slots
from thresher.methods.auto.counts import Counts
from thresher.methods.auto.elements import title_row
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.kernels.title import share_title_words
from thresher.methods.auto.kernels.vocabulary import write_vocabulary
from thresher.methods.auto.wording import WIDTH, buckets_at, first_words
from thresher.page import Page
from thresher.page.types import Floats, Ints, Rows, Singles

__all__ = ["VOCABULARY", "title_words", "vocabulary_columns"]

VOCABULARY = "title title_1 run run_1 run_2".split()
_LONGEST_TITLE = 3 * WIDTH  # bytes


def vocabulary_columns(
    page: Page, page_blocks: Blocks, counted: Counts, run: Rows, reals: Floats, logs: Floats, x: Singles, at: int
) -> None:
    """The columns named in VOCABULARY, from `at` on; `run` is where the longest run of prose begins and stops, `reals`
    room (kernels/vocabulary.py)."""
    block, bucket = first_words(page)
    write_vocabulary(
        block, bucket, _title_buckets(page), run, _rarity((len(page_blocks) + 1).bit_length()),
        np.empty((4, BUCKETS), np.int32), page_blocks.table, counted.own, reals, logs, x, at,
    )  # fmt: skip


@cache
def _rarity(bits: int) -> Floats:
    """r_w for words in 0, 1, … blocks, as many as there are numbers of so many bits."""
    return np.asarray(1 / np.log2(np.arange(2, 2 + (1 << bits))))


def _title_span(page: Page) -> tuple[int, int]:
    """Where the page's title stands in its text; two equal numbers if it has none."""
    row = title_row(page)
    first, last = (int(page.first[row]), int(page.last[row])) if row >= 0 else (0, 0)
    return (int(page.start[first]), int(page.stop[last - 1])) if first < last else (0, 0)


def _title_buckets(page: Page) -> Rows:
    """The buckets of the words of the page's title."""
    begin, stop = _title_span(page)
    if begin == stop:
        return _NO_WORDS
    stop = min(stop, begin + _LONGEST_TITLE)
    start = range(begin, stop, WIDTH)
    return buckets_at(page, np.array(start, np.int32), np.array([stop] * len(start), np.int32))[1]


_NO_WORDS: Rows = np.zeros(0, np.intp)
_NO_WORDS.setflags(write=False)


def title_words(page: Page, headings: Ints, x: Singles, column: int) -> None:
    """Write the share of the words of some headings that the page's title has; `headings` are blocks with their start
    and stop in the text."""
    begin, stop = _title_span(page)
    if begin == stop or not len(headings):
        return
    seen = slots(stop - begin)
    keys = np.empty(len(seen), np.uint64)
    if not share_title_words(page.utf8, begin, stop, headings, False, SECRET, keys, seen, x, column):
        spans = [(begin, stop), *headings[:, 1:].tolist()]
        # Two NULs stand nowhere in the text
        lower = b"\0\0".join([page.utf8[start:end] for start, end in spans]).decode().lower().encode()
        sizes = [len(piece) + 2 for piece in lower.split(b"\0\0")]
        ends = [*accumulate(sizes)]
        in_lower = headings.copy()
        in_lower[:, 1], in_lower[:, 2] = ends[:-1], [end - 2 for end in ends[1:]]
        seen = slots(sizes[0])
        keys = np.empty(len(seen), np.uint64)
        share_title_words(lower, 0, sizes[0] - 2, in_lower, True, SECRET, keys, seen, x, column)
