"""How a paper's experiment is run: on which pages, with how many processes, and who hears of its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from thresher.errors import DatasetError
from thresher.evaluate.datasets import BrokenRecord, Dataset, DatasetRecord
from thresher.evaluate.results import EvaluationRun, Grouping
from thresher.evaluate.run import evaluate, sample

__all__ = ["Experiment", "PageSelection"]


class PageSelection(Dataset):
    """Some records of a data set."""

    kind: ClassVar[str] = "selection"
    layout: ClassVar[str] = "some pages of another data set"

    def __init__(self, dataset: Dataset, selected: Iterable[str]) -> None:
        super().__init__(dataset.root)
        self._dataset, self._selected = dataset, list(selected)

    def __reduce__(self) -> tuple[Callable[..., Dataset], tuple[Any, ...]]:
        return PageSelection, (self._dataset, self._selected)

    @classmethod
    def recognises(cls, root: Path) -> bool:
        return False

    def ids(self) -> Sequence[str]:
        return self._selected

    def read(self, id: str) -> DatasetRecord:
        return self._dataset.read(id)


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is the same for all papers."""

    pages: int | None = None  # at most, evenly spread over the data set
    by: Grouping = "page_type"  # what plays the part of a paper's packages of pages
    jobs: int | None = None  # processes; all cores unless given
    cache: Path | None = None  # of `thresher evaluate`
    fresh: bool = False  # compute what the cache holds, too
    report: Callable[[str, int, int], None] = lambda what, done, of: None  # progress: what, done, of how many
    announce: Callable[[str], None] = lambda words: None  # what else a user should know

    def select(self, dataset: Dataset, suits: Callable[[DatasetRecord], bool], needed: str) -> PageSelection:
        """The readable, suitable pages of a data set, as many as are asked for; DatasetError where there is none.

        `needed` says in words what a suitable page has.
        """
        suitable = [record.id for record in dataset if not isinstance(record, BrokenRecord) and suits(record)]
        if not suitable:
            raise DatasetError(f"{dataset.root}: none of its {len(dataset):,} pages has {needed}")
        return PageSelection(dataset, sample(suitable, self.pages))

    def measure(self, dataset: Dataset, methods: Sequence[str], measures: Sequence[str]) -> EvaluationRun:
        """Score methods on the pages of a data set, as `thresher evaluate` does, with its cache."""
        count, done = len(dataset), 0

        def advance() -> None:
            nonlocal done
            done += 1
            self.report("pages", done, count)

        return evaluate(
            dataset,
            methods,
            measures,
            jobs=self.jobs,
            cache=self.cache,
            fresh=self.fresh,
            by=self.by,
            advance=advance,
            announce=self.announce,
        )
