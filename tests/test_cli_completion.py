"""Shells complete our commands and options; the manual can be read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from thresher.cli import _COMMANDS, main

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_reads(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell])
    assert script.exit_code == 0
    assert "_THRESHER_COMPLETE" in script.output
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script.output, text=True, check=True)


def completed(*words: str) -> list[str]:
    """What bash is told to offer for the last word."""
    environment = {**os.environ, "_THRESHER_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["thresher", *words])}
    environment["COMP_CWORD"] = str(len(words))
    code = "import sys; sys.argv = ['thresher']; from thresher.cli import main; main(prog_name='thresher')"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_commands_options_and_values_are_completed() -> None:
    assert completed("ex") == ["plain,extract", "plain,explain"]
    assert {line.partition(",")[2] for line in completed("")} == {*_COMMANDS}
    assert "plain,--focus" in completed("extract", "--fo")
    assert completed("extract", "--focus", "pre") == ["plain,precision"]
    assert completed("extract", "page") == ["file,page"]
    assert "plain,crawl" in completed("site", "cr")


def test_the_manual_names_every_command_and_can_be_formatted() -> None:
    page = ROOT / "docs/man/thresher.1"
    text = page.read_text(encoding="utf-8")
    assert all(f".SS thresher {name} " in text for name in _COMMANDS)
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(page)], capture_output=True, text=True, check=True)
        assert done.stderr == ""
        assert "thresher extract" in done.stdout
