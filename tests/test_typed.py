"""`py.typed`: programs of others are checked against our types, by mypy and by pyright."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM, MISTAKES = ROOT / "tests/typed/program.py", ROOT / "tests/typed/mistakes.py"
WRONG_LINES = {number for number, line in enumerate(MISTAKES.read_text().splitlines(), 1) if "# mistake" in line}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of somebody else: our settings do not hold there."""
    for file in (PROGRAM, MISTAKES):
        shutil.copy(file, tmp_path)
    return tmp_path


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "src/thresher/py.typed").exists()
    assert '"py.typed"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_program_runs() -> None:
    done = subprocess.run([sys.executable, PROGRAM], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['How a flail works']")


def test_mypy_accepts_the_program_and_finds_the_mistakes(project: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(project / "cache")]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    command += ["--follow-imports", "silent"]
    clean = subprocess.run([*command, "program.py"], cwd=project, env=environment, capture_output=True, text=True)
    assert clean.returncode == 0, clean.stdout
    wrong = subprocess.run([*command, "mistakes.py"], cwd=project, env=environment, capture_output=True, text=True)
    assert {int(line) for line in re.findall(r"^mistakes\.py:(\d+): error", wrong.stdout, re.MULTILINE)} == WRONG_LINES


def test_pyright_accepts_the_program_and_finds_the_mistakes(project: Path) -> None:
    pyright = shutil.which("pyright") or shutil.which("pyright", path=str(Path(sys.executable).parent))
    if not pyright:
        pytest.skip("pyright is not installed: pip install pyright")
    settings = {"extraPaths": [str(ROOT / "src")], "pythonVersion": "3.11", "typeCheckingMode": "standard"}
    (project / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [pyright, "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    try:
        problems = json.loads(done.stdout)["generalDiagnostics"]
    except ValueError:
        pytest.skip(f"pyright does not start here: {done.stderr[-200:]}")
    errors = [
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
        for each in problems
        if each["severity"] == "error"
    ]
    assert {line for name, line in errors if name == "mistakes.py"} == WRONG_LINES
    assert [each["message"] for each in problems if Path(each["file"]).name == "program.py"] == []
