"""A release is what its tag, its changelog and its workflow say."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml
from packaging.version import Version

import thresher

ROOT = Path(__file__).parents[1]
WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}


def test_the_changelog_begins_with_this_version() -> None:
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heading
    assert heading[1] == thresher.__version__


def test_what_is_new_and_changed_takes_twenty_lines() -> None:
    notes = _printed("notes.py")
    assert f"## {thresher.__version__}\n\n{notes}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^- ", notes.partition("\n### ")[0], re.MULTILINE)) <= 20
    assert "release/notes.py" in WORKFLOWS["release.yml"]


def test_every_action_is_pinned_to_a_commit() -> None:
    for name, text in WORKFLOWS.items():
        for action in re.findall(r"uses: (\S+)", text):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), f"{name}: {action}"


def test_only_the_last_step_of_a_release_may_sign_and_publish() -> None:
    release = yaml.safe_load(WORKFLOWS["release.yml"])
    assert release[True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` as a truth value
    assert release["permissions"] == {"contents": "read"}
    jobs = release["jobs"]
    assert [name for name, job in jobs.items() if "permissions" in job] == ["publish"]
    assert jobs["publish"]["permissions"]["id-token"] == "write"
    assert jobs["publish"]["needs"] == ["sdist", "wheels"]
    assert "password" not in WORKFLOWS["release.yml"].replace("no password", "")


def test_every_dependency_has_a_lowest_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lowest = _printed("lowest.py").split()
    assert [line.partition("==")[0] for line in lowest] == sorted(
        re.match(r"[\w-]+", requirement)[0] for requirement in project["dependencies"]
    )
    everything = _printed("lowest.py", "all")
    assert set(lowest) < set(everything.split())
    assert "backports-zstd==1.0; python_version < '3.14'" in everything
    assert "release/lowest.py" in WORKFLOWS["test.yml"]


def test_a_release_is_built_by_tools_of_known_bytes() -> None:
    pins = {name: _pins(name) for name in ("build", "sbom")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for requirement in project["build-system"]["requires"]:
        name, _, lowest = requirement.partition(">=")
        assert Version(pins["build"][name.lower()]) >= Version(lowest)
    assert {"build", "packaging", "pyproject-hooks"} <= set(pins["build"])
    assert "cyclonedx-bom" in pins["sbom"]
    release = yaml.safe_load(WORKFLOWS["release.yml"])
    commands = [step.get("run", "") for job in release["jobs"].values() for step in job["steps"]]
    installs = [line for command in commands for line in command.splitlines() if "pip install" in line]
    assert [line for line in installs if "--require-hashes" not in line and "product/bin/pip" not in line] == []
    (wheels,) = (step["env"] for step in release["jobs"]["wheels"]["steps"] if "env" in step)
    assert "--require-hashes -r {project}/release/build.txt" in wheels["CIBW_BEFORE_BUILD"]
    assert "--no-build-isolation" in wheels["CIBW_BUILD_FRONTEND"]
    assert not any("pipx" in command for command in commands)


def _pins(file: str) -> dict[str, str]:
    lines = (ROOT / f"release/{file}.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"# python release/hashes.py {file} > release/{file}.txt"
    matches = [re.fullmatch(r"([\w.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}", line) for line in lines[1:]]
    assert all(matches)
    return {match[1]: match[2] for match in matches if match}


def test_an_unknown_extra_is_named() -> None:
    run = subprocess.run([sys.executable, ROOT / "release/lowest.py", "nope"], capture_output=True, text=True)
    assert run.returncode == 1
    assert "nope" in run.stderr


def test_the_licences_of_dependencies_are_listed() -> None:
    names = {line.split("|")[1].strip() for line in _printed("licences.py").splitlines()[2:]}
    assert {"click", "numpy", "rich", "selectolax"} <= names
    assert "thresher" not in names


def _printed(script: str, *arguments: str) -> str:
    command = [sys.executable, ROOT / "release" / script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
