"""Evaluation on rendered pages: served from this machine, rendered once, kept on disk."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.rendered import rendered as page_of
from thresher.errors import MissingProgram, RenderError
from thresher.evaluate import extractors, rendered
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.measures import Score, labelled_words
from thresher.evaluate.run import evaluate
from thresher.render.saved import save
from thresher.render.serving import serve

PROSE = "The field was ploughed in spring. It was sown a week later, and it grew."
HTML = f"""<title>t</title><link rel=stylesheet href="/a.css"><body data-box="0 0 1000 800">
<div data-box="0 0 200 400"><p>Menu</p><p>More menu</p></div>
<main data-box="220 0 700 400"><p>{PROSE}</p><p>{PROSE}</p></main>"""


@pytest.fixture
def dataset(tmp_path: Path):
    site = tmp_path / "data" / "farm"
    (site / "files" / "news").mkdir(parents=True)
    (site / "gold").mkdir()
    (site / "files" / "news" / "index.html").write_text(HTML)
    (site / "files" / "a.css").write_text("p { color: green }")
    (site / "files" / "old.php").write_text("<p>Old")
    (site / "gold" / "1.txt").write_text(f"{PROSE}\n{PROSE}")
    label = {
        "path": "news/index.html", "url": "http://farm.test/news/index.html", "page_type": "article",
        "gold_selectors": ["main"], "exclude_selectors": [], "gold_file": "gold/1.txt",
    }  # fmt: skip
    (site / "site.json").write_text(json.dumps({"key_pages": [label]}))
    return open_dataset(tmp_path / "data")


@pytest.fixture
def shown(monkeypatch):
    """The browser is played by hand-made boxes; the list tells what it was asked for."""
    asked: list[str] = []

    def show(record, pool):
        asked.append(record.id)
        return replace(page_of(record.html.decode()), url=record.url)

    monkeypatch.setattr(rendered, "show", show)
    return asked


def run(dataset, methods, cache, **more):
    return evaluate(dataset, methods, ("bow", "words"), jobs=1, cache=cache, **more)


def test_pages_are_rendered_once_and_only_for_methods_that_read_them(dataset, shown, tmp_path) -> None:
    run(dataset, ["plain", "semantic"], tmp_path / "cache")
    assert shown == []
    said: list[str] = []
    found = run(dataset, ["plain", "layout", "semantic+rendered"], tmp_path / "cache", announce=said.append)
    assert shown == ["farm/news/index.html"]
    assert "rendering 1 pages" in said[0]
    assert [outcome.status for outcome in found.outcomes if not outcome.method.startswith("floor")] == ["done"] * 3
    assert found.select("layout")[0].scores["words"] == Score(1, 1, 1)
    assert found.select("plain")[0].scores["words"].precision < 1
    run(dataset, ["layout"], tmp_path / "cache")
    assert len(shown) == 1


def test_another_rendering_is_another_result(dataset, shown, tmp_path) -> None:
    cache = tmp_path / "cache"
    run(dataset, ["layout"], cache)
    (file,) = (cache / "rendered").iterdir()
    save(page_of(HTML.replace("220 0 700 400", "0 400 200 400")), file)  # all in one column
    assert run(dataset, ["layout"], cache).select("layout")[0].scores["words"].precision < 1


@pytest.mark.parametrize("error", [MissingProgram("no browser; install it"), RenderError("it crashed", "crashed")])
def test_without_a_rendering_methods_that_need_one_are_skipped(dataset, monkeypatch, tmp_path, error) -> None:
    def fail(record, pool):
        raise error

    monkeypatch.setattr(rendered, "show", fail)
    said: list[str] = []
    found = run(dataset, ["layout", "plain"], tmp_path / "cache", announce=said.append)
    assert str(error) in said[-1]
    assert [found.select(name)[0].status for name in ("layout", "plain")] == ["skipped", "done"]


def test_who_reads_renderings() -> None:
    read = [name for name in ("layout", "auto+rendered", "auto+siblings+rendered") if extractors.reads_rendering(name)]
    assert len(read) == 3
    assert not any(map(extractors.reads_rendering, ("plain", "site", "auto+siblings", "peer:trafilatura")))


def test_the_server_gives_files_and_nothing_else(dataset) -> None:
    folder = dataset.read("farm/news/index.html").files
    with serve(folder) as host:
        assert _get(host, "/a.css?v=3") == (200, "text/css")
        assert _get(host, "/news/") == (200, "text/html")
        assert _get(host, "/old.php") == (200, "text/html")
        for missing in ("/", "/none.html", "/../site.json", "/%2e%2e/site.json"):
            assert _get(host, missing)[0] == 404


def _get(host: str, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://{host}{path}", timeout=5) as answer:
            return answer.status, answer.headers.get_content_type()
    except urllib.error.HTTPError as error:
        return error.code, ""


def test_words_with_the_label_of_their_text() -> None:
    words = np.array([10, 5, 2, 3])
    gold, kept = np.array([True, True, False, False]), np.array([True, False, True, False])
    assert labelled_words(words, gold, kept) == Score(10 / 12, 10 / 15, 20 / 27)
    with pytest.raises(ValueError, match="different pages"):
        labelled_words(words, gold, kept[:2])
