"""Addresses as inputs of the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.raw_server import RawServer, answer
from tests.test_extraction import ARTICLE
from thresher.cli import main
from thresher.errors import installable

RUSSIAN = ARTICLE.replace("flail", "цеп для молотьбы").encode("cp1251", "replace")
PAGES = {
    "/page": answer(ARTICLE.encode(), content_type="text/html", etag='"1"', cache_control="max-age=60"),
    "/moved": answer(b"", "302 Found", location="/deep/page?x"),
    "/deep/page?x": answer(b'<p><a href="next">A link</a> in a text. ' + ARTICLE.encode(), content_type="text/html"),
    "/ru": answer(RUSSIAN, content_type="text/html; charset=windows-1251"),
    "/pdf": answer(b"%PDF-1.7 ...", content_type="text/html"),
    "/mislabelled": answer(ARTICLE.encode(), content_type="application/octet-stream"),
    "/gone": answer(ARTICLE.encode(), "404 Not Found", content_type="text/html"),
    "/busy": answer(b"Try again later.", "500 Internal Server Error", content_type="text/plain"),
    "/odd": answer(b"", "299\x1b[31m Fine", content_type="text/html"),
    "/evil": answer(b"", "302 Found", location="file:///\x1b[31m"),
    "/cut": lambda connection, _: connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n" + ARTICLE.encode()
    ),
}


@pytest.fixture
def server() -> Iterator[RawServer]:
    with RawServer({**PAGES}) as running:
        yield running


def run(server: RawServer, *arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--allow-host", server.host])


def test_a_page_is_fetched_and_extracted(server: RawServer) -> None:
    result = run(server, "extract", server.url("/page"))
    assert result.exit_code == 0
    assert "two sticks and a chain" in result.stdout
    assert result.stderr == ""


def test_the_last_address_is_the_one_that_links_are_resolved_against(server: RawServer) -> None:
    shown = run(server, "extract", server.url("/moved"), "-f", "markdown", "-m", "plain").stdout
    assert f"({server.url('/deep/next')})" in shown


def test_the_charset_of_the_transport_is_obeyed_and_the_option_comes_first(server: RawServer) -> None:
    assert "цеп для молотьбы" in run(server, "extract", server.url("/ru")).stdout
    assert "цеп" not in run(server, "extract", server.url("/ru"), "--encoding", "koi8-r").stdout


def test_what_a_page_is_is_told_by_its_bytes_and_not_by_its_label(server: RawServer) -> None:
    assert "two sticks" in run(server, "extract", server.url("/mislabelled")).stdout
    result = run(server, "extract", server.url("/pdf"))
    assert result.exit_code == 1
    assert "not_html: this is a PDF" in result.stderr


def test_an_error_page_fails_with_its_reason_and_the_others_still_run(server: RawServer, tmp_path: Path) -> None:
    inputs = [server.url("/gone"), server.url("/page"), "http://10.0.0.1/x", tmp_path / "missing.html"]
    result = run(server, "extract", *inputs)
    assert result.exit_code == 1
    assert result.stdout.count("two sticks") == 1
    assert "/gone: http_404: the server answered 404 Not Found" in result.stderr
    assert "http://10.0.0.1/x: blocked_address: 10.0.0.1 is not a public address" in result.stderr
    assert "--allow-host 10.0.0.1:80" in result.stderr


def test_an_error_in_plain_text_is_an_error_and_nothing_else(server: RawServer) -> None:
    result = run(server, "extract", server.url("/busy"))
    assert result.exit_code == 1
    assert result.stderr == f"{server.url('/busy')}: http_500: the server answered 500 Internal Server Error\n"


def test_json_has_a_line_for_every_input(server: RawServer, tmp_path: Path) -> None:
    inputs = [server.url("/gone"), server.url("/moved"), "http://10.0.0.1/x", tmp_path / "missing.html"]
    result = run(server, "extract", "--json", *inputs)
    gone, moved, blocked, missing = map(json.loads, result.stdout.splitlines())
    assert (gone["status"], gone["reason"], gone["http"]["status"]) == ("http_error", "http_404", 404)
    assert "two sticks" in gone["text"]
    assert moved["status"] == "ok"
    assert moved["http"]["url"] == server.url("/deep/page?x")
    assert moved["http"]["redirects"] == [server.url("/moved")]
    assert "reason" not in moved
    assert (blocked["status"], blocked["reason"]) == ("failed", "blocked_address")
    assert (missing["status"], missing["reason"]) == ("failed", "unreadable")


def test_a_private_address_needs_the_option(server: RawServer) -> None:
    result = CliRunner().invoke(main, ["extract", server.url("/page")])
    assert result.exit_code == 1
    assert f"--allow-host {server.host}" in result.stderr
    assert server.requests == []


def test_a_page_that_was_cut_off_says_so(server: RawServer) -> None:
    result = run(server, "extract", server.url("/cut"))
    assert result.exit_code == 0
    assert "truncated: " in result.stderr
    assert "two sticks" in result.stdout


def test_the_cache_and_the_name_are_options(server: RawServer, tmp_path: Path) -> None:
    for _ in range(2):
        run(server, "extract", server.url("/page"), "--cache", tmp_path / "pages", "--user-agent", "me/1")
    assert len(server.requests) == 1
    assert b"User-Agent: me/1\r\n" in server.requests[0]


def test_time_runs_out(server: RawServer) -> None:
    server.answers["/slow"] = lambda connection, _: connection.recv(1)  # type: ignore[assignment,return-value]
    result = run(server, "extract", server.url("/slow"), "--timeout", "0.2")
    assert result.exit_code == 1
    assert "timeout: not done within 0.2 seconds" in result.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        ["--allow-host", "http://x"],
        ["--timeout", "0"],
        ["--timeout", "nan"],
        ["--user-agent", "a\nb"],
        ["--cache", __file__],
    ],
)
def test_wrong_options_are_wrong_usage(wrong: list[str]) -> None:
    result = CliRunner().invoke(main, ["extract", "https://example.org/", *wrong])
    assert result.exit_code == 2


def test_explain_and_compare_take_addresses(server: RawServer) -> None:
    explained = run(server, "explain", server.url("/page"), "--json")
    assert explained.exit_code == 0
    assert any("two sticks" in json.loads(line)["text"] for line in explained.stdout.splitlines())
    compared = run(server, "compare", server.url("/page"), "--methods", "auto,plain", "--json")
    assert compared.exit_code == 0
    assert json.loads(compared.stdout)["methods"]["auto"]["status"] == "ok"
    for command in ("explain", "compare"):
        failed = run(server, command, server.url("/gone"))
        assert failed.exit_code == 1
        assert "http_404" in failed.stderr
        assert "two sticks" in failed.stdout


def test_files_in_a_folder_are_named_after_their_addresses(server: RawServer, tmp_path: Path) -> None:
    out = tmp_path / "texts"
    assert run(server, "extract", server.url("/page"), server.url("/deep/page?x"), "-o", f"{out}/").exit_code == 0
    first, second = sorted(path.name for path in out.iterdir())
    port = server.port
    assert second == f"127.0.0.1-{port}-page-" + second[-12:]  # the colon is not in the name, so a digest is
    assert first.startswith(f"127.0.0.1-{port}-deep-page-x-")


def test_nothing_that_a_server_says_reaches_the_terminal_as_it_is(server: RawServer) -> None:
    for path in ("/odd", "/evil"):
        for command in ("extract", "explain", "compare"):
            result = run(server, command, server.url(path))
            assert "\x1b" not in result.stdout + result.stderr
            assert result.exception is None or isinstance(result.exception, SystemExit)


def test_the_package_is_callable_and_loads_late() -> None:
    code = "import sys, thresher\nassert 'thresher.fetch' not in sys.modules and 'httpcore2' not in sys.modules\n"
    code += "try: thresher.fetch('file:///x')\n"
    code += "except thresher.fetch.FetchError as error: assert error.reason == 'bad_url'\n"
    code += "import thresher.fetch.gate as gate\nassert thresher.fetch.Gate is gate.Gate and callable(thresher.fetch)\n"
    code += "from thresher.fetch import fetch; assert callable(fetch)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    code = "import sys; sys.modules['httpcore2'] = None\nfrom thresher.cli import main\nmain(['extract', 'http://a.example/'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert installable("pip install 'thresher[fetch]'") in done.stderr
