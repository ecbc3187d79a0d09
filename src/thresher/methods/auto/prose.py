"""Where the prose of a page stands, as evidence about each block.

    run         the run of blocks with the highest sum of v,  v_b = unlinked words of a block of prose,
                                                              v_b = -min(4 + words, 25) for any other
    container   the element with the most prose in it,  score(e) = (1 - link density) · Σ_b g(b, e) · min(words_b, 80),
                g = 1, ½, ¼ for the first, second and third larger container of block b

Most of what passes for content wrongly stands behind the last paragraph of an article.  So each block is told whether
it stands before, in or behind the run and the container, how far away, and how many headings and articles are between.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.counts import Counts, Elements
from thresher.methods.auto.kernels.prose import find_run, write_prose
from thresher.page import Page
from thresher.page.types import Singles

__all__ = ["PROSE", "ProseRun", "longest_run", "prose_columns"]


PROSE = (
    "in_run before_run after_run blocks_after_run run_share run_words in_container before_container after_container "
    "container_level container_score prose_before prose_after headings_after articles_after same_article articles_above"
).split()


@dataclass(frozen=True, slots=True, eq=False)
class ProseRun:
    """The longest run of prose: the blocks begin:stop."""

    begin: int
    stop: int
    prose: Singles  # (B,)  unlinked words of each block of prose, 0 for the others


def longest_run(counts: Counts) -> ProseRun:
    """The run of the module's docstring."""
    prose, bounds = np.empty(counts.own.shape[1], np.float32), np.empty(2, np.intp)
    find_run(counts.own, prose, bounds)
    return ProseRun(int(bounds[0]), int(bounds[1]), prose)


def prose_columns(
    page: Page, page_blocks: Blocks, counts: Counts, elements: Elements, run: ProseRun, out: Singles
) -> None:
    """The columns named in PROSE; there is at least one block."""
    running, score = np.empty((2, len(page_blocks) + 1)), np.empty((4, len(page)))
    write_prose(
        counts.own, run.prose, run.begin, run.stop, page_blocks.level, page_blocks.at,
        page_blocks.first, page.first, page.last, page.end, counts.sums, elements.marks,
        elements.article, running, score, out,
    )  # fmt: skip
