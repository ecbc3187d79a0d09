"""What the other pages of a site tell about each element and each text of one page, as columns between 0 and 1.

    repeated       in which share of the pages an equal element stands at the same place (`mapping`)
    text_repeated  in which share of the pages a text with the same words stands anywhere; 2 and 3 are different words

Copies of the page say nothing about its template and are left out (`nset`); when nothing is left, all is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thresher.page import Page
from thresher.page.types import Singles
from thresher.template.mapping import mapped
from thresher.template.nodes import nodes
from thresher.template.nset import copies, shared

__all__ = ["others", "repeated", "text_repeated"]


def repeated(page: Page, siblings: Sequence[Page], *, by_kind: bool = False) -> Singles:
    """Over elements: the share of the siblings in which an equal element is mapped, or one of the same kind."""
    compared = others(page, siblings)
    count = np.zeros(len(page), np.float32)
    for other in compared:
        count += mapped(page, other, "kind" if by_kind else "attributes")[nodes(page).element]
    return np.asarray(count / max(len(compared), 1), np.float32)


def text_repeated(page: Page, siblings: Sequence[Page]) -> Singles:
    """Over texts: the share of the siblings that have the same words in one text."""
    compared = others(page, siblings)
    count = np.zeros(len(page.start), np.float32)
    for other in compared:
        count += shared(page, other)
    return np.asarray(count / max(len(compared), 1), np.float32)


def others(page: Page, siblings: Sequence[Page]) -> list[Page]:
    """The siblings that are no copies of the page."""
    copied = copies(page, siblings).tolist()
    return [sibling for sibling, is_copy in zip(siblings, copied, strict=True) if not is_copy]
