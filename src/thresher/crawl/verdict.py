"""What is to be done with an answer: keep it or not, and where to go from there.

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

from thresher.crawl.frontier import Found, Frontier, Kind, Outcome, Task
from thresher.crawl.scope import Scope
from thresher.crawl.traps import TrapLimits, trap
from thresher.crawl.urls import host_of, key
from thresher.crawl.visit import Visit

__all__ = ["Territory", "Verdict", "verdict"]

_MOST_HOPS = 10
_FRONT = re.compile(r"/?(?:(?:index|default|home)(?:\.\w+)?/?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Territory:
    """Where a crawl may go: its scope, its traps, and what the user wants and does not want."""

    scope: Scope
    traps: TrapLimits
    include: tuple[re.Pattern[str], ...] = ()
    exclude: tuple[re.Pattern[str], ...] = ()
    today: date = date.min

    def objection(self, url: str) -> str:
        """Why an address is not to be fetched; "" if it may be."""
        if self.include and not any(wanted.search(url) for wanted in self.include):
            return "excluded"
        if any(unwanted.search(url) for unwanted in self.exclude):
            return "excluded"
        return trap(url, self.traps, self.today) or ""

    def leads(self, urls: Iterable[str], task: Task, depth: int) -> Iterator[Found]:
        """The addresses of the site among those found on a page, with their places."""
        for place, url in enumerate(urls):
            if len(url) <= self.traps.length and self.scope.covers(url):
                yield Found(url, depth, "page", task.rank, place, trap=self.objection(url))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of an address."""

    outcome: Outcome
    reason: str = ""
    found: tuple[Found, ...] = ()
    copy_of: str | None = None  # key of the original
    keep: bool = False  # the answer goes into the archive


def verdict(made: Visit, territory: Territory, frontier: Frontier, sitemaps: bool) -> Verdict:
    """Judge an answer; `sitemaps` says whether feeds and sitemaps may be read."""
    task = made.task
    if made.target is not None:
        return _redirect(task, made.target, territory, frontier)
    if task.kind == "list" or made.seeds is not None:
        return _list(made, territory)
    if made.response is None or made.reason:
        return Verdict("error", made.reason, keep=made.response is not None)
    signposts = made.signposts
    if signposts is None:
        return Verdict("file", keep=True)
    found = list(territory.leads(signposts.links, task, task.depth + 1))
    if task.depth == 0 and sitemaps:
        feeds = [url for url in signposts.feeds if territory.scope.covers(url)]
        found += [Found(url, 0, "list", task.rank, place) for place, url in enumerate(feeds)]
    reason = "nofollow" if signposts.nofollow else ""
    if signposts.noindex:
        return Verdict("noindex", reason, tuple(found))
    if signposts.original and _is_copy(task, signposts.original, territory, frontier):
        found.insert(0, Found(signposts.original, task.depth, "page", task.rank, -1))
        return Verdict("copy", found=tuple(found), copy_of=key(signposts.original))
    return Verdict("page", reason, tuple(found), keep=True)


def _redirect(task: Task, target: str, territory: Territory, frontier: Frontier) -> Verdict:
    if not target:
        return Verdict("error", "bad_redirect")
    if task.hops >= _MOST_HOPS:
        return Verdict("error", "too_many_redirects")
    if key(target) == task.key or frontier.outcome(target) == "redirect":
        return Verdict("error", "redirect_loop")
    if task.kind == "page" and not territory.scope.covers(target):
        return Verdict("outside", host_of(target))
    objection = territory.objection(target) if task.depth else ""
    found = Found(target, task.depth, task.kind, task.rank, 0, task.hops + 1, objection)
    return Verdict("redirect", target, (found,))


def _list(made: Visit, territory: Territory) -> Verdict:
    task = made.task
    if made.seeds is None:
        return Verdict("list", made.reason or "no_list")
    found = list(territory.leads(made.seeds.pages, task, 1))
    # Where one sitemap may be, the ones it names may be, too: many stand on a host of their own.
    further = [url for url in made.seeds.sitemaps if host_of(url) == host_of(task.url) or territory.scope.covers(url)]
    kind: Kind = "list"
    found += [Found(url, 0, kind, task.rank, place) for place, url in enumerate(further)]
    return Verdict("list", found=tuple(found))


def _is_copy(task: Task, original: str, territory: Territory, frontier: Frontier) -> bool:
    if (
        task.itself
        or key(original) == task.key
        or not territory.scope.covers(original)
        or territory.objection(original)
    ):
        return False
    if _is_front(original) and not _is_front(task.url):
        return False
    # A page that others name as their original is none's copy, so copies never wait for each other.
    return frontier.outcome(original) in (None, "waiting", "page", "copy") and not frontier.is_original(task)


def _is_front(url: str) -> bool:
    return _FRONT.fullmatch(urlsplit(url).path) is not None
