"""BTE: body text extraction.  Finn, Kushmerick, Smyth, "Fact or fiction", DELOS workshop 2001.

The page is a sequence of tokens b_0 … b_{n-1}, 1 for a tag and 0 for a word.  The body is the one stretch i..j that
holds as many words and as few tags as possible:

    maximise  T(i, j) = Σ_{k < i} b_k  +  Σ_{k = i..j} (1 - b_k)  +  Σ_{k > j} b_k          body

The first and last sums are all tags less those inside, so T is a constant plus Σ_{k = i..j} (1 - 2 b_k): the stretch
of largest sum when a word counts +1 and a tag -1.

Choices.  Of stretches with equal sums the one that ends first is taken, and of those the one that starts first.  Words
that no reader sees are no tokens (see `_tokens`); counting them costs 0.002 F1 on 150 pages of wcxb.

Weakness.  There is one stretch only: whatever lies between two parts of the content is kept with them
(tests/pages/advert-between-articles), and a comment section longer than the article and far from it wins over it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods._tokens import Runs, tokens
from thresher.page import Page
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "body", "judge"]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    """There is nothing to choose."""


def judge(page: Page, options: Options = Options()) -> Verdict:
    """Keep the texts of the body."""
    runs = tokens(page)
    keep = np.zeros(len(runs.content), bool)
    keep[body(runs)] = True
    return Verdict(page, keep & readable(page))


def body(runs: Runs) -> slice:
    """The texts i:j+1 of the stretch with the largest sum of words less tags.

    The best stretch starts and ends with a whole text, for a text has no tag inside.  With s_k the sum of everything
    before text k,

        max_j ( s_j + words_j - min_{i ≤ j} s_i )

    is two running sums and one running minimum.  O(m).
    """
    if not runs.content.any():
        return slice(0, 0)
    after = np.cumsum(runs.content - runs.code[:-1])
    before = after - runs.content
    last = int(np.argmax(after - np.minimum.accumulate(before)))
    first = int(np.argmin(before[: last + 1]))
    return slice(first, last + 1)
