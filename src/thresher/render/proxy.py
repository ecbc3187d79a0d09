"""The browser's only way out: a proxy on loopback that applies the gate's own rules to every connection.

    Chromium --plain HTTP or CONNECT--> proxy --fetch.connect: looked up once, judged, connected, judged again--> server

Requests that never show up in the browser's own interception (redirects, frames, workers, WebSockets, prefetches,
reports) come through here all the same, because the browser has no other route and looks up no names.  An address
that was judged is the address that is connected to, so a name that changes its mind (DNS rebinding) changes nothing.

Plain requests are rewritten from proxy form (`GET http://host/path`) and go out one per connection; CONNECT makes a
tunnel (https, WebSockets).  A refused tunnel is answered 403; a refused plain request is not answered at all, so that
no words of ours can pass for the page.  `refused` remembers who was turned away and why; `bytes` counts what came in.
"""

from __future__ import annotations

import contextlib
import re
import select
import socket
import threading
from dataclasses import dataclass, field

from thresher.errors import FetchError
from thresher.fetch.addresses import Policy
from thresher.fetch.connect import Resolver, connect
from thresher.fetch.limits import Deadline
from thresher.http.urls import WebUrl, canonical_host, parse_url

__all__ = ["Proxy", "Refusal"]

_MAX_HEAD_BYTES = 256_000  # bytes of a request's head: URLs and cookies can be long
_PIECE_BYTES = 65_536
_MAX_CONNECTIONS = 256  # connections at a time; Chromium itself opens 32 to a proxy
_MAX_REFUSALS = 1_000  # refusals
_POLL_SECONDS = 0.5  # seconds between two looks at whether we are closed
_REQUEST = re.compile(rb"([A-Z]{1,20}) ([^ ]+) HTTP/1\.[01]\r\n")
# Headers that concern one connection only; Upgrade among them, for WebSockets come by CONNECT.
_HOP_BY_HOP = re.compile(
    rb"^(?:proxy-[a-z-]+|connection|keep-alive|te|trailer|upgrade|host)[ \t]*:[^\r\n]*\r\n",
    re.IGNORECASE | re.MULTILINE,
)
_PERSISTENT = re.compile(rb"^(?:connection|keep-alive|proxy-[a-z-]+)[ \t]*:[^\r\n]*\r\n", re.IGNORECASE | re.MULTILINE)
_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
_FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A connection that was not made."""

    host: str
    port: int
    reason: str
    message: str


@dataclass(slots=True, eq=False)
class Proxy:
    """Serves one page.  `with Proxy(policy, deadline) as proxy: … proxy.port …`; nothing is left open behind it."""

    policy: Policy
    deadline: Deadline
    offline: bool = False
    limit: int = 64_000_000  # bytes that may come in
    resolver: Resolver | None = None
    bytes: int = 0
    connections: int = 0  # made to servers
    refused: list[Refusal] = field(default_factory=list)
    _listener: socket.socket = field(init=False)
    _open: set[socket.socket] = field(default_factory=set, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _closed: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def full(self) -> bool:
        """Whether the page has loaded all that it may."""
        return self.bytes > self.limit

    def __enter__(self) -> Proxy:
        threading.Thread(target=self._accept, name="render proxy", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Refuse everybody from now on and cut what is under way."""
        with self._lock:
            self._closed = True
            waiting = [self._listener, *self._open]
        for one in waiting:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # wakes the threads that wait for it
        self._listener.close()

    def refusal(self, url: str) -> Refusal | None:
        """Why the host of an address was turned away, if it was."""
        with contextlib.suppress(FetchError):
            there = parse_url(url)
            return next((one for one in self.refused if (one.host, one.port) == (there.host, there.port)), None)
        return None

    def _accept(self) -> None:
        while not self._closed:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                welcome = not self._closed and len(self._open) < 2 * _MAX_CONNECTIONS
                if welcome:
                    self._open.add(client)
            if not welcome:
                client.close()
                continue
            threading.Thread(target=self._serve, args=(client,), name="render proxy", daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server: socket.socket | None = None
        try:
            client.settimeout(max(self.deadline.left(), 0.001))
            head, rest = _read_head(client)
            request = _REQUEST.match(head)
            if request is None:
                return
            method, target = request[1], request[2].decode("latin-1")
            if method == b"CONNECT":
                server = self._tunnel(client, target)
                early = b""
            else:
                url = parse_url(target)
                server = self._connect(url.host, url.port)
                early = _request_head(method, url, head[request.end() :])
            if server is None:
                return
            server.settimeout(max(self.deadline.left(), 0.001))
            server.sendall(early + rest)
            if not early or self._relay_head(server, client):
                self._relay(client, server)
        except (OSError, FetchError):
            pass  # the browser sees a connection that broke
        finally:
            for one in (client, server):
                if one is not None:
                    with self._lock:
                        self._open.discard(one)
                    one.close()

    def _tunnel(self, client: socket.socket, target: str) -> socket.socket | None:
        host, _, port = target.rpartition(":")
        fine = port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 65536
        server = self._connect(canonical_host(host), int(port)) if fine else None
        client.sendall(_FORBIDDEN if server is None else _ESTABLISHED)
        return server

    def _connect(self, host: str, port: int) -> socket.socket | None:
        """A socket to a judged address; None, and a note why, if there is none."""
        try:
            if self.offline:
                raise FetchError("no request is made for an offline page", "offline")
            if self.full:
                raise FetchError(f"the page has loaded more than {self.limit:,} bytes", "too_large")
            if port == self.port:
                raise FetchError("a page may not talk to the proxy itself", "blocked_address")
            server = connect(host, port, self.policy, self.deadline, resolver=self.resolver)
        except FetchError as error:
            with self._lock:
                if len(self.refused) < _MAX_REFUSALS:
                    self.refused.append(Refusal(host, port, error.reason, str(error)))
            return None
        with self._lock:
            self.connections += 1
            self._open.add(server)
            if self._closed:
                server.close()
        return server

    def _relay_head(self, server: socket.socket, client: socket.socket) -> bool:
        """Pass on the head of an answer, and that the connection ends with it; interim ones (1xx) as they are.  False
        if there is none."""
        while True:
            head, rest = _read_head(server)
            if not head:
                return False
            final = not re.match(rb"HTTP/1\.[01] 1\d\d", head)
            if final:
                status, _, fields = head.partition(b"\r\n")
                head = status + b"\r\nConnection: close\r\n" + _PERSISTENT.sub(b"", fields)
            client.sendall(head + rest)
            self._count(len(head) + len(rest))
            if final or rest:
                return True

    def _relay(self, client: socket.socket, server: socket.socket) -> None:
        """Carry bytes both ways until one side ends, the deadline or the budget is reached."""
        other = {client.fileno(): server, server.fileno(): client}
        ready = select.poll()
        for one in (client, server):
            ready.register(one, select.POLLIN)
        while not self._closed and self.deadline.left() > 0 and not self.full:
            for number, _ in ready.poll(_POLL_SECONDS * 1000):
                source = client if number == client.fileno() else server
                data = source.recv(_PIECE_BYTES)
                if not data:
                    return
                other[number].sendall(data)
                if source is server:
                    self._count(len(data))

    def _count(self, size: int) -> None:
        with self._lock:
            self.bytes += size


def _read_head(source: socket.socket) -> tuple[bytes, bytes]:
    """A head with its blank line, and what came with it; nothing if the other side ends or goes on for too long."""
    data = b""
    while True:
        end = data.find(b"\r\n\r\n")
        if end >= 0:
            return data[: end + 4], data[end + 4 :]
        piece = source.recv(_PIECE_BYTES) if len(data) < _MAX_HEAD_BYTES else b""
        if not piece:
            return b"", b""
        data += piece


def _request_head(method: bytes, url: WebUrl, fields: bytes) -> bytes:
    """The head of a plain request as a server wants it: the path alone, and one request per connection."""
    line = b"%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n" % (
        method,
        url.target.encode(),
        url.authority.encode(),
    )
    return line + _HOP_BY_HOP.sub(b"", fields)
