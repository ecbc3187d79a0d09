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
from numpy.typing import NDArray

from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.methods.auto.blocks import Blocks, numbered
from thresher.methods.auto.counts import CHARS, LINKED, WORDS, Counts
from thresher.page import Page, attributes
from thresher.page.tree import along_path

__all__ = ["UNITS", "unit_columns"]

Rows = NDArray[np.intp]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

_OF_UNITS = "size linked distinct words link_density headings images dates".split()
UNITS = [*(f"{which} {name}" for which in ("inner", "outer") for name in _OF_UNITS), "page_links", "other_links"]

_FEWEST = 4  # siblings
_LINKED, _DISTINCT = 0.5, 0.4  # least shares of the siblings
_INLINE = group(set("a span b strong em i u br img small sup sub font option time svg path".split()))
_HEADING, _IMAGE = group(HEADINGS), group(("img", "picture", "video", "figure"))
_LINK, _TIME = NUMBER["a"], NUMBER["time"]
_DIGITS = b"0123456789"
_NO_PAGE = (b"#", b"javascript:", b"mailto:", b"tel:", b"data:")
_MAYBE_NO_PAGE = b"#jJmMtTdD"  # first bytes of these


class _Links(NamedTuple):
    """The links with an address, in document order."""

    row: Rows
    address: Rows  # numbers of distinct ones
    to_page: Bools


def unit_columns(page: Page, found: Blocks, counts: Counts, dated: Bools, out: NDArray[np.float32]) -> None:
    """The columns named in UNITS; `dated` are the blocks that are dates."""
    links = _links(page)
    out[:] = 0
    _shares_of_links(page, found, counts, links, out[:, -2:])
    rows = ((page.first < page.last) & ~_INLINE[page.tag] & (page.parent >= 0)).nonzero()[0]
    key = (page.parent[rows].astype(np.int64) * len(_INLINE) + page.tag[rows]) * len(page) + _class_kinds(page)[rows]
    kind = numbered(key)
    several = (np.bincount(kind) >= _FEWEST)[kind]
    rows, kind = rows[several], kind[several]
    if not len(rows) or not links.to_page.any():
        return
    kind = numbered(kind)
    size = np.bincount(kind)
    has_link, address = _first_pages(page, rows, links)
    linked = np.bincount(kind, has_link) / size
    pairs = np.unique(kind[has_link] * np.int64(len(page)) + address[has_link])
    distinct = np.bincount(pairs // len(page), minlength=len(size)) / size
    is_unit = (linked >= _LINKED) & (distinct >= _DISTINCT)
    if not is_unit.any():
        return
    table = np.stack(
        (np.log1p(size), linked, distinct, *_contents(page, found, counts, dated, rows, kind, size)), axis=1
    )
    _spread(page, found, rows[is_unit[kind]], kind[is_unit[kind]], table, out)


def _links(page: Page) -> _Links:
    row, code, addresses = attributes.distinct_bytes(page, "href")
    to_page = np.array([_is_page(address) for address in addresses], bool)
    order = row.argsort(kind="stable")
    order = order[page.tag[row[order]] == _LINK]
    return _Links(row[order], code[order], to_page[code[order]] if len(to_page) else np.zeros(0, bool))


def _is_page(address: bytes) -> bool:
    return bool(address) and not (address[0] in _MAYBE_NO_PAGE and address.lower().startswith(_NO_PAGE))


def _class_kinds(page: Page) -> Rows:
    """A number for the first class of each element without its digits, `post-12` and `post-7` alike; 0 for none."""
    kinds = np.zeros(len(page), np.intp)
    row, code, values = attributes.distinct_bytes(page, "class")
    if values:
        known: dict[bytes, int] = {}
        first = ((value.split(None, 1) or [b""])[0].translate(None, _DIGITS) for value in values)
        kinds[row] = np.array([known.setdefault(name, len(known) + 1) for name in first])[code]
    return kinds


def _first_pages(page: Page, rows: Rows, links: _Links) -> tuple[Bools, Rows]:
    """Which of the elements hold a link to a page, and to which the first one leads."""
    row, address = links.row[links.to_page], links.address[links.to_page]
    at = np.minimum(row.searchsorted(rows), len(row) - 1)
    inside: Bools = (row[at] >= rows) & (row[at] < page.end[rows])
    return inside, address[at]


def _contents(
    page: Page, found: Blocks, counts: Counts, dated: Bools, rows: Rows, kind: Rows, size: Rows
) -> tuple[Floats, ...]:
    """Words, link density, headings, images and dates of each kind."""
    sums = counts.sums[[WORDS, CHARS, LINKED]]
    words, chars, linked = (np.bincount(kind, held) for held in sums[:, page.last[rows]] - sums[:, page.first[rows]])
    marks = np.zeros((3, len(page) + 1), np.int32)
    marks[:, 1:] = _HEADING[page.tag], _IMAGE[page.tag], page.tag == _TIME
    marks[2, found.at[dated] + 1] += 1
    marks.cumsum(axis=1, out=marks)
    has = marks[:, page.end[rows]] > marks[:, rows]
    return np.log1p(words / size), linked / np.maximum(chars, 1), *(np.bincount(kind, one) / size for one in has)


def _spread(page: Page, found: Blocks, units: Rows, kind: Rows, table: Floats, out: NDArray[np.float32]) -> None:
    """What is known of the kinds, for the innermost and the outermost unit around each block."""
    mark = np.zeros(len(page), np.intp)
    mark[units] = np.arange(len(units)) + 1
    inner = along_path(page, mark, np.maximum)[found.at]
    mark[units] = len(units) - np.arange(len(units))
    outer = along_path(page, mark, np.maximum)[found.at]
    known = np.concatenate((np.zeros((1, table.shape[1])), table[kind]))
    width = table.shape[1]
    out[:, :width] = known[inner]
    out[:, width : 2 * width] = known[np.where(outer > 0, len(units) + 1 - outer, 0)]


def _shares_of_links(page: Page, found: Blocks, counts: Counts, links: _Links, out: NDArray[np.float32]) -> None:
    """Characters of each block in links to pages and in other links, as shares.  Links do not stand in links, so each
    is a range of texts of its own."""
    chars = counts.sums[CHARS]
    for column, rows in enumerate((links.row[links.to_page], links.row[~links.to_page])):
        inside = np.bincount(page.first[rows], minlength=len(chars)) - np.bincount(
            page.last[rows], minlength=len(chars)
        )
        held = np.zeros(len(chars))
        np.cumsum(np.diff(chars) * (inside.cumsum()[:-1] > 0), out=held[1:])
        out[:, column] = (held[found.last + 1] - held[found.first]) / np.maximum(counts.own[CHARS], 1)
