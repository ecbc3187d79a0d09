"""Running sums over the readable texts of a page: what every element holds is a difference of two rows.

    held_i = running[last_i] - running[first_i]

Prose is the text outside links of blocks that end a sentence and are not mostly links.
"""

from __future__ import annotations

import numpy as np

from thresher.methods.seeker.stopwords import common_words, stop_words
from thresher.page import Page
from thresher.page.columns import capitals, chars, column, digits, in_link, punctuation, sentence_ends, words
from thresher.page.tree import block_first, block_sum
from thresher.page.types import Floats
from thresher.visible.readable import readable

__all__ = [
    "BLOCKS", "CAPITALS", "COMMON", "DIGITS", "ENDS", "LINKED", "MARKS", "PROSE", "STOPS", "TEXT", "WORDS",
    "running_sums",
]  # fmt: skip


TEXT, LINKED, WORDS, ENDS, MARKS, DIGITS, CAPITALS, STOPS, COMMON, BLOCKS, PROSE = range(11)
_SUMS = 11
_MAX_PROSE_LINK_DENSITY = 0.35


@column
def running_sums(page: Page) -> Floats:
    """Sums over the readable texts before each; stop words are NaN where the language has no list."""
    seen = readable(page)
    size = chars(page)
    table = np.zeros((len(seen) + 1, _SUMS))
    body = table[1:]
    first = block_first(page)
    stops = np.nan_to_num(stop_words(page))
    counts = (size, size * in_link(page), words(page), sentence_ends(page), punctuation(page), digits(page))
    for k, x in enumerate((*counts, capitals(page), stops, common_words(page))):
        body[:, k] = x * seen
    shown = block_sum(page, size * seen)
    linked = block_sum(page, body[:, LINKED])
    prose = (block_sum(page, body[:, ENDS]) > 0) & (linked < _MAX_PROSE_LINK_DENSITY * shown)
    body[first, BLOCKS] = shown > 0
    body[:, PROSE] = (body[:, TEXT] - body[:, LINKED]) * prose[page.block]
    if np.isnan(stop_words(page)).any():
        body[:, STOPS] = np.nan
    return np.cumsum(table, axis=0)
