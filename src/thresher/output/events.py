"""What a walk through the content of a page meets: the elements that mean something to a reader, and the kept texts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import TAGS
from thresher.output.walk_kernels import order_events
from thresher.page import Page
from thresher.page.types import Ints, Rows

__all__ = ["ALWAYS", "NOTHING", "WITH_TEXT", "find_events", "kinds_of_tags"]

ALWAYS, WITH_TEXT = 1, 2  # how an element is wanted, whatever its name: always, or if it holds a kept text
NOTHING = np.zeros(0, np.uint8)  # is wanted


def kinds_of_tags(visited: Iterable[str]) -> bytes:
    """For each tag what it means to `find_events`: those visited; boxes, which stand before the text of an item; cells,
    which keep the others of their row in their columns even if they are empty; rows."""
    names = (frozenset(visited), ("input",), ("td", "th"), ("tr",))
    return bytes(sum((name in some) << bit for bit, some in enumerate(names)) for name in TAGS)


def find_events(page: Page, kept: Rows, media: memoryview, wanted: NDArray[np.uint8], kinds: bytes) -> Ints:
    """The rows of elements, and the kept texts as ~place, in document order.

    An element is met for its tag (`kinds`) if it holds a kept text or some of the media; and if it is `wanted`.
    """
    before, medium = np.empty(len(page.start) + 1, np.int32), np.empty(len(page) + 1, np.int32)
    events = np.empty(len(page) + len(kept), np.int32)
    count = order_events(
        page.tag,
        page.parent,
        page.end,
        page.first,
        page.last,
        page.tag_start,
        media,
        wanted,
        kinds,
        kept,
        page.position,
        before,
        medium,
        events,
    )
    return events[:count]
