"""Which script a page is written in, as far as the network must know: that of the pages it learned from, or another.

It learned from pages in Latin letters.  Elsewhere a word may be two characters or ten, there are no capitals, or none
that are counted, sentences may end without a mark, and the words with which blocks begin were never seen.  On such a
page a word counts as five letters, whatever it is spelled with, and twenty of them as a sentence where there are hardly
any marks (`features`); the columns about letters have their usual values, and words say nothing (`wording`).  So the
page is judged by all the rest.
"""

from __future__ import annotations

from thresher.methods.auto.kernels.counts import count_foreign
from thresher.page import Page, memoised

__all__ = ["is_foreign"]


@memoised
def is_foreign(page: Page) -> bool:
    """Whether a quarter of a page's characters and more are letters of another script than the Latin one.

    With n bytes and f such letters, which have three bytes mostly, that is  f > (n - 2 f) / 4.  Vietnamese letters that
    look like them are a sixth of its text.
    """
    if page.utf8.isascii():
        return False
    return 6 * count_foreign(page.utf8) > len(page.utf8)
