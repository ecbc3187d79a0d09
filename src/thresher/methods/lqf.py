"""LQF: link quota filter.  Mantratzis, Orgun, Cassidy, Hypertext 2005.

A block whose text is mostly links is navigation:

    quota_i = link characters below i / characters below i
    remove block i with its subtree where quota_i > quota         removed

Gottron's evaluation (papers 004 and 000) runs it with quotas of 0.25, 0.5 and 0.75, as LQF-25, LQF-50 and LQF-75:
`lqf:quota=0.75`.

Choices.  Blocks are the block-level elements of HTML but `html` and `body`, which are the page itself.  The innermost
are judged first, and what is gone does not count in the blocks around it: an article is not judged by the menus beside
it.  (Judging every block on the page as it came removes whole pages with their wrapper: recall 0.86 instead of 0.92 on
150 pages of wcxb, 0.68 instead of 0.90 with a quota of 0.25.)

It removes menus and keeps the rest, footers and cookie notices included: high recall, low precision.  It fails where
links are the content, as in a list of search results.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.data.tags import BLOCK, group
from thresher.methods._options import Share, option
from thresher.methods._segments import seen_chars
from thresher.page import Page
from thresher.page.columns import in_link
from thresher.page.tree import levels, within
from thresher.page.types import Bools
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "elements", "judge", "removed"]


_BLOCK = group(BLOCK - {"html", "head", "body"})


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    quota: Share = option(0.5, "a block with a larger share of its text in links is removed")


def removed(page: Page, options: Options = Options()) -> Bools:
    """The blocks above the quota.

    One step per level, from the deepest up: a block that stays passes its characters, all and those in links, to its
    parent.
    """
    chars = seen_chars(page)
    total = np.bincount(page.owner, chars, len(page))
    linked = np.bincount(page.owner, chars * in_link(page), len(page))
    is_block, gone = _BLOCK[page.tag], np.zeros(len(page), bool)
    for rows in reversed(levels(page)[1:]):
        gone[rows] = is_block[rows] & (linked[rows] > options.quota * total[rows])
        staying = rows[~gone[rows] & (total[rows] > 0)]
        np.add.at(total, page.parent[staying], total[staying])
        np.add.at(linked, page.parent[staying], linked[staying])
    return gone


def elements(page: Page, options: Options = Options()) -> Bools:
    """Every element that no removed block holds."""
    return ~within(page, removed(page, options))


def judge(page: Page, options: Options = Options()) -> Verdict:
    """Every readable text that no removed block holds."""
    chosen = elements(page, options)
    return Verdict(page, chosen[page.owner] & readable(page), elements=chosen)
