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
from thresher.http.response import Headers, Response
from thresher.result.inputs import with_scheme


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
    (line,) = run("extract", page, "-m", "cetd", "--min-confidence", "0.1", "--json").stdout.splitlines()
    assert json.loads(line)["confidence"] is None  # it has no model that would tell


def test_pages_in_another_language_are_held_back_on_request(page: Path) -> None:
    assert run("extract", page, "--language", "en").stdout == run("extract", page).stdout
    result = run("extract", page, "--language", "de")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "its language is en, not de, held back" in result.stderr
    assert json.loads(run("extract", page, "--language", "de", "--json").stdout)["reason"] == "language"


def test_several_pages_on_one_stream_have_their_names_above_them(page: Path, tmp_path: Path) -> None:
    one = run("extract", page).stdout
    assert run("extract", page, page).stdout == "\n".join([f"===== {page} =====\n\n{one}"] * 2)
    one = run("extract", page, "-f", "md").stdout
    named = f'---\ninput: "{page}"\n---\n\n{one}'
    assert run("extract", page, page, "--markdown").stdout == f"{named}\n{named}"
    assert run("extract", page, page, "-f", "html").stdout.count(f"<!-- {page} -->\n") == 2


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_metadata_name_the_page_where_several_follow_one_another(page: Path, tmp_path: Path, form: str) -> None:
    """Metadata begin with dashes, and a paragraph with dashes under it is a heading."""
    one = run("extract", page, "-f", form, "--with-metadata").stdout.replace("---", f'---\ninput: "{page}"', 1)
    assert run("extract", page, page, "-f", form, "--with-metadata").stdout == f"{one}\n{one}"
    run("extract", page, page, "-f", form, "--with-metadata", "--join", "-o", tmp_path / "both")
    assert (tmp_path / "both").read_text() == f"{one}\n{one}"


@pytest.mark.parametrize("form", ["text", "markdown", "html", "xml", "table"])
def test_several_pages_into_one_file_are_a_mistake_unless_joined(page: Path, tmp_path: Path, form: str) -> None:
    refused = run("extract", page, page, "-f", form, "-o", tmp_path / "both")
    assert refused.exit_code == 2
    assert "--join" in refused.stderr
    assert not (tmp_path / "both").exists()
    assert run("extract", page, page, "-f", form, "-o", tmp_path / "both", "--join").exit_code == 0
    assert run("extract", page, page, "--json", "-o", tmp_path / "lines").exit_code == 0
    assert len((tmp_path / "lines").read_text().splitlines()) == 2


def test_pages_side_by_side_give_what_they_give_one_by_one(page: Path, tmp_path: Path) -> None:
    broken = tmp_path / "picture.html"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    inputs = [page, broken, page, tmp_path / "missing.html", page]
    alone, together = run("extract", *inputs, "--json"), run("extract", *inputs, "--json", "-j", "2")
    assert (together.stdout, together.stderr, together.exit_code) == (alone.stdout, alone.stderr, 1)


def test_a_page_needs_no_command_and_a_pipe_no_name(page: Path) -> None:
    wanted = run("extract", page, "-f", "md").stdout
    assert run(page, "-f", "md").stdout == wanted
    assert run("extract", "--markdown", stdin=page.read_bytes()).stdout == wanted


@pytest.mark.parametrize(("slip", "meant"), [("extrakt", "extract"), ("explian", "explain"), ("bacth", "batch")])
def test_a_slip_in_a_command_is_put_right(slip: str, meant: str) -> None:
    result = run(slip)
    assert result.exit_code == 2
    assert f"Did you mean '{meant}'?" in result.stderr


def test_what_goes_into_a_pipe_is_as_wide_as_it_was_asked_to_be(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (60, 140):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert max(map(len, run("explain", page).stdout.splitlines())) == columns


@pytest.mark.parametrize("wrong", ["-1", "nan", ""])
@pytest.mark.parametrize("command", ["extract", "explain"])
def test_a_time_to_wait_is_looked_at_before_a_browser_starts(page: Path, command: str, wrong: str) -> None:
    result = run(command, page, "--render", "always", "--wait", wrong)
    assert result.exit_code == 2
    assert "Invalid value for '--wait'" in result.stderr


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("www.example.org", "https://www.example.org"),
        ("example.org/news", "https://example.org/news"),
        ("example.org:8080/?q=1", "https://example.org:8080/?q=1"),
        ("page.html", None),
        ("saved/page.html", None),
        ("../example.org", None),
        ("-", None),
    ],
)
def test_an_address_without_its_scheme_is_taken_for_https(source: str, address: str | None) -> None:
    assert with_scheme(source) == (address or source)


def test_a_pipe_of_the_shell_is_a_page(page: Path, tmp_path: Path) -> None:
    import os
    import threading

    pipe = tmp_path / "63"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(page.read_bytes(),))
    writer.start()
    result = run(pipe)
    writer.join()
    assert "two sticks" in result.stdout


def test_it_is_said_which_scheme_was_assumed(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    response = Response(
        url="https://example.org/",
        requested_url="https://example.org",
        status=200,
        headers=Headers(()),
        body=page.read_bytes(),
    )
    monkeypatch.setattr("thresher.fetch.gate.Gate.fetch", lambda gate, url, headers=None: response)
    result = run("extract", "example.org")
    assert "two sticks" in result.stdout
    assert "example.org: assumed: no such file, so this is https://example.org" in result.stderr


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
