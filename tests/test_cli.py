"""The command line: results on stdout, complaints on stderr, exit codes that mean something."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.clock import slowness
from tests.test_extraction import ARTICLE
from thresher.cli import main


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "wheat.html"
    path.write_text(ARTICLE, encoding="utf-8")
    return path


def run(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def test_a_file_comes_out_as_text(page: Path) -> None:
    result = run("extract", page)
    assert result.exit_code == 0
    assert "two sticks and a chain" in result.stdout
    assert "Privacy" not in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("form", "sign"),
    [("markdown", "# Wheat and chaff"), ("html", "<h1>Wheat and chaff</h1>"), ("xml", "<head"), ("json", '"status"')],
)
def test_each_format_has_its_own_form(page: Path, form: str, sign: str) -> None:
    result = run("extract", page, "-f", form)
    assert result.exit_code == 0
    assert sign in result.stdout


def test_json_is_one_object_a_line(page: Path) -> None:
    result = run("extract", page, page, "--json")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["input"] for one in objects] == [str(page)] * 2
    assert objects[0]["status"] == "ok"


def test_standard_input_and_gzipped_files_are_read(page: Path) -> None:
    packed = page.with_suffix(".html.gz")
    packed.write_bytes(gzip.compress(ARTICLE.encode()))
    piped = run("extract", "-", stdin=ARTICLE.encode())
    assert piped.stdout == run("extract", packed).stdout == run("extract", page).stdout


def test_the_encoding_of_the_transport_is_obeyed(tmp_path: Path) -> None:
    page = tmp_path / "ru.html"
    page.write_bytes(ARTICLE.replace("flail", "цеп для молотьбы").encode("cp1251", "replace"))
    assert "цеп для молотьбы" in run("extract", page, "--encoding", "windows-1251").stdout


def test_a_bad_input_is_named_and_the_others_still_run(page: Path, tmp_path: Path) -> None:
    pdf = tmp_path / "paper.pdf"
    pdf.write_bytes(b"%PDF-1.7 ...")
    result = run("extract", tmp_path / "missing.html", pdf, page)
    assert result.exit_code == 1
    assert "two sticks and a chain" in result.stdout
    assert "missing.html: no such file" in result.stderr
    assert "paper.pdf: not_html: this is a PDF document" in result.stderr


@pytest.mark.parametrize(
    ("content", "code", "complaint"),
    [
        (b"", 3, "empty: "),
        (b"<body><div id=root></div><script>var __STATE__</script>", 3, "js_shell: "),
        (b'{"a": 1}', 1, "not_html: this is JSON"),
        (b"<?xml version='1.0'?><rss/>", 1, "not_html: this is an RSS feed"),
        (b"\x89PNG\r\n\x1a\n\0\0", 1, "not_html: this is a PNG image"),
    ],
)
def test_exit_codes_and_messages_tell_why_there_is_nothing(
    tmp_path: Path, content: bytes, code: int, complaint: str
) -> None:
    path = tmp_path / "input"
    path.write_bytes(content)
    result = run("extract", path)
    assert result.exit_code == code
    assert result.stdout == ""
    assert complaint in result.stderr


def test_a_doubtful_result_is_held_back_on_request(page: Path) -> None:
    result = run("extract", page, "--min-confidence", "0.999")
    assert result.exit_code == 4
    assert result.stdout == ""
    assert "held back" in result.stderr
    (line,) = run("extract", page, "--min-confidence", "0.999", "--json").stdout.splitlines()
    told = json.loads(line)
    assert (told["status"], told["reason"]) == ("held_back", "low_confidence")
    assert 0 < told["confidence"] < 0.999
    assert "text" not in told


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_results_of_several_pages_stand_apart(page: Path, tmp_path: Path, form: str) -> None:
    """Metadata begin with dashes, and a paragraph with dashes under it is a heading."""
    one = run("extract", page, "-f", form, "--with-metadata").stdout
    assert run("extract", page, page, "-f", form, "--with-metadata").stdout == f"{one}\n{one}"
    run("extract", page, page, "-f", form, "--with-metadata", "-o", tmp_path / "both")
    assert (tmp_path / "both").read_text() == f"{one}\n{one}"


@pytest.mark.parametrize("wrong", ["-1", "nan", ""])
@pytest.mark.parametrize("command", ["extract", "explain"])
def test_a_time_to_wait_is_looked_at_before_a_browser_starts(page: Path, command: str, wrong: str) -> None:
    result = run(command, page, "--render", "always", "--wait", wrong)
    assert result.exit_code == 2
    assert "Invalid value for '--wait'" in result.stderr


@pytest.mark.parametrize(
    ("missing", "advised"), [("www.example.org", True), ("example.org/news", True), ("page.html", False)]
)
def test_an_address_without_its_scheme_is_told(missing: str, advised: bool) -> None:
    result = run("extract", missing)
    assert result.exit_code == 1
    assert ("begins with https:// or http://" in result.stderr) == advised


@pytest.mark.parametrize("wrong", ["example.org", "javascript:alert(1)", "", "file:///tmp/a.html"])
@pytest.mark.parametrize("command", ["extract", "explain", "compare"])
def test_what_is_no_address_is_none_to_resolve_against(page: Path, command: str, wrong: str) -> None:
    result = run(command, page, "--url", wrong)
    assert result.exit_code == 2
    assert "begins with https:// or http://" in result.stderr


def test_results_go_to_a_file_or_one_by_one_into_a_folder(page: Path, tmp_path: Path) -> None:
    assert run("extract", page, "-o", tmp_path / "out.txt").exit_code == 0
    assert "two sticks" in (tmp_path / "out.txt").read_text()
    assert run("extract", page, "-f", "markdown", "-o", f"{tmp_path}/texts/").exit_code == 0
    assert "# Wheat" in (tmp_path / "texts/wheat.md").read_text()


def test_metadata_stand_before_the_text_on_request(page: Path) -> None:
    lines = run("extract", page, "--with-metadata").stdout.splitlines()
    assert lines[0] == "---"
    assert 'title: "Wheat and chaff"' in lines


def test_output_options_never_change_what_is_kept(page: Path) -> None:
    plain = run("extract", page, "--no-links", "--no-images").stdout.split()
    rich = run("extract", page).stdout.split()
    assert plain == rich


def test_explain_shows_kept_and_dropped_blocks_with_reasons(page: Path) -> None:
    shown = run("explain", page).stdout
    assert "✓" in shown
    assert "✗" in shown
    assert "for: " in shown
    records = [json.loads(line) for line in run("explain", page, "--json", "--only", "dropped").stdout.splitlines()]
    assert records
    assert not any(record["kept"] for record in records)


def test_explain_says_what_hides_text_from_readers() -> None:
    page = Path(__file__).parents[1] / "examples/threshing.html"
    lines = run("explain", page, "--json", "--only", "hidden").stdout.splitlines()
    assert json.loads(lines[-1])["reasons"] == ["hidden: display: none by style rule .offer"]
    assert "premium flail" in lines[-1]


def test_compare_shows_how_far_methods_agree(page: Path) -> None:
    shown = run("compare", page, "--methods", "auto,plain")
    assert shown.exit_code == 0
    assert "agreement" in shown.stdout
    report = json.loads(run("compare", page, "--methods", "auto,plain", "--json").stdout)
    assert report["agreement"]["auto"]["auto"] == 1
    assert 0 < report["agreement"]["auto"]["plain"] < 1
    assert any(block["kept"] == ["plain"] for block in report["blocks"])


def test_methods_are_listed_and_an_unknown_one_is_refused_with_the_list(page: Path) -> None:
    assert "auto" in run("methods").stdout
    refused = run("extract", page, "-m", "magic")
    assert refused.exit_code == 2
    assert "choose one of" in refused.stderr


def test_control_characters_never_reach_the_terminal(tmp_path: Path) -> None:
    evil = tmp_path / "a\x1b[31m.html"
    evil.write_text(
        "<title>\x1b]0;owned\x07</title><p>Some text with &#27;[31m colour in it, and it is long enough. " * 9
    )
    for arguments in (["extract", evil], ["extract", evil, "--json"], ["explain", evil], ["extract", "missing\x1b[2J"]):
        result = run(*arguments)
        assert "\x1b" not in result.stdout + result.stderr


def test_help_is_quick_and_loads_no_numpy() -> None:
    code = "import sys, thresher.cli; sys.argv = ['thresher', '--help']\n"
    code += "try: thresher.cli.main()\nexcept SystemExit: pass\n"
    code += "assert 'numpy' not in sys.modules and 'selectolax' not in sys.modules"
    before = os.times()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert spent < 2 * slowness()  # a ceiling; benchmarks/core.py measures


def test_importing_the_package_loads_nothing_but_itself() -> None:
    code = "import sys, thresher; assert not {'numpy', 'click', 'rich', 'selectolax'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import thresher.methods, thresher; assert callable(thresher.parse)\n"
    code += "from thresher.parse import parse; assert thresher.parse is parse"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_compare_says_of_which_methods_a_warning_is(page: Path) -> None:
    result = run("compare", "-", "-m", "plain,semantic,lqf:quota=0.25", stdin=b"<p>" + b"Some words of a text. " * 9)
    assert result.exit_code == 0
    assert result.stderr.startswith("-: semantic: empty: ")
    nothing = run("compare", "-", "-m", "bte,lqf", stdin=b"<p></p>")
    assert nothing.exit_code == 3
    assert nothing.stderr.startswith("-: empty: ")  # it is said of all


def test_explain_of_nothing_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4")
    result = run("explain", tmp_path / "a.pdf")
    assert result.exit_code == 1
    assert result.stdout == "not_html, confidence 0.00, 0 of 0 blocks kept by auto\n"


@pytest.mark.parametrize("wrong", ["auto,bte", " auto", ""])
@pytest.mark.parametrize("command", ["extract", "explain"])
def test_one_method_is_asked_for(page: Path, command: str, wrong: str) -> None:
    result = run(command, page, "-m", wrong)
    assert result.exit_code == 2
    assert f"no method {wrong!r}; choose one of: accb, auto" in result.stderr


def test_explain_has_a_column_for_reasons_where_a_method_gives_some(page: Path) -> None:
    assert "reasons" in run("explain", page).stdout
    assert "reasons" not in run("explain", page, "-m", "ccb").stdout
