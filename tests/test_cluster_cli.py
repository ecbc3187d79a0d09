"""`thresher site learn --method cluster` and `thresher extract --model`, on pages that were rendered before."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.rendered_site import article
from thresher.cli import main
from thresher.methods.cluster import model
from thresher.render.saved import save


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Eight saved pages of a site, and a new one beside them."""
    root = tmp_path_factory.mktemp("site")
    (root / "pages").mkdir()
    for seed in range(8):
        save(article(seed, replies=3), root / "pages" / f"{seed}.json.gz")
    save(article(500, replies=3), root / "new.json.gz")
    return root


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_site_is_learned_and_its_new_page_extracted(folder):
    file = folder / "site.npz"
    learned = run("site", "learn", folder / "pages", "--method", "cluster", "-o", file)
    assert learned.exit_code == 0, learned.output
    assert "content: 56 blocks on 8 pages, compared with description (8 pages)" in learned.stderr
    assert "held-out pages: precision 1.000, recall 1.000" in learned.stderr
    assert model.load(file).card["pages"] == 8
    extracted = run("extract", folder / "new.json.gz", "--model", file, "--json")
    assert extracted.exit_code == 0, extracted.output
    assert '"method": "cluster"' in extracted.stdout
    assert "Section 3" not in extracted.stdout.partition('"text"')[2]


def test_the_papers_measure_and_labels_may_be_asked_for(folder):
    learned = run(
        "site",
        "learn",
        folder / "pages",
        "-m",
        "cluster",
        "--relevance",
        "subsequence",
        "--labels",
        "site",
        "-o",
        folder / "s.npz",
    )
    assert learned.exit_code == 0
    assert "content: 48 blocks" in learned.stderr


def test_k_means_may_be_asked_for(folder):
    file = folder / "k.npz"
    learned = run("site", "learn", folder / "pages", "-m", "cluster", "--clustering", "kmeans", "-o", file)
    assert learned.exit_code == 0, learned.output
    assert "clusters\n" in learned.stderr
    assert "eps" not in learned.stderr


def test_a_model_needs_a_file_and_some_pages(folder, tmp_path):
    nameless = run("site", "learn", folder / "pages", "-m", "cluster")
    assert nameless.exit_code == 2
    assert "-o model.npz" in nameless.stderr
    (tmp_path / "two").mkdir()
    for seed in range(2):
        save(article(seed), tmp_path / "two" / f"{seed}.json.gz")
    few = run("site", "learn", tmp_path / "two", "-m", "cluster", "-o", tmp_path / "m.npz")
    assert few.exit_code == 1
    assert "3 or more" in few.stderr
    assert not (tmp_path / "m.npz").exists()


def test_a_broken_file_among_the_pages_is_named_and_left_out(folder, tmp_path):
    for seed in range(4):
        save(article(seed), tmp_path / f"{seed}.json.gz")
    (tmp_path / "x.json").write_text("no page")
    learned = run("site", "learn", tmp_path, "-m", "cluster", "-o", tmp_path / "m.npz")
    assert learned.exit_code == 0
    assert "x.json: " in learned.stderr
    assert "4 pages of" in learned.stderr


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    gone = run("site", "learn", tmp_path / "gone", "-m", "cluster", "-o", tmp_path / "m.npz")
    assert gone.exit_code == 1
    assert "there is no file or folder" in gone.stderr


def test_another_methods_page_without_layout_says_what_to_do(tmp_path):
    (tmp_path / "page.html").write_text("<p>Some text")
    said = run("extract", tmp_path / "page.html", "-m", "cluster", "--render", "never")
    assert said.exit_code == 2
    assert "--render always" in said.stderr
