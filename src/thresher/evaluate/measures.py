"""How good an extract is, as precision, recall and F1 against the gold.

    precision = overlap / extracted     recall = overlap / gold     F1 = 2·overlap / (extracted + gold)

The measures differ in what they count:

    bow         words, as bags: the order is ignored                                   (WCXB)
    lcs         words in the longest common subsequence: the order counts              (paper 004)
    lcs_chars   characters in the longest common subsequence                           (paper 000)
    rouge5      runs of five tokens: the order counts locally, blocks may swap         (WebMainBench)
    words       words of the page, each with the label of the text it stands in         (paper 003)
    nodes       DOM elements, given as two masks                                       (paper 002)
    snippets    marked passages found, and boilerplate passages kept out               (WCXB)

Conventions at the edges: nothing wanted and nothing extracted is perfect (1, 1, 1); when only one side is
empty, or nothing overlaps, all three are 0.  A page without content must not be rewarded for any extract,
nor an empty extract for its vacuous precision.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Bools
from thresher.text.lcs import lcs_length

WORD = re.compile(r"\w+")

# Scripts written without spaces count by the character: one \w+ would be a whole clause.  Han with its
# extensions and iteration marks, Hiragana, Katakana; Hangul is spaced and stays in words.
CJK = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U000323af"
TOKEN = re.compile(rf"[{CJK}]|(?:(?![{CJK}])\w)+")


@dataclass(frozen=True, slots=True)
class Score:
    """Three numbers from 0 to 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Snippets:
    """Shares of the marked passages that the extract contains."""

    wanted: float  # 1 is best
    unwanted: float  # 0 is best

    def score(self) -> Score:
        """As one row of a table: precision = 1 − unwanted, recall = wanted, F1 their harmonic mean."""
        precision, recall = 1 - self.unwanted, self.wanted
        total = precision + recall
        return Score(precision, recall, 2 * precision * recall / total if total else 0.0)


def ratio(overlap: int, extracted: int, gold: int) -> Score:
    """Precision, recall and F1 of three sizes, with the conventions of the module docstring."""
    if extracted == 0 and gold == 0:
        return Score(1.0, 1.0, 1.0)
    if overlap == 0:
        return Score(0.0, 0.0, 0.0)
    return Score(overlap / extracted, overlap / gold, 2 * overlap / (extracted + gold))


def words(text: str) -> list[str]:
    """The benchmark's words: runs of letters, digits and underscores, in lower case.

    Part of the WCXB definition, and kept for all languages so that figures compare: Chinese and Japanese
    clauses are single words here, Indic words fall apart at their vowel signs.  `rouge5` and `lcs_chars` do
    not suffer.
    """
    return WORD.findall(text.lower())


def tokens(text: str) -> list[str]:
    """Words, but single characters in scripts that do not put spaces between words."""
    return TOKEN.findall(text.lower())


def bow(gold: str, extract: str) -> Score:
    """Bags of words: overlap = Σ_w min(count of w in the gold, count of w in the extract)."""
    return _bags(words(gold), words(extract))


def lcs(gold: str, extract: str) -> Score:
    """Words in the longest common subsequence: overlap = |LCS(words of gold, words of extract)|."""
    a, b = words(gold), words(extract)
    return ratio(lcs_length(a, b), len(b), len(a))


def lcs_chars(gold: str, extract: str) -> Score:
    """Characters in the longest common subsequence.  Case counts; runs of white space are one space.

    Paper 000 compares the strings as they are.  Line ends differ between extractors for reasons that are no
    merit of any, hence the spaces.
    """
    a, b = collapse(gold), collapse(extract)
    return ratio(lcs_length(a, b), len(b), len(a))


def rouge5(gold: str, extract: str) -> Score:
    """ROUGE-N with N = 5: overlap = Σ_g min(count in gold, count in extract) over the runs g of 5 tokens.

    WebMainBench (and MinerU-HTML) count the runs of five jieba tokens, white space and punctuation among
    them, in the case of the source.  Departures: our tokens are words in lower case and single CJK
    characters, so that no segmentation dictionary is needed; do not compare digits with published ones.
    And a text shorter than five tokens counts as one run, where they would score two equal short texts 0.
    """
    return _bags(_runs(tokens(gold), 5), _runs(tokens(extract), 5))


def nodes(gold: Bools, extract: Bools) -> Score:
    """DOM elements: overlap = |gold ∧ extract|, two masks over the rows of one page."""
    if gold.shape != extract.shape:
        raise ValueError(f"masks over different pages: {gold.shape} and {extract.shape}")
    return ratio(int((gold & extract).sum()), int(extract.sum()), int(gold.sum()))


def labelled_words(words: NDArray[np.integer[Any]], gold: Bools, kept: Bools) -> Score:
    """Words of a page's texts, each with the label of its text: overlap = words in texts that are gold and kept."""
    if not words.shape == gold.shape == kept.shape:
        raise ValueError(f"columns of different pages: {words.shape}, {gold.shape} and {kept.shape}")
    return ratio(int(words[gold & kept].sum()), int(words[kept].sum()), int(words[gold].sum()))


def snippets(wanted: Iterable[str], unwanted: Iterable[str], extract: str) -> Snippets:
    """Shares of wanted and of unwanted snippets that occur in the extract.

    White space is collapsed on both sides; case counts.  Unwanted snippets are often one word ("Home",
    "Login"); compared without case they are found in 0.26 % of the gold texts of WCXB themselves, with case
    in 0.10 %, while wanted ones are found equally often (99.3 %).  No wanted snippets: the share is 1; no
    unwanted ones: 0.
    """
    text = collapse(extract)
    want = [collapse(s) in text for s in wanted]
    avoid = [collapse(s) in text for s in unwanted]
    return Snippets(
        wanted=sum(want) / len(want) if want else 1.0,
        unwanted=sum(avoid) / len(avoid) if avoid else 0.0,
    )


def collapse(text: str) -> str:
    """Each run of white space as one space, none at the ends."""
    return " ".join(text.split())


def _bags(gold: list[Hashable] | list[str], extract: list[Hashable] | list[str]) -> Score:
    overlap = (Counter[Hashable](gold) & Counter[Hashable](extract)).total()
    return ratio(overlap, len(extract), len(gold))


def _runs(items: list[str], n: int) -> list[Hashable]:
    """All runs of n items; the whole list as one run when it is shorter; none when it is empty."""
    if len(items) < n:
        return [tuple(items)] if items else []
    return list(zip(*(items[i:] for i in range(n)), strict=False))


TEXT_MEASURES: Mapping[str, Callable[[str, str], Score]] = {
    "bow": bow,
    "lcs": lcs,
    "lcs_chars": lcs_chars,
    "rouge5": rouge5,
}
"""The measures that need two texts and nothing else, by name."""

ABOUT: Mapping[str, str] = {
    "bow": "Words as bags: how many of the extracted words are wanted, how many of the wanted are extracted.",
    "lcs": "Words in the longest common subsequence of gold and extract: the order counts.",
    "lcs_chars": "Characters in the longest common subsequence of gold and extract.",
    "rouge5": "Runs of five words that gold and extract share.",
    "words": "Words of the page, each labelled as the text it stands in: gold by the selectors, or kept.",
    "nodes": "Elements of the page: those under the gold selectors against those that hold extracted text.",
    "snippets": "Marked passages: precision is the share of unwanted ones kept out, recall that of wanted ones found.",
}
"""One sentence on each measure, for reports."""

MEASURES = tuple(ABOUT)
"""Every measure's name."""
