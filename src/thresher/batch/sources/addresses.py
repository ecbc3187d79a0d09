"""Pages by their addresses: fetched through the gate, with the crawler's manners.

All addresses of a host are in one slice, so one process asks it, one page at a time, with a pause between two, and
only for what its robots.txt allows; so are the targets of redirects.  A few hosts are asked side by side.  An address
that gives no page is an error row.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime

from thresher.batch.record import PageRecord, derived_id
from thresher.batch.sources.source import PageSource
from thresher.crawl.hosts import Host
from thresher.crawl.options import CrawlOptions
from thresher.crawl.urls import canonical, host_of, origin
from thresher.errors import FetchError
from thresher.fetch.gate import Gate
from thresher.fetch.robots import RobotsRules, fetch_robots

__all__ = ["AddressSource"]

_MAX_HOSTS = 8  # asked side by side
_MAX_WAITING_PAGES = 16  # pages fetched and not yet read; then fetching waits


class AddressSource(PageSource):
    """The pages of a slice of a list, in the order in which they come."""

    def records(self) -> Iterator[PageRecord]:
        options = CrawlOptions()
        self._options = options
        self._rules: dict[str, RobotsRules] = {}
        self._pages: queue.Queue[PageRecord | None] = queue.Queue(_MAX_WAITING_PAGES)
        hosts: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for position, address in self.piece.items:
            url = canonical(address)
            if url is None:
                yield self._failed(position, address, "unreadable: this is no http(s) address")
            else:
                hosts[host_of(url)].append((position, url))
        waiting: queue.SimpleQueue[list[tuple[str, str]]] = queue.SimpleQueue()
        for items in hosts.values():
            waiting.put(items)
        allowed = self.job.allow_hosts
        with Gate(allowed, options.limits) as gate:
            threads = [
                # Daemons: a process that is told to end does not wait for a server.
                threading.Thread(target=self._fetch_hosts, args=(waiting, gate), daemon=True)
                for _ in range(min(_MAX_HOSTS, len(hosts)))
            ]
            for thread in threads:
                thread.start()
            running = len(threads)
            while running:
                page = self._pages.get()
                if page is None:
                    running -= 1
                    continue
                self.read += 1
                yield page

    def _fetch_hosts(self, waiting: queue.SimpleQueue[list[tuple[str, str]]], gate: Gate) -> None:
        """A thread: host after host, until none is left."""
        try:
            while True:
                items = waiting.get_nowait()
                host = Host(self.limits.delay, self._options.longest_delay)
                for position, url in items:
                    time.sleep(max(host.ready - time.monotonic(), 0.0))
                    self._pages.put(self._fetch_page(position, url, host, gate))
        except queue.Empty:
            pass
        finally:
            self._pages.put(None)

    def _fetch_page(self, position: str, url: str, host: Host, gate: Gate) -> PageRecord:
        if host.parked:
            return self._failed(position, url, f"fetch: {host.parked}")
        fetched_at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            answer = gate.fetch(url, may_go=lambda there: self._allows(there, gate))
        except FetchError as error:
            if error.reason == "refused":
                host.answered(origin(url))
                return self._failed(position, url, f"robots: {self._refusal(error.url or url)}")
            host.troubled(self.limits.delay)
            host.gave_up(error.reason)
            return self._failed(position, url, f"fetch: {error.reason}: {error}")
        except Exception as error:  # a bug of ours costs one row; a thread that died would cost the slice
            host.troubled(self.limits.delay)
            return self._failed(position, url, f"fetch: {type(error).__name__}: {error}")
        host.rules = self._rules
        host.answered(origin(url))
        return PageRecord(
            id=derived_id(self.piece.source, position),
            source=self.piece.source,
            position=position,
            body=answer.body,
            url=answer.url,
            date=fetched_at,
            http_status=answer.status,
            content_type=answer.headers.get("content-type"),
            warnings=("truncated: the connection ended before the page did",) if answer.truncated else (),
        )

    def _allows(self, url: str, gate: Gate) -> bool:
        there = canonical(url)
        if there is None:
            return False
        source = origin(there)
        if source not in self._rules:
            self._rules[source] = RobotsRules(fetch_robots(gate, source), self._options.user_agent)
        return self._rules[source].allows(there)

    def _refusal(self, url: str) -> str:
        """Why robots.txt keeps us from an address."""
        there = canonical(url)
        rules = self._rules.get(origin(there)) if there else None
        if rules is None or rules.file.reachable:
            return f"{url} may not be fetched by robots"
        return f"the robots.txt of {rules.file.origin} cannot be had ({rules.file.reason}: {rules.file.message})"

    def _failed(self, position: str, url: str, error: str) -> PageRecord:
        return PageRecord(derived_id(self.piece.source, position), self.piece.source, position, url=url, error=error)
