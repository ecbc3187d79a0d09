"""Tables 4 to 6 of paper 000: the seeker with each filter beside its rivals, on characters, out of fold.

A page is judged by trees that saw no page of its site, of the page's own type, as in the paper; rivals run on the same
pages.  The measure is the longest common subsequence of characters; mean and standard deviation over the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from thresher import methods, output
from thresher.evaluate.datasets import BrokenRecord, Dataset
from thresher.evaluate.measures import Score, lcs_chars
from thresher.learn.seeker.examples import SeekerExample
from thresher.learn.seeker.fit import TreeSettings, fit
from thresher.learn.seeker.tables import fold_of_sites
from thresher.methods.seeker import kept
from thresher.methods.seeker.filters import Filter
from thresher.page import Page
from thresher.parse import parse

__all__ = ["ALONE", "RIVALS", "Scores", "compared"]

RIVALS = ("tccb", "ccb", "dsc", "crunch", "lqf:quota=0.75", "lp")  # the paper runs LQF-75
ALONE = ("lbs", "sls", "tp")  # the filters without the classifiers


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
) -> Mapping[str, Scores]:
    """Scores of the seeker with each filter (`seeker:FILTER`), of the rivals and of the filters alone, over the pages
    of one type; with `most`, over so many of them, evenly spread."""
    step = max(1.0, len(examples) / most) if most else 1.0
    measured = {examples[int(k * step)][0].id for k in range(int(len(examples) / step))}
    fold_of = fold_of_sites([one.site for one, _ in examples], folds)
    scores: dict[str, Scores] = {}
    for fold in range(folds):
        inside = [one for one, _ in examples if fold_of[one.site] != fold]
        outside = [(one, dataset) for one, dataset in examples if fold_of[one.site] == fold and one.id in measured]
        if not inside or not outside:
            continue
        trees = fit(inside, settings)
        for one, dataset in outside:
            record = dataset.load(one.id)
            if not isinstance(record, BrokenRecord) and record.html is not None and record.gold:
                page = parse(record.html, url=record.url, encoding=record.encoding)
                for kind in get_args(Filter):
                    _add(scores, f"seeker:{kind}", page, kept(page, trees, kind), record.gold)
                for name in (*RIVALS, *ALONE):
                    _add(scores, name, page, methods.get(name)(page), record.gold)
            progress()
    return scores


def _add(scores: dict[str, Scores], name: str, page: Page, keep: np.ndarray, gold: str) -> None:
    scores.setdefault(name, Scores()).pages.append(lcs_chars(gold, output.to_text(page, keep)))
