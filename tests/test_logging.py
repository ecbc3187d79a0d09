"""The log: what happens, a line at a time, for those who ask; never what is nobody's business."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import thresher
from tests.archives import gzipped, records
from tests.browser import needs_chromium
from tests.local_site import LocalSite, Reply
from tests.local_site import html as page_of_links
from tests.raw_server import RawServer, answer
from tests.test_extraction import ARTICLE
from thresher.cli import main
from thresher.fetch import Gate
from thresher.text.log import shown, without_query

_SOURCE = Path(thresher.__file__).parent
_CLOSED = "<p>Questions and answers.</p>" * 3 + "".join(
    f"<button aria-controls=a{n}>Question {n}?</button><div id=a{n} hidden>{'The answer is long. ' * 9}</div>"
    for n in range(5)
)


def run(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def logged(caplog: pytest.LogCaptureFixture, package: str) -> str:
    return "\n".join(one.getMessage() for one in caplog.records if one.name == f"thresher.{package}")


@pytest.fixture(autouse=True)
def everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "thresher")


def test_every_logger_is_that_of_its_package() -> None:
    named = 0
    for path in _SOURCE.rglob("*.py"):
        for name in re.findall(r'= logger\("([\w.]+)"\)', path.read_text(encoding="utf-8")):
            named += 1
            assert name == f"thresher.{path.relative_to(_SOURCE).parts[0]}" or path.name == "log.py", path
    assert named > 8


def test_nothing_is_printed_unless_somebody_listens() -> None:
    code = "import logging, thresher; thresher.extract(b'\\x89PNG')\n"
    code += "logging.getLogger('thresher.parse').error('an error')"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_verbose_shows_the_log_on_stderr_and_changes_no_result() -> None:
    quiet, verbose = run("extract", "-", stdin=ARTICLE.encode()), run("-v", "extract", "-", stdin=ARTICLE.encode())
    assert (verbose.exit_code, verbose.stdout) == (quiet.exit_code, quiet.stdout)
    assert quiet.stderr == ""
    assert re.search(r"^\[\d+\.\d{3} parse\] encoding utf-8, by ", verbose.stderr, re.MULTILINE)
    assert run("extract", "-", stdin=ARTICLE.encode()).stderr == "", "it ends with the command"


@pytest.mark.parametrize("command", [["explain", "-"], ["compare", "-", "-m", "bte,plain"], ["extract", "-", "--json"]])
def test_it_works_for_every_command(command: list[str]) -> None:
    assert " parse] " in run("--verbose", *command, stdin=ARTICLE.encode()).stderr


def test_help_names_it() -> None:
    assert "-v, --verbose" in run("--help").stdout


def test_requests_redirects_and_retries_are_told(caplog: pytest.LogCaptureFixture) -> None:
    pages = {
        "/moved?key=1": answer(b"", "302 Found", location="/page"),
        "/page": [answer(b"later", "503 Service Unavailable"), answer(b"<p>text", content_type="text/html")],
    }
    with RawServer(pages) as server, Gate([server.host], backoff=0.001) as gate:
        gate.fetch(server.url("/moved?key=1"))
    lines = logged(caplog, "fetch").splitlines()
    assert lines[0] == f"GET {server.url('/moved')}?…"
    assert lines[1] == f"{server.url('/moved')}?… redirects to {server.url('/page')} (302)"
    assert re.fullmatch(r".*/page: 503, another attempt in 0\.0 s", lines[4])
    assert re.fullmatch(r".*/page: 200, HTTP/1.1, 7 bytes", lines[-1])


def test_credentials_and_text_are_not(caplog: pytest.LogCaptureFixture) -> None:
    page = answer(ARTICLE.encode(), content_type="text/html", set_cookie="sid=hush-cookie")
    pages = {"/": answer(b"", "302 Found", location="/p?token=hush-query#hush-fragment"), "*": page}
    with RawServer(pages) as server:
        url = server.url("/").replace("http://", "http://hush-user:hush-password@")
        arguments = ("-v", "extract", url, "--allow-host", server.host)
        result = run(*arguments)
        with Gate([server.host]) as gate:
            gate.fetch(url, headers={"X-Api-Key": "hush-header"})
    assert result.exit_code == 0
    assert "GET http://127" in result.stderr
    text = result.stderr + caplog.text
    assert "hush" not in text
    assert not any(sentence[:40] in text for sentence in result.stdout.splitlines() if sentence)


def test_addresses_lose_what_may_be_secret() -> None:
    assert without_query("https://a.example/b?c=d#e") == "https://a.example/b?…"
    assert without_query("https://a.example/b#access_token=c?d") == "https://a.example/b"
    assert without_query("https://a.example/b") == "https://a.example/b"


def test_the_encoding_and_what_was_cut_are_told(caplog: pytest.LogCaptureFixture) -> None:
    thresher.parse("<p>Zażółć gęślą jaźń".encode("iso-8859-2"), encoding="iso-8859-2")
    thresher.parse("<div>" * 5_000)
    assert "encoding iso-8859-2, by transport" in logged(caplog, "parse")
    assert "too_deep: " in logged(caplog, "parse")


def test_recovered_text_is_told(caplog: pytest.LogCaptureFixture) -> None:
    body = "The flail is a tool for threshing grain by hand. " * 20
    page = f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{body}"}}</script><p>Flails'
    assert "recovered" in " ".join(thresher.extract(f"<html><body>{page}</body></html>").warnings)
    assert re.search(r"recovered \d+ characters of text from the page's JSON-LD", logged(caplog, "result"))
    thresher.extract(_CLOSED, method="plain", focus="recall")
    assert re.search(r"\d+ texts of closed panels recovered", logged(caplog, "visible"))


def test_skipped_pages_of_a_crawl_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    robots = Reply(b"User-agent: *\nDisallow: /no\n", kind="text/plain")
    with LocalSite({"/robots.txt": robots, "/": page_of_links("/gone", "/no")}) as site:
        run("site", "crawl", site.url(), "-o", tmp_path / "out", "--delay", 0, "--allow-host", site.host)
    assert f"skipped {site.url('/no')}: robots.txt" in logged(caplog, "crawl")
    assert f"skipped {site.url('/gone')}: error http_404" in logged(caplog, "crawl")


def test_slices_of_a_batch_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(b"".join(gzipped(records(2))))
    command = [
        sys.executable,
        "-m",
        "thresher",
        "-v",
        "batch",
        tmp_path / "a.warc.gz",
        "-o",
        tmp_path / "out",
        "-j",
        "1",
    ]
    lines = subprocess.run(command, capture_output=True, text=True).stderr
    assert "batch] slice 0 started: extract, warc" in lines
    assert "batch] slice 0 done: 2 rows" in lines


@needs_chromium
def test_the_browser_starts_and_ends_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    from thresher.render import Pool, render

    with Pool() as pool:
        render("<p>Hello", pool=pool)
    lines = logged(caplog, "render").splitlines()
    assert re.fullmatch(r"browser started: \w*Chrom.*, process \d+", lines[0])
    assert re.fullmatch(r".*: shown in \d+\.\d s", lines[1])
    assert re.fullmatch(r"browser ended: process \d+", lines[2])


def test_what_strangers_wrote_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with shown(logging.DEBUG):
        logging.getLogger("thresher.fetch").info("%s", "a\x1b[31mb\nc")
    line = capsys.readouterr().err
    assert "\x1b" not in line
    assert line.count("\n") == 1


def test_a_log_that_nobody_reads_costs_next_to_nothing() -> None:
    log = logging.getLogger("thresher.parse")
    log.parent.setLevel(logging.WARNING)  # type: ignore[union-attr]
    started = time.process_time()
    for _ in range(10_000):
        log.debug("%d bytes, encoding %s: %d elements, %d texts", 1, "utf-8", 2, 3)
    assert time.process_time() - started < 0.5  # 50 µs a line; a page takes milliseconds
