"""One visit: an address is asked for and what came back is read, in a thread of its own.  Nothing is decided here.

A redirect to another page ends the visit: its target is judged like any link (scope, robots.txt, is it known already)
before anybody asks for it.  Redirects to the same page, which set a cookie or a session, are followed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from thresher.crawl.frontier import Task
from thresher.crawl.page_links import PageLinks, read_page_links
from thresher.crawl.sitemaps import SitemapUrls, parse_sitemap
from thresher.crawl.urls import canonical, key
from thresher.errors import FetchError
from thresher.http.media_types import HTML_TYPES
from thresher.parse import parse
from thresher.parse.kind import not_html

if TYPE_CHECKING:
    from thresher.fetch.gate import Gate
    from thresher.http.response import Response

__all__ = ["TEMPORARY_REASONS", "Visit", "visit"]

TEMPORARY_REASONS = frozenset(
    {"connect", "disconnected", "timeout", "idle_timeout"}
)  # of failures: another attempt may succeed
_TEMPORARY_STATUSES = frozenset({408, 425, 429})  # and every 5xx


@dataclass(frozen=True, slots=True)
class Visit:
    """The result of asking for an address."""

    task: Task
    time: str  # when it was asked for
    response: Response | None = None
    reason: str = ""  # why there is no page: timeout, http_404, …
    target: str | None = None  # where it redirects to; "" for somewhere no page can be
    page_links: PageLinks | None = None  # of an HTML page
    sitemap: SitemapUrls | None = None  # of a sitemap or feed

    @property
    def is_temporary(self) -> bool:
        """Whether another attempt may succeed."""
        if self.response is None:
            return self.reason in TEMPORARY_REASONS
        return self.response.status >= 500 or self.response.status in _TEMPORARY_STATUSES or self.response.truncated


def visit(gate: Gate, task: Task, token: str) -> Visit:
    """Ask for an address and read what comes back.  Never raises: whatever a page does to us, the crawl goes on."""
    visited = Visit(task, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    try:
        return _read(visited, gate.fetch(task.url, may_go=lambda url: _same_page(url, task)), token)
    except FetchError as error:
        if error.reason == "refused":  # it is another page
            return replace(visited, target=canonical(error.url or "") or "")
        return replace(visited, reason=error.reason)
    except Exception as error:
        return replace(visited, reason=f"internal_error_{type(error).__name__}")


def _same_page(url: str, task: Task) -> bool:
    there = canonical(url)
    return there is not None and key(there) == task.key


def _read(visited: Visit, response: Response, token: str) -> Visit:
    task = visited.task
    visited = replace(visited, response=response)
    if not response.ok:
        return replace(visited, reason=f"http_{response.status}")
    if task.kind == "list":
        return replace(visited, sitemap=parse_sitemap(response.body, task.url, response.encoding))
    other = not_html(response.body)
    if not other and response.content_type in {None, *HTML_TYPES}:
        page = parse(response.body, url=response.url, encoding=response.encoding)
        return replace(visited, page_links=read_page_links(page, response.headers, token))
    # A start address may be a sitemap or a feed.
    return replace(
        visited, sitemap=parse_sitemap(response.body, task.url, response.encoding) if task.depth == 0 else None
    )
