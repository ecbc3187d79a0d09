"""Which elements a page hides.  (Being written.)"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.page import Page

__all__ = ["hidden"]


def hidden(page: Page) -> NDArray[np.bool_]:
    """Elements hidden by their own attributes or by the page's own style sheets."""
    return attributes.rows_with(page, "hidden")
