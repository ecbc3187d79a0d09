"""The server's connections: how many, and for how long without a request.

uvicorn waits for the head of a request for ever, and for whatever else a client owes it once it has been answered.
Here a connection that has no whole head of a request after `head_seconds` is ended, a new one as well as one that is
kept for the next request, and so is one that takes nothing of its answer for as long; bodies have their own clock
(security.py).  When there are too many, the one that has waited
longest for a request makes room; when all have requests, the new one is refused.
"""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from thresher.web.settings import ServerSettings

__all__ = ["server_config"]

_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n"
    b"Content-Security-Policy: default-src 'none'\r\n\r\n"
)


def server_config(app: FastAPI, settings: ServerSettings, **options: Any) -> uvicorn.Config:
    """How uvicorn runs the application."""

    class Limited(_Connection):
        head_seconds, most = settings.head_seconds, settings.connections

    keep_alive = max(int(settings.head_seconds), 1)  # one clock
    return uvicorn.Config(
        app,
        http=Limited,
        timeout_keep_alive=keep_alive,
        log_level="warning",
        server_header=False,
        ws="none",
        **options,
    )


class _Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """uvicorn's, of whichever parser it found, with a clock and a count."""

    head_seconds: float
    most: int

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.waiting_since: float | None = None  # for the head of a request; None while there is one
        self._timer: asyncio.TimerHandle | None = None
        self._unsent = 0  # bytes of an answer, when the clock last struck

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self.most:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._has_request():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._has_request():
            self._wait()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._timer is None:
            self._timer = self.loop.call_later(self.head_seconds, self._time_is_up)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._has_request():
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _has_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self) -> None:
        self._stop_waiting()
        self.waiting_since = self.loop.time()
        self._timer = self.loop.call_later(self.head_seconds, self._time_is_up)

    def _stop_waiting(self) -> None:
        self.waiting_since = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_up(self) -> None:
        """End it, unless it is still taking an answer."""
        unsent = self.transport.get_write_buffer_size()
        if unsent and unsent != self._unsent:
            self._unsent = unsent
            self._timer = self.loop.call_later(self.head_seconds, self._time_is_up)
        else:
            self.transport.abort()

    def _make_room(self) -> None:
        alive = [one for one in self.connections if not one.transport.is_closing()]
        waiting = [one for one in alive if one is not self and one.waiting_since is not None]
        if len(alive) <= self.most:  # those that were ended are gone in a moment
            return
        if waiting:
            min(waiting, key=lambda one: one.waiting_since).transport.abort()
        else:
            self.transport.write(_BUSY)
            self.transport.close()
