"""The state of a crawl: every address it knows, what became of it, and how much of each file is good.  SQLite.

    found   --next_round-->   queued   --settle-->   done

Breadth first, and the same pages in the same order whatever the network does: a round holds the first found addresses
of the least depth, ordered by the page they were found on and their place on it, at most as many as pages are still
wanted.  The next round is made when this one is settled.  So of hosts that are fetched side by side the faster one gets
no more than its share, and of addresses found twice the first place counts, whichever page came back sooner.

Everything that belongs to one page (its outcome, the addresses found on it, the sizes of the files that hold it) is one
transaction.  The files are written before it.  A crawl that is killed in between finds files that are longer than the
state says: it cuts them there, finds the address still queued, and fetches it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from thresher.crawl.state import State
from thresher.crawl.traps import shape
from thresher.crawl.urls import host_of, key
from thresher.fetch.robots import RobotsFile

__all__ = ["DiscoveredUrl", "Frontier", "Kind", "Outcome", "Task"]

Kind = Literal["page", "list"]  # a list is a sitemap or a feed
Outcome = Literal["page", "file", "list", "redirect", "copy", "noindex", "robots", "outside", "trap", "error"]

_MAX_URLS = 2_000_000  # addresses; more are no site but a trap
_URLS = """
    CREATE TABLE IF NOT EXISTS urls (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,               -- what the page is known by
        url TEXT NOT NULL,                      -- what is asked for
        kind TEXT NOT NULL,                     -- page, list
        depth INTEGER NOT NULL,                 -- links from a start address
        parent INTEGER NOT NULL,                -- rank of the page it was found on
        place INTEGER NOT NULL,                 -- and the place there
        hops INTEGER NOT NULL DEFAULT 0,        -- redirects that led here
        rank INTEGER UNIQUE,                    -- the order of fetching, once queued
        state TEXT NOT NULL DEFAULT 'found',    -- found, queued, done
        attempts INTEGER NOT NULL DEFAULT 0,    -- requests made for it
        outcome TEXT,                           -- once done; see Outcome
        reason TEXT NOT NULL DEFAULT '',        -- http_404, timeout, repeating_path, …
        copy_of TEXT,                           -- key of the page that this one names as its original
        itself INTEGER NOT NULL DEFAULT 0       -- 1: that original could not be had
    )
"""
_INDEXES = (
    "CREATE INDEX IF NOT EXISTS by_turn ON urls (depth, parent, place, key) WHERE state = 'found'",
    "CREATE INDEX IF NOT EXISTS by_rank ON urls (rank) WHERE state = 'queued'",
    "CREATE INDEX IF NOT EXISTS by_outcome ON urls (outcome) WHERE outcome IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS by_original ON urls (copy_of) WHERE copy_of IS NOT NULL",
)


@dataclass(frozen=True, slots=True)
class DiscoveredUrl:
    """An address to be added, with its place in the order of fetching."""

    url: str
    depth: int
    kind: Kind = "page"
    parent: int = 0
    place: int = 0
    hops: int = 0
    trap: str = ""  # why it is not to be fetched


@dataclass(frozen=True, slots=True)
class Task:
    """An address whose turn has come."""

    rank: int
    url: str
    kind: Kind
    depth: int
    hops: int
    attempts: int
    itself: bool  # is to be kept even if it names another page as its original
    referrer: str | None

    @property
    def key(self) -> str:
        return key(self.url)


class Frontier(State):
    """The addresses of one crawl."""

    schema = (*State.schema, _URLS, *_INDEXES)

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        super().__init__(path, identity)
        self._size = self.number("SELECT count(*) FROM urls")
        ranked = self.rows("SELECT url, kind FROM urls WHERE rank IS NOT NULL")
        self._hosts = {host_of(url) for url, _ in ranked}
        self._shapes = Counter(shape(url) for url, kind in ranked if kind == "page")

    # What is to be fetched

    def add(self, urls: Iterable[DiscoveredUrl]) -> None:
        """Add addresses nobody has met yet."""
        with self.transaction():
            self._add(urls)

    def queued(self) -> list[Task]:
        """What is left of the round, in order."""
        rows = self.rows(
            "SELECT u.rank, u.url, u.kind, u.depth, u.hops, u.attempts, u.itself, p.url FROM urls u "
            "LEFT JOIN urls p ON p.rank = u.parent WHERE u.state = 'queued' ORDER BY u.rank"
        )
        return [Task(*row) for row in rows]

    def next_round(
        self, pages: int, lists: int, depth: int, variants: int, hosts: int, without: Collection[str] = ()
    ) -> list[Task]:
        """Queue the next addresses: so many pages and lists at most, down to a depth, none on the hosts `without`.

        Of addresses of one shape only the first `variants` are taken, and only the first so many `hosts`.
        """
        with self.transaction():
            for (level,) in self.rows(
                "SELECT DISTINCT depth FROM urls WHERE state = 'found' AND depth <= ? ORDER BY depth", depth
            ):
                chosen, traps = self._choose(level, pages, lists, variants, hosts, without)
                first = 1 + self.number("SELECT coalesce(max(rank), 0) FROM urls")
                self._connection.executemany(
                    "UPDATE urls SET state = 'done', outcome = 'trap', reason = ? WHERE id = ?", traps
                )
                self._connection.executemany(
                    "UPDATE urls SET state = 'queued', rank = ? WHERE id = ?", enumerate(chosen, first)
                )
                if chosen:
                    break
        return self.queued()

    def _choose(
        self, depth: int, pages: int, lists: int, variants: int, hosts: int, without: Collection[str]
    ) -> tuple[list[int], list[tuple[str, int]]]:
        """Ids of the next addresses of one depth, and of those before them that are traps, with the reason."""
        chosen: list[int] = []
        traps: list[tuple[str, int]] = []
        for number, url, kind, itself in self._connection.execute(
            "SELECT id, url, kind, itself FROM urls WHERE state = 'found' AND depth = ? ORDER BY parent, place, key",
            (depth,),
        ):
            if pages <= 0 and lists <= 0:
                break
            host, form = host_of(url), shape(url)
            if host in without or (lists if kind == "list" else pages) <= 0:
                continue
            if host not in self._hosts and len(self._hosts) >= hosts:
                traps.append(("too_many_hosts", number))
            elif kind == "page" and form and not itself and self._shapes[form] >= variants:
                traps.append(("too_many_variants", number))
            else:
                chosen.append(number)
                self._hosts.add(host)
                pages, lists = (pages, lists - 1) if kind == "list" else (pages - 1, lists)
                self._shapes[form] += kind == "page" and not itself
        return chosen, traps

    # What became of it

    def settle(
        self,
        task: Task,
        outcome: Outcome,
        reason: str = "",
        urls: Iterable[DiscoveredUrl] = (),
        copy_of: str | None = None,
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """Write down what became of an address, what was found there, and how long the files are now.  All or none."""
        with self.transaction():
            self._connection.execute(
                "UPDATE urls SET state = 'done', outcome = ?, reason = ?, copy_of = ?, attempts = attempts + ? "
                "WHERE key = ?",
                (outcome, reason, copy_of, outcome != "robots", task.key),
            )
            self._add(urls)
            if outcome not in ("page", "file"):
                # Pages that named this one as their original are on their own now.
                self._connection.execute(
                    "UPDATE urls SET state = 'found', rank = NULL, outcome = NULL, copy_of = NULL, itself = 1 "
                    "WHERE copy_of = ? AND outcome = 'copy'",
                    (task.key,),
                )
            self.set_sizes(sizes or {})

    def failed(self, task: Task) -> Task:
        """Count a failed attempt; the address stays queued."""
        with self.transaction():
            self._connection.execute("UPDATE urls SET attempts = attempts + 1 WHERE key = ?", (task.key,))
        return replace(task, attempts=task.attempts + 1)

    def keep_robots(self, file: RobotsFile, urls: Iterable[DiscoveredUrl] = ()) -> None:
        """Keep the rules of an origin, and the lists they name."""
        with self.transaction():
            self.set_robots(file)
            self._add(urls)

    def outcome(self, url: str) -> str | None:
        """What became of an address: an outcome, "waiting", or None if nobody has met it."""
        rows = self.rows("SELECT coalesce(outcome, 'waiting') FROM urls WHERE key = ?", key(url))
        return rows[0][0] if rows else None

    def end_of(self, url: str) -> tuple[str, str]:
        """Outcome and reason of an address, or of the one that its redirects lead to; "waiting" if it has none yet."""
        outcome, reason, passed = "waiting", "", set()
        while key(url) not in passed:
            passed.add(key(url))
            rows = self.rows("SELECT coalesce(outcome, 'waiting'), reason FROM urls WHERE key = ?", key(url))
            outcome, reason = rows[0] if rows else ("waiting", "")
            if outcome == "redirect":
                url = reason
        return outcome, reason

    def is_original(self, task: Task) -> bool:
        """Whether other pages named this one as their original."""
        return bool(self.rows("SELECT 1 FROM urls WHERE copy_of = ? LIMIT 1", task.key))

    # Figures

    def count(self, outcome: Outcome) -> int:
        return self.number("SELECT count(*) FROM urls WHERE outcome = ?", outcome)

    def lists(self) -> int:
        """Sitemaps and feeds that were or are being read."""
        return self.number("SELECT count(*) FROM urls WHERE kind = 'list' AND rank IS NOT NULL")

    def requests(self) -> int:
        """Requests made for addresses, in all runs; those for robots.txt are not among them."""
        return self.number("SELECT coalesce(sum(attempts), 0) FROM urls")

    def reasons(self) -> dict[tuple[str, str], int]:
        """Number of settled addresses by outcome and reason."""
        rows = self.rows(
            "SELECT outcome, reason, count(*) FROM urls WHERE outcome IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2"
        )
        return {(outcome, reason): count for outcome, reason, count in rows}

    def waiting(self, depth: int) -> int:
        """Pages that are known and not fetched, down to a depth."""
        return self.number("SELECT count(*) FROM urls WHERE state != 'done' AND kind = 'page' AND depth <= ?", depth)

    def left_out(self) -> Iterator[dict[str, Any]]:
        """Addresses that gave no record of their own, and why."""
        for url, outcome, reason, copy_of, referrer in self._connection.execute(
            "SELECT u.url, u.outcome, u.reason, u.copy_of, p.url FROM urls u LEFT JOIN urls p ON p.rank = u.parent "
            "WHERE u.outcome NOT IN ('page', 'file', 'list') AND u.reason NOT GLOB 'http_*' ORDER BY u.id"
        ):
            line = {"url": url, "outcome": outcome, "reason": reason or None, "original": copy_of, "referrer": referrer}
            yield {name: value for name, value in line.items() if value is not None}

    def _add(self, urls: Iterable[DiscoveredUrl]) -> None:
        for url in urls:
            if self._size >= _MAX_URLS:
                return
            state, outcome = ("done", "trap") if url.trap else ("found", None)
            # Of an address found twice, before its turn came, the first place counts.
            cursor = self._connection.execute(
                "INSERT INTO urls (key, url, kind, depth, parent, place, hops, state, outcome, reason) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET url = excluded.url, "
                "depth = excluded.depth, parent = excluded.parent, place = excluded.place, hops = excluded.hops "
                "WHERE state = 'found' AND (excluded.depth, excluded.parent, excluded.place) < (depth, parent, place)",
                (key(url.url), url.url, url.kind, url.depth, url.parent, url.place, url.hops, state, outcome, url.trap),
            )
            self._size += cursor.rowcount > 0
