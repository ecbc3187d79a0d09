"""For tests of batch runs: functions that hang, crash or fill the memory on certain pages, and a simple engine."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import Slice
from thresher.batch.record import PageRecord
from thresher.batch.rows import Row, row
from thresher.batch.slices import SliceWorker
from thresher.batch.worker import slice_answer

if "THRESHER_TEST_NO_START" in os.environ:
    raise RuntimeError("not today")  # a process that needs this module does not start


def faulty(record: PageRecord, job: Job, evidence: Any) -> Row:
    """What the page's address asks for."""
    what = (record.url or "").rpartition("/")[2]
    if what == "hang":
        ctypes.PyDLL(None).sleep(600)  # holds the interpreter's lock: no signal handler of Python's ever runs
    while what == "spin":
        pass
    if what == "crash":
        ctypes.string_at(0)
    if what == "memory":
        bytearray(20 << 30)
    if what == "exit":
        os._exit(7)
    if what == "bug":
        raise KeyError("a bug of ours")
    if what == "print":
        print("noise on stdout", flush=True)
        os.write(1, b"\0" * 100)
    if what == "once":  # dies the first time only
        mark = Path(job.html_column)
        if not mark.exists():
            mark.touch()
            os._exit(1)
    return row(record, job, evidence)


def deadly(record: PageRecord, job: Job, evidence: Any) -> Row:
    """Pages whose text says so end a process: the one that reads them, the one that started it, or their group."""
    if b"kill the page process" in record.body:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"kill the worker" in record.body:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    if b"kill the group" in record.body:
        os.kill(0, signal.SIGKILL)
    return row(record, job, evidence)


def odd(record: PageRecord, job: Job, evidence: Any) -> Any:
    """Rows that are none."""
    answers: dict[str, Any] = {
        "none": None,
        "list": [1],
        "number": {"text": 5},
        "large": {"text": "a", "http_status": 1 << 40},
        "infinite": {"text": "a", "confidence": float("inf")},
        "mixed": {"text": "a", "warnings": ["b", 3]},
        "nothing": {},
    }
    what = (record.url or "").rpartition("/")[2]
    if what == "raises":
        raise RuntimeError("not today")
    if what == "exits":
        raise SystemExit(3)
    return answers[what] if what in answers else row(record, job, evidence)


def slowly(record: PageRecord, job: Job, evidence: Any) -> Row:
    """Takes its time, so that there is a moment to kill it in."""
    time.sleep(0.02)
    return row(record, job, evidence)


def process_id(record: PageRecord, job: Job, evidence: Any) -> Row:
    """Says which process it runs in."""
    return {**row(record, job, evidence), "text": str(os.getpid())}


def in_process(
    task: str, pieces: Iterable[Slice], job: Job, care: WorkerLimits, workers: int, evidence: bool
) -> Iterator[dict[str, Any]]:
    """An engine without processes of its own, for tests that look inside."""
    worker = SliceWorker(job, care, evidence)
    try:
        for piece in pieces:
            yield slice_answer(worker, task, piece)
    finally:
        worker.close()
