"""The one gate to the network: a fetch is a chain of hops, a hop is a few attempts, an attempt is one exchange.

    fetch                 follows redirects; each hop is an address parsed, judged and connected to anew
    _cached_reply         asks the cache first, then the server, with the validators of what is stored
    _reply_after_retries  tries again after 5xx answers and broken connections, with growing pauses, never after 4xx
    _reply                one request: head, then the body through its decoders

All of it runs against one deadline.  Credentials and headers of the caller's own stop at the first other origin.
"""

from __future__ import annotations

import base64
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from thresher.errors import FetchError
from thresher.fetch.addresses import Policy
from thresher.fetch.agent import USER_AGENT
from thresher.fetch.cache import CachedResponse, ResponseCache
from thresher.fetch.cookies import ChainCookies
from thresher.fetch.freshness import http_date, is_fresh, validators
from thresher.fetch.limits import Deadline, FetchLimits
from thresher.http.content_codings import accept_encoding, decode_stream, decoders_for
from thresher.http.response import Headers, Response
from thresher.http.urls import WebUrl, join, parse_url
from thresher.text.log import logger, without_query

if TYPE_CHECKING:
    from thresher.fetch.connect import Resolver
    from thresher.fetch.connections import Exchange

__all__ = ["Gate"]

_LOG = logger("thresher.fetch")

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_SAME_REQUESTS = 2  # a server may note who came and send them to the same address again, but once
_RETRIED_REASONS = frozenset({"connect", "disconnected"})  # reasons worth another attempt
_MAX_PAUSE = 30.0  # seconds between attempts, unless the server asks for more
_MAX_SKIPPED_BODY = 65_536  # bytes of a redirect's body that are read to keep its connection
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_HEADERS_FOR_OTHER_ORIGINS = frozenset({"accept", "accept-language", "user-agent"})  # may go to other origins
_HEADERS_OF_THE_GATE = frozenset(
    "host connection content-length transfer-encoding accept-encoding te upgrade expect trailer".split()
)
_CONDITIONAL_HEADERS = frozenset("if-none-match if-modified-since if-match if-unmodified-since if-range range".split())
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of one hop."""

    status: int
    headers: Headers
    body: bytes
    address: str | None
    http_version: str = ""
    truncated: bool = False
    from_cache: bool = False


class Gate:
    """Fetches pages within limits; keeps connections between fetches.  Any number of threads may share one.

    allow_hosts  `HOST` or `HOST:PORT`: private addresses that may be fetched from all the same
    limits       of each fetch
    user_agent   who we are
    cache        a folder for answers; None keeps nothing
    cache_bytes  size of that folder; the answers that were not used for longest go first
    retries      further attempts per hop, after 5xx answers and broken connections
    backoff      seconds before the first of them, doubled each time, give or take a half
    resolver     looks names up; the system's own unless given
    """

    def __init__(
        self,
        allow_hosts: Iterable[str] = (),
        limits: FetchLimits = FetchLimits(),
        user_agent: str = USER_AGENT,
        cache: str | Path | None = None,
        retries: int = 2,
        *,
        backoff: float = 0.5,
        resolver: Resolver | None = None,
        cache_bytes: int = 1 << 30,
    ) -> None:
        from thresher.fetch.connections import ConnectionPool  # needs the fetch extra

        self.policy = Policy.of(allow_hosts)
        self.limits = limits
        self.retries = retries
        self.backoff = backoff
        self._headers = _checked({"User-Agent": user_agent, "Accept": _ACCEPT})
        self._accept_encoding = accept_encoding()
        self._cache = ResponseCache(cache, cache_bytes) if cache is not None else None
        self._connections = ConnectionPool(self.policy, resolver)

    def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, may_go: Callable[[str], bool] | None = None
    ) -> Response:
        """Get a page, over redirects.  A status of 400 and above is a response; FetchError if there is none.

        `may_go` is asked about each address, the first and where redirects lead, before anybody asks for it; where it
        says no, the fetch ends with FetchError `refused` and that address.
        """
        started = time.monotonic()
        deadline = Deadline.after(self.limits.seconds)
        current = parse_url(url)
        request_headers = self._headers | _checked(headers or {})
        request_headers |= {} if "authorization" in request_headers else _credentials(current)
        cookies = ChainCookies()
        redirects: list[str] = []
        requests: Counter[tuple[str, str]] = Counter()
        while True:
            try:
                if may_go is not None and not may_go(str(current)):
                    raise FetchError(f"leads to {current}, where it may not go", "refused")
                cookie = cookies.header(current.origin)
                requests[str(current), cookie] += 1
                if requests[str(current), cookie] > _MAX_SAME_REQUESTS:
                    raise FetchError("the redirects go in a circle", "too_many_redirects")
                reply = self._cached_reply(current, _with_cookies(request_headers, cookie), deadline)
                location = reply.headers.get_all("location")[:1] if reply.status in _REDIRECTS else []
                if not location:
                    break
                if len(redirects) >= self.limits.redirects:
                    raise FetchError(f"more than {self.limits.redirects} redirects", "too_many_redirects")
                target = join(current, _location_text(location[0]))
            except FetchError as error:
                raise FetchError(str(error), error.reason, error.url or str(current)) from error
            cookies.keep(current.origin, reply.headers)
            if target.origin != current.origin:
                request_headers = {
                    name: value for name, value in request_headers.items() if name in _HEADERS_FOR_OTHER_ORIGINS
                }
            redirects.append(str(current))
            _LOG.info("%s redirects to %s (%d)", _shown(current), _shown(target), reply.status)
            current = target
        return Response(
            url=str(current),
            requested_url=url,
            status=reply.status,
            headers=reply.headers,
            body=reply.body,
            redirects=tuple(redirects),
            from_cache=reply.from_cache,
            truncated=reply.truncated,
            elapsed=time.monotonic() - started,
            address=reply.address,
            http_version=reply.http_version,
        )

    def close(self) -> None:
        """Close the connections that are kept."""
        self._connections.close()

    def __enter__(self) -> Gate:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _cached_reply(self, url: WebUrl, headers: dict[str, str], deadline: Deadline) -> Reply:
        """The answer to one address, from the cache if that may be."""
        # What depends on who asks, or on what the caller has, is between the caller and the server.
        private = not _CONDITIONAL_HEADERS.isdisjoint(headers) or "authorization" in headers or "cookie" in headers
        if self._cache is None or private:
            return self._reply_after_retries(url, headers, deadline)
        entry = self._cache.load(str(url), headers)
        if entry and not self._is_usable(entry, url):
            entry = None
        if entry and is_fresh(entry.headers, entry.stored, time.time()):
            _LOG.debug("%s: from the cache", _shown(url))
            return _from_entry(entry)
        conditions = {name.lower(): value for name, value in validators(entry.headers).items()} if entry else {}
        reply = self._reply_after_retries(url, headers | conditions, deadline)
        if entry and reply.status == 304:
            entry = entry.confirmed(reply.headers)
            self._cache.put(entry)
            return _from_entry(entry)
        if reply.status == 200 and not reply.truncated:
            self._cache.store(str(url), reply.headers, reply.body, reply.address, headers)
        return reply

    def _is_usable(self, entry: CachedResponse, url: WebUrl) -> bool:
        """Not if it is larger than this gate takes, or came from where this gate may not go."""
        permitted = entry.address is not None and self.policy.permits(entry.address, url.host, url.port)
        return permitted and len(entry.body) <= self.limits.bytes

    def _reply_after_retries(self, url: WebUrl, headers: dict[str, str], deadline: Deadline) -> Reply:
        """Attempts until one succeeds, none is left, or the next would come too late; then the best there was."""
        best: Reply | None = None
        for attempt in range(self.retries + 1):
            failure: FetchError | None = None
            try:
                reply = self._reply(url, headers, deadline)
            except FetchError as error:
                failure = error
                if error.reason not in _RETRIED_REASONS:
                    break
            else:
                if reply.status < 500 and not reply.truncated:
                    return reply
                best = reply
            pause = self._pause(attempt, None if failure else reply.headers.get("retry-after"))
            if attempt == self.retries or pause >= deadline.left():
                break
            why = failure.reason if failure else "truncated" if reply.truncated else reply.status
            _LOG.info("%s: %s, another attempt in %.1f s", _shown(url), why, pause)
            time.sleep(pause)
        if best is None:
            assert failure is not None
            raise failure
        return best

    def _pause(self, attempt: int, retry_after: str | None) -> float:
        """Seconds to wait: backoff · 2^attempt, times 0.5 … 1.5 so that many clients do not come back together."""
        pause = min(self.backoff * 2.0**attempt, _MAX_PAUSE) * random.uniform(0.5, 1.5)
        if retry_after is None:
            return pause
        if retry_after.isascii() and retry_after.isdigit():
            return max(pause, float(retry_after[:9]))
        date = http_date(retry_after)
        return max(pause, date - time.time()) if date is not None else pause

    def _reply(self, url: WebUrl, asked: dict[str, str], deadline: Deadline) -> Reply:
        deadline.check()
        _LOG.debug("GET %s", _shown(url))
        headers = [*asked.items(), ("accept-encoding", self._accept_encoding)]
        with self._connections.request(url, headers, deadline, self.limits) as exchange:
            if exchange.status in _REDIRECTS and "location" in exchange.headers:
                exchange.skip(_MAX_SKIPPED_BODY)
                return Reply(exchange.status, exchange.headers, b"", exchange.address, exchange.http_version)
            body, whole = self._body(exchange, deadline)
            truncated = exchange.truncated or not whole
            version = exchange.http_version
            _LOG.debug("%s: %d, %s, %d bytes", _shown(url), exchange.status, version, len(body))
            return Reply(exchange.status, exchange.headers, body, exchange.address, version, truncated)

    def _body(self, exchange: Exchange, deadline: Deadline) -> tuple[bytes, bool]:
        """The decoded body, and whether its encodings came to their ends."""
        length = exchange.headers.get("content-length", "")
        has_body = exchange.status not in (204, 304)
        if has_body and length.isascii() and length.isdigit() and int(length[:18]) > self.limits.bytes:
            raise FetchError(f"the page has {length[:18]} bytes, more than {self.limits.bytes:,}", "too_large")
        decoders = decoders_for(exchange.headers.get("content-encoding", ""))
        body = b"".join(decode_stream(exchange, decoders, self.limits.bytes, deadline.check))
        return body, all(decoder.whole for decoder in decoders)


def _shown(url: WebUrl) -> str:
    return without_query(str(url))


def _from_entry(entry: CachedResponse) -> Reply:
    return Reply(200, entry.headers, entry.body, entry.address, from_cache=True)


def _checked(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with names in lower case; ValueError for what no request may carry."""
    for name, value in headers.items():
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise ValueError(f"the header {name!r} has characters that no header may have")
        if name.lower() in _HEADERS_OF_THE_GATE:
            raise ValueError(f"the header {name!r} is set by the gate itself")
    return {name.lower(): value.strip() for name, value in headers.items()}


def _credentials(url: WebUrl) -> dict[str, str]:
    """`user:password@` of an address as the header that stands for it."""
    if not url.userinfo:
        return {}
    user, _, password = url.userinfo.partition(":")
    pair = unquote_to_bytes(user) + b":" + unquote_to_bytes(password)
    return {"authorization": "Basic " + base64.b64encode(pair).decode()}


def _with_cookies(headers: dict[str, str], cookies: str) -> dict[str, str]:
    if not cookies:
        return headers
    return headers | {"cookie": "; ".join(filter(None, (headers.get("cookie"), cookies)))}


def _location_text(value: str) -> str:
    """A Location header as text: bytes that are UTF-8 in practice, whatever the standard says."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
