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

from typing import NamedTuple

import numpy as np

from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.methods.auto.blocks import SECRET, Blocks, slots
from thresher.methods.auto.counts import CHARS, LINKED, WORDS, Counts
from thresher.methods.auto.kernels.units import (
    chars_in_links,
    count_units,
    hash_first_classes,
    nearest_units,
    number_kinds,
)
from thresher.page import Page, attributes
from thresher.page.types import Bools, Floats, Numbers, Rows, Singles

__all__ = ["UNITS", "unit_columns"]

_OF_UNITS = "size linked distinct words link_density headings images dates".split()
UNITS = [*(f"{which} {name}" for which in ("inner", "outer") for name in _OF_UNITS), "page_links", "other_links"]

_FEWEST = 4  # siblings
_LINKED, _DISTINCT = 0.5, 0.4  # least shares of the siblings
_INLINE = group(set("a span b strong em i u br img small sup sub font option time svg path".split())).view(np.uint8)
_HEADING, _IMAGE = group(HEADINGS), group(("img", "picture", "video", "figure"))
_LINK, _TIME = NUMBER["a"], NUMBER["time"]
_BETWEEN = b"\xff"  # stands in no UTF-8
_NO_PAGE = (b"#", b"javascript:", b"mailto:", b"tel:", b"data:")
_MAYBE_NO_PAGE = b"#jJmMtTdD"  # first bytes of these


class _Links(NamedTuple):
    """The links with an address, in document order."""

    row: Rows
    address: Rows  # numbers of distinct ones
    to_page: Bools


def unit_columns(page: Page, page_blocks: Blocks, counts: Counts, dated: Bools, out: Singles) -> None:
    """The columns named in UNITS; `dated` are the blocks that are dates."""
    links = _links(page)
    out[:] = 0
    out[:, -2:] = _shares_of_links(page, page_blocks, counts, links).T
    kind, size = _kinds(page)
    if not links.to_page.any() or not (size >= _FEWEST).any():
        return
    link, address = links.row[links.to_page], links.address[links.to_page]
    held, table = _held(page, page_blocks, counts, dated), np.zeros((len(size), 8))
    leads_to = np.empty(len(page), np.intp)
    count_units(
        kind.data, size.data, _FEWEST, page.end.data, link.data, address.data, SECRET, slots(len(page)).data,
        leads_to.data, held.data, table.data,
    )  # fmt: skip
    linked, distinct, words, chars, in_links, *shares = table.T / size
    is_unit = (size >= _FEWEST) & (linked >= _LINKED) & (distinct >= _DISTINCT)
    if not is_unit.any():
        return
    columns = np.log1p(size), linked, distinct, np.log1p(words), in_links / np.maximum(chars, 1 / size), *shares
    known = np.zeros((1 + len(size), len(columns)))
    known[1:] = np.stack(columns, axis=1)
    inner, outer = np.empty((2, len(page)), np.intp)
    nearest_units(kind.data, page.parent.data, is_unit.view(np.uint8).data, inner.data, outer.data)
    for which, unit in enumerate((inner, outer)):
        out[:, which * len(columns) : (which + 1) * len(columns)] = known.take(unit.take(page_blocks.at), axis=0)


def _links(page: Page) -> _Links:
    row, code, addresses = attributes.distinct_bytes(page, "href")
    to_page = np.array([one[:1] not in _MAYBE_NO_PAGE or _is_page(one) for one in addresses], bool)
    is_link = page.tag.take(row) == _LINK
    row, code = row[is_link], code[is_link]
    return _Links(row, code, to_page[code])


def _is_page(address: bytes) -> bool:
    return bool(address) and not address.lower().startswith(_NO_PAGE)


def _kinds(page: Page) -> tuple[Numbers, Numbers]:
    """The number of each element's kind, -1 for those that are no unit, and how many are of each kind."""
    number = np.zeros(len(page), np.uint64)  # of the first class
    row, code, values = attributes.distinct_bytes(page, "class")
    if values:
        of_value = np.empty(len(values), np.uint64)
        hash_first_classes(_BETWEEN.join([*values, b""]), of_value.data)
        number[row] = of_value.take(code)
    kind, size = np.empty((2, len(page)), np.int32)
    count = number_kinds(
        page.parent.data, page.first.data, page.last.data, page.tag.data, _INLINE.data, number.data,
        SECRET, slots(len(page)).data, kind.data, size.data,
    )  # fmt: skip
    return kind, size[:count]


def _held(page: Page, page_blocks: Blocks, counts: Counts, dated: Bools) -> Numbers:
    """Words, characters, characters in links, headings, images and dates in each element."""
    held = np.empty((6, len(page)), np.int32)
    sums = counts.sums[[WORDS, CHARS, LINKED]]
    np.subtract(sums.take(page.last, axis=1), sums.take(page.first, axis=1), out=held[:3])
    marks = np.zeros((3, len(page) + 1), np.int32)
    marks[:, 1:] = _HEADING.take(page.tag), _IMAGE.take(page.tag), page.tag == _TIME
    marks[2, page_blocks.at[dated] + 1] += 1
    marks.cumsum(axis=1, out=marks)
    np.subtract(marks.take(page.end, axis=1), marks[:, :-1], out=held[3:])
    return held


def _shares_of_links(page: Page, page_blocks: Blocks, counts: Counts, links: _Links) -> Floats:
    """Characters of each block in links to pages and in other links, as shares.  Links do not stand in links, so each
    is a range of texts of its own."""
    begin, stop = page.first.take(links.row), page.last.take(links.row)
    chars, to_page = counts.sums[CHARS], links.to_page.view(np.uint8)
    held = np.zeros((2, len(page_blocks)))
    chars_in_links(
        begin.data, stop.data, to_page.data, chars.data, page_blocks.first.data, page_blocks.last.data, held.data
    )
    held /= np.maximum(counts.own[CHARS], 1)
    return held
