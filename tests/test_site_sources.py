"""Pages to compare with, from folders, archives and live sites; and the command that uses them."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.test_site_nset import IMPRINT, MENU, prose
from thresher.cli import main
from thresher.errors import SiteError
from thresher.page import Page
from thresher.parse import parse
from thresher.site.archive import is_archive
from thresher.site.sources import file_at, from_archive, from_folder, saved_page_at, url_of_file
from thresher.template.links import Address, address

ROOT = "http://x.test/"


def html(number: int, links: str = "", body: str | None = None) -> str:
    inside = f"<div class=main><h1>Field {number}</h1>{body if body is not None else prose(number)}</div>"
    return f"<title>Field {number}</title>{MENU}{links}{inside}{IMPRINT}"


LINKS = (
    "<p>" + " ".join(f'<a href="{target}">x</a>' for target in ("two.html", "sub/", "/top?id=3", "gone.html")) + "</p>"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site as a folder; outside of it a file that nobody may see."""
    root = tmp_path / "site"
    files = {
        "news/one.html": html(1, LINKS),
        "news/two.html": html(2),
        "news/sub/index.html": html(3),
        "news/print.html": html(1, body=prose(1)),
        "top.html": html(4),
        "news/four.html": html(5),
        "style.css": "p {}",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "old.html.gz").write_bytes(gzip.compress(html(6).encode()))
    (root / "news/picture.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    (tmp_path / "secret.html").write_text(html(66))
    return root


def key_page(folder: Path, name: str = "news/one.html") -> Page:
    return parse((folder / name).read_bytes(), url=ROOT + name)


def names(pages: list[Page]) -> list[str]:
    return [(page.url or "").removeprefix(ROOT) for page in pages]


# ---- folders -------------------------------------------------------------------------------------------------


def test_linked_files_come_first_then_near_ones_and_no_copies(folder: Path) -> None:
    found = names(from_folder(key_page(folder), folder, 5))
    assert found[:3] == ["news/two.html", "news/sub/index.html", "top.html"]
    assert set(found[3:]) == {"news/four.html", "old.html.gz"}


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/news/two.html", "news/two.html"),
        ("/news/two", "news/two.html"),
        ("/news/sub/", "news/sub/index.html"),
        ("/news/sub", "news/sub/index.html"),
        ("/", None),
        ("/../secret.html", None),
        ("/news/../../secret.html", None),
        ("//etc/passwd", None),
        ("/news/\0.html", None),
        ("/" + "x" * 5000, None),
    ],
)
def test_an_address_leads_to_a_file_inside_the_folder_or_nowhere(folder: Path, path: str, file: str | None) -> None:
    found = file_at(folder, Address("x.test", path))
    assert found == (folder.resolve() / file if file else None)


def test_links_out_of_the_folder_are_not_followed(folder: Path, tmp_path: Path) -> None:
    links = "".join(f"<a href='{up}secret.html'>x</a>" for up in ("../../", "%2e%2e/%2e%2e/", "/..%2f", "..\\..\\"))
    (folder / "news/evil.html").write_text(html(1, links))
    page = key_page(folder, "news/evil.html")
    assert all("secret" not in name for name in names(from_folder(page, folder, 9)))
    assert url_of_file(tmp_path / "secret.html", folder) is None


def test_a_saved_query_is_a_part_of_the_name(folder: Path) -> None:
    (folder / "view.php?t=5").write_text(html(7))
    assert file_at(folder, Address("x.test", "/view.php", "t=5")) == (folder / "view.php?t=5").resolve()


# ---- archives ------------------------------------------------------------------------------------------------


@pytest.fixture
def archive(folder: Path, tmp_path: Path) -> Path:
    path = tmp_path / "pages.warc"
    with path.open("wb") as stream:
        for file in sorted(folder.rglob("*.html")):
            body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + file.read_bytes()
            url = ROOT + file.relative_to(folder).as_posix()
            head = (
                f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:x:{file.name}>\r\n"
            )
            head += "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
            stream.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n")
    return path


def test_an_archive_gives_its_pages_in_the_same_order(folder: Path, archive: Path) -> None:
    assert is_archive(archive)
    assert is_archive(archive.parent)
    assert not is_archive(folder)
    # `/top?id=3` is not in it: an archive has the addresses of the web, not names of files.
    expected = ["news/two.html", "news/sub/index.html", "news/four.html"]
    assert names(from_archive(key_page(folder), archive, 3)) == expected


def test_the_key_page_is_found_in_archives_and_folders(folder: Path, archive: Path) -> None:
    for place in (folder, archive):
        saved = saved_page_at(place, "http://www.x.test/news/one.html#top")
        assert saved is not None
        assert b"Field 1" in saved.html
        assert saved_page_at(place, "http://x.test/none.html") is None
        assert saved_page_at(place, "no address") is None


def test_a_file_that_is_no_archive_is_refused(folder: Path) -> None:
    with pytest.raises(SiteError, match="no WARC file"):
        from_archive(key_page(folder), folder / "style.css", 2)


# ---- the command ---------------------------------------------------------------------------------------------


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["site", "extract", *map(str, arguments)])


def test_a_file_is_compared_with_the_site_around_it(folder: Path) -> None:
    done = run(folder / "news/one.html", "--root", folder)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Field 1\n")
    assert "harvest office" not in done.stdout
    assert "All the news" not in done.stdout


def test_json_names_the_pages_and_no_made_up_address(folder: Path) -> None:
    done = run(folder / "news/one.html", "--root", folder, "--json", "--pages", 2, "-m", "temex")
    record = json.loads(done.stdout)
    assert record["siblings"] == ["news/two.html", "news/sub/index.html"]
    assert record["method"] == "temex"
    assert "site.invalid" not in done.stdout


def test_the_folder_of_the_file_is_the_root_unless_another_is_named(folder: Path) -> None:
    record = json.loads(run(folder / "news/one.html", "--json").stdout)
    assert set(record["siblings"]) == {"two.html", "sub/index.html", "four.html"}


def test_the_forms_of_extract_are_there(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.md"
    done = run(folder / "news/one.html", "--root", folder, "-f", "markdown", "-o", out, "--with-metadata")
    assert done.exit_code == 0
    assert not done.stdout
    assert out.read_text().startswith("---\n")
    assert "# Field 1" in out.read_text()


def test_an_address_is_looked_up_in_a_folder_or_an_archive(folder: Path, archive: Path) -> None:
    for place in (folder, archive):
        record = json.loads(run(ROOT + "news/one.html", "--root", place, "--json").stdout)
        assert record["text"].startswith("Field 1")
        assert record["siblings"][0] == ROOT + "news/two.html"
    done = run(ROOT + "none.html", "--root", folder)
    assert done.exit_code == 1
    assert "has no page of this address" in done.stderr


def test_what_cannot_work_says_why(folder: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "a.html").write_text(html(1))
    done = run(alone / "a.html")
    assert done.exit_code == 1
    assert "no other page of the site was found" in done.stderr
    assert json.loads(run(alone / "a.html", "--json").stdout)["reason"] == "no_siblings"
    assert run(folder / "news/none.html", "--root", folder).exit_code == 1
    outside = run(tmp_path / "secret.html", "--root", folder)
    assert outside.exit_code == 1
    assert "--url" in outside.stderr
    assert run(tmp_path / "secret.html", "--root", folder, "--url", ROOT + "x.html").exit_code == 0
    assert run("-").exit_code == 1
    assert run(folder / "news/one.html", "-m", "nothing").exit_code == 2
    assert run(folder / "news/one.html", "--root", folder / "none").exit_code == 2
    doubtful = run(folder / "news/one.html", "--root", folder, "--min-confidence", 1)
    assert doubtful.exit_code == 4


def test_without_other_pages_extract_names_this_command(folder: Path) -> None:
    done = CliRunner().invoke(main, ["extract", str(folder / "news/one.html"), "-m", "site_plus"])
    assert done.exit_code == 2
    assert "thresher site extract PAGE --method site_plus" in done.stderr


# ---- live sites ----------------------------------------------------------------------------------------------


class Site(BaseHTTPRequestHandler):
    """The folder over HTTP, with a few things that go wrong on the web."""

    root: Path
    robots = ""
    asked: list[str] = []  # noqa: RUF012 (emptied by the fixture)

    def do_GET(self) -> None:
        self.asked.append(self.path)
        place = address(f"http://x{self.path}")
        assert place is not None
        file = file_at(self.root, place)
        if self.path == "/robots.txt":
            self.answer(200 if self.robots else 404, self.robots.encode(), "text/plain")
        elif self.path == "/news/moved":
            self.answer(302, b"", location="/news/one.html")
        elif self.path == "/news/away":
            self.answer(302, b"", location=f"http://localhost:{self.server.server_port}/news/four.html")
        elif self.path == "/news/data":
            self.answer(200, b"{}", "application/json")
        elif file is None:
            self.answer(404, b"<p>Not here")
        else:
            self.answer(200, file.read_bytes())

    def answer(self, status: int, body: bytes, kind: str = "text/html", location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(folder: Path) -> Iterator[str]:
    pytest.importorskip("httpcore2")
    pytest.importorskip("protego")
    links = "".join(f"<a href=/news/{name}>x</a>" for name in ("moved", "away", "data", "private.html"))
    (folder / "news/one.html").write_text(html(1, LINKS + links))
    (folder / "news/private.html").write_text(html(8))
    Site.root, Site.robots = folder, "User-agent: *\nDisallow: /news/private"
    Site.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listening.server_port}"
        listening.shutdown()
        thread.join()


def live(host: str, *arguments: object) -> Result:
    return run(
        f"http://{host}/news/one.html", "--allow-host", host, "--allow-host", "localhost", "--delay", 0, *arguments
    )


def test_a_live_page_is_compared_with_what_it_links_to(server: str) -> None:
    done = live(server, "--json", "--pages", 9, "-m", "site_plus")
    record = json.loads(done.stdout)
    assert done.exit_code == 0
    assert record["text"].startswith("Field 1")
    paths = [url.removeprefix(f"http://{server}") for url in record["siblings"]]
    assert sorted(paths) == ["/news/sub/", "/news/two.html", "/top?id=3"]
    assert "/news/private.html" not in Site.asked
    for reason in ("robots.txt does not allow it", "answered 404", "application/json", "another site"):
        assert reason in done.stderr


def test_the_default_method_is_the_one_of_extract(server: str) -> None:
    assert json.loads(live(server, "--json").stdout)["method"] == "auto"


def test_no_more_is_fetched_than_needed(server: str) -> None:
    assert live(server, "--pages", 1).exit_code == 0
    assert len(Site.asked) <= 1 + 1 + 5  # the page, robots.txt, and at most five tries


def test_a_site_whose_rules_cannot_be_had_is_left_alone(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Site, "robots", "User-agent: *\nDisallow: /")
    done = live(server)
    assert done.exit_code == 1
    assert "no other page of the site was found" in done.stderr
    assert {path for path in Site.asked if path != "/robots.txt"} == {"/news/one.html"}


def test_a_page_that_is_not_there_is_no_key_page(server: str) -> None:
    done = run(f"http://{server}/gone.html", "--allow-host", server, "--delay", 0)
    assert done.exit_code == 1
    assert "404" in done.stderr
    assert "/robots.txt" not in Site.asked


def test_private_hosts_need_to_be_named(server: str) -> None:
    done = run(f"http://{server}/news/one.html")
    assert done.exit_code == 1
    assert not Site.asked
