"""A whole run: plan, work on the slices that are not done, check that neighbouring slices of an archive meet.

Started again after a crash, it finds the plan and the manifests and does what is missing; the result is the same.
"""

from __future__ import annotations

import errno
import io
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from thresher.batch.digests import Digests
from thresher.batch.engine import Answer, Engine, Task, load_engine
from thresher.batch.files import PRIVATE
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.parts import check_writer
from thresher.batch.plan import PLAN, Plan, Slice, has_plan, make_plan, store_plan
from thresher.batch.rows import check_method
from thresher.batch.slices import SKETCH, Manifest, count_name, is_intact, manifest_name, read_manifest
from thresher.batch.store import OutputStore, open_store
from thresher.errors import ThresherError
from thresher.text.log import logger
from thresher.warc.streams import Position

__all__ = ["BatchProgress", "Report", "Stopped", "misplaced_slices", "run"]

_LOG = logger("thresher.batch")


_NOT_WRITABLE = {errno.EROFS, errno.EACCES, errno.EPERM}
_GO_ON = "what is done is kept, start the same command again to go on"


class Stopped(ThresherError):
    """The run cannot go on, a full disk for instance; what is done is kept."""


@dataclass(slots=True)
class BatchProgress:
    """How far a run is."""

    phase: str = "extract"  # or "count", the first pass of --by-site
    slices: int = 0
    slices_done: int = 0
    rows: int = 0
    errors: int = 0
    read: int = 0  # bytes of the inputs
    size: int = 0  # of all of them
    earlier: int = 0  # bytes read by earlier runs
    earlier_rows: int = 0
    started: float = field(default_factory=time.monotonic)
    running: dict[int, tuple[int, int, int]] = field(default_factory=dict)  # rows, errors, bytes of unfinished slices

    @property
    def totals(self) -> tuple[int, int, int]:
        """Rows, errors and bytes, those of unfinished slices included."""
        sums = [sum(values) for values in zip(*self.running.values(), strict=True)] or [0, 0, 0]
        return self.rows + sums[0], self.errors + sums[1], self.read + sums[2]

    @property
    def seconds(self) -> float:
        return max(time.monotonic() - self.started, 1e-9)

    @property
    def rate(self) -> float:
        """Pages per second of this run."""
        return (self.totals[0] - self.earlier_rows) / self.seconds

    @property
    def seconds_left(self) -> float | None:
        """By the bytes read in this run; None before there are any."""
        fresh = self.totals[2] - self.earlier
        return (self.size - self.totals[2]) * self.seconds / fresh if fresh > 0 else None


@dataclass(slots=True)
class Report:
    """What came of a run."""

    rows: int = 0
    parts: int = 0
    size: int = 0  # bytes of the parts
    seconds: float = 0.0  # CPU time of all pages
    errors: Counter[str] = field(default_factory=Counter)  # error rows, by code
    skipped: Counter[str] = field(default_factory=Counter)  # records that are no pages
    damage: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # input, and what of it
    failed: list[tuple[str, str]] = field(default_factory=list)  # slices, and why
    warnings: list[str] = field(default_factory=list)
    duplicates: int | None = None  # pages with an earlier one of nearly the same text; None if nobody looked

    def add(self, summary: dict[str, Any]) -> None:
        self.rows += summary["rows"]
        self.parts += summary["part"] is not None
        self.size += summary["size"]
        self.seconds += summary["seconds"]
        self.errors.update(summary["errors"])
        self.skipped.update(summary["skipped"])
        self.damage += [(summary["source"], damage) for damage in summary["damage"]]


def run(
    job: Job,
    limits: WorkerLimits = WorkerLimits(),
    engine: str | Engine = "local",
    workers: int = 1,
    overwrite: bool = False,
    watch: Callable[[BatchProgress], None] = lambda progress: None,
    repair: bool = False,
) -> Report:
    """Do all of a job that is not done yet; with `repair` also what is done but whose bytes have changed since.

    `watch` is called with the progress whenever it changes.  Raises `Changed` when the folder belongs to another
    job, `Busy` when another run is at it, `Stopped` when the disk is full.
    """
    check_writer(job)
    check_method(job)
    store = open_store(job.output)
    digests = Digests(store)
    plan = make_plan(job, digests)
    start = load_engine(engine) if isinstance(engine, str) else engine
    task = _Run(plan, store, start, limits, workers, watch)
    try:
        with store.lock():
            if overwrite:
                _clear(store)
            store_plan(plan, store)
            digests.save()
            report = Report()
            if job.by_site:
                _count(task, report)
            return _extract(task, report, repair)
    except OSError as error:  # the output folder: full, or not ours to write
        report = Report()
        if error.errno in _NOT_WRITABLE and not overwrite and _is_finished(plan, store, report, repair):
            return report
        raise Stopped(f"{error}; {_GO_ON}") from None


@dataclass(frozen=True, slots=True)
class _Run:
    """What both passes need."""

    plan: Plan
    store: OutputStore
    engine: Engine
    limits: WorkerLimits
    workers: int
    watch: Callable[[BatchProgress], None]

    def answers(self, task: Task, todo: Sequence[Slice]) -> Iterator[Answer]:
        """Of the engine, for every slice; Stopped when all others would fail as well."""
        job = self.plan.job
        answers = self.engine(task, todo, job, self.limits, self.workers, job.by_site and task == "extract")
        with closing(answers):  # type: ignore[type-var]
            for answer in answers:
                if answer.get("fatal"):
                    raise Stopped(f"{answer['failed']}; {_GO_ON}")
                yield answer


def _extract(run: _Run, report: Report, repair: bool) -> Report:
    plan = run.plan
    summaries = {manifest.slice: manifest.to_dict() for manifest in _done(plan, run.store, repair)}
    progress = BatchProgress("extract", len(plan.slices), size=plan.size)
    for summary in summaries.values():
        _advance(progress, summary)
    progress.earlier, progress.earlier_rows = progress.read, progress.rows
    todo: Sequence[Slice] = [piece for piece in plan.slices if piece.number not in summaries]
    while todo:
        for answer in run.answers("extract", todo):
            if "done" in answer:
                again = summaries.pop(answer["slice"], None)
                if again:
                    _advance(progress, again, -1)
                summaries[answer["slice"]] = answer["done"]
                _advance(progress, answer["done"])
            _note(answer, progress, report, plan)
            run.watch(progress)
        todo = misplaced_slices(plan.slices, summaries)
    if plan.job.dedupe:
        from thresher.batch.duplicates import mark_duplicates

        report.duplicates = mark_duplicates(plan, summaries, run.store)
    return _sum_up(plan, summaries, report)


def _sum_up(plan: Plan, summaries: dict[int, dict[str, Any]], report: Report) -> Report:
    for number, summary in sorted(summaries.items()):
        report.add(summary)
        if summary["failed"]:
            report.failed.append((_name(plan.slices[number]), summary["failed"]))
    return report


def _is_finished(plan: Plan, store: OutputStore, report: Report, repair: bool) -> bool:
    """Whether nothing is left to do, on a disk that can only be read; the report is then that of the earlier run."""
    if not has_plan(plan, store):
        return False
    summaries = {manifest.slice: manifest.to_dict() for manifest in _done(plan, store, repair)}
    _sum_up(plan, summaries, report)
    return len(summaries) == len(plan.slices) and not misplaced_slices(plan.slices, summaries)


def _count(run: _Run, report: Report) -> None:
    """The first pass: count the blocks of every slice, and add the counts up in a sketch."""
    plan, store = run.plan, run.store
    if store.exists(SKETCH):
        return
    there = set(store.names(f"{PRIVATE}/site"))
    todo = [piece for piece in plan.slices if count_name(piece).rpartition("/")[2] not in there]
    progress = BatchProgress("count", len(plan.slices), len(plan.slices) - len(todo), size=plan.size)
    progress.read = progress.earlier = plan.size - sum(piece.size for piece in todo)
    if todo:
        for answer in run.answers("count", todo):
            if "done" in answer:
                _advance(progress, answer["done"])
            _note(answer, progress, report, plan)
            run.watch(progress)
    if report.failed:
        raise Stopped("the first pass of --by-site failed: " + "; ".join(f"{a}: {b}" for a, b in report.failed[:3]))
    import numpy as np

    from thresher.batch.sketch import Sketch

    sketch = Sketch.of_size(plan.job.sketch_mb)
    for piece in plan.slices:
        with np.load(io.BytesIO(store.read(count_name(piece)))) as counted:
            sketch.add(counted["keys"], counted["counts"])
    if sketch.error_rate > 0.01:
        report.warnings.append(
            f"the sketch of --by-site is too small: {sketch.error_rate:.0%} of unique blocks may seem to recur; "
            "start over with a larger --sketch-mb"
        )
    store.write(SKETCH, sketch.to_bytes())


def misplaced_slices(slices: Iterable[Slice], summaries: dict[int, dict[str, Any]]) -> list[Slice]:
    """Slices of archives that do not begin where the ones before them ended, each with its right beginning.

    One per archive: whether those behind it are right is known when it has been read again.
    """
    slices_to_read = []
    for _, pieces in groupby((piece for piece in slices if piece.kind == "warc"), lambda piece: piece.source):
        expected: Position | None = None
        for piece in pieces:
            summary = summaries.get(piece.number)
            if summary is None or summary["failed"]:
                break
            begin = summary["begin"] and Position(*summary["begin"])
            if expected is not None and begin != expected and (begin is not None or expected.member < piece.stop):
                slices_to_read.append(piece.beginning_at(expected))
                break
            if summary["next"]:
                expected = Position(*summary["next"])
    return slices_to_read


def _note(answer: dict[str, Any], progress: BatchProgress, report: Report, plan: Plan) -> None:
    number = answer["slice"]
    if "at" in answer:
        rows, errors, read = answer["at"]
        progress.running[number] = rows, errors, max(read, 0)
        return
    progress.running.pop(number, None)
    if "failed" in answer:
        report.failed.append((_name(plan.slices[number]), answer["failed"]))
        _LOG.info("slice %d failed", number)
    else:
        _LOG.info("slice %d done: %d rows", number, answer["done"]["rows"])


def _name(piece: Slice) -> str:
    name = piece.source or f"{len(piece.items)} files from {piece.items[0][1]} on"
    return f"{name} [slice {piece.number}]"


def _advance(progress: BatchProgress, summary: dict[str, Any], sign: int = 1) -> None:
    progress.slices_done += sign
    progress.rows += sign * summary["rows"]
    progress.errors += sign * sum(summary["errors"].values())
    progress.read += sign * summary["read"]


def _done(plan: Plan, store: OutputStore, verify: bool) -> Iterator[Manifest]:
    """The manifests of slices that are done; with `verify`, by the bytes of their parts and not just their size."""
    there = set(store.names(f"{PRIVATE}/manifests"))
    for piece in plan.slices:
        if manifest_name(piece).rpartition("/")[2] in there:
            manifest = read_manifest(piece, store)
            if manifest and not manifest.failed and (not verify or is_intact(manifest, store)):
                yield manifest


def _clear(store: OutputStore) -> None:
    """Take away everything that an earlier run wrote, its plan last."""
    for folder in ("", f"{PRIVATE}/manifests", f"{PRIVATE}/site"):
        for name in store.names(folder):
            if folder or name.startswith("part-"):
                store.remove(f"{folder}/{name}" if folder else name)
    store.remove(PLAN)
