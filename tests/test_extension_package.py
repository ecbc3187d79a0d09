"""The add-on as a package: what it asks for, what its pages may load, and its archive."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import thresher
from thresher.render.styles import PROPERTIES

EXTENSION = Path(__file__).parents[1] / "extension"
MANIFEST = json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))


def test_it_asks_for_these_permissions_and_the_local_host_only():
    assert MANIFEST["permissions"] == ["activeTab", "storage", "scripting", "contextMenus"]
    assert MANIFEST["host_permissions"] == ["http://127.0.0.1/*"]
    others = {"content_scripts", "externally_connectable", "web_accessible_resources", "optional_permissions"}
    assert not others & MANIFEST.keys()


def test_one_manifest_is_for_both_browsers():
    assert MANIFEST["manifest_version"] == 3
    background = MANIFEST["background"]
    assert [background["service_worker"]] == background["scripts"]
    assert MANIFEST["version"] == thresher.__version__


def test_its_pages_load_nothing_of_others():
    policy = MANIFEST["content_security_policy"]["extension_pages"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert "connect-src http://127.0.0.1:*;" in policy


@pytest.mark.parametrize("path", sorted(EXTENSION.rglob("*.js")), ids=lambda path: path.name)
def test_no_script_writes_markup(path):
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"\.(innerHTML|outerHTML) *=|insertAdjacentHTML|document\.write|\beval\(|new Function", source)


@pytest.mark.parametrize("path", sorted(EXTENSION.rglob("*.html")), ids=lambda path: path.name)
def test_pages_have_no_inline_script_or_style(path):
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]* src=)", source)
    for link in re.findall(r'(?:src|href)="([^"#]+)"', source):
        assert (path.parent / link).is_file()


def test_the_archive_is_made_by_one_command(tmp_path):
    target = tmp_path / "add-on.zip"
    subprocess.run([sys.executable, EXTENSION / "build.py", "-o", target], check=True, capture_output=True)
    first = target.read_bytes()
    subprocess.run([sys.executable, EXTENSION / "build.py", "-o", target], check=True, capture_output=True)
    assert target.read_bytes() == first
    names = set(zipfile.ZipFile(target).namelist())
    assert {"manifest.json", "background.js", "popup/popup.html", "content/capture.js", "icons/128.png"} <= names
    assert not any(name.endswith(".py") for name in names)


def test_it_sends_the_styles_that_rendering_captures():
    source = (EXTENSION / "content" / "capture.js").read_text(encoding="utf-8")
    sides, corners = ("top", "right", "bottom", "left"), ("top-left", "top-right", "bottom-right", "bottom-left")
    words = set(re.findall(r"[\w-]+", source))
    assert "border-${side}-${part}" in source
    assert "border-${side}-width" in source
    assert "border-${corner}-radius" in source
    made = {f"border-{side}-{part}" for side in sides for part in ("width", "style", "color")}
    made |= {f"{kind}-{side}" for kind in ("margin", "padding") for side in sides}
    made |= {f"border-{corner}-radius" for corner in corners}
    assert set(PROPERTIES) <= words | made
