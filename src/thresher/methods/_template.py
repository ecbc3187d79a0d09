"""What the detectors of templates share: the pages to compare with, and the elements of what is no template.

A detector says which nodes of the key page, elements and texts, belong to the site's template.  Content is the text
that does not.  An element is content when it lies in the smallest element that holds all content text and is no
template itself or has something below it that is none: above that element everything holds content, `html` and `body`
among it, and nobody would say that they were extracted.  A page without content text may be a gallery: then its content
are the pictures and videos that are no template, and the same holds for the elements around them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thresher.methods._needs import missing
from thresher.page import Page
from thresher.page.types import Bools
from thresher.template.media import media
from thresher.template.nodes import nodes
from thresher.template.nset import choose
from thresher.visible.readable import readable

__all__ = ["Bools", "compared", "content_elements", "content_texts", "on_nodes"]


def compared(name: str, page: Page, siblings: Sequence[Page], most: int) -> list[Page]:
    """The n-SET of a key page: at most so many of its siblings, no copies of itself among them.

    Where all siblings are copies it is empty, and nothing is known to be template.
    """
    if not siblings:
        raise missing(name, "siblings")
    return choose(page, siblings, most)


def on_nodes(page: Page, elements: Bools, texts: Bools) -> Bools:
    """A mask over nodes from one over elements and one over texts."""
    tree = nodes(page)
    mask = np.empty(len(tree), bool)
    mask[tree.element], mask[tree.text] = elements, texts
    return mask


def content_texts(page: Page, template: Bools) -> Bools:
    """The readable texts that are no template; `template` is over nodes."""
    keep: Bools = ~template[nodes(page).text] & readable(page)
    return keep


def content_elements(page: Page, template: Bools) -> Bools:
    """The elements of the content; `template` is over nodes.

    An element is content where its slice v:end_v has a node that is no template: a difference of running sums.
    """
    tree = nodes(page)
    kept = np.flatnonzero(content_texts(page, template))
    if len(kept):
        first, last = tree.text[kept[0]], tree.text[kept[-1]]
    else:
        shown = tree.element[media(page)]
        shown = shown[~template[shown]]
        if not len(shown):
            return np.zeros(len(page), bool)
        first, last = shown[0], shown[-1]
    mask = np.zeros(len(page), bool)
    count = np.concatenate(([0], np.cumsum(~template)))
    # Elements that hold all content are nested in each other, so the last of them is the smallest.
    top = np.flatnonzero((tree.element <= first) & (tree.end[tree.element] > last))[-1]
    inside = slice(top, page.end[top])
    mask[inside] = (count[tree.end] - count[:-1])[tree.element[inside]] > 0
    return mask
