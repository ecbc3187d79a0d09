"""K-FE: the K-feature extractor.  Debnath, Mitra, Giles, "Identifying content blocks from web documents", ISMIS 2005.

FE finds one block, but content has many.  K-FE clusters the blocks by their features with k-means, k = 3, and takes
the whole cluster of FE's winner:

    x_b     = p_b(f) for every feature f                                    fe.shares
    label_b = argmin_c |x_b - m_c|²,  m_c = mean of the x_b labelled c      clusters
    content : all blocks with the label of fe.winner                        judge

Choices.  The vectors are the shares themselves: a block is like the winner when it is made of the same stuff, however
long.  (Counts over their maximum, another reading, tell long paragraphs from short ones and lose the short: F1 0.70
against 0.79 on 150 pages of wcxb.)  k-means starts from the winner and then, again and again, from the vector
farthest from all starts so far, the first of equals; there is no chance in it.  Fewer than k different vectors make
fewer clusters.  It ends when no label changes, at the latest after 50 passes.

It keeps every block of plain text, footers and notices among them, and drops lists and tables even inside an article.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods._options import Count, option
from thresher.methods.fe import segment, shares, winner
from thresher.page import Page
from thresher.page.types import Floats, Rows
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "clusters", "judge"]


_PASSES = 50  # real pages need about five


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    k: Count = option(3, "clusters")


def clusters(x: Floats, k: int, start: int) -> Rows:
    """k-means labels of the rows of x, from the row `start` and the rows farthest from the starts before."""
    starts = [start]
    distance = _squared(x, x[start])
    while len(starts) < k and distance.max() > 0:
        starts.append(int(np.argmax(distance)))
        distance = np.minimum(distance, _squared(x, x[starts[-1]]))
    means = list(x[starts])
    labels = np.full(len(x), -1)
    for _ in range(_PASSES):
        nearer = np.argmin([_squared(x, mean) for mean in means], axis=0)
        if np.array_equal(nearer, labels):
            break
        labels = nearer
        means = [x[labels == c].mean(axis=0) if (labels == c).any() else mean for c, mean in enumerate(means)]
    return labels


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text of the blocks that are like the winning one."""
    blocks = segment(page)
    best = winner(blocks)
    if best is None:
        return Verdict(page, np.zeros(len(page.start), bool))
    labels = clusters(shares(blocks), options.k, best)
    return Verdict(page, np.asarray(labels == labels[best])[blocks.of_text] & readable(page))


def _squared(x: Floats, centre: Floats) -> Floats:
    distance: Floats = ((x - centre) ** 2).sum(axis=1)
    return distance
