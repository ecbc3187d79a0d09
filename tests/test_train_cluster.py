"""`thresher train cluster`: the regimes of paper 001 on pages that were rendered before, and a model of many sites."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from click.testing import CliRunner

from tests.rendered_site import article
from tests.test_cluster_method import rendering
from thresher.cli import main
from thresher.learn.cluster.examples import LabelledSite, gold_labels
from thresher.methods.cluster import model
from thresher.methods.cluster.blocks import joined, of_pages
from thresher.render.saved import save

SITES, PAGES = 4, 8


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Four sites of eight pages in the form of `rendered-blocks`; the paragraphs are the gold text."""
    root = tmp_path_factory.mktemp("rendered")
    for site in range(SITES):
        (root / f"site{site}").mkdir()
        for number in range(PAGES):
            page = article(100 * site + number, replies=2)
            record = rendering(page) | {"url": f"http://site{site}.test/{number}.html"}
            for block in record["texts"]:  # every site has names of its own
                block["selector"][-1]["classes"].append(f"s{site}")
            name = root / f"site{site}" / f"{number}"
            name.with_suffix(".json.gz").write_bytes(gzip.compress(json.dumps(record).encode()))
            gold = [block["text"][0] for block in record["texts"] if block["path"][-2:] == ["article", "p"]]
            name.with_suffix(".gold.txt").write_text("\n".join(gold), encoding="utf-8")
    return root


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def rows(output):
    """By training and features: sites, pages, three scores against labels, three against gold."""
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in output.splitlines()[2:]]
    return {(cells[0], cells[1]): cells[2:10] for cells in table}


def test_the_three_regimes_are_printed_as_a_table(data):
    done = run("train", "cluster", "--data", data, "--labels", "site", "--relevance", "subsequence")
    assert done.exit_code == 0, done.output
    table = rows(done.stdout)
    assert len(table) == 15
    assert table["one site", "all"] == ["4", "32", *["1.000"] * 6]
    assert table["random pages", "tag path"][:5] == ["4", "32", *["1.000"] * 3]
    assert table["some sites → other sites", "all"][:2] == ["4", "32"]
    assert "“produced the worst results”" in done.stdout


def test_a_model_of_many_sites_is_written_and_used(data, tmp_path):
    file = tmp_path / "many.npz"
    done = run("train", "cluster", "--data", data, "--regime", "sites", "--folds", 2, "--labels", "gold", "-o", file)
    assert done.exit_code == 0, done.output
    assert {training for training, _ in rows(done.stdout)} == {"some sites → other sites"}
    card = model.load(str(file)).card
    assert card["sites"] == [f"site{site}.test" for site in range(SITES)]
    assert card["pages"] == 32
    assert card["regimes"]["sites"]["f1"] > 0.9
    save(article(777, replies=2), tmp_path / "new.json.gz")
    extracted = run("extract", tmp_path / "new.json.gz", "--model", file, "--json")
    assert extracted.exit_code == 0, extracted.output
    record = json.loads(extracted.stdout)
    assert record["method"] == "cluster"
    assert "Section 3" not in record["text"]
    assert len(record["text"].split()) == 6 * 25


def test_wrong_use_says_what_to_do(data, tmp_path):
    nothing = run("train", "cluster", "--data", tmp_path)
    assert nothing.exit_code == 1
    nowhere = run("train", "cluster", "--data", data, "-o", tmp_path / "no" / "model.npz")
    assert nowhere.exit_code == 1
    assert "no such folder" in nowhere.output
    assert run("train", "cluster", "--data", data, "--folds", 1).exit_code == 2
    assert run("train", "cluster", "--data", data, "--regime", "mixed").exit_code == 2


def test_gold_labels_are_blocks_with_most_words_in_the_gold_text():
    texts = ["One two three four five", "menu entry", "six seven"]
    assert gold_labels(texts, "one two three four five\nsix seven").tolist() == [True, False, True]
    assert gold_labels(texts, None).tolist() == [False] * 3


def test_blocks_of_sites_are_joined_and_taken_apart():
    first, second = of_pages([article(1), article(2)]), of_pages([article(3)])
    together = joined([first, second])
    assert together.text == first.text + second.text
    assert together.pages == first.pages + second.pages
    np.testing.assert_array_equal(together.page[-len(second) :], 2)
    again = together.take(np.array([0, 2]))
    assert again.pages == (first.pages[0], second.pages[0])
    assert set(again.page.tolist()) == {0, 1}
    np.testing.assert_array_equal(again.box, together.box[together.page != 1])
    site = LabelledSite("s", together, np.zeros(len(together), bool), np.array([True, False, False]))
    assert site.known.sum() == len(first.of(0))


def test_the_tables_of_the_paper_are_printed_on_ones_own_pages(data, tmp_path):
    done = run("papers", "001", data, "--cache", tmp_path / "cache", "--markdown", tmp_path / "tables.md")
    assert done.exit_code == 0, done.output
    document = (tmp_path / "tables.md").read_text(encoding="utf-8")
    assert "Module 3: labels against gold" in document
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in document.splitlines() if line.startswith("|")]
    by_name = {row[0]: row[1:4] for row in cells}
    assert by_name["one best cluster a site (Algorithm 1)"] == ["1.000"] * 3
    regimes = [row for row in cells if len(row) == 11]
    assert regimes[2][:2] == ["one site", "text length"]
    assert next(row[6] for row in regimes if row[1] == "tag path") == "1.000"
    assert sum(row[1] == "all" for row in regimes) == 3
