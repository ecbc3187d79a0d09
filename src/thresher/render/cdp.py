"""The Chrome DevTools Protocol over a pair of pipes, without threads.

Messages are JSON, each followed by a NUL byte.  `call` sends one and reads until its answer is there; every event that
comes before goes to `on_event`, which may send further messages but not wait for their answers.  All reading and
writing ends at a deadline, and a browser that stops reading cannot block us: both pipes are non-blocking.
"""

from __future__ import annotations

import json
import os
import select
from collections.abc import Callable, Sequence
from typing import Any

from thresher.fetch.limits import Deadline

__all__ = ["BrowserGone", "CdpConnection", "CdpError", "TimedOut"]

_PIECE_BYTES = 1 << 20  # bytes read at a time
_MAX_MESSAGE_BYTES = 400_000_000  # bytes of a message; a page that takes more is not worth the memory

Handler = Callable[[str, str, dict[str, Any]], None]  # session, method, params


class CdpError(Exception):
    """The browser refused a call."""


class TimedOut(Exception):
    """The browser did not answer by the deadline."""


class BrowserGone(Exception):
    """The pipe ended: the browser has crashed, was killed, or sent a message beyond all bounds."""


class CdpConnection:
    """One browser at the other end of two pipes.  For one thread at a time."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._in, self._out = incoming, outgoing
        os.set_blocking(incoming, False)
        os.set_blocking(outgoing, False)
        self._pieces: list[bytes] = []  # of the message that is coming in
        self._size = 0
        self._waiting = bytearray()  # to be written
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._awaited: set[int] = set()
        self.on_event: Handler = lambda session, method, params: None

    def close(self) -> None:
        for number in (self._in, self._out):
            os.close(number)

    def send(self, method: str, params: dict[str, Any] | None = None, session: str = "") -> int:
        """Send without waiting for an answer; it will be dropped unless `call` awaits it."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._waiting += json.dumps(message).encode() + b"\0"
        return self._number

    def call(
        self, method: str, params: dict[str, Any] | None = None, session: str = "", *, deadline: Deadline
    ) -> dict[str, Any]:
        """Send, and wait for the answer.  CdpError if the browser refuses, TimedOut, BrowserGone."""
        return self.call_all([(method, params or {})], session, deadline=deadline)[-1]

    def call_all(
        self, calls: Sequence[tuple[str, dict[str, Any]]], session: str = "", *, deadline: Deadline
    ) -> list[dict[str, Any]]:
        """Send several, and wait for all answers: one journey instead of many."""
        numbers = [self.send(method, params, session) for method, params in calls]
        self._awaited.update(numbers)
        try:
            self.pump(deadline, lambda: self._answers.keys() >= set(numbers))
        finally:
            self._awaited.difference_update(numbers)
            answers = [self._answers.pop(number, None) for number in numbers]
        for (method, _), answer in zip(calls, answers, strict=True):
            if answer is None:
                raise TimedOut(f"no answer to {method}")
            if "error" in answer:
                raise CdpError(f"{method}: {answer['error'].get('message', 'refused')}")
        return [answer.get("result", {}) for answer in answers if answer is not None]

    def pump(self, deadline: Deadline, until: Callable[[], bool]) -> bool:
        """Read and write until something is so; False when the deadline came first."""
        while not until():
            left = deadline.left()
            if left <= 0:
                return False
            ready = select.poll()  # not select(), which takes no descriptors above 1023
            ready.register(self._in, select.POLLIN)
            if self._waiting:
                ready.register(self._out, select.POLLOUT)
            try:
                for number, _ in ready.poll(min(left, 3600.0) * 1000):
                    if number == self._in:
                        self._read(os.read(self._in, _PIECE_BYTES))
                    else:
                        done = os.write(self._out, self._waiting[:_PIECE_BYTES])
                        del self._waiting[:done]
            except BlockingIOError:
                continue
            except OSError as error:
                raise BrowserGone("the browser has closed its pipe") from error
        return True

    def _read(self, data: bytes) -> None:
        if not data:
            raise BrowserGone("the browser has ended")
        *ends, rest = data.split(b"\0")
        for end in ends:
            self._pieces.append(end)
            message = b"".join(self._pieces)
            self._pieces, self._size = [], 0
            self._take(message)
        if rest:
            self._pieces.append(rest)
            self._size += len(rest)
            if self._size > _MAX_MESSAGE_BYTES:
                raise BrowserGone(f"the browser sent a message of more than {_MAX_MESSAGE_BYTES:,} bytes")

    def _take(self, data: bytes) -> None:
        message = json.loads(data)
        if "id" in message:
            if message["id"] in self._awaited:
                self._answers[message["id"]] = message
        elif "method" in message:
            self.on_event(message.get("sessionId", ""), message["method"], message.get("params", {}))
