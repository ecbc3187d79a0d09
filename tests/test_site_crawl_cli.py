"""thresher site crawl: what it says, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.local_site import LocalSite, Reply, html
from thresher.cli import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["site", "crawl", *(str(argument) for argument in arguments)])


def test_the_summary_counts_pages_and_errors_by_reason(tmp_path: Path) -> None:
    robots = Reply(b"User-agent: *\nDisallow: /no\n", kind="text/plain")
    answers = {"/robots.txt": robots, "/": html("/a", "/gone", "/no", "/x.png"), "/a": html()}
    with LocalSite(answers) as site:
        arguments = (site.url(), "-o", tmp_path / "out", "--delay", 0, "--allow-host", site.host)
        result = run(*arguments, "--json")
        assert result.exit_code == 0
        summary = json.loads(result.stdout)
        assert (summary["pages"], summary["errors"]) == (2, {"http_404": 1})
        assert summary["left_out"] == {"robots": 1, "not_a_page": 1}
        lines = result.stderr.splitlines()
        assert lines[0].startswith("2 pages, 0 other files, 1 errors, 4 requests")
        assert lines[1:] == [
            "errors: 1 http_404",
            "left out: 1 not_a_page, 1 robots",
            "the site is complete as far as it may be followed",
        ]
        again = run(*arguments)
        assert (again.exit_code, again.stdout) == (0, "")
        assert len(site.paths) == 3
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "pages-00000.warc.gz",
        "index.jsonl",
        "left-out.jsonl",
        "state.sqlite",
    }


def test_a_url_that_gives_nothing_is_a_failure(tmp_path: Path) -> None:
    with LocalSite({"/": html()}) as site:
        result = run(site.url(), site.url("/gone"), "-o", tmp_path, "--delay", 0, "--allow-host", site.host)
    assert result.exit_code == 1
    assert f"{site.url('/gone')}: http_404" in result.stderr


def test_private_hosts_need_permission(tmp_path: Path) -> None:
    with LocalSite({"/": html()}) as site:
        result = run(site.url(), "-o", tmp_path, "--delay", 0)
        assert site.asked == []
    assert result.exit_code == 1
    assert "blocked_address" in result.stderr
    assert f"--allow-host {site.host}" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["-o", "out"],
        ["https://example.org/"],
        ["example.org", "-o", "out"],
        ["https://example.org/", "-o", "out", "--pages", "0"],
        ["https://example.org/", "-o", "out", "--delay", "nan"],
        ["https://example.org/", "-o", "out", "--include", "("],
        ["https://example.org/", "-o", "out", "--allow-host", "a b"],
        ["https://example.org/", "-o", "out", "--user-agent", "a\nb"],
        ["https://example.org/", "-o", "out", "--scope", "world"],
    ],
)
def test_wrong_usage_is_told_before_anything_is_done(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments).exit_code == 2
    assert not (tmp_path / "out").exists()


def test_the_folder_of_another_crawl_is_wrong_usage(tmp_path: Path) -> None:
    with LocalSite({"/": html(), "/a": html()}) as site:
        more = ("-o", tmp_path, "--delay", 0, "--allow-host", site.host)
        assert run(site.url(), *more).exit_code == 0
        result = run(site.url("/a"), *more)
    assert result.exit_code == 2
    assert "another crawl" in result.stderr


def test_nothing_a_site_says_reaches_the_terminal_as_it_is(tmp_path: Path) -> None:
    evil = html("/\x1b[31m", "http://127.0.0.1/\x9b1m", title="\x1b]0;owned\x07")
    with LocalSite({"/": evil}) as site:
        result = run(site.url(), "-o", tmp_path, "--delay", 0, "--allow-host", site.host, "--json")
    said = (
        result.stdout
        + result.stderr
        + (tmp_path / "index.jsonl").read_text()
        + (tmp_path / "left-out.jsonl").read_text()
    )
    assert not any(ord(character) < 32 and character != "\n" for character in said)
    assert not any(127 <= ord(character) < 160 for character in said)


def test_help_teaches_with_examples() -> None:
    result = CliRunner().invoke(main, ["site", "--help"])
    assert "thresher site crawl https://example.org/ -o example" in result.stdout
    assert "--scope path --pages 1000" in run("--help").stdout
    unknown = CliRunner().invoke(main, ["site", "crwl"])
    assert unknown.exit_code == 2
    assert "Commands: crawl" in unknown.stderr
