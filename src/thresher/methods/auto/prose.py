"""Where the prose of a page stands, as evidence about each block.

    run         the run of blocks with the highest sum of v,  v_b = unlinked words of a block of prose,
                                                              v_b = -min(4 + words, 25) for any other
    container   the element with the most prose in it,  score(e) = (1 - link density) · Σ_b g(b, e) · min(words_b, 80),
                g = 1, ½, ¼ for the first, second and third larger container of block b

Most of what passes for content wrongly stands behind the last paragraph of an article.  So each block is told whether
it stands before, in or behind the run and the container, how far away, and how many headings and articles are between.

The run is the maximum subarray: with S_k = v_0 + … + v_{k-1} it ends where S_k - min_{j ≤ k} S_j is highest.  O(B).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER
from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.counts import CHARS, ENDS, LINKED, WORDS, Counts
from thresher.page import Page
from thresher.page.tree import along_path
from thresher.page.types import Floats, Singles

__all__ = ["PROSE", "ProseRun", "longest_run", "prose_columns"]


PROSE = (
    "in_run before_run after_run blocks_after_run run_share run_words in_container before_container after_container "
    "container_level container_score prose_before prose_after headings_after articles_after same_article articles_above"
).split()

_MAX_LINKED, _MIN_WORDS = 0.35, 4  # of a block of prose
_GAP_COST, _MAX_COST = 4, 25  # words
_MAX_WORDS = 80  # of a block in the score of its containers: one long block is no text of many paragraphs
_SHARES = ((1, 1.0), (2, 0.5), (3, 0.25))  # levels of containers and g
_ARTICLE, _H1, _H2 = NUMBER["article"], NUMBER["h1"], NUMBER["h2"]


@dataclass(frozen=True, slots=True, eq=False)
class ProseRun:
    """The longest run of prose: the blocks begin:stop."""

    begin: int
    stop: int
    prose: Floats  # (B,)  unlinked words of each block of prose, 0 for the others


def longest_run(counts: Counts) -> ProseRun:
    """The run of the module's docstring."""
    words = counts.own[WORDS]
    linked = counts.own[LINKED] / np.maximum(counts.own[CHARS], 1)
    is_prose = (counts.own[ENDS] > 0) & (linked < _MAX_LINKED) & (words >= _MIN_WORDS)
    prose = words * (1 - linked) * is_prose
    sums = running(np.where(is_prose, prose, -np.minimum(_GAP_COST + words, _MAX_COST)))
    lowest = np.minimum.accumulate(sums)
    stop = int((sums - lowest).argmax())
    begin = int((sums[: stop + 1] == lowest[stop]).nonzero()[0][-1])
    return ProseRun(begin, stop, prose)


def prose_columns(page: Page, page_blocks: Blocks, counts: Counts, run: ProseRun, out: Singles) -> None:
    """The columns named in PROSE; there is at least one block."""
    column = dict(zip(PROSE, out.T, strict=True))
    number = np.arange(len(page_blocks))
    words, prose = running(counts.own[WORDS]), running(run.prose)
    begin, stop = run.begin, run.stop
    column["in_run"][:] = (number >= begin) & (number < stop)
    column["before_run"][:] = np.log1p(np.maximum(words[begin] - words[:-1], 0))
    column["after_run"][:] = np.log1p(np.maximum(words[:-1] - words[stop], 0))
    column["blocks_after_run"][:] = np.log1p(np.maximum(number - stop + 1, 0))
    column["run_share"][:] = (prose[stop] - prose[begin]) / max(prose[-1], 1)
    column["run_words"][:] = np.log1p(words[stop] - words[begin])
    _container(page, page_blocks, counts, run.prose, prose, column)
    _between(page, page_blocks, run, column)


def _container(
    page: Page, page_blocks: Blocks, counts: Counts, prose: Floats, sums: Floats, column: dict[str, Singles]
) -> None:
    score = np.zeros(len(page))
    capped = np.minimum(prose, _MAX_WORDS)
    for level, share in _SHARES:
        score += np.bincount(page_blocks.level[level], capped * share, len(page))
    score *= 1 - counts.link_density
    top = int(score.argmax())
    begin, stop = (int(page_blocks.first.searchsorted(at)) for at in (page.first[top], page.last[top]))
    number = np.arange(len(page_blocks))
    inside = (number >= begin) & (number < stop)
    column["in_container"][:] = inside
    column["before_container"][:] = np.log1p(np.maximum(begin - number, 0))
    column["after_container"][:] = np.log1p(np.maximum(number - stop + 1, 0))
    holds = (page_blocks.level <= top) & (page.end[page_blocks.level] >= page.end[top])
    column["container_level"][:] = (len(holds) - np.count_nonzero(holds, axis=0)) / 3
    column["container_score"][:] = score[page_blocks.level[1]] / max(float(score[top]), 1e-9)
    column["prose_before"][:] = inside * np.log1p(np.maximum(sums[:-1] - sums[begin], 0))
    column["prose_after"][:] = inside * np.log1p(np.maximum(sums[stop] - sums[1:], 0))


def _between(page: Page, page_blocks: Blocks, run: ProseRun, column: dict[str, Singles]) -> None:
    """Main headings and articles between the run and the blocks behind it; whether they share an article."""
    behind = np.arange(len(page_blocks)) >= run.stop
    last = int(page_blocks.at[run.stop - 1]) if run.stop else 0
    is_article = page.tag == _ARTICLE
    for name, marked in (("headings_after", (page.tag == _H1) | (page.tag == _H2)), ("articles_after", is_article)):
        opened = marked.cumsum()
        column[name][:] = behind * np.log1p(np.maximum(opened[page_blocks.at] - opened[last], 0))
    if not is_article.any():
        column["same_article"][:] = column["articles_above"][:] = 0
        return
    rows = np.arange(1, len(page) + 1) * is_article
    article = along_path(page, rows, np.maximum)[page_blocks.at]
    middle = article[(run.begin + max(run.stop - 1, run.begin)) // 2]
    column["same_article"][:] = np.where(article == middle, 1, -1) if middle else 0
    column["articles_above"][:] = np.minimum(along_path(page, is_article.astype(np.intp))[page_blocks.at], 3)


def running(x: NDArray[Any]) -> Floats:
    """c_k = x_0 + … + x_{k-1}, one more than x has."""
    sums = np.zeros(len(x) + 1)
    np.cumsum(x, out=sums[1:])
    return sums
