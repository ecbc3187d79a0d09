"""One page under all methods: what a worker process does.  No pool, no progress, no printing here."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from thresher.errors import NeedsEvidence
from thresher.evaluate import extractors, measures
from thresher.evaluate.cache import CachedScores, Key, ScoreCache
from thresher.evaluate.datasets import BrokenRecord, Dataset, DatasetRecord
from thresher.evaluate.datasets.record import or_broken
from thresher.evaluate.elements import gold_elements, kept_elements
from thresher.evaluate.extractors import ExtractorOutput, Prepared, learns_from_siblings, reads_rendering
from thresher.evaluate.measures import TEXT_MEASURES, Score
from thresher.evaluate.rendered import with_rendering
from thresher.evaluate.results import FLOOR
from thresher.page.columns import words
from thresher.visible.readable import readable

if TYPE_CHECKING:
    from thresher import Extraction

WARM_UP = b"<title>t</title><article><h1>Grain</h1><p>A first page, so that no import is timed.</p></article>"


@dataclass(frozen=True, slots=True)
class EvaluationJob:
    """What is to be done to every page; sent to each worker once."""

    dataset: Dataset
    versions: Mapping[str, str]  # of each method, floors among them, in their order
    measures: tuple[str, ...]
    cache: Path
    fresh: bool = False  # compute even what is in the cache
    time_limit: float = 60.0  # seconds for one method on one page
    renderings: Path | None = None  # the folder of pages as a browser showed them


@dataclass(frozen=True, slots=True)
class PageResults:
    """What came out for one record, in the order of the methods."""

    id: str
    page_type: str
    site: str
    kilobytes: float
    entries: tuple[tuple[Key, CachedScores], ...]
    computed: tuple[Key, ...]  # the part of it that was not in the cache


class _Evidence(IntEnum):
    """What a method is given, each with all that stands before it."""

    PAGE, RENDERED_PAGE, RENDERED_SITE = range(3)

    @classmethod
    def of(cls, method: str) -> _Evidence:
        if learns_from_siblings(method):
            return cls.RENDERED_SITE
        return cls.RENDERED_PAGE if reads_rendering(method) else cls.PAGE


class EvaluationWorker:
    """Loaded methods and an open cache; `page` is the whole of its work."""

    def __init__(self, job: EvaluationJob) -> None:
        self.job = job
        self.cache = ScoreCache(job.cache)
        self._loaded: dict[str, Callable[[DatasetRecord], Prepared]] = {}

    def page(self, id: str) -> PageResults | BrokenRecord | None:
        """The outcome of every method on one page; None for a page without gold."""
        return or_broken(id, lambda: self._page(id))

    def _page(self, id: str) -> PageResults | None:
        record = self.job.dataset.read(id)
        if record.gold is None:
            return None
        digest = record.digest()
        # A page alone, its rendering, its site rendered: a score depends on what its method is given.
        evidence = {method: _Evidence.of(method) for method in self.job.versions}
        digests = {_Evidence.PAGE: digest}
        for kind in sorted(set(evidence.values()) - {_Evidence.PAGE}):
            record = with_rendering(record, self.job.renderings, siblings=kind is _Evidence.RENDERED_SITE)
            digests[kind] = record.digest()
        keys = [Key(digests[evidence[method]], method, version) for method, version in self.job.versions.items()]
        cached = {} if self.job.fresh else {key: entry for key in keys if (entry := self.cache.get(key))}
        # Each page begins with another method: the first one finds the page cold in the processor's cache.
        turn = int(digest[:8], 16) % len(keys)
        in_turn = keys[turn:] + keys[:turn]
        missing = [key for key in in_turn if key not in cached or self._lacks_a_measure(cached[key], key, record)]
        entries = {**cached, **{key: self._run(key, record, cached.get(key)) for key in missing}}
        return PageResults(
            id=id,
            page_type=record.page_type,
            site=record.site or urlsplit(record.url or "").hostname or "",
            kilobytes=len(record.html or b"") / 1000,
            entries=tuple((key, entries[key]) for key in keys),
            computed=tuple(missing),
        )

    def _lacks_a_measure(self, entry: CachedScores, key: Key, record: DatasetRecord) -> bool:
        """Was the entry made by a run that asked for other measures?"""
        measures = {name for name in self.job.measures if applies(name, key.method, record)}
        return entry.status != "skipped" and not measures <= entry.scores.keys()

    def _load(self, method: str) -> Callable[[DatasetRecord], Prepared]:
        """The method, loaded and warm: nothing is imported where a run finds everything in the cache."""
        if method not in self._loaded:
            self._loaded[method] = extractors.prepare(method)
            # Failing on so small a page is a method's right.
            with suppress(Exception, TimeLimit), time_limit(self.job.time_limit):
                self._loaded[method](DatasetRecord("warm-up", WARM_UP))()
        return self._loaded[method]

    def _run(self, key: Key, record: DatasetRecord, before: CachedScores | None) -> CachedScores:
        """Time the extraction and score it, beside the scores from `before`.

        An exception is an empty extract, and is remembered.
        """
        extract, seconds, problem = ExtractorOutput(""), 0.0, ""
        try:
            run = self._load(key.method)(record)
            with time_limit(self.job.time_limit):
                extract, seconds = timed(run)
        except NeedsEvidence as missing:
            return CachedScores(0.0, "skipped", str(missing))
        except TimeLimit:
            problem, seconds = f"took more than {self.job.time_limit:g} s", self.job.time_limit
        except Exception as error:  # whatever a method does to itself, the run goes on
            problem = f"{type(error).__name__}: {error}"[:500]
        measures = [name for name in self.job.measures if applies(name, key.method, record)]
        scores = dict(before.scores) if before else {}
        scores |= {name: score(name, record, extract) for name in measures}
        return CachedScores(seconds, "failed" if problem else "done", problem, scores)


def applies(measure: str, method: str, record: DatasetRecord) -> bool:
    """Does the method give, and the record have, what this measure compares?  Peers do not tell elements."""
    if method.startswith(FLOOR):
        return False
    if measure in ("nodes", "words"):
        return bool(record.gold_selectors) and not method.startswith(extractors.PEER)
    if measure == "snippets":
        return bool(record.wanted or record.unwanted)
    return record.gold is not None


def score(measure: str, record: DatasetRecord, extract: ExtractorOutput) -> Score:
    """One measure of an extract."""
    if measure == "nodes":
        return _nodes(record, extract.extraction)
    if measure == "words":
        return _words(record, extract.extraction)
    if measure == "snippets":
        return measures.snippets(record.wanted, record.unwanted, extract.text).score()
    return TEXT_MEASURES[measure](record.gold or "", extract.text)


def _nodes(record: DatasetRecord, extraction: Extraction | None) -> Score:
    """The elements that the method chose, or that hold the text it chose, against those of the selectors."""
    if extraction is None:  # the method failed
        return Score(0.0, 0.0, 0.0)
    gold = gold_elements(extraction.page, record.gold_selectors, record.exclude_selectors)
    chosen = extraction.elements if extraction.elements is not None else kept_elements(extraction.page, extraction.keep)
    return measures.nodes(gold, chosen)


def _words(record: DatasetRecord, extraction: Extraction | None) -> Score:
    """The readable words of the page that the method kept, against those of the selectors."""
    if extraction is None:
        return Score(0.0, 0.0, 0.0)
    page = extraction.page
    gold = gold_elements(page, record.gold_selectors, record.exclude_selectors)[page.owner]
    return measures.labelled_words(words(page), gold & readable(page), extraction.keep)


def timed(run: Prepared) -> tuple[ExtractorOutput, float]:
    """What it returns, and the CPU seconds it took."""
    start = time.process_time()
    extract = run()
    return extract, time.process_time() - start


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
