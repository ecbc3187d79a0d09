"""Names are looked up once, and the address that was judged is the address that is connected to."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from tests.clock import PATIENCE
from tests.raw_server import RawServer, answer
from thresher.errors import FetchError
from thresher.fetch.addresses import Policy
from thresher.fetch.connect import Address, connect
from thresher.fetch.gate import Gate
from thresher.fetch.limits import Deadline, FetchLimits


class Names:
    """A name server that gives its answers one after the other, and counts."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, host: str, port: int) -> list[Address]:
        self.asked.append((host, port))
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [
            (socket.AF_INET6, (text, port, 0, 0)) if ":" in text else (socket.AF_INET, (text, port))
            for text in addresses
        ]


def reason(host: str, port: int, names: Names | None = None, seconds: float = 2.0, **options: object) -> str:
    with pytest.raises(FetchError) as caught:
        connect(host, port, Policy(), Deadline.after(seconds), resolver=names, **options)  # type: ignore[arg-type]
    return caught.value.reason


def test_a_name_that_changes_its_mind_is_asked_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: public for the judge, private for the connection.  There is one lookup for both."""
    names = Names(["8.8.8.8"], ["127.0.0.1"])
    tried: list[list[Address]] = []
    monkeypatch.setattr("thresher.fetch.connect._first_to_answer", lambda found, *_: tried.append(found) or refuse())

    def refuse() -> socket.socket:
        raise FetchError("closed", "connect")

    assert reason("rebind.example", 80, names) == "connect"
    assert names.asked == [("rebind.example", 80)]
    assert tried == [[(socket.AF_INET, ("8.8.8.8", 80))]]


def test_private_addresses_of_a_name_are_left_out_and_all_of_them_refused() -> None:
    assert reason("inside.example", 80, Names(["10.0.0.1", "::1", "fe80::1", "169.254.169.254"])) == "blocked_address"


def test_the_connected_socket_is_judged_and_not_only_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the system connect elsewhere than asked, the peer tells."""
    with RawServer(answer(b"x")) as server:
        elsewhere = socket.create_connection(("127.0.0.1", server.port))
        monkeypatch.setattr("thresher.fetch.connect._first_to_answer", lambda *_: elsewhere)
        assert reason("public.example", server.port, Names(["8.8.8.8"])) == "blocked_address"
        assert elsewhere.fileno() == -1


def test_each_connection_is_judged_anew_by_the_gate() -> None:
    """The first answer for the name is a host we may talk to, the second is not: the second fetch fails."""
    with RawServer(answer(b"hello", connection="close")) as server:
        names = Names(["127.0.0.1"])
        with Gate([f"inside.example:{server.port}"], resolver=names, retries=0) as gate:
            assert gate.fetch(f"http://inside.example:{server.port}/").body == b"hello"
            assert gate.fetch(f"http://inside.example:{server.port}/").body == b"hello"
            with pytest.raises(FetchError) as caught:
                gate.fetch(f"http://outside.example:{server.port}/")
        assert caught.value.reason == "blocked_address"
        assert [host for host, _ in names.asked] == ["inside.example", "inside.example", "outside.example"]


@pytest.mark.parametrize("port", [22, 25, 6379, 6667, 10080, 11211])
def test_ports_that_browsers_refuse_are_refused_before_the_name_is_looked_up(port: int) -> None:
    names = Names(["8.8.8.8"])
    assert reason("mail.example", port, names) == "blocked_address"
    assert names.asked == []
    with Gate(["127.0.0.1", f"127.0.0.1:{port}"], retries=0) as gate, pytest.raises(FetchError) as caught:
        gate.fetch(f"http://127.0.0.1:{port}/")  # not even on a host that was allowed
    assert caught.value.reason == "blocked_address"
    assert f"port {port}" in str(caught.value)


def test_a_redirect_to_such_a_port_is_refused() -> None:
    away = answer(b"", "302 Found", location="http://127.0.0.1:25/")
    with RawServer(away) as server, Gate([server.host], retries=0) as gate, pytest.raises(FetchError) as caught:
        gate.fetch(server.url())
    assert (caught.value.reason, caught.value.url) == ("blocked_address", "http://127.0.0.1:25/")


def test_a_lookup_ends_with_the_deadline() -> None:
    over = threading.Event()

    def hangs(host: str, port: int) -> list[Address]:
        over.wait(2 * PATIENCE)
        return []

    started = time.monotonic()
    assert reason("slow.example", 80, hangs, seconds=0.2) == "timeout"  # type: ignore[arg-type]
    assert time.monotonic() - started < PATIENCE
    over.set()


def test_names_without_addresses_and_closed_ports_have_their_reasons() -> None:
    def unknown(host: str, port: int) -> list[Address]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    assert reason("nowhere.example", 80, unknown) == "dns"  # type: ignore[arg-type]
    assert reason("empty.example", 80, Names([])) == "dns"
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(FetchError) as caught:
        connect("127.0.0.1", port, Policy.of(["127.0.0.1"]), Deadline.after(2))
    assert caught.value.reason == "connect"
    assert "refused" in str(caught.value)


def test_a_dead_address_does_not_hold_up_the_next_one() -> None:
    """198.18.0.1 (benchmarking) leads nowhere here, or fails at once; either way the second address answers."""
    with RawServer(answer(b"x")) as server:
        policy = Policy.of(["two.example"])
        started = time.monotonic()
        names = Names(["198.18.0.1", "::1", "127.0.0.1"])
        late = Deadline.after(3 * PATIENCE)
        found = connect("two.example", server.port, policy, late, resolver=names, patience=2 * PATIENCE)
        with found:
            assert found.getpeername()[0] == "127.0.0.1"
        assert time.monotonic() - started < PATIENCE


def test_a_server_that_never_accepts_is_given_up() -> None:
    """A full backlog: the kernel drops further connections without a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        place = listener.getsockname()
        waiting = [socket.socket() for _ in range(3)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(place)
        policy = Policy.of(["127.0.0.1"])
        for seconds, patience, expected in ((2 * PATIENCE, 0.2, "connect"), (0.2, 2 * PATIENCE, "timeout")):
            started = time.monotonic()
            with pytest.raises(FetchError) as caught:
                connect("127.0.0.1", place[1], policy, Deadline.after(seconds), patience=patience)
            assert caught.value.reason == expected
            assert time.monotonic() - started < PATIENCE
        for one in waiting:
            one.close()


def test_spellings_are_resolved_by_connect_itself() -> None:
    """What a proxy is handed by a browser needs no cleaning before."""
    for spelling in ("0x7f.1", "2130706433", "127.0.0.1.", "[::ffff:127.0.0.1]", "１２７.１"):
        assert reason(spelling, 80) == "blocked_address"
    assert reason("a b", 80) == "bad_url"


def test_limits_must_make_sense() -> None:
    for name in ("seconds", "idle", "bytes", "header_bytes"):
        with pytest.raises(ValueError, match=name):
            FetchLimits(**{name: 0})
    with pytest.raises(ValueError, match="redirects"):
        FetchLimits(redirects=-1)
