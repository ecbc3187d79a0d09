"""Which texts of a thread are no part of what was written, and how much the others count."""

from __future__ import annotations

import numpy as np

from thresher.metadata.datelines import is_dateline
from thresher.page import Page
from thresher.page.columns import chars, words
from thresher.page.tree import block_sum, text_sum, texts_within
from thresher.page.types import Bools, Longs
from thresher.result.threads.signs import Signs
from thresher.text.dates import Reading
from thresher.visible.readable import readable

__all__ = ["MAX_LABEL_CHARS", "labels", "weight"]

MAX_LABEL_CHARS = 200  # of an element; what holds more is no name, profile or signature
_MAX_WORDS_BESIDE_LABEL = 6  # in the same block; beside more a name is part of a sentence
_MAX_DATELINE_WORDS = 12
_RUNNING_WORDS = 20  # words of a block from which on its text counts in full


def weight(page: Page, texts: Bools) -> Longs:
    """How much each text counts: its characters, more in longer blocks, so that labels count little."""
    block_words = block_sum(page, words(page) * texts)[page.block]
    counted: Longs = chars(page) * texts * np.minimum(_RUNNING_WORDS, block_words)
    return counted


def labels(page: Page, texts: Bools, known: Signs, reading: Reading) -> Bools:
    """Texts that are no part of what was written: short elements that name an author or a date or are called a profile,
    a signature, a control, and lines that are about a day; but nothing in the middle of a sentence."""
    small = np.zeros(len(page), bool)
    small[[*known.author, *known.profile, *known.date]] = True
    long = (block_sum(page, words(page) * texts) > _MAX_DATELINE_WORDS)[page.block]
    small &= text_sum(page, long) == 0
    small[known.apart] = True
    small &= text_sum(page, chars(page) * readable(page)) <= MAX_LABEL_CHARS
    label = texts_within(page, small)
    other = block_sum(page, words(page) * (readable(page) & ~label))
    label &= (other <= _MAX_WORDS_BESIDE_LABEL)[page.block]
    short = texts & ~label & (block_sum(page, words(page) * texts) <= _MAX_DATELINE_WORDS)[page.block]
    places = short.nonzero()[0]
    for text, line in zip(places.tolist(), page.cut(places), strict=True):
        line = " ".join(line.split())
        label[text] = not any(map(str.isalpha, line)) or is_dateline(line, reading)
    return label
