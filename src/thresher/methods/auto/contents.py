"""The table of contents of a page: blocks that are links to places in it and say what its headings say.

    entry      a block that is a link to a fragment, with the words of a heading; its number does not count.
               The items of a list stand or fall together: all are entries, or none is, as most of them
    label      a short block right before the entries in a box that holds hardly anything else: "On this page"

Who reads the whole text has the headings.  Fewer than three such links are no table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER
from thresher.methods.auto.model import Opinion
from thresher.page import Page, attributes

__all__ = ["contents"]

Bools = NDArray[np.bool_]

_LINK, _HASH = NUMBER["a"], ord("#")
_FEWEST = 3
_SHORT = 5  # words of a label
_MOSTLY = 0.6  # of the items of a list, and of the words in the box of a label
_NUMBER = b" 0123456789.,:;)(]["  # before an entry or a heading
_NO_BREAK = "\xa0".encode()


def contents(page: Page, found: Opinion, asked: Bools) -> Bools:
    """Which of the blocks asked about are entries of the table of contents, or its label."""
    entry = _links(page, found)
    label = found.words <= _SHORT
    label[:-1] &= entry[1:]
    label[-1] = False
    if np.count_nonzero(entry) < _FEWEST or not (asked & (entry | label)).any():
        return np.zeros(len(asked), bool)
    headings = set(_said(page, found, found.heading)) - {b""}
    entry[entry] = [words in headings for words in _said(page, found, entry)]
    together = found.blocks.together
    entry = (np.bincount(together, entry) >= _MOSTLY * np.bincount(together)).take(together)
    if np.count_nonzero(entry) < _FEWEST:
        return np.zeros(len(asked), bool)
    label &= asked & ~entry
    for block in np.flatnonzero(label).tolist():
        box = slice(found.blocks.begin[1, block], found.blocks.stop[1, block])
        held = found.words[box]
        label[block] = held[entry[box]].sum() >= _MOSTLY * (held.sum() - found.words[block])
    return asked & (entry | label)


def _links(page: Page, found: Opinion) -> Bools:
    """The blocks, no headings, that begin and end in links to fragments; a number may stand before."""
    row, start, _ = attributes.find(page, "href")
    row = row[(np.frombuffer(page.markup, np.uint8)[start] == _HASH) & (page.tag[row] == _LINK)]
    row = row[page.first[row] < page.last[row]]
    if len(row) < _FEWEST:
        return np.zeros(len(found.words), bool)
    inside = np.zeros(len(page.start) + 1, np.intp)  # links do not stand in links, so each begins at another text
    inside[page.first[row]] += 1
    inside[page.last[row]] -= 1
    linked = inside.cumsum() > 0
    first, last = found.blocks.first, found.blocks.last
    links: Bools = (linked[first] | linked[first + 1]) & linked[last] & ~found.heading
    return links


def _said(page: Page, found: Opinion, some: Bools) -> list[bytes]:
    """The words of some blocks without the numbers before them, in small letters as far as they are ASCII."""
    start, stop = page.start[found.blocks.first[some]].tolist(), page.stop[found.blocks.last[some]].tolist()
    texts = (page.utf8[a:b].replace(b"\0", b"").replace(_NO_BREAK, b" ") for a, b in zip(start, stop, strict=True))
    return [b" ".join(text.lower().split()).lstrip(_NUMBER) for text in texts]
