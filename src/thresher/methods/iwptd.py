"""IWPTD: subtrees made of text that other pages have, too.  Wang, Fang, Cheng, Guo, Xu, WWW 2008.

Pages are cut into subtrees at the tags that structure a page.  A text segment that occurs in five or more pages is a
template segment, and a subtree that consists of little else is template.

    f_k = number of pages, the key page among them, that have segment k                 frequency
    s_k = f_k ≥ support                                                                 template segment
    r_i = Σ c_k over the template segments k below i / Σ c_k over all segments below i  ratio, for structural elements i
    template: all in an i with r_i ≥ ratio                                              template

Choices.  A segment is a text node, compared by its words, and weighs c_k, its readable characters.  "Five" is for
large sets: of p pages ⌈p / 2⌉ are asked for where that is less, and never fewer than two.  Structural are the
containers of HTML and the parts of tables, for the layout of older pages is one table.  The definition we follow
(paper 002, section 4) names no ratio and no number of pages; both were chosen on the pages of `sites`, where F1 on
words is 0.89 with a ratio of 0.5, 0.90 with 0.7 and 0.94 with 0.9, and 0.937 with 4 pages, 0.941 with 12.

What stands in no structural subtree with text is judged alone.  A picture or video is a segment by its address, but
weighs nothing: one that is on fewer pages is no template wherever it stands.  Else a gallery, whose texts are all
template, would have no content.

Incremental in the paper, where a table of segments grows with every page of a crawl; here the pages are at hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods._options import Count, Share, option
from thresher.methods._template import Bools, compared, content_elements, content_texts, on_nodes
from thresher.page import Page
from thresher.page.columns import chars, tag_mask
from thresher.page.tree import text_sum, within
from thresher.page.types import Rows
from thresher.page.verdict import Verdict
from thresher.template.fingerprint import text_keys
from thresher.template.media import media, shared_media
from thresher.visible.readable import readable

__all__ = ["NEEDS", "STRUCTURAL", "Options", "frequency", "judge", "template"]

STRUCTURAL = tuple(
    "div table tbody tr td th ul ol dl form fieldset section article main nav header footer aside center".split()
)


NEEDS: frozenset[str] = frozenset({"siblings"})


@dataclass(frozen=True, slots=True)
class Options:
    siblings: tuple[Page, ...] = ()
    pages: Count = option(12, "how many of them are compared")
    support: Count = option(5, "pages that have a template segment; fewer where there are fewer than ten")
    ratio: Share = option(0.9, "share of template segments in a template subtree")


def frequency(page: Page, others: list[Page]) -> Rows:
    """f: how many pages have each text of the page, itself counted."""
    keys = text_keys(page)
    count = np.ones(len(keys), np.intp)
    for other in others:
        count += np.isin(keys, text_keys(other))
    return count


def template(page: Page, options: Options) -> Bools:
    """Which nodes lie in a structural subtree whose text is mostly template segments."""
    others = compared("iwptd", page, options.siblings, options.pages)
    support = max(2, min(options.support, -(-(1 + len(others)) // 2)))
    size = chars(page) * readable(page)
    total = text_sum(page, size)
    segment = frequency(page, others) >= support
    shared = text_sum(page, size * segment)
    roots = tag_mask(page, *STRUCTURAL) & (total > 0)
    alone = ~within(page, roots)
    elements = within(page, roots & (shared >= options.ratio * total))
    texts = elements[page.owner] | (alone[page.owner] & segment)
    shown = media(page)
    repeated = 1 + sum((shared_media(page, other).astype(np.intp) for other in others), np.zeros(len(shown), np.intp))
    elements[shown] = (elements | alone)[shown] & (repeated >= support)
    return on_nodes(page, elements, texts)


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable texts that are no template."""
    repeated = template(page, options)
    return Verdict(page, content_texts(page, repeated), elements=content_elements(page, repeated))
