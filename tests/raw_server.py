"""Servers for tests, down at the socket: they can answer anything, also what no HTTP library would send."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

__all__ = ["Answer", "RawServer", "answer"]

Answer = bytes | Callable[[socket.socket, bytes], None]


def answer(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """An ordinary answer; underscores in header names stand for hyphens, None leaves a header out."""
    fields = {"content_length": str(len(body)), **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value is not None]
    return f"HTTP/1.1 {status}\r\n{''.join(line + chr(13) + chr(10) for line in lines)}\r\n".encode() + body


class RawServer:
    """Answers each request with bytes, or with what a function of socket and request sends.

    Paths choose the answer, `*` is for all others; a list gives its answers one after the other, the last one for ever.
    """

    def __init__(self, answers: Answer | dict[str, Answer | list[Answer]], tls: ssl.SSLContext | None = None) -> None:
        self.answers = answers if isinstance(answers, dict) else {"*": answers}
        self.requests: list[bytes] = []
        self.connections = 0
        self._tls = tls
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"{'https' if self._tls else 'http'}://{self.host}{path}"

    def __enter__(self) -> RawServer:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in (self._listener, *list(self._open)):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits on it
        # Each thread closes its own connection: the number of one closed here could be that of another server's before
        # its thread has written what it is about to.
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        self._open.add(connection)
        with suppress(OSError, StopIteration):
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
                self._open.add(connection)
            while request := self._request(connection):
                self.requests.append(request)
                self._answer(connection, request)
        connection.close()

    def _request(self, connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return b""
            data += more
        return data

    def _answer(self, connection: socket.socket, request: bytes) -> None:
        path = request.split(b" ", 2)[1].decode()
        chosen = self.answers.get(path, self.answers.get("*"))
        if isinstance(chosen, list):
            chosen = chosen.pop(0) if len(chosen) > 1 else chosen[0]
        if callable(chosen):
            chosen(connection, request)
            raise StopIteration  # what it has not sent, nobody will
        assert chosen is not None, path
        connection.sendall(chosen)
        if b"content-length:" not in chosen.lower() and b"chunked" not in chosen.lower():
            raise StopIteration
