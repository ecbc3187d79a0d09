"""How long, how much: the limits of one fetch, and the clock that it runs against.

    seconds       one deadline over everything: name lookup, connecting, redirects, retries, the body
    idle          the longest silence of a server within it
    bytes         of the body, after every layer of decoding and before each of them
    header_bytes  of the status line and headers, interim (1xx) responses included
    redirects     hops after the first request

A server that sends a byte now and then never reaches `idle`, but it reaches `seconds`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from thresher.errors import FetchError

__all__ = ["Deadline", "FetchLimits"]


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """The limits of one fetch; each ends with a reason of its own."""

    seconds: float = 30.0  # reason: timeout
    idle: float = 10.0  # reason: idle_timeout
    bytes: int = 64_000_000  # reason: too_large
    header_bytes: int = 64_000  # reason: headers_too_large
    redirects: int = 10  # reason: too_many_redirects

    def __post_init__(self) -> None:
        for name in ("seconds", "idle", "bytes", "header_bytes"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)!r}")
        if self.redirects < 0:
            raise ValueError(f"redirects must be 0 or more, not {self.redirects!r}")


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the monotonic clock after which a fetch must be over."""

    end: float
    seconds: float  # what was granted, for messages

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(time.monotonic() + seconds, seconds)

    def left(self) -> float:
        """Seconds left; negative when it has passed."""
        return self.end - time.monotonic()

    def check(self) -> float:
        """Seconds left, always above 0: raises once there are none."""
        left = self.left()
        if left <= 0:
            raise FetchError(
                f"not done within {self.seconds:g} seconds; allow more with --timeout or FetchLimits(seconds=…)",
                "timeout",
            )
        return left
