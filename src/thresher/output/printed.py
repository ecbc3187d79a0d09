"""What of the kept texts is printed.  Line numbers beside listings and links of headings to themselves are part of the
page, and a verdict may keep them; no form shows them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.output import permalinks
from thresher.output.preformatted import gutter
from thresher.page import Page

__all__ = ["printed"]


def printed(page: Page, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The kept texts without those that no form shows."""
    for unwanted in (gutter(page), permalinks.unprinted(page, keep)):
        if unwanted is not None:
            keep = keep & ~unwanted
    return keep
