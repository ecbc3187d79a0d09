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

from thresher.data.tags import NUMBER, group
from thresher.methods.auto.blocks import SECRET, Blocks, slots
from thresher.methods.auto.counts import CHARS, Counts, Elements
from thresher.methods.auto.kernels.links import find_links, write_link_shares
from thresher.methods.auto.kernels.units import count_units, hash_first_classes, number_kinds, write_units
from thresher.page import Page, attributes
from thresher.page.types import Bytes, Ints, Singles

__all__ = ["UNITS", "unit_columns"]

_OF_UNITS = "size linked distinct words link_density headings images dates".split()
UNITS = [*(f"{which} {name}" for which in ("inner", "outer") for name in _OF_UNITS), "page_links", "other_links"]

_INLINE = group(set("a span b strong em i u br img small sup sub font option time svg path".split())).view(np.uint8)
_LINK = NUMBER["a"]
_NO_PAGE = b"".join(begin + b"\xff" for begin in (b"#", b"javascript:", b"mailto:", b"tel:", b"data:"))


def unit_columns(
    page: Page, page_blocks: Blocks, counts: Counts, elements: Elements, dated: Bytes, out: Singles
) -> None:
    """The columns named in UNITS; `dated` are the blocks that are dates."""
    links, count = _links(page)
    write_link_shares(
        links, count, page.first, page.last, counts.sums[CHARS], page_blocks.first,
        page_blocks.last, out[:, -2:],
    )  # fmt: skip
    kind, size, table = _kinds(page)
    of_kind, room = np.zeros((len(size), len(_OF_UNITS))), np.empty((2, len(page) + 1), np.int32)
    count_units(
        kind, size, page.end, page.first, page.last, links, count, counts.sums,
        elements.marks, dated, page_blocks.at, SECRET, table, room, of_kind,
    )  # fmt: skip
    write_units(kind, size, page.parent, page_blocks.at, of_kind, room, out[:, :-2])


def _links(page: Page) -> tuple[Ints, int]:
    """Row, number of the address, and whether it is one of a page, of each link that has one, in document order; how
    many there are."""
    row, code, start, stop = attributes.numbered(page, "href")
    links, is_page = np.empty((3, len(row)), np.int32), np.empty(len(start), np.uint8)
    return links, find_links(
        page.markup, start, stop, row, code, page.tag, _LINK, _NO_PAGE, is_page,
        links,
    )  # fmt: skip


def _kinds(page: Page) -> tuple[Ints, Ints, Ints]:
    """The number of each element's kind, -1 for those that are no unit, how many are of each kind, and room for a hash
    table of elements."""
    row, code, start, stop = attributes.numbered(page, "class")
    of_value, first_class = np.empty(len(start), np.uint64), np.empty(len(page), np.uint64)
    hash_first_classes(
        page.markup, start, stop, row, code, of_value, first_class
    )  # fmt: skip
    kind, size, table = np.empty(len(page), np.int32), np.empty(len(page), np.int32), slots(len(page))
    count = number_kinds(
        page.parent, page.first, page.last, page.tag, _INLINE, first_class,
        SECRET, table, kind, size,
    )  # fmt: skip
    return kind, size[:count], table
