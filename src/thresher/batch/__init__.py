"""Batch runs: archives in, rows out, on one machine or on Ray, and nothing lost.

from thresher.batch import Job, run
report = run(Job(("crawl/*.warc.gz",), "out"), workers=8)

job            what is asked for: Job, WorkerLimits
inputs, plan   what was named -> files -> slices       (digests)
sources/       a slice -> records: archives, files, tables, addresses
rows           a record -> a row                        (schema: its columns, also in Arrow)
isolation      … in a process that may die              (record)
evidence       what recurs on the pages of a host       (sketch)
parts, store   rows -> a file that appears whole
slices         a slice -> a part and its manifest: what every engine calls      (attempt, journal)
local, ray_engine    where slices are processed        (engine, worker)
duplicates     pages that repeat earlier ones           (near_kernels)
driver         the run: run()                           (progress)
overview       what is done of a run: status()
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thresher.batch.driver import Report as Report
    from thresher.batch.driver import run as run
    from thresher.batch.job import Job as Job
    from thresher.batch.job import WorkerLimits as WorkerLimits
    from thresher.batch.overview import status as status

__all__ = ["Job", "Report", "WorkerLimits", "run", "status"]

_HOME = {"Job": "job", "Report": "driver", "WorkerLimits": "job", "run": "driver", "status": "overview"}
_DEPRECATED = {"Care": "WorkerLimits"}


def __getattr__(name: str) -> Any:
    if name in _DEPRECATED:
        new = _DEPRECATED[name]
        warnings.warn(f"thresher.batch.{name} is now thresher.batch.{new}", DeprecationWarning, stacklevel=2)
        name = new
    if name in _HOME:
        return getattr(import_module(f"thresher.batch.{_HOME[name]}"), name)
    raise AttributeError(f"module 'thresher.batch' has no attribute {name!r}")
