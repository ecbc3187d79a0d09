"""The crawl of a site: polite, bounded, and safe to kill.

    summary = crawl(["https://example.org/"], "site", CrawlOptions(pages=500))
    for saved in archive.pages("site"): ...

crawler         the loop: what to ask for next, in threads, and what becomes of it
frontier        every address the crawl knows, and what became of it (state: the database under it)
hosts           politeness: one request at a time, pauses, hosts that do not answer
visit           one address asked for and read
page_links      links, canonical address, robots meta tags of a page
sitemaps        sitemaps and feeds
decisions       what is done with an answer
scope, traps    which addresses belong to the site; which are crawler traps: calendars, filters, repeating paths
archive_writer  the WARC files and the index of a crawl
urls            addresses in one spelling
options         CrawlOptions, CrawlProgress, CrawlSummary

Into the folder go `pages-00000.warc.gz` and `index.jsonl` (`archive_writer`), `state.sqlite` (`frontier`), and, at
the end of every run, `left-out.jsonl`: the addresses that gave no record, and why.  The same call, made again, goes on
where the last one was when it ended, was stopped or was killed.

`Progress` and `Summary` of this package are short names of CrawlProgress and CrawlSummary.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

from thresher.crawl.archive_writer import INDEX, ArchiveWriter
from thresher.crawl.crawler import Crawler
from thresher.crawl.decisions import UrlFilter
from thresher.crawl.frontier import Frontier
from thresher.crawl.options import CrawlOptions, CrawlProgress, CrawlSummary
from thresher.crawl.scope import Scope
from thresher.crawl.urls import canonical
from thresher.errors import FetchError, SiteError
from thresher.fetch.gate import Gate
from thresher.http.urls import parse_url

__all__ = ["STATE", "CrawlOptions", "CrawlProgress", "CrawlSummary", "Progress", "Summary", "crawl"]

Progress, Summary = CrawlProgress, CrawlSummary

STATE = "state.sqlite"


def crawl(
    urls: Iterable[str],
    directory: str | Path,
    options: CrawlOptions = CrawlOptions(),
    gate: Gate | None = None,
    *,
    stop: threading.Event | None = None,
    watch: Callable[[CrawlProgress], None] | None = None,
) -> CrawlSummary:
    """Fetch the pages of a site into a folder, or go on with it.

    `gate` is what requests go through, one made from the options unless given; it should send `options.user_agent`, for
    robots.txt is read under that name.  Set `stop` from another thread or a signal handler to end after the requests
    under way.  `watch` is called after every answer.  SiteError if the folder holds another crawl or is in use.
    """
    folder = Path(directory)
    seeds = tuple(dict.fromkeys(_seed(url) for url in urls))
    if not seeds:
        raise SiteError("a crawl needs an address to start from")
    url_filter = UrlFilter(
        Scope.around(seeds, options.scope),
        options.traps,
        tuple(map(_expression, options.include)),
        tuple(map(_expression, options.exclude)),
        date.today(),
    )
    if not (folder / STATE).exists() and ((folder / INDEX).exists() or any(folder.glob("pages-*.warc.gz"))):
        raise SiteError(f"{folder} holds pages but no {STATE} to go on from: use another folder")
    # Failed attempts are counted and spaced here, so the gate need not try again.
    own_gate = None if gate else Gate(options.allow_hosts, options.limits, options.user_agent, retries=0)
    gate = gate or own_gate
    assert gate is not None
    folder.mkdir(parents=True, exist_ok=True)
    identity = {"urls": sorted(seeds), "scope": options.scope, "include": options.include, "exclude": options.exclude}
    frontier = Frontier(folder / STATE, identity)
    try:
        about = {"http-header-user-agent": options.user_agent, "isPartOf": " ".join(seeds)}
        writer = ArchiveWriter(folder, frontier.sizes(), about)
        try:
            crawler = Crawler(seeds, options, gate, url_filter, frontier, writer, stop or threading.Event(), watch)
            return crawler.run()
        finally:
            writer.close()
    finally:
        frontier.close()
        if own_gate:
            own_gate.close()


def _seed(url: str) -> str:
    seed = canonical(url)
    if seed is None:
        try:
            named = parse_url(url)
        except FetchError as error:
            raise SiteError(str(error)) from None
        raise SiteError(f"{named} with a user name: pages behind a login are not crawled")
    return seed


def _expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise SiteError(f"{text!r} is no regular expression: {error}") from None
