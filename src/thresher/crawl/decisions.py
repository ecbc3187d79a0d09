"""What is done with the answer to a request: whether it is kept, and which addresses come next.

    no answer                                      error
    a redirect                                     redirect: its target takes its place; outside: it leaves the site
    a sitemap or feed                              list: the pages it names are one link away from the start
    a status of 400 and above                      error, and the answer is kept
    a page that asks not to be kept                noindex: its links are followed
    a page that names another one as its original  copy: its links are followed, and the original is fetched
    any other page                                 page: it is kept, and its links are followed
    anything else (PDF, picture, JSON, …)          file: it is kept

A page is believed to be a copy only where that loses nothing: the original must belong to the site, must not have
failed, and must not be the front page (many sites name it on every page by mistake).  If the original then cannot be
had, the copy is fetched again and kept (`frontier`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

from thresher.crawl.frontier import DiscoveredUrl, Frontier, Kind, Outcome, Task
from thresher.crawl.scope import Scope
from thresher.crawl.traps import TrapLimits, trap
from thresher.crawl.urls import host_of, key
from thresher.crawl.visit import Visit

__all__ = ["CrawlDecision", "UrlFilter", "decide"]

_MAX_REDIRECTS = 10
_FRONT_PAGE_PATH = re.compile(r"/?(?:(?:index|default|home)(?:\.\w+)?/?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UrlFilter:
    """Which addresses a crawl follows: its scope, limits against crawler traps, and the user's own expressions."""

    scope: Scope
    traps: TrapLimits
    include: tuple[re.Pattern[str], ...] = ()
    exclude: tuple[re.Pattern[str], ...] = ()
    today: date = date.min

    def why_excluded(self, url: str) -> str:
        """Why an address is not to be fetched; "" if it may be."""
        if self.include and not any(wanted.search(url) for wanted in self.include):
            return "excluded"
        if any(unwanted.search(url) for unwanted in self.exclude):
            return "excluded"
        return trap(url, self.traps, self.today) or ""

    def candidates(self, urls: Iterable[str], task: Task, depth: int) -> Iterator[DiscoveredUrl]:
        """The addresses of the site among those on a page, with their places."""
        for place, url in enumerate(urls):
            if len(url) <= self.traps.length and self.scope.covers(url):
                yield DiscoveredUrl(url, depth, "page", task.rank, place, trap=self.why_excluded(url))


@dataclass(frozen=True, slots=True)
class CrawlDecision:
    """What is done with the answer to a request, and which addresses it brings."""

    outcome: Outcome
    reason: str = ""
    urls: tuple[DiscoveredUrl, ...] = ()  # to be added to the frontier
    copy_of: str | None = None  # key of the original
    keep: bool = False  # the answer goes into the archive


def decide(visited: Visit, url_filter: UrlFilter, frontier: Frontier, sitemaps: bool) -> CrawlDecision:
    """Decide about an answer; `sitemaps` says whether feeds and sitemaps may be read."""
    task = visited.task
    if visited.target is not None:
        return _redirect(task, visited.target, url_filter, frontier)
    if task.kind == "list" or visited.sitemap is not None:
        return _list(visited, url_filter)
    if visited.response is None or visited.reason:
        return CrawlDecision("error", visited.reason, keep=visited.response is not None)
    page_links = visited.page_links
    if page_links is None:
        return CrawlDecision("file", keep=True)
    urls = list(url_filter.candidates(page_links.links, task, task.depth + 1))
    if task.depth == 0 and sitemaps:
        feeds = [url for url in page_links.feeds if url_filter.scope.covers(url)]
        urls += [DiscoveredUrl(url, 0, "list", task.rank, place) for place, url in enumerate(feeds)]
    reason = "nofollow" if page_links.nofollow else ""
    if page_links.noindex:
        return CrawlDecision("noindex", reason, tuple(urls))
    if page_links.canonical_url and _is_copy(task, page_links.canonical_url, url_filter, frontier):
        urls.insert(0, DiscoveredUrl(page_links.canonical_url, task.depth, "page", task.rank, -1))
        return CrawlDecision("copy", urls=tuple(urls), copy_of=key(page_links.canonical_url))
    return CrawlDecision("page", reason, tuple(urls), keep=True)


def _redirect(task: Task, target: str, url_filter: UrlFilter, frontier: Frontier) -> CrawlDecision:
    if not target:
        return CrawlDecision("error", "bad_redirect")
    if task.hops >= _MAX_REDIRECTS:
        return CrawlDecision("error", "too_many_redirects")
    if key(target) == task.key or frontier.outcome(target) == "redirect":
        return CrawlDecision("error", "redirect_loop")
    if task.kind == "page" and not url_filter.scope.covers(target):
        return CrawlDecision("outside", host_of(target))
    why_excluded = url_filter.why_excluded(target) if task.depth else ""
    url = DiscoveredUrl(target, task.depth, task.kind, task.rank, 0, task.hops + 1, why_excluded)
    return CrawlDecision("redirect", target, (url,))


def _list(visited: Visit, url_filter: UrlFilter) -> CrawlDecision:
    task = visited.task
    if visited.sitemap is None:
        return CrawlDecision("list", visited.reason or "no_list")
    urls = list(url_filter.candidates(visited.sitemap.pages, task, 1))
    # Where one sitemap may be, the ones it names may be, too: many stand on a host of their own.
    further = [
        url for url in visited.sitemap.sitemaps if host_of(url) == host_of(task.url) or url_filter.scope.covers(url)
    ]
    kind: Kind = "list"
    urls += [DiscoveredUrl(url, 0, kind, task.rank, place) for place, url in enumerate(further)]
    return CrawlDecision("list", urls=tuple(urls))


def _is_copy(task: Task, original: str, url_filter: UrlFilter, frontier: Frontier) -> bool:
    if (
        task.itself
        or key(original) == task.key
        or not url_filter.scope.covers(original)
        or url_filter.why_excluded(original)
    ):
        return False
    if _is_front_page(original) and not _is_front_page(task.url):
        return False
    # A page that others name as their original is none's copy, so copies never wait for each other.
    return frontier.outcome(original) in (None, "waiting", "page", "copy") and not frontier.is_original(task)


def _is_front_page(url: str) -> bool:
    return _FRONT_PAGE_PATH.fullmatch(urlsplit(url).path) is not None
