"""Methods × records on all cores, from the cache where it can, in the order of the data set.

The main process hands out ids and writes results; workers read pages, look into the cache and compute.  A
result is on disk before the bar moves, so a run that is killed goes on where it stopped.  A worker that dies
(out of memory, a crash in a C library) takes down one page, not the run.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path

from thresher.evaluate import rendered, versions
from thresher.evaluate.cache import ScoreCache, default_folder
from thresher.evaluate.datasets import BrokenRecord, Dataset
from thresher.evaluate.extractors import FLOORS, learns_from_siblings, reads_rendering
from thresher.evaluate.results import EvaluationRun, Grouping, Outcome
from thresher.evaluate.work import EvaluationJob, EvaluationWorker, PageResults
from thresher.workers.process import ONE_THREAD

Answer = PageResults | BrokenRecord | None
RENDERINGS = "rendered"  # a folder in the cache

_worker: EvaluationWorker | None = None
"""The worker of this process, set once when a pool starts it: a pool can only call functions of a module."""


def evaluate(
    dataset: Dataset,
    methods: Sequence[str],
    measures: Sequence[str] = ("bow",),
    *,
    limit: int | None = None,
    jobs: int | None = None,
    cache: Path | None = None,
    fresh: bool = False,
    by: Grouping = "page_type",
    command: str = "",
    advance: Callable[[], None] = lambda: None,
    announce: Callable[[str], None] = lambda words: None,
) -> EvaluationRun:
    """Score every method on every page.  `advance` is called after each page, `announce` when pages are
    rendered or results cannot be kept."""
    ids = sample(dataset.ids(), limit)
    renderings = (cache or default_folder()) / RENDERINGS
    if any(reads_rendering(method) for method in methods):
        with_siblings = any(learns_from_siblings(method) for method in methods)
        rendered.render_missing(dataset, ids, renderings, announce, siblings=with_siblings)
    version_of = {method: versions.version(method) for method in (*methods, *FLOORS)}
    job = EvaluationJob(dataset, version_of, tuple(measures), cache or default_folder(), fresh, renderings=renderings)
    answers: dict[str, Answer] = {}
    store = ScoreCache(job.cache, announce)
    store.drop_unused()
    try:
        for id, answer in run_pages(ids, job, jobs or cores()):
            if isinstance(answer, PageResults):
                computed = set(answer.computed)
                store.put((key, entry) for key, entry in answer.entries if key in computed)
            answers[id] = answer
            advance()
        store.touch(key for answer in answers.values() if isinstance(answer, PageResults) for key, _ in answer.entries)
    finally:
        store.close()
    in_order = [answers[id] for id in ids]
    return EvaluationRun(
        dataset=dataset.root.resolve().name,
        kind=dataset.kind,
        pages=len(ids),
        methods=tuple(methods),
        measures=tuple(measures),
        outcomes=[outcome for page in in_order if isinstance(page, PageResults) for outcome in outcomes(page)],
        broken=[answer for answer in in_order if isinstance(answer, BrokenRecord)],
        unlabelled=sum(answer is None for answer in in_order),
        versions=version_of,
        by=by,
        command=command,
        root=str(dataset.root.resolve()),
    )


def outcomes(page: PageResults) -> Iterator[Outcome]:
    """The rows of one page."""
    for key, entry in page.entries:
        yield Outcome(
            record=page.id,
            method=key.method,
            page_type=page.page_type,
            site=page.site,
            kilobytes=page.kilobytes,
            seconds=entry.seconds,
            status=entry.status,
            problem=entry.problem,
            scores=entry.scores,
        )


def sample(ids: Sequence[str], limit: int | None) -> list[str]:
    """`limit` ids evenly spread over the data set, the same ones every time: neighbours are often alike."""
    if limit is None or limit >= len(ids):
        return list(ids)
    return [ids[i * len(ids) // limit] for i in range(limit)]


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_pages(ids: Sequence[str], job: EvaluationJob, jobs: int) -> Iterator[tuple[str, Answer]]:
    """Every id with its answer, in the order in which they are ready.  One job means no second process."""
    if jobs <= 1:
        worker = EvaluationWorker(job)
        yield from ((id, worker.page(id)) for id in ids)
        return
    left = list(ids)
    while left:
        done = set()
        for id, answer in _pool(left, job, min(jobs, len(left))):
            done.add(id)
            yield id, answer
        left = [id for id in left if id not in done]


def _pool(ids: Iterable[str], job: EvaluationJob, jobs: int) -> Iterator[tuple[str, Answer]]:
    """Answers until all ids are done, or a worker has died and the pages it may have died of are tried."""
    waiting = iter(ids)
    with _executor(job, jobs) as pool:
        running: dict[Future[Answer], str] = {}
        try:
            while True:
                # A short queue: what is in it when a worker dies has to be tried again, one by one.
                running |= {pool.submit(_page, id): id for id in islice(waiting, 2 * jobs - len(running))}
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running[future], future.result()
                    del running[future]
        except BrokenProcessPool:
            suspects = list(running.values())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    for id in suspects:
        yield id, _alone(id, job)


def _alone(id: str, job: EvaluationJob) -> Answer:
    """One page in a process of its own."""
    with _executor(job, 1) as pool:
        try:
            return pool.submit(_page, id).result()
        except BrokenProcessPool:
            return BrokenRecord(id, "the worker process died on this page")


def _executor(job: EvaluationJob, jobs: int) -> ProcessPoolExecutor:
    # One thread a worker: a matrix library that starts one per core would be timed for all of them.
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)
    # Started from nothing, not copied: forking a process with threads can deadlock.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(job,))


def _start(job: EvaluationJob) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's affair
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = EvaluationWorker(job)


def _end_with_parent() -> None:
    """A pool's worker whose main process was killed would wait for work forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _page(id: str) -> Answer:
    assert _worker is not None, "_start runs before"
    return _worker.page(id)
