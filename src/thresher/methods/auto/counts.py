"""What is counted once and asked for by all columns of evidence: running sums over the texts, and sums by block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.data.tags import group
from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.script import is_foreign
from thresher.page import Page, memoised
from thresher.page.columns import in_link, text_counts
from thresher.page.textcounts import COUNTED
from thresher.page.types import Floats, Ints, Singles
from thresher.visible.readable import readable

__all__ = [
    "CAPITALS",
    "CHARS",
    "DIGITS",
    "EMPHASIS",
    "ENDS",
    "LINKED",
    "PUNCTUATION",
    "SUMS",
    "WORDS",
    "Counts",
    "counts",
]

_WORD_LENGTH, _SENTENCE_LENGTH = 5, 20  # letters, words
_UNMARKED = 100  # words for each mark that ends a sentence, and more: sentences end without one
SUMS = (*COUNTED, "linked", "emphasis")
WORDS, CHARS, DIGITS, CAPITALS, PUNCTUATION, ENDS, LINKED, EMPHASIS = range(len(SUMS))
_EMPHASIS = group({"b", "strong", "em", "i", "mark", "u"})


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """One row per name in SUMS, readable texts only."""

    sums: Ints  # (S, m + 1)  over the texts before each
    own: Singles  # (S, B)  of each block
    link_density: Floats  # (n,)  of each element, by characters


@memoised
def counts(page: Page) -> Counts:
    sums = _running_sums(page)
    page_blocks = blocks(page)
    own = (sums.take(page_blocks.last + 1, axis=1) - sums.take(page_blocks.first, axis=1)).astype(np.float32)
    ends = sums[[LINKED, CHARS]]
    linked, chars = ends.take(page.last, axis=1) - ends.take(page.first, axis=1)
    return Counts(sums, own, linked / np.maximum(chars, 1))


def _running_sums(page: Page) -> Ints:
    """Sums of the text columns over the texts before each."""
    seen = readable(page)
    sums = np.zeros((len(SUMS), len(seen) + 1), np.int32)
    each = sums[:, 1:]
    np.multiply(text_counts(page), seen, out=each[: len(COUNTED)], casting="unsafe")
    if is_foreign(page):
        np.maximum(_WORD_LENGTH * each[WORDS], each[CHARS] > 0, out=each[CHARS])
        if _UNMARKED * each[ENDS].sum() < each[WORDS].sum():
            np.floor_divide(each[WORDS], _SENTENCE_LENGTH, out=each[ENDS])
    np.multiply(each[CHARS], in_link(page), out=each[LINKED])
    np.multiply(each[CHARS], _EMPHASIS[page.tag[page.owner]], out=each[EMPHASIS])
    return sums.cumsum(axis=1, out=sums)
