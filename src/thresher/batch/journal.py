"""What earlier attempts at a slice did, for a slice whose worker died.

    {"begin": place}                                 written before a page is tried
    {"done": place, "row": {…}, "seconds": …}        and when its row is there

The next attempt takes the rows that are there.  A page that was begun twice and never done killed the worker itself.
Kept only for slices that are done again: it costs every row twice.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import TracebackType

from thresher.batch.record import PageRecord
from thresher.batch.rows import Row

__all__ = ["Journal"]


class Journal:
    """Lines in a file; they outlive the process that wrote them."""

    def __init__(self, path: Path) -> None:
        self._deaths: Counter[str] = Counter()
        self._rows: dict[str, int] = {}  # place of a record, and of its line: rows are not held in memory
        self._file = path.open("a+b")
        self._file.seek(0)
        at = 0
        for line in self._file:
            if not line.endswith(b"\n"):  # the process died while it wrote
                break
            entry = json.loads(line)
            if "done" in entry:
                self._rows[entry["done"]] = at
                del self._deaths[entry["done"]]
            else:
                self._deaths[entry["begin"]] += 1
            at += len(line)
        self._file.truncate(at)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()

    def row(self, record: PageRecord) -> tuple[Row, float] | None:
        """The row of a page that an earlier attempt finished, and its seconds."""
        at = self._rows.get(_place(record))
        if at is None:
            return None
        self._file.seek(at)
        entry = json.loads(self._file.readline())
        return entry["row"], entry["seconds"]

    def deaths(self, record: PageRecord) -> int:
        """How many workers died while they were at this page."""
        return self._deaths[_place(record)]

    def begin(self, record: PageRecord) -> None:
        self._write({"begin": _place(record)})

    def done(self, record: PageRecord, row: Row, seconds: float) -> None:
        self._write({"done": _place(record), "row": row, "seconds": seconds})

    def _write(self, entry: dict[str, object]) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()


def _place(record: PageRecord) -> str:
    """Where a record stands: two may have the same id."""
    return f"{record.position} {record.source}"
