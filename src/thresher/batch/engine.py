"""What an engine is: a function that works on slices somewhere and answers for each.

    run(task, slices, job, limits, workers, evidence) -> answers

    {"slice": 3, "at": [rows, errors, bytes]}              how far it is; local engine only
    {"slice": 3, "done": {…}}                              the summary of its manifest, which may say what failed
    {"slice": 3, "failed": "…", "fatal": false}            why not; fatal when all others would fail as well

Nothing else of this package knows which engine it runs on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Literal

from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import Slice

__all__ = ["Answer", "Engine", "Task", "load_engine"]

Task = Literal["extract", "count"]
Answer = dict[str, Any]
Engine = Callable[[Task, Iterable[Slice], Job, WorkerLimits, int, bool], Iterator[Answer]]


def load_engine(name: str) -> Engine:
    """The engine of that name."""
    engine: Engine = import_module({"local": "thresher.batch.local", "ray": "thresher.batch.ray_engine"}[name]).run
    return engine
