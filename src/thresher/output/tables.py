"""Tables that hold data, and tables that only lay out the page.

A page of 2005 is a table of tables; printing it as one would be wrong in every format.  So a table is data only if

    it has rows of two or more cells with a text or an image, and does not say role="presentation",
    no cell of it is a page of its own: more than SEVERAL blocks and LONG bytes of text, and
    it has a header cell or a caption, or else two such rows, no cell of SEVERAL blocks, no heading and no table in it.

The verdict plays no part in this: a table is what it is, whatever was kept of it.
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.output.containers import nearest_ancestor
from thresher.page import Page, attributes
from thresher.page.columns import column
from thresher.page.tree import run_starts, subtree_sum, text_sum
from thresher.page.types import Bools, Rows

__all__ = ["SEVERAL", "data_tables"]

LONG = 1000
SEVERAL = 3

_TABLE, _ROW, _HEAD, _CAPTION, _IMAGE = (NUMBER[name] for name in ("table", "tr", "th", "caption", "img"))
_CELL = group(("td", "th"))
_HEADING = group(HEADINGS)


@column
def data_tables(page: Page) -> Bools:
    """Which elements are tables of data."""
    tables = np.flatnonzero(page.tag == _TABLE)
    data = np.zeros(len(page), bool)
    if not len(tables):
        return data
    number = np.full(len(page) + 1, -1, np.intp)  # the table's place in `tables`; index -1 (no table) gives -1
    number[tables] = np.arange(len(tables))

    def count(places: Rows) -> Rows:
        return np.bincount(places[places >= 0], minlength=len(tables))

    cells = np.flatnonzero(_CELL[page.tag])
    table = number[nearest_ancestor(page, tables, cells)]
    line = nearest_ancestor(page, np.flatnonzero(page.tag == _ROW), cells)
    full = ((page.last[cells] > page.first[cells]) | (subtree_sum(page, page.tag == _IMAGE)[cells] > 0)).nonzero()[0]
    second = full[1:][(line[full[1:]] == line[full[:-1]]) & (line[full[1:]] >= 0)]  # a cell that follows another
    order = line[second].argsort(kind="stable")
    places = order[run_starts(line[second[order]])]  # one for each row; np.unique would load masked arrays
    wide_rows = count(table[second[places]])

    block = np.concatenate((page.block, [0]))
    blocks = block[page.last[cells] - 1] - block[page.first[cells]] + 1
    several: Bools = (blocks > SEVERAL) & (page.last[cells] > page.first[cells])
    article = several.copy()
    if several.any():
        article &= text_sum(page, page.stop - page.start)[cells] > LONG

    nested = count(number[nearest_ancestor(page, tables, page.parent[tables])])
    captions = page.parent[page.tag == _CAPTION]
    head = count(table[page.tag[cells] == _HEAD]) + count(number[captions])
    heading = count(number[nearest_ancestor(page, tables, np.flatnonzero(_HEADING[page.tag]))])
    plain = (wide_rows > 1) & (count(table[several]) + nested + heading == 0)
    data[tables] = (wide_rows > 0) & (count(table[article]) == 0) & ((head > 0) | plain)
    row, code, roles = attributes.distinct(page, "role")
    for place, role in enumerate(roles):
        if role.strip().lower() in ("presentation", "none"):
            data[row[code == place]] = False
    return data
