"""Clients that send nothing, or slowly, or too often: they are ended, and everybody else is served."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPResponse
from urllib.parse import urlsplit

import pytest

pytest.importorskip("fastapi")

from tests.clock import PATIENCE
from tests.web_app import client, serving
from thresher.web.attempts import LoginAttempts

SECRET = "a token of sixteen characters"
WHOLE = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Client:
    """A connection that sends what it is told to."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.socket = socket.create_connection((parts.hostname, parts.port), PATIENCE)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *about: object) -> None:
        self.socket.close()

    def ask(self, data: bytes) -> int:
        """The status of the answer."""
        self.socket.sendall(data)
        return self.answer()

    def answer(self) -> int:
        answer = HTTPResponse(self.socket)
        answer.begin()
        answer.read()
        return answer.status

    def is_ended(self, seconds: float = PATIENCE) -> bool:
        """Whether the server ends it within so many seconds."""
        self.socket.settimeout(seconds)
        try:
            while self.socket.recv(65_536):
                pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True


@pytest.fixture(scope="module")
def hasty() -> Iterator[str]:
    with serving(head_seconds=1.0, connections=50) as address:
        yield address


@pytest.mark.parametrize("sent", [b"", b"GET / HTT", WHOLE[:-2], WHOLE[:-2] + b"X-A: " + b"a" * 1000])
def test_a_head_that_does_not_come_ends_the_connection(hasty: str, sent: bytes) -> None:
    with Client(hasty) as slow:
        slow.socket.sendall(sent)
        assert slow.is_ended()


def test_a_byte_now_and_then_is_no_request(hasty: str) -> None:
    with Client(hasty) as slow:
        until = time.monotonic() + PATIENCE
        with suppress(ConnectionError):
            while time.monotonic() < until:
                slow.socket.sendall(b"a")
                time.sleep(0.1)
        assert time.monotonic() < until


def test_a_second_request_has_to_come_as_fast(hasty: str) -> None:
    with Client(hasty) as slow:
        assert slow.ask(WHOLE) == 200
        slow.socket.sendall(WHOLE[:-2])
        assert slow.is_ended()


def test_a_body_that_nobody_reads_is_not_waited_for(hasty: str) -> None:
    with Client(hasty) as slow:
        owing = b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc"
        assert slow.ask(owing) == 200
        assert slow.is_ended()


def test_hundreds_of_half_sent_requests_keep_nobody_out(hasty: str) -> None:
    slow = [Client(hasty) for _ in range(400)]  # of which the server takes 50
    try:
        for one in slow:
            with suppress(ConnectionError):  # it made room already
                one.socket.sendall(WHOLE[:-2])
        with Client(hasty) as quick:
            assert quick.ask(WHOLE) == 200
        assert all(one.is_ended() for one in slow)
    finally:
        for one in slow:
            one.socket.close()


def test_of_hundreds_that_come_at_once_only_so_many_stay() -> None:
    with serving(head_seconds=PATIENCE * 10, connections=50) as address:
        parts = urlsplit(address)
        sockets = [socket.socket() for _ in range(300)]
        for one in sockets:
            one.setblocking(False)
            one.connect_ex((parts.hostname, parts.port))
        ended = select.poll()
        for one in sockets:
            ended.register(one, select.POLLIN | select.POLLHUP)
        until = time.monotonic() + PATIENCE
        while len(ended.poll(0)) < 250 and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        assert len(ended.poll(0)) == 250
        with Client(address) as late:
            assert late.ask(WHOLE) == 200
        for one in sockets:
            one.close()


def test_a_slow_body_is_answered_and_ended() -> None:
    with serving(head_seconds=1.0, body_seconds=1.0) as address, Client(address) as slow:
        half = b"POST /extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n<p>"
        assert slow.ask(half) == 408
        assert slow.is_ended()


def test_who_waits_longest_makes_room_and_requests_are_not_disturbed() -> None:
    busy = b"POST /extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>"
    with ExitStack() as stack:
        patient = {"head_seconds": PATIENCE * 10, "body_seconds": PATIENCE * 10}
        address = stack.enter_context(serving(connections=4, **patient))
        first, second, *others = (stack.enter_context(Client(address)) for _ in range(4))
        for one in (first, second, *others):  # in this order
            assert one.ask(WHOLE) == 200
        first.socket.sendall(busy)
        time.sleep(0.5)
        others.append(stack.enter_context(Client(address)))
        assert second.is_ended()  # it has waited longest, as the first has a request
        assert others[-1].ask(WHOLE) == 200
        for one in others:
            one.socket.sendall(busy)
        time.sleep(0.5)
        refused = stack.enter_context(Client(address))
        assert refused.answer() == 503
        assert refused.is_ended()
        assert first.ask(b"grains") == 200


# Guessing the token


def test_wrong_tokens_take_longer_and_longer() -> None:
    now = 1000.0
    attempts = LoginAttempts(lambda: now)
    waits = []
    for _ in range(14):
        waits.append(attempts.wait("192.0.2.1"))
        now += waits[-1]
        assert attempts.wait("192.0.2.1") == 0
        attempts.wrong("192.0.2.1")
    assert waits == [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert attempts.wait("198.51.100.1") == 0  # others are let in
    attempts.right("192.0.2.1")
    assert attempts.wait("192.0.2.1") == 0
    now += 3600
    assert attempts.wait("192.0.2.1") == 0


def test_many_addresses_are_slowed_down_together() -> None:
    now = 0.0
    attempts = LoginAttempts(lambda: now)
    for number in range(100):
        attempts.wrong(f"192.0.2.{number}")
    assert attempts.wait("198.51.100.1") == 5
    for number in range(30_000):
        attempts.wrong(f"10.{number >> 8}.{number & 255}.1")
    assert len(attempts._counts) <= 10_000
    neighbours = LoginAttempts(lambda: now)
    for number in range(6):
        neighbours.wrong(f"2001:db8::{number:x}")
    assert neighbours.wait("2001:db8::ffff") > 0


def test_the_form_refuses_even_the_right_token_after_many_wrong_ones() -> None:
    with client(token=SECRET) as app:
        codes = [app.post("/login", data={"token": f"wrong {number}"}).status_code for number in range(8)]
        assert codes == [401] * 5 + [429] * 3
        answer = app.post("/login", data={"token": SECRET})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "attempts")
        assert int(answer.headers["retry-after"]) >= 1
        assert app.get("/metrics", headers={"Authorization": f"Bearer {SECRET}"}).status_code == 200
