"""Every record outside the damage comes out, and the damage is reported where it is."""

from __future__ import annotations

import gzip
import io
import struct
import tracemalloc
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.archives import bgzf, flip, gzipped, noise, numbers, page, read, record, records, response, zeroed
from thresher.warc import members, streams
from thresher.warc.members import open_stream, zstd_module
from thresher.warc.reader import Damage, WarcReader
from thresher.warc.streams import Position

zstandard = zstd_module()

COUNT = 12
RECORDS = records(COUNT)
CONTENTS = [response(page(number)) for number in range(COUNT)]
EVERYTHING = list(range(COUNT))


def zstd(parts: list[bytes], dictionary: bytes = b"") -> list[bytes]:
    known = zstandard.ZstdDict(dictionary) if dictionary else None
    options = {zstandard.CompressionParameter.checksum_flag: 1}
    return [zstandard.compress(part, options=options, zstd_dict=known) for part in parts]


def with_dictionary(packed: bool) -> bytes:
    """As https://iipc.github.io/warc-specifications/specifications/warc-zstd/ has it."""
    dictionary = zstandard.train_dict([part[i:] for part in RECORDS for i in range(0, 300, 30)], 2000).dict_content
    stored = zstandard.compress(dictionary) if packed else dictionary
    head = struct.pack("<II", 0x184D2A5D, len(stored)) + stored
    return head + b"".join(zstd(RECORDS, dictionary))


FORMS = {
    "plain": b"".join(RECORDS),
    "a gzip member each": b"".join(gzipped(RECORDS)),
    "one gzip member": gzip.compress(b"".join(RECORDS)),
    "gzip members of 500 bytes": bgzf(b"".join(RECORDS), 500),
    "gzip members with zeros between": b"\0\0\0".join(gzipped(RECORDS)) + b"\0" * 1024,
    "gzip with file names and empty members": b"".join(
        member[:3] + b"\x08" + member[4:10] + b"name\0" + member[10:] + gzip.compress(b"")
        for member in gzipped(RECORDS)
    ),
    "a zstd frame each": b"".join(zstd(RECORDS)),
    "one zstd frame": zstandard.compress(b"".join(RECORDS)),
    "zstd with a dictionary": with_dictionary(packed=False),
    "zstd with a packed dictionary": with_dictionary(packed=True),
    "unix line ends": b"".join(part.replace(b"\r\n\r\n", b"\n\n", 1) for part in RECORDS),
    "no ends of records": b"".join(part[:-4] for part in RECORDS),
    "one line end": b"".join(part[:-2] for part in RECORDS),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_every_record(form: str) -> None:
    blocks, reader = read(FORMS[form])
    assert numbers(blocks) == EVERYTHING
    assert [block.content for block in blocks] == CONTENTS
    assert all(block.problem is None for block in blocks)
    assert reader.damage == []
    assert reader.next.member == len(FORMS[form])


@pytest.mark.parametrize("size", [3, 20, *range(50, 3000, 59)])
def test_a_record_may_begin_in_one_gzip_member_and_go_on_in_the_next(size: int) -> None:
    blocks, reader = read(bgzf(b"".join(RECORDS), size))
    assert [block.content for block in blocks] == CONTENTS
    assert (reader.damage, reader.wrong_lengths) == ([], [])


def test_after_a_wrong_length_too() -> None:
    """The length of the second record is wrong; the next one is found where its head is cut in two."""
    wrong = record(response(page(1)), 1, length=7)
    data = b"".join([RECORDS[0], wrong, *RECORDS[2:]])
    for inside in range(1, 60):  # bytes of the third record in the first member
        blocks, reader = read(bgzf(data, len(RECORDS[0]) + len(wrong) + inside))
        assert numbers(blocks) == EVERYTHING
        assert len(reader.wrong_lengths) == 1
        assert [block.content for block in blocks][2:] == CONTENTS[2:]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [150, 1000])
def test_records_do_not_depend_on_where_pieces_end(form: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (streams, members):
        monkeypatch.setattr(module, "WINDOW", size)
        monkeypatch.setattr(module, "PIECE", size)
    monkeypatch.setattr(members, "_FEED_BYTES", size // 10)
    starts: list[bytes] = []
    reader = WarcReader(open_stream(io.BytesIO(FORMS[form]), len(FORMS[form])))
    blocks = list(reader.records(lambda headers, start: starts.append(start) or True))  # type: ignore[func-returns-value]
    assert [block.content for block in blocks] == CONTENTS
    # Asked once a record, with the whole head of the response.
    assert len(starts) == COUNT
    assert all(b"\r\n\r\n<!doctype" in start for start in starts)
    assert not reader.damage


@pytest.mark.parametrize("form", ["plain", "a gzip member each", "a zstd frame each"])
def test_other_readers_agree(form: str) -> None:
    fastwarc = pytest.importorskip("fastwarc.warc", reason="pip install 'thresher[test]'")
    data = zstandard.decompress(FORMS[form]) if "zstd" in form else FORMS[form]
    found = [
        (entry.record_id, entry.reader.read()) for entry in fastwarc.ArchiveIterator(io.BytesIO(data), parse_http=False)
    ]
    ours = [(block.headers["warc-record-id"], block.content) for block in read(FORMS[form])[0]]
    assert [(id.strip("<>"), content) for id, content in ours] == [(id.strip("<>"), content) for id, content in found]


def test_we_read_what_warcio_writes() -> None:
    warcio = pytest.importorskip("warcio", reason="pip install 'thresher[test]'")
    from warcio.statusandheaders import StatusAndHeaders

    file = io.BytesIO()
    writer = warcio.WARCWriter(file, gzip=True)
    writer.write_record(writer.create_warcinfo_record("x.warc.gz", {"software": "test"}))
    for number in EVERYTHING:
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        url, body = f"http://example.org/{number}", io.BytesIO(page(number))
        writer.write_record(writer.create_warc_record(url, "response", payload=body, http_headers=head))
    blocks, reader = read(file.getvalue())
    assert [block.headers["warc-type"] for block in blocks] == ["warcinfo"] + ["response"] * COUNT
    assert all(block.content.endswith(page(number)) for number, block in enumerate(blocks[1:]))
    assert not reader.damage


FILE_ENDINGS = {"gzip": "gz", "zstd": "zst", "plain": "warc"}


def pieces(form: str) -> list[bytes]:
    return {"gzip": gzipped(RECORDS), "zstd": zstd(RECORDS), "plain": RECORDS}[form]


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["gzip", "zstd"]))
def test_a_broken_member_costs_its_own_record(data: st.DataObject, form: str) -> None:
    members = pieces(form)
    hit = sorted(data.draw(st.sets(st.integers(0, COUNT - 1), min_size=1, max_size=4)))
    offsets = [sum(map(len, members[:number])) for number in range(COUNT + 1)]
    archive = b"".join(members)
    for number in hit:
        # Not in the bytes 4–9 of a gzip header, which say nothing that matters.
        at = data.draw(st.integers(10, len(members[number]) - 9))
        archive = flip(archive, offsets[number] + at, data.draw(st.integers(1, 8)))
    blocks, reader = read(archive, f"x.{'gz' if form == 'gzip' else 'zst'}")
    intact = [block for block in blocks if block.problem is None]
    assert numbers(intact) == [number for number in EVERYTHING if number not in hit]
    assert [block.content for block in intact] == [CONTENTS[number] for number in numbers(intact)]
    for block in blocks:
        # A break may make a member read on; where nothing follows, that is as if the file ended inside it.
        cut = block.problem is not None and block.problem.code == "truncated" and numbers([block]) == [COUNT - 1]
        assert block.problem is None or cut or (block.problem.code == "damaged" and not block.content)
    reported = {at for each in reader.damage for at in offsets[:-1] if each.start <= at < each.stop}
    assert reported == {offsets[number] for number in hit}
    assert all(each.start in offsets and each.stop in offsets for each in reader.damage)


@pytest.mark.parametrize("at", range(5, len(RECORDS[3]), 11))
def test_a_plain_record_that_is_cut_off_costs_no_other(at: int) -> None:
    blocks, _ = read(b"".join([*RECORDS[:3], RECORDS[3][:at], *RECORDS[4:]]))
    intact = [block for block in blocks if block.problem is None and block.content in CONTENTS]
    assert set(numbers(intact)) >= set(EVERYTHING) - {3}


def test_what_precedes_a_wrong_checksum_is_not_taken_for_a_page() -> None:
    members = gzipped(RECORDS)
    broken = gzip.compress(RECORDS[4] + b"nonsense " * 50)
    members[4] = broken[:-8] + b"\0" * 4 + broken[-4:]
    blocks, reader = read(b"".join(members))
    assert numbers(blocks) == EVERYTHING
    assert [(block.problem and block.problem.code, block.content) for block in blocks[4:5]] == [("damaged", b"")]
    start = sum(map(len, members[:4]))
    assert reader.damage == [Damage(start, start + len(members[4]), "incorrect data check")]


@pytest.mark.parametrize("form", ["gzip", "zstd", "plain"])
@pytest.mark.parametrize("hit", [(0, 1), (5, 6), (3, 6), (0, COUNT - 1)])
def test_members_overwritten_with_zeros_are_damage(form: str, hit: tuple[int, int]) -> None:
    members = pieces(form)
    offsets = [sum(map(len, members[:number])) for number in range(COUNT + 1)]
    archive = zeroed(b"".join(members), offsets[hit[0]], offsets[hit[1]] - offsets[hit[0]])
    blocks, reader = read(archive, f"x.{FILE_ENDINGS[form]}")
    assert numbers(blocks) == [number for number in EVERYTHING if not hit[0] <= number < hit[1]]
    assert [(each.start, each.stop) for each in reader.damage] == [(offsets[hit[0]], offsets[hit[1]])]


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(["gzip", "zstd"]))
def test_zeros_anywhere_cost_the_members_they_hit_and_are_reported(data: st.DataObject, form: str) -> None:
    members = pieces(form)
    archive = b"".join(members)
    offsets = [sum(map(len, members[:number])) for number in range(COUNT + 1)]
    at = data.draw(st.integers(0, offsets[-2]))
    length = data.draw(st.one_of(st.integers(20, 200), st.integers(20, len(archive))))
    broken = zeroed(archive, at, min(length, offsets[-2] - at))
    hit = {
        number
        for number in EVERYTHING
        if broken[offsets[number] : offsets[number + 1]] != members[number]
        # Bytes 4 to 9 of a gzip header say nothing that matters.
        and not (
            form == "gzip"
            and broken[offsets[number] + 10 : offsets[number + 1]] == members[number][10:]
            and broken[offsets[number] :].startswith(b"\x1f\x8b\x08\0")
        )
    }
    blocks, reader = read(broken, f"x.{FILE_ENDINGS[form]}")
    intact = [block for block in blocks if block.problem is None]
    assert numbers(intact) == [number for number in EVERYTHING if number not in hit]
    reported = {
        number
        for number in EVERYTHING
        for each in reader.damage
        if each.start < offsets[number + 1] and offsets[number] < each.stop
    }
    assert reported == hit
    assert whole(broken, 1000, f"x.{FILE_ENDINGS[form]}")[:2] == (numbers(blocks), reader.damage)


@pytest.mark.parametrize("at", range(17, len(RECORDS[3]), 37))
def test_zeros_from_inside_a_plain_record_to_inside_the_next_cost_these_two(at: int) -> None:
    start = len(b"".join(RECORDS[:3])) + at
    broken = zeroed(FORMS["plain"], start, len(RECORDS[3]))
    blocks, reader = read(broken)
    intact = [block for block in blocks if block.problem is None and block.content in CONTENTS]
    assert set(numbers(intact)) - {3} == set(EVERYTHING) - {3, 4}
    assert 4 not in numbers(blocks)
    lost = len(b"".join(RECORDS[:4]))
    assert any(each.start < lost + 10 and lost + at < each.stop for each in reader.damage + reader.wrong_lengths)
    for block in blocks:
        assert b"of page 4" not in block.content or block in intact  # no page is put together from two


@pytest.mark.parametrize("form", ["gzip", "zstd", "plain"])
def test_zeros_that_fill_the_last_block_are_no_damage_but_many_are(form: str) -> None:
    archive = b"".join(pieces(form))
    for padding in (1, 512, 4096):
        blocks, reader = read(archive + bytes(padding), f"x.{FILE_ENDINGS[form]}")
        assert numbers(blocks) == EVERYTHING
        assert all(block.problem is None for block in blocks)
        assert not reader.damage
        assert not reader.wrong_lengths
    for padding in (4097, 1 << 20):
        blocks, reader = read(archive + bytes(padding), f"x.{FILE_ENDINGS[form]}")
        assert numbers(blocks) == EVERYTHING
        assert [(each.start, each.stop) for each in reader.damage] == [(len(archive), len(archive) + padding)]


@pytest.mark.parametrize("form", ["gzip", "zstd", "plain"])
def test_a_last_record_overwritten_with_zeros_is_no_padding(form: str) -> None:
    members = pieces(form)
    kept = b"".join(members[:-1])
    lost = len(members[-1]) + (len(members[-1]) % 512 == 0)
    assert lost < 4096, "few enough to be padding"
    for odd in (lost, lost + 1):  # one of them leaves no whole block
        blocks, reader = read(kept + bytes(odd), f"x.{FILE_ENDINGS[form]}")
        assert numbers(blocks) == EVERYTHING[:-1]
        if (len(kept) + odd) % 512:
            assert [(each.start, each.stop) for each in reader.damage] == [(len(kept), len(kept) + odd)]
    rest = -len(kept) % 512
    assert not read(kept + bytes(rest), f"x.{FILE_ENDINGS[form]}")[1].damage, "the last block is filled"


def test_fastwarc_would_have_lost_the_rest() -> None:
    fastwarc = pytest.importorskip("fastwarc.warc", reason="pip install 'thresher[test]'")
    members = gzipped(RECORDS)
    archive = flip(b"".join(members), sum(map(len, members[:3])) + 60)
    theirs = 0
    with pytest.raises(Exception):  # noqa: B017, PT011, PT012  (whatever it raises)
        for entry in fastwarc.ArchiveIterator(io.BytesIO(archive), parse_http=False):
            entry.reader.read()
            theirs += 1
        raise EOFError
    assert theirs < COUNT - 1 == len([block for block in read(archive)[0] if not block.problem])


@pytest.mark.parametrize("form", ["gzip", "zstd", "plain"])
@pytest.mark.parametrize("garbage", [b"garbage", b"\r\n\r\nWARC/nonsense\r\n\r\n", noise(5000), b"\x1f\x8b\x08" * 50])
def test_garbage_between_records_is_skipped_and_reported(form: str, garbage: bytes) -> None:
    parts = pieces(form)
    archive = b"".join([*parts[:5], garbage, *parts[5:]])
    blocks, reader = read(archive, {"gzip": ".gz", "zstd": ".zst", "plain": ""}[form])
    assert numbers(blocks) == EVERYTHING
    assert [block.content for block in blocks] == CONTENTS
    at = len(b"".join(parts[:5]))
    (damage,) = reader.damage
    # White space at its start may belong to the record before.
    assert at <= damage.start <= at + 4
    assert damage.stop == at + len(garbage)


@pytest.mark.parametrize("garbage", [b"garbage" * 100, noise(3000)])
@pytest.mark.parametrize("form", ["gzip", "zstd", "plain"])
def test_garbage_at_the_start_and_at_the_end(form: str, garbage: bytes) -> None:
    archive = garbage + b"".join(pieces(form)) + garbage
    blocks, reader = read(archive, {"gzip": "x.gz", "zstd": "x.zst", "plain": ""}[form])
    assert numbers(blocks) == EVERYTHING
    assert [(each.start, each.stop) for each in reader.damage] == [
        (0, len(garbage)),
        (len(archive) - len(garbage), len(archive)),
    ]


@pytest.mark.parametrize("form", ["gzip", "zstd", "plain"])
@pytest.mark.parametrize("left", [0.02, 0.5, 0.98])
def test_a_cut_tail_costs_the_last_record(form: str, left: float) -> None:
    parts = pieces(form)
    archive = b"".join(parts[:-1]) + parts[-1][: int(len(parts[-1]) * left)]
    blocks, reader = read(archive)
    assert numbers(blocks)[: COUNT - 1] == EVERYTHING[:-1]
    assert all(block.problem is None for block in blocks[: COUNT - 1])
    if len(blocks) == COUNT:
        last = blocks[-1]
        assert last.problem is None or last.problem.code == "truncated"
        assert CONTENTS[-1].startswith(last.content)
    assert len(blocks) == COUNT or reader.damage


@pytest.mark.parametrize("form", ["gzip", "zstd", "plain", "one gzip member"])
@pytest.mark.parametrize("wrong", [-400, -1, 1, 2, 3, 4, 17, 5000, 10**12, None])
def test_a_wrong_length_costs_nothing(form: str, wrong: int | None) -> None:
    content = CONTENTS[4]
    lying = record(content, 4, length=len(content) + (wrong or 0))
    if wrong is None:
        lying = lying.replace(
            b"\r\nContent-Length: %d\r\n\r\nHTTP" % len(content), b"\r\nContent-Length: x\r\n\r\nHTTP"
        )
    parts = [*RECORDS[:4], lying, *RECORDS[5:]]
    packed = {
        "gzip": gzipped,
        "zstd": zstd,
        "plain": lambda parts: parts,
        "one gzip member": lambda parts: [gzip.compress(b"".join(parts))],
    }[form](parts)
    blocks, reader = read(b"".join(packed))
    assert numbers(blocks) == EVERYTHING
    assert not reader.damage
    assert [block.content for block in blocks] == CONTENTS
    assert [number for number, block in enumerate(blocks) if block.problem] == [4]
    assert blocks[4].problem.code == "length"  # type: ignore[union-attr]
    (wrong_length,) = reader.wrong_lengths
    offsets = [sum(map(len, packed[:number])) for number in range(len(packed) + 1)]
    if form != "one gzip member":
        assert (wrong_length.start, wrong_length.stop) == (offsets[4], offsets[5])


def test_a_response_without_a_body_ends_in_lines_of_its_own() -> None:
    parts = [record(b"HTTP/1.1 204 No Content\r\nServer: barn\r\n\r\n", 1), *RECORDS[2:4]]
    for separator in (4, 2, 0):  # bytes of the end of lines that a sloppy writer leaves away
        blocks, reader = read(b"".join(part[: len(part) - separator] for part in parts))
        assert blocks[0].content.endswith(b"barn\r\n\r\n")
        assert not reader.wrong_lengths


def test_heads_that_are_odd() -> None:
    folded = RECORDS[0].replace(b"WARC-Target-URI: ", b"WARC-Target-URI:\r\n\t")
    spaced = RECORDS[1].replace(b"WARC-Date: ", b"warc-date :   ")
    endless = b"WARC/1.0\r\nA: " + b"x" * (3 << 20) + b"\r\n\r\n"
    newer = RECORDS[3].replace(b"WARC/1.0", b"WARC/1.1")
    strange = RECORDS[4].replace(b"example.org/4", b"example.org/\xff\xc3\xa4")
    blocks, reader = read(b"".join([folded, spaced, endless, newer, strange]))
    assert numbers(blocks) == [0, 1, 3, 4]
    assert blocks[0].headers["warc-target-uri"] == "http://example.org/0"
    assert blocks[1].headers["warc-date"] == "2024-05-01T12:00:00Z"
    assert blocks[3].headers["warc-target-uri"] == "http://example.org/\ufffdä"
    assert len(reader.damage) == 1
    assert reader.damage[0].stop == len(folded + spaced + endless)


def test_no_archive_at_all_is_damage_from_end_to_end() -> None:
    for data in (noise(70_000), b"<html>", b"\x1f\x8b\x08" + noise(100), zstandard.compress(b"hello")):
        blocks, reader = read(data)
        assert blocks == []
        assert [(each.start, each.stop) for each in reader.damage] == [(0, len(data))]
    assert read(b"")[0] == []


def test_a_huge_record_is_passed_by_in_little_memory() -> None:
    huge = record(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n" + bytes(60 << 20), 99)
    for pack in (gzipped, zstd):
        archive = b"".join(pack([huge, *RECORDS]))
        reader = WarcReader(open_stream(io.BytesIO(archive), len(archive)), limit=1 << 20)
        tracemalloc.start()
        found = [
            (block.length, len(block.content)) for block in reader.records(lambda headers, start: b"video" not in start)
        ]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found[0] == (len(huge) - huge.index(b"HTTP/") - 4, 0)
        assert len(found) == COUNT + 1
        assert peak < 4 << 20


# Slices


def whole(archive: bytes, size: int, name: str = "") -> tuple[list[int], list[Damage], int]:
    """Read in slices, each beginning where a record is found, and again where neighbours do not meet; as the driver
    does it, but with a loop."""
    stream = open_stream(io.BytesIO(archive), len(archive), name)
    found: list[int] = []
    damage: list[Damage] = []
    expected, again = Position(0), 0
    for start in range(0, len(archive), size):
        stop = min(start + size, len(archive))
        begin = Position(0) if start == 0 else stream.find(start, stop)
        if begin != expected and (begin is not None or expected.member < stop):
            begin, again = expected, again + 1
        if begin is not None:
            blocks, reader = read(archive, name, begin, stop)
            found += numbers(blocks)
            damage += reader.damage
            expected = reader.next
    return found, damage, again


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(FORMS)), st.integers(100, 5000))
def test_slices_of_any_size_give_every_record_once(form: str, size: int) -> None:
    found, damage, again = whole(FORMS[form], size)
    assert found == EVERYTHING
    assert damage == []
    assert again == 0 or "500 bytes" in form or "empty" in form  # there a guess is seldom right


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 4000), st.integers(1, 400), st.integers(200, 3000))
def test_slices_of_a_damaged_archive_give_what_one_reading_gives(at: int, length: int, size: int) -> None:
    archive = flip(FORMS["a gzip member each"], at, length)
    blocks, reader = read(archive, "x.gz")
    found, damage, _ = whole(archive, size, "x.gz")
    assert found == numbers(blocks)
    assert damage == reader.damage


def test_an_archive_inside_a_page_is_not_mistaken_for_records() -> None:
    inner = b"".join(gzipped(records(40)))
    outer = gzipped(RECORDS)
    outer[1] = gzip.compress(record(response(inner), 1), 0)  # as if it would not compress any more
    archive = b"".join(outer)
    for size in (500, 1000, 3000):
        stream = open_stream(io.BytesIO(archive), len(archive))
        assert stream.find(len(outer[0]) + 1000) is not None  # a guess in the middle would go wrong …
        found, damage, again = whole(archive, size)
        assert found == EVERYTHING  # … and is put right
        assert again
        assert not damage


def test_salvage_gives_what_stands_before_the_damage() -> None:
    member = zlib.compressobj(0, wbits=31)  # stored, not compressed
    data = member.compress(RECORDS[0]) + member.flush()
    archive = flip(data, len(data) - 6)
    blocks, _ = read(archive)
    assert numbers(blocks) == [0]
    assert blocks[0].problem is not None
    assert blocks[0].problem.code == "damaged"
