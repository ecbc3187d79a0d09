"""Links that open a section for editing, as MediaWiki writes them beside the headings of Wikipedia and other wikis:

    <div class="mw-heading"><h2>History</h2><span class="mw-editsection">[<a href="…&action=edit">edit</a>]</span></div>

Older versions have them inside the heading, with the class `editsection`; some wikis show a drawing between the
brackets.  No form prints them.
"""

from __future__ import annotations

import numpy as np

from thresher.page import Page, attributes, memoised
from thresher.page.types import Bools

__all__ = ["edit_links"]

_SOFTWARE = b"mediawiki"  # a class of the body
_NAMES = frozenset((b"mw-editsection", b"editsection"))


@memoised
def edit_links(page: Page) -> Bools | None:
    """The texts of such links and their brackets; None if there are none, as on nearly all pages."""
    body = int(page.end[1]) if len(page) > 1 else 0  # behind the head
    if body == len(page) or _SOFTWARE not in page.markup[page.tag_start[body] : page.tag_stop[body]]:
        return None
    texts = np.zeros(len(page.start), bool)
    rows, code, values = attributes.distinct_bytes(page, "class")
    for number, value in enumerate(values):
        if not _NAMES.isdisjoint(value.split()):
            for row in rows[code == number].tolist():
                texts[page.first[row] : page.last[row]] = True
    return texts if texts.any() else None
