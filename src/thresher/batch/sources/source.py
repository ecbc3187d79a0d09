"""What every source has: a slice to read, and what is known when its records have been read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import Slice
from thresher.batch.record import PageRecord
from thresher.warc.reader import Damage
from thresher.warc.streams import Position

__all__ = ["PageSource"]


class PageSource:
    """Iterate over `records`; the rest is known when that has ended."""

    def __init__(self, piece: Slice, job: Job, limits: WorkerLimits = WorkerLimits()) -> None:
        self.piece, self.job, self.limits = piece, job, limits
        self.skipped: Counter[str] = Counter()  # records that are no pages, by what they are
        self.damage: list[Damage] = []
        self.begin: Position | None = None  # of the first record; where the one after the last begins
        self.next: Position | None = None
        self.read = 0  # bytes of the slice read so far

    def records(self) -> Iterator[PageRecord]:
        raise NotImplementedError
