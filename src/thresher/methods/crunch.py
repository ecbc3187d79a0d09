"""Crunch: a chain of filters over the DOM.  Gupta, Kaiser, Neistadt, Grimm, WWW 2003 and World Wide Web 8(2), 2005.

Each filter is an option and marks elements, which go with all below them:

    advertisements   links, images and frames whose host is on the list data/ad_hosts.txt      _advertisements
    link_lists       cells and lists with  words in links / other words  above this ratio      _marked
    text_links       every link                                                                _marked
    forms            forms, and what stands in them                                            _marked
    text_lists       lists without links whose items have fewer words than this on average     _marked
    image_cells      table cells that hold images and not a word                               _marked
    empty_tables     tables with fewer words than this left by the filters before              elements

The defaults are a profile for news: text links stay, for an article has links in its sentences, and so do lists of
text.

Choices.  Scripts, styles and comments, which Crunch filters as well, never get into a Page.  Crunch's cells are the
table cells that pages of 2003 were laid out with; `nav`, `aside`, `header` and `footer` take their part today.  `div`
does not: every wrapper would be judged together with the menus in it (F1 0.66 instead of 0.80 on 150 pages of wcxb).
A form that holds half of the page's words stays: some systems wrap the whole page in one.  The papers leave the ratio
and the limits to the user; 0.35 is ours, and 0.25 to 1 score the same within 0.01.  The filters but the last do not
see each other's work, so their order makes no difference.

It keeps whatever is not a list of links: high recall, low precision, as paper 000 found (0.96 and 0.65 on news).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from thresher.data.tags import group
from thresher.methods._options import Amount, Whole, option
from thresher.methods._segments import body
from thresher.page import Page
from thresher.page.attributes import find
from thresher.page.columns import in_link, tag_mask, words
from thresher.page.tree import subtree_sum, text_sum, within
from thresher.page.types import Bools
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["CELLS", "LISTS", "NEEDS", "Options", "elements", "judge"]


LISTS = frozenset("ul ol dl menu dir".split())
CELLS = LISTS | frozenset("td th nav aside header footer".split())
_LISTS, _CELLS = group(LISTS), group(CELLS)
_SCHEMES = frozenset({b"", b"http:", b"https:"})
_LABELS = 4  # no host on the list has more


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    advertisements: bool = True
    link_lists: Amount | None = option(0.35, "words in links for each other word; None: keep all")
    text_links: bool = False
    forms: bool = True
    text_lists: Amount | None = option(None, "words an item must have on average; None: keep all")
    image_cells: bool = True
    empty_tables: Whole = option(1, "words a table must have; 0: keep all")


def elements(page: Page, options: Options = Options()) -> Bools:
    """Every element that no filter removes."""
    removed = _marked(page, options)
    gone = within(page, removed)
    if options.empty_tables:
        left = text_sum(page, words(page) * readable(page) * ~gone[page.owner])
        gone = within(page, removed | (tag_mask(page, "table") & (left < options.empty_tables)))
    return ~gone


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text that no filter removes."""
    chosen = elements(page, options)
    return Verdict(page, chosen[page.owner] & readable(page), elements=chosen)


def _marked(page: Page, options: Options) -> Bools:
    """What the filters before the last one mark."""
    seen = words(page) * readable(page)
    total = text_sum(page, seen)
    linked = text_sum(page, seen * in_link(page))
    marked = np.zeros(len(page), bool)
    if options.advertisements:
        marked |= _advertisements(page)
    if options.link_lists is not None:
        marked |= _CELLS[page.tag] & (linked > options.link_lists * (total - linked))
    if options.text_links:
        marked |= tag_mask(page, "a")
    if options.forms:
        marked |= tag_mask(page, "form") & (2 * total < total[body(page)])
    if options.text_lists is not None:
        items = subtree_sum(page, tag_mask(page, "li", "dd", "dt"))
        marked |= _LISTS[page.tag] & (linked == 0) & (total < options.text_lists * items)
    if options.image_cells:
        images = subtree_sum(page, tag_mask(page, "img", "picture"))
        marked |= tag_mask(page, "td", "th") & (images > 0) & (total == 0)
    return marked


def _advertisements(page: Page) -> Bools:
    """Elements whose link or source is on an advertisement host or on a subdomain of one."""
    mask = np.zeros(len(page), bool)
    markup = page.markup
    verdicts: dict[bytes, bool] = {}  # a page has hundreds of links to a handful of hosts
    for name in ("href", "src"):
        spans = find(page, name)
        for row, start, stop in zip(spans.row.tolist(), spans.start.tolist(), spans.stop.tolist(), strict=True):
            scheme, slashes, rest = markup[start:stop].partition(b"//")
            if not slashes or scheme.lower() not in _SCHEMES:
                continue
            host = rest.partition(b"/")[0]
            if host not in verdicts:
                verdicts[host] = _serves_ads(host)
            mask[row] |= verdicts[host]
    return mask


def _serves_ads(host: bytes) -> bool:
    """Whether the host, or a domain it belongs to, is on the list."""
    labels = host.partition(b":")[0].lower().split(b".")[-_LABELS:]
    return any(b".".join(labels[k:]) in _ad_hosts() for k in range(len(labels)))


@cache
def _ad_hosts() -> frozenset[bytes]:
    lines = files("thresher.data").joinpath("ad_hosts.txt").read_bytes().splitlines()
    return frozenset(line for line in lines if line and not line.startswith(b"#"))
