"""thresher render, and thresher extract --render, from the command line."""

from __future__ import annotations

import json
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.browser import html, needs_chromium
from tests.raw_server import RawServer, answer
from thresher.cli import main
from thresher.cli.rendering import RenderingExtractor
from thresher.errors import NeedsLayout
from thresher.render import saved
from thresher.result.extraction import extract
from thresher.result.inputs import Input, InputError, Reader

STORY = "".join(
    f"<p>Sentence {n} of a story that is long enough to be read by somebody who likes it.</p>" for n in range(9)
)
SHELL = f"""<!doctype html><title>App</title><div id=root></div><script>
document.getElementById('root').innerHTML = {json.dumps("<article><h1>A story</h1>" + STORY + "</article>")}</script>"""


def run(*words, **how):
    return CliRunner().invoke(main, list(map(str, words)), **how)


@pytest.fixture
def shell(tmp_path):
    path = tmp_path / "app.html"
    path.write_text(SHELL)
    return path


@needs_chromium
def test_a_page_is_rendered_saved_and_extracted_from(shell, tmp_path):
    saved_as, shot = tmp_path / "page.json.gz", tmp_path / "shot.png"
    found = run("render", shell, "-o", saved_as, "--screenshot", shot, "--viewport", "640x480", "--wait", "load")
    assert found.exit_code == 0, found.output
    page = saved.load(saved_as)
    assert page.style.viewport == (640, 480)
    assert "A story" in page.text
    assert struct.unpack(">I", shot.read_bytes()[16:20])[0] == 640
    text = run("extract", saved_as)
    assert text.exit_code == 0
    assert "Sentence 8" in text.stdout


@needs_chromium
def test_html_goes_to_stdout_and_complaints_to_stderr(shell):
    found = run("render", shell, "--wait", "load", "--no-scroll", "--offline")
    assert found.exit_code == 0
    assert found.stdout.startswith("<!DOCTYPE html>")
    assert "Sentence 3" in found.stdout
    assert "<script" not in found.stdout
    assert "no_sandbox" not in found.stdout


@needs_chromium
def test_auto_renders_a_shell_and_says_so_and_leaves_a_page_alone(shell, tmp_path):
    plain = tmp_path / "plain.html"
    plain.write_text(f"<!doctype html><title>A</title><article><h1>A story</h1>{STORY}</article>")
    before = run("extract", shell, "--json")
    assert json.loads(before.stdout)["status"] == "js_shell"
    found = run("extract", shell, plain, "--render", "auto", "--wait", "load", "--json")
    assert found.exit_code == 0, found.output
    first, second = map(json.loads, found.stdout.splitlines())
    assert first["status"] == "ok"
    assert "Sentence 8" in first["text"]
    assert any(warning.startswith("rendered: ") for warning in first["warnings"])
    assert not any("rendered" in warning for warning in second["warnings"])


@needs_chromium
def test_a_shell_that_stays_one_and_an_error_page_are_told_once_and_with_the_way_out():
    stays = html("<div id=root></div><script>setTimeout(() => root.append('late'), 60e3)</script>")
    with RawServer({"/": stays, "*": answer(html("<p>There is no such page."), "404 Not Found")}) as site:
        how = ("--render", "always", "--wait", "load", "--allow-host", site.host)
        shell = run("extract", site.url(), *how)
        assert shell.exit_code == 3
        assert "--wait" in shell.stderr
        assert "first" not in shell.stderr
        missing = run("extract", site.url("/missing"), *how)
        assert missing.exit_code == 1
        assert missing.stderr.count("http_404") == 1


@needs_chromium
def test_an_address_is_opened_in_the_browser_within_the_same_rules():
    with RawServer({"/": html(SHELL), "*": answer(b"", "404 Not Found")}) as site:
        found = run("extract", site.url(), "--render", "always", "--wait", "load", "--allow-host", site.host)
        assert found.exit_code == 0, found.output
        assert "Sentence 8" in found.stdout
        asked = site.connections
        for words in (("extract", site.url(), "--render", "always"), ("render", site.url())):
            refused = run(*words)
            assert refused.exit_code == 1
            assert "blocked_address" in refused.stderr
        assert site.connections == asked


def test_without_a_browser_auto_goes_on_and_always_fails(shell, monkeypatch):
    monkeypatch.setenv("THRESHER_CHROMIUM", "/nowhere/chromium")
    monkeypatch.setattr("thresher.render.pool._default", None)  # no browser is warm
    found = run("extract", shell, "--render", "auto", "--json")
    record = json.loads(found.stdout)
    assert record["status"] == "js_shell"
    assert any(w.startswith("not_rendered: ") and "apt-get install chromium" in w for w in record["warnings"])
    failed = run("extract", shell, "--render", "always", "--json")
    assert failed.exit_code == 1
    assert json.loads(failed.stdout)["reason"] == "missing_program"
    missing = run("render", shell)
    assert missing.exit_code == 1
    assert "apt-get install chromium" in missing.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "page.txt"], "endings"),
        (["--screenshot", "x.jpg"], ".png"),
        (["--overlay", "zones"], "-o shot.png"),
        (["--overlay", "zones", "-o", "page.json.gz"], "-o shot.png"),
        (["--viewport", "big"], "1280x800"),
        (["--viewport", "1x1"], "pixels"),
        (["--wait", "-3"], "wait"),
        (["--allow-host", "a b"], "names no host"),
        (["--user-agent", "a\nb"], "header"),
    ],
)
def test_wrong_usage_is_told_before_a_browser_starts(shell, monkeypatch, words, said):
    monkeypatch.setenv("THRESHER_CHROMIUM", "/nowhere/chromium")
    found = run("render", shell, *words)
    assert found.exit_code == 2, found.output
    assert said in found.stderr


def test_inputs_that_cannot_be_read(tmp_path):
    found = run("render", tmp_path / "none.html")
    assert found.exit_code == 1
    assert "no such file" in found.stderr
    broken = tmp_path / "page.json"
    broken.write_text('{"format": "thresher-page", "version": 1}')
    told = run("extract", broken)
    assert told.exit_code == 1
    assert "no page saved" in told.stderr


def test_a_method_that_needs_boxes_asks_for_them_only_where_that_is_allowed(monkeypatch):
    reader = Reader()
    given = Input(b"<p>x")

    def take(page):
        if isinstance(page, bytes):
            raise NeedsLayout("boxes, please")
        return extract(page, method="plain")

    monkeypatch.setattr(RenderingExtractor, "_rendered", lambda self, *words: __import__("thresher").parse("<p>shown"))
    assert RenderingExtractor("auto", reader).extract(given, None, None, take).text == "shown"
    with pytest.raises(NeedsLayout):
        RenderingExtractor("never", reader).extract(given, None, None, take)


def test_auto_keeps_what_rendering_did_not_make_clearer(monkeypatch):
    reader, given = Reader(), Input(b"<title>App</title><div id=root></div>")

    def fails(self, *words):
        raise InputError("crashed: the page has crashed", "crashed")

    monkeypatch.setattr(RenderingExtractor, "_rendered", fails)
    result = RenderingExtractor("auto", reader).extract(given, None, None, extract)
    assert [p.code for p in result.problems][-1] == "not_rendered"
    monkeypatch.setattr(RenderingExtractor, "_rendered", lambda self, *words: __import__("thresher").parse(""))
    result = RenderingExtractor("auto", reader).extract(given, None, None, extract)
    assert [p.code for p in result.problems][-1] == "not_rendered"


@needs_chromium
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_program_leaves_no_browser(number):
    program = (
        "import os, thresher\n"
        "from thresher.render.watchdog import descendants\n"
        "thresher.render('<p>x', wait='load', scroll=False)\n"
        "print(*descendants(os.getpid()), flush=True)\n"
        "thresher.render('<script>while (true) {}</script>')\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with child:
        family = [int(pid) for pid in child.stdout.readline().split()]
        assert len(family) > 3
        time.sleep(0.3)  # the endless page is under way
        child.send_signal(number)
        child.wait(timeout=30)
    end = time.monotonic() + 15
    while any(map(runs, family)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [pid for pid in family if runs(pid)]


def runs(pid: int) -> bool:
    """Whether a process of a browser still runs under this number."""
    try:
        return b"hromium" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
