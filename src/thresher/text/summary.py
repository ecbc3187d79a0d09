"""A summary in the page's own words: a few whole sentences, chosen by TextRank with a liking for the lead.

Sentences recommend each other by the words they share (Mihalcea, Tarau 2004), and the early ones have a head start, for
most pages say first what they are about:

    w_it = (1 + log f_it) · log(1 + n / n_t)       weight of term t in sentence i; n_t sentences have it
    s_ij = Σ_t w_it w_jt / (|w_i| |w_j|)           cosine, 0 for i = j
    r    = d · Sᵀ r + (1 - d) · v,    v_i ∝ 1 / (1 + i),    d = 0.85,    the rows of S summing to one

and the best ones are printed in the order of the page.  A sentence that says what a better one has said (cosine 0.6 or
more) is passed over.  Headings, captions and other scraps are no candidates where there are sentences.

Terms are words without function words, in lower case; in Chinese, Japanese, Thai, Lao, Khmer and Burmese, which put no
spaces between words, they are pairs of characters.  Equal texts give equal summaries.  The first 400 sentences of
the first 200,000 characters are looked at, so time and memory are bounded, however long the page is.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from thresher.text import language as languages
from thresher.text.sentences import sentences as split

__all__ = ["summarise"]

Floats = NDArray[np.float64]

_DAMPING, _MAX_ITERATIONS, _TOLERANCE = 0.85, 100, 1e-10
_MAX_SENTENCES, _MAX_CHARACTERS = 400, 200_000  # sentences compared, characters in which they are looked for
_MAX_PRINTED_LENGTH = 600  # characters of a sentence that are printed; what is longer is no sentence
_MAX_COMPARED_LENGTH = 2_000  # characters of a sentence that are compared
_MAX_SIMILARITY = 0.6  # cosine of two sentences that say the same
_MIN_TERMS = 3
_SENTENCE_END = re.compile(r"[.!?…。！？｡।॥؟۔።፧។៕။։།\u037e][\"'”’»›）)】」』》〉］\]]*$")
# Scripts without spaces between words: Thai and Lao, Burmese, Khmer, kana, Han.
_UNSPACED_RUN = re.compile(
    "[\u0e01-\u0edf\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def summarise(text: str, *, sentences: int = 3, language: str | None = None) -> str:
    """The `sentences` sentences that say most of a text, in its order; "" for a text without any.

    text        plain text, a line or an empty line between its blocks
    sentences   how many; a short text may have fewer
    language    ISO 639-1 code; detected if it is not given
    """
    if sentences < 1:
        raise ValueError(f"a summary has at least one sentence, not {sentences}")
    text = text[:_MAX_CHARACTERS]
    code = languages.normalise(language) or languages.detect(text)[0] or ""
    candidates = _candidates(split(text, code, _MAX_SENTENCES))
    terms = [_terms(sentence[:_MAX_COMPARED_LENGTH], code) for sentence in candidates]
    similarity = _similarity(terms)
    chosen: list[int] = []
    for place in np.argsort(-_rank(similarity), kind="stable").tolist():
        if len(chosen) == sentences:
            break
        if not chosen or similarity[place, chosen].max() < _MAX_SIMILARITY:
            chosen.append(place)
    between = "" if code in ("zh", "ja") else " "
    return between.join(_shortened(candidates[place]) for place in sorted(chosen))


def _candidates(sentences: list[str]) -> list[str]:
    """The whole sentences; where there are none, whatever is longest; each of them once."""
    sentences = list(dict.fromkeys(sentences))
    whole = [
        sentence for sentence in sentences if _SENTENCE_END.search(sentence) and len(_pieces(sentence)) >= _MIN_TERMS
    ]
    if whole:
        return whole
    return [sentence for sentence in sentences if len(_pieces(sentence)) >= _MIN_TERMS] or sentences


def _pieces(sentence: str) -> list[str]:
    """Words, and pairs of characters where words are not told apart."""
    sentence = sentence[:_MAX_COMPARED_LENGTH].lower()
    pairs = [run[at : at + 2] for run in _UNSPACED_RUN.findall(sentence) for at in range(max(len(run) - 1, 1))]
    return languages.WORD.findall(_UNSPACED_RUN.sub(" ", sentence)) + pairs


def _terms(sentence: str, code: str) -> Counter[str]:
    return Counter(piece for piece in _pieces(sentence) if piece not in languages.stopwords(code))


def _similarity(terms: list[Counter[str]]) -> Floats:
    """Cosines of all pairs of sentences.  Terms that only one sentence has count in its length alone."""
    n = len(terms)
    known = Counter(term for own in terms for term in own)
    shared = {term: number for number, term in enumerate(term for term, count in known.items() if count > 1)}
    weights = np.zeros((n, len(shared)))
    norm = np.zeros(n)
    for place, own in enumerate(terms):
        for term, count in own.items():
            weight = (1 + log(count)) * log1p(n / known[term])
            norm[place] += weight**2
            if term in shared:
                weights[place, shared[term]] = weight
    weights /= np.sqrt(np.maximum(norm, 1e-12))[:, None]
    similarity: Floats = weights @ weights.T
    np.fill_diagonal(similarity, 0)
    return similarity


def _rank(similarity: Floats) -> Floats:
    """r of the module's docstring, by power iteration; a sentence that shares nothing hands its rank to the lead."""
    n = len(similarity)
    start = 1 / np.arange(1, n + 1)
    start /= max(start.sum(), 1e-12)
    total = similarity.sum(axis=1)
    moves = similarity / np.maximum(total, 1e-12)[:, None]
    rank = start
    for _ in range(_MAX_ITERATIONS):
        after = _DAMPING * (rank @ moves + rank[total <= 0].sum() * start) + (1 - _DAMPING) * start
        if np.abs(after - rank).sum() < _TOLERANCE:
            break
        rank = after
    return rank


def _shortened(sentence: str) -> str:
    """A sentence that is none, for it never ends, cut at a space."""
    if len(sentence) <= _MAX_PRINTED_LENGTH:
        return sentence
    cut = sentence[:_MAX_PRINTED_LENGTH]
    return (cut.rpartition(" ")[0] or cut).rstrip() + "…"
