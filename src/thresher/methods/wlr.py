"""WLR: the words-to-leaves ratio.  Insa, Silva, Tamarit, Journal of Logic and Algebraic Programming 82(8), 2013.

A block of content has many words in few leaves of the DOM tree, a menu has a leaf for every word or two; and content
is one large block near the middle of the page.  With W_i words and F_i leaves below element i:

    WLR_i       = W_i / F_i                          words_leaves_ratio
    size_i      = W_i / W_body                       relevance
    position_i  = 1 - |m_i - 1/2|                    relevance
                  m_i: the middle of i's leaves among those of the body, from 0 to 1
    relevance_i = WLR_i · size_i · position_i        relevance
    content: the element with the largest relevance, with all below it        elements

Choices.  Leaves are text nodes and empty elements (an image, a line break), as far as a reader sees them.  The paper
weighs ratio, size and position of a node against each other; we had its abstract and the accounts of others, but not
its weights.  A product needs none, and makes the trade the paper describes: k paragraphs of w words have W² / F = k ·
w², which grows with every paragraph and shrinks with every leaf of few words, so the best element holds the
paragraphs and little else.  Without a rendering the order of the code stands in for the place on the screen, a weak
hint (F1 0.74 with it, 0.70 without on 150 pages of wcxb); `Options.position` turns it off.

It fails where content stands in several blocks without one element around them, or in many short pieces: a forum of
one-line posts, a table, a list of products.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods._options import option
from thresher.methods._segments import body, shown
from thresher.page import Page
from thresher.page.columns import words
from thresher.page.tree import child_count, subtree_sum, text_sum
from thresher.page.types import Bools, Floats, Longs
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "elements", "judge", "relevance", "words_leaves_ratio"]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    position: bool = option(True, "content stands near the middle of the page")


def words_leaves_ratio(page: Page) -> Floats:
    """WLR_i = W_i / F_i; 0 for an element without leaves."""
    ratio: Floats = text_sum(page, words(page) * readable(page)) / np.maximum(_leaves(page), 1)
    return ratio


def relevance(page: Page, options: Options = Options()) -> Floats:
    """WLR_i · size_i · position_i, for the elements of the body; 0 for the others."""
    top = body(page)
    size = text_sum(page, words(page) * readable(page))
    result = words_leaves_ratio(page) * size / max(int(size[top]), 1)
    if options.position:
        result = result * (1 - np.abs(_middle(page) - 0.5))
    result[:top] = 0
    result[page.end[top] :] = 0
    return result


def elements(page: Page, options: Options = Options()) -> Bools:
    """The most relevant element, the first of equals, and its branch."""
    mask = np.zeros(len(page), bool)
    scores = relevance(page, options)
    row = int(np.argmax(scores))
    if scores[row] > 0:
        mask[row : page.end[row]] = True
    return mask


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text of that element."""
    chosen = elements(page, options)
    return Verdict(page, chosen[page.owner] & readable(page), elements=chosen)


def _own_leaves(page: Page) -> Longs:
    """Leaves that are an element itself: shown, without child elements and without text."""
    empty = (child_count(page) == 0) & (page.first == page.last)
    return np.asarray(shown(page) & empty, np.int64)


def _leaves(page: Page) -> Longs:
    """F_i: the leaves below each element, or 1 for a leaf."""
    leaves: Longs = subtree_sum(page, _own_leaves(page)) + text_sum(page, readable(page))
    return leaves


def _middle(page: Page) -> Floats:
    """m_i: where the middle of an element's leaves stands among the leaves of the body.

    The leaves before element i are the leaf elements of rows before i and the texts before its first.
    """
    top = body(page)
    leaf_elements = np.concatenate(([0], np.cumsum(_own_leaves(page))))
    leaf_texts = np.concatenate(([0], np.cumsum(readable(page))))
    before = leaf_elements[:-1] + leaf_texts[page.first] - leaf_elements[top] - leaf_texts[page.first[top]]
    leaves = _leaves(page)
    middle: Floats = (before + leaves / 2) / max(int(leaves[top]), 1)
    return middle
