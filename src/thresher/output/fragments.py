"""Texts in links to fragments: to a place in the page, or in another."""

from __future__ import annotations

import numpy as np

from thresher.data.tags import NUMBER
from thresher.output.kernels import mark_fragment_links
from thresher.page import Page, attributes, memoised
from thresher.page.types import Bytes

__all__ = ["IN_PAGE", "fragment_links"]

_LINK = NUMBER["a"]
IN_PAGE = 2  # the address is a fragment and no more


@memoised
def fragment_links(page: Page) -> tuple[int, Bytes]:
    """How many links lead to fragments; and for each text IN_PAGE or 1 if it stands in one, else 0."""
    mark = np.zeros(len(page.start), np.uint8)
    links = attributes.columns(page, "href")
    count = mark_fragment_links(page.markup, *links, page.tag, _LINK, page.first, page.last, mark)
    return count, mark
