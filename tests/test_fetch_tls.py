"""https and HTTP/2: certificates are checked, and the limits hold there, too."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import pytest
import trustme

from tests.raw_server import RawServer, answer
from thresher.errors import FetchError
from thresher.fetch.gate import Gate
from thresher.fetch.limits import FetchLimits

LIMITS = FetchLimits(seconds=15, idle=10, bytes=200_000, header_bytes=20_000)
Act = Callable[[h2.connection.H2Connection, int, socket.socket], None]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """The authority, known to the program by the usual variable."""
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return authority


def context(authority: trustme.CA, *names: str, protocols: tuple[str, ...] = ()) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*(names or ("127.0.0.1",))).configure_cert(made)
    if protocols:
        made.set_alpn_protocols(list(protocols))
    return made


def speaks_http2(act: Act) -> Callable[[socket.socket, bytes], None]:
    """A server in HTTP/2 that lets `act` answer each request."""

    def handler(connection: socket.socket, request: bytes) -> None:
        state = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, validate_outbound_headers=False)
        )
        state.initiate_connection()
        connection.sendall(state.data_to_send())
        data = request
        while data:
            with suppress(h2.exceptions.ProtocolError):  # of what comes after our own end
                for event in state.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        act(state, event.stream_id, connection)
            connection.sendall(state.data_to_send())
            data = connection.recv(65536)

    return handler


def says(body: bytes, *headers: tuple[str, str], status: str = "200") -> Act:
    def act(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
        state.send_headers(stream, [(":status", status), *headers])
        for start in range(0, len(body), 16_000):
            state.send_data(stream, body[start : start + 16_000])
        state.end_stream(stream)

    return act


def reason_of(server: RawServer, **tight: float) -> str:
    started = time.monotonic()
    with Gate([server.host], replace(LIMITS, **tight), retries=0) as gate, pytest.raises(FetchError) as caught:
        gate.fetch(server.url())
    assert time.monotonic() - started < 4  # slack for loaded machines
    return caught.value.reason


def test_a_trusted_certificate_is_enough_and_connections_are_kept(trusted: trustme.CA) -> None:
    with RawServer(answer(b"safe"), tls=context(trusted)) as server, Gate([server.host]) as gate:
        for _ in range(3):
            assert gate.fetch(server.url()).body == b"safe"
        assert server.connections == 1


def test_certificates_that_prove_nothing_are_refused(
    authority: trustme.CA, trusted: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RawServer(answer(b"x"), tls=context(trusted, "other.example")) as server:
        assert reason_of(server) == "tls"
        assert server.requests == []
    monkeypatch.delenv("SSL_CERT_FILE")
    with RawServer(answer(b"x"), tls=context(authority)) as server:
        assert reason_of(server) == "tls"
        assert server.requests == []


def test_a_server_without_tls_and_one_that_hangs_in_the_handshake() -> None:
    def hello(connection: socket.socket, request: bytes) -> None:
        raise AssertionError

    with RawServer(hello) as server, Gate([server.host], replace(LIMITS, idle=0.3), retries=0) as gate:
        with pytest.raises(FetchError) as caught:
            gate.fetch(f"https://{server.host}/")
        assert caught.value.reason == "idle_timeout"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"

        def talk() -> None:
            connection, _ = listener.accept()
            connection.recv(99)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.close()

        threading.Thread(target=talk, daemon=True).start()
        with Gate([place], LIMITS, retries=0) as gate, pytest.raises(FetchError) as caught:
            gate.fetch(f"https://{place}/")
        assert caught.value.reason == "tls"


def test_http2_is_spoken_where_it_is_offered(trusted: trustme.CA) -> None:
    tls = context(trusted, protocols=("h2", "http/1.1"))
    with RawServer(
        speaks_http2(says(b"two" * 20_000, ("content-type", "text/html; charset=utf-8"))), tls=tls
    ) as server:
        with Gate([server.host], retries=0) as gate:
            for _ in range(3):
                got = gate.fetch(server.url())
                assert (got.status, got.body, got.http_version) == (200, b"two" * 20_000, "HTTP/2")
                assert got.encoding == "utf-8"
        assert server.connections == 1


def test_redirects_and_encodings_work_in_http2(trusted: trustme.CA) -> None:
    def act(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
        if stream == 1:
            says(b"moved", ("location", "/next"), ("content-length", "5"), status="301")(state, stream, connection)
        else:
            says(gzip.compress(b"here"), ("content-encoding", "gzip"))(state, stream, connection)

    with RawServer(speaks_http2(act), tls=context(trusted, protocols=("h2",))) as server, Gate([server.host]) as gate:
        got = gate.fetch(server.url())
        assert (got.body, len(got.redirects), server.connections) == (b"here", 1, 1)


def resets(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
    state.reset_stream(stream)


def goes_away(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
    state.close_connection()


def breaks_off(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_RDWR)


def says_nothing(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
    pass


def pings_for_ever(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
    while True:
        state.ping(b"12345678")
        connection.sendall(state.data_to_send())
        time.sleep(0.05)


def sends_rubbish(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
    connection.sendall(b"\0\0\1\0\0\0\0\0\0x")  # data on stream 0, which has none


def announces_much(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
    state.send_headers(stream, [(":status", "200"), ("content-length", "300000")])


def drips(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
    state.send_headers(stream, [(":status", "200")])
    while True:
        state.send_data(stream, b"x")
        connection.sendall(state.data_to_send())
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (resets, "disconnected"),
        (goes_away, "disconnected"),
        (breaks_off, "disconnected"),
        (says_nothing, "idle_timeout"),
        (pings_for_ever, "timeout"),
        (sends_rubbish, "protocol"),
        (drips, "timeout"),
        (says(b"x" * 300_000), "too_large"),
        (announces_much, "too_large"),
        (says(b"half", ("content-length", "9")), "protocol"),
        (says(b"", *[("x-many", "y" * 100)] * 250), "headers_too_large"),
        (says(b"", *[("x-bomb", "y" * 4000)] * 60), "headers_too_large"),
        (says(b"", status="banana"), "protocol"),
        (says(b"", status="101"), "protocol"),
    ],
)
def test_faults_in_http2_have_their_reasons(trusted: trustme.CA, act: Act, reason: str) -> None:
    with RawServer(speaks_http2(act), tls=context(trusted, protocols=("h2",))) as server:
        tight = {"idle_timeout": {"idle": 0.3}, "timeout": {"seconds": 0.7, "idle": 0.6}}
        assert reason_of(server, **tight.get(reason, {})) == reason


def test_a_body_that_breaks_off_in_http2_says_so(trusted: trustme.CA) -> None:
    def act(state: h2.connection.H2Connection, stream: int, connection: socket.socket) -> None:
        state.send_headers(stream, [(":status", "200")])
        state.send_data(stream, b"half")
        state.reset_stream(stream)

    tls = context(trusted, protocols=("h2",))
    with RawServer(speaks_http2(act), tls=tls) as server, Gate([server.host], LIMITS, retries=0) as gate:
        got = gate.fetch(server.url())
    assert (got.body, got.truncated) == (b"half", True)


def test_fields_of_http2_cannot_break_out_of_their_lines(trusted: trustme.CA) -> None:
    act = says(b"x", ("x-a", "1\r\nx-evil: 1"), ("bad name", "2"), ("etag", '"\r\n\x01"'))
    with RawServer(speaks_http2(act), tls=context(trusted, protocols=("h2",))) as server, Gate([server.host]) as gate:
        got = gate.fetch(server.url())
    assert dict(got.headers) == {"x-a": "1  x-evil: 1", "etag": '"  \x01"'}


def test_a_step_down_from_https_is_followed_and_noted(trusted: trustme.CA) -> None:
    with RawServer(answer(b"plain")) as plain:
        moved = answer(b"", "302 Found", location=plain.url())
        with RawServer(moved, tls=context(trusted)) as safe, Gate([plain.host, safe.host]) as gate:
            got = gate.fetch(safe.url())
    assert got.body == b"plain"
    assert got.downgraded
