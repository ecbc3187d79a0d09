"""Rendered pages in data sets, and what `seeker` learns of them: position, width, height (paper 000, section 2.2)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tests.rendered import rendered
from thresher.cli import main as cli
from thresher.errors import DatasetError
from thresher.evaluate.datasets import DatasetRecord, open_dataset
from thresher.evaluate.rendered import page_of, render_missing, with_rendering
from thresher.labelling import export
from thresher.labelling.queue import open_queue
from thresher.labelling.store import LabelStore
from thresher.learn.seeker.examples import examples, has_layout, without_layout
from thresher.learn.seeker.learners import LEARNERS, SETTINGS, _learner
from thresher.learn.seeker.splits import splits, training_sites
from thresher.methods import seeker
from thresher.methods.seeker import Options
from thresher.methods.seeker.features import FEATURES, LAYOUT
from thresher.render.saved import save

WORDS = "The harbour was quiet that morning, and the gulls had not yet found the nets that lay along the wall."


def two_columns(number: int) -> str:
    """Two columns alike in everything but their places; the wide one, first or second, is content."""
    wide = f'<div data-box="300 0 700 400"><p data-box="300 0 700 400">{WORDS} Wide {number}.</p></div>'
    narrow = f'<div data-box="0 0 200 400"><p data-box="0 0 200 400">{WORDS} Slim {number}.</p></div>'
    return f'<body data-box="0 0 1000 400">{wide + narrow if number % 2 else narrow + wide}</body>'


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    (root / "article").mkdir()
    for k in range(20):
        (root / f"article/{k}.html").write_text(two_columns(k))
        (root / f"article/{k}.txt").write_text(f"{WORDS} Wide {k}.")
        save(rendered(two_columns(k)), root / f"article/{k}.json.gz")
    return root


def record_of(root: Path, id: str) -> DatasetRecord:
    record = open_dataset(root).load(id)
    assert isinstance(record, DatasetRecord)
    return record


def test_a_rendering_beside_a_page_belongs_to_its_record(dataset: Path, tmp_path: Path) -> None:
    opened = open_dataset(dataset)
    assert opened.kind == "folder"
    assert len(opened) == 20
    record = record_of(dataset, "article/3")
    assert record.page_file == dataset / "article/3.json.gz"
    assert page_of(record).box is not None
    assert with_rendering(record, tmp_path) is record
    render_missing(opened, list(opened.ids()), tmp_path, pytest.fail)  # nothing is missing


def test_a_common_name_will_do_for_the_only_page_of_a_folder(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "index.html").write_text("<p>Text")
        (tmp_path / folder / "index.txt").write_text("Text")
        save(rendered("<p>Text"), tmp_path / folder / "page.json.gz")
    (tmp_path / "two" / "other.html").write_text("<p>Other")
    (tmp_path / "two" / "other.txt").write_text("Other")
    assert record_of(tmp_path, "one/index").page_file == tmp_path / "one/page.json.gz"
    assert record_of(tmp_path, "two/index").page_file is None


def test_a_damaged_rendering_costs_its_page_alone(dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "1.html").write_text(two_columns(1))
    (tmp_path / "1.txt").write_text(f"{WORDS} Wide 1.")
    (tmp_path / "1.json.gz").write_bytes(b"no rendering")
    (broken,) = examples(open_dataset(tmp_path))
    assert "1" in str(getattr(broken, "id", ""))
    assert "cannot be unpacked" in broken.reason  # type: ignore[union-attr]


def test_visual_features_are_learned_and_nothing_else_tells_the_columns_apart(dataset: Path, tmp_path: Path) -> None:
    """By hand: x and width of the content are 0.3 and 0.7 of the document, of the other column 0 and 0.2."""
    page = next(iter(examples(open_dataset(dataset))))
    shown = dict(zip(FEATURES[LAYOUT], page.x[page.content][0][LAYOUT].tolist(), strict=True))  # type: ignore[union-attr]
    assert has_layout(page)  # type: ignore[arg-type]
    assert not has_layout(without_layout(page))  # type: ignore[arg-type]
    assert shown["layout x"] == pytest.approx(0.3)
    assert shown["layout width"] == pytest.approx(0.7)
    arguments = [
        "train",
        "seeker",
        "--data",
        str(dataset),
        "-o",
        str(tmp_path / "m.npz"),
        "--folds",
        "2",
        "--measured",
        "4",
    ]
    done = CliRunner().invoke(cli, [*arguments, "--report", str(tmp_path / "tables.md")])
    assert done.exit_code == 0, done.output
    card = json.loads((tmp_path / "m.json").read_text())
    (facts,) = card["types"].values()
    assert facts["rendered"] == facts["pages"] == 20
    tables = (tmp_path / "tables.md").read_text()
    for name in (*LEARNERS, "CS+LBS"):
        assert f"| {name} |" in tables
        assert f"| {name}, without visual features |" in tables
    content = seeker.load_model(str(tmp_path / "m.npz"))
    (trees,) = content.values()
    assert {FEATURES[k] for k in trees.content.feature if k >= 0} & set(FEATURES[LAYOUT])
    unseen = rendered(two_columns(77))
    keep = seeker.judge(unseen, Options(model=str(tmp_path / "m.npz"), post_filter="none")).keep
    assert [unseen.text[k] for k in np.flatnonzero(keep)] == [f"{WORDS} Wide 77."]


def test_labels_given_on_a_rendered_page_keep_its_boxes(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    page = rendered(two_columns(1))
    save(page, tmp_path / "pages" / "one.json.gz")
    queue, store = open_queue(tmp_path / "pages"), LabelStore(tmp_path / "labels.jsonl")
    store.add("one", "ada", [("/html/body/div[1]", "content")])
    store.mark("one", "ada", "done")
    made = list(export.labelled_pages(queue, store))
    export.write_dataset(made, tmp_path / "out")
    again = page_of(record_of(tmp_path / "out", "one"))
    np.testing.assert_array_equal(again.box, page.box)
    assert [again.name(row) for row in range(len(again))] == [page.name(row) for row in range(len(page))]
    assert "one.json.gz" in str(export.zip_archive(made))
    assert [entry.id for entry in open_queue(tmp_path / "out").entries] == ["one"]


def test_a_tenth_of_the_pages_trains_and_no_source_is_on_both_sides() -> None:
    sites = [f"site-{k % 30}" for k in range(300)]
    ((training, judged),) = splits(sites, 10, 0.1)
    assert (len(training), len(judged)) == (30, 270)
    assert not {sites[k] for k in training} & {sites[k] for k in judged}
    assert training_sites(sites, 0.1, seed=1) != training_sites(sites, 0.1, seed=2)


@pytest.mark.parametrize("share", [0.01, 0.99])
def test_at_least_one_source_trains_and_one_is_judged(share: float) -> None:
    sites = ["a"] * 9 + ["b"] * 3 + ["c"] * 5
    ((training, judged),) = splits(sites, 10, share)
    assert training
    assert judged
    assert share > 0.5 or {sites[k] for k in training} == {"b"}


def test_the_learners_have_the_settings_of_weka() -> None:
    tree, forest, machine, perceptron = (_learner(name, 0, 100, 64) for name in LEARNERS)
    assert (tree.criterion, tree.min_samples_leaf) == ("entropy", 2)
    assert (forest.n_estimators, forest.max_features) == (10, 7)
    assert (machine.kernel, machine.C) == ("linear", 1.0)
    assert perceptron.hidden_layer_sizes == (33,)
    assert (perceptron.learning_rate_init, perceptron.momentum, perceptron.max_iter) == (0.3, 0.2, 500)
    assert set(SETTINGS) == set(LEARNERS)


def test_the_command_trains_on_a_share(dataset: Path, tmp_path: Path) -> None:
    arguments = ["train", "seeker", "--data", str(dataset), "-o", str(tmp_path / "m.npz"), "--train-share", "0.1"]
    done = CliRunner().invoke(cli, [*arguments, "--folds", "2", "--report"])
    assert done.exit_code == 0, done.output
    assert "0.1 of the pages train" in done.output
    assert "(18 pages)" in done.output  # Table 4: those that did not train
    assert "--train-share 0.1" in json.loads((tmp_path / "m.json").read_text())["command"]


def test_a_folder_of_renderings_alone_is_no_folder_of_pages(tmp_path: Path) -> None:
    save(rendered("<p>Text"), tmp_path / "page.json.gz")
    with pytest.raises(DatasetError, match="no data set"):
        open_dataset(tmp_path)
