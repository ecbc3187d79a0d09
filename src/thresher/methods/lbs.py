"""LBS: the largest block of strings.  Louvan, "Extracting the Main Content from HTML Documents" (paper 000), 2.3.1.

The paragraphs of an article or a blog entry stand side by side on one level of the DOM tree.  So in every element of
a segment look at the children, take those that contain a #text child, and skip the others, which are advertisements,
scripts, boxes:

    s_c = characters of c up to the next blocks in it where c has a text of its
          own, else 0                                                             strings
    b_p = characters of p's own texts + Σ s_c over the children c of p            block_lengths
    content: the own texts and the strings of the element p with the largest b_p  largest_block

The paper starts from the child with the longest string and adds its siblings; as it adds every sibling with text, the
child it starts from makes no difference.

A string ends where a block begins: the strings of a block are on one level.  A wrapper with a stray word of its own
(`<div>Skip <ul>…</ul><div>…</div></div>`) is a string of that word, not of the page.

Choices.  Inline elements are seen through: text in a `span` or `b` is the block's own, and a block inside an inline
element is a child of the block around it.  `Options.inline` = "opaque" is the letter of the paper, which loses
paragraphs wrapped in a `span`.  Text in a link or a button makes no child a string: an item that is nothing but a
link is skipped, as in the paper, where its `a` stands between.  Only characters that a reader sees count.  The first
of equals wins.

Used alone, the segment is the body.  `largest_block` takes the row of a segment, for a classifier of segments to
call.

It fails where an article is cut into sections: only the longest section is kept, and lists, tables and whatever else
stands a level further down are lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from thresher.data.tags import BLOCK, group
from thresher.methods._options import option
from thresher.methods._segments import body, nearest, seen_chars
from thresher.page import Page
from thresher.page.columns import tag_mask
from thresher.page.tree import within
from thresher.page.types import Bools, Longs, Rows
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "block_lengths", "elements", "judge", "largest_block", "strings"]


_BLOCK = group(BLOCK)


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    inline: Literal["transparent", "opaque"] = option("transparent", "whether inline elements are seen through")


def strings(page: Page, options: Options = Options()) -> Longs:
    """s_c: the characters of each element that has a text of its own, up to the blocks in it; 0 for the others."""
    holder, own = _holders(page, options), seen_chars(page)
    if options.inline == "transparent":
        own = own * ~within(page, tag_mask(page, "a", "button"))[page.owner]
    has_own = np.bincount(holder[page.owner], own, minlength=len(page)) > 0
    return np.where(has_own, _reach(page), 0)


def block_lengths(page: Page, options: Options = Options()) -> Longs:
    """b_p: the own texts of each element and the strings of its children."""
    holder = _holders(page, options)
    children = _children(page, holder)
    own = np.bincount(holder[page.owner], seen_chars(page), minlength=len(page))
    lower = np.bincount(holder[page.parent[children]], strings(page, options)[children], minlength=len(page))
    return (own + lower).astype(np.int64)


def largest_block(page: Page, segment: int, options: Options = Options()) -> Bools:
    """The elements of the largest block in the subtree of one element: the element p that has it, and its strings."""
    mask = np.zeros(len(page), bool)
    lengths = block_lengths(page, options)[segment : page.end[segment]]
    if not lengths.any():
        return mask
    p = segment + int(np.argmax(lengths))
    holder = _holders(page, options)
    children = _children(page, holder)
    chosen = np.zeros(len(page), bool)
    chosen[children[(holder[page.parent[children]] == p) & (strings(page, options)[children] > 0)]] = True
    own: Bools = holder == p  # p itself and the inline elements it is seen through
    block = nearest(page, _BLOCK[page.tag])
    if options.inline == "transparent":
        return own | chosen[block]
    return own | (within(page, chosen) & np.isin(block, block[chosen]))


def elements(page: Page, options: Options = Options()) -> Bools:
    """The largest block of the body."""
    return largest_block(page, body(page), options)


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text of that block."""
    chosen = elements(page, options)
    return Verdict(page, chosen[page.owner] & readable(page), elements=chosen)


def _holders(page: Page, options: Options) -> Rows:
    """The element whose own text the texts of each element are: the nearest block, or with "opaque" itself."""
    if options.inline == "opaque":
        return np.arange(len(page))
    return nearest(page, _BLOCK[page.tag])


def _reach(page: Page) -> Longs:
    """The characters of each element up to the blocks in it: those of its texts whose nearest block is its own.

    Texts are sorted by their block, then by place; those of an element are a range of these, a difference of sums.
    """
    count = len(page.start)
    block = nearest(page, _BLOCK[page.tag])
    key = block[page.owner] * (count + 1) + np.arange(count)
    order = np.argsort(key)
    sums = np.concatenate(([0], np.cumsum(seen_chars(page)[order])))
    begin, end = (np.searchsorted(key[order], block * (count + 1) + bound) for bound in (page.first, page.last))
    return sums[end] - sums[begin]


def _children(page: Page, holder: Rows) -> Rows:
    """The elements that are somebody's child and hold text of their own kind: all holders but the root."""
    return 1 + np.flatnonzero(holder[1:] == np.arange(1, len(page)))
