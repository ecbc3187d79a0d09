"""Labels by alignment: how many words of each block belong to the gold text.

The gold text of a page is a plain string; which blocks of the page it came from has to be found.  A longest common
subsequence over all words would also match the words of menus by accident, so whole blocks come first:

1. Anchors.  Blocks of four words or more, the longest first, are looked for in the gold text as they stand; each
   match uses up its words of the gold.
2. Backbone.  The heaviest run of anchors that keeps the order of the page divides page and gold into gaps.
3. Gaps.  Inside a gap shorter blocks that stand there whole, in order, are matched next; of what is left, the longest
   common subsequence of words counts for blocks it covers by half or more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from thresher.page import Page
from thresher.page.tree import block_first
from thresher.page.types import Ints, Longs
from thresher.text.lcs import lcs_pairs
from thresher.visible.readable import readable

__all__ = ["block_words", "label", "words_of"]

_WORD = re.compile(r"\w+")
_MIN_ANCHOR_WORDS = 4  # words; a shorter block is matched in its gap only
_MIN_LOOSE_SHARE = 0.5  # share of a block that loose words must cover
_MAX_LCS_PAIRS = 1 << 32  # pairs of words; beyond it loose words are not looked for
_USED = np.int32(-1)  # a word of the gold text that has been given away


def words_of(text: str) -> list[str]:
    """The words of a text as the measures count them."""
    return _WORD.findall(text.lower())


def block_words(page: Page) -> list[list[str]]:
    """The words of the readable text of each block, lower case."""
    texts = np.flatnonzero(readable(page))
    pieces = page.cut(texts)
    joined: list[list[str]] = [[] for _ in range(len(block_first(page)))]
    for block, spaced, piece in zip(page.block[texts].tolist(), page.spaced[texts].tolist(), pieces, strict=True):
        joined[block].append(" " + piece if spaced else piece)
    return [words_of("".join(pieces)) for pieces in joined]


def label(blocks: Sequence[Sequence[str]], gold: str) -> Longs:
    """How many words of each block are words of the gold text."""
    number: dict[str, int] = {}
    ids = [np.array([number.setdefault(word, len(number)) for word in words], np.int32) for words in blocks]
    target = np.array([number.setdefault(word, len(number)) for word in words_of(gold)], np.int32)
    matched = np.zeros(len(ids), np.int64)
    anchors = _anchors(ids, target)
    for block, start in anchors:
        matched[block] = len(ids[block])
        target[start : start + len(ids[block])] = _USED
    backbone = _backbone(anchors, ids)
    edges = [(-1, 0), *((block, start + len(ids[block])) for block, start in backbone)]
    ends = [*backbone, (len(ids), len(target))]
    for (before, start), (after, stop) in zip(edges, ends, strict=True):
        gap = [block for block in range(before + 1, after) if not matched[block] and len(ids[block])]
        if gap and stop > start:
            _match_gap(gap, ids, target[start:stop], matched)
    return matched


def _anchors(ids: Sequence[Ints], target: Ints) -> list[tuple[int, int]]:
    """(block, where it stands in the gold text) of each long block that stands there whole, in the order of the
    page."""
    anchors = []
    left = target.copy()
    for block in sorted((b for b in range(len(ids)) if len(ids[b]) >= _MIN_ANCHOR_WORDS), key=lambda b: -len(ids[b])):
        start = _find(left, ids[block])
        if start >= 0:
            left[start : start + len(ids[block])] = _USED
            anchors.append((block, start))
    return sorted(anchors)


def _find(text: Ints, words: Ints) -> int:
    """The first place of one sequence in another, or -1.  Bytes are searched; a hit must lie on a word."""
    haystack, needle, at = text.tobytes(), words.tobytes(), -1
    while True:
        at = haystack.find(needle, at + 1)
        if at < 0 or at % 4 == 0:
            return at // 4 if at >= 0 else -1


def _backbone(anchors: Sequence[tuple[int, int]], ids: Sequence[Ints]) -> list[tuple[int, int]]:
    """The heaviest run of anchors whose places in the gold text ascend, by words.  O(k²) in the anchors, vectorised."""
    if not anchors:
        return []
    place = np.array([start for _, start in anchors])
    weight = np.array([len(ids[block]) for block, _ in anchors], np.int64)
    best, previous = weight.copy(), np.full(len(anchors), -1)
    for k in range(1, len(anchors)):
        usable = np.where(place[:k] < place[k], best[:k], 0)
        top = int(usable.argmax())
        if usable[top]:
            best[k] += usable[top]
            previous[k] = top
    run = [int(best.argmax())]
    while previous[run[-1]] >= 0:
        run.append(int(previous[run[-1]]))
    return [anchors[k] for k in reversed(run)]


def _match_gap(gap: Sequence[int], ids: Sequence[Ints], target: Ints, matched: Longs) -> None:
    """Short blocks that stand whole in what is left, in order; then loose words."""
    here = 0
    for block in gap:
        start = _find(target[here:], ids[block])
        if start >= 0:
            start += here
            here = start + len(ids[block])
            target[start:here] = _USED
            matched[block] = len(ids[block])
    loose = [block for block in gap if not matched[block]]
    left = target[target >= 0]
    if not loose or not len(left):
        return
    words = np.concatenate([ids[block] for block in loose])
    owner = np.repeat(loose, [len(ids[block]) for block in loose])
    if len(words) * len(left) > _MAX_LCS_PAIRS:
        return
    pairs = lcs_pairs(words.tolist(), left.tolist())
    hits = np.bincount(owner[[i for i, _ in pairs]], minlength=len(ids))
    for block in loose:
        if hits[block] >= _MIN_LOOSE_SHARE * len(ids[block]):
            matched[block] = hits[block]
