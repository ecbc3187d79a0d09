"""The files of a crawl, written and read back."""

from __future__ import annotations

import gzip
import io
import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from thresher.crawl.archive_writer import INDEX, ArchiveWriter
from thresher.errors import SiteError
from thresher.http.response import Headers, Response
from thresher.site.archive import SavedPage, pages
from thresher.warc.members import zstd_module

TIME = "2024-05-17T12:30:00Z"
WARC = "pages-00000.warc.gz"


def response(url: str, body: bytes = b"<p>grain", status: int = 200, **more: Any) -> Response:
    headers = Headers(more.pop("headers", [("Content-Type", "text/html; charset=utf-8")]))
    return Response(url=url, requested_url=url, status=status, headers=headers, body=body, **more)


def written(folder: Path, *responses: Response) -> ArchiveWriter:
    writer = ArchiveWriter(folder, {}, {"isPartOf": "test"})
    for one in responses:
        record = writer.add(one.url, one, TIME)
        writer.add_to_index({"url": one.url, "warc": record.warc, "offset": record.offset, "length": record.length})
    writer.close()
    return writer


def foreign(path: Path, *records: tuple[str, str, bytes, list[tuple[str, str]]], packed: bool = True) -> bytes:
    """A WARC file as other crawlers write it: type, address, body, headers."""
    buffer = io.BytesIO()
    writer = WARCWriter(buffer, gzip=packed)
    for kind, url, body, headers in records:
        http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1") if kind == "response" else None
        content = "" if http else headers[0][1]
        record = writer.create_warc_record(
            url, kind, io.BytesIO(body), len(body), http_headers=http, warc_content_type=content
        )
        writer.write_record(record)
    path.write_bytes(buffer.getvalue())
    return buffer.getvalue()


HTML = [("Content-Type", "text/html")]


def test_a_record_is_what_the_standard_wants(tmp_path: Path) -> None:
    headers = [
        ("Content-Type", "text/html; charset=koi8-r"),
        ("Content-Encoding", "br"),
        ("Transfer-Encoding", "chunked"),
        ("Set-Cookie", "a=1"),
        ("Set-Cookie", "b=2"),
        ("X-Odd", "grün"),
    ]
    body = "зерно".encode("koi8-r")
    written(tmp_path, response("https://example.org/a?b=c", body, headers=headers, address="192.0.2.1"))
    with (tmp_path / WARC).open("rb") as stream:
        info, record = list(_records(stream))
    assert info["type"] == "warcinfo"
    assert b"software: thresher/" in info["body"]
    assert info["headers"].get_header("WARC-Filename") == WARC
    assert record["headers"].protocol == "WARC/1.1"
    assert record["headers"].get_header("WARC-Target-URI") == "https://example.org/a?b=c"
    assert record["headers"].get_header("WARC-Date") == TIME
    assert record["headers"].get_header("WARC-IP-Address") == "192.0.2.1"
    assert record["body"] == body
    http = record["http"]
    assert http.get_statuscode() == "200"
    assert http.get_header("Content-Type") == "text/html; charset=koi8-r"
    assert http.get_header("Content-Length") == str(len(body))
    assert http.get_header("Content-Encoding") is None
    assert http.get_header("Transfer-Encoding") is None
    assert http.get_header("X-Archive-Orig-Content-Encoding") == "br"
    assert [value for name, value in http.headers if name == "set-cookie"] == ["a=1", "b=2"]
    assert http.get_header("X-Odd") == "grün"


def _records(stream: Any) -> Any:
    for record in ArchiveIterator(stream, check_digests="raise"):
        body = record.content_stream().read()
        yield {"type": record.rec_type, "headers": record.rec_headers, "http": record.http_headers, "body": body}


def test_both_readers_of_warc_files_agree_and_digests_hold(tmp_path: Path) -> None:
    written(tmp_path, *(response(f"http://h.org/{n}", b"<p>" + bytes([65 + n]) * n * 1000) for n in range(5)))
    with (tmp_path / WARC).open("rb") as one, (tmp_path / WARC).open("rb") as other:
        slow = [record["body"] for record in _records(one) if record["type"] == "response"]
        fast = []
        for record in FastIterator(other):
            if record.is_http:
                assert record.verify_payload_digest()
                fast.append(record.reader.read())
    assert slow == fast
    assert len(slow) == 5


def test_the_index_says_where_each_record_is(tmp_path: Path) -> None:
    written(tmp_path, *(response(f"http://h.org/{n}", f"<p>{n}".encode()) for n in range(3)))
    data = (tmp_path / WARC).read_bytes()
    for number, line in enumerate((tmp_path / INDEX).read_text().splitlines()):
        place = json.loads(line)
        member = gzip.decompress(data[place["offset"] : place["offset"] + place["length"]])
        assert member.startswith(b"WARC/1.1\r\n")
        assert member.endswith(f"<p>{number}\r\n\r\n".encode())


def test_what_the_state_does_not_know_of_is_cut_off(tmp_path: Path) -> None:
    first = written(tmp_path, response("http://h.org/1"))
    good = dict(first.sizes)
    whole = {name: (tmp_path / name).read_bytes() for name in good}
    for name in good:
        with (tmp_path / name).open("ab") as file:
            file.write(b"\x1f\x8b half a record")
    (tmp_path / "pages-00001.warc.gz").write_bytes(b"begun and not settled")
    again = ArchiveWriter(tmp_path, good, {})
    assert {name: (tmp_path / name).read_bytes() for name in good} == whole
    assert (tmp_path / "pages-00001.warc.gz").read_bytes() == b""
    again.add("http://h.org/2", response("http://h.org/2"), TIME)
    again.close()
    assert [page.url for page in pages(tmp_path)] == ["http://h.org/1", "http://h.org/2"]


def test_a_file_that_lost_records_is_not_written_to(tmp_path: Path) -> None:
    sizes = written(tmp_path, response("http://h.org/1")).sizes
    (tmp_path / WARC).write_bytes((tmp_path / WARC).read_bytes()[:-1])
    with pytest.raises(SiteError, match="shorter than"):
        ArchiveWriter(tmp_path, sizes, {})


def test_large_archives_are_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.crawl.archive_writer._MAX_FILE_BYTES", 1000)
    writer = written(tmp_path, *(response(f"http://h.org/{n}") for n in range(6)))
    names = sorted(name for name in writer.sizes if name != INDEX)
    assert names == ["pages-00000.warc.gz", "pages-00001.warc.gz", "pages-00002.warc.gz"][: len(names)]
    assert len(names) > 1
    assert [page.url for page in pages(tmp_path)] == [f"http://h.org/{n}" for n in range(6)]
    for name in names:
        with (tmp_path / name).open("rb") as stream:
            assert next(_records(stream))["type"] == "warcinfo"


def test_pages_come_back_as_they_were_and_nothing_else(tmp_path: Path) -> None:
    written(
        tmp_path,
        response("http://h.org/page", b"<p>\xff grain"),
        response("http://h.org/gone", status=404),
        response("http://h.org/paper", b"%PDF-1.7", headers=[("Content-Type", "application/pdf")]),
        response("http://h.org/untold", b"<p>x", headers=[]),
        response("http://h.org/untold.pdf", b"%PDF-1.7", headers=[]),
        response("http://h.org/x", b"<p>", headers=[("Content-Type", "application/xhtml+xml;charset=x")]),
    )
    expected = [
        SavedPage("http://h.org/page", b"<p>\xff grain", "utf-8"),
        SavedPage("http://h.org/untold", b"<p>x", None),
        SavedPage("http://h.org/x", b"<p>", "x"),
    ]
    assert list(pages(tmp_path)) == list(pages(tmp_path / WARC)) == expected


@pytest.mark.parametrize("packed", [True, False])
def test_archives_of_other_crawlers_are_read(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / f"other.warc{'.gz' * packed}"
    chunks = b"4;x=y\r\n<p>g\r\n4\r\nrain\r\n0\r\n\r\n"
    zipped = gzip.compress(b"<p>zipped")
    foreign(
        path,
        ("response", "http://h.org/chunks", chunks, [*HTML, ("Transfer-Encoding", "chunked")]),
        ("response", "http://h.org/said", b"<p>not chunked", [*HTML, ("Transfer-Encoding", "chunked")]),
        ("response", "http://h.org/zip", zipped, [*HTML, ("Content-Encoding", "gzip")]),
        ("response", "http://h.org/lie", b"<p>not zipped", [*HTML, ("Content-Encoding", "gzip")]),
        ("response", "http://h.org/long", b"<p>long", [*HTML, ("X-Long", "x" * 60_000)]),
        ("request", "http://h.org/asked", b"GET / HTTP/1.1\r\n\r\n", [("", "application/http; msgtype=request")]),
        ("resource", "http://h.org/resource", b"<p>saved", [("", "text/html")]),
        ("metadata", "http://h.org/meta", b"a: b", [("", "application/warc-fields")]),
        packed=packed,
    )
    assert {page.url.rpartition("/")[2]: page.html for page in pages(path)} == {
        "chunks": b"<p>grain",
        "said": b"<p>not chunked",
        "zip": b"<p>zipped",
        "lie": b"<p>not zipped",
        "long": b"<p>long",
        "resource": b"<p>saved",
    }


def test_zstandard_archives_are_read(tmp_path: Path) -> None:
    data = foreign(tmp_path / "x", ("response", "http://h.org/1", b"<p>one", HTML), packed=False)
    (tmp_path / "x.warc.zst").write_bytes(zstd_module().compress(data))
    (tmp_path / "x").unlink()
    assert list(pages(tmp_path)) == [SavedPage("http://h.org/1", b"<p>one")]


def test_a_server_cannot_write_headers_of_its_own_into_the_record(tmp_path: Path) -> None:
    odd = [("X", "a\r\nContent-Length: 1\r\n\r\n<p>forged"), ("Y: Z\r\nW", "b"), ("Content-Type", "text/html")]
    written(tmp_path, response("http://h.org/1", b"<p>genuine", 299, headers=odd))
    assert [page.html for page in pages(tmp_path)] == [b"<p>genuine"]
    with (tmp_path / WARC).open("rb") as stream:
        _, record = list(_records(stream))
    assert [name for name, _ in record["http"].headers] == ["x", "content-type", "Content-Length"]


def test_an_archive_that_breaks_off_gives_what_is_whole(tmp_path: Path) -> None:
    bodies = [b"<p>" + bytes(random.Random(n).choices(b"grain and chaff", k=400)) for n in range(3)]
    data = foreign(tmp_path / WARC, *(("response", f"http://h.org/{n}", body, HTML) for n, body in enumerate(bodies)))
    found = set()
    for cut in (*range(0, len(data), 7), len(data)):
        (tmp_path / WARC).write_bytes(data[:cut])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            there = [page.html for page in pages(tmp_path / WARC)]
        assert there == bodies[: len(there)]
        found.add(len(there))
    assert found == {0, 1, 2, 3}


def test_a_damaged_record_does_not_hide_the_others(tmp_path: Path) -> None:
    records = [("response", f"http://h.org/{n}", b"<p>%d" % n, HTML) for n in range(5)]
    data = bytearray(foreign(tmp_path / WARC, *records))
    starts = [at for at in range(len(data)) if data.startswith(b"\x1f\x8b\x08", at)]
    data[starts[2] + 20 : starts[2] + 60] = b"x" * 40
    (tmp_path / WARC).write_bytes(data)
    with pytest.warns(UserWarning, match="damaged after byte"):
        found = [page.url for page in pages(tmp_path / WARC)]
    assert found == [f"http://h.org/{n}" for n in (0, 1, 3, 4)]


def test_a_folder_of_files_is_a_site(tmp_path: Path) -> None:
    (tmp_path / "sub ü").mkdir()
    (tmp_path / "b.html").write_bytes(b"<p>b")
    (tmp_path / "sub ü" / "a.HTM").write_bytes(b"<p>a")
    (tmp_path / "c.html.gz").write_bytes(gzip.compress(b"<p>c"))
    (tmp_path / "style.css").write_bytes(b"p {}")
    assert list(pages(tmp_path, root="https://h.org/site")) == [
        SavedPage("https://h.org/site/b.html", b"<p>b"),
        SavedPage("https://h.org/site/c.html", b"<p>c"),
        SavedPage("https://h.org/site/sub%20%C3%BC/a.HTM", b"<p>a"),
    ]
    assert next(iter(pages(str(tmp_path)))).url == "http://site.invalid/b.html"


def test_places_without_pages_are_told(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="no file or folder"):
        pages(tmp_path / "nowhere")
    with pytest.raises(SiteError, match="neither WARC files nor HTML"):
        pages(tmp_path)
    page = tmp_path / "page.html"
    page.write_bytes(b"<p>one page")
    with pytest.raises(SiteError, match="no WARC file"):
        list(pages(page))


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    for name, data in (("a.html.gz", b"\x1f\x8b"), ("b.html.gz", b"no gzip"), ("c.html", b"<p>one page")):
        (tmp_path / name).write_bytes(data)
    with pytest.warns(UserWarning, match=r"html\.gz cannot be read .*; going on without it") as noticed:
        assert [page.url for page in pages(tmp_path)] == ["http://site.invalid/c.html"]
    assert len(noticed) == 2
