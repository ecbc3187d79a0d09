"""The site of paper 001, crawled, rendered, learned and extracted, in Chromium: what the paper says comes out."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from tests import paper_site
from tests.browser import needs_chromium, pool  # noqa: F401
from tests.local_site import LocalSite, Reply
from tests.paper_site import COMMENTED, PAGES, PARTS, paragraphs, url_of
from thresher.cli import main
from thresher.methods.cluster import learning
from thresher.methods.cluster.blocks import of_pages
from thresher.methods.cluster.relevance import by_page, by_site
from thresher.site.gathering import Gathering, Observer
from thresher.site.learning import STAGES, learn_site, page_at

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def site():
    kinds = {".css": "text/css", "html": "text/html; charset=utf-8"}
    answers = {path: Reply(text.encode(), kind=kinds[path[-4:]]) for path, text in paper_site.files().items()}
    with LocalSite(answers) as served:
        yield served


@pytest.fixture(scope="module")
def heard():
    return []


@pytest.fixture(scope="module")
def learned(site, heard):
    wanted = Gathering(site.url(url_of(0)), PAGES, allow_hosts=(site.host,), delay=0)
    return learn_site(wanted, observer=Observer(heard.append))


def kinds(blocks):
    """The part of the page that each block belongs to."""
    ends = {"nav": 0, "article": 1, "aside": 2, "div.ad": 3, "div.comment": 4, "footer": 5}
    return np.array([next(ends[one] for one in selector if one in ends) for selector in blocks.selector])


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_each_part_of_the_pages_is_a_cluster_of_its_own(learned):
    part, number = kinds(learned.blocks), learned.learned.clustered.number
    for k, name in enumerate(PARTS):
        assert len(set(number[part == k].tolist())) == 1, name
    assert sorted(set(number.tolist())) == list(range(len(PARTS)))


def test_the_article_is_the_best_cluster_of_the_site_but_not_of_every_page(learned):
    """The paper: on some rare pages the best cluster by that page's description is the comments; Algorithm 1."""
    blocks, number = learned.blocks, learned.learned.clustered.number
    part = kinds(blocks)
    of_site, of_pages = by_site(blocks, number, "subsequence"), by_page(blocks, number, "subsequence")
    np.testing.assert_array_equal(of_site.content, part == 1)
    page = [facts.url or "" for facts in blocks.pages].index(page_at(learned.pages, url(COMMENTED, learned)).url)
    rows = blocks.of(page)
    np.testing.assert_array_equal(of_pages.content[rows], part[rows] == 4)


def url(number, learned):
    return f"http://{learned.name}{url_of(number)}"


def test_the_classifier_knows_pages_that_it_has_not_seen(learned):
    assert learned.learned.held_out == (1.0, 1.0, 1.0)


def test_k_means_finds_the_article_as_well(learned):
    clustered = learning.cluster(learned.blocks, clustering="kmeans")
    labels = by_site(learned.blocks, clustered.number, "subsequence")
    np.testing.assert_array_equal(labels.content, kinds(learned.blocks) == 1)


def test_all_stages_are_heard_of_in_their_order(learned, heard):
    assert list(dict.fromkeys(now.stage for now in heard)) == list(STAGES)
    for stage in STAGES:
        last = [now for now in heard if now.stage == stage][-1]
        assert last.done == last.total


def test_properties_beyond_those_asked_for_by_name_are_features(learned):
    names = {column.split(" ", 1)[1].split(":")[0] for column in learned.model.columns if column.startswith("style ")}
    assert {"outline-color", "caret-color", "font-family"} <= names
    assert not {"width", "perspective-origin", "block-size"} & names


def test_a_page_without_some_of_the_columns_still_works(learned):
    page = learned.pages[1]
    bare = replace(page, style=replace(page.style, declarations=None))
    blocks = of_pages([bare])
    chosen = learned.model.margins(blocks) > 0
    np.testing.assert_array_equal(chosen, kinds(blocks) == 1)


def test_site_extract_crawls_renders_learns_and_extracts(site):
    done = run(
        *("site", "extract", site.url(url_of(2)), "-m", "cluster", "--pages", PAGES - 1),
        *("--allow-host", site.host, "--delay", 0, "--json"),
    )
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["text"].split("\n\n") == paragraphs(2)
    assert len(record["siblings"]) == PAGES - 1


def test_site_extract_works_on_saved_files_without_the_network(tmp_path):
    folder = paper_site.write_dataset(tmp_path) / "mill/files"
    done = run("site", "extract", folder / "story/3.html", "--root", folder, "-m", "cluster:labels=site", "--pages", 6)
    assert done.exit_code == 0, done.output
    assert done.stdout.strip().split("\n\n") == paragraphs(3)


def test_site_extract_with_cluster_says_what_is_missing(site, tmp_path):
    gone = run("site", "extract", site.url("/gone.html"), "-m", "cluster", "--allow-host", site.host, "--delay", 0)
    assert gone.exit_code == 1
    assert "nothing to learn from" in gone.stderr
    (tmp_path / "alone.html").write_text("<p>One page")
    alone = run("site", "extract", tmp_path / "alone.html", "-m", "cluster")
    assert alone.exit_code == 1
    assert "no other page of the site" in alone.stderr


def test_evaluate_measures_cluster_on_pages_with_siblings(tmp_path):
    data = paper_site.write_dataset(tmp_path / "data")
    done = run("evaluate", data, "-m", "cluster:labels=site,auto", "--json", "-j", 1, "--cache", tmp_path / "cache")
    assert done.exit_code == 0, done.output
    pages = [row for row in map(json.loads, done.stdout.splitlines()) if row["type"] == "page"]
    scores = {row["id"]: row["bow"]["f1"] for row in pages if row["method"].startswith("cluster")}
    assert scores == {"mill/story/0.html": 1.0, "mill/story/3.html": 1.0}
