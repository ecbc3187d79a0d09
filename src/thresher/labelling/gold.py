"""From labels on elements to texts: what is content, when people said so about some of the elements.

    content(t)  =  what was said of the nearest labelled element around text t; more than half of its labellers decide
    not content    what has no labelled element around it, and what is said by half of them only

So a label holds for everything below its element that has no label of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.learn.labelfile import Label, text_verdicts, verdicts
from thresher.output import to_text
from thresher.page import Page
from thresher.visible.readable import readable

__all__ = ["gold_text", "keep", "shares"]


def shares(page: Page, labels: Sequence[Label]) -> NDArray[np.float64]:
    """For each text the share of labellers that call it content; NaN where nobody said anything."""
    return text_verdicts(page, verdicts(page, labels).content)


def keep(page: Page, labels: Sequence[Label]) -> NDArray[np.bool_]:
    """The texts that are content."""
    chosen: NDArray[np.bool_] = (np.nan_to_num(shares(page, labels)) > 0.5) & readable(page)
    return chosen


def gold_text(page: Page, labels: Sequence[Label]) -> str:
    """The main content of a page, as people see it."""
    return to_text(page, keep(page, labels))
