"""Pages in a process of their own: a bad page costs one row.

record -> process -> row
          no answer in time, out of memory, crash: once more in a fresh process
          again: an error row with the cause
"""

from __future__ import annotations

import json
from collections.abc import Callable
from types import TracebackType
from typing import Any

from thresher.batch.job import Job, WorkerLimits
from thresher.batch.record import PageRecord, pack, unpack
from thresher.batch.rows import Row, checked, error_row
from thresher.workers.child import function_at
from thresher.workers.process import CannotStart, Failed, ProcessBounds, Worker

__all__ = ["CannotStart", "Isolated", "prepare"]

_ROW, _KEYS = b"r", b"s"  # tasks: the row of a page; the hashes of its blocks, for --by-site
_WARM_UP = b"<title>t</title><article><h1>Grain</h1><p>A first page, so that every import is done.</p></article>"


class Isolated:
    """Rows of records, whatever these do to the process that makes them."""

    def __init__(self, job: Job, limits: WorkerLimits = WorkerLimits(), evidence: str | None = None) -> None:
        self._job = job
        bounds = ProcessBounds(limits.page_seconds, limits.page_mb, limits.recycle_pages, limits.recycle_mb)
        settings = {"job": job.to_dict(), "evidence": evidence}
        self._worker = Worker("thresher.batch.isolation:prepare", settings, bounds)

    def __enter__(self) -> Isolated:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def row(self, record: PageRecord) -> tuple[Row, float]:
        """The row of a record, and the CPU seconds that it took."""
        try:
            answer = self._worker.ask(*pack(record, _ROW), tries=2)
        except Failed as failed:
            return error_row(record, self._job, str(failed)), 0.0
        return checked(json.loads(answer.data), record, self._job), answer.seconds

    def record_keys(self, record: PageRecord) -> bytes:
        """The keys that the first pass of --by-site counts; none for a page that cannot be read."""
        try:
            return self._worker.ask(*pack(record, _KEYS), tries=2).data
        except Failed:
            return b""

    def close(self) -> None:
        """End the process."""
        self._worker.close()


def prepare(settings: dict[str, Any]) -> Callable[[bytes], bytes]:
    """In the process: the function that serves a message, with everything imported."""
    from thresher.batch.evidence import HostEvidence, record_keys
    from thresher.batch.rows import row

    job = Job.from_dict(settings["job"])
    function = function_at(job.function)
    evidence = HostEvidence.load(settings["evidence"]) if settings["evidence"] else None
    row(PageRecord("", "", "", _WARM_UP), job, evidence)

    def serve(message: bytes) -> bytes:
        record = unpack(message, start=1)
        if message[:1] == _KEYS:
            return record_keys(record, job)
        return json.dumps(function(record, job, evidence), ensure_ascii=False).encode("utf-8", "replace")

    return serve
