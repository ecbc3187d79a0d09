"""The address of an element in its page, as an XPath that browsers and lxml understand."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from thresher.data.tags import TAGS
from thresher.page import Page
from thresher.page.columns import column
from thresher.page.types import Longs
from thresher.text.patterns import compile_later

__all__ = ["xpath", "xpaths"]

_NAME = compile_later(r"[a-z_][a-z0-9_.-]*")


def xpath(page: Page, row: int) -> str:
    """`/html/body/div[2]/p`: names, with their number among siblings of the same name where there are several."""
    return xpaths(page, [row])[0]


def xpaths(page: Page, rows: Iterable[int]) -> list[str]:
    """The same of many rows; what stands around several of them is spelled once."""
    numbers, parent = _numbers(page), page.parent
    known: dict[int, str] = {-1: ""}
    paths = []
    for row in rows:
        path = []
        above = row
        while above not in known:
            path.append(above)
            above = int(parent[above])
        spelled = known[above]
        for step in reversed(path):
            spelled += "/" + _step(page, step, int(numbers[step]))
            known[step] = spelled
        paths.append(known[row])
    return paths


def _step(page: Page, row: int, number: int) -> str:
    name = page.name(row)
    if not page.tag[row] and not _NAME.fullmatch(name):  # nothing that could be written: `<o:p>`, `<a<b>`
        name, number = "*", _place(page, row)
    return f"{name}[{number}]" if number else name


def _place(page: Page, row: int) -> int:
    """The element's number, from 1, among all its siblings."""
    above = int(page.parent[row])
    return int(np.count_nonzero(page.parent[above + 1 : row + 1] == above))


@column
def _numbers(page: Page) -> Longs:
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
