"""From labels on elements to texts: which texts of a page are content, when some of its elements are labelled.

    content(t)  =  the label of the nearest labelled element around text t; more than half of its labellers decide
    not content    what has no labelled element around it, and what only half of the labellers call content

So a label holds for everything below its element that has no label of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thresher.learn.labelfile import Label, element_votes, text_votes
from thresher.output import to_text
from thresher.page import Page
from thresher.page.types import Bools, Floats
from thresher.visible.readable import readable

__all__ = ["gold_text", "keep", "shares"]


def shares(page: Page, labels: Sequence[Label]) -> Floats:
    """For each text the share of labellers that call it content; NaN where nobody labelled it."""
    return text_votes(page, element_votes(page, labels).content)


def keep(page: Page, labels: Sequence[Label]) -> Bools:
    """The texts that are content."""
    chosen: Bools = (np.nan_to_num(shares(page, labels)) > 0.5) & readable(page)
    return chosen


def gold_text(page: Page, labels: Sequence[Label]) -> str:
    """The main content of a page, as people see it."""
    return to_text(page, keep(page, labels))
