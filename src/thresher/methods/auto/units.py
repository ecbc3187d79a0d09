"""Units that repeat, as evidence: cards, teasers, rows, posts.

A unit is one of four or more siblings with one tag and one kind of class, of which most link to a page and most of
these to different ones.  A heading, a date and a snippet that repeat are the content of a listing and chaff in an
article; the network is told what the units are like and judges by the type of the page.

    size, linked, distinct   how many there are; the shares of them that link to a page, and to one of their own
    words, link_density      words of a unit on the mean; share of their characters in links
    headings, images, dates  shares of the units that have one

The same of the innermost unit around a block and of the outermost.  Besides, of each block: the share of its characters
in links to pages, and in links that lead nowhere else (`#…`, scripts, addresses of mail).

The loops are `kernels.units.write_units` and `kernels.links.write_links`.
"""

from __future__ import annotations

from thresher.data.tags import NUMBER

__all__ = ["FEWEST", "LINK", "NO_PAGE", "OF_UNITS", "UNITS"]

OF_UNITS = "size linked distinct words link_density headings images dates".split()
UNITS = [*(f"{which} {name}" for which in ("inner", "outer") for name in OF_UNITS), "page_links", "other_links"]

LINK = NUMBER["a"]
# How addresses begin that are none of a page, each behind its length
NO_PAGE = b"".join(bytes([len(begin)]) + begin for begin in (b"#", b"javascript:", b"mailto:", b"tel:", b"data:"))
FEWEST = 4  # siblings that are units
