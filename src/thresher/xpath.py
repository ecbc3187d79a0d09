"""The address of an element in its page, as an XPath that browsers and lxml understand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.columns import column
from thresher.data.tags import TAGS
from thresher.page import Page

__all__ = ["xpath"]


def xpath(page: Page, row: int) -> str:
    """`/html/body/div[2]/p`: names, with their number among siblings of the same name where there are several."""
    numbers = _numbers(page)
    steps = []
    while row >= 0:
        number = int(numbers[row])
        steps.append(page.name(row) + (f"[{number}]" if number else ""))
        row = int(page.parent[row])
    return "/" + "/".join(reversed(steps))


@column
def _numbers(page: Page) -> NDArray[np.int64]:
    """Each element's number, from 1, among the siblings of its name; 0 where it is the only one.

    Rows sorted by (parent, name) put such siblings side by side, in document order; a number is the distance from
    the start of the run.  O(n log n).
    """
    name = page.tag.astype(np.int64)
    strangers: dict[str, int] = {}  # names outside the table, numbered on after it
    for row in np.flatnonzero(page.tag == 0).tolist():
        name[row] = strangers.setdefault(page.name(row), len(TAGS) + len(strangers))
    key = page.parent.astype(np.int64) * (len(TAGS) + len(strangers)) + name
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.concatenate(([True], np.diff(key[order]) != 0)))
    length = np.diff(np.append(starts, len(order)))
    number = np.arange(len(order)) - np.repeat(starts, length) + 1
    number[np.repeat(length == 1, length)] = 0
    result = np.empty(len(order), np.int64)
    result[order] = number
    return result
