"""Answers on disk: used when their headers allow it, confirmed when the server says so, damaged ones ignored."""

from __future__ import annotations

import os
import threading
import time
from email.utils import formatdate
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.raw_server import RawServer, answer
from thresher.errors import FetchError
from thresher.fetch.cache import ResponseCache
from thresher.fetch.freshness import is_fresh, is_storable, lifetime
from thresher.fetch.gate import Gate
from thresher.fetch.limits import FetchLimits
from thresher.http.response import Headers


def headers(**fields: str) -> Headers:
    return Headers((name.replace("_", "-"), value) for name, value in fields.items())


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({}, 0),
        ({"cache_control": "max-age=60"}, 60),
        ({"cache_control": 'private, MAX-AGE="60", x=y'}, 60),
        ({"cache_control": "max-age=-5"}, 0),
        ({"cache_control": "max-age=60, no-cache"}, 0),
        ({"cache_control": "s-maxage=60"}, 0),
        ({"pragma": "no-cache", "expires": formatdate(2e9), "date": formatdate(1e9)}, 0),
        ({"expires": formatdate(1e9 + 90), "date": formatdate(1e9)}, 90),
        ({"expires": formatdate(1e9 + 90), "date": formatdate(1e9), "cache_control": "max-age=5"}, 5),
        ({"expires": "0", "date": formatdate(1e9)}, 0),
        ({"expires": formatdate(1e9), "date": formatdate(2e9)}, 0),
    ],
)
def test_how_long_an_answer_is_good_for(fields: dict[str, str], seconds: float) -> None:
    assert lifetime(headers(**fields)) == seconds


def test_age_counts_from_the_origin_and_clocks_may_be_set_back() -> None:
    minute = headers(cache_control="max-age=60", age="50")
    assert is_fresh(minute, stored=1000, now=1009)
    assert not is_fresh(minute, stored=1000, now=1010)
    assert not is_fresh(minute, stored=1000, now=999)


def test_what_is_kept_at_all() -> None:
    assert is_storable(200, headers(etag='"a"'))
    assert is_storable(200, headers(cache_control="max-age=1"))
    assert not is_storable(200, headers())
    assert not is_storable(404, headers(etag='"a"'))
    assert not is_storable(200, headers(etag='"a"', cache_control="no-store"))
    assert not is_storable(200, headers(etag='"a"', vary="*"))


def test_a_fresh_answer_costs_no_request(tmp_path: Path) -> None:
    page = answer(b"kept", cache_control="max-age=60", content_type="text/html; charset=koi8-r", set_cookie="a=b")
    with RawServer(page) as server:
        for number in range(3):
            with Gate([server.host], cache=tmp_path) as gate:
                got = gate.fetch(server.url())
            assert (got.body, got.encoding, got.from_cache) == (b"kept", "koi8-r", number > 0)
            assert ("set-cookie" in got.headers) == (number == 0)
        assert len(server.requests) == 1


def test_a_stale_answer_is_confirmed_with_its_validators(tmp_path: Path) -> None:
    date = formatdate(1e9, usegmt=True)
    page = answer(b"kept", etag='"v1"', last_modified=date, x_old="1")
    same = (
        b'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\nX-New: 1\r\nCache-Control: max-age=60\r\nContent-Length: 0\r\n\r\n'
    )
    with RawServer({"/": [page, same]}) as server, Gate([server.host], cache=tmp_path) as gate:
        assert not gate.fetch(server.url()).from_cache
        again = gate.fetch(server.url())
        assert (again.status, again.body, again.from_cache) == (200, b"kept", True)
        assert (again.headers["x-new"], again.headers["x-old"]) == ("1", "1")
        assert b'If-None-Match: "v1"\r\n' in server.requests[1]
        assert f"If-Modified-Since: {date}\r\n".encode() in server.requests[1]
        assert gate.fetch(server.url()).from_cache  # the 304 made it fresh for a minute
        assert len(server.requests) == 2


def test_odd_validators_go_back_as_they_came_or_not_at_all(tmp_path: Path) -> None:
    page = b'HTTP/1.1 200 OK\r\nETag: "caf\xe9"\r\nContent-Length: 1\r\n\r\nx'
    with (
        RawServer({"/": page, "/1": answer(b"x", etag='"\x01"')}) as server,
        Gate([server.host], cache=tmp_path) as gate,
    ):
        for path in ("/", "/1"):
            assert [gate.fetch(server.url(path)).status for _ in range(2)] == [200, 200]
        assert b'If-None-Match: "caf\xe9"\r\n' in server.requests[1]
        assert b"If-None-Match" not in server.requests[3]


def test_a_new_answer_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    answers = [
        answer(b"old", etag='"1"'),
        answer(b"new", etag='"2"'),
        answer(b"secret", cache_control="no-store"),
        answer(b"last"),
    ]
    with RawServer({"/": answers}) as server, Gate([server.host], cache=tmp_path) as gate:
        assert [gate.fetch(server.url()).body for _ in range(4)] == [b"old", b"new", b"secret", b"last"]
        assert b'"1"' in server.requests[1]
        assert b'"2"' in server.requests[2]
        assert b"If-None-Match" not in server.requests[3]


def test_answers_vary_with_the_headers_they_say(tmp_path: Path) -> None:
    page = answer(b"x", cache_control="max-age=60", vary="Accept-Language, Accept-Encoding")
    with RawServer(page) as server, Gate([server.host], cache=tmp_path) as gate:
        fetched = [
            gate.fetch(server.url(), headers={"Accept-Language": tongue}).from_cache
            for tongue in ("de", "de", "fr", "fr")
        ]
    assert fetched == [False, True, False, True]


def test_what_belongs_to_one_caller_is_neither_kept_nor_given_away(tmp_path: Path) -> None:
    page = answer(b"mine", cache_control="max-age=60")
    with RawServer(page) as server, Gate([server.host], cache=tmp_path) as gate:
        for own in ({"Authorization": "x"}, {"Cookie": "a=b"}, {"If-None-Match": '"x"'}, {"Range": "bytes=0-1"}):
            assert not gate.fetch(server.url(), headers=own).from_cache
        assert not gate.fetch(server.url()).from_cache
        assert not gate.fetch(server.url(), headers={"Cookie": "a=b"}).from_cache


def test_a_condition_of_the_caller_is_answered_to_the_caller(tmp_path: Path) -> None:
    with RawServer(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\n\r\n") as server, Gate([server.host]) as gate:
        assert gate.fetch(server.url(), headers={"If-None-Match": '"x"'}).status == 304


def test_errors_and_cut_answers_are_not_kept(tmp_path: Path) -> None:
    cut = b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 9\r\n\r\nhalf"
    pages = {"/404": answer(b"no", "404 Not Found", cache_control="max-age=60"), "/cut": lambda s, _: s.sendall(cut)}
    with RawServer({**pages}) as server, Gate([server.host], cache=tmp_path, retries=0) as gate:
        for path in ("/404", "/cut"):
            assert not any(gate.fetch(server.url(path)).from_cache for _ in range(2))


def test_the_cache_is_no_way_around_the_rules(tmp_path: Path) -> None:
    with RawServer(answer(b"x" * 1000, cache_control="max-age=60")) as server:
        with Gate([server.host], cache=tmp_path) as gate:
            gate.fetch(server.url())
        with Gate(cache=tmp_path) as gate, pytest.raises(FetchError) as caught:
            gate.fetch(server.url())
        assert caught.value.reason == "blocked_address"
        with Gate([server.host], FetchLimits(bytes=999), cache=tmp_path) as gate, pytest.raises(FetchError) as caught:
            gate.fetch(server.url())
        assert caught.value.reason == "too_large"


@given(st.integers(0, 10**6), st.integers(1, 255))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_no_answer(tmp_path: Path, place: int, change: int) -> None:
    cache = ResponseCache(tmp_path)
    cache.store("http://a.example/", headers(etag='"1"'), b"the body", "8.8.8.8", {})
    (path,) = tmp_path.glob("*/*.page")
    whole = path.read_bytes()
    assert cache.load("http://a.example/", {}) is not None
    place %= len(whole)
    changed = whole[:place] + bytes([whole[place] ^ change]) + whole[place + 1 :]
    for broken in (whole[:place], changed, b"", b"\0" * 99):
        path.write_bytes(broken)
        assert cache.load("http://a.example/", {}) is None


def test_a_cache_that_cannot_be_written_loses_no_page(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"exists|directory"):
        Gate(cache=tmp_path / "file")
    with RawServer(answer(b"x", etag='"1"')) as server, Gate([server.host], cache=tmp_path / "gone") as gate:
        (tmp_path / "gone").rmdir()
        (tmp_path / "gone").write_text("")
        assert gate.fetch(server.url()).body == b"x"


def test_readers_see_whole_entries_while_others_write(tmp_path: Path) -> None:
    cache, stop = ResponseCache(tmp_path), time.monotonic() + 0.5
    bodies = [bytes([letter]) * 300_000 for letter in b"ab"]

    def write(body: bytes) -> None:
        while time.monotonic() < stop:
            cache.store("http://a.example/", headers(etag='"1"'), body, None, {})

    writers = [threading.Thread(target=write, args=(body,)) for body in bodies]
    cache.store("http://a.example/", headers(etag='"1"'), bodies[0], None, {})
    for writer in writers:
        writer.start()
    while time.monotonic() < stop:
        entry = cache.load("http://a.example/", {})
        assert entry is not None
        assert entry.body in bodies
    for writer in writers:
        writer.join()
    assert not list(tmp_path.glob("*/*.part"))


def test_the_folder_keeps_its_size_and_what_was_not_used_for_longest_goes(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path, max_bytes=100_000)
    (tmp_path / "notes.txt").write_text("not ours")
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / "notes.page").write_text("not ours either")
    for number in range(300):
        cache.store(f"http://a.example/{number}", headers(etag='"1"'), bytes(1000), None, {})
        for path in tmp_path.glob("*/*.page"):  # as if each took a minute
            os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 60))
        if number >= 5:
            assert cache.load("http://a.example/5", {}) is not None  # used again and again
        assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) <= 100_000
    there = [number for number in range(300) if cache.load(f"http://a.example/{number}", {})]
    assert len(there) > 50
    assert there == [5, *range(300 - len(there) + 1, 300)]
    cache.store("http://a.example/huge", headers(etag='"1"'), bytes(99_000), None, {})
    assert cache.load("http://a.example/huge", {}) is None
    assert cache.load("http://a.example/299", {}) is not None
    assert (tmp_path / "notes.txt").exists()
    assert (tmp_path / "ab" / "notes.page").exists()


def test_several_processes_keep_the_size_together(tmp_path: Path) -> None:
    caches = [ResponseCache(tmp_path, max_bytes=100_000) for _ in range(4)]
    for number in range(200):
        caches[number % 4].store(f"http://a.example/{number}", headers(etag='"1"'), bytes(1000), None, {})
        assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) <= 120_000
    with Gate(cache=tmp_path, cache_bytes=50_000) as gate:
        assert gate._cache is not None
        gate._cache.store("http://a.example/", headers(etag='"1"'), b"x", None, {})
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) <= 50_000
