"""Responses as archives keep them: what the head says, and the body without its codings."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.archives import flip, page, raw_deflate
from thresher.http.media_types import charset_of
from thresher.warc.http import CodingError, decode_body, is_html, parse_response
from thresher.warc.members import zstd_module

BODY = page(1, paragraphs=40)
LIMIT = 10**7


def chunked(body: bytes, size: int = 100) -> bytes:
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x;x=y\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def brotli(body: bytes) -> bytes:
    return bytes(pytest.importorskip("brotli", reason="pip install 'thresher[batch]'").compress(body))


def zstd(body: bytes) -> bytes:
    return bytes(zstd_module().compress(body))


CODED = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli,
    "zstd": zstd,
    "chunked": chunked,
}


@pytest.mark.parametrize("coding", CODED)
def test_a_coding_is_undone(coding: str) -> None:
    assert decode_body(CODED[coding](BODY), (coding,), LIMIT) == (BODY, ())


@pytest.mark.parametrize("coding", [*CODED, "compress"])
def test_a_body_that_was_stored_decoded_is_left_alone(coding: str) -> None:
    assert decode_body(BODY, (coding,), LIMIT) == (BODY, ())


@pytest.mark.parametrize("coding", CODED)
def test_a_body_that_breaks_off_gives_what_came_before(coding: str) -> None:
    coded = CODED[coding](BODY * 50)
    body, problems = decode_body(coded[: len(coded) * 9 // 10], (coding,), LIMIT)
    assert (BODY * 50).startswith(body)
    assert coding == "zstd" or len(body) > 10  # whose blocks are large
    assert coding == "zstd" or [problem.code for problem in problems] == ["truncated"]


@pytest.mark.parametrize("coding", CODED)
def test_a_bomb_is_cut_at_the_limit(coding: str) -> None:
    bomb = CODED[coding](bytes(3_000_000)) if coding != "chunked" else chunked(bytes(200_000), 10_000)
    body, _ = decode_body(bomb, (coding,), 100_000 if coding != "chunked" else LIMIT)
    assert len(body) <= 200_000


def test_several_codings_are_undone_from_the_outside() -> None:
    response = parse_response(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate, GZIP\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    assert response.codings == ("chunked", "gzip", "deflate")
    coded = chunked(gzip.compress(zlib.compress(BODY)))
    assert decode_body(coded, response.codings, LIMIT) == (BODY, ())
    with pytest.raises(CodingError, match="nested"):
        decode_body(coded, ("gzip",) * 20, LIMIT)


def test_raw_deflate_and_several_gzip_members() -> None:
    assert decode_body(raw_deflate(BODY), ("deflate",), LIMIT) == (BODY, ())
    assert decode_body(gzip.compress(BODY) + gzip.compress(BODY), ("gzip",), LIMIT) == (BODY * 2, ())


def test_broken_gzip_gives_what_stands_before_the_damage_and_a_word_about_it() -> None:
    coded = gzip.compress(bytes(range(256)) * 4000, 1)
    body, (problem,) = decode_body(flip(coded, len(coded) * 3 // 4), ("gzip",), LIMIT)
    assert problem.code == "truncated"
    assert "broken" in problem.message
    assert len(body) > 1000


def test_unknown_and_hopeless_codings_say_so() -> None:
    for coded, coding in (
        (b"\x1f\x9d\x90" + BODY, "compress"),
        (b"\x1f\x8b\x08garbage", "gzip"),
        (b"\xff\xfe\xfdx" * 9, "deflate"),
    ):
        with pytest.raises(CodingError, match=r"coding|comes as"):
            decode_body(coded, (coding,), LIMIT)


@given(st.binary(max_size=300), st.lists(st.sampled_from([*CODED, "what"]), max_size=3))
def test_no_bytes_raise_anything_else(body: bytes, codings: list[str]) -> None:
    try:
        found, _ = decode_body(body, tuple(codings), 1000)
    except CodingError:
        return
    assert len(found) <= max(1000, len(body))


def test_heads() -> None:
    response = parse_response(b'HTTP/1.1 404 Not Found\nContent-TYPE : Text/HTML; charset="Shift_JIS"\nx\n\nbody')
    assert response.status == 404
    assert charset_of(response.headers["content-type"]) == "Shift_JIS"
    assert is_html(response.headers["content-type"], b"")
    assert parse_response(b"<html>").body_at == 0
    folded = parse_response(b"HTTP/1.1 200 OK\r\nX: a\r\nX: b\r\n c\r\nContent-Type: text/html;\r\n\tcharset=x\r\n\r\n")
    assert dict(folded.headers) == {"x": "a", "content-type": "text/html; charset=x"}
    assert parse_response(b"HTTP/2 200\r\n\r\n<p>").status == 200
    assert is_html(None, b"\xef\xbb\xbf \n<p>")
    assert not is_html(None, b"%PDF")
    assert not is_html("application/pdf", b"<html>")
    assert parse_response(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n").length is None


def test_interim_answers_are_passed_over() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    for interim in (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" * 3):
        found = parse_response(interim + head + BODY)
        assert (found.status, dict(found.headers)) == (200, {"content-type": "text/html"})
        assert (interim + head + BODY)[found.body_at :] == BODY
    assert parse_response(b"HTTP/1.1 100 Continue\r\n\r\n" * 100_000).status == 100  # at once
