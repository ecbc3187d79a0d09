"""Gzip members that are unpacked in one step: what the loop takes is what zlib takes."""

from __future__ import annotations

import io
import os
import random
import zlib

import numpy as np
import pytest

from tests.archives import gzipped, read, records
from tests.kernels import both
from thresher import kernels
from thresher.warc.members import Gzip, open_stream
from thresher.warc.reader import WarcReader

MODULES = both("thresher.warc.inflate")
COMPILED = MODULES[0]
FUZZED = int(os.environ.get("THRESHER_FUZZ", "300"))
STRATEGIES = [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED]


def deflated(chance: random.Random) -> tuple[bytes, bytes]:
    """Random content, and what a compressor makes of it, with all kinds of blocks."""
    words = [chance.randbytes(chance.randrange(1, 12)) for _ in range(chance.choice((1, 3, 40, 400)))]
    content = b"".join(chance.choice(words) * chance.choice((1, 1, 1, 40)) for _ in range(chance.randrange(400)))
    if chance.random() < 0.3:
        content += chance.randbytes(chance.randrange(3_000))
    packer = zlib.compressobj(chance.randrange(10), wbits=-15, strategy=chance.choice(STRATEGIES))
    cut = chance.randrange(len(content) + 1)
    flush = chance.choice((zlib.Z_NO_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH))
    return content, packer.compress(content[:cut]) + packer.flush(flush) + packer.compress(
        content[cut:]
    ) + packer.flush()


def inflated(module, data: bytes, room: int = 1 << 17) -> tuple[int, bytes, int]:
    """What the loop gives: the number of bytes, these, and where it ended."""
    out, end = bytearray(room), np.full(1, -1)
    count = module.inflate(data, 0, out, np.zeros(4096, np.uint32).data, end.data)
    return count, bytes(out[: max(count, 0)]), int(end[0])


@pytest.mark.parametrize("module", MODULES)
def test_what_was_packed_is_unpacked(module) -> None:
    for seed in range(60):
        content, data = deflated(random.Random(seed))
        assert inflated(module, data + bytes(16)) == (len(content), content, len(data)), seed


def test_of_broken_members_it_takes_none_that_zlib_does_not_take() -> None:
    taken = 0
    for seed in range(FUZZED * 10):
        chance = random.Random(seed)
        _, data = deflated(random.Random(seed % 50))
        broken = bytearray(data)
        for _ in range(chance.choice((1, 1, 3, 20))):
            broken[chance.randrange(min(len(broken), chance.choice((10, 100, 10_000))))] = chance.randrange(256)
        count, content, end = inflated(COMPILED, bytes(broken) + bytes(16))
        if count >= 0:
            decoder = zlib.decompressobj(wbits=-15)
            assert decoder.decompress(bytes(broken) + bytes(16)) == content, seed
            assert (decoder.eof, len(broken) + 16 - len(decoder.unused_data)) == (True, end)
            taken += 1
    assert taken


def test_the_source_gives_the_same() -> None:
    for seed in range(FUZZED):
        chance = random.Random(seed)
        data = bytes((chance.choice((4, 5, chance.randrange(256))),)) + chance.randbytes(chance.randrange(200))
        if seed % 2:
            data = deflated(chance)[1][: chance.randrange(2_000)] + data
        room = chance.choice((310, 1_000, 1 << 17))
        assert inflated(MODULES[0], data, room) == inflated(MODULES[1], data, room), seed


def test_it_says_when_input_or_room_end() -> None:
    content = b"The flail loosens the grain. " * 100
    data = zlib.compress(content, 6, wbits=-15)
    for length in range(len(data) + 8):
        assert inflated(COMPILED, (data + bytes(8))[:length])[0] == -2
    assert inflated(COMPILED, data + bytes(16), 2_000)[0] == -3
    assert inflated(COMPILED, data + bytes(16), 0)[0] == -3
    with pytest.raises(ValueError, match="lengths"):
        COMPILED.inflate(data, 0, bytearray(9), np.zeros(9, np.uint32).data, np.zeros(1, np.int64).data)


@pytest.mark.parametrize("size", [40, 700, 1 << 19])
def test_records_are_the_same_in_one_step(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of members that end anywhere in the window."""
    monkeypatch.setattr("thresher.warc.streams.WINDOW", size)
    data = b"".join(gzipped(records(30)))
    blocks, reader = read(data)
    monkeypatch.setattr(Gzip, "whole", lambda stream, offset: None)
    assert (blocks, reader.damage) == (read(data)[0], [])


@pytest.mark.skipif(not kernels.compiled(), reason="uncompiled, zlib is faster")
def test_most_members_are_unpacked_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(gzipped(records(30)))
    opened = []
    plain_open = Gzip.open
    monkeypatch.setattr(Gzip, "open", lambda stream, offset: opened.append(offset) or plain_open(stream, offset))
    reader = WarcReader(open_stream(io.BytesIO(data), len(data)))
    assert len(list(reader.records())) == 30
    assert len(opened) <= 2  # the last one, behind which the file has too little
