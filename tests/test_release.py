"""A release is what its tag, its changelog and its workflow say."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

import thresher

ROOT = Path(__file__).parents[1]
WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}


def test_the_changelog_begins_with_this_version() -> None:
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heading
    assert heading[1] == thresher.__version__


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
