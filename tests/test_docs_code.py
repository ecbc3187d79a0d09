"""Every code block of the docs is run: Python here, shell in test_docs_shell.py; data is read by its parser.

    ```python                  run in a folder with `examples/`, an archive in `crawl/` and a server at example.org
    ```python needs=NAME,…     run where these modules (or programs) are installed
    ```python alone            is what others paste: it names nothing of ours, and is read by the compiler only
    ```json, toml, yaml        read; several values of JSON may stand one a line

The names `thresher`, `html`, `url`, `others`, `pages`, `result`, `text` stand for what a page speaks of.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.docs_world import OPEN_GATE, Code, blocks, example_org, furnish, skip_without
from tests.local_site import LocalSite

PROLOGUE = f"""
import thresher
{OPEN_GATE}
html, url = open("examples/threshing.html", "rb").read(), "https://example.org/page"
others = [(f"https://example.org/{{name}}", open(f"saved/{{name}}.html", "rb").read()) for name in (1, 2, 3)]
pages = [thresher.parse(html, url=url) for url, html in others]
result = thresher.extract(html, url=url)
text = result.text
"""


@pytest.fixture(scope="module")
def site() -> Iterator[LocalSite]:
    with example_org() as running:
        yield running


@pytest.mark.parametrize("code", blocks("python"), ids=lambda code: code.name)
def test_python_runs(code: Code, tmp_path: Path, site: LocalSite) -> None:
    compile(code.text, code.name, "exec")
    if code.info == "alone":
        assert "thresher" not in re.sub(r"[\"'].*?[\"']|THRESHER_\w+|#.*", "", code.text)
        return
    assert re.fullmatch(r"(needs=[\w,]+)?", code.info), f"{code.name}: what does {code.info!r} mean?"
    skip_without(code.info)
    root = site.url("").rstrip("/")
    furnish(tmp_path, root)
    program = PROLOGUE + code.text.replace("https://example.org", root)
    (tmp_path / "program.py").write_text(f"if __name__ == '__main__':\n{indented(program)}", encoding="utf-8")
    environment = {**os.environ, "HAYSTACK_TELEMETRY_ENABLED": "False"}
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def parse(language: str, text: str) -> object:
    if language == "toml":
        return tomllib.loads(text)
    if language == "yaml":
        return yaml.safe_load(text)
    return json.loads(text) if text.startswith("{\n") else [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("code", blocks("json", "toml", "yaml"), ids=lambda code: code.name)
def test_data_can_be_read(code: Code) -> None:
    assert parse(code.language, code.text)


def test_data_that_is_broken_is_noticed() -> None:
    for language, text in (("json", '{"a": 1,}'), ("toml", "a ="), ("yaml", "a: [")):
        with pytest.raises((ValueError, yaml.YAMLError)):
            parse(language, text)
