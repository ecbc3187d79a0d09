"""One connection's socket as the HTTP engine sees it: judged when it opens, and bounded in all it does.

httpcore2 (the engine under httpx2) asks a network backend for connections and reads and writes through the stream it
gets.  A Channel is both.  Every wait ends by the deadline of the fetch under way and by its idle time, whatever the
engine would have waited, and the bytes before the body are counted: header lines and interim responses without end
stop at `header_bytes`.
"""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore2

from thresher.errors import FetchError
from thresher.fetch import head
from thresher.fetch.addresses import Policy
from thresher.fetch.connect import Resolver, connect
from thresher.fetch.limits import Deadline, FetchLimits

__all__ = ["Channel"]

_MAX_WAIT = 86_400.0  # seconds; sockets take no infinite timeouts
_PIECE_BYTES = 65_536  # bytes read at a time


class Channel(httpcore2.NetworkBackend, httpcore2.NetworkStream):
    """The socket of one connection.  `begin` starts an exchange, `end_head` says that its head was read, `hurry` that
    its body is not worth much time."""

    def __init__(self, policy: Policy, resolver: Resolver | None) -> None:
        self._policy = policy
        self._resolver = resolver
        self._socket: socket.socket | None = None
        self._deadline = Deadline.after(0)
        self._limits = FetchLimits()
        self._idle = 0.0  # seconds that the server may be silent
        self._head_left: int | None = None  # header bytes that may still come; None while the body is read
        self._buffer = b""  # of the head
        self.address: str | None = None
        self.ended = False  # the server has closed its side

    def begin(self, deadline: Deadline, limits: FetchLimits) -> None:
        self._deadline, self._limits, self._idle = deadline, limits, limits.idle
        self._head_left, self._buffer, self.ended = limits.header_bytes, b"", False

    def end_head(self) -> None:
        self._head_left = None

    def hurry(self, idle: float) -> None:
        self._idle = min(self._idle, idle)

    # What the engine calls.

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        self._socket = connect(host, port, self._policy, self._deadline, patience=self._idle, resolver=self._resolver)
        self.address = self._socket.getpeername()[0]
        return self

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        plain = self._ready("the TLS handshake")
        try:
            self._socket = ssl_context.wrap_socket(plain, server_hostname=server_hostname)
        except TimeoutError:
            self.close()
            raise self._silent() from None
        except ssl.SSLCertVerificationError as error:
            self.close()
            raise FetchError(f"the certificate is not trusted: {error.verify_message}", "tls") from error
        except ssl.SSLError as error:
            self.close()
            raise FetchError(f"no TLS connection: {error.reason or error}", "tls") from error
        except (OSError, ValueError) as error:  # ValueError: a name that no certificate can have
            self.close()
            raise FetchError(f"no TLS connection: {error}", "tls") from error
        return self

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._head_left is None:
            return self._receive(max_bytes)
        if self._is_http2():
            return self._receive_head(max_bytes)
        return self._read_head()

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        view = memoryview(buffer)
        while view:
            try:
                view = view[self._ready("the request").send(view) :]
            except TimeoutError:
                raise self._silent() from None
            except OSError as error:
                # The engine reads on after this one: a server may answer before it has read all, and close.
                raise httpcore2.WriteError(str(error)) from error

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def get_extra_info(self, info: str) -> Any:
        if info == "ssl_object":
            return self._socket if isinstance(self._socket, ssl.SSLSocket) else None
        if info == "is_readable":  # of a connection that should be silent: it was closed, or is out of step
            return self._socket is None or self._socket.fileno() < 0 or _is_readable(self._socket)
        return None

    # How it reads.

    def _read_head(self) -> bytes:
        """The next head of an HTTP/1 response, repaired, with what came of the body."""
        seen = 0
        while True:
            self._buffer = self._buffer.lstrip(b"\r\n")
            if not b"HTTP/".startswith(self._buffer[:5]):
                raise FetchError(f"the answer is not HTTP, it starts with {bytes(self._buffer[:20])!r}", "protocol")
            parts = head.split(self._buffer, seen)
            if parts:
                break
            seen = len(self._buffer)
            data = self._receive_head(_PIECE_BYTES)
            if not data:
                return b""
            self._buffer += data
        first, rest = parts
        if head.is_interim(first):
            self._buffer = rest
            return head.repaired(first)
        self._buffer = b""
        self._head_left = None
        return head.repaired(first) + rest

    def _receive_head(self, max_bytes: int) -> bytes:
        assert self._head_left is not None
        if self._head_left <= 0:
            raise FetchError(f"more than {self._limits.header_bytes:,} bytes of headers", "headers_too_large")
        data = self._receive(min(max_bytes, self._head_left))
        self._head_left -= len(data)
        return data

    def _receive(self, max_bytes: int) -> bytes:
        try:
            data = self._ready("the answer").recv(max_bytes)
        except TimeoutError:
            raise self._silent() from None
        except ssl.SSLError as error:
            raise FetchError(f"the TLS connection broke: {error.reason or error}", "tls") from error
        except OSError as error:
            self.ended = True
            raise FetchError(f"the server broke the connection: {error.strerror or error}", "disconnected") from error
        self.ended = not data
        return data

    def _ready(self, purpose: str) -> socket.socket:
        """The socket, with the time it may take for its next step."""
        if self._socket is None:
            raise FetchError(f"there is no connection for {purpose}", "disconnected")
        self._socket.settimeout(min(self._idle, self._deadline.check(), _MAX_WAIT))
        return self._socket

    def _silent(self) -> FetchError:
        self._deadline.check()
        return FetchError(f"the server was silent for {self._idle:g} seconds", "idle_timeout")

    def _is_http2(self) -> bool:
        return isinstance(self._socket, ssl.SSLSocket) and self._socket.selected_alpn_protocol() == "h2"


def _is_readable(sock: socket.socket) -> bool:
    if isinstance(sock, ssl.SSLSocket) and sock.pending():
        return True
    if hasattr(select, "poll"):  # select() fails on descriptors above 1,023
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return bool(poll.poll(0))
    return bool(select.select([sock], [], [], 0)[0])
