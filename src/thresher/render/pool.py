"""Warm browsers, each for one page at a time.

Starting a browser costs more than a page does, so one that has finished a page waits for the next.  It is replaced
after some pages, and at once when a page had to be killed: no page can harm another.  Any number of threads may share a
pool; with all browsers busy they wait.  At the end of the program, whatever ends it, the watchdogs end the browsers.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from thresher.fetch.connect import Resolver
from thresher.render.chromium import Chromium, find_chromium

__all__ = ["BrowserPool", "default_pool"]

_MAX_PAGES = 50  # that a browser shows before it is replaced


class BrowserPool:
    """`with pool.browser(memory) as chromium: …`

    size      browsers at a time
    pages     that one browser shows before it is replaced
    chromium  the program; what is on the PATH unless given
    resolver  looks names up for the pages; the system's own unless given
    """

    def __init__(
        self,
        size: int = 1,
        pages: int = _MAX_PAGES,
        chromium: str | Path | None = None,
        resolver: Resolver | None = None,
    ) -> None:
        self.chromium = chromium
        self.resolver = resolver
        self.pages = pages
        self._free = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[tuple[Chromium, int]] = []
        self._owner = os.getpid()
        self._closed = False
        atexit.register(self.close)

    @contextlib.contextmanager
    def browser(self, memory: int) -> Iterator[Chromium]:
        """A browser for one page; it is killed if the page ends with an error that it may not have survived."""
        self._free.acquire()  # every page has a deadline, so the wait has an end
        try:
            chromium, shown = self._take(memory)
            try:
                yield chromium
            except BaseException:
                chromium.kill()
                raise
            self._give_back(chromium, shown + 1)
        finally:
            self._free.release()

    def close(self) -> None:
        """End the browsers that wait.  One that is at work ends with its page."""
        with self._lock:
            self._closed = os.getpid() == self._owner
            idle, self._idle = self._idle, []
        for chromium, _ in idle:
            if os.getpid() == self._owner:
                chromium.kill()
            else:
                chromium.release()

    def __enter__(self) -> BrowserPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, memory: int) -> tuple[Chromium, int]:
        if os.getpid() != self._owner:  # forked: those browsers are the parent's
            self.close()
            self._owner, self._closed = os.getpid(), False
        while True:
            with self._lock:
                chromium, shown = self._idle.pop() if self._idle else (None, 0)
            if chromium is None:
                return Chromium(find_chromium(self.chromium), memory), 0
            if chromium.alive and chromium.memory == memory:
                return chromium, shown
            chromium.kill()

    def _give_back(self, chromium: Chromium, shown: int) -> None:
        with self._lock:
            keep = chromium.alive and shown < self.pages and not self._closed
            if keep:
                self._idle.append((chromium, shown))
        if not keep:
            chromium.kill()


_default: BrowserPool | None = None
_making = threading.Lock()


def default_pool() -> BrowserPool:
    """The pool of `thresher.render`: one browser, started with the first page."""
    global _default
    with _making:
        if _default is None or _default._closed:
            _default = BrowserPool()
        return _default
