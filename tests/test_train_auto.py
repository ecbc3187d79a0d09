"""`thresher train auto` from start to end on a folder of small pages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import thresher
from thresher.cli import main as cli
from thresher.learn.auto.examples import site_of
from thresher.learn.auto.extracts import Extracted, means


def _page(number: int) -> tuple[str, str]:
    """A page and its main text; the pages differ in length and in their words."""
    said = [
        f"The {word} of barn {number} is told here at some length, so that it counts as prose, and goes on for a while."
        for word in ("floor", "flail", "wind", "grain")[: 2 + number % 3]
    ]
    menu = "".join(f"<li><a href=/{k}>Place {k}</a></li>" for k in range(12))
    body = f"<main><h1>Barn {number}</h1>{''.join(f'<p>{text}</p>' for text in said)}</main>"
    return f"<title>Barn {number}</title><ul class=menu>{menu}</ul>{body}<footer>Imprint</footer>", "\n\n".join(said)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pages")
    for number in range(16):
        html, gold = _page(number)
        kind = root / ("article" if number % 2 else "forum")
        kind.mkdir(exist_ok=True)
        (kind / f"p{number}.html").write_text(html)
        (kind / f"p{number}.txt").write_text(gold)
    (root / "forum" / "shell.html").write_text("<title>Nothing</title><div id=root></div>")
    (root / "forum" / "shell.txt").write_text("Words that are not on the page")
    return root


def _train(folder: Path, target: Path) -> str:
    arguments = ["train", "auto", "--data", str(folder), "-o", str(target), "--folds", "2", "--epochs", "3"]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_weights_and_a_card_that_tells_how_good_whole_extracts_are(folder: Path, tmp_path: Path) -> None:
    printed = _train(folder, tmp_path / "a.npz")
    _train(folder, tmp_path / "b.npz")
    with np.load(tmp_path / "a.npz") as one, np.load(tmp_path / "b.npz") as other:
        assert all(np.array_equal(one[name], other[name]) for name in one.files), "same pages, same weights"
    card = json.loads((tmp_path / "a.json").read_text())
    assert card["pages"] == 16
    assert card["left_out"] == 1
    assert card["f1"]["all"][0] == 16
    assert card["extracts"]["all"][0] == 17, "a page without text counts among the extracts"
    assert {"article", "forum"} < set(card["extracts"])
    assert 0 < card["extracts"]["all"][1] < 1
    assert "extracts of all pages" in printed
    html, _ = _page(3)
    assert thresher.extract(html, options={"model": str(tmp_path / "a.npz")}).confidence > 0


def test_pages_of_one_site_are_learned_from_but_judged_by_nobody(folder: Path, tmp_path: Path) -> None:
    addresses = {f"{'article' if n % 2 else 'forum'}/p{n}": f"https://barn.test/{n}" for n in range(16)}
    data = tmp_path / "data"
    shutil.copytree(folder, data)
    (data / "forum" / "shell.html").unlink()
    (data / "addresses.json").write_text(json.dumps(addresses))
    arguments = ["train", "auto", "--data", str(data), "-o", str(tmp_path / "m.npz"), "--epochs", "1"]
    refused = CliRunner().invoke(cli, arguments)
    assert refused.exit_code == 1
    assert "all pages are of barn.test" in refused.stderr
    done = CliRunner().invoke(cli, [*arguments, "--folds", "0"])
    assert done.exit_code == 0
    assert "16 pages of 1 site" in done.stdout


def test_means_by_type() -> None:
    scores = [Extracted("a", "forum", 0.5), Extracted("a", "article", 1.0), Extracted("a", "", 0.0)]
    assert means(scores) == {"all": (3, 0.5), "article": (1, 1.0), "forum": (1, 0.5)}
    both = means([*scores, Extracted("b", "forum", 1.0)])
    assert both["b"] == both["b: forum"] == (1, 1.0)
    assert both["a"] == (3, 0.5)
    assert both["forum"] == (2, 0.75)


def test_pages_without_an_address_belong_to_the_site_that_they_name_themselves() -> None:
    canonical = '<link rel=canonical href="https://www.farm.example.co.uk/a"><p>Grain'
    assert site_of(thresher.parse(canonical), "1") == "example.co.uk"
    assert site_of(thresher.parse(canonical, url="https://barn.test/"), "1") == "barn.test"
    assert site_of(thresher.parse("<p>Grain"), "forum/1") == "forum/1"
