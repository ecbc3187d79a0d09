"""One visit: an address is asked for and what came back is read, in a thread of its own.  Nothing is decided here.

A redirect to another page ends the visit: its target is judged like any link (scope, robots.txt, is it known already)
before anybody asks for it.  Redirects to the same page, which set a cookie or a session, are followed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from thresher.errors import FetchError
from thresher.fetch.gate import Gate
from thresher.mediatype import HTML_TYPES
from thresher.parse import parse
from thresher.site.frontier import Task
from thresher.site.seeds import SeedList, read_seeds
from thresher.site.signposts import Signposts, read_signposts
from thresher.site.urls import canonical, key
from thresher.sniff import not_html

if TYPE_CHECKING:
    from thresher.fetch.gate import Reply
    from thresher.fetch.limits import Deadline
    from thresher.fetch.response import Response
    from thresher.fetch.urls import WebUrl

__all__ = ["SteppingGate", "Visit", "visit"]

_REDIRECT = "redirect"  # the reason with which a SteppingGate stops
_PASSING = frozenset({"connect", "disconnected", "timeout", "idle_timeout"})  # may be gone next time
_BUSY = frozenset({408, 425, 429})  # and every 5xx


@dataclass(frozen=True, slots=True)
class Visit:
    """What came of asking for an address."""

    task: Task
    time: str  # when it was asked for
    response: Response | None = None
    reason: str = ""  # why there is no page: timeout, http_404, …
    target: str | None = None  # where it redirects to; "" for somewhere no page can be
    signposts: Signposts | None = None  # of an HTML page
    seeds: SeedList | None = None  # of a sitemap or feed

    @property
    def may_pass(self) -> bool:
        """Whether another attempt may have more luck."""
        if self.response is None:
            return self.reason in _PASSING
        return self.response.status >= 500 or self.response.status in _BUSY or self.response.truncated


class SteppingGate(Gate):
    """A gate that can stop at redirects to other pages."""

    _judge = threading.local()  # of each thread: which addresses its fetch may go to

    def step(self, url: str, may_go: Callable[[str], bool]) -> Response:
        """Get a page; FetchError `redirect` with the target as its url where a redirect may not go."""
        self._judge.may_go = may_go
        try:
            return self.fetch(url)
        finally:
            self._judge.may_go = None

    def _hop(self, url: WebUrl, asked: dict[str, str], deadline: Deadline) -> Reply:
        may_go = getattr(self._judge, "may_go", None)
        if may_go and not may_go(str(url)):
            raise FetchError(f"redirects to {url}", _REDIRECT, str(url))
        return super()._hop(url, asked, deadline)


def visit(gate: Gate, task: Task, token: str) -> Visit:
    """Ask for an address and read what comes back.  Never raises: whatever a page does to us, the crawl goes on."""
    made = Visit(task, datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
    try:
        return _read(made, _fetch(gate, task), token)
    except FetchError as error:
        if error.reason == _REDIRECT:
            return replace(made, target=canonical(error.url or "") or "")
        return replace(made, reason=error.reason)
    except Exception as error:
        return replace(made, reason=f"internal_error_{type(error).__name__}")


def _fetch(gate: Gate, task: Task) -> Response:
    if isinstance(gate, SteppingGate):
        return gate.step(task.url, lambda url: _same_page(url, task))
    return gate.fetch(task.url)


def _same_page(url: str, task: Task) -> bool:
    there = canonical(url)
    return there is not None and key(there) == task.key


def _read(made: Visit, response: Response, token: str) -> Visit:
    task = made.task
    made = replace(made, response=response)
    # Another kind of gate has followed the redirect already: what it brought is asked for in its own turn.
    if not _same_page(response.url, task):
        return replace(made, target=canonical(response.url) or "")
    if not response.ok:
        return replace(made, reason=f"http_{response.status}")
    if task.kind == "list":
        return replace(made, seeds=read_seeds(response.body, task.url, response.encoding))
    other = not_html(response.body)
    if not other and response.content_type in {None, *HTML_TYPES}:
        page = parse(response.body, url=response.url, encoding=response.encoding)
        return replace(made, signposts=read_signposts(page, response.headers, token))
    # A start address may be a sitemap or a feed.
    return replace(made, seeds=read_seeds(response.body, task.url, response.encoding) if task.depth == 0 else None)
