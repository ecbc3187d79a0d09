"""Many pages, each in a process of its own: `extract_many`.

A page that hangs, crashes the parser or fills the memory costs its own result: status `failed`, with the reason among
the warnings.  Results come in the order of the pages, and only a few pages are read ahead, so there may be any number
of them.
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from thresher.errors import ThresherError
from thresher.page import Page, Problem
from thresher.page.verdict import Verdict
from thresher.parse import parse
from thresher.result.extraction import Extraction, Focus, extract
from thresher.visible.readable import readable
from thresher.workers.process import Failed, ProcessBounds, Worker

__all__ = ["ExtractProcesses", "extract_many"]

_READ_AHEAD = 4  # pages for each process

PageInput = bytes | str | Page | Mapping[str, Any]


def extract_many(
    pages: Iterable[PageInput],
    workers: int | None = None,
    *,
    seconds: float = 30.0,
    megabytes: int = 2048,
    **options: Any,
) -> Iterator[Extraction]:
    """The main content of many pages, in their order.

    pages       pages as `extract` takes them, or dictionaries of its arguments: {"html": …, "url": …}
    workers     processes; as many as there are cores unless given
    seconds     of the processor that one page may take, and `megabytes` of memory
    options     further arguments of `extract`, for all pages

    A page that cannot be extracted gives a result with status `failed`; its warning says why.
    """
    with ExtractProcesses(workers or _cores(), seconds, megabytes) as processes:
        yield from processes.extract_in_order(pages, options)


class ExtractProcesses:
    """Processes that extract; any number of threads may ask."""

    def __init__(self, workers: int, seconds: float = 30.0, megabytes: int = 2048) -> None:
        if workers < 1:
            raise ValueError(f"workers is a number from 1 on, not {workers}")
        bounds = ProcessBounds(seconds=seconds, megabytes=megabytes)
        self._workers = [Worker("thresher.result.many:prepare", None, bounds) for _ in range(workers)]
        self._free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)

    def __enter__(self) -> ExtractProcesses:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.close()

    def extract(self, html: bytes | str | Page, **options: Any) -> Extraction:
        """As `thresher.extract`, in the next free process; a mistake in the options raises here as there."""
        worker = self._free.get()
        try:
            answer = worker.ask(pickle.dumps((html, options), pickle.HIGHEST_PROTOCOL)).data
        except Failed as failed:
            code, _, sentence = str(failed).partition(": ")
            return _failure(Problem(code, sentence), options)
        finally:
            self._free.put(worker)
        result: Extraction | Exception = pickle.loads(answer)  # our own process wrote it
        if isinstance(result, Exception):
            raise result
        return result

    def extract_in_order(self, pages: Iterable[PageInput], options: Mapping[str, Any]) -> Iterator[Extraction]:
        """Results in the order of the pages; those after them are under way."""
        with ThreadPoolExecutor(len(self._workers)) as threads:
            under_way: deque[Future[Extraction]] = deque()
            try:
                for page in pages:
                    under_way.append(threads.submit(self._one, page, options))
                    if len(under_way) >= _READ_AHEAD * len(self._workers):
                        yield under_way.popleft().result()
                while under_way:
                    yield under_way.popleft().result()
            finally:
                threads.shutdown(wait=False, cancel_futures=True)

    def _one(self, page: PageInput, options: Mapping[str, Any]) -> Extraction:
        own = dict(page) if isinstance(page, Mapping) else {"html": page}
        try:
            return self.extract(**{**options, **own})
        except Exception as error:
            return _failure(Problem("failed", f"{type(error).__name__}: {error}"), options)


def prepare(settings: None) -> Callable[[bytes], bytes]:
    """What the processes serve."""
    return _extracted


def _extracted(message: bytes) -> bytes:
    html, options = pickle.loads(message)  # our own process wrote it
    try:
        return pickle.dumps(extract(html, **options), pickle.HIGHEST_PROTOCOL)
    except (TypeError, ValueError, ThresherError) as error:  # what a caller can mend; the rest is the page's fault
        return pickle.dumps(error)


def _failure(problem: Problem, options: Mapping[str, Any]) -> Extraction:
    page = parse(b"", options.get("url"))
    focus: Focus = options.get("focus", "balanced")
    return Extraction(Verdict(page, readable(page)), options.get("method", "auto"), focus, "failed", None, (problem,))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
