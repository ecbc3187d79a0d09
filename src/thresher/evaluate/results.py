"""What a run found: one outcome per page and method, and the columns that tables and plots are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from thresher.evaluate.datasets import BrokenRecord
from thresher.evaluate.measures import Score
from thresher.page.types import Floats

Status = Literal["done", "failed", "skipped"]
Grouping = Literal["page_type", "site", "none"]
Part = Literal["precision", "recall", "f1"]

ALL = "all pages"
FLOOR = "floor:"
"""Methods with this prefix extract nothing: they are timed beside the others."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One method on one page.

    `failed`: the method raised, which counts as an empty extract.  `skipped`: the page lacks the evidence
    that the method reads (siblings, a rendering), which says nothing about the method: no score.
    """

    record: str
    method: str
    page_type: str
    site: str
    kilobytes: float
    seconds: float  # CPU
    status: Status = "done"
    problem: str = ""
    scores: Mapping[str, Score] = field(default_factory=dict)  # by measure; a page may lack a measure's gold


@dataclass(frozen=True)
class EvaluationRun:
    """Everything a report needs."""

    dataset: str
    kind: str
    pages: int  # records asked for, the broken ones among them
    methods: tuple[str, ...]
    measures: tuple[str, ...]
    outcomes: Sequence[Outcome]
    broken: Sequence[BrokenRecord] = ()
    unlabelled: int = 0  # records without gold, left out
    versions: Mapping[str, str] = field(default_factory=dict)
    by: Grouping = "page_type"
    command: str = ""
    root: str = ""  # the folder of the data set

    @cached_property
    def pages_in(self) -> dict[str, int]:
        """Pages of each group, most first."""
        group_of = {outcome.record: self.group(outcome) for outcome in self.outcomes}
        return dict(sorted(Counter(group_of.values()).items(), key=lambda item: (-item[1], item[0])))

    def groups(self) -> list[str]:
        """The packages of pages that tables have a figure for."""
        return list(self.pages_in)

    def group(self, outcome: Outcome) -> str:
        """The package that an outcome belongs to."""
        if self.by == "none":
            return ALL
        return outcome.site if self.by == "site" else outcome.page_type

    @cached_property
    def _selected(self) -> dict[tuple[str, str | None], list[Outcome]]:
        outcomes: dict[tuple[str, str | None], list[Outcome]] = {}
        for outcome in self.outcomes:
            outcomes.setdefault((outcome.method, None), []).append(outcome)
            outcomes.setdefault((outcome.method, self.group(outcome)), []).append(outcome)
        return outcomes

    def select(self, method: str, group: str | None = None) -> list[Outcome]:
        """The outcomes of one method, in the order of the data set."""
        return self._selected.get((method, group), [])

    def problems(self) -> list[Outcome]:
        """The pages a method failed on."""
        return [outcome for outcome in self.outcomes if outcome.status == "failed"]


def score_column(outcomes: Sequence[Outcome], measure: str, part: Part = "f1") -> Floats:
    """One number per page that has this measure."""
    return np.array([getattr(o.scores[measure], part) for o in outcomes if measure in o.scores])


def mean_score(outcomes: Sequence[Outcome], measure: str, part: Part) -> float:
    """The mean over pages; nan where no page has this measure."""
    values = score_column(outcomes, measure, part)
    return float(values.mean()) if len(values) else float("nan")


def paired_f1(run: EvaluationRun, a: str, b: str, measure: str) -> tuple[Floats, Floats]:
    """F1 of two methods on the pages that both have a score for, in the same order."""
    ours = {o.record: o.scores[measure].f1 for o in run.select(a) if measure in o.scores}
    theirs = {o.record: o.scores[measure].f1 for o in run.select(b) if measure in o.scores}
    shared = [record for record in ours if record in theirs]
    return np.array([ours[r] for r in shared]), np.array([theirs[r] for r in shared])


def ms_per_page(outcomes: Sequence[Outcome]) -> float:
    """CPU milliseconds per page, over the pages that the method came to an end on or ran out of time."""
    ran = [o.seconds for o in outcomes if o.seconds]
    return 1000 * float(np.mean(ran)) if ran else float("nan")


def seconds_per_kilobyte(outcomes: Sequence[Outcome]) -> float:
    """CPU seconds per KB: the mean over pages of seconds / KB, as paper 004 normalises it (Table III)."""
    ran = [o.seconds / o.kilobytes for o in outcomes if o.seconds and o.kilobytes]
    return float(np.mean(ran)) if ran else float("nan")
