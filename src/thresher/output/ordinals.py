"""The numbers in front of list items."""

from __future__ import annotations

import re

from thresher.data.tags import NUMBER
from thresher.page import Page

__all__ = ["leading_integer", "list_ranks"]

_LI = NUMBER["li"]
_INTEGER = re.compile(r"\s*([+-]?\d{1,9})")


def list_ranks(page: Page) -> dict[int, int]:
    """How many items stand before each list item in the same list."""
    items = (page.tag == _LI).nonzero()[0]
    ranks: dict[int, int] = {}
    count: dict[int, int] = {}  # of each list
    for item, around in zip(items.tolist(), page.parent[items].tolist(), strict=True):
        ranks[item] = count.get(around, 0)
        count[around] = ranks[item] + 1
    return ranks


def leading_integer(value: str | None, otherwise: int) -> int:
    """The number that an attribute begins with, as browsers read it."""
    match = _INTEGER.match(value or "")
    return int(match[1]) if match else otherwise
