"""The docs say what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from thresher import methods
from thresher.result.diagnosis import Status

ROOT = Path(__file__).parents[1]


def test_printed_pages_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, ROOT / "docs/generate.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + "run: python docs/generate.py"


def test_every_method_has_a_page_and_its_docstring_names_its_source() -> None:
    for name in methods.names():
        assert (ROOT / "docs/methods" / f"{name}.md").exists()
        assert len(methods.describe(name)) > 20


def test_the_readme_shows_what_its_first_command_prints() -> None:
    shown = re.search(r"~~~markdown\n(.*?)~~~", (ROOT / "README.md").read_text(), re.DOTALL)
    assert shown
    command = [sys.executable, "-m", "thresher", "extract", "examples/threshing.html", "-f", "markdown"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert shown[1] == printed


def test_the_python_of_the_readme_runs(monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    for example in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL):
        exec(example, {})
    assert "A flail is two sticks and a strap." in capsys.readouterr().out


def test_every_extra_that_a_page_names_exists() -> None:
    project = (ROOT / "pyproject.toml").read_text().split("[project.optional-dependencies]")[1]
    extras = set(re.findall(r"^(\w+) = \[", project, re.MULTILINE))
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.md")]:
        for named in re.findall(r"pip install (?:-e )?'(?:thresher|\.)\[([\w,]+)\]'", page.read_text()):
            assert set(named.split(",")) <= extras, page


def test_every_status_and_code_of_a_warning_is_explained() -> None:
    explained = set(
        re.findall(r"^\| `(\w+)`", (ROOT / "docs/statuses.md").read_text().split("## Budgets")[0], re.MULTILINE)
    )
    rooms = [ROOT / "src/thresher" / room for room in ("parse", "visible", "result")]  # what one page's result can say
    source = "".join(path.read_text(encoding="utf-8") for room in rooms for path in room.rglob("*.py"))
    assert explained == {*get_args(Status), *re.findall(r'Problem\(\s*"(\w+)"', source)}
