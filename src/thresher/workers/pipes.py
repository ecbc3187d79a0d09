"""Messages over pipes between our own processes: eight bytes of length, then the message."""

from __future__ import annotations

import os
import select
import struct
import time

__all__ = ["TimeUp", "is_ready", "receive", "send", "widen"]

_LENGTH = struct.Struct("<Q")
_PIPE_SIZE = 1 << 20  # what Linux allows everybody: most pages fit in one write
_MESSAGE_MAX = 1 << 31


class TimeUp(Exception):
    """No message came in time."""


def widen(descriptor: int) -> None:
    """Make a pipe hold a whole page, where the system lets us."""
    try:
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)  # Linux, Python 3.10
    except (ImportError, AttributeError, OSError):
        pass


def send(descriptor: int, *parts: bytes) -> None:
    """Write a whole message, which may be given in parts; BrokenPipeError when nobody reads."""
    data = [memoryview(part) for part in (_LENGTH.pack(sum(map(len, parts))), *parts) if part]
    while data:
        written = os.writev(descriptor, data)
        while data and written >= len(data[0]):
            written -= len(data.pop(0))
        if data:
            data[0] = data[0][written:]


def receive(descriptor: int, seconds: float | None = None) -> bytes | None:
    """The next message; None when the other side has gone; TimeUp when it takes longer than `seconds`."""
    deadline = None if seconds is None else time.monotonic() + seconds
    head = _exactly(descriptor, _LENGTH.size, deadline)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > _MESSAGE_MAX:
        return None  # the other side has lost its mind
    return _exactly(descriptor, length, deadline)


def is_ready(descriptor: int, seconds: float) -> bool:
    """Whether something comes within so many seconds."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(seconds, 0) * 1000))


def _exactly(descriptor: int, length: int, deadline: float | None) -> bytes | None:
    pieces = []
    while length:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0 or not is_ready(descriptor, left):
                raise TimeUp
        piece = os.read(descriptor, min(length, _PIPE_SIZE))
        if not piece:
            return None
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)
