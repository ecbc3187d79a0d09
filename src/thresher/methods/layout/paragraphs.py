"""Which leaf zones are paragraphs: two sentences or more, in English with a verb each.  Paper 003, section 3.3.

A sentence has three words or more (five letters in Chinese, Japanese and Korean writing, ten in Thai); in English it
also has a verb (verbs.py).  For other languages there is no list of verbs; instead their last sentence must have its
mark too.  The language is that of the page's running text.

Departures, without `strict`.  In the paper an English sentence is as short as "He went."  And its articles are full of
paragraphs of two sentences.  Pages are not: a programme, a shop's news, a blog that sets each sentence on a line of its
own.  Where the paragraphs hold less than a quarter of the page's words, which would leave the search to an author's
note or a cookie notice, zones of one sentence are paragraphs too unless they are links as a whole (a column of
headlines beside a short report), and on a page without a single sentence all zones are.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise

import numpy as np

from thresher.methods.layout.verbs import has_verb
from thresher.methods.layout.zones import Zones
from thresher.page import Page
from thresher.page.columns import in_link, words
from thresher.page.types import Bools, Longs, Rows
from thresher.text.language import detect
from thresher.text.sentences import sentence_pieces

__all__ = ["count", "paragraphs", "sentence_counts", "word_counts"]


_MIN_WORDS, _MIN_LETTERS, _MIN_THAI_LETTERS = 3, 5, 10  # of a sentence; letters in scripts without spaces
_WORD = re.compile(r"\w+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_THAI = re.compile(r"[\u0e00-\u0eff]")
_ENDED = re.compile(r"[.!?…:。！？｡．।॥؟۔።፧។။։][\"'”’»)\]›」』）]*(?:\[[\d,\s–-]+\])*\s*$")
_LANGUAGE_SAMPLE = 20  # zones, the longest ones, that tell the language
_MIN_PARAGRAPH_SHARE = 0.25  # of the words of the page


def word_counts(page: Page, tree: Zones) -> Longs:
    """Words of each leaf zone."""
    return _words(page, tree, np.ones(len(page.start), bool))


def _words(page: Page, tree: Zones, texts: Bools) -> Longs:
    """The same of some texts."""
    seen = texts & (tree.of_text >= 0)
    return np.bincount(tree.of_text[seen], words(page)[seen], minlength=tree.leaves).astype(np.int64)


def paragraphs(page: Page, tree: Zones, strict: bool = False) -> Bools:
    """Which leaf zones are paragraphs."""
    sentences, words_of = sentence_counts(page, tree, strict), word_counts(page, tree)
    several: Bools = sentences >= 2
    if strict or int(words_of[several].sum()) >= _MIN_PARAGRAPH_SHARE * int(words_of.sum()):
        return several
    one: Bools = (sentences >= 1) & (_words(page, tree, ~in_link(page)) > 0)
    return one if one.any() else np.ones(len(one), bool)


def sentence_counts(page: Page, tree: Zones, strict: bool = False) -> Longs:
    """Sentences of each leaf zone: 0, 1 or 2 for two and more."""
    sentences = np.zeros(tree.leaves, np.int64)
    min_words = 1 if strict else _MIN_WORDS
    candidates = np.flatnonzero(word_counts(page, tree) >= min_words)
    if len(candidates):
        strings = _strings(page, tree, candidates)
        english = detect(" ".join(sorted(strings, key=len)[-_LANGUAGE_SAMPLE:]))[0] == "en"
        sentences[candidates] = [count(string, english, min_words=min_words) for string in strings]
    return sentences


def count(text: str, english: bool, enough: int = 2, min_words: int = _MIN_WORDS) -> int:
    """The number of sentences of a text; counting stops when there are enough."""
    sentences = (piece for piece in sentence_pieces(text) if _is_sentence(piece, english, min_words))
    return sum(1 for _ in islice(sentences, enough))


def _is_sentence(sentence: str, english: bool, min_words: int) -> bool:
    if english:
        return len(sentence.split()) >= min_words and has_verb(sentence)
    if _THAI.search(sentence):
        return len(_THAI.findall(sentence)) >= _MIN_THAI_LETTERS
    if not _ENDED.search(sentence):
        return False
    return len(_WIDE.findall(sentence)) >= _MIN_LETTERS or len(_WORD.findall(sentence)) >= _MIN_WORDS


def _strings(page: Page, tree: Zones, leaves: Rows) -> list[str]:
    """The text of some leaf zones, each on one line."""
    of_text = tree.of_text
    texts = np.flatnonzero(np.isin(of_text, leaves))
    gaps = page.spaced[texts].tolist()
    pieces = [" " + piece if gap else piece for gap, piece in zip(gaps, page.cut(texts), strict=True)]
    bounds = [*np.searchsorted(of_text[texts], leaves).tolist(), len(pieces)]
    return ["".join(pieces[begin:end]) for begin, end in pairwise(bounds)]
