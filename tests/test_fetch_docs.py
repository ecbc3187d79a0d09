"""docs/fetching.md says what the gate does."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from tests.raw_server import RawServer, answer
from thresher.fetch.limits import FetchLimits

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs/fetching.md").read_text(encoding="utf-8")


def raised() -> set[str]:
    """Every reason that the gate gives an error, from its source."""
    found = set()
    for path in [*(ROOT / "src/thresher/fetch").glob("*.py"), *(ROOT / "src/thresher/http").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "FetchError" and len(node.args) > 1:
                found |= {node.args[1].value} if isinstance(node.args[1], ast.Constant) else set()
    return found


def test_every_reason_is_explained_and_every_explained_one_exists() -> None:
    table = TEXT.split("## Reasons")[1].split("## ")[0]
    explained = {
        name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    assert explained == raised()


def test_every_limit_is_listed_with_its_default() -> None:
    table = TEXT.split("## Limits")[1].split("## ")[0]
    listed = dict(re.findall(r"^\| `(\w+)`[^|]*\| ([\d,]+) \|", table, re.MULTILINE))
    assert listed == {field.name: f"{int(field.default):,}" for field in fields(FetchLimits)}  # type: ignore[call-overload]


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("thresher.fetch.addresses.is_public", lambda address: True)
    # A connection to ourselves is refused even then.
    monkeypatch.setattr("thresher.fetch.addresses.Policy.names", lambda self, host, port: True)
    with RawServer(answer(b"<p>hello", content_type="text/html; charset=utf-8")) as server:
        for example in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
            exec(example.replace("https://example.org/page", server.url("/page")), {})
        assert len(server.requests) == 2
    assert capsys.readouterr().out == "200 () False False\n"
