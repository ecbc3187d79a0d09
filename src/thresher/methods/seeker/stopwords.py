"""Stop words: how many function words each text of a page holds, in the language of the page and in any script.

    stop_words     words of the text that are on the list of the page's language (data/stopwords, 57 languages)
    common_words   words of the text that are among the page's own most frequent ones

The second needs no list.  Function words are the most frequent words of running text in every language, so the page's
own statistics stand in for a list; in scripts without spaces between words (Chinese, Japanese, Thai) every character
is a word, and the most frequent characters are particles and endings for the same reason.

Words are compared by the keys of their bytes, all words of a page at once.  Only ASCII letters are turned to lower
case; a capital beyond ASCII stands at the head of a sentence, and losing those few words moves no count much.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from thresher.page import Page, memoised
from thresher.page.byte_words import Words, span_keys
from thresher.page.columns import column, in_link
from thresher.page.spans import is_among
from thresher.page.types import Bools, Bytes, Floats, Longs, Rows
from thresher.text.language import detect, stopwords
from thresher.visible.readable import readable

__all__ = ["common_words", "language", "stop_words"]


_COMMON_WORDS = 30  # the thirty most frequent words of English make up a third of running text
_LANGUAGE_SAMPLE = 20_000  # characters of the page that the language is told from
_ALNUM = np.array([code >= 0x80 or chr(code).isalnum() for code in range(256)])


@memoised
def language(page: Page) -> str | None:
    """The code of the language of the page's readable text outside links."""
    texts = np.flatnonzero(readable(page) & ~in_link(page))
    size = np.cumsum(page.stop[texts] - page.start[texts])
    spread = texts[:: max(1, int(size[-1]) // _LANGUAGE_SAMPLE)] if len(size) else texts
    return detect(" ".join(page.cut(spread)))[0]


@column
def stop_words(page: Page) -> Floats:
    """Stop words of each text; NaN everywhere when there is no list for the language."""
    listed = _listed(language(page) or "")
    if not len(listed):
        return np.full(len(page.start), np.nan)
    text, key = _words(page)
    return np.bincount(text[is_among(key, listed)], minlength=len(page.start)).astype(np.float64)


@column
def common_words(page: Page) -> Longs:
    """Words of each text that are among the most frequent ones of the page's readable text outside links."""
    text, key = _words(page)
    running = (readable(page) & ~in_link(page))[text]
    known, count = np.unique(key[running], return_counts=True)
    if not len(known):
        return np.zeros(len(page.start), np.int64)
    frequent = np.sort(known[np.argsort(-count, kind="stable")[:_COMMON_WORDS]])
    return np.bincount(text[is_among(key, frequent)], minlength=len(page.start))


@memoised
def _words(page: Page) -> tuple[Rows, Words]:
    """The text and the key of every word of a page, in order."""
    bytes_ = np.frombuffer(page.utf8, np.uint8)
    start, stop = _spans(bytes_)
    text = np.searchsorted(page.start, start, side="right") - 1
    inside = text >= 0  # before the first text there may be blanks of another script
    return text[inside], span_keys(_lower(bytes_), start[inside], stop[inside])


def _spans(bytes_: Bytes) -> tuple[Rows, Rows]:
    """Where words start and stop: runs of letters; a character of a script without spaces is a word of its own.

    A character is told by its first two bytes.  C2 and E2 lead signs, among them quotation marks and dashes.
    """
    padded = np.concatenate((bytes_, np.zeros(5, np.uint8)))
    letter = _ALNUM[padded]
    for lead, length in ((0xC2, 2), (0xE2, 3)):
        at = np.flatnonzero(padded[:-5] == lead)
        for offset in range(length):
            letter[at + offset] = False
    alone = np.flatnonzero(_unspaced(padded))
    begins = letter.copy()
    begins[1:] &= ~letter[:-1]
    begins[alone] = True
    behind = alone + 3 + (padded[alone] >= 0xF0)
    begins[behind] |= letter[behind]
    start = np.flatnonzero(begins)
    ends = np.flatnonzero(begins | ~letter)
    return start, ends[np.searchsorted(ends, start, side="right")]


def _unspaced(padded: Bytes) -> Bools:
    """The first bytes of characters of Chinese, Japanese, Thai, Lao, Khmer and Burmese."""
    first, second = padded[:-5], padded[1:-4]
    kana_and_han: Bools = (first >= 0xE3) & (first <= 0xE9)
    if not (first >= 0xE0).any():
        return kana_and_han
    thai_and_lao = (first == 0xE0) & (second >= 0xB8) & (second <= 0xBB)
    burmese_and_khmer = (first == 0xE1) & ((second == 0x80) | (second == 0x81) | (second == 0x9E) | (second == 0x9F))
    rare_han = (first == 0xF0) & (second >= 0xA0)
    unspaced: Bools = kana_and_han | thai_and_lao | burmese_and_khmer | rare_han
    return unspaced


def _lower(bytes_: Bytes) -> Bytes:
    low: Bytes = bytes_ + ((bytes_ >= 0x41) & (bytes_ <= 0x5A)) * np.uint8(0x20)
    return low


@lru_cache(maxsize=64)
def _listed(code: str) -> Words:
    """The keys of the stop words of a language, ascending."""
    words = sorted(stopwords(code))
    if not words:
        return np.zeros(0, np.uint64)
    encoded = [word.encode() for word in words]
    stop = np.cumsum([len(word) + 1 for word in encoded]) - 1
    start = np.concatenate(([0], stop[:-1] + 1))
    return np.sort(span_keys(np.frombuffer(b" ".join(encoded) + b" ", np.uint8), start, stop))
