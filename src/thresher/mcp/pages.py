"""The pages of a session: fetched through the gate, or given; kept for a while, so that reading on fetches nothing.

Pages are worked on in processes of their own (`tasks`): one that hangs or crashes costs its own answer.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

from thresher.errors import ThresherError
from thresher.mcp.tasks import message
from thresher.result.extraction import Hidden
from thresher.result.inputs import InputError, Reader, is_url
from thresher.workers.process import CannotStart, Failed, ProcessBounds, Worker

__all__ = ["KeptPage", "PageError", "Pages"]

_MAX_PAGES = 100  # kept
_MAX_BYTES = 64_000_000  # of all of them
_FRESH_SECONDS = 600.0  # after which a page is fetched again
_PAGE_SECONDS, _PAGE_MB = 20.0, 2048  # what one answer may take


class PageError(ThresherError):
    """There is no such page, or no answer about it; the message says why."""


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page as it came."""

    id: str  # of its resource
    html: bytes = field(repr=False)
    url: str | None = None
    encoding: str | None = None
    problems: tuple[str, ...] = ()
    failure: str | None = None  # `http_404` and the like
    time: float = 0.0  # when it was fetched


class Pages:
    """Threads may share it."""

    def __init__(self, reader: Reader, workers: int = 2, hidden: Hidden = "default") -> None:
        self.reader = reader
        self._hidden = hidden
        self._kept: OrderedDict[str, KeptPage] = OrderedDict()
        self._ids: dict[str, str] = {}  # of addresses as they were asked for
        self._lock = threading.Lock()
        bounds = ProcessBounds(_PAGE_SECONDS, _PAGE_MB)
        self._workers = [Worker("thresher.mcp.tasks:prepare", None, bounds) for _ in range(workers)]
        self._free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._free.put(worker)

    def close(self) -> None:
        """End the processes, and close the gate."""
        for worker in self._workers:
            worker.close()
        self.reader.close()

    def page(self, url: str | None, html: str | None = None) -> KeptPage:
        """The page at an address, or the one whose HTML is given."""
        if html is not None:
            return self.keep(html.encode("utf-8", "replace"), url, "utf-8")
        if not url:
            raise PageError("name a page: url or html")
        url = url.strip()
        if not is_url(url):
            raise PageError("an address starts with http:// or https://; files are not read")
        kept = self._recent(url)
        return kept or self._fetched(url)

    def keep(self, html: bytes, url: str | None, encoding: str | None, **further: Any) -> KeptPage:
        """Keep a page, and let go of the oldest where there are too many."""
        id = hashlib.sha256((url or "").encode("utf-8", "replace") + b"\n" + html).hexdigest()[:16]
        page = KeptPage(id, html, url, encoding, time=time.monotonic(), **further)
        with self._lock:
            self._kept.pop(id, None)
            self._kept[id] = page
            while len(self._kept) > 1 and (len(self._kept) > _MAX_PAGES or self._size() > _MAX_BYTES):
                self._kept.popitem(last=False)
        return page

    def by_id(self, id: str) -> KeptPage:
        with self._lock:
            if id not in self._kept:
                raise PageError(f"there is no page {id!r} (any more): extract it again")
            return self._kept[id]

    def all(self) -> list[KeptPage]:
        """Those that are kept, the newest first."""
        with self._lock:
            return [*reversed(self._kept.values())]

    def answer(self, task: str, page: KeptPage, **request: Any) -> dict[str, Any]:
        """What a task says of a page."""
        data = message(task, {"url": page.url, "encoding": page.encoding, "hidden": self._hidden, **request}, page.html)
        with self._worker() as worker:
            try:
                answer: dict[str, Any] = json.loads(worker.ask(data, tries=2).data)
            except (Failed, CannotStart) as error:
                raise PageError(f"the page could not be read: {error}") from error
        if "refused" in answer:
            raise PageError(answer["refused"])
        status = "failed" if page.failure else answer["status"]
        return {**answer, "status": status, "warnings": [*page.problems, *answer["warnings"]]}

    def crawl(self, url: str, pages: int, seconds: float) -> list[KeptPage]:
        """Pages of a site, politely: robots.txt, one request a second; what came when the time is up."""
        from thresher.crawl import CrawlOptions, crawl
        from thresher.fetch.limits import FetchLimits
        from thresher.site.archive import pages as saved_pages

        if not is_url(url.strip()):
            raise PageError("an address starts with http:// or https://")
        limits = FetchLimits(seconds=self.reader.timeout) if self.reader.timeout else FetchLimits()
        options = CrawlOptions(
            pages=pages, user_agent=self.reader.agent, allow_hosts=tuple(self.reader.allow_hosts), limits=limits
        )
        stop = threading.Event()
        timer = threading.Timer(seconds, stop.set)
        timer.start()
        try:
            with TemporaryDirectory(prefix="thresher-mcp-") as folder:
                summary = crawl([url.strip()], folder, options, stop=stop)
                if not summary.pages:
                    reasons = (*summary.failed_seeds.values(), *summary.left_out, *summary.errors)
                    raise PageError(f"no page came from {url}: {next(iter(reasons), summary.ended)}")
                return [self.keep(saved.html, saved.url, saved.encoding) for saved in saved_pages(folder)]
        finally:
            timer.cancel()

    def _recent(self, url: str) -> KeptPage | None:
        with self._lock:
            page = self._kept.get(self._ids.get(url, ""))
            return page if page and time.monotonic() - page.time < _FRESH_SECONDS else None

    def _fetched(self, url: str) -> KeptPage:
        try:
            answer = self.reader.read(url)
        except InputError as error:
            raise PageError(str(error)) from error
        page = self.keep(
            answer.data, answer.url, answer.encoding, problems=tuple(answer.problems), failure=answer.failure
        )
        with self._lock:
            self._ids[url] = page.id
            for gone in [each for each, id in self._ids.items() if id not in self._kept]:
                del self._ids[gone]
        return page

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        worker = self._free.get()
        try:
            yield worker
        finally:
            self._free.put(worker)

    def _size(self) -> int:
        return sum(len(page.html) for page in self._kept.values())
