"""The numbers in front of list items."""

from __future__ import annotations

import re

import numpy as np

from thresher.data.tags import NUMBER
from thresher.page import Page

__all__ = ["leading_integer", "list_ranks"]

_LI = NUMBER["li"]
_INTEGER = re.compile(r"\s*([+-]?\d{1,9})")


def list_ranks(page: Page) -> dict[int, int]:
    """How many items stand before each list item in the same list."""
    items = np.flatnonzero(page.tag == _LI)
    order = np.argsort(page.parent[items], kind="stable")
    parent = page.parent[items[order]]
    new = np.concatenate(([True], parent[1:] != parent[:-1]))
    place = np.arange(len(order))
    rank = place - np.maximum.accumulate(np.where(new, place, 0))
    return dict(zip(items[order].tolist(), rank.tolist(), strict=True))


def leading_integer(value: str | None, otherwise: int) -> int:
    """The number that an attribute begins with, as browsers read it."""
    match = _INTEGER.match(value or "")
    return int(match[1]) if match else otherwise
