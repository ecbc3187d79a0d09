"""Module 3: which cluster is the content.

The relevance of a block is the length of the longest common subsequence of its characters and what its page says of
itself (`claims`); the most of several claims.  Characters, for words are not told apart alike in all languages.

`measure="pieces"` is ours: how many pieces of eight bytes (eight Latin letters, nearly three Chinese ones) the block
shares with the claim.  Any two texts have a long subsequence in common, so that hundreds of teasers outweigh the
articles (economist.com in `rendered-blocks`); they share few pieces.  A block that another page has word for word
counts nothing, for titles and descriptions name the site, and so do its menus.  Against a title it is the subsequence
after all, over blocks longer than the title: it is the heading that has all its pieces.  And the sum of a cluster
counts by the share of the pages on which it stands: a long table on one page is no template's content.

    Algorithm 1 (site-wide)    score_c = Σ relevance of the blocks of cluster c, over all pages of the site
                               the cluster with the highest score is content, on every page
    per page                   the same sum over one page's blocks; each page has a best cluster of its own

    grown (ours)               Algorithm 1, and what stands beside that cluster's blocks on the same page

The second is what the authors tried first: on some pages the comments win.  Noise is never content but by the third.

Where no page says anything of itself, the number of characters takes the place of relevance, and `sources` says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thresher.methods.cluster.blocks import SiteBlocks
from thresher.methods.cluster.claims import Claim, best
from thresher.page.types import Bools, Floats, Longs, Rows
from thresher.text.lcs import lcs_length

__all__ = ["NO_CLAIM", "Labelling", "Labels", "Measure", "by_page", "by_site", "grown", "labelled", "relevance"]


Measure = Literal["subsequence", "pieces"]
Labelling = Literal["site", "page", "grown"]
_PIECE_BYTES = 8
_MIN_PAGES = 3  # fewer show no template
_MIN_CONTAINER_SHARE = 0.8
NO_CLAIM = "text length"  # what is taken where no page says anything
_MAX_BLOCK_LENGTH = 5_000  # characters


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Blocks that are content, for want of a hand-made label."""

    content: Bools  # (N,)
    cluster: int  # the content's; -1 for none, or where each page has its own
    score: Floats  # (clusters,)  over all pages
    sources: Mapping[str, int]  # how many pages were compared with what


def relevance(blocks: SiteBlocks, measure: Measure = "subsequence") -> tuple[Floats, dict[str, int]]:
    """The relevance of each block, and how many pages gave which kind of claim."""
    claims = [best(own) for own in _own_claims(blocks)]
    sources = Counter(source for source, _ in claims if source)
    size = np.array([float(len(text)) for text in blocks.text])
    if not sources:
        return size, {NO_CLAIM: len(blocks.pages)}
    repeated = _repeated(blocks) if measure == "pieces" else np.zeros(len(blocks), bool)
    known: dict[tuple[str, int], int] = {}
    score = np.zeros(len(blocks))
    for block in np.flatnonzero(~repeated).tolist():
        text, page = blocks.text[block], int(blocks.page[block])
        if (text, page) not in known:
            source, texts = claims[page]
            compare = lcs_length if measure == "subsequence" else _longer_lcs if source == "title" else _pieces
            known[text, page] = max((compare(text[:_MAX_BLOCK_LENGTH], claim) for claim in texts), default=0)
        score[block] = known[text, page]
    if not score.any():  # claims in another language than the text, or of no words
        return size, {NO_CLAIM: len(blocks.pages)}
    return score, dict(sources)


def labelled(blocks: SiteBlocks, number: Rows, measure: Measure, labelling: Labelling) -> Labels:
    """Labels of one of the three kinds."""
    if labelling == "page":
        return by_page(blocks, number, measure)
    labels = by_site(blocks, number, measure)
    return grown(blocks, labels) if labelling == "grown" else labels


def by_site(blocks: SiteBlocks, number: Rows, measure: Measure = "subsequence") -> Labels:
    """Algorithm 1: one cluster for the whole site.  `number` is the cluster of each block, -1 for noise."""
    relevant, sources = relevance(blocks, measure)
    score = _sums(number, relevant)
    if measure == "pieces":
        score *= _share_of_pages(blocks, number, len(score))
    cluster = int(score.argmax()) if len(score) else -1
    return Labels((number == cluster) & (number >= 0), cluster, score, sources)


def by_page(blocks: SiteBlocks, number: Rows, measure: Measure = "subsequence") -> Labels:
    """The variant local to each page."""
    relevant, sources = relevance(blocks, measure)
    content = np.zeros(len(blocks), bool)
    for page in range(len(blocks.pages)):
        rows = blocks.of(page)
        score = _sums(number[rows], relevant[rows])
        if len(score) and score.max() > 0:
            content[rows] = number[rows] == score.argmax()
    return Labels(content, -1, _sums(number, relevant), sources)


def _own_claims(blocks: SiteBlocks) -> list[list[Claim]]:
    """What each page says of itself, without what more than a third of them say word for word: that is of the site.
    Two copies of a page, or a few among many, are no site."""
    pages = Counter(claim for facts in blocks.pages for claim in set(facts.claims))
    many = max(_MIN_PAGES, len(blocks.pages) // 3 + 1)
    return [[claim for claim in facts.claims if pages[claim] < many] for facts in blocks.pages]


def _repeated(blocks: SiteBlocks) -> Bools:
    """Blocks that another page has word for word, where there are three pages or more."""
    if len(blocks.pages) < _MIN_PAGES:
        return np.zeros(len(blocks), bool)
    pages: dict[str, set[int]] = {}
    for text, page in zip(blocks.text, blocks.page.tolist(), strict=True):
        pages.setdefault(text, set()).add(page)
    return np.array([len(pages[text]) > 1 for text in blocks.text], bool)


def _pieces(text: str, claim: str) -> int:
    return len(_cut(text) & _cut(claim))


def _longer_lcs(text: str, claim: str) -> int:
    return lcs_length(text, claim) if len(text) > len(claim) else 0


def _cut(text: str) -> set[bytes]:
    data = text.lower().encode("utf-8", "replace")
    return {data[at : at + _PIECE_BYTES] for at in range(len(data) - _PIECE_BYTES + 1)}


def _share_of_pages(blocks: SiteBlocks, number: Rows, clusters: int) -> Floats:
    """On how many of the pages each cluster stands."""
    stands = np.zeros((clusters, len(blocks.pages)), bool)
    stands[number[number >= 0], blocks.page[number >= 0]] = True
    share: Floats = stands.mean(axis=1)
    return share


def _sums(number: Rows, value: Floats) -> Floats:
    inside = number >= 0
    total: Floats = np.bincount(number[inside], value[inside]).astype(np.float64)
    return total


def grown(blocks: SiteBlocks, labels: Labels) -> Labels:
    """The labels with what stands beside the content: on each page the innermost element that holds most of it is
    content as a whole, but for blocks that other pages have word for word.

    Not the paper's, which has one cluster: headings, lists and listings of an article look unlike its paragraphs.
    """
    content = labels.content.copy()
    size = np.array([len(text) for text in blocks.text])
    repeated = _repeated(blocks)
    for page in range(len(blocks.pages)):
        rows = blocks.of(page)
        parent = _holder(blocks, rows[labels.content[rows]].tolist(), size)
        if parent:
            inside = [blocks.selector[row][: len(parent)] == parent for row in rows.tolist()]
            content[rows] |= np.array(inside, bool) & ~repeated[rows]
    return Labels(content, labels.cluster, labels.score, labels.sources)


def _holder(blocks: SiteBlocks, rows: list[int], size: Longs) -> tuple[str, ...]:
    """The path of the innermost element that holds four fifths of some blocks, by characters; () for the body."""
    held: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        path = blocks.selector[row]
        for depth in range(1, len(path)):
            held[path[:depth]] += int(size[row])
    enough = _MIN_CONTAINER_SHARE * int(size[rows].sum())
    return max((path for path, count in held.items() if count >= enough), key=len, default=())
