"""One attempt at a slice: a row for every record, whatever goes wrong with the source, the pages or the process.

the source breaks off             what came before has its rows, and `failed` says why there are no more
pages cannot be tried any more    error rows from there on, and `failed` says why
the worker died at a page twice   an error row; the others are tried (journal.py)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thresher.batch.isolation import CannotStart, Isolated
from thresher.batch.job import Job
from thresher.batch.journal import Journal
from thresher.batch.record import PageRecord
from thresher.batch.rows import Row, error_row
from thresher.batch.sources import PageSource

__all__ = ["Attempt", "Retry"]

_MAX_DEATHS = 2  # of workers at one page


@dataclass(frozen=True, slots=True)
class Retry:
    """What an attempt is told of those before it; nothing, if it is the first."""

    journal: str = ""  # the file of the journal
    give_up: str = ""  # why no page is tried any more

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Attempt:
    """Iterate over `rows`; `failed` is known when that has ended."""

    def __init__(self, source: PageSource, isolated: Isolated, job: Job, retry: Retry = Retry()) -> None:
        self.failed = retry.give_up
        self.careful = bool(retry.journal)
        self._source, self._isolated, self._job, self._retry = source, isolated, job, retry

    def rows(self) -> Iterator[tuple[PageRecord, Row, float]]:
        """Every record with its row, and the CPU seconds that it took."""
        with Journal(Path(self._retry.journal)) if self.careful else nullcontext() as journal:
            for record in self._records():
                yield record, *self._row(record, journal)

    def page_keys(self) -> Iterator[bytes]:
        """For the first pass of --by-site: the keys of every record; none for one that cannot be read."""
        for record in self._records():
            try:
                yield b"" if self.failed else self._isolated.record_keys(record)
            except CannotStart as error:
                self.failed = str(error)

    def _records(self) -> Iterator[PageRecord]:
        try:
            yield from self._source.records()
        except Exception as error:
            self.failed = str(error) or type(error).__name__

    def _row(self, record: PageRecord, journal: Journal | None) -> tuple[Row, float]:
        if journal:
            earlier = journal.row(record)
            if earlier:
                return earlier
            deaths = journal.deaths(record)
            if deaths >= _MAX_DEATHS:
                return error_row(record, self._job, f"crash: the worker died {deaths} times at this page"), 0.0
            journal.begin(record)
        row, seconds = self._try(record)
        if journal:
            journal.done(record, row, seconds)
        return row, seconds

    def _try(self, record: PageRecord) -> tuple[Row, float]:
        if not self.failed:
            try:
                return self._isolated.row(record)
            except CannotStart as error:
                self.failed = str(error)
        return error_row(record, self._job, f"failed: {self.failed}"), 0.0
