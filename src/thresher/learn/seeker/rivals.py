"""Tables 4 to 6 of paper 000: the seeker with each filter beside its rivals, on characters, out of fold.

A page is judged by trees that saw no page of its site, of the page's own type, as in the paper; rivals run on the same
pages, as the browser showed them where they were rendered.  The measure is the longest common subsequence of
characters; mean and standard deviation over the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from thresher import methods, output
from thresher.evaluate.datasets import BrokenRecord, Dataset
from thresher.evaluate.measures import Score, lcs_chars
from thresher.evaluate.rendered import page_of
from thresher.learn.seeker.examples import SeekerExample, has_layout, without_layout
from thresher.learn.seeker.fit import TreeSettings, fit
from thresher.learn.seeker.splits import splits
from thresher.methods.seeker import STRICT_THRESHOLD, kept
from thresher.methods.seeker.filters import Filter
from thresher.methods.seeker.model import Classifiers
from thresher.page import Page

__all__ = ["ALONE", "PRINTED", "RIVALS", "WITHOUT_LAYOUT", "Scores", "compared"]

RIVALS = ("tccb", "ccb", "dsc", "crunch", "lqf:quota=0.75", "lp")  # the paper runs LQF-75
ALONE = ("lbs", "sls", "tp")  # the filters without the classifiers
PRINTED: tuple[Filter, ...] = ("lbs", "tp")  # what the paper runs, as it prints it
WITHOUT_LAYOUT = ", without visual features"


@dataclass(slots=True)
class Scores:
    """The scores of one method, page by page."""

    pages: list[Score] = field(default_factory=list)

    def column(self, name: str) -> tuple[float, float]:
        """Mean and standard deviation of precision, recall or f1."""
        values = np.array([getattr(one, name) for one in self.pages])
        return (float(values.mean()), float(values.std())) if len(values) else (0.0, 0.0)


def compared(
    examples: Sequence[tuple[SeekerExample, Dataset]],
    settings: TreeSettings,
    folds: int = 10,
    most: int | None = None,
    progress: Callable[[], None] = lambda: None,
    share: float | None = None,
) -> Mapping[str, Scores]:
    """Scores of the seeker with each filter (`seeker:FILTER`), as the paper prints it (`seeker:FILTER:strict=true`), of
    the rivals and of the filters alone, over the pages of one type; with `most`, over so many of them, evenly spread.

    `share`: trees are trained on this share of the pages and judge all others, in place of folds.  Where pages were
    rendered, `WITHOUT_LAYOUT` is the seeker with trees that saw no positions and sizes.
    """
    step = max(1.0, len(examples) / most) if most else 1.0
    measured = {int(k * step) for k in range(int(len(examples) / step))}
    visual = any(has_layout(one) for one, _ in examples)
    scores: dict[str, Scores] = {}
    for training, judged in splits([one.site for one, _ in examples], folds, share, settings.seed):
        inside = [examples[number][0] for number in training]
        trees = fit(inside, settings)
        blind = fit([without_layout(one) for one in inside], settings) if visual else None
        for number in judged:
            if number in measured:
                _judge(scores, *examples[number], trees, blind)
                progress()
    return scores


def _judge(
    scores: dict[str, Scores], one: SeekerExample, dataset: Dataset, trees: Classifiers, blind: Classifiers | None
) -> None:
    """Add the scores of all methods on a page."""
    record = dataset.load(one.id)
    if isinstance(record, BrokenRecord) or not record.gold:
        return
    page = page_of(record)
    for kind in get_args(Filter):
        _add(scores, f"seeker:{kind}", page, kept(page, trees, kind), record.gold)
    for kind in PRINTED:
        printed = kept(page, trees, kind, STRICT_THRESHOLD, strict=True)
        _add(scores, f"seeker:{kind}:strict=true", page, printed, record.gold)
    for kind in get_args(Filter) if blind else ():
        assert blind is not None
        _add(scores, f"seeker:{kind}{WITHOUT_LAYOUT}", page, kept(page, blind, kind), record.gold)
    for name in (*RIVALS, *ALONE):
        _add(scores, name, page, methods.get(name)(page), record.gold)


def _add(scores: dict[str, Scores], name: str, page: Page, keep: np.ndarray, gold: str) -> None:
    scores.setdefault(name, Scores()).pages.append(lcs_chars(gold, output.to_text(page, keep)))
