"""One request, one answer: HTTP/1.1 and HTTP/2 by httpcore2, over channels, with connections kept for the next request.

A connection serves one request at a time, in HTTP/2 too: then a slow or hostile answer can hold up no other thread, and
every wait has the deadline of the fetch that waits.  An answer that ends in order returns its connection to the pool;
any other closes it.
"""

from __future__ import annotations

import re
import ssl
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property

from thresher.errors import FetchError, MissingExtra

try:
    import h2.events
    import h2.exceptions
    import httpcore2
except ImportError as missing:
    raise MissingExtra("fetching needs an HTTP engine: pip install 'thresher[fetch]'") from missing

from thresher.fetch.addresses import Policy
from thresher.fetch.channel import Channel
from thresher.fetch.connect import Resolver
from thresher.fetch.limits import Deadline, FetchLimits
from thresher.http.response import Headers
from thresher.http.urls import WebUrl

__all__ = ["ConnectionPool", "Exchange"]

_MAX_IDLE = 32  # idle connections, over all origins
_MAX_IDLE_SECONDS = 15.0  # seconds
_MAX_SKIP_PAUSE = 0.5  # seconds between the pieces of a body that nobody needs
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_BREAKS = re.compile(rb"[\r\n\0]")
Origin = tuple[str, str, int]


class HttpConnection:
    """A channel and the engine that speaks HTTP over it."""

    def __init__(self, origin: Origin, policy: Policy, resolver: Resolver | None, trust: ssl.SSLContext | None) -> None:
        self.origin = origin
        self.channel = Channel(policy, resolver)
        self.engine = httpcore2.HTTPConnection(
            httpcore2.Origin(origin[0].encode(), origin[1].encode(), origin[2]),
            ssl_context=trust,
            keepalive_expiry=_MAX_IDLE_SECONDS,
            http2=True,
            network_backend=self.channel,
        )

    def close(self) -> None:
        self.channel.close()

    def is_reusable(self) -> bool:
        """Whether the last answer ended in order, with nothing after it, and the server has not closed since."""
        engine = self.engine
        if not engine.is_idle() or engine.is_closed() or engine.has_expired() or not engine.is_available():
            return False
        # Bytes after the announced end would be read as the answer to the next request.
        parser = getattr(getattr(engine, "_connection", None), "_h11_state", None)
        return parser is None or not parser.trailing_data[0]


class Exchange:
    """An answer whose head was read: `status`, `headers`, and the raw body to iterate over, once."""

    def __init__(self, pool: ConnectionPool, connection: HttpConnection, answer: httpcore2.Response) -> None:
        self._pool, self._connection, self._answer = pool, connection, answer
        self.status = answer.status
        self.headers = Headers(_fields(answer.headers))
        self.address = connection.channel.address
        self.http_version = answer.extensions.get("http_version", b"").decode("latin-1")
        self.truncated = False
        self._whole = False

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._answer.stream  # type: ignore[misc]
            self._whole = True
        except Exception as error:
            fetch_error = _fetch_error(error, self._connection.channel.ended)
            if fetch_error is None:
                raise
            if fetch_error.reason != "disconnected":
                raise fetch_error from error
            self.truncated = True

    def skip(self, max_bytes: int) -> None:
        """Read a body that nobody needs, if it is short and comes at once, so that its connection can be used again."""
        length = self.headers.get("content-length", "")
        if length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= max_bytes:
            self._connection.channel.hurry(_MAX_SKIP_PAUSE)
            with suppress(FetchError):
                for _ in self:
                    pass

    def __enter__(self) -> Exchange:
        return self

    def __exit__(self, *_: object) -> None:
        """Give the connection back if all of the body was read, else close it."""
        if self._whole:
            self._answer.close()
            self._pool.keep(self._connection)
        else:
            self._connection.close()


class ConnectionPool:
    """Connections to the permitted part of the world.  Any number of threads may use it."""

    def __init__(self, policy: Policy, resolver: Resolver | None = None) -> None:
        self._policy, self._resolver = policy, resolver
        self._idle: deque[HttpConnection] = deque()  # the longest kept first
        self._lock = threading.Lock()
        self._open = True

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """The system's certificates, or those in SSL_CERT_FILE or SSL_CERT_DIR.  Loaded for the first https address."""
        return httpcore2.default_ssl_context()

    def request(
        self, url: WebUrl, headers: Sequence[tuple[str, str]], deadline: Deadline, limits: FetchLimits
    ) -> Exchange:
        """Send a GET request and read the head of the answer."""
        idle = self._take(url.origin)
        if idle is not None:
            try:
                return self._request_on(idle, url, headers, deadline, limits)
            except FetchError as error:
                # The server may have closed while the request was on its way: that is no failure yet.
                if error.reason not in ("disconnected", "protocol", "tls"):
                    raise
        return self._request_on(self._connection(url.origin), url, headers, deadline, limits)

    def _connection(self, origin: Origin) -> HttpConnection:
        return HttpConnection(origin, self._policy, self._resolver, self._trust if origin[0] == "https" else None)

    def _request_on(
        self,
        connection: HttpConnection,
        url: WebUrl,
        headers: Sequence[tuple[str, str]],
        deadline: Deadline,
        limits: FetchLimits,
    ) -> Exchange:
        connection.channel.begin(deadline, limits)
        # Title-Case, as nearly all clients write them in HTTP/1; the engine knows that HTTP/2 wants lower case.
        fields = [(name.title().encode(), _bytes(value)) for name, value in headers]
        request = httpcore2.Request(
            "GET",
            httpcore2.URL(scheme=url.scheme, host=url.host, port=url.port, target=url.target),
            headers=[(b"Host", url.authority.encode()), *fields],
        )
        try:
            answer = connection.engine.handle_request(request)
            exchange = Exchange(self, connection, answer)
            connection.channel.end_head()
            _check_head(exchange, limits)
            return exchange
        except BaseException as error:
            connection.close()
            fetch_error = _fetch_error(error, connection.channel.ended)
            if fetch_error is None or fetch_error is error:
                raise
            raise fetch_error from error

    def _take(self, origin: Origin) -> HttpConnection | None:
        with self._lock:
            for connection in reversed(self._idle):
                if connection.origin == origin:
                    self._idle.remove(connection)
                    break
            else:
                return None
        if connection.is_reusable():
            return connection
        connection.close()
        return self._take(origin)

    def keep(self, connection: HttpConnection) -> None:
        """Take a connection whose answer was read into the pool."""
        surplus: HttpConnection | None = connection
        if connection.is_reusable():
            with self._lock:
                if self._open:
                    self._idle.append(connection)
                    surplus = self._idle.popleft() if len(self._idle) > _MAX_IDLE else None
        if surplus is not None:
            surplus.close()

    def close(self) -> None:
        """Close what is kept; answers under way close their own connections."""
        with self._lock:
            self._open = False
            idle, self._idle = list(self._idle), deque()
        for connection in idle:
            connection.close()


def _fields(raw: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[str, str]]:
    """Header fields as text.  HTTP/2 can carry names and line breaks that would make more fields of one elsewhere."""
    for name, value in raw:
        if _NAME.fullmatch(name):
            yield name.decode(), _BREAKS.sub(b" ", value).decode("latin-1")


def _bytes(value: str) -> bytes:
    """A value as it goes out: what came from a server (an ETag) as the bytes it had."""
    try:
        return value.encode("latin-1")
    except UnicodeError:
        return value.encode()


def _check_head(exchange: Exchange, limits: FetchLimits) -> None:
    if not 200 <= exchange.status <= 999:
        raise FetchError(f"the server answered with status {exchange.status}", "protocol")
    # HTTP/2 heads are compressed on the wire: what they unfold to counts.
    if sum(len(name) + len(value) + 4 for name, value in exchange.headers.pairs) > limits.header_bytes:
        raise FetchError(f"more than {limits.header_bytes:,} bytes of headers", "headers_too_large")


def _fetch_error(error: BaseException, ended: bool) -> FetchError | None:
    """The reason behind an error of the engine; None for what is none of the server's doing."""
    if isinstance(error, FetchError):
        return error
    causes = (error, error.__cause__, *error.args)
    if any(isinstance(cause, h2.exceptions.DenialOfServiceError) for cause in causes):
        return FetchError("the headers unfold to more than the engine takes", "headers_too_large")
    if isinstance(error, httpcore2.NetworkError) or _is_reset(error):
        return FetchError("the server closed the connection before its answer was complete", "disconnected")
    # The last three are what the engine's parsers trip over in answers that nobody foresaw.
    broken = (httpcore2.ProtocolError, httpcore2.ConnectionNotAvailable, h2.exceptions.ProtocolError)
    if not isinstance(error, (*broken, ValueError, LookupError, AssertionError)):
        return None
    if ended:
        return FetchError("the server closed the connection before its answer was complete", "disconnected")
    return FetchError(f"the answer breaks the rules of HTTP: {error}", "protocol")


def _is_reset(error: BaseException) -> bool:
    """Whether an HTTP/2 server gave up on the stream or the connection."""
    return bool(error.args) and isinstance(error.args[0], (h2.events.StreamReset, h2.events.ConnectionTerminated))
