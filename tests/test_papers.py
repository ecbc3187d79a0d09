"""`thresher papers`: the registry, the tables, and what a user is told."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tests.rendered import rendered
from thresher import papers
from thresher.cli.papers import command
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.tables import to_text
from thresher.papers import paper_002, paper_004
from thresher.papers.experiment import PageSelection
from thresher.papers.figures import FigureRow, paired
from thresher.render.saved import save

TABLES = Path(__file__).parent / "tables"
PARAGRAPH = "The harbour was quiet that morning, and the gulls had not yet found the nets that lay along the wall. "


@pytest.fixture
def articles(tmp_path):
    """Two packages of two articles between menus, as folders."""
    folder = tmp_path / "articles"
    menu = "<ul>" + "<li><a href='/x'>Menu</a></li>" * 20 + "</ul>"
    for package in ("wiki", "harbour"):
        (folder / package).mkdir(parents=True)
        for number in (1, 2):
            text = PARAGRAPH * (5 + number)
            (folder / package / f"{number}.html").write_text(f"<title>t</title>{menu}<p>{text}</p>{menu}")
            (folder / package / f"{number}.txt").write_text(text)
    return folder


@pytest.fixture
def sites(tmp_path):
    """Two sites of four pages, whose articles stand between a menu and a footer."""
    folder = tmp_path / "sites"
    for site, noun in (("grain", "barley"), ("fish", "herring")):
        files = folder / site / "files"
        files.mkdir(parents=True)
        links = "".join(f"<li><a href='/{n}.html'>Page {n}</a></li>" for n in range(4))
        for n in range(4):
            words = " ".join(f"{noun}{n} word{n}{k}" for k in range(12))
            (files / f"{n}.html").write_text(
                f"<title>{noun} {n}</title><body><ul class='menu'>{links}</ul><div class='post'>"
                f"<h1 id='t{n}'>{noun} {n}</h1><p id='p{n}'>{words}</p></div>"
                f"<div class='side'><span>{n} May</span><ul><li>{noun}</li><li>News {n}</li></ul></div>"
                "<p class='foot'>All rights reserved</p>"
            )
        (folder / site / "gold").mkdir()
        gold = f"{noun} 0\n" + " ".join(f"{noun}0 word0{k}" for k in range(12))
        (folder / site / "gold" / "0.txt").write_text(gold)
        label = {
            "path": "0.html", "url": f"http://{site}.test/0.html", "page_type": "article", "language": "en",
            "gold_selectors": [".post"], "exclude_selectors": [], "gold_file": "gold/0.txt",
        }  # fmt: skip
        (folder / site / "site.json").write_text(json.dumps({"id": site, "key_pages": [label]}))
    return folder


def call(paper, data, *arguments):
    cache = data.parent / "cache"
    return CliRunner().invoke(command, [paper, str(data), "--jobs", "1", "--cache", str(cache), *arguments])


@pytest.mark.parametrize("name", papers.names())
def test_every_paper_says_what_it_prints_and_needs(name):
    paper = papers.load(name)
    assert all((paper.TITLE, paper.TABLES, paper.DATA))
    shown = CliRunner().invoke(command, ["--help"], terminal_width=100).output
    assert f"  {name}  " in shown


@pytest.mark.parametrize("name", papers.names())
def test_every_paper_is_described(name, pytestconfig):
    text = (pytestconfig.rootpath / "docs" / "papers.md").read_text(encoding="utf-8")
    assert f"\n## {name}: " in text
    assert f"thresher papers {name} " in text


def test_a_paper_without_an_experiment_is_refused(articles):
    result = call("017", articles)
    assert result.exit_code == 2
    assert all(name in result.stderr for name in papers.names())


@pytest.mark.parametrize("name", papers.names())
def test_a_folder_that_is_no_data_set_is_refused_by_every_paper(name, tmp_path):
    result = call(name, tmp_path)
    assert result.exit_code == 2
    assert "no data set of a kind we know" in result.stderr


def test_pages_without_siblings_are_refused_by_the_paper_on_sites(articles):
    result = call("002", articles)
    assert result.exit_code == 2
    assert "none of its 4 pages has selectors of its main content and two other pages of its site" in result.stderr


def test_the_tables_of_004_have_our_figures_under_those_of_the_paper(articles):
    result = call("004", articles)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("Table II:"))
    wiki = next(n for n in range(at, len(lines)) if lines[n].startswith("wiki"))
    assert lines[wiki].split() == ["wiki", "paper", "0.682", "0.403", "0.660", "0.594", "0.823"]
    assert lines[wiki + 1].split()[0] == "ours"
    assert any(line.startswith("harbour") and " ours " in line for line in lines[at:])
    assert any(line.startswith("mean of packages") and "0.782" in line for line in lines[at:])


def test_the_tables_of_002_have_our_figures_under_those_of_the_paper(sites):
    result = call("002", sites)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("Table 1:"))
    four = next(n for n in range(at, len(lines)) if lines[n].startswith("4 "))
    assert lines[four].split()[1:4] == ["paper", "92.92", "92.59"]
    assert lines[four + 1].split()[0] == "ours"
    assert any(line.startswith("grain.test") for line in lines)


def test_pages_limits_the_pages(sites):
    result = call("002", sites, "--pages", "1")
    assert sum(line.split()[0] in ("grain.test", "fish.test") for line in result.stdout.splitlines() if line) == 1


def test_tables_are_written_as_markdown(articles, tmp_path):
    result = call("004", articles, "--markdown", str(tmp_path / "tables.md"))
    assert result.exit_code == 0, result.output
    text = (tmp_path / "tables.md").read_text(encoding="utf-8")
    assert text.startswith("# Paper 004: Gottron")
    assert "| wiki | paper | 0.682 |" in text


def test_a_selection_of_pages_survives_the_way_to_another_process(articles):
    chosen = PageSelection(open_dataset(articles), ["wiki/1"])
    again = pickle.loads(pickle.dumps(chosen))
    assert again.ids() == ["wiki/1"]
    assert again.read("wiki/1").gold == PARAGRAPH * 6


def test_a_row_has_a_line_for_the_paper_and_one_for_us():
    table = paired(
        "T", ("what", "a", "b"), [FigureRow("x", (1.0, 2.0), (3.0, np.nan)), FigureRow("y", ours=(5.0, 6.0))], 1
    )
    assert [line.split() for line in to_text(table).splitlines()[3:]] == [
        ["x", "paper", "1.0", "2.0"],
        ["ours", "3.0", "–"],
        ["y", "ours", "5.0", "6.0"],
    ]  # fmt: skip


def test_the_figures_of_the_papers_agree_with_their_own_means():
    columns = np.array(list(paper_002.TABLE_2.values()))
    means = columns.mean(axis=0)
    np.testing.assert_allclose(means[2:], paper_002.USING_METRICS[2:], atol=0.02)
    # Recall and precision of nodes are printed 0.12 higher and 0.22 lower than the rows have them.
    np.testing.assert_allclose(means[:2], paper_002.USING_METRICS[:2], atol=0.25)
    for recall, precision, f1 in (*columns[:, :3], *columns[:, 3:6]):
        assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.02)
    assert {len(row) for row in paper_004.TABLE_II.values()} == {len(paper_004.PACKAGES)}
    assert sum(paper_004.TABLE_I.values()) == 9601  # "a total of 9,601 documents"


# ---- stored tables -------------------------------------------------------------------------------------------


def lines_of(output, caption):
    """A table of the output, without its caption and rule."""
    lines = output.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(caption))
    table = [line.rstrip() for line in lines[at + 1 : lines.index("", at)]]
    return [line for line in table if not line.startswith("─")]


def test_table_ii_of_004_is_the_stored_one(articles):
    result = call("004", articles, "--markdown", str(articles.parent / "tables.md"))
    table = [line.split() for line in lines_of(result.stdout, "Table II:")]
    assert table == [line.split() for line in (TABLES / "004-table-ii.txt").read_text(encoding="utf-8").splitlines()]


def figures_of_002(output):
    """Each of the paper's methods with our figures, without the time."""
    lines = [line.split() for line in lines_of(output, "Table 3:")]
    both = [(paper, ours) for paper, ours in pairwise(lines) if paper[0] in paper_002.TABLE_3 and ours[0] == "ours"]
    return [[paper[0], *ours[1:-1]] for paper, ours in both]


def test_table_3_of_002_is_the_stored_one_but_for_the_time(sites):
    assert figures_of_002(call("002", sites).stdout) == [
        line.split() for line in (TABLES / "002-table-3.txt").read_text(encoding="utf-8").splitlines()
    ]


@pytest.fixture
def rendered_sites(sites):
    """The same sites, rendered: a menu beside the column of the article."""
    for site in sorted(sites.iterdir()):
        for file in site.glob("files/0.html"):
            prose = "This is a sentence of the article. Another one follows it and says more."
            html = f"""<title>t</title><body data-box="0 0 1000 800"><ul data-box="0 0 200 800 block">
                <li>Menu</li><li>More</li></ul><main class="post" data-box="220 0 700 800 block"><h1>Title</h1>
                {f"<p>{prose}</p>" * 4}</main></body>"""
            file.write_text(html)
            save(rendered(html), file.with_name("0.json.gz"))
            (site / "gold" / "0.txt").write_text("Title\n" + prose * 4)
    return sites


def test_the_table_of_003_has_our_figures_under_those_of_the_paper(rendered_sites):
    """By hand: the column of `main` has all paragraphs: layout and main, the better tag, are right about all words."""
    result = call("003", rendered_sites)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["layout,", "Full", "paper", "0.960", "0.990", "0.980"] in lines
    assert ["semantic,", "ST", "only", "paper", "0.970", "0.970", "0.950"] in lines
    assert lines.count(["ours", "1.000", "1.000", "1.000"]) == 4
    assert "2 pages, 2 of them with one of the tags" in " ".join(result.stdout.split())


def test_pages_without_selectors_are_refused_by_the_paper_on_layout(articles):
    result = call("003", articles)
    assert result.exit_code == 2
    assert "none of its 4 pages has selectors of its main content" in result.stderr


@pytest.fixture
def threads(tmp_path):
    """Twelve news articles of as many sites, and nothing that the paper's other tables could be about."""
    folder = tmp_path / "news" / "article"
    folder.mkdir(parents=True)
    addresses = {}
    for number in range(12):
        text = PARAGRAPH * (3 + number % 3) + f"Number {number}."
        menu = "<ul>" + "<li><a href='/x'>Menu</a></li>" * 10 + "</ul>"
        (folder / f"{number}.html").write_text(f"<title>t</title>{menu}<div><p>{text}</p><p>{text}</p></div>{menu}")
        (folder / f"{number}.txt").write_text(f"{text}\n{text}")
        addresses[f"article/{number}"] = f"https://news-{number}.example/{number}"
    (folder.parent / "addresses.json").write_text(json.dumps(addresses))
    return folder.parent


def test_the_tables_of_000_have_our_figures_under_those_of_the_paper(threads):
    """By hand: of twelve pages a tenth is one, and eleven are judged."""
    result = call("000", threads)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["news", "paper", "14", "1,750"] in lines
    assert ["ours", "12", "12"] in lines
    assert "1 pages train." in result.stdout
    assert ["CS+LBS,", "as", "printed", "paper", "0.940", "0.183", "0.882", "0.187", "0.905", "0.182"] in lines
    assert any(line[:4] == ["Support", "vector", "machine", "(SMO)"] and line[-1] == "0.904" for line in lines)
    assert any(line[:2] == ["crunch", "paper"] and line[-3:] == ["–", "0.714", "–"] for line in lines)
    assert "11 pages." in result.stdout


def test_too_few_pages_are_refused_by_the_paper_that_trains(articles):
    result = call("000", articles)
    assert result.exit_code == 2
    assert "needs 10 labelled pages" in result.stderr
