"""The proxy by itself: who gets through, who does not, and what is left of a request on the way."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from tests.raw_server import RawServer, answer
from thresher.fetch.addresses import Policy
from thresher.fetch.limits import Deadline
from thresher.render.proxy import Proxy


@contextmanager
def proxied(*allowed: str, seconds: float = 20.0, **wishes: object) -> Iterator[Proxy]:
    with Proxy(Policy.of(allowed), Deadline.after(seconds), **wishes) as proxy:  # type: ignore[arg-type]
        yield proxy


def talk(proxy: Proxy, request: bytes) -> bytes:
    """Everything that comes back until the proxy hangs up; nothing if it just does."""
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=10) as client:
        client.sendall(request)
        heard = b""
        try:
            while piece := client.recv(65536):
                heard += piece
        except ConnectionError:
            pass
        return heard


def get(url: str, extra: str = "") -> bytes:
    return f"GET {url} HTTP/1.1\r\nHost: whatever.example\r\n{extra}\r\n".encode()


def test_plain_requests_go_out_in_the_form_of_servers():
    def hello(connection: socket.socket, request: bytes) -> None:
        connection.sendall(answer(b"hello", connection="keep-alive", keep_alive="timeout=9"))

    with RawServer(hello) as server, proxied(server.host) as proxy:
        secret = "Proxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\nUpgrade: h2c\r\nX-Own: 1\r\n"
        heard = talk(proxy, get(server.url("/a?b=c"), secret))
        assert heard.endswith(b"\r\n\r\nhello")
        assert b"Connection: close" in heard
        assert b"keep-alive" not in heard
        (seen,) = server.requests
        assert seen.startswith(b"GET /a?b=c HTTP/1.1\r\n")
        assert f"Host: {server.host}\r\n".encode() in seen
        assert b"X-Own: 1" in seen
        assert seen.lower().count(b"host:") == 1
        assert b"proxy" not in seen.lower()
        assert b"upgrade" not in seen.lower()
        assert proxy.connections == 1
        assert proxy.bytes == len(heard)


def test_tunnels_carry_both_ways():
    def echo(connection: socket.socket, request: bytes) -> None:
        connection.sendall(b"heard " + connection.recv(100))

    with (
        RawServer(echo) as server,
        proxied(server.host) as proxy,
        socket.create_connection(("127.0.0.1", proxy.port), timeout=10) as client,
    ):
        client.sendall(f"CONNECT {server.host} HTTP/1.1\r\n\r\n".encode())
        assert client.recv(1000).startswith(b"HTTP/1.1 200 ")
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        time.sleep(0.1)
        client.sendall(b"you")
        assert client.recv(1000) == b"heard you"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"])
def test_private_addresses_are_never_reached(host):
    with RawServer(answer(b"secret")) as server, proxied() as proxy:
        url = f"http://{host}:{server.port}/"
        assert talk(proxy, get(url)) == b"", "no words of ours may pass for the page"
        assert b" 403 " in talk(proxy, f"CONNECT {host}:{server.port} HTTP/1.1\r\n\r\n".encode())
        assert server.connections == 0
        assert {one.reason for one in proxy.refused} == {"blocked_address"}
        assert "--allow-host" in proxy.refusal(url).message


def test_an_allowed_host_does_not_open_its_other_ports():
    with RawServer(answer(b"secret")) as server, proxied("127.0.0.1:1") as proxy:
        assert talk(proxy, get(server.url())) == b""
        assert server.connections == 0


def test_a_name_that_changes_its_mind_is_judged_by_where_it_leads_now():
    asked: list[str] = []

    def rebinding(host: str, port: int) -> list[tuple[int, tuple[str, int]]]:
        """Public when asked first, then this machine; and once both at a time."""
        asked.append(host)
        places = {1: ["93.184.216.34"], 2: ["127.0.0.1"], 3: ["127.0.0.1", "93.184.216.34"]}[len(asked)]
        return [(socket.AF_INET, (place, port)) for place in places]

    with RawServer(answer(b"secret")) as server, proxied(seconds=1.0, resolver=rebinding) as proxy:
        for number in (1, 2, 3):
            assert b"200" not in talk(proxy, f"CONNECT rebind.example:{server.port} HTTP/1.1\r\n\r\n".encode())
            assert len(asked) == number, "each connection looks the name up once, and judges that answer"
            proxy.deadline = Deadline.after(1.0)
        assert server.connections == 0
        assert proxy.refused[1].reason == "blocked_address"


def test_the_page_cannot_talk_to_the_proxy_through_the_proxy():
    with proxied("127.0.0.1") as proxy:
        assert talk(proxy, get(f"http://127.0.0.1:{proxy.port}/")) == b""
        assert proxy.refused[-1].reason == "blocked_address"


def test_ports_that_browsers_refuse_are_refused_here_too():
    with proxied("127.0.0.1") as proxy:
        assert b"200" not in talk(proxy, b"CONNECT 127.0.0.1:6379 HTTP/1.1\r\n\r\n")
        assert talk(proxy, get("http://127.0.0.1:22/")) == b""
        assert {one.reason for one in proxy.refused} == {"blocked_address"}


def test_offline_is_offline():
    with RawServer(answer(b"x")) as server, proxied(server.host, offline=True) as proxy:
        assert talk(proxy, get(server.url())) == b""
        assert server.connections == 0
        assert proxy.refused[-1].reason == "offline"


def test_a_page_that_loads_without_end_is_cut():
    def endless(connection: socket.socket, request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.sendall(b"x" * 65536)

    with RawServer(endless) as server, proxied(server.host, limit=500_000) as proxy:
        assert 500_000 < len(talk(proxy, get(server.url()))) < 1_000_000
        assert proxy.full
        assert talk(proxy, get(server.url())) == b""
        assert proxy.refused[-1].reason == "too_large"


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n\r\n",  # not in proxy form
        b"GET file:///etc/passwd HTTP/1.1\r\n\r\n",
        b"GET ftp://127.0.0.1/ HTTP/1.1\r\n\r\n",
        b"CONNECT nonsense HTTP/1.1\r\n\r\n",
        b"CONNECT 127.0.0.1:99999999999 HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01 tls?\r\n\r\n",
        b"GET http://a.example/ HTTP/1.1\r\nX: " + b"x" * 400_000,
    ],
    ids=lambda request: request[:20].decode("latin-1"),
)
def test_nonsense_is_turned_away(request_):
    with proxied("127.0.0.1") as proxy:
        heard = talk(proxy, request_)
        assert b"200" not in heard
        assert proxy.connections == 0


def test_a_server_that_answers_nonsense_ends_the_connection():
    with (
        RawServer(lambda connection, request: connection.sendall(b"x" * 300_000)) as server,
        proxied(server.host) as proxy,
    ):
        assert talk(proxy, get(server.url())) == b""


def test_interim_answers_are_passed_on():
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

    def hints(connection: socket.socket, request: bytes) -> None:
        connection.sendall(early)
        time.sleep(0.1)
        connection.sendall(answer(b"done"))

    with RawServer(hints) as server, proxied(server.host) as proxy:
        heard = talk(proxy, get(server.url()))
        assert heard.startswith(early)
        assert heard.endswith(b"done")


def test_closing_ends_what_is_under_way():
    def silent(connection: socket.socket, request: bytes) -> None:
        time.sleep(30)

    with RawServer(silent) as server, proxied(server.host) as proxy:
        port = proxy.port
        client = socket.create_connection(("127.0.0.1", port), timeout=10)
        client.sendall(get(server.url()))
        time.sleep(0.2)
        start = time.monotonic()
        proxy.close()
        with suppress(ConnectionError):
            assert client.recv(10) == b""
        assert time.monotonic() - start < 5
        client.close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=1)
