"""Labels on elements become texts, data sets and models: inheritance, outlines, queues, exports, retraining."""

from __future__ import annotations

import gzip
import io
import time
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests import archives
from tests.rendered import rendered
from tests.strategies import pages
from tests.web_app import client
from tests.web_app import page as article
from thresher.cli import main
from thresher.errors import DatasetError
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.run import evaluate
from thresher.labelling import export
from thresher.labelling.gold import gold_text, keep, shares
from thresher.labelling.outline import outline
from thresher.labelling.queue import Loaded, Missing, keep_page, open_queue
from thresher.labelling.retrain import RetrainJob, retrain
from thresher.labelling.retraining import Retraining
from thresher.labelling.store import LabelStore
from thresher.labelling.tasks import suggested_labels
from thresher.learn.labelfile import label, read
from thresher.methods.auto.model import weights
from thresher.methods.seeker.model import load
from thresher.page.xpath import xpath, xpaths
from thresher.render.saved import save
from thresher.visible.readable import readable


@settings(max_examples=30, deadline=None)
@given(page=pages(), data=st.data())
def test_a_label_holds_for_what_is_below_unless_that_has_its_own(page, data):
    rows = data.draw(st.lists(st.integers(0, len(page) - 1), max_size=5, unique=True))
    said = {row: data.draw(st.sampled_from(["content", "noise"])) for row in rows}
    labels = [label("1", xpath(page, row), name, "ada") for row, name in said.items()]

    def naive(text):  # climb until somebody said something
        row = int(page.owner[text])
        while row >= 0 and row not in said:
            row = int(page.parent[row])
        return np.nan if row < 0 else float(said[row] == "content")

    wanted = [naive(text) for text in range(len(page.start))]
    np.testing.assert_array_equal(shares(page, labels), wanted)
    np.testing.assert_array_equal(keep(page, labels), (np.array(wanted) == 1) & readable(page))


@settings(max_examples=30, deadline=None)
@given(page=pages())
def test_an_outline_shows_every_readable_text_once_and_nests(page):
    items = outline(page)
    leaves = [one for one in items if one.text]
    shown = "".join("".join(one.text.split()) for one in leaves)
    body = outline(page)[0].row if items else 0
    texts = [t for t in range(page.first[body], page.last[body]) if readable(page)[t]]
    assert sum(one.words for one in leaves) == (items[0].words if items else 0)
    assert len(shown) <= sum(len("".join(page.text[t].split())) for t in texts)
    for number, one in enumerate(items):
        assert one.parent < number < one.end <= len(items)
        if one.parent >= 0:
            assert one.end <= items[one.parent].end
            assert items[one.parent].element
            assert items[one.parent].depth == one.depth - 1
    paths = [one.xpath for one in items if one.element]
    assert len(paths) == len(set(paths))


def test_an_outline_has_loose_texts_and_labelled_elements():
    page = thresher.parse("<body><div>Loose <p>In a paragraph</p> more<br>again</div><div><p><b>Bold</b></p></div>")
    found = [(one.name or "text", one.text) for one in outline(page)]
    assert found == [
        ("body", ""),
        ("div", ""),
        ("text", "Loose"),
        ("p", "In a paragraph"),
        ("text", "more again"),
        ("div › b", "Bold"),
    ]
    again = [one.xpath for one in outline(page, {"/html/body/div[2]/p/b"})]
    assert again[-1] == "/html/body/div[2]/p/b"


def test_zones_of_a_rendered_page_can_be_chosen(tmp_path):
    html = """<body data-box="0 0 1000 800"><div data-box="0 0 700 100"><span data-box="0 0 300 50 block">One</span>
      <span data-box="0 50 300 50 block">Two</span></div></body>"""
    assert "/html/body/div/span[1]" not in [one.xpath for one in outline(thresher.parse(html))]
    page = rendered(html)
    assert [one.xpath for one in outline(page)] == ["/html/body", "/html/body/div/span[1]", "/html/body/div/span[2]"]
    (tmp_path / "pages").mkdir()
    save(page, tmp_path / "pages" / "one.json.gz")
    queue, store = open_queue(tmp_path / "pages"), LabelStore(tmp_path / "labels.jsonl")
    store.add("one", "ada", [("/html/body/div/span[2]", "content")])
    store.mark("one", "ada", "done")
    (made,) = export.labelled_pages(queue, store)
    assert made.gold == "Two"
    assert [one.strip() for one in thresher.parse(made.html).text] == ["One", "Two"]


@settings(max_examples=15, deadline=None)
@given(page=pages(), data=st.data())
def test_the_rest_as_auto_says_leaves_given_labels_alone(page, data):
    markup = page.markup
    page = thresher.parse(markup)
    paths = xpaths(page, range(len(page)))
    given_ = data.draw(st.lists(st.sampled_from(paths), max_size=2, unique=True))
    found = suggested_labels({"labelled": given_}, [markup])["labels"]
    assert not {path for path, _ in found} & set(given_)
    rows = [paths.index(path) for path, _ in found]
    for row, other in pairwise(rows):
        assert other >= page.end[row]  # none stands in another


def _labelled(tmp_path: Path, count: int = 3) -> tuple[object, LabelStore]:
    folder = tmp_path / "pages"
    (folder / "deeper").mkdir(parents=True)
    for number in range(count):
        target = folder / ("deeper" if number else "") / f"page {number}.html"
        target.write_text(article(title=f"Title {number}", text=f"Number {number}."), encoding="utf-8")
    (folder / "other.html.gz").write_bytes(gzip.compress(article().encode()))
    queue = open_queue(folder)
    store = LabelStore(tmp_path / "labels.jsonl")
    for entry in queue.entries:
        if entry.id != "other":
            store.add(entry.id, "ada", [("/html/body/article", "content"), ("/html/body/nav", "noise")])
            store.add(entry.id, "ada", [("/html/body/article/p[4]", "noise"), ("/html/body/article", "good_segment")])
            store.mark(entry.id, "ada", "done")
    return queue, store


def test_an_export_is_a_data_set_that_evaluate_and_train_read(tmp_path):
    queue, store = _labelled(tmp_path)
    store.add("other", "ada", [("/html", "content")])  # begun, not finished
    made = list(export.labelled_pages(queue, store))
    export.write_dataset(made, tmp_path / "set")
    dataset = open_dataset(tmp_path / "set")
    assert dataset.kind == "folder"
    records = list(dataset)
    assert sorted(one.id for one in records) == sorted(one.name for one in made)
    gold = records[0].gold
    assert gold.count("threshing machine") == 9
    assert "home" not in gold
    run = evaluate(dataset, ["auto"], jobs=1, cache=tmp_path / "cache")
    judged = run.select("auto")
    assert len(judged) == 3
    assert all(one.scores["bow"].f1 > 0.8 for one in judged)
    labels = read(tmp_path / "set" / "labels.jsonl")
    assert {one.page for one in labels} == set(dataset.ids())
    assert len(labels) == 12
    with zipfile.ZipFile(io.BytesIO(export.zip_archive(made))) as archive:
        for name in archive.namelist():
            assert archive.read(name) == (tmp_path / "set" / name).read_bytes()
    assert export.zip_archive(made) == export.zip_archive(made)


def test_the_encoding_that_only_the_server_knew_is_exported(tmp_path):
    store = LabelStore(tmp_path / "labels.jsonl")
    (tmp_path / "urls.txt").write_text("https://example.org/a\n# not this\n\nhttps://example.org/b\n")
    queue = open_queue(tmp_path / "urls.txt", tmp_path / "kept")
    first = queue.entries[0]
    with pytest.raises(Missing) as missing:
        first.load()
    assert missing.value.url == "https://example.org/a"
    body = "<body><p>Öhren, Ährenfeld, Größe</p>".encode("iso-8859-2")
    keep_page(tmp_path / "kept", "https://example.org/a", Loaded(body, "https://example.org/A", "iso-8859-2"))
    assert first.load() == Loaded(body, "https://example.org/A", "iso-8859-2")
    store.add(first.id, "ada", [("/html/body/p", "content")])
    store.mark(first.id, "ada", "done")
    (made,) = export.labelled_pages(queue, store)
    assert thresher.parse(made.html).text == ("Öhren, Ährenfeld, Größe",)
    assert made.gold == "Öhren, Ährenfeld, Größe"
    assert made.name.startswith("https-example.org-a-")
    export.write_dataset([made], tmp_path / "set")
    (record,) = open_dataset(tmp_path / "set")
    assert record.url == "https://example.org/A"  # where it was found in the end


def test_a_broken_record_of_a_data_set_is_a_page_that_is_missing(tmp_path):
    (tmp_path / "ground-truth.jsonl").write_text('{"id": "1", "main_content": "Grain"}\n{no json\n')
    for entry in open_queue(tmp_path).entries:
        with pytest.raises(Missing, match=r"FileNotFoundError|JSONDecodeError"):
            entry.load()


def test_an_archive_is_a_queue(tmp_path):
    path = tmp_path / "pages.warc.gz"
    records = [*archives.records(3), archives.record(archives.response(archives.page(7)), 1)]
    path.write_bytes(b"".join(map(gzip.compress, records)))
    queue = open_queue(path)
    assert [one.id for one in queue.entries] == [
        "http://example.org/0", "http://example.org/1", "http://example.org/2", "http://example.org/1 (2)"
    ]  # fmt: skip
    assert [f"Page {n}".encode() in queue.entries[i].load().data for i, n in enumerate((0, 1, 2, 7))] == [True] * 4
    assert queue.entries[3].load().encoding == "utf-8"


def test_the_least_certain_come_first_and_finished_ones_last(tmp_path):
    queue, _ = _labelled(tmp_path)
    ids = [one.id for one in queue.entries]
    queue.confidence.update(dict(zip(ids, (0.9, 0.2, 0.5), strict=False)))
    assert [one.id for one in queue.order()] == [ids[1], ids[2], ids[0], ids[3]]
    assert [one.id for one in queue.order({ids[1]: ["ada"]})] == [ids[2], ids[0], ids[3], ids[1]]


@pytest.mark.parametrize("name", ["empty", "nothing.bin", "absent"])
def test_what_is_no_queue_is_told(tmp_path, name):
    (tmp_path / "empty").mkdir()
    (tmp_path / "nothing.bin").write_bytes(b"\x7fELF")
    with pytest.raises(DatasetError):
        open_queue(tmp_path / name)


def test_disagreement_by_half_is_no_content():
    page = thresher.parse(article())
    path = "/html/body/article"
    both = [label("1", path, "content", "ada"), label("1", path, "noise", "grace")]
    assert gold_text(page, both) == ""
    assert "threshing" in gold_text(page, [*both, label("1", path, "content", "eve")])


@pytest.mark.parametrize("method", ["auto", "seeker"])
def test_a_retraining_judges_each_page_before_and_after_by_models_that_have_not_seen_it(tmp_path, method):
    pytest.importorskip("sklearn")
    queue, store = _labelled(tmp_path, 2)
    export.write_dataset(export.labelled_pages(queue, store), tmp_path / "set")
    export.write_dataset(export.labelled_pages(queue, store), tmp_path / "base")
    told = []
    job = RetrainJob(method, str(tmp_path / "set"), str(tmp_path / "model.npz"), (str(tmp_path / "base"),))
    result = retrain(job, lambda *step: told.append(step))
    assert result["folds"] == 2
    own = [row for row in result["rows"] if not row["base"]]
    assert len(own) == 2
    for row in own:
        assert not row["seen"]
        assert 0 <= row["before"] <= 1
        assert 0 <= row["after"] <= 1
        assert row["change"] in ("better", "worse", "same")
    assert result["labelled"]["pages"] == 2
    assert all(0 < done <= of for _, done, of in told)
    model = weights(str(tmp_path / "model.npz")) if method == "auto" else load(str(tmp_path / "model.npz"))
    shipped = weights("") if method == "auto" else load("")
    assert set(shipped) <= set(model)
    page = thresher.parse(article())
    assert thresher.extract(page, method=method, options={"model": str(tmp_path / "model.npz")}).text


def test_a_retraining_can_be_cancelled_and_is_accepted_only_when_done(tmp_path):
    queue, store = _labelled(tmp_path, 2)
    folder = Retraining.workplace()
    export.write_dataset(export.labelled_pages(queue, store), folder / "data")
    run = Retraining(RetrainJob("auto", str(folder / "data"), str(folder / "model.npz")), folder)
    with pytest.raises(ValueError, match="no model"):
        run.accept(tmp_path / "models" / "mine.npz")
    run.cancel()
    run.wait(20)
    assert run.state == "cancelled"
    run.close()
    assert not folder.exists()
    assert not (tmp_path / "models").exists()


def test_a_retraining_that_fails_says_why(tmp_path):
    folder = Retraining.workplace()
    run = Retraining(RetrainJob("auto", str(tmp_path / "absent"), str(folder / "model.npz")), folder)
    run.wait(60)
    assert run.state == "failed"
    assert "no such folder" in run.problem
    run.close()


def test_the_command_line_tells_what_cannot_be_labelled(tmp_path):
    pytest.importorskip("fastapi")
    (tmp_path / "empty").mkdir()
    found = CliRunner().invoke(main, ["serve", "--port", "0", "--no-open", "--label", str(tmp_path / "empty")])
    assert found.exit_code == 1
    assert "holds no pages" in found.output


def test_an_export_keeps_plain_names_and_folders_and_gives_others_new_ones(tmp_path):
    names = [
        "forum/2024/a.b",
        "forum/A",
        "page",
        "with space",
        "../page",
        ".hidden/x",
        "https://example.org/?a",
        "a//b",
        "漢",
    ]
    taken: set[str] = set()
    found = [export._name(name, taken) for name in [*names, "Page"]]
    assert found[:3] == names[:3]
    assert len(set(map(str.lower, found))) == len(found)
    for name in found:
        (tmp_path / "set" / name).resolve().relative_to(tmp_path / "set")
        assert not any(part.startswith(".") for part in name.split("/"))


def test_nobody_is_sent_to_pages_that_cannot_be_read(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "article.html").write_text(article(), encoding="utf-8")
    (tmp_path / "pages" / "cut.html.gz").write_bytes(gzip.compress(article().encode())[:60])
    (tmp_path / "pages" / "paper.html").write_bytes(b"%PDF-1.7 ...")
    given = {"label": tmp_path / "pages", "labels": tmp_path / "labels.jsonl", "workers": 1}
    with client(**given) as app:
        found = app.app.state.label_session
        while found.scored < 3:
            time.sleep(0.05)
        sent = []
        while (entry := found.next_for("ada")) is not None:
            sent.append(entry.id)
            found.store.mark(entry.id, "ada", "done")
    assert sent == ["article", "paper"]
