"""Tables that hold data, and tables that only lay out the page.

A page of 2005 is a table of tables; printing it as one would be wrong in every format.  So a table is data only if

    it has rows of two or more cells with a text or an image, and does not say role="presentation",
    no cell of it is a page of its own: more than SEVERAL blocks and LONG bytes of text, and
    it has a header cell or a caption, or else two such rows, no cell of SEVERAL blocks, no heading and no table in it.

The verdict plays no part in this: a table is what it is, whatever was kept of it.
"""

from __future__ import annotations

import numpy as np

from thresher.output.table_kernels import find_data_tables
from thresher.output.traits import TRAITS
from thresher.page import Page, attributes
from thresher.page.columns import column, has
from thresher.page.types import Bools

__all__ = ["SEVERAL", "data_tables"]

LONG = 1000
SEVERAL = 3


@column
def data_tables(page: Page) -> Bools:
    """Which elements are tables of data."""
    data = np.zeros(len(page), bool)
    if not has(page, "table"):
        return data
    count = find_data_tables(
        page.tag,
        page.parent,
        page.end,
        page.first,
        page.last,
        page.start,
        page.stop,
        page.block,
        TRAITS,
        SEVERAL,
        LONG,
        np.empty((5, len(page) + 1), np.int32),
        np.empty(len(page.start) + 1, np.int64),
        data.view(np.uint8),
    )
    if count:
        for row, role in attributes.values_of_rows(page, "role", data.nonzero()[0]).items():
            data[row] = role.strip().lower() not in ("presentation", "none")
    return data
