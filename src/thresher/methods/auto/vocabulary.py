"""Vocabulary as evidence: does a block speak of what the page is about?

    a_b = Σ r_w [w ∈ T] / Σ r_w      over the words w with which block b begins (wording)
    r_w = 1 / log₂(2 + blocks with w)

T are the words of the page's title, or those with which the other blocks of the longest run of prose begin.  Rare words
count most: those that stand in every block say nothing.  Of a container it is the mean over its blocks, weighted by the
logarithm of their words.

The loop is `kernels.vocabulary.write_vocabulary`.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate

import numpy as np

from thresher.methods.auto.blocks import SECRET, slots
from thresher.methods.auto.kernels.title import share_title_words
from thresher.methods.auto.wording import title_span
from thresher.page import Page
from thresher.page.types import Floats, Ints, Singles

__all__ = ["VOCABULARY", "rarity", "title_words"]

VOCABULARY = "title title_1 run run_1 run_2".split()


@cache
def rarity(bits: int) -> Floats:
    """r_w for words in 0, 1, … blocks, as many as there are numbers of so many bits."""
    return np.asarray(1 / np.log2(np.arange(2, 2 + (1 << bits))))


def title_words(page: Page, headings: Ints, x: Singles, column: int) -> None:
    """Write the share of the words of some headings that the page's title has; `headings` are blocks with their start
    and stop in the text."""
    begin, stop = title_span(page)
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
