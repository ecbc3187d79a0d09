"""Content encodings, nested and hostile, within the byte limit and little memory."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clock import at_most
from thresher.errors import FetchError
from thresher.http.content_codings import accept_encoding, decode_stream, decoders_for

try:
    from compression import zstd  # type: ignore[no-redef]
except ImportError:
    from backports import zstd  # type: ignore[no-redef]


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}


def undone(data: bytes, header: str, limit: int = 10**7, piece: int = 65536) -> tuple[bytes, bool]:
    decoders = decoders_for(header)
    pieces = [data[start : start + piece] for start in range(0, len(data), piece)]
    body = b"".join(decode_stream(pieces, decoders, limit, lambda: None))
    return body, all(decoder.whole for decoder in decoders)


def reason(data: bytes, header: str, limit: int = 10**6) -> str:
    with pytest.raises(FetchError) as caught:
        undone(data, header, limit)
    return caught.value.reason


@given(st.binary(max_size=3000), st.lists(st.sampled_from(sorted(PACK)), max_size=4), st.integers(1, 500))
@settings(max_examples=60)
def test_what_was_packed_comes_out_again_in_any_nesting_and_any_pieces(
    data: bytes, names: list[str], piece: int
) -> None:
    packed = data
    for name in names:
        packed = PACK[name](packed)
    assert undone(packed, ", ".join(names).upper(), piece=piece) == (data, True)


def test_large_bodies_come_out_whole() -> None:
    data = bytes(range(256)) * 12_000
    for name, pack in PACK.items():
        assert undone(pack(data), name)[0] == data
        assert undone(pack(bytes(3_000_001)), name)[0] == bytes(3_000_001)


def test_bare_deflate_several_members_and_trailing_rubbish_are_taken() -> None:
    assert undone(raw_deflate(b"hello" * 99), "deflate") == (b"hello" * 99, True)
    two = gzip.compress(b"one ") + gzip.compress(b"two")
    for piece in (1, 7, 99):
        assert undone(two + b"\0\0rubbish", "gzip", piece=piece) == (b"one two", True)
    assert undone(zstd.compress(b"one ") + zstd.compress(b"two"), "zstd", piece=5) == (b"one two", True)
    assert undone(b"", "gzip") == (b"", True)


@pytest.mark.parametrize("name", sorted(PACK))
def test_a_cut_stream_gives_what_came_and_is_not_whole(name: str) -> None:
    data = bytes(range(256)) * 2000
    packed = PACK[name](data)
    body, whole = undone(packed[: len(packed) * 2 // 3], name)
    assert data.startswith(body)
    assert not whole


@pytest.mark.parametrize("name", sorted(PACK))
def test_a_body_that_is_not_what_it_says_is_a_bad_encoding(name: str) -> None:
    assert reason(b"<html>no such thing, but long enough to notice</html>" * 3, name) == "bad_encoding"


def test_words_that_are_no_encodings_are_passed_over_as_browsers_do() -> None:
    assert undone(b"plain", "utf-8, none, identity") == (b"plain", True)
    assert undone(gzip.compress(b"x"), "identity, gzip,") == (b"x", True)
    assert reason(b"x", "compress") == "bad_encoding"
    assert reason(b"x", ", ".join(["gzip"] * 6)) == "bad_encoding"
    assert accept_encoding() == "gzip, deflate, zstd, br"


@pytest.mark.parametrize(
    "names", [["gzip"], ["br"], ["zstd"], ["deflate"], ["gzip"] * 3, ["zstd", "br"], ["br", "gzip"]]
)
def test_a_bomb_ends_early_with_little_memory(names: list[str]) -> None:
    bomb = bytes(50_000_000)
    for name in names:
        bomb = PACK[name](bomb) if name != "br" else brotli.compress(bomb, quality=1)
    assert len(bomb) < 100_000
    tracemalloc.start()
    with at_most(2):
        given = reason(bomb, ", ".join(names), limit=1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert given == "too_large"
    assert peak < 4_000_000


def test_every_layer_is_counted_not_only_the_last() -> None:
    """An inner layer that swells and shrinks again: 6 MB of gzip members that hold nothing."""
    empty_members = gzip.compress(b"") * 300_000
    assert reason(gzip.compress(empty_members), "gzip, gzip", limit=1_000_000) == "too_large"


def test_the_deadline_holds_while_decoding() -> None:
    def passed() -> None:
        raise FetchError("over", "timeout")

    with pytest.raises(FetchError, match="over"):
        list(decode_stream([gzip.compress(b"x")], decoders_for("gzip"), 10, passed))
