"""The Ray engine: slices as the items of a Ray data set, mapped to what became of them.

Placement, back-pressure, retries after the death of a node, and scaling are Ray's.  A slice is written under another
name and renamed, so it does not matter how often Ray tries it.  What a page does to the processes below Ray's is the
local engine's affair, which does each slice there.  Inputs and the output folder must be reachable from
every node: a shared file system or an object store.

THRESHER_RAY_ADDRESS, or --ray-address, names a running cluster; without it Ray starts on this machine.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from thresher.batch import local
from thresher.batch.engine import Answer, Task
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import Slice
from thresher.errors import MissingExtra

__all__ = ["ADDRESS", "run"]

ADDRESS = "THRESHER_RAY_ADDRESS"
_MAX_BLOCKS = 20_000  # beyond that, several slices to a task: the driver keeps a little of each


def run(
    task: Task, pieces: Iterable[Slice], job: Job, limits: WorkerLimits, workers: int, evidence: bool
) -> Iterator[Answer]:
    """Do slices on a cluster and say what became of each, in the order in which they are ready."""
    try:
        ray, data = import_module("ray"), import_module("ray.data")
    except ImportError as missing:
        raise MissingExtra("the Ray engine needs Ray: pip install 'thresher[ray]'") from missing
    started = not ray.is_initialized()
    if started:
        _start(ray, workers)
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # progress is ours
    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    items = [{"slice": json.dumps(piece.to_dict())} for piece in pieces]
    config = json.dumps([task, job.to_dict(), limits.to_dict(), evidence])
    try:
        slices = data.from_items(items, override_num_blocks=min(len(items), _MAX_BLOCKS))
        # Ray tries again as often as nodes die; what goes wrong with a slice itself comes as an answer.
        answers = slices.map(_do, fn_args=(config,), num_cpus=1)
        for batch in answers.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
            for answer in batch.column("answer").to_pylist():
                yield json.loads(answer)
    finally:
        if started:
            ray.shutdown()


def _start(ray: Any, workers: int) -> None:
    """Join the cluster that was named, or start one on this machine with a core for each worker.

    Without "local" Ray would join whatever runs on this machine, or has run.
    """
    address = os.environ.get(ADDRESS) or "local"
    here = {"num_cpus": workers, "include_dashboard": False} if address == "local" else {}
    ray.init(address=address, log_to_driver=False, logging_level="WARNING", **here)


def _do(item: dict[str, Any], config: str) -> dict[str, Any]:
    """One slice, on whatever node this runs."""
    task, job, limits, evidence = json.loads(config)
    pieces = [Slice.from_dict(json.loads(item["slice"]))]
    *_, answer = local.run(task, pieces, Job.from_dict(job), WorkerLimits.from_dict(limits), 1, evidence)
    return {"answer": json.dumps(answer)}
