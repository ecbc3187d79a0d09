"""How the program ends: full disks, closed streams, Ctrl-C, missing evidence; a sentence and a code, no traceback."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import thresher
from tests.browser import needs_chromium
from tests.test_extraction import ARTICLE
from thresher.cli import main
from thresher.errors import NotHtml
from thresher.render import render


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "wheat.html"
    path.write_text(ARTICLE, encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def shell(line: str, **environment: str) -> tuple[int, str, str]:
    """A line for the shell, in which `thresher` is this one."""
    thresher = f"{shlex.quote(sys.executable)} -m thresher"
    done = subprocess.run(
        ["bash", "-c", line.replace("thresher", thresher)],
        capture_output=True,
        env=os.environ | environment,
        timeout=60,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "line",
    ["thresher extract {} > /dev/full", "thresher extract {} -o /dev/full", "thresher extract --help > /dev/full"],
)
def test_a_full_disk_is_said_in_a_line(page: Path, line: str) -> None:
    assert shell(line.format(page)) == (1, "", "Error: no space left on device\n")


@pytest.mark.parametrize(
    ("line", "code"), [("thresher extract {} >&-", 0), ("thresher extract - <&-", 3), ("thresher extract {} 2>&-", 0)]
)
def test_streams_may_be_closed(page: Path, line: str, code: int) -> None:
    found, _, said = shell(line.format(page))
    assert found == code
    assert "Traceback" not in said


def test_help_can_be_printed_in_any_locale() -> None:
    code, printed, said = shell("thresher extract --help", PYTHONIOENCODING="latin-1")
    assert (code, said) == (0, "")
    assert "title, author, date, …" in printed


def test_ctrl_c_ends_with_130_and_a_word(page: Path) -> None:
    command = [sys.executable, "-m", "thresher", "extract", "-"]
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell lets what runs in the background ignore it
    pipe = subprocess.PIPE
    with subprocess.Popen(command, preexec_fn=heeds, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        time.sleep(3)  # it waits for its input
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == (b"", b"stopped\n")
    assert process.returncode == 130


@pytest.mark.parametrize(
    "words", [("explain", "-m", "layout"), ("explain", "-m", "site"), ("compare", "--methods=temex")]
)
def test_a_method_without_its_evidence_is_wrong_usage(page: Path, words: tuple[str, ...]) -> None:
    result = run(*words, page)
    assert result.exit_code == 2
    assert "run: thresher" in result.stderr


@pytest.mark.parametrize("target", ["wheat.html", "./wheat.html", "other.html", "."])
def test_an_input_is_not_written_over(page: Path, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(page.parent)
    os.link(page, "other.html")
    result = run("extract", "wheat.html", "-f", "html", "-o", target)
    assert result.exit_code == 2
    assert "is an input" in result.stderr
    assert page.read_text("utf-8") == ARTICLE


def test_an_encoding_must_exist_and_may_have_the_name_it_has_in_python(page: Path) -> None:
    assert run("extract", page, "--encoding", "nonsense").exit_code == 2
    page.write_bytes("<p>Grüße aus Jütland, wo die Mühlen stehen.</p>".encode("cp865"))
    assert run("extract", page, "--encoding", "cp865").exit_code == 2  # which the web does not know
    page.write_bytes("<p>Привет с мельницы, где мелют рожь и овёс.</p>".encode("koi8-r"))
    assert "Привет" in run("extract", page, "-m", "plain", "--encoding", "koi8_r").stdout


def test_what_is_no_model_is_said_without_advice_to_load_it_all_the_same(page: Path) -> None:
    result = run("extract", page, "--model", page)
    assert result.exit_code == 2
    assert "it is no .npz file" in result.stderr
    assert "unsafe" not in result.stderr


@pytest.mark.parametrize("name", ["auto", "seeker"])
def test_a_model_names_its_method(page: Path, name: str) -> None:
    model = Path(thresher.__file__).parent / "data" / f"{name}.npz"
    result = run("extract", page, "--json", "--model", model)
    assert json.loads(result.stdout)["method"] == name


@pytest.mark.parametrize("number", ["nan", "inf", "-1", "much"])
def test_numbers_are_numbers(page: Path, number: str) -> None:
    for words in (("extract", "--min-confidence"), ("batch", "-o", "out", "--slice-mb"), ("render", "--timeout")):
        assert run(*words, number, page).exit_code == 2


def test_names_of_files_may_be_any_bytes(page: Path) -> None:
    for name in (b"\xff.html", b"a\nb.html", "ü 日.html".encode()):
        (page.parent / os.fsdecode(name)).write_text(ARTICLE.replace("sticks", "rods") + "<p>And more.", "utf-8")
    assert run("site", "extract", page).exit_code == 0
    learned = run("site", "learn", page.parent)
    assert learned.exception is None or isinstance(learned.exception, SystemExit)


def test_a_file_that_is_no_page_is_not_shown_to_the_browser() -> None:
    for data in (b"%PDF-1.4\n", b'{"a": 1}', b"\x89PNG\r\n\x1a\n"):
        with pytest.raises(NotHtml, match="not an HTML page"):
            render(data)


@needs_chromium
def test_explain_and_compare_read_rendered_pages(page: Path) -> None:
    saved = page.with_suffix(".json.gz")
    assert run("render", page, "-o", saved).exit_code == 0
    assert "kept by layout" in run("explain", saved, "-m", "layout").stdout
    assert run("compare", saved, "--methods", "auto,layout").exit_code == 0
    assert "rendered: " in run("explain", page, "--render", "always").stderr


@needs_chromium
def test_a_rendered_page_is_printed_as_it_is_but_not_to_a_terminal(page: Path) -> None:
    page.write_text("<!doctype html><p>a&#27;[31mb&#27;]0;c&#7;d")
    line = f"thresher render {page} --offline"
    assert "<p>a\x1b[31mb\x1b]0;c\x07d" in shell(line)[1]
    ours, theirs = os.openpty()
    words = [sys.executable, "-m", "thresher", "render", str(page), "--offline"]
    subprocess.run(words, stdout=theirs, stderr=subprocess.DEVNULL, timeout=60)
    os.close(theirs)
    with open(ours, "rb") as terminal:
        assert "<p>a\ufffd[31mb\ufffd]0;c\ufffdd" in terminal.read1().decode()
