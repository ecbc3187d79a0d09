"""The crawl of a site: polite, bounded, and safe to kill.

    summary = crawl(["https://example.org/"], "site", CrawlOptions(pages=500))
    for saved in archive.pages("site"): ...

crawler     the loop: what to ask for next, in threads, and what becomes of it
frontier    every address that was met, and what is known of it (state: the database under it)
hosts       manners: one request at a time, pauses, hosts in trouble
visit       one address asked for and read (signposts: what a page says to crawlers; seeds: sitemaps and feeds)
verdict     what is to be done with an answer (scope: which addresses belong to the site; traps: which lead nowhere)
store       the files of a crawl
urls        addresses in one spelling (sessions: what in them says nothing about the page)
options     CrawlOptions, Progress, Summary

Into the folder go `pages-00000.warc.gz` and `index.jsonl` (`store`), `state.sqlite` (`frontier`), and, at the end of
every run, `left-out.jsonl`: the addresses that gave no record, and why.  The same call, made again, goes on where the
last one was when it ended, was stopped or was killed.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

from thresher.crawl.crawler import Crawler
from thresher.crawl.frontier import Frontier
from thresher.crawl.options import CrawlOptions, Progress, Summary
from thresher.crawl.scope import Scope
from thresher.crawl.store import INDEX, ArchiveWriter
from thresher.crawl.urls import canonical
from thresher.crawl.verdict import Territory
from thresher.errors import FetchError, SiteError
from thresher.fetch.gate import Gate
from thresher.http.urls import parse_url

__all__ = ["STATE", "CrawlOptions", "Progress", "Summary", "crawl"]

STATE = "state.sqlite"


def crawl(
    urls: Iterable[str],
    directory: str | Path,
    options: CrawlOptions = CrawlOptions(),
    gate: Gate | None = None,
    *,
    stop: threading.Event | None = None,
    watch: Callable[[Progress], None] | None = None,
) -> Summary:
    """Fetch the pages of a site into a folder, or go on with it.

    `gate` is what requests go through, one made from the options unless given; it should send `options.user_agent`, for
    robots.txt is read under that name.  Set `stop` from another thread or a signal handler to end after the requests
    under way.  `watch` is called after every answer.  SiteError if the folder holds another crawl or is in use.
    """
    folder = Path(directory)
    seeds = tuple(dict.fromkeys(_seed(url) for url in urls))
    if not seeds:
        raise SiteError("a crawl needs an address to start from")
    territory = Territory(
        Scope.around(seeds, options.scope),
        options.traps,
        tuple(map(_expression, options.include)),
        tuple(map(_expression, options.exclude)),
        date.today(),
    )
    if not (folder / STATE).exists() and ((folder / INDEX).exists() or any(folder.glob("pages-*.warc.gz"))):
        raise SiteError(f"{folder} holds pages but no {STATE} to go on from: use another folder")
    # Failed attempts are counted and spaced here, so the gate need not try again.
    own = None if gate else Gate(options.allow_hosts, options.limits, options.user_agent, retries=0)
    through = gate or own
    assert through is not None
    folder.mkdir(parents=True, exist_ok=True)
    identity = {"urls": sorted(seeds), "scope": options.scope, "include": options.include, "exclude": options.exclude}
    frontier = Frontier(folder / STATE, identity)
    try:
        about = {"http-header-user-agent": options.user_agent, "isPartOf": " ".join(seeds)}
        writer = ArchiveWriter(folder, frontier.sizes(), about)
        try:
            crawler = Crawler(seeds, options, through, territory, frontier, writer, stop or threading.Event(), watch)
            return crawler.run()
        finally:
            writer.close()
    finally:
        frontier.close()
        if own:
            own.close()


def _seed(url: str) -> str:
    found = canonical(url)
    if found is None:
        try:
            named = parse_url(url)
        except FetchError as error:
            raise SiteError(str(error)) from None
        raise SiteError(f"{named} with a user name: pages behind a login are not crawled")
    return found


def _expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise SiteError(f"{text!r} is no regular expression: {error}") from None
