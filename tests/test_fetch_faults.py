"""Servers that err or attack: each fault ends in time, with a reason of its own."""

from __future__ import annotations

import gzip
import itertools
import socket
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clock import PATIENCE, at_most
from tests.raw_server import RawServer, answer
from thresher.errors import FetchError
from thresher.fetch.gate import Gate
from thresher.fetch.limits import FetchLimits
from thresher.http.response import Response

LIMITS = FetchLimits(seconds=15, idle=10, bytes=200_000, header_bytes=20_000)
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
GZIPPED = OK + b"Content-Encoding: gzip\r\n\r\n"
BOMB = gzip.compress(bytes(10_000_000))
Handler = Callable[[socket.socket, bytes], None]


def sends(*parts: bytes, then_wait: bool = False) -> Handler:
    def handler(connection: socket.socket, request: bytes) -> None:
        for part in parts:
            connection.sendall(part)
        if then_wait:
            connection.recv(1)

    return handler


def drips(parts: list[bytes], more: bytes, pause: float = 0.05) -> Handler:
    """Sends the parts, and then the same again and again."""

    def handler(connection: socket.socket, request: bytes) -> None:
        for part in itertools.chain(parts, itertools.repeat(more)):
            connection.sendall(part)
            time.sleep(pause)

    return handler


def floods(start: bytes, more: bytes) -> Handler:
    return drips([start], more, 0)


def fetched(handler: Handler | bytes, limits: FetchLimits = LIMITS, retries: int = 0) -> Response:
    with RawServer(handler) as server, Gate([server.host], limits, retries=retries, backoff=0.01) as gate:
        started = time.monotonic()
        try:
            return gate.fetch(server.url())
        finally:
            assert time.monotonic() - started < limits.seconds + PATIENCE  # and not for ever


FAULTS = {
    "closes without a word": (sends(), "disconnected"),
    "closes within the head": (sends(OK + b"Content-Ty"), "disconnected"),
    "says nothing": (sends(then_wait=True), "idle_timeout"),
    "stops within the head": (sends(OK + b"A: b\r\n", then_wait=True), "idle_timeout"),
    "stops within the body": (sends(OK + b"Content-Length: 10\r\n\r\nabc", then_wait=True), "idle_timeout"),
    "drips its head": (drips([bytes([byte]) for byte in OK + b"A: "], b"x"), "timeout"),
    "drips its body": (drips([OK + b"\r\n"], b"x"), "timeout"),
    "drips chunks": (drips([CHUNKED], b"1\r\nx\r\n"), "timeout"),
    "drips interim responses": (drips([], b"HTTP/1.1 103 Hints\r\n\r\n"), "timeout"),
    "floods with interim responses": (floods(b"", b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\n" * 99), "headers_too_large"),
    "floods with headers": (floods(OK, b"A: b\r\n" * 99), "headers_too_large"),
    "one endless header": (floods(OK + b"A: ", b"x" * 1000), "headers_too_large"),
    "an endless status line": (floods(b"HTTP/1.1 200 ", b"x" * 1000), "headers_too_large"),
    "endless blank lines": (floods(b"", b"\r\n" * 1000), "headers_too_large"),
    "an endless body": (floods(OK + b"\r\n", b"x" * 10_000), "too_large"),
    "endless chunks": (floods(CHUNKED, b"400\r\n" + b"x" * 1024 + b"\r\n"), "too_large"),
    "a length above the limit": (sends(OK + b"Content-Length: 200001\r\n\r\n", then_wait=True), "too_large"),
    "a length beyond all numbers": (sends(OK + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n"), "protocol"),
    "a zip bomb": (answer(BOMB, content_encoding="gzip"), "too_large"),
    "a bomb in a bomb": (answer(gzip.compress(BOMB), content_encoding="gzip, gzip"), "too_large"),
    "a false encoding": (answer(b"plain text", content_encoding="gzip"), "bad_encoding"),
    "too many encodings": (answer(b"x", content_encoding=", ".join(["gzip"] * 9)), "bad_encoding"),
    "junk, then silence": (sends(b"SSH-2.0-OpenSSH_9.2\r\n", then_wait=True), "protocol"),
    "HTTP/0.9": (sends(b"<html>hello</html>"), "protocol"),
    "another protocol's status": (sends(b"ICY 200 OK\r\n\r\nx"), "protocol"),
    "a status of four digits": (sends(b"HTTP/1.1 2000 OK\r\n\r\nx"), "protocol"),
    "a status that is no number": (sends(b"HTTP/1.1 abc OK\r\n\r\nx"), "protocol"),
    "a protocol nobody asked for": (sends(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", then_wait=True), "protocol"),
    "two lengths": (sends(OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nx"), "protocol"),
    "a length that is no number": (sends(OK + b"Content-Length: -5\r\n\r\nx"), "protocol"),
    "a chunk size that is no number": (sends(CHUNKED + b"zz\r\nx", then_wait=True), "protocol"),
    "endless trailers": (floods(CHUNKED + b"0\r\n", b"A: b\r\n" * 1000), "protocol"),
    "a drip of empty gzip blocks": (drips([GZIPPED + gzip.compress(b"")[:10]], b"\0\0\0\xff\xff"), "timeout"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_has_its_reason(fault: str) -> None:
    """Only the limit that is meant to end a fault is a tight one."""
    handler, reason = FAULTS[fault]
    tight: dict[str, dict[str, float]] = {"idle_timeout": {"idle": 0.3}, "timeout": {"seconds": 0.7, "idle": 0.6}}
    with pytest.raises(FetchError) as caught:
        fetched(handler, replace(LIMITS, **tight.get(reason, {})))
    assert caught.value.reason == reason
    assert caught.value.url is not None


CUT = {
    "a length that promises more": OK + b"Content-Length: 100\r\n\r\nhalf",
    "chunks without an end": CHUNKED + b"4\r\nhalf\r\n",
    "a chunk without its end": CHUNKED + b"ff\r\nhalf",
}


@pytest.mark.parametrize("fault", CUT)
def test_a_body_that_was_cut_off_comes_and_says_so(fault: str) -> None:
    got = fetched(sends(CUT[fault]))
    assert (got.body, got.truncated) == (b"half", True)
    packed = gzip.compress(b"half and more" * 999)
    got = fetched(sends(GZIPPED + packed[:-12]))
    assert got.truncated
    assert got.body.startswith(b"half and more")


ODD = {
    "no reason phrase": b"HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nbody",
    "blank lines first": b"\r\n\r\n" + OK + b"\r\nbody",
    "bare line feeds": b"HTTP/1.0 200 OK\nContent-Length: 4\n\nbody",
    "lines that are no headers": OK + b"nonsense\r\nBad Name: x\r\n: y\r\nX-Good : 1\r\nContent-Length: 4\r\n\r\nbody",
    "a folded nonsense line": OK + b"nonsense\r\n goes on\r\nX-Good: 1\r\n\tand on\r\n\r\nbody",
    "an empty length": OK + b"Content-Length:\r\n\r\nbody",
    "the identity as transfer encoding": OK + b"Transfer-Encoding: identity\r\n\r\nbody",
    "one length twice": OK + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody",
    "interim responses": b"HTTP/1.1 103 Hints\r\nLink: x\r\nnonsense\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    + OK
    + b"\r\nbody",
    "more than it announced": OK + b"Content-Length: 4\r\n\r\nbody and more",
    "chunk extensions and trailers": OK + b"Transfer-Encoding: chunked\r\n\r\n4;a=b\r\nbody\r\n0\r\nT: x\r\n\r\n",
    "headers in Latin-1": OK + b"X-Caf\xe9: 1\r\nX-A: caf\xe9\r\n\r\nbody",
    "a status of its own": b"HTTP/1.1 299 Fine\r\n\r\nbody",
    "an unknown encoding": OK + b"Content-Encoding: utf-8\r\n\r\nbody",
}


@pytest.mark.parametrize("oddity", ODD)
@pytest.mark.parametrize("piece", [1, 10_000])
def test_what_browsers_put_up_with_is_no_fault(oddity: str, piece: int) -> None:
    whole = ODD[oddity]
    parts = [whole[start : start + piece] for start in range(0, len(whole), piece)]
    got = fetched(sends(*parts))
    assert (got.body, got.truncated) == (b"body", False)


def test_an_early_error_is_read_although_the_server_closed() -> None:
    got = fetched(sends(b"HTTP/1.1 400 Bad\r\n\r\nwhy"))
    assert (got.status, got.body, got.ok) == (400, b"why", False)


def test_limits_are_exact() -> None:
    assert fetched(answer(b"x" * 200_000)).body == b"x" * 200_000
    assert fetched(answer(gzip.compress(b"x" * 200_000), content_encoding="gzip")).body == b"x" * 200_000
    head = len(answer(b"", x=""))
    assert fetched(answer(b"", x="y" * (20_000 - head))).status == 200
    with pytest.raises(FetchError, match="20,000 bytes of headers"):
        fetched(answer(b"", x="y" * (20_001 - head)))


def test_a_redirect_with_an_endless_body_is_followed_all_the_same() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n"
    with (
        RawServer({"/": floods(moved, b"x" * 1000), "/b": answer(b"here")}) as server,
        Gate([server.host], LIMITS) as gate,
    ):
        assert gate.fetch(server.url()).body == b"here"


def test_the_deadline_is_for_the_whole_chain() -> None:
    def slow(connection: socket.socket, request: bytes) -> None:
        time.sleep(0.2)
        connection.sendall(answer(b"", "302 Found", location="deeper/"))

    with pytest.raises(FetchError) as caught:
        fetched(slow, FetchLimits(seconds=0.7, idle=0.5, redirects=100))
    assert caught.value.reason == "timeout"


PIECES = [
    *(
        OK,
        b"HTTP/1.1 ",
        b"302 Found\r\n",
        b"Location: /",
        b"\r\n",
        b"\n",
        b"\r",
        b":",
        b" ",
        b"\0",
        b"\xff",
        b"5",
        b"0",
    ),
    *(b"Content-Length: ", b"Transfer-Encoding: ", b"chunked", b"Content-Encoding: gzip", b"Set-Cookie: a=b"),
    *(gzip.compress(b"x" * 99), b"1\r\nx\r\n0\r\n\r\n"),
]
REASONS = {"protocol", "disconnected", "bad_encoding", "too_many_redirects", "bad_url", "too_large"}


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=14))
@settings(max_examples=150, deadline=None)
def test_whatever_a_server_sends_there_is_a_response_or_a_reason(parts: list[bytes]) -> None:
    start = OK if len(parts) % 2 else b""
    try:
        outcome: int | str = fetched(sends(start, *parts), FetchLimits(seconds=2, redirects=2)).status
    except FetchError as error:
        outcome = error.reason
    assert outcome in REASONS or outcome in range(200, 1000)


def test_a_redirect_whose_body_does_not_come_costs_little_time() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 9\r\n\r\n"
    with RawServer({"/": sends(moved, then_wait=True), "/b": answer(b"here")}) as server:
        limits = FetchLimits(seconds=9 * PATIENCE, idle=3 * PATIENCE)
        started = time.monotonic()
        with Gate([server.host], limits) as gate:
            assert gate.fetch(server.url()).body == b"here"
        assert time.monotonic() - started < PATIENCE


def test_many_small_headers_cost_little_time() -> None:
    many = b"".join(b"%x:\r\n" % number for number in range(9000))
    with at_most(1):
        got = fetched(sends(OK + many + b"\r\n"), FetchLimits(header_bytes=100_000))
        assert len(dict(got.headers)) == 9000
