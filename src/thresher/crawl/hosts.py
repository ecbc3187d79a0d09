"""Politeness: one request at a time to a host, a pause between two, a longer one after a failure.

    pause = max(what the user wants, what its robots.txt asks for, at most `max_delay`)       after every answer
    what its Retry-After says, or a pause that doubles with every attempt                   after a failure

A host is parked, its addresses left for the next run, when its robots.txt cannot be had, when page after page gets no
answer, or when it asks for a pause of more than five minutes.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

from thresher.crawl.frontier import Task
from thresher.fetch.freshness import http_date
from thresher.fetch.robots import RobotsRules

__all__ = ["Host"]

_MAX_PAGES_WITHOUT_ANSWER = 5  # pages in a row without an answer
_MAX_WAIT = 300.0  # seconds


@dataclass(slots=True, eq=False)
class Host:
    """What is known of a host in this run."""

    delay: float
    max_delay: float
    queue: deque[Task] = field(default_factory=deque)
    rules: dict[str, RobotsRules] = field(default_factory=dict)  # by origin
    busy: bool = False
    ready: float = 0.0  # time.monotonic()
    failures: int = 0  # answers in a row that did not come
    parked: str = ""  # why it is left alone

    @property
    def waiting(self) -> bool:
        return bool(self.queue) and not self.parked

    def answered(self, origin: str) -> None:
        """An answer came: the next request may follow after the usual pause."""
        rules = self.rules.get(origin)
        asked_for = min(rules.delay, self.max_delay) if rules else 0.0
        self.busy, self.failures = False, 0
        self.ready = time.monotonic() + max(self.delay, asked_for)

    def troubled(self, pause: float, retry_after: str | None = None) -> None:
        """No answer, or one that says "not now": the next request has to wait."""
        self.busy = False
        wait = max(self.delay, pause, _seconds(retry_after))
        self.ready = time.monotonic() + wait
        if wait > _MAX_WAIT:
            self.parked = f"it wants to be left alone for {wait:.0f} seconds"

    def gave_up(self, reason: str) -> None:
        """A page got no answer in all its attempts."""
        self.failures += 1
        if self.failures >= _MAX_PAGES_WITHOUT_ANSWER:
            self.parked = f"no answer for {self.failures} pages in a row ({reason})"


def _seconds(retry_after: str | None) -> float:
    """A Retry-After header in seconds from now."""
    if not retry_after:
        return 0.0
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after[:9])
    date = http_date(retry_after)
    return date - time.time() if date is not None else 0.0
