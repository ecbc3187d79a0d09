"""Redirects, retries, credentials, cookies, kept connections: what a fetch does between request and response."""

from __future__ import annotations

import threading
import time
from email.utils import formatdate

import pytest

import thresher
from tests.clock import PATIENCE
from tests.raw_server import Answer, RawServer, answer
from thresher.errors import FetchError
from thresher.fetch.gate import Gate
from thresher.fetch.limits import FetchLimits
from thresher.http.response import Headers, Response


def redirect(to: str, status: str = "302 Found", **headers: str) -> bytes:
    return answer(b"moved", status, location=to, **headers)


def sent(request: bytes) -> Headers:
    """The headers of a request."""
    lines = request.decode().split("\r\n")[1:]
    return Headers(tuple(line.split(": ", 1)) for line in lines if line)  # type: ignore[misc]


def reason_of(gate: Gate, url: str) -> str:
    with pytest.raises(FetchError) as caught:
        gate.fetch(url)
    return caught.value.reason


def test_a_page_comes_with_everything_that_is_known_about_it() -> None:
    page = answer(
        "<p>größer</p>".encode("cp1252"), content_type='Text/HTML; Charset="windows-1252"', x_one="1", X_One="2"
    )
    with RawServer(page) as server:
        got = thresher.fetch(server.url("/a b?q#part"), allow_hosts=[server.host])
        assert (got.status, got.body, got.ok) == (200, "<p>größer</p>".encode("cp1252"), True)
        assert got.url == server.url("/a%20b?q")
        assert got.requested_url == server.url("/a b?q#part")
        assert (got.content_type, got.encoding) == ("text/html", "windows-1252")
        assert got.headers["X-ONE"] == "1, 2"
        assert (got.redirects, got.from_cache, got.truncated) == ((), False, False)
        assert (got.address, got.http_version) == ("127.0.0.1", "HTTP/1.1")
        assert 0 < got.elapsed < 5
        assert server.requests[0].startswith(b"GET /a%20b?q HTTP/1.1\r\nHost: " + server.host.encode())
        assert sent(server.requests[0])["user-agent"].startswith("thresher/")


@pytest.mark.parametrize(
    ("header", "charset"),
    [
        ("text/html", None), ("text/html;charset=utf-8", "utf-8"), ("text/html; charset='koi8-r' ; x=y", "koi8-r"),
        ("text/html; charset=", None), ("", None), ("text/html; xcharset=a; charset=b", "b"), ('a/b; charset="', None),
    ],
)  # fmt: skip
def test_the_charset_is_read_as_servers_write_it(header: str, charset: str | None) -> None:
    headers = Headers([("Content-Type", header)])
    assert Response(url="", requested_url="", status=200, headers=headers, body=b"").encoding == charset


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_redirects_are_followed_and_told(status: str) -> None:
    pages = {"/": redirect("a/b", status), "/a/b": redirect("../c?ü", status), "*": answer(b"here")}
    with RawServer({**pages}) as server, Gate([server.host]) as gate:
        got = gate.fetch(server.url("/"))
        assert got.body == b"here"
        assert got.url == server.url("/c?%C3%BC")
        assert got.redirects == (server.url("/"), server.url("/a/b"))


def test_other_answers_with_a_location_and_redirects_without_one_are_answers() -> None:
    pages = {"/": answer(b"x", "201 Created", location="/y"), "/n": answer(b"x", "302 Found")}
    with RawServer({**pages}) as server, Gate([server.host]) as gate:
        assert gate.fetch(server.url("/")).status == 201
        assert gate.fetch(server.url("/n")).status == 302


def test_chains_of_redirects_end() -> None:
    with RawServer(redirect("deeper/")) as server:
        with Gate([server.host], FetchLimits(redirects=3)) as gate:
            assert reason_of(gate, server.url()) == "too_many_redirects"
        assert len(server.requests) == 4


def test_circles_of_redirects_end_in_their_second_round() -> None:
    circle: dict[str, Answer | list[Answer]] = {"/a": redirect("/b"), "/b": redirect("/a")}
    with RawServer(circle) as server:
        with Gate([server.host]) as gate:
            assert reason_of(gate, server.url("/a")) == "too_many_redirects"
        assert len(server.requests) == 4


def test_the_same_address_may_answer_the_second_time() -> None:
    with RawServer({"/": [redirect("/"), answer(b"here")]}) as server, Gate([server.host]) as gate:
        assert gate.fetch(server.url()).body == b"here"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("file:///etc/passwd", "bad_url"), ("data:text/html,x", "bad_url"), ("ftp://example.org/", "bad_url"),
        ("javascript:alert(1)", "bad_url"), ("http://127.0.0.1:1/", "blocked_address"),
        ("http://0x7f.1:1/", "blocked_address"), ("//localhost:1/", "blocked_address"),
        ("http://[::ffff:127.0.0.1]:1/", "blocked_address"), ("http://169.254.169.254/latest/", "blocked_address"),
        ("\\\\10.0.0.1\\x", "blocked_address"), ("http://[::1]:1/", "blocked_address"), ("http://", "bad_url"),
    ],
)  # fmt: skip
def test_redirects_out_of_the_allowed_are_refused(target: str, reason: str) -> None:
    with RawServer(redirect(target)) as server, Gate([server.host]) as gate:
        assert reason_of(gate, server.url()) == reason


def test_the_error_names_the_hop_that_failed() -> None:
    with RawServer(redirect("http://10.0.0.1/x")) as server, Gate([server.host]) as gate:
        with pytest.raises(FetchError, match="allow-host") as caught:
            gate.fetch(server.url())
        assert caught.value.url == "http://10.0.0.1/x"


def test_the_caller_says_where_a_fetch_may_go() -> None:
    answers = {"/": redirect("/a?b"), "/a?b": redirect("/secret"), "/secret": answer(b"never")}
    with RawServer(answers) as server, Gate([server.host]) as gate:
        asked: list[str] = []

        def may_go(url: str) -> bool:
            asked.append(url)
            return not url.endswith("/secret")

        with pytest.raises(FetchError, match="may not go") as caught:
            gate.fetch(server.url().replace("//", "//me:password@"), may_go=may_go)
        assert (caught.value.reason, caught.value.url) == ("refused", server.url("/secret"))
        assert asked == [server.url("/"), server.url("/a?b"), server.url("/secret")]
        assert len(server.requests) == 2
        with pytest.raises(FetchError, match="may not go"):
            gate.fetch(server.url("/secret"), may_go=may_go)
        assert len(server.requests) == 2
        assert gate.fetch(server.url(), may_go=lambda url: True).body == b"never"


def test_credentials_and_own_headers_stop_at_the_first_other_origin() -> None:
    with (
        RawServer(answer(b"end")) as other,
        RawServer({"/": redirect("/same"), "/same": redirect(other.url())}) as first,
    ):
        own = {"Authorization": "Bearer x", "Cookie": "a=b", "X-Key": "k", "Accept-Language": "de", "Referer": "r"}
        with Gate([first.host, other.host]) as gate:
            assert gate.fetch(first.url(), headers=own).body == b"end"
        for request in first.requests:
            assert {name: sent(request)[name] for name in own} == own
        assert {name for name in own if name in sent(other.requests[0])} == {"Accept-Language"}
        with Gate([first.host, other.host]) as gate:
            gate.fetch(first.url().replace("//", "//me:p%40ss@"))
        assert sent(first.requests[-1])["authorization"] == "Basic bWU6cEBzcw=="
        assert "authorization" not in sent(other.requests[-1])


def test_addresses_never_show_credentials() -> None:
    with RawServer({"/": redirect("/b"), "*": answer(b"x")}) as server, Gate([server.host]) as gate:
        got = gate.fetch(server.url().replace("//", "//me:secret@"))
        assert "secret" not in got.url + "".join(got.redirects)


def test_cookies_live_within_a_chain_and_an_origin() -> None:
    with RawServer(answer(b"end")) as other:
        wall = redirect("/in", set_cookie="seen=1; Path=/; HttpOnly")
        with RawServer({"/": wall, "/in": redirect(other.url())}) as first, Gate([first.host, other.host]) as gate:
            gate.fetch(first.url())
            gate.fetch(first.url())
        cookies = [sent(request).get("cookie") for request in first.requests + other.requests]
        assert cookies == [None, "seen=1", None, "seen=1", None, None]


@pytest.mark.parametrize(
    "headers", [{"A b": "c"}, {"A": "b\r\nHost: evil"}, {"Host": "x"}, {"Accept-Encoding": "br"}, {"": "x"}]
)
def test_headers_that_would_break_the_request_are_refused(headers: dict[str, str]) -> None:
    with Gate() as gate, pytest.raises(ValueError, match="header"):
        gate.fetch("http://example.org/", headers=headers)


def test_the_answers_of_servers_in_trouble_are_asked_for_again_and_those_of_others_not() -> None:
    busy = answer(b"busy", "503 Busy")
    pages = {
        "/heals": [busy, busy, answer(b"fine")],
        "/ill": busy,
        "/gone": answer(b"no", "404 Not Found"),
        "/many": answer(b"", "429 Slow"),
    }
    with RawServer({**pages}) as server, Gate([server.host], backoff=0.01) as gate:
        assert gate.fetch(server.url("/heals")).body == b"fine"
        assert gate.fetch(server.url("/ill")).status == 503
        assert gate.fetch(server.url("/gone")).status == 404
        assert gate.fetch(server.url("/many")).status == 429
        assert [request.split()[1] for request in server.requests] == [b"/heals"] * 3 + [b"/ill"] * 3 + [
            b"/gone",
            b"/many",
        ]


def test_broken_connections_are_tried_again() -> None:
    with RawServer({"/": [lambda *_: None, lambda *_: None, answer(b"fine")]}) as server:
        with Gate([server.host], backoff=0.01) as gate:
            assert gate.fetch(server.url()).body == b"fine"
        with Gate([server.host], retries=0) as gate:
            server.answers["/"] = lambda *_: None
            assert reason_of(gate, server.url()) == "disconnected"


@pytest.mark.parametrize(
    ("wait", "tries"),
    [("1", 2), ("600", 1), pytest.param(formatdate(time.time() + 9000, usegmt=True), 1, id="a date"), ("soon", 3)],
)
def test_the_wait_that_a_server_asks_for_is_kept_or_not_begun(
    wait: str, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One second is waited for; what would pass the deadline ends with the answer there is, at once."""
    answers = [answer(b"busy", "503 Busy", retry_after=wait), *[answer(b"fine")] * (tries == 2)]
    limits = FetchLimits(seconds=PATIENCE)
    with RawServer({"/": answers}) as server, Gate([server.host], limits, backoff=0.01) as gate:
        pauses: list[float] = []
        monkeypatch.setattr("thresher.fetch.gate.time.sleep", pauses.append)
        got = gate.fetch(server.url())
        monkeypatch.undo()
        assert len(server.requests) == tries
        assert (got.body == b"fine") == (tries == 2)
        assert (sum(pauses) >= 1) == (tries == 2)


def test_the_pause_before_another_try_grows_and_ends_with_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    with RawServer(answer(b"", "500 Ill")) as server:
        monkeypatch.setattr("thresher.fetch.gate.random.uniform", lambda low, high: low)
        with Gate([server.host], FetchLimits(seconds=3), backoff=1.8, retries=9) as gate:
            started = time.monotonic()
            assert gate.fetch(server.url()).status == 500
            assert time.monotonic() - started < PATIENCE  # and not 0.9 · (1 + 2 + … + 256)
        assert 2 <= len(server.requests) <= 3


def test_an_earlier_answer_is_better_than_a_later_failure() -> None:
    cut = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
    answers = [lambda s, _: s.sendall(cut), lambda *_: None]
    with RawServer({"/": answers}) as server, Gate([server.host], backoff=0.01) as gate:
        got = gate.fetch(server.url())
    assert (got.body, got.truncated) == (b"half", True)


def test_connections_are_kept_and_a_stale_one_is_no_failure() -> None:
    def closes_later(connection: object, request: bytes) -> None:
        connection.sendall(answer(b"last"))  # type: ignore[attr-defined]
        time.sleep(0.05)  # the answer says nothing of it, but the connection is closed then

    with RawServer({"*": answer(b"x"), "/last": closes_later}) as server, Gate([server.host], retries=0) as gate:
        for _ in range(3):
            gate.fetch(server.url())
        assert server.connections == 1
        gate.fetch(server.url("/last"))
        gate.fetch(server.url())
        time.sleep(0.1)
        gate.fetch(server.url())
        assert server.connections == 2


def test_redirects_on_one_host_use_one_connection() -> None:
    with RawServer({"/": redirect("/b"), "/b": answer(b"x")}) as server, Gate([server.host]) as gate:
        gate.fetch(server.url())
        assert server.connections == 1


def test_bytes_after_the_end_of_an_answer_are_not_the_next_answer() -> None:
    both = answer(b"first") + answer(b"smuggled")
    with RawServer({"/": both, "/next": answer(b"next")}) as server, Gate([server.host], retries=0) as gate:
        assert gate.fetch(server.url()).body == b"first"
        assert gate.fetch(server.url("/next")).body == b"next"
        assert server.connections == 2


def test_threads_share_a_gate() -> None:
    with RawServer(lambda s, request: s.sendall(answer(request.split()[1]))) as server, Gate([server.host]) as gate:
        seen: list[bool] = []
        threads = [
            threading.Thread(target=lambda n=n: seen.append(gate.fetch(server.url(f"/{n}")).body == b"/%d" % n))
            for n in range(30)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [True] * 30


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    with RawServer(answer(b"direct")) as server, Gate([server.host], retries=0) as gate:
        assert gate.fetch(server.url()).body == b"direct"


def test_a_step_down_from_https_is_noted() -> None:
    def chain(*urls: str) -> bool:
        response = Response(
            url=urls[-1], requested_url=urls[0], status=200, headers=Headers(), body=b"", redirects=urls[:-1]
        )
        return response.downgraded

    assert chain("https://a/", "http://a/")
    assert chain("http://a/", "https://a/", "http://a/", "https://a/")
    assert not chain("http://a/", "https://a/")
    assert not chain("http://a/")
