"""What is counted once and asked for by all columns of evidence: running sums over the texts, and sums by block."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.elements import FACTS
from thresher.methods.auto.kernels.counts import sum_texts
from thresher.methods.auto.script import is_foreign
from thresher.page import Page
from thresher.page.columns import in_link, text_counts
from thresher.page.textcounts import COUNTED
from thresher.page.types import Ints, Singles
from thresher.visible.readable import readable

__all__ = ["SUMS", "Counts", "counts"]

SUMS = (*COUNTED, "linked", "emphasis")


class Counts(NamedTuple):
    """What is counted on a page of m texts and B blocks."""

    sums: Ints  # (m + 1, S)  over the readable texts before each, one column for each name in SUMS
    own: Singles  # (B, S)  of each block


def counts(page: Page, page_blocks: Blocks) -> Counts:
    sums = np.empty((len(page.start) + 1, len(SUMS)), np.int32)
    own = np.empty((len(page_blocks), len(SUMS)), np.float32)
    sum_texts(
        text_counts(page), readable(page).view(np.uint8), in_link(page).view(np.uint8), page.owner,
        page.tag, FACTS, is_foreign(page), page_blocks.table, sums, own,
    )  # fmt: skip
    return Counts(sums, own)
