"""Versions and elements: what a cached result depends on, and which elements a verdict takes."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.evaluate import elements, versions
from thresher.parse import parse


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of a few files in place of ours."""
    root = tmp_path / "thresher"
    sources = {
        "__init__.py": "",
        "result/extraction.py": "from thresher import methods\nfrom thresher.parse import parse\n",
        "parse/parse.py": "from thresher.css import rules\n",
        "css/rules.py": "",
        "methods/__init__.py": "",
        "methods/one.py": "from thresher.methods._shared import x\nfrom thresher.parse import parse\n",
        "methods/two.py": "from . import _shared\nimport thresher.learn.trees\n",
        "methods/_shared.py": "x = 1\n",
        "learn/__init__.py": "",
        "learn/trees.py": "",
        "data/words.txt": "the\n",
        "evaluate/measures.py": "",
    }
    for name, source in sources.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(source)
    monkeypatch.setattr(versions, "ROOT", root)
    return root


@pytest.mark.parametrize(
    ("changed", "methods"),
    [
        ("methods/one.py", {"one"}),
        ("methods/two.py", {"two"}),
        ("learn/trees.py", {"two"}),
        ("methods/_shared.py", {"one", "two"}),
        ("parse/parse.py", {"one", "two"}),
        ("css/rules.py", {"one", "two"}),
        ("data/words.txt", {"one", "two"}),
        ("evaluate/measures.py", {"one", "two"}),
        ("README", set()),
    ],
)
def test_a_change_reaches_the_methods_that_depend_on_it(package, changed, methods):
    before = {method: versions.version(method) for method in ("one", "two")}
    with (package / changed).open("a") as file:
        file.write("# changed\n")
    assert {method for method in before if versions.version(method) != before[method]} == methods


def test_a_model_of_ones_own_is_part_of_the_version(package, tmp_path):
    seen = {versions.version("one")}
    for content in (b"a", b"b"):
        (tmp_path / "my model.npz").write_bytes(content)
        seen |= {
            versions.version(f"one:model={tmp_path}/my model.npz"),
            versions.version(f"one:model={tmp_path}/my model.npz+siblings"),
        }
    assert len(seen) == 3


def test_a_peer_has_the_version_of_its_library(monkeypatch):
    monkeypatch.setattr(versions.peers, "version", lambda method: "justext 3.0")
    assert versions.version("peer:justext").startswith("justext 3.0 ")


PAGE = parse(
    "<body><nav><a>Home</a></nav><template><i>inert</i></template>"
    "<div id=content><h1>Title</h1><p>One <img> two</p><p class=ad>Buy</p><hr></div></body>"
)


def rows(mask) -> list[str]:
    return [PAGE.name(row) for row in np.flatnonzero(mask)]


def test_gold_elements_are_subtrees_without_the_excluded_ones():
    assert rows(elements.gold_elements(PAGE, ["#content"], [".ad"])) == ["div", "h1", "p", "img", "hr"]
    assert rows(elements.gold_elements(PAGE, ["nav", "h1"], [])) == ["nav", "a", "h1"]


def test_kept_elements_end_at_the_smallest_common_ancestor():
    texts = np.array([text.strip() for text in PAGE.text])
    assert rows(elements.kept_elements(PAGE, np.isin(texts, ["Title", "One", "two"]))) == ["div", "h1", "p", "img"]
    assert rows(elements.kept_elements(PAGE, np.isin(texts, ["Title", "One", "two", "Buy"]))) == [
        *("div", "h1", "p", "img", "p", "hr")
    ]
    assert rows(elements.kept_elements(PAGE, texts == "One")) == ["p"]
    assert rows(elements.kept_elements(PAGE, texts == "")) == []
