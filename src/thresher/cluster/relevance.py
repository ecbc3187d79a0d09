"""Module 3: which cluster is the content.

The relevance of a block is the length of the longest common subsequence of its characters and what its page says of
itself (`claims`); the most of several claims.  Characters, for words are not told apart alike in all languages.

`measure="pieces"` is ours: how many pieces of eight bytes (eight Latin letters, nearly three Chinese ones) the block
shares with the claim.  Any two long texts have a long subsequence in common, so that a hundred comments outweigh twenty
paragraphs; they share few pieces.

    Algorithm 1 (site-wide)    score_c = Σ relevance of the blocks of cluster c, over all pages of the site
                               the cluster with the highest score is content, on every page
    per page                   the same sum over one page's blocks; each page has a best cluster of its own

The second is what the authors tried first: on some pages the comments win.  Noise is never content.

Where no page says anything of itself, the number of characters takes the place of relevance, and `sources` says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.blocks import Blocks
from thresher.cluster.claims import best
from thresher.evaluate.lcs import lcs_length

__all__ = ["NO_CLAIM", "Labels", "Measure", "by_page", "by_site", "relevance"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

Measure = Literal["subsequence", "pieces"]
_PIECE = 8  # bytes
NO_CLAIM = "text length"  # what is taken where no page says anything
_LONGEST = 5_000  # characters of a block


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Blocks that are content, for want of a hand-made label."""

    content: Bools  # (N,)
    cluster: int  # the content's; -1 for none, or where each page has its own
    score: Floats  # (clusters,)  over all pages
    sources: Mapping[str, int]  # how many pages were compared with what


def relevance(blocks: Blocks, measure: Measure = "subsequence") -> tuple[Floats, dict[str, int]]:
    """The relevance of each block, and how many pages gave which kind of claim."""
    claims = [best(facts.claims) for facts in blocks.pages]
    sources = Counter(source for source, _ in claims if source)
    size = np.array([float(len(text)) for text in blocks.text])
    if not sources:
        return size, {NO_CLAIM: len(blocks.pages)}
    compare = _compared[measure]
    known: dict[tuple[str, int], int] = {}
    found = np.zeros(len(blocks))
    for block, (text, page) in enumerate(zip(blocks.text, blocks.page.tolist(), strict=True)):
        if (text, page) not in known:
            known[text, page] = max((compare(text[:_LONGEST], claim) for claim in claims[page][1]), default=0)
        found[block] = known[text, page]
    if not found.any():  # claims in another language than the text, or of no words
        return size, {NO_CLAIM: len(blocks.pages)}
    return found, dict(sources)


def by_site(blocks: Blocks, number: Rows, measure: Measure = "subsequence") -> Labels:
    """Algorithm 1: one cluster for the whole site.  `number` is the cluster of each block, -1 for noise."""
    found, sources = relevance(blocks, measure)
    score = _sums(number, found)
    cluster = int(score.argmax()) if len(score) else -1
    return Labels((number == cluster) & (number >= 0), cluster, score, sources)


def by_page(blocks: Blocks, number: Rows, measure: Measure = "subsequence") -> Labels:
    """The variant local to each page."""
    found, sources = relevance(blocks, measure)
    content = np.zeros(len(blocks), bool)
    for page in range(len(blocks.pages)):
        rows = blocks.of(page)
        score = _sums(number[rows], found[rows])
        if len(score) and score.max() > 0:
            content[rows] = number[rows] == score.argmax()
    return Labels(content, -1, _sums(number, found), sources)


def _pieces(text: str, claim: str) -> int:
    return len(_cut(text) & _cut(claim))


def _cut(text: str) -> set[bytes]:
    data = text.lower().encode("utf-8", "replace")
    return {data[at : at + _PIECE] for at in range(len(data) - _PIECE + 1)}


_compared: dict[str, Callable[[str, str], int]] = {"subsequence": lcs_length, "pieces": _pieces}


def _sums(number: Rows, value: Floats) -> Floats:
    inside = number >= 0
    total: Floats = np.bincount(number[inside], value[inside]).astype(np.float64)
    return total
