"""docs/migrate.md has an answer to every option of the extractors that people come from, as they are installed."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from optparse import OptionParser
from pathlib import Path
from typing import Any

import pytest

TEXT = (Path(__file__).parents[1] / "docs" / "migrate.md").read_text(encoding="utf-8")
_CODE = re.compile(r"`([^`]+)`")
_COMMON = {"-h", "--help", "self", "kwargs"}


def answered(section: str) -> str:
    """What stands as code in the left columns of a section's tables."""
    part = TEXT.split(f"\n## {section}\n", 1)[1].split("\n## ", 1)[0]
    left = (line.split("|")[1] for line in part.splitlines() if line.startswith("| "))
    return " ".join(code for cell in left for code in _CODE.findall(cell))


def unanswered(section: str, names: Iterable[str]) -> list[str]:
    known = answered(section)
    return sorted(name for name in {*names} - _COMMON if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", known))


def parameters(*functions: Callable[..., Any]) -> set[str]:
    return {name for function in functions for name in inspect.signature(function).parameters}


def options_of(monkeypatch: pytest.MonkeyPatch, parser: type, call: Callable[[], object]) -> set[str]:
    """The options that a program's parser knows when it is asked to parse."""
    seen: set[str] = set()

    def stop(self: Any, *arguments: object, **more: object) -> object:
        known = self._actions if parser is argparse.ArgumentParser else self.option_list
        for option in known:
            seen.update(option.option_strings if parser is argparse.ArgumentParser else option._short_opts)
            seen.update([] if parser is argparse.ArgumentParser else option._long_opts)
        raise KeyboardInterrupt

    monkeypatch.setattr(parser, "parse_args", stop)
    with pytest.raises(KeyboardInterrupt):
        call()
    assert len(seen) > 5
    return seen


def test_trafilatura(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = pytest.importorskip("trafilatura")
    functions = [getattr(theirs, name) for name in theirs.__all__ if name != "load_html"]
    known = {"filecontent", "content"}
    assert unanswered("trafilatura", {*theirs.__all__, *parameters(*functions)} - known) == []
    cli = import_module("trafilatura.cli")
    assert unanswered("trafilatura", options_of(monkeypatch, argparse.ArgumentParser, lambda: cli.parse_args([]))) == []


def test_readability(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = pytest.importorskip("readability.readability")
    document = theirs.Document
    asked = ["summary", "title", "short_title", "author", "content", "get_clean_html"]
    assert unanswered("readability-lxml", {*parameters(document.__init__, document.summary), *asked} - {"input"}) == []
    assert unanswered("readability-lxml", options_of(monkeypatch, OptionParser, theirs.main)) == []


def test_newspaper(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = pytest.importorskip("newspaper")
    article = theirs.Article("https://example.org/")
    internal = {"config", "extractor", "url", *"clean_doc set_movies fetch_images".split()}
    internal |= {name for name in dir(article) if name.startswith("throw_if")}
    fields = {name for name in dir(article) if not name.startswith("_")} - internal
    settings = {name.lstrip("_") for name in vars(theirs.Config())} - {"honor_robotstxt"}
    settings |= {name for name in vars(theirs.Config) if name.islower() and not name.startswith("_")} - {"update"}
    build = parameters(theirs.build) - {"config"}
    assert unanswered("newspaper4k", fields | settings | build) == []
    cli = import_module("newspaper.cli")
    options = options_of(monkeypatch, argparse.ArgumentParser, lambda: cli.get_arparse().parse_args([]))
    assert unanswered("newspaper4k", options) == []


def test_resiliparse() -> None:
    theirs = pytest.importorskip("resiliparse.extract.html2text")
    assert unanswered("resiliparse", parameters(theirs.extract_plain_text)) == []


def test_an_option_nobody_wrote_about_is_noticed() -> None:
    assert unanswered("resiliparse", ["links", "link", "main"]) == ["link", "main"]
