"""What mkdocs needs to know of this folder: pages beside it are part of the site, and folders have a page of their own.

../CONTRIBUTING.md, ../SECURITY.md, ../CHANGELOG.md    become contributing.md, security.md, changelog.md
commands/, methods/                                     links to the folder lead to its first page
other files of the repository                           are named, not linked
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
BESIDE = {name: f"{name.lower()}" for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")}
FOLDERS = {"commands": "commands/extract.md", "methods": "methods/auto.md", ".": "index.md"}
_LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s:]+)\)")
_INFO = re.compile(r"^(```\w+) .*")  # what the tests are told of a block (tests/test_docs_shell.py)
_FENCED = re.compile(r"(^(```|~~~).*?^\2\s*$)", re.DOTALL | re.MULTILINE)


def on_config(config: Any) -> Any:
    """A folder in the navigation stands for all its pages."""
    config.nav = [_expanded(entry) for entry in config.nav]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Pages beside the docs join them."""
    for name, own in BESIDE.items():
        files.append(File.generated(config, own, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links as they are in the repository, turned into those of the site; code stays as it is."""
    own = page.file.src_uri
    beside = {own: name for name, own in BESIDE.items()}.get(own)
    # Where the page stands in the repository: links are relative to that.
    home = dirname(beside or f"docs/{own}")
    pieces = _FENCED.split(markdown)
    text = [
        _INFO.sub(r"\1", piece) if number % 3 else _LINK.sub(lambda link: _relinked(link, home, own), piece)
        for number, piece in enumerate(pieces)
        if number % 3 != 2  # the mark of a fence, which is in the piece before
    ]
    return "".join(text)


def _expanded(entry: Any) -> Any:
    if isinstance(entry, dict):
        ((title, value),) = entry.items()
        if isinstance(value, list):
            return {title: [_expanded(each) for each in value]}
        if value.endswith("/"):
            return {title: [f"{value}{file.name}" for file in sorted((ROOT / "docs" / value).glob("*.md"))]}
    return entry


def _relinked(link: re.Match[str], home: str, own: str) -> str:
    mark, words, target = link.groups()
    place, _, fragment = target.partition("#")
    if not place:
        return link[0]
    file = normpath(join(home, place))
    if file in BESIDE:
        inside = BESIDE[file]
    elif file == "README.md":
        inside = "index.md"
    elif file.startswith("docs/") or file == "docs":
        inside = FOLDERS.get(relpath(file, "docs"), relpath(file, "docs"))
        inside = "index.md" if inside == "README.md" else inside
    else:
        return f"`{file}`"
    return f"{mark}[{words}]({relpath(inside, dirname(own) or '.')}{'#' + fragment if fragment else ''})"
