"""Which leaf zones are paragraphs: two sentences or more, in English with a verb each.  Paper 003, section 3.3.

The language is that of the page's running text (`thresher.language`); for any other than English the rules of
`sentences` decide without a verb test, as there is no list of verbs for them.

Choice.  The paper's articles are full of such paragraphs.  Pages are not: a programme, a shop's news, a blog that sets
each sentence on a line of its own.  Where the paragraphs hold less than a quarter of the page's words, which
would leave the search to an author's note or a cookie notice, zones of one sentence are paragraphs too, and on a
page without a single sentence all zones are.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from thresher.columns import words
from thresher.language import detect
from thresher.layout.sentences import count
from thresher.layout.zones import zones
from thresher.page import Page

__all__ = ["paragraphs", "sentence_counts", "word_counts"]

Bools = NDArray[np.bool_]

_FEWEST = 3  # words of a sentence
_SAMPLE = 20  # zones, the longest ones, that tell the language
_THIN = 0.25  # of the words of the page


def word_counts(page: Page) -> NDArray[np.int64]:
    """Words of each leaf zone."""
    tree = zones(page)
    seen = tree.of_text >= 0
    return np.bincount(tree.of_text[seen], words(page)[seen], minlength=tree.leaves).astype(np.int64)


def paragraphs(page: Page) -> Bools:
    """Which leaf zones are paragraphs."""
    sentences, words_of = sentence_counts(page), word_counts(page)
    for fewest in (2, 1):
        found: Bools = sentences >= fewest
        if int(words_of[found].sum()) >= _THIN * int(words_of.sum()):
            return found
    return found if found.any() else np.ones(len(found), bool)


def sentence_counts(page: Page) -> NDArray[np.int64]:
    """Sentences of each leaf zone: 0, 1 or 2 for two and more."""
    found = np.zeros(zones(page).leaves, np.int64)
    candidates = np.flatnonzero(word_counts(page) >= _FEWEST)
    if len(candidates):
        strings = _strings(page, candidates)
        english = detect(" ".join(sorted(strings, key=len)[-_SAMPLE:]))[0] == "en"
        found[candidates] = [count(string, english) for string in strings]
    return found


def _strings(page: Page, leaves: NDArray[np.intp]) -> list[str]:
    """The text of some leaf zones, each on one line."""
    of_text = zones(page).of_text
    texts = np.flatnonzero(np.isin(of_text, leaves))
    gaps = page.spaced[texts].tolist()
    pieces = [" " + piece if gap else piece for gap, piece in zip(gaps, page.cut(texts), strict=True)]
    bounds = [*np.searchsorted(of_text[texts], leaves).tolist(), len(pieces)]
    return ["".join(pieces[begin:end]) for begin, end in pairwise(bounds)]
