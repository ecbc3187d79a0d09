"""A socket to a judged address: the one place where connections are made.

    canonical host -> looked up once -> each address judged -> connected to a judged one -> the peer judged again

The name is never looked up a second time, so an answer that changes between the judgement and the connection (DNS
rebinding) changes nothing.  Addresses are tried a quarter of a second apart, the first to answer wins (RFC 8305 in
short): a dead IPv6 route costs 250 ms, not the whole deadline.
"""

from __future__ import annotations

import errno
import os
import queue
import selectors
import socket
import threading
import time
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

from thresher.errors import FetchError
from thresher.fetch.addresses import REFUSED_PORTS, Policy
from thresher.fetch.limits import Deadline
from thresher.http.urls import canonical_host

__all__ = ["Address", "Resolver", "connect", "system_resolver"]

Address = tuple[int, tuple[Any, ...]]  # address family, and what socket.connect takes
Resolver = Callable[[str, int], list[Address]]

_MAX_ADDRESSES = 8  # addresses tried; a hostile name server may send hundreds
_ATTEMPT_DELAY = 0.25  # seconds between attempts
_UNDER_WAY = frozenset({errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EALREADY})


def connect(
    host: str,
    port: int,
    policy: Policy,
    deadline: Deadline,
    *,
    patience: float = 10.0,
    resolver: Resolver | None = None,
) -> socket.socket:
    """A connected TCP socket to an address of `host` that `policy` permits.

    Raises FetchError: `bad_url`, `dns`, `blocked_address` (or port), `connect` (refused, unreachable, no answer within
    `patience` seconds) or `timeout` (the deadline has passed).
    """
    host = canonical_host(host)
    if port in REFUSED_PORTS:
        raise FetchError(
            f"{host} port {port}: no web server is at this port, and browsers refuse it", "blocked_address"
        )
    addresses = _look_up(host, port, deadline, resolver or system_resolver)
    permitted = [address for address in addresses if policy.permits(address[1][0], host, port)]
    if not permitted:
        raise _blocked(host, port, addresses[0][1][0])
    connected = _first_to_answer(permitted[:_MAX_ADDRESSES], host, deadline, patience)
    try:
        peer, own = connected.getpeername()[0], connected.getsockname()[0]
        # A public address of this very machine reaches services that no firewall in front of it would let through.
        if not policy.permits(peer, host, port) or (peer == own and not policy.names(host, port)):
            raise _blocked(host, port, peer)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        connected.close()
        raise FetchError(f"{host} port {port}: {_message(error)}", "connect") from error
    except BaseException:
        connected.close()
        raise
    return connected


def system_resolver(host: str, port: int) -> list[Address]:
    """The addresses that the system knows for a name, in its order of preference."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [(family, place) for family, _, _, _, place in answers if family in (socket.AF_INET, socket.AF_INET6)]


def _look_up(host: str, port: int, deadline: Deadline, resolver: Resolver) -> list[Address]:
    """The addresses of a host, looked up once, in a thread because the system's resolver knows no deadline."""
    try:
        literal = ip_address(host)
    except ValueError:
        pass
    else:
        return [(socket.AF_INET, (host, port)) if literal.version == 4 else (socket.AF_INET6, (host, port, 0, 0))]
    answer: queue.SimpleQueue[list[Address] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answer.put(resolver(host, port))
        except Exception as error:
            answer.put(error)

    # A daemon: a lookup that hangs must not keep the program from ending.
    threading.Thread(target=ask, name=f"look up {host}", daemon=True).start()
    try:
        addresses = answer.get(timeout=min(deadline.check(), threading.TIMEOUT_MAX))
    except queue.Empty:
        raise FetchError(f"the name {host} was not found within {deadline.seconds:g} seconds", "timeout") from None
    if isinstance(addresses, (OSError, UnicodeError)):  # UnicodeError: a label that the resolver cannot encode
        raise FetchError(f"the name {host} has no address: {_message(addresses)}", "dns") from addresses
    if isinstance(addresses, Exception):
        raise addresses
    if not addresses:
        raise FetchError(f"the name {host} has no address", "dns")
    return addresses


def _first_to_answer(addresses: list[Address], host: str, deadline: Deadline, patience: float) -> socket.socket:
    """Start a connection every quarter of a second, sooner when one fails; the first that stands is returned."""
    waiting = list(reversed(addresses))
    give_up = time.monotonic() + min(patience, deadline.check())
    problem = f"no answer within {patience:g} seconds"
    with selectors.DefaultSelector() as attempts:
        try:
            while waiting or attempts.get_map():
                if waiting:
                    problem = _start(waiting.pop(), attempts) or problem
                pause = min(_ATTEMPT_DELAY if waiting else patience, give_up - time.monotonic())
                if pause <= 0:
                    deadline.check()
                    break
                for key, _ in attempts.select(pause) if attempts.get_map() else ():
                    candidate = attempts.unregister(key.fileobj).fileobj
                    assert isinstance(candidate, socket.socket)
                    failure = candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                    if not failure:
                        return candidate
                    problem = os.strerror(failure).lower()
                    candidate.close()
        finally:
            for key in list(attempts.get_map().values()):
                attempts.unregister(key.fileobj)
                key.fileobj.close()  # type: ignore[union-attr]
    raise FetchError(f"{host} port {addresses[0][1][1]}: {problem}", "connect")


def _start(address: Address, attempts: selectors.BaseSelector) -> str | None:
    """Begin to connect; the problem, if it fails at once."""
    family, place = address
    try:
        candidate = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:  # a system without IPv6
        return _message(error)
    candidate.setblocking(False)
    try:
        failure = candidate.connect_ex(place)
    except OSError as error:
        candidate.close()
        return _message(error)
    if failure and failure not in _UNDER_WAY:
        candidate.close()
        return os.strerror(failure).lower()
    attempts.register(candidate, selectors.EVENT_WRITE)
    return None


def _blocked(host: str, port: int, address: str) -> FetchError:
    shown = host if host == address else f"{host} ({address})"
    named = f"[{host}]" if ":" in host else host
    return FetchError(
        f"{shown} is not a public address; to fetch from it all the same: --allow-host {named}:{port}, "
        f"in Python allow_hosts=[{f'{named}:{port}'!r}]",
        "blocked_address",
    )


def _message(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
