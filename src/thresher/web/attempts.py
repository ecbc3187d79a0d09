"""Guessing the server's token takes time: after a few wrong ones, each further one has to wait twice as long.

Counted for every address, and for all together, since addresses can be had by the thousand.  Together the wait is
short: an attacker must not keep everybody else out.  While an address has to wait, the right token is refused as
well, or waiting would cost a guesser nothing.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["LoginAttempts"]

_FREE, _MAX_WAIT = 5, 60.0  # wrong tokens of an address before it has to wait, and seconds that it waits at most
_FREE_TOGETHER, _MAX_WAIT_TOGETHER = 20, 5.0
_FORGOTTEN_SECONDS = 600.0  # after the last wrong one
_MAX_ADDRESSES = 10_000
_EVERYBODY = "everybody"


@dataclass(slots=True)
class _Count:
    wrong: int = 0
    last: float = 0.0


class LoginAttempts:
    """Wrong tokens, by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counts: dict[str, _Count] = {}

    def wait(self, address: str) -> float:
        """Seconds until an address may try again; 0 when it may."""
        return max(
            self._wait(_network(address), _FREE, _MAX_WAIT), self._wait(_EVERYBODY, _FREE_TOGETHER, _MAX_WAIT_TOGETHER)
        )

    def wrong(self, address: str) -> None:
        """That was not the token."""
        for key in (_network(address), _EVERYBODY):
            count = self._counts.pop(key, None) or _Count()  # the latest come last
            count.wrong, count.last = count.wrong + 1, self._clock()
            self._counts[key] = count
        while len(self._counts) > _MAX_ADDRESSES:
            del self._counts[next(iter(self._counts))]

    def right(self, address: str) -> None:
        """That was the token: whoever is there may mistype it again."""
        self._counts.pop(_network(address), None)

    def _wait(self, key: str, free: int, longest: float) -> float:
        count = self._counts.get(key)
        if count is None or count.wrong < free:
            return 0.0
        passed = self._clock() - count.last
        if passed > _FORGOTTEN_SECONDS:
            del self._counts[key]
            return 0.0
        return max(min(2.0 ** min(count.wrong - free, 30), longest) - passed, 0.0)


def _network(address: str) -> str:
    """Who an address belongs to: of IPv6 everybody has 2^64."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)
