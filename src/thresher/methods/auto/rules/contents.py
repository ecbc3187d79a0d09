"""The table of contents of a page: blocks that are links to places in it and say what its headings say.

    entry      a block that is a link to a fragment, with the words of a heading; its number does not count.
               The items of a list stand or fall together: all are entries, or none is, as most of them
    label      a short block right before the entries in a box that holds hardly anything else: "On this page"

Who reads the whole text has the headings.  Fewer than three such links are no table.
"""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules.rule import MIN_ENTRIES, Evidence
from thresher.output.fragments import IN_PAGE, fragment_links
from thresher.page import Page
from thresher.page.types import Bools

__all__ = ["contents"]

_MAX_LABEL_WORDS = 5
_MIN_ENTRY_SHARE = 0.6  # of the items of a list, and of the words in the box of a label
_NUMBER = b" 0123456789.,:;)(]["  # before an entry or a heading
_NO_BREAK = "\xa0".encode()


def contents(evidence: Evidence, chosen: Bools) -> Bools | None:
    """Which of the chosen blocks are entries of the table of contents, or its label."""
    page, opinion, *_ = evidence
    entry = _fragment_links(page, opinion)
    if np.count_nonzero(entry) < MIN_ENTRIES:
        return None
    label = opinion.words <= _MAX_LABEL_WORDS
    label[:-1] &= entry[1:]
    label[-1] = False
    if not (chosen & (entry | label)).any():
        return None
    headings = set(_plain_words(page, opinion, opinion.heading)) - {b""}
    entry[entry] = [words in headings for words in _plain_words(page, opinion, entry)]
    together = opinion.blocks.together
    entry = (np.bincount(together, entry) >= _MIN_ENTRY_SHARE * np.bincount(together)).take(together)
    if np.count_nonzero(entry) < MIN_ENTRIES:
        return None
    label &= chosen & ~entry
    for block in np.flatnonzero(label).tolist():
        box = slice(opinion.blocks.begin[1, block], opinion.blocks.stop[1, block])
        words = opinion.words[box]
        label[block] = words[entry[box]].sum() >= _MIN_ENTRY_SHARE * (words.sum() - opinion.words[block])
    return chosen & (entry | label)


def _fragment_links(page: Page, opinion: Opinion) -> Bools:
    """The blocks, no headings, that begin and end in links to fragments; a number may stand before."""
    _, mark = fragment_links(page)
    linked = np.append(mark == IN_PAGE, False)
    first, last = opinion.blocks.first, opinion.blocks.last
    links: Bools = (linked[first] | linked[first + 1]) & linked[last] & ~opinion.heading
    return links


def _plain_words(page: Page, opinion: Opinion, which: Bools) -> list[bytes]:
    """The words of some blocks without the numbers before them, in small letters as far as they are ASCII."""
    start, stop = page.start[opinion.blocks.first[which]].tolist(), page.stop[opinion.blocks.last[which]].tolist()
    texts = (page.utf8[a:b].replace(b"\0", b"").replace(_NO_BREAK, b" ") for a, b in zip(start, stop, strict=True))
    return [b" ".join(text.lower().split()).lstrip(_NUMBER) for text in texts]
