"""Pages of the docs that are written by hand: all of them can be reached, and what they name exists."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import thresher
from thresher.cli import program
from thresher.cli import results as results
from thresher.errors import MissingExtra
from thresher.result.threads.posts import Post

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/*/README.md")]
FOLDERS = ("src", "tests", "benchmarks", "docs")
STABILITY = (ROOT / "docs/stability.md").read_text(encoding="utf-8")


def links(page: Path) -> set[Path]:
    """Files and folders of ours that a page links to, or shows."""
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    named = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"", text)
    targets = (markdown or html for markdown, html in named)
    return {(page.parent / target.partition("#")[0]).resolve() for target in targets if ":" not in target}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert {target for target in links(page) if not target.exists()} == set()


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            for target in links(page):
                waiting += [target] if target.suffix == ".md" else target.glob("*.md") if target.is_dir() else []
    assert set(PAGES) - reached == set()


@pytest.mark.parametrize("page", ["SECURITY.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/stability.md"])
def test_files_that_a_page_names_exist(page: str) -> None:
    named = set(re.findall(r"`(\w+/[\w./*-]*)`", (ROOT / page).read_text(encoding="utf-8")))
    made_up = {name for name in named if re.search(r"[A-Z]{3,}(?!\.md)", name)}  # NAME.py stands for any
    places = (ROOT, ROOT / "src/thresher", ROOT / "src/thresher/evaluate")
    assert {name for name in named - made_up if not any([*place.glob(name.rstrip("/"))] for place in places)} == set()


# Printed pages and the changelog apart: that names what there was.
WRITTEN = [page for page in PAGES if page.parent.name not in ("commands", "methods") and page.name != "CHANGELOG.md"]


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_modules_and_names_of_ours_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = {f"/{path.relative_to(ROOT)}" for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    for name in re.findall(r"`([\w/-]+\.py)`", text):
        assert any(file.endswith(f"/{name}") for file in files) or name.endswith("NAME.py"), name
    for module, names in re.findall(r"^from (thresher[\w.]*) import ([\w, ]+)", text, re.MULTILINE):
        for name in names.split(","):
            resolved(f"{module}.{name.strip()}")
    for name in re.findall(r"`(thresher(?:\.\w+)+)[`(]", text):
        if name != "thresher.toml":  # a file
            resolved(name)


def resolved(name: str) -> object:
    """What a dotted name stands for; an error if there is nothing."""
    try:
        return importlib.import_module(name)
    except MissingExtra:
        return None  # of a library that is not installed: tests/test_integrations.py knows the module
    except ModuleNotFoundError:
        module, _, last = name.rpartition(".")
        home = resolved(module)
        return None if home is None else getattr(home, last)


def test_the_dark_picture_of_the_flow_is_the_light_one_in_other_colours() -> None:
    light, dark = (
        (ROOT / f"docs/images/flow-{scheme}.svg").read_text(encoding="utf-8") for scheme in ("light", "dark")
    )
    assert light != dark
    assert re.sub("<style>.*?</style>", "", light) == re.sub("<style>.*?</style>", "", dark)


def test_the_public_names_are_those_of_the_package() -> None:
    rows = dict(re.findall(r"^\| `(thresher[\w.]*)` \| (.*) \|$", STABILITY, re.MULTILINE))
    for module, listed in rows.items():
        for name in re.findall(r"`(\w+)`", listed):
            assert hasattr(importlib.import_module(module), name), f"{module}.{name}"
    assert sorted(re.findall(r"`(\w+)`", rows["thresher"])) == sorted(thresher.__all__)


def test_the_fields_of_the_json_are_those_of_a_result() -> None:
    section = STABILITY.split("## JSON")[1].split("A field keeps")[0]
    result = thresher.extract("<title>Title</title><p>Some text.").to_dict(blocks=True)
    fields = {*result, *result["blocks"][0], *Post.__dataclass_fields__}
    assert set(re.findall(r"`(\w+)`", section)) == fields


def test_the_exit_codes_are_those_of_the_program() -> None:
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", STABILITY, re.MULTILINE)}
    own = {results.DONE, results.FAILED, results.NOTHING, results.HELD_BACK}
    assert listed == own | {2, program._EXIT_INTERRUPTED}
