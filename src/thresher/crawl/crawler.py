"""The loop of a crawl.

    frontier --task--> visit (threads, one request at a time per host) --Visit--> decide --> files, then frontier

One thread makes all decisions and writes everything; the others wait for servers and read pages.  A page is written to
the archive first; then its outcome, its links and the new sizes of the files go into the state in one transaction.
"""

from __future__ import annotations

import json
import os
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

from thresher.crawl.archive_writer import ArchiveWriter
from thresher.crawl.decisions import UrlFilter, decide
from thresher.crawl.frontier import DiscoveredUrl, Frontier, Task
from thresher.crawl.hosts import Host
from thresher.crawl.options import CrawlOptions, CrawlProgress, CrawlSummary, Ending
from thresher.crawl.urls import canonical, host_of, origin
from thresher.crawl.visit import TEMPORARY_REASONS, Visit, visit
from thresher.fetch.gate import Gate
from thresher.fetch.robots import RobotsFile, RobotsRules, fetch_robots, product_token
from thresher.text.log import logger, without_query

__all__ = ["LEFT_OUT", "Crawler"]

_LOG = logger("thresher.crawl")

LEFT_OUT = "left-out.jsonl"
_MAX_LISTS = 50  # sitemaps and feeds read in one crawl
_MAX_LISTS_A_ROUND = 5  # then pages that they name are fetched
_ENOUGH_URLS_PER_PAGE = 10  # known addresses for each page wanted: with so many no further list is read
_POLL_SECONDS = 0.25  # between looks at `stop`
_GRACE_SECONDS = 5.0  # for requests under way once a crawl is to stop
_SEED_FAILURES = {"robots": "its robots.txt does not allow it", "noindex": "it asks not to be kept"}
_LEFT_OUT_OUTCOMES = ("robots", "noindex", "copy", "outside", "trap")


class Crawler:
    """One run of a crawl."""

    def __init__(
        self,
        seeds: tuple[str, ...],
        options: CrawlOptions,
        gate: Gate,
        url_filter: UrlFilter,
        frontier: Frontier,
        writer: ArchiveWriter,
        stop: threading.Event,
        watch: Callable[[CrawlProgress], None] | None,
    ) -> None:
        self.seeds, self.options, self.gate, self.url_filter = seeds, options, gate, url_filter
        self.frontier, self.writer, self.stop, self.watch = frontier, writer, stop, watch
        self.token = product_token(options.user_agent)
        self.hosts: dict[str, Host] = {}
        self.answers: queue.SimpleQueue[Visit | RobotsFile | BaseException] = queue.SimpleQueue()
        self.under_way = 0
        self.requests = frontier.requests()
        self.pages = frontier.count("page")
        self.errors = frontier.count("error")

    def run(self) -> CrawlSummary:
        """Until there is nothing left to do, or no more may be done."""
        started = time.monotonic()
        self.frontier.add(DiscoveredUrl(url, 0, place=place) for place, url in enumerate(self.seeds))
        self._line_up(self.frontier.queued())
        ended: Ending | None = None
        while ended is None:
            ended = self._ending()
            if ended is None:
                self._start()
                self._take(self._time_to_wait())
        deadline = time.monotonic() + _GRACE_SECONDS
        while self.under_way and (left := deadline - time.monotonic()) > 0:
            self._take(left)
        return self._summary(ended, time.monotonic() - started)

    def _ending(self) -> Ending | None:
        """Whether the crawl is over, and how; makes the next round when this one is settled."""
        if self.stop.is_set():
            return "stopped"
        if self.requests >= self.options.max_requests:
            return "requests"
        if self.under_way or any(host.waiting for host in self.hosts.values()):
            return None
        options, wanted = self.options, self.options.pages - self.pages
        if wanted <= 0:
            return "pages"
        enough = self.frontier.waiting(options.depth) >= _ENOUGH_URLS_PER_PAGE * wanted
        # Pages of a list are one link away from the start.
        lists = (
            0
            if enough or not options.sitemaps or options.depth < 1
            else min(_MAX_LISTS_A_ROUND, _MAX_LISTS - self.frontier.lists())
        )
        parked = {name for name, host in self.hosts.items() if host.parked}
        self._line_up(
            self.frontier.next_round(wanted, lists, options.depth, options.traps.variants, options.hosts, parked)
        )
        if any(host.waiting for host in self.hosts.values()):
            return None
        return "unreachable" if parked else "complete"

    def _line_up(self, tasks: list[Task]) -> None:
        for host in self.hosts.values():
            host.queue.clear()
        for task in tasks:
            self._host(task.url).queue.append(task)

    def _host(self, url: str) -> Host:
        name = host_of(url)
        if name not in self.hosts:
            self.hosts[name] = Host(self.options.delay, self.options.longest_delay)
        return self.hosts[name]

    # Requests

    def _start(self) -> None:
        """Start what may be started now, in the order of the frontier."""
        now = time.monotonic()
        idle = [host for host in self.hosts.values() if host.waiting and not host.busy and host.ready <= now]
        for host in sorted(idle, key=lambda host: host.queue[0].rank):
            while host.waiting and not host.busy and self.under_way < self.options.jobs:
                self._start_on(host)

    def _start_on(self, host: Host) -> None:
        """Ask a host for its rules or its next page; or settle a page that it does not want to be asked for."""
        task = host.queue[0]
        source = origin(task.url)
        rules = host.rules.get(source)
        if rules is None or not rules.file.fresh(time.time()):
            stored = self.frontier.robots(source)
            if stored is None or not stored.fresh(time.time()):
                self._run(host, lambda: fetch_robots(self.gate, source))
                return
            rules = host.rules[source] = RobotsRules(stored, self.token)
        host.queue.popleft()
        if rules.allows(task.url):
            self.requests += 1
            self._run(host, lambda: visit(self.gate, task, self.token))
        else:
            self.frontier.settle(task, "robots")
            _LOG.info("skipped %s: robots.txt", without_query(task.url))

    def _run(self, host: Host, work: Callable[[], Visit | RobotsFile]) -> None:
        host.busy = True
        self.under_way += 1
        # Daemons: a crawl that is to stop does not wait for a server that does not answer.
        threading.Thread(target=self._work, args=(work,), daemon=True).start()

    def _work(self, work: Callable[[], Visit | RobotsFile]) -> None:
        try:
            self.answers.put(work())
        except BaseException as error:  # a mistake of ours: the crawl must hear of it, not wait for ever
            self.answers.put(error)

    def _time_to_wait(self) -> float:
        """Seconds until something may be started."""
        waiting = [host.ready for host in self.hosts.values() if host.waiting and not host.busy]
        if not waiting or self.under_way >= self.options.jobs:
            return _POLL_SECONDS if self.under_way else 0.0
        return min(max(0.0, min(waiting) - time.monotonic()), _POLL_SECONDS)

    # Answers

    def _take(self, seconds: float) -> None:
        """Take one answer, if one comes in time."""
        try:
            answer = self.answers.get(timeout=seconds) if seconds > 0 else self.answers.get_nowait()
        except queue.Empty:
            return
        self.under_way -= 1
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, RobotsFile):
            self._take_rules(answer)
        else:
            self._take_visit(answer)

    def _take_rules(self, file: RobotsFile) -> None:
        host = self._host(file.origin + "/")
        if not file.reachable:
            host.failures += 1
            passing = file.status >= 500 or file.reason in TEMPORARY_REASONS
            if not passing or host.failures >= self.options.attempts:
                host.parked = f"its robots.txt cannot be had ({file.reason}: {file.message})"
                _LOG.info("skipped all of %s: no robots.txt (%s)", file.origin, file.reason)
            host.troubled(self.options.pause * 2.0 ** (host.failures - 1))
            return
        rules = host.rules[file.origin] = RobotsRules(file, self.token)
        lists = list(self._sitemaps(rules)) if self.options.sitemaps else []
        self.frontier.keep_robots(file, [DiscoveredUrl(url, 0, "list", 0, place) for place, url in enumerate(lists)])
        host.answered(file.origin)

    def _sitemaps(self, rules: RobotsRules) -> Iterator[str]:
        """The sitemaps of an origin on which the crawl started: those that its robots.txt names, else the usual one."""
        source = rules.file.origin
        if all(origin(seed) != source for seed in self.seeds):
            return
        named = [url for address in rules.sitemaps[:_MAX_LISTS] if (url := canonical(address, source + "/"))]
        yield from named or [f"{source}/sitemap.xml"]

    def _take_visit(self, visited: Visit) -> None:
        task, host = visited.task, self._host(visited.task.url)
        if visited.is_temporary and task.attempts + 1 < self.options.attempts:
            host.queue.append(self.frontier.failed(task))
            retry_after = visited.response.headers.get("retry-after") if visited.response else None
            host.troubled(self.options.pause * 2.0**task.attempts, retry_after)
            return
        if visited.response is None and visited.target is None:
            host.troubled(self.options.delay)
            host.gave_up(visited.reason)
        else:
            host.answered(origin(task.url))
        self._settle(visited)
        if self.watch:
            waiting = sum(len(host.queue) for host in self.hosts.values())
            self.watch(CrawlProgress(self.pages, self.options.pages, self.requests, waiting, self.errors, task.url))

    def _settle(self, visited: Visit) -> None:
        task, response = visited.task, visited.response
        decision = decide(visited, self.url_filter, self.frontier, self.options.sitemaps)
        if decision.keep and response is not None:
            final = canonical(response.url) or task.url
            record = self.writer.add(final, response, visited.time)
            self.writer.add_to_index(
                {
                    "url": task.url,
                    "final_url": final,
                    "status": response.status,
                    "content_type": response.content_type,
                    "encoding": response.encoding,
                    "bytes": len(response.body),
                    "title": visited.page_links.title if visited.page_links else None,
                    "depth": task.depth,
                    "referrer": task.referrer,
                    "time": visited.time,
                    "digest": record.digest,
                    "warc": record.warc,
                    "offset": record.offset,
                    "length": record.length,
                }
            )
        self.frontier.settle(
            task, decision.outcome, decision.reason, decision.urls, decision.copy_of, self.writer.sizes
        )
        if decision.outcome not in ("page", "file", "list"):
            _LOG.info("skipped %s: %s %s", without_query(task.url), decision.outcome, without_query(decision.reason))
        self.pages += decision.outcome == "page"
        self.errors += decision.outcome == "error"

    # The end

    def _summary(self, ended: Ending, seconds: float) -> CrawlSummary:
        path = self.writer.folder / LEFT_OUT
        beside = path.with_suffix(".tmp")
        with beside.open("w", encoding="ascii") as file:
            file.writelines(json.dumps(line) + "\n" for line in self.frontier.left_out())
        os.replace(beside, path)
        errors: Counter[str] = Counter()
        left_out: Counter[str] = Counter()
        for (outcome, reason), count in self.frontier.reasons().items():
            if outcome == "error":
                errors[reason] += count
            elif outcome in _LEFT_OUT_OUTCOMES:
                left_out[reason if outcome == "trap" else outcome] += count
            if reason == "nofollow":
                left_out[reason] += count
        return CrawlSummary(
            self.writer.folder,
            ended,
            self.pages,
            self.frontier.count("file"),
            self.requests,
            self.frontier.waiting(self.options.depth),
            dict(errors),
            dict(left_out),
            {name: host.parked for name, host in self.hosts.items() if host.parked},
            self._failed_seeds(),
            seconds,
        )

    def _failed_seeds(self) -> dict[str, str]:
        failed = {}
        for seed in self.seeds:
            outcome, reason = self.frontier.end_of(seed)
            if outcome not in ("page", "file", "list", "copy", "waiting"):
                failed[seed] = reason or _SEED_FAILURES.get(outcome, outcome)
            elif outcome == "waiting" and self._host(seed).parked:
                failed[seed] = self._host(seed).parked
        return failed
