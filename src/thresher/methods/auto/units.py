"""Units that repeat, as evidence: cards, teasers, rows, posts.

A unit is one of four or more siblings with one tag and one kind of class, of which most link to a page and most of
these to different ones.  A heading, a date and a snippet that repeat are the content of a listing and chaff in an
article; the network is told what the units are like and judges by the type of the page.

    size, linked, distinct   how many there are; the shares of them that link to a page, and to one of their own
    words, link_density      words of a unit on the mean; share of their characters in links
    headings, images, dates  shares of the units that have one

The same of the innermost unit around a block and of the outermost.  Besides, of each block: the share of its characters
in links to pages, and in links that lead nowhere else (`#…`, scripts, addresses of mail).
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import NUMBER
from thresher.methods.auto.blocks import SECRET, Blocks
from thresher.methods.auto.counts import Counts
from thresher.methods.auto.elements import FACTS, elements
from thresher.methods.auto.kernels.links import write_links
from thresher.methods.auto.kernels.units import write_units
from thresher.page import Page, attributes
from thresher.page.types import Ints, Singles

__all__ = ["UNITS", "unit_columns"]

_OF_UNITS = "size linked distinct words link_density headings images dates".split()
UNITS = [*(f"{which} {name}" for which in ("inner", "outer") for name in _OF_UNITS), "page_links", "other_links"]

_LINK = NUMBER["a"]
_NO_PAGE = b"".join(bytes([len(begin)]) + begin for begin in (b"#", b"javascript:", b"mailto:", b"tel:", b"data:"))
_FEWEST = 4


def unit_columns(
    page: Page, page_blocks: Blocks, counted: Counts, slots: Ints, ints: Ints, dated: int, x: Singles, at: int
) -> None:
    """The columns named in UNITS, from `at` on; the column `dated` of x has the blocks that are dates.  `slots` and
    `ints` are room (kernels/units.py)."""
    links = attributes.numbered(page, "href")
    found = np.empty((3, len(links.row)), np.int32)
    count = write_links(
        page.markup, *links, _LINK, _NO_PAGE, page_blocks.table, counted.sums, elements(page), found,
        x, at + 2 * len(_OF_UNITS),
    )  # fmt: skip
    _, _, start, stop = attributes.numbered(page, "class")
    table = np.empty((len(page.tag) // _FEWEST, len(_OF_UNITS) + 1))
    write_units(
        page.markup, start, stop, FACTS, found, count, page_blocks.table, counted.sums, elements(page),
        SECRET, slots, ints, np.empty(len(start), np.uint64), table, dated, x, at,
    )  # fmt: skip
