"""Runs: scored, cached, resumed, and going on whatever a page or a method does."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from thresher.errors import NeedsLayout, NeedsSiblings, UnknownMethod
from thresher.evaluate import extractors, versions, work
from thresher.evaluate.cache import CachedScores, Key, ScoreCache
from thresher.evaluate.datasets import DatasetRecord, open_dataset
from thresher.evaluate.extractors import ExtractorOutput
from thresher.evaluate.measures import Score
from thresher.evaluate.results import FLOOR
from thresher.evaluate.run import evaluate, sample

PAGES = {"article/0": "grain", "article/1": "grain and chaff", "forum/2": "more grain"}


@pytest.fixture
def dataset(tmp_path):
    return make(tmp_path / "data", PAGES)


def make(root: Path, pages: dict[str, str]):
    for id, text in pages.items():
        (root / id).parent.mkdir(parents=True, exist_ok=True)
        (root / f"{id}.html").write_text(f"<title>t</title><nav>Home</nav><article><p>{text}</p></article>")
        (root / f"{id}.txt").write_text(text)
    return open_dataset(root)


@pytest.fixture
def fakes(monkeypatch):
    """Methods made of plain functions; `calls` counts what is really run."""
    calls: list[tuple[str, str]] = []

    def fail(record):
        raise RuntimeError("no <grain>")

    def skip(record):
        raise NeedsLayout("needs boxes; run: thresher render")

    def slow(record):
        time.sleep(5)
        return ""

    bodies = {
        "copy": lambda record: record.gold,
        "half": lambda record: record.gold.split()[0],
        "fail": fail,
        "skip": skip,
        "slow": slow,
    }

    def prepare(method):
        def run(record):
            def timed():
                if record.id == "warm-up":
                    return ExtractorOutput("")
                if not method.startswith(FLOOR):
                    calls.append((record.id, method))
                return ExtractorOutput(bodies.get(method, lambda record: "")(record))

            return timed

        return run

    monkeypatch.setattr(extractors, "prepare", prepare)
    monkeypatch.setattr(versions, "version", lambda method: "1")
    return calls


def run(dataset, methods, cache, **options):
    return evaluate(dataset, methods, jobs=1, cache=cache, **options)


def test_every_method_is_scored_on_every_page_in_order(dataset, fakes, tmp_path):
    found = run(dataset, ["copy", "half"], tmp_path / "cache", measures=("bow", "lcs"))
    assert [(o.record, o.method) for o in found.outcomes if not o.method.startswith(FLOOR)] == [
        (id, method) for id in PAGES for method in ("copy", "half")
    ]
    assert all(o.scores["bow"] == Score(1, 1, 1) for o in found.select("copy"))
    assert found.select("half")[1].scores["lcs"] == Score(1, pytest.approx(1 / 3), pytest.approx(1 / 2))
    assert found.groups() == ["article", "forum"]
    assert {o.method for o in found.outcomes} >= set(extractors.FLOORS)


def test_a_second_run_computes_nothing_and_says_the_same(dataset, fakes, tmp_path):
    first = run(dataset, ["copy", "half"], tmp_path / "cache")
    fakes.clear()
    assert run(dataset, ["copy", "half"], tmp_path / "cache").outcomes == first.outcomes
    assert fakes == []
    run(dataset, ["copy"], tmp_path / "cache", fresh=True)
    assert len(fakes) == len(PAGES)


def test_only_what_changed_is_computed_again(dataset, fakes, tmp_path, monkeypatch):
    run(dataset, ["copy", "half"], tmp_path / "cache")
    fakes.clear()
    (dataset.root / "forum" / "2.txt").write_text("other gold")  # a label
    run(dataset, ["copy", "half"], tmp_path / "cache")
    assert set(fakes) == {("forum/2", "copy"), ("forum/2", "half")}
    fakes.clear()
    run(dataset, ["copy"], tmp_path / "cache", measures=("bow", "rouge5"))  # a measure
    assert len(fakes) == len(PAGES)
    fakes.clear()
    monkeypatch.setattr(versions, "version", lambda method: "2" if method == "half" else "1")  # code
    run(dataset, ["copy", "half"], tmp_path / "cache")
    assert {method for _, method in fakes} == {"half"}


def test_a_failing_method_scores_zero_and_is_listed(dataset, fakes, tmp_path):
    found = run(dataset, ["fail", "copy"], tmp_path / "cache")
    assert [o.problem for o in found.problems()] == ["RuntimeError: no <grain>"] * len(PAGES)
    assert found.select("fail")[0].scores["bow"] == Score(0, 0, 0)
    assert found.select("copy")[0].scores["bow"].f1 == 1


def test_a_method_that_lacks_evidence_is_skipped_without_a_score(dataset, fakes, tmp_path):
    found = run(dataset, ["skip"], tmp_path / "cache")
    assert {(o.status, o.problem) for o in found.select("skip")} == {("skipped", "needs boxes; run: thresher render")}
    assert not any(o.scores for o in found.outcomes)
    assert found.problems() == []


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")
def test_a_method_that_does_not_end_is_stopped(dataset, fakes, tmp_path):
    job = work.EvaluationJob(dataset, {"slow": "1"}, ("bow",), tmp_path / "cache", time_limit=0.05)
    (_, entry), *_ = work.EvaluationWorker(job).page("forum/2").entries
    assert (entry.status, entry.problem) == ("failed", "took more than 0.05 s")


def test_broken_records_are_counted_and_the_rest_is_scored(dataset, fakes, tmp_path):
    (dataset.root / "forum" / "3.html").write_text("<p>no gold</p>")
    moved = []
    found = run(open_dataset(dataset.root), ["copy"], tmp_path / "cache", advance=lambda: moved.append(1))
    assert [record.id for record in found.broken] == ["forum/3"]
    assert (found.pages, len(found.select("copy")), len(moved)) == (4, 3, 4)


def test_a_record_that_cannot_be_scored_is_broken_and_the_rest_is_scored(dataset, fakes, tmp_path, monkeypatch):
    score = work.score

    def torn(measure, record, extract):
        if record.id == "forum/2":
            raise FileNotFoundError("a file of the record has gone")
        return score(measure, record, extract)

    monkeypatch.setattr(work, "score", torn)
    found = run(dataset, ["copy"], tmp_path / "cache")
    assert [(one.id, one.reason) for one in found.broken] == [
        ("forum/2", "FileNotFoundError: a file of the record has gone")
    ]
    assert len(found.select("copy")) == len(PAGES) - 1


def test_a_sample_is_spread_over_the_data_set():
    assert sample(list("abcdefghij"), 3) == ["a", "d", "g"]
    assert sample(list("abc"), 5) == ["a", "b", "c"]


def test_measures_without_gold_are_left_out(dataset, fakes, tmp_path):
    found = run(dataset, ["copy"], tmp_path / "cache", measures=("nodes", "snippets", "bow"))
    assert found.select("copy")[0].scores.keys() == {"bow"}


def test_entries_come_back_from_the_cache_as_they_went_in(tmp_path):
    key, entry = Key("r", "m", "v"), CachedScores(0.5, "failed", "why", {"bow": Score(0.1, 0.2, 0.3)})
    store = ScoreCache(tmp_path)
    store.put([(key, entry)])
    assert store.get(key) == entry
    assert store.get(Key("r", "m", "w")) is None
    store.close()
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        connection.execute("UPDATE results SET used = '2001-01-01'")
    again = ScoreCache(tmp_path)
    again.touch([key])
    again.drop_unused()
    assert again.get(key) == entry  # asked for today
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        connection.execute("UPDATE results SET used = '2001-01-01'")
    again.drop_unused()
    assert again.get(key) is None


def test_a_run_without_a_place_to_keep_results_says_so_and_goes_on(dataset, fakes, tmp_path):
    expected = [o.scores for o in run(dataset, ["copy", "half"], tmp_path / "cache").outcomes]
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "results.sqlite").write_bytes(b"no database" * 500)
    for cache in (tmp_path / "file" / "below", tmp_path / "damaged"):
        said = []
        found = run(dataset, ["copy", "half"], cache, announce=said.append)
        assert [o.scores for o in found.outcomes] == expected
        (words,) = said
        assert str(cache) in words
        assert "not kept" in words


def test_a_disk_that_fills_up_costs_nothing_but_the_memory_of_the_run(tmp_path):
    said = []
    store = ScoreCache(tmp_path, said.append)
    store._connection.execute("PRAGMA max_page_count = 3")  # a small disk
    key, entry = Key("r", "m", "v"), CachedScores(0.5, "failed", "why" * 10_000)
    store.put([(key, entry)])
    assert "full" in said[0]
    store.put([(key, entry)])
    assert store.get(key) == entry
    assert len(said) == 1


SLOW_RUN = """
    import sys, time
    from pathlib import Path
    from thresher.evaluate import extractors, versions
    from thresher.evaluate.datasets import open_dataset
    from thresher.evaluate.run import evaluate
    output = extractors.ExtractorOutput
    extractors.prepare = lambda method: lambda record: lambda: output(time.sleep(0.02) or record.gold or "")
    versions.version = lambda method: "1"
    evaluate(open_dataset(sys.argv[1]), ["copy"], jobs=1, cache=Path(sys.argv[2]))
"""


def rows(cache: Path) -> dict[tuple[str, str], str]:
    try:
        with sqlite3.connect(cache / "results.sqlite") as connection:
            found = connection.execute("SELECT record, method, entry FROM results").fetchall()
    except sqlite3.OperationalError:  # not there yet
        return {}
    return {(record, method): entry for record, method, entry in found}


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    dataset, cache = make(tmp_path / "data", {f"page/{i:02}": f"grain {i}" for i in range(30)}), tmp_path / "cache"
    command = [sys.executable, "-c", textwrap.dedent(SLOW_RUN), str(dataset.root), str(cache)]
    killed = subprocess.Popen(command)
    while not rows(cache) and killed.poll() is None:
        time.sleep(0.01)
    killed.kill()
    killed.wait()
    before = rows(cache)
    assert 0 < len(before) < 90
    subprocess.run(command, check=True)
    after = rows(cache)
    assert len(after) == 90  # 30 pages, one method, two floors
    assert before.items() <= after.items()  # times and all: not computed again


def test_unknown_methods_are_named_and_missing_peers_left_out(monkeypatch):
    with pytest.raises(UnknownMethod, match=r"no method 'nobody'.*peer:trafilatura"):
        extractors.check(["nobody"])
    monkeypatch.setattr(extractors.peers, "version", lambda name: "")
    usable, missing = extractors.check(["plain", "peer:justext"])
    assert usable == ["plain"]
    assert "'.[bench]'" in missing["peer:justext"]


def test_workers_give_the_same_as_one_process(dataset, tmp_path):
    alone = evaluate(dataset, ["plain"], jobs=1, cache=tmp_path / "a")
    spread = evaluate(dataset, ["plain"], jobs=2, cache=tmp_path / "b")
    assert [(o.record, o.scores) for o in alone.outcomes] == [(o.record, o.scores) for o in spread.outcomes]
    assert alone.select("plain")[0].scores["bow"].recall == 1


DYING_RUN = """
    import os, sys
    from pathlib import Path
    from thresher.evaluate import extractors, run, versions
    from thresher.evaluate.datasets import open_dataset
    extractors.prepare = lambda method: lambda record: lambda: (
        os._exit(9) if record.id == "page/1" else extractors.ExtractorOutput(record.gold or "")
    )
    versions.version = lambda method: "1"
    if __name__ == "__main__":
        found = run.evaluate(open_dataset(sys.argv[1]), ["copy"], jobs=2, cache=Path(sys.argv[2]))
        print([record.id for record in found.broken], len(found.select("copy")))
"""


def test_a_worker_that_dies_takes_one_page_with_it(tmp_path):
    dataset = make(tmp_path / "data", {f"page/{i}": f"grain {i}" for i in range(8)})
    script = tmp_path / "dying.py"  # a file: spawned workers import it again
    script.write_text(textwrap.dedent(DYING_RUN))
    command = [sys.executable, str(script), str(dataset.root), str(tmp_path / "cache")]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ})
    assert answer.stdout.split("\n")[0] == "['page/1'] 7"


def test_siblings_are_given_when_asked_for_or_when_a_method_needs_them(tmp_path, monkeypatch):
    seen = []

    class Found:
        text = "grain"

    def extract(html, method, siblings, **source):
        seen.append((method, [page.url for page in siblings]))
        if method == "site" and not siblings:
            raise NeedsSiblings("needs other pages of the site")
        return Found

    monkeypatch.setattr(extractors.thresher, "extract", extract)
    other = tmp_path / "other.html"
    other.write_text("<p>other</p>")
    record = DatasetRecord("id", b"<p>grain</p>", siblings={"http://a.test/other.html": other})
    for method in ("plain", "plain+siblings", "site"):
        assert extractors.prepare(method)(record)().text == "grain"
    given = ["http://a.test/other.html"]
    assert seen == [("plain", []), ("plain", given), ("site", given)]
    with pytest.raises(NeedsSiblings):
        extractors.prepare("site")(DatasetRecord("id", b""))()


def test_gold_selectors_are_scored_on_the_elements_of_the_page(tmp_path):
    site = tmp_path / "data" / "farm"
    (site / "files").mkdir(parents=True)
    (site / "gold.txt").write_text("Grain")
    (site / "files" / "a.html").write_text("<nav>Home</nav><main><p>Grain</p></main>")
    key = {"path": "a.html", "url": "http://farm.test/a.html", "page_type": "blog", "gold_file": "gold.txt"}
    key |= {"gold_selectors": ["main"], "exclude_selectors": []}
    (site / "site.json").write_text(json.dumps({"key_pages": [key]}))
    found = run(open_dataset(tmp_path / "data"), ["plain"], tmp_path / "cache", measures=("nodes",))
    # plain takes body, nav, main and p; gold are main and p
    assert found.select("plain")[0].scores["nodes"] == Score(2 / 4, 1, 2 * 2 / 6)
