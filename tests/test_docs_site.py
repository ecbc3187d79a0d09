"""The site of the docs is built strictly: every page is in the navigation, links and names lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": ([\w/-]+(?:\.md|/))$", text, re.MULTILINE))
    beside = {"contributing.md", "security.md", "changelog.md"}
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} - {"README.md"}
    folders = {name for name in listed if name.endswith("/")}
    assert listed - folders - beside <= pages
    assert {page for page in pages - listed if f"{page.partition('/')[0]}/" not in folders} == set()


def test_nothing_is_loaded_from_elsewhere() -> None:
    settings = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
    assert settings["theme"]["font"] == "false"
    assert settings["strict"] == "true"


def test_the_site_is_built_strictly(tmp_path: Path) -> None:
    for name in ("mkdocs", "material", "mkdocstrings_handlers"):
        pytest.importorskip(name, reason=f"{name} is not installed: pip install 'thresher[docs]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for page in ("index", "guides/forums/index", "api/index", "methods/auto/index", "contributing/index"):
        assert (tmp_path / "site" / f"{page}.html").exists()
    assert "The main content of a page." in (tmp_path / "site/api/index.html").read_text(encoding="utf-8")
