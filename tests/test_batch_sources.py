"""Inputs of every kind: found, cut into slices, read back, each record once."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.archives import gzipped, page, record, records, response
from tests.local_site import LocalSite, Reply
from thresher.batch.inputs import BatchInputError, find_inputs
from thresher.batch.job import Job
from thresher.batch.plan import Changed, make_plan, read_plan, store_plan
from thresher.batch.record import PageRecord, derived_id, pack, unpack
from thresher.batch.sources import PageSource, open_source
from thresher.batch.store import open_store
from thresher.warc.members import zstd_module

arrow = pytest.importorskip("pyarrow", reason="pip install 'thresher[batch]'")
parquet = pytest.importorskip("pyarrow.parquet")


def sources(job: Job) -> list[PageSource]:
    return [open_source(piece, job) for piece in make_plan(job).slices]


def everything(job: Job) -> list[PageRecord]:
    return [found for source in sources(job) for found in source.records()]


def job(*inputs: Path | str, **options: object) -> Job:
    return Job(tuple(map(str, inputs)), "nowhere", **options)  # type: ignore[arg-type]


def test_kinds_are_told_by_name_and_else_by_the_first_bytes(tmp_path: Path) -> None:
    files = {
        "a.warc": "warc",
        "b.WARC.gz": "warc",
        "c.warc.zst": "warc",
        "d.html": "html",
        "e.xhtml.gz": "html",
        "f.jsonl.zst": "jsonl",
        "g.parquet": "parquet",
        "h.txt": "urls",
    }
    for name in files:
        (tmp_path / name).write_bytes(b"x")
    found = {Path(each.path).name: each.kind for each in find_inputs(tuple(str(tmp_path / name) for name in files))}
    assert found == files
    for content, kind in {b"WARC/1.0": "warc", b"PAR1": "parquet", b' {"a"': "jsonl", b"\n<p>": "html"}.items():
        (tmp_path / "mystery").write_bytes(content)
        assert find_inputs((str(tmp_path / "mystery"),))[0].kind == kind
    (tmp_path / "mystery").write_bytes(b"http://example.org/\n")
    assert find_inputs((str(tmp_path / "mystery"),))[0].kind == "urls"
    assert find_inputs((str(tmp_path / "mystery"),), "html")[0].kind == "html"
    for content, kind in {b"WARC/1.0": "warc", b"<p>": "html", b'{"html": ""}': "jsonl"}.items():
        (tmp_path / "mystery.gz").write_bytes(gzip.compress(content))
        assert find_inputs((str(tmp_path / "mystery.gz"),))[0].kind == kind
    (tmp_path / "old.arc.gz").write_bytes(gzip.compress(b"filedesc://old.arc 0.0.0.0 20080101000000 text/plain 76\n"))
    with pytest.raises(BatchInputError, match="ARC"):
        find_inputs((str(tmp_path / "old.arc.gz"),))
    (tmp_path / "mystery").write_bytes(b"hello")
    with pytest.raises(BatchInputError, match="input-format"):
        find_inputs((str(tmp_path / "mystery"),))


def test_folders_patterns_and_urls_are_expanded_and_nothing_twice(tmp_path: Path) -> None:
    for name in ("b.html", "a.html", "sub/c.htm.gz", "notes.txt", ".hidden/d.html", "e.warc.gz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"<p>")
    found = find_inputs((str(tmp_path), str(tmp_path / "*.html"), f"file://{tmp_path}/a.html"))
    assert [Path(each.path).name for each in found] == ["a.html", "b.html", "e.warc.gz", "c.htm.gz"]
    for missing in ("nothing/*.html", "nothing.html"):
        with pytest.raises(BatchInputError):
            find_inputs((str(tmp_path / missing),))


def test_a_file_under_several_names_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_bytes(b"<p>")
    Path("link.html").symlink_to("a.html")
    found = find_inputs(("a.html", "./a.html", str(tmp_path / "a.html"), "link.html", "../" + tmp_path.name))
    assert [each.path for each in found] == ["a.html"]


def test_pages_of_a_mirror_are_found_under_any_name(tmp_path: Path) -> None:
    pages = {
        "17": b"<!DOCTYPE html><p>",
        "index.php?id=17": b"\n<!-- saved --><html lang=en>",
        "a.asp": b"\xef\xbb\xbf<HTML>",
    }
    others = {"icon.svg": b"<svg>", "feed": b"<?xml version='1.0'?><rss>", "style.css": b"p{}", "notes.txt": b"<html>"}
    for name, content in (pages | others).items():
        (tmp_path / name).write_bytes(content)
    os.mkfifo(tmp_path / "pipe")
    found = find_inputs((str(tmp_path),))
    assert {Path(each.path).name: each.kind for each in found} == dict.fromkeys(pages, "html")


def test_fsspec_opens_what_is_not_local() -> None:
    fsspec = pytest.importorskip("fsspec", reason="pip install 'thresher[batch]'")
    files = fsspec.filesystem("memory")
    for number in range(2):
        files.pipe_file(f"/crawl/{number}.warc.gz", b"".join(gzipped(records(3))))
    found = everything(job("memory://crawl/*.warc.gz"))
    assert [each.url for each in found] == [f"http://example.org/{number}" for number in (0, 1, 2)] * 2
    assert [each.source for each in found] == ["memory:///crawl/0.warc.gz"] * 3 + ["memory:///crawl/1.warc.gz"] * 3


def test_an_archive_at_an_address_is_opened_there_and_a_page_is_fetched() -> None:
    pytest.importorskip("aiohttp", reason="fsspec opens https:// with aiohttp, which is not installed")
    archive = Reply(b"".join(gzipped(records(200))), headers={"Accept-Ranges": "bytes", "ETag": '"1"'})
    refused = Reply(b"", 403)
    with LocalSite({"/crawl/0.warc.gz": archive, "/refused.warc.gz": refused}) as site:
        address = site.url("/crawl/0.warc.gz")
        found = everything(job(address, slice_bytes=4096))
        assert [each.url for each in found] == [f"http://example.org/{number}" for number in range(200)]
        assert {each.source for each in found} == {address}
        pages = [site.url("/"), site.url("/page.html"), site.url("/?file=a.warc.gz")]
        assert {each.kind for each in find_inputs((*pages,))} == {"urls"}
        assert find_inputs((address,), "urls")[0].kind == "urls"
        for name in ("/none.warc.gz", "/refused.warc.gz"):
            with pytest.raises(BatchInputError, match="cannot read"):
                find_inputs((site.url(name),))


# WARC


def archive(tmp_path: Path, *parts: bytes) -> Path:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(gzipped(parts)))
    return path


@pytest.mark.parametrize("lines", [0, 10, 100])
def test_a_response_is_html_however_long_its_head(tmp_path: Path, lines: int) -> None:
    head = "".join(f"X-{number}: {'x' * 4000}\r\n" for number in range(lines)) + "Content-Type: text/html"
    path = archive(tmp_path, *(record(response(page(number), head), number) for number in range(40)))
    assert len(everything(job(path))) == 40
    path.write_bytes(gzip.decompress(path.read_bytes()))
    assert len(everything(job(path))) == 40


def test_html_responses_are_records_and_everything_else_is_counted(tmp_path: Path) -> None:
    html = response(page(1))
    path = archive(
        tmp_path,
        record(b"software: test\r\n", 0, "warcinfo"),
        record(b"GET / HTTP/1.1\r\n\r\n", 1, "request"),
        record(html, 2),
        record(response(b"%PDF-1.4", "Content-Type: application/pdf"), 3),
        record(response(page(4), "Content-Type: text/plain"), 4, extra="WARC-Identified-Payload-Type: text/html\r\n"),
        record(response(page(5), "X-Other: y"), 5),
        record(response(b"a,b", "X-Other: y"), 6),
        record(b"20240501120000\r\n127.0.0.1", 7, url="dns:example.org"),
        record(b"", 8, "revisit"),
        record(page(9), 9, "resource"),
    )
    (source,) = sources(job(path))
    assert [found.url for found in source.records()] == [f"http://example.org/{number}" for number in (2, 4, 5)]
    assert source.skipped == {
        "warcinfo": 1,
        "request": 1,
        "application/pdf": 1,
        "no media type": 1,
        "dns": 1,
        "revisit": 1,
        "application/http": 1,
    }
    assert [found.position for found in everything(job(path, include="all"))] != []
    assert len(everything(job(path, include="all"))) == 7


def test_a_resource_is_a_page_when_its_record_says_so(tmp_path: Path) -> None:
    """What tools write that pack files into archives: no server, no head."""
    path = tmp_path / "a.warc"
    kinds = ("text/html; charset=utf-8", "text/css", "application/xhtml+xml")
    said = b"application/http; msgtype=resource"
    path.write_bytes(b"".join(record(page(n), n, "resource").replace(said, k.encode()) for n, k in enumerate(kinds)))
    (source,) = sources(job(path))
    assert [(found.body, found.content_type) for found in source.records()] == [
        (page(0), kinds[0]),
        (page(2), kinds[2]),
    ]
    assert source.skipped == {"text/css": 1}


def test_what_the_archive_says_about_a_page_is_kept(tmp_path: Path) -> None:
    head = "Content-Type: text/html; charset=ISO-8859-1\r\nContent-Encoding: gzip"
    path = archive(
        tmp_path,
        record(
            response(gzip.compress(page(1)), head, "404 Not Found"),
            7,
            url="<http://example.org/x>",
            extra="WARC-Truncated: length\r\n",
        ),
    )
    (found,) = everything(job(path))
    assert found.id == "<urn:uuid:00000007-0000-4000-8000-000000000000>"
    assert (found.url, found.date) == ("http://example.org/x", "2024-05-01T12:00:00Z")
    assert found.http_status == 404
    assert found.codings == ("gzip",)
    assert found.content_type == "text/html; charset=ISO-8859-1"
    assert found.warnings == ("truncated: the crawler cut the page off (length)",)
    assert unpack(b"".join(pack(found))) == found


def test_a_record_without_an_id_gets_one_from_its_place(tmp_path: Path) -> None:
    first = record(response(page(0)), 0)
    path = archive(tmp_path, first, b"".join(first.partition(b"WARC-Record-ID")[::2]).replace(b": <urn", b"X: <urn"))
    found = everything(job(path))
    assert found[1].id == derived_id(str(path), str(len(gzipped([first])[0])))


# Pages


def test_the_progress_of_packed_files_counts_their_own_bytes(tmp_path: Path) -> None:
    for number in range(4):
        data = page(number) + b"<p>the same again</p>" * 2000  # packs well
        (tmp_path / f"{number}.html.gz").write_bytes(gzip.compress(data))
    (tmp_path / "plain.html").write_bytes(page(5))
    job = Job((str(tmp_path),), str(tmp_path / "out"))
    (piece,) = make_plan(job).slices
    source = open_source(piece, job)
    shares = [source.read / piece.size for _ in source.records()]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_pages_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(page(1))
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(page(2)))
    (tmp_path / "c.html.gz").write_bytes(gzip.compress(page(3))[:50])
    found = everything(job(tmp_path, slice_pages=2))
    assert [each.body for each in found] == [page(1), page(2), b""]
    assert found[2].error is not None
    assert found[2].error.startswith("unreadable")
    assert len({each.id for each in found}) == 3
    assert [len(piece.items) for piece in make_plan(job(tmp_path, slice_pages=2)).slices] == [2, 1]


# Tables

LINES = st.lists(st.text(alphabet='aé"\\ \u2028', max_size=30), max_size=12)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.integers(1, 200), st.sampled_from(["", ".gz", ".zst"]), st.booleans())
def test_slices_of_json_lines_give_every_line_once(
    tmp_path: Path, lines: list[str], size: int, packed: str, ended: bool
) -> None:
    text = "\n".join(json.dumps({"html": line, "url": f"u{number}"}) for number, line in enumerate(lines))
    data = (text + "\n" * ended).encode()
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstd_module().compress}[packed]
    path = tmp_path / f"a.jsonl{packed}"
    path.write_bytes(pack(data))
    found = everything(job(path, slice_bytes=size))
    assert [each.body.decode() for each in found] == lines
    assert [each.url for each in found] == [f"u{number}" for number in range(len(lines))]
    for each in found:
        assert data[int(each.position) :].startswith(b'{"html"')


def test_lines_that_are_no_pages_are_error_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"html": "<p>x", "id": 5}\nnot json\n\n[1]\n{"html": null, "url": "u"}\n{}\n{"html": "\xff"}\n')
    found = everything(job(path))
    assert [each.error is None for each in found] == [True, False, False, False, False, False]
    assert found[0].id == "5"
    assert found[3].url == "u"
    assert len({each.id for each in found}) == 6


def test_a_broken_gzip_of_json_lines_gives_what_stands_before(tmp_path: Path) -> None:
    lines = b"".join(json.dumps({"html": page(number).decode()}).encode() + b"\n" for number in range(3000))
    path = tmp_path / "a.jsonl.gz"
    packed = gzip.compress(lines, 1)
    path.write_bytes(packed[: len(packed) * 2 // 3])
    (source,) = sources(job(path))
    found = list(source.records())
    assert found[0].body == page(0)
    assert 100 < len(found) < 3000
    assert [each.reason for each in source.damage] == ["the file ends inside this gzip member"]


@pytest.mark.parametrize("binary", [False, True])
def test_parquet_by_row_groups(tmp_path: Path, binary: bool) -> None:
    pages = [page(number) for number in range(10)]
    table = {"content": pages if binary else [each.decode() for each in pages], "url": [f"u{n}" for n in range(10)]}
    path = tmp_path / "a.parquet"
    parquet.write_table(arrow.table(table), path, row_group_size=3)
    asked = job(path, html_column="content", slice_bytes=1)
    assert [(piece.start, piece.stop) for piece in make_plan(asked).slices] == [(0, 1), (1, 2), (2, 3), (3, 4)]
    found = everything(asked)
    assert [each.body for each in found] == pages
    assert [each.position for each in found] == [str(number) for number in range(10)]
    assert len(make_plan(job(path, html_column="content")).slices) == 1
    assert all("'html' is not there" in (each.error or "") for each in everything(job(path)))


def test_a_broken_row_group_gives_an_error_row_for_each_row(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = arrow.table({"html": [page(number).decode() for number in range(9)], "id": [str(n) for n in range(9)]})
    parquet.write_table(table, path, row_group_size=3, compression="zstd")
    about = parquet.ParquetFile(path).metadata.row_group(1).column(0)
    data = bytearray(path.read_bytes())
    start = about.dictionary_page_offset or about.data_page_offset
    data[start : start + about.total_compressed_size] = bytes(about.total_compressed_size)
    path.write_bytes(data)
    found = everything(job(path))
    assert [each.error is None for each in found] == [True] * 3 + [False] * 3 + [True] * 3
    assert len({each.id for each in found}) == 9


# Plans


def test_a_plan_is_kept_and_another_one_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path, *records(3))
    asked = Job((str(path),), str(tmp_path / "out"), slice_bytes=400)
    store = open_store(asked.output)
    plan = store_plan(make_plan(asked), store)
    assert read_plan(store, asked.output).slices == plan.slices
    assert store_plan(make_plan(asked), store) == plan
    with pytest.raises(Changed, match="method was 'auto'"):
        store_plan(make_plan(Job((str(path),), asked.output, method="bte", slice_bytes=400)), store)
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(Changed, match="inputs"):
        store_plan(make_plan(asked), store)


def test_addresses_of_a_host_stay_together(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    lines = [f"http://h{number % 7}.example/{number}" for number in range(70)]
    path.write_text("# a comment\n\n" + "\n".join(lines))
    plan = make_plan(job(path, slice_pages=10))
    hosts = [{address.split("/")[2] for _, address in piece.items} for piece in plan.slices]
    assert sum(map(len, hosts)) == 7
    assert len(plan.slices) > 1
    items = [item for piece in plan.slices for item in piece.items]
    assert sorted(items) == sorted((str(number + 3), address) for number, address in enumerate(lines))


def test_a_broken_parquet_file_fails_alone(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and then nothing")
    parquet.write_table(arrow.table({"html": [page(1)]}), tmp_path / "b.parquet")
    broken, whole = sources(job(tmp_path))
    with pytest.raises(arrow.ArrowInvalid):
        list(broken.records())
    assert len(list(whole.records())) == 1


def test_moments_in_a_table_are_spelled_as_the_standard_has_it(tmp_path: Path) -> None:
    moment = arrow.array([1_700_000_000_000_000], arrow.timestamp("us", "UTC"))
    parquet.write_table(arrow.table({"html": [page(1)], "timestamp": moment}), tmp_path / "a.parquet")
    assert [found.date for found in everything(job(tmp_path))] == ["2023-11-14T22:13:20+00:00"]
