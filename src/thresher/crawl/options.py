"""Options of a crawl, its progress, and its summary."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from thresher.crawl.scope import Reach
from thresher.crawl.traps import TrapLimits
from thresher.fetch.agent import USER_AGENT
from thresher.fetch.limits import FetchLimits

__all__ = ["CrawlOptions", "CrawlProgress", "CrawlSummary", "Ending"]

Ending = Literal["complete", "pages", "requests", "stopped", "unreachable"]


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """How far, how fast, and as whom."""

    pages: int = 100  # HTML pages that are kept
    depth: int = 5  # links from a start address
    scope: Reach = "domain"
    delay: float = 1.0  # seconds between two requests to a host
    longest_delay: float = 60.0  # of what a robots.txt may ask for
    jobs: int = 4  # hosts asked at the same time
    hosts: int = 50  # of the domain, at most
    requests: int | None = None  # at most; 10 · pages + 100 unless given
    attempts: int = 3  # for a page that gets no answer, or 5xx or 429
    pause: float = 5.0  # seconds after the first failed attempt, doubled each time
    sitemaps: bool = True  # start from sitemaps and feeds, too
    include: tuple[str, ...] = ()  # expressions: addresses found must match one of them …
    exclude: tuple[str, ...] = ()  # … and none of these
    traps: TrapLimits = field(default_factory=TrapLimits)
    user_agent: str = USER_AGENT
    allow_hosts: tuple[str, ...] = ()  # private addresses that may be fetched from
    limits: FetchLimits = field(default_factory=FetchLimits)

    @property
    def max_requests(self) -> int:
        return 10 * self.pages + 100 if self.requests is None else self.requests


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """How far a crawl is, after each answer."""

    pages: int
    wanted: int
    requests: int
    waiting: int  # addresses of this round
    errors: int
    url: str  # what was answered last


@dataclass(frozen=True, slots=True)
class CrawlSummary:
    """What a crawl has done, in all its runs."""

    folder: Path
    ended: Ending
    pages: int  # HTML pages kept
    files: int  # other things kept
    requests: int  # those for robots.txt are not counted
    waiting: int  # pages known and not fetched
    errors: dict[str, int] = field(default_factory=dict)  # by reason
    left_out: dict[str, int] = field(default_factory=dict)  # by reason; nofollow: pages whose links were not followed
    parked: dict[str, str] = field(default_factory=dict)  # hosts that were given up in this run, and why
    failed_seeds: dict[str, str] = field(default_factory=dict)  # start addresses that gave nothing, and why
    seconds: float = 0.0  # of this run
