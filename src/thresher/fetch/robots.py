"""robots.txt: what a site lets crawlers do.  RFC 9309, https://www.rfc-editor.org/rfc/rfc9309

    answer                            what may be fetched                          section
    2xx                               what the rules say                           2.3.1.1
    4xx, more than 5 redirects        everything: there are no rules               2.3.1.3, 2.3.1.2
    5xx, no answer                    nothing: the rules cannot be known           2.3.1.4

The first 500 KiB are read, up to the last whole line: half of `Disallow: /private` may forbid everything.  An answer is
good for 24 hours; one that could not be had is asked for again in the next run.

Rules are matched by protego: the longest pattern wins, `*` and `$` as usual, Allow before Disallow.  The group is
chosen here, as section 2.2.1 has it: the one whose product token is ours, whatever its case, else the one for `*`.
Beyond the RFC, `Crawl-delay`, `Request-rate` and `Sitemap` lines are read.
"""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from thresher.errors import FetchError, MissingExtra

if TYPE_CHECKING:
    from protego import Protego

    from thresher.http.response import Response

__all__ = ["MAX_AGE", "MAX_BYTES", "RobotsFile", "RobotsRules", "fetch_robots", "product_token"]

MAX_BYTES = 500 * 1024
MAX_AGE = 24 * 3600.0  # seconds
MAX_REDIRECTS = 5

_TOKEN = re.compile(r"[A-Za-z_-]+")
_COMPATIBLE = re.compile(r"\bcompatible;\s*([A-Za-z_-]+)", re.IGNORECASE)
_AGENT_LINE = re.compile(r"^([ \t]*user[- ]?agent[ \t]*:?[ \t]*)([^#\n]*)", re.IGNORECASE | re.MULTILINE)
_OTHER_CRAWLER = "0"  # no product token: digits are not allowed in one


class Fetcher(Protocol):
    """The part of a gate that is needed here."""

    def fetch(self, url: str) -> Response: ...


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """What came back when an origin was asked for its robots.txt."""

    origin: str  # "https://example.org"
    fetched: float  # time.time()
    status: int  # 0: no answer
    body: bytes = b""
    reason: str = ""  # why there was no answer
    message: str = ""  # the same for people

    @property
    def reachable(self) -> bool:
        """Whether the answer settles what is allowed."""
        return 200 <= self.status < 500

    def fresh(self, now: float) -> bool:
        """Whether it may still be used."""
        return self.reachable and 0 <= now - self.fetched < MAX_AGE


def fetch_robots(gate: Fetcher, origin: str) -> RobotsFile:
    """Ask an origin for its rules.  Never raises: no answer is an answer."""
    now = time.time()
    try:
        response = gate.fetch(f"{origin}/robots.txt")
    except FetchError as error:
        if error.reason == "too_many_redirects":
            return RobotsFile(origin, now, 404, b"", error.reason)
        return RobotsFile(origin, now, 0, b"", error.reason, str(error))
    if len(response.redirects) > MAX_REDIRECTS:
        return RobotsFile(origin, now, 404, b"", "too_many_redirects")
    if response.status >= 500:
        message = f"the server answered {response.status}"
        return RobotsFile(origin, now, response.status, b"", f"http_{response.status}", message)
    return RobotsFile(origin, now, response.status, _whole_lines(response.body))


class RobotsRules:
    """What a robots.txt says to one crawler."""

    def __init__(self, file: RobotsFile, agent: str) -> None:
        self.file = file
        self.token = product_token(agent)

    def allows(self, url: str) -> bool:
        """Whether a canonical address of this origin may be fetched."""
        if not self.file.reachable:
            return False
        if not 200 <= self.file.status < 300:
            return True
        return self._parsed.can_fetch(url, self.token)

    @cached_property
    def delay(self) -> float:
        """Seconds between requests the site asks for; 0 when it does not say."""
        if not 200 <= self.file.status < 300:
            return 0.0
        rate = self._parsed.request_rate(self.token)
        wanted = (self._parsed.crawl_delay(self.token) or 0.0, rate.seconds / rate.requests if rate else 0.0)
        return max((seconds for seconds in wanted if math.isfinite(seconds) and seconds > 0), default=0.0)

    @cached_property
    def sitemaps(self) -> tuple[str, ...]:
        """Addresses of sitemaps, as they stand in the file."""
        return tuple(self._parsed.sitemaps) if 200 <= self.file.status < 300 else ()

    @cached_property
    def _parsed(self) -> Protego:
        try:
            from protego import Protego
        except ImportError as missing:
            raise MissingExtra("reading robots.txt needs: pip install 'thresher[fetch]'") from missing
        text = self.file.body.decode("utf-8", "replace").removeprefix("\ufeff")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return Protego.parse(_AGENT_LINE.sub(self._agent_line, text))

    def _agent_line(self, line: re.Match[str]) -> str:
        """protego takes `User-agent: thr` for a group of thresher, and `Thresher/1.0` for none: settle it here."""
        start, name = line[1], line[2].strip()
        if name == "*":
            return line[0]
        token = _TOKEN.match(name)
        return start + (self.token if token and token[0].lower() == self.token else _OTHER_CRAWLER)


def product_token(agent: str) -> str:
    """The name by which a robots.txt calls a crawler.

    "thresher" for "Thresher/0.1 (+https://…)" and for "Mozilla/5.0 (compatible; Thresher/0.1)".
    """
    hidden = _COMPATIBLE.search(agent)
    token = _TOKEN.match(hidden[1] if hidden else agent.strip())
    return token[0].lower() if token else "*"


def _whole_lines(body: bytes) -> bytes:
    """The beginning of a file, without the line in which it was cut off."""
    if len(body) <= MAX_BYTES:
        return body
    return body[: max(body.rfind(b"\n", 0, MAX_BYTES), body.rfind(b"\r", 0, MAX_BYTES)) + 1]
