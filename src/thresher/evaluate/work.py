"""One page under all methods: what a worker process does.  No pool, no progress, no printing here."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from thresher.errors import NeedsEvidence, ThresherError
from thresher.evaluate import extractors, measures
from thresher.evaluate.cache import Cache, Entry, Key
from thresher.evaluate.datasets import Broken, Dataset, Record
from thresher.evaluate.extractors import Prepared
from thresher.evaluate.measures import TEXT_MEASURES, Score
from thresher.evaluate.results import FLOOR

WARM_UP = b"<title>t</title><article><h1>Grain</h1><p>A first page, so that no import is timed.</p></article>"


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done to every page; sent to each worker once."""

    dataset: Dataset
    versions: Mapping[str, str]  # of each method, floors among them, in their order
    measures: tuple[str, ...]
    cache: Path
    fresh: bool = False  # compute even what is in the cache
    time_limit: float = 60.0  # seconds for one method on one page


@dataclass(frozen=True, slots=True)
class Page:
    """What came out for one record, in the order of the methods."""

    id: str
    page_type: str
    url: str | None
    kilobytes: float
    found: tuple[tuple[Key, Entry], ...]
    computed: tuple[Key, ...]  # the part of it that was not in the cache


class Worker:
    """Loaded methods and an open cache; `page` is the whole of its work."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.cache = Cache(job.cache)
        self.methods = {name: extractors.prepare(name) for name in job.versions}
        for run in self.methods.values():
            # Failing on so small a page is a method's right.
            with suppress(Exception):
                run(Record("warm-up", WARM_UP))()

    def page(self, id: str) -> Page | Broken | None:
        """The outcome of every method on one page; None for a page without gold."""
        record = self.job.dataset.load(id)
        if isinstance(record, Broken):
            return record
        if record.gold is None:
            return None
        digest = record.digest()
        keys = [Key(digest, method, version) for method, version in self.job.versions.items()]
        found = {key: entry for key in keys if (entry := self._known(key, record)) is not None}
        # Each page begins with another method, so that none always finds the page cold in the processor's
        # cache.
        turn = int(digest[:8], 16) % len(keys)
        missing = [key for key in keys[turn:] + keys[:turn] if key not in found]
        found |= {key: self._run(key.method, record) for key in missing}
        return Page(
            id=id,
            page_type=record.page_type,
            url=record.url,
            kilobytes=len(record.html or b"") / 1000,
            found=tuple((key, found[key]) for key in keys),
            computed=tuple(missing),
        )

    def _known(self, key: Key, record: Record) -> Entry | None:
        """The cached entry, if it has every measure that the record has gold for."""
        entry = None if self.job.fresh else self.cache.get(key)
        if entry is None or entry.status == "skipped" or key.method.startswith(FLOOR):
            return entry
        wanted = {name for name in self.job.measures if applies(name, record)}
        return entry if wanted <= entry.scores.keys() | unmeasured(key.method) else None

    def _run(self, method: str, record: Record) -> Entry:
        """Time the extraction and score it.  An exception is an empty extract, and is remembered."""
        text, seconds, problem = "", 0.0, ""
        try:
            run = self.methods[method](record)
            with time_limit(self.job.time_limit):
                text, seconds = timed(run)
        except NeedsEvidence as missing:
            return Entry(0.0, "skipped", str(missing))
        except TimeLimit:
            problem, seconds = f"took more than {self.job.time_limit:g} s", self.job.time_limit
        except Exception as error:  # whatever a method does to itself, the run goes on
            problem = f"{type(error).__name__}: {error}"[:500]
        if method.startswith(FLOOR):
            return Entry(seconds, "failed" if problem else "done", problem)
        scores = score(self.job.measures, method, record, text)
        return Entry(seconds, "failed" if problem else "done", problem, scores)


def applies(measure: str, record: Record) -> bool:
    """Does the record have what this measure compares with?"""
    if measure == "nodes":
        return bool(record.gold_selectors)
    if measure == "snippets":
        return bool(record.wanted or record.unwanted)
    return record.gold is not None


def unmeasured(method: str) -> set[str]:
    """Measures that a method never has: peers give text, not elements."""
    return {"nodes"} if method.startswith(extractors.PEER) else set()


def score(wanted: tuple[str, ...], method: str, record: Record, text: str) -> dict[str, Score]:
    """The measures asked for that this record and this method allow."""
    found = {}
    for name in wanted:
        if not applies(name, record) or name in unmeasured(method):
            continue
        if name == "nodes":
            found[name] = _nodes(method, record, failed=not text)
        elif name == "snippets":
            found[name] = measures.snippets(record.wanted, record.unwanted, text).score()
        else:
            found[name] = TEXT_MEASURES[name](record.gold or "", text)
    return found


def _nodes(method: str, record: Record, failed: bool) -> Score:
    gold = extractors.gold(record)
    if gold is None:
        return Score(0.0, 0.0, 0.0)
    with suppress(ThresherError):
        kept = extractors.kept(method, record)
        if kept is not None and not failed:
            return measures.nodes(gold, kept)
    return measures.nodes(gold, gold & False)


def timed(run: Prepared) -> tuple[str, float]:
    """What it returns, and the CPU seconds it took."""
    start = time.process_time()
    text = run()
    return text, time.process_time() - start


class TimeLimit(BaseException):
    """Not an Exception: extractors catch those themselves and would go on."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimit in the body after so many seconds, where the system has alarms."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeLimit

    before: Callable[[int, FrameType | None], object] | int | None = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
