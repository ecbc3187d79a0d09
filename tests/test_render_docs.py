"""docs/rendering.md says what rendering does."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

from tests.browser import needs_chromium
from thresher.render import Settings

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs/rendering.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return TEXT.split(f"## {title}")[1].split("\n## ")[0]


def constants(call: str, place: int) -> set[str]:
    """The words that stand at a place of every call of that name, in the source of rendering."""
    found = set()
    for path in [*(ROOT / "src/thresher/render").glob("*.py"), ROOT / "src/thresher/cli/rendering.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call and len(node.args) > place:
                value = node.args[place]
                found |= {value.value} if isinstance(value, ast.Constant) else set()
    return found


def test_every_warning_and_reason_is_explained():
    explained = set(re.findall(r"^\| `(\w+)`", section("Warnings"), re.MULTILINE))
    assert constants("Problem", 0) <= explained
    reasons = set(re.findall(r"^\| `(\w+)`", section("Errors"), re.MULTILINE))
    assert constants("RenderError", 1) == reasons


def test_every_setting_is_listed_with_its_default():
    listed = dict(re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \|", section("Settings"), re.MULTILINE))
    told = {name: value.replace('"', "'") for name, value in listed.items()}
    own = {}
    for field in fields(Settings):
        own[field.name] = f"{field.default:,}" if type(field.default) is int else repr(field.default)
    assert told == own


@needs_chromium
def test_the_examples_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for example in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        exec(example, {})
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("('Hello',) [")
    assert said[0].endswith("block")
    assert said[1:] == ["(400, 800)", "[('one',), ('two',)]"]
