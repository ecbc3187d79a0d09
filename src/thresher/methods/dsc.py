"""DSC: document slope curves.  Pinto et al., "QuASM", JCDL 2002, in the adaptation of Gottron, ITA 2007.

The slope curve of a page counts the tags among its first k tokens (words and tags):

    D(k) = Σ_{j < k} b_j          b_j = 1 for a tag, 0 for a word

Where it is flat there is text.  A window of w tokens slides along the page; it is a low-slope section where its slope
is below a share of the page's mean slope:

    (D(k + w) - D(k)) / w  <  share · D(n) / n          low_slope          w = 50, share = 0.5

Overlapping sections join, and the words in them are the content.  So DSC finds several pieces where BTE finds one.

Choices.  The window slides by one token (by a quarter of its length costs 0.007 F1 on 150 pages of wcxb, by its whole
length 0.06).  A page of no more tokens than the window holds is content as a whole, for it has no slope but the mean.
A text is kept when half of its words or more lie in low-slope sections.

Weakness.  The window has a fixed length: a short paragraph among tags is never flat over 50 tokens, and menu items
within reach of a long paragraph share its flat window.  A window of 25 would score 0.013 more on today's pages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods._options import Amount, Count, option
from thresher.methods._tokens import Runs, majority, spread, tokens
from thresher.page import Page
from thresher.page.types import Bools
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "judge", "low_slope"]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    window: Count = option(50, "tokens")
    share: Amount = option(0.5, "of the page's mean slope")


def judge(page: Page, options: Options = Options()) -> Verdict:
    """Keep the texts that lie in low-slope sections."""
    runs = tokens(page)
    return Verdict(page, majority(runs, low_slope(runs, options)) & readable(page))


def low_slope(runs: Runs, options: Options = Options()) -> Bools:
    """Which tokens some low-slope window covers.

    Token k is covered when a window that starts in k-w+1..k is low: a difference of the running count of low windows.
    O(n).
    """
    tag = spread(runs) == 0
    n, window = len(tag), options.window
    if n <= window:
        return np.ones(n, bool)
    tags = np.concatenate((np.zeros(1, np.int64), np.cumsum(tag)))
    low = (tags[window:] - tags[:-window]) * n < options.share * window * tags[-1]
    lows = np.concatenate((np.zeros(window, np.int64), np.cumsum(low), np.full(window - 1, np.sum(low))))
    return lows[window:] > lows[:-window]
