"""Trees as arrays, the file they come in, labels for training, the method and its filters, the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.reference import seeker as naive
from tests.strategies import pages, tidy
from thresher import methods, output
from thresher.cli import main as cli
from thresher.errors import NeedsModel, UnknownMethod
from thresher.evaluate import extractors
from thresher.learn.seeker import report, rivals
from thresher.learn.seeker.examples import costs, example, gold_chars
from thresher.learn.seeker.fit import TreeSettings, exported, fit
from thresher.learn.seeker.learners import LEARNERS
from thresher.learn.seeker.splits import fold_of_sites
from thresher.learn.seeker.tables import cross_validated
from thresher.methods import seeker
from thresher.methods.seeker import Options
from thresher.methods.seeker.filters import filtered
from thresher.methods.seeker.model import Classifiers, load, write
from thresher.methods.seeker.segments import candidates
from thresher.methods.seeker.trees import Tree
from thresher.methods.seeker.types import TYPES, detect
from thresher.page import Page
from thresher.page.columns import chars
from thresher.parse import parse
from thresher.visible.readable import readable

some = settings(max_examples=50, deadline=None)
few = settings(max_examples=20, deadline=None)
anything = pages() | tidy().map(parse)
PARAGRAPH = "The harbour was quiet that morning, and the gulls had not yet found the nets that lay along the wall."
ARTICLE = f"""<html><head><title>Harbour</title></head><body><nav class="menu"><ul><li><a href="/a">Home</a></li>
<li><a href="/b">News of the day</a></li></ul></nav><main><article class="post"><h1>Harbour {{k}}</h1>
<p>{PARAGRAPH} {{k}}</p><p>{PARAGRAPH} Again.</p><p>{PARAGRAPH} And again, they said.</p></article></main>
<footer class="site-footer"><p>Copyright, imprint, privacy, all rights reserved by us in {{k}}.</p></footer>
</body></html>"""
GOLD = "Harbour {k}\n\n" + f"{PARAGRAPH} {{k}}\n\n{PARAGRAPH} Again.\n\n{PARAGRAPH} And again, they said."


def tree_of(*nodes: tuple[int, float, int, int, bool, float]) -> Tree:
    names = ("feature", "threshold", "left", "right", "missing_left", "value")
    return Tree.from_arrays(dict(zip(names, map(np.array, zip(*nodes, strict=True)), strict=True)), 100)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Random trees over three features, in the order in which they are grown."""
    nodes: list[list[float]] = [[-1, 0, 0, 0, 0, 0.5]]
    for _ in range(draw(st.integers(0, 6))):
        leaf = draw(st.sampled_from([k for k, node in enumerate(nodes) if node[0] < 0]))
        nodes[leaf] = [draw(st.integers(0, 2)), draw(st.sampled_from([-1.0, 0.0, 0.5])), len(nodes), len(nodes) + 1,
                       draw(st.booleans()), 0.5]  # fmt: skip
        nodes += [[-1, 0, 0, 0, 0, draw(st.floats(0, 1))] for _ in range(2)]
    return tree_of(*(tuple(node) for node in nodes))  # type: ignore[arg-type]


values = st.lists(
    st.tuples(*[st.sampled_from([-2.0, -1.0, 0.0, 0.25, 0.5, 3.0, float("nan")])] * 3), min_size=1, max_size=8
)


@settings(deadline=None)
@given(trees(), values)
def test_all_rows_at_once_get_the_answers_they_get_one_by_one(tree: Tree, rows: list[tuple[float, ...]]) -> None:
    x = np.array(rows, np.float32)
    assert tree(x).tolist() == [naive.ask(tree, list(row)) for row in rows]
    for row in x:
        path = list(tree.path(row))
        assert (path[-1].after if path else tree.value[0]) == tree(row[None])[0]


def test_arrays_that_are_no_tree_are_refused() -> None:
    leaf = (-1, 0.0, 0, 0, False, 0.5)
    for bad in (
        [(0, 0.0, 0, 1, False, 0.5), leaf],  # its own child: a walk would never end
        [(0, 0.0, 1, 9, False, 0.5), leaf],  # beyond the end
        [(200, 0.0, 1, 2, False, 0.5), leaf, leaf],  # no such feature
        [(-1, 0.0, 0, 0, False, 1.5)],  # no probability
    ):
        with pytest.raises(ValueError, match="decision tree"):
            tree_of(*bad)  # type: ignore[arg-type]


def test_a_tree_of_scikit_learn_gives_the_same_answers_as_arrays() -> None:
    from sklearn.tree import DecisionTreeClassifier

    random = np.random.default_rng(0)
    x = random.standard_normal((400, 5)).astype(np.float32)
    x[random.random((400, 5)) < 0.2] = np.nan
    y = np.nan_to_num(x[:, 0]) + random.standard_normal(400) > np.nan_to_num(x[:, 1])
    learner = DecisionTreeClassifier(max_depth=6, random_state=0).fit(x, y, sample_weight=random.random(400))
    np.testing.assert_allclose(exported(learner)(x), learner.predict_proba(x)[:, 1])
    always = DecisionTreeClassifier().fit(x, np.ones(400, bool))
    assert (exported(always)(x) == 1).all()


# ---- the model file ------------------------------------------------------------------------------------------


def test_a_written_model_is_read_again(tmp_path: Path) -> None:
    tree = tree_of((3, 0.5, 1, 2, True, 0.4), (-1, 0.0, 0, 0, False, 0.1), (-1, 0.0, 0, 0, False, 0.9))
    write({"forum": Classifiers(tree, tree)}, tmp_path / "own.npz")
    model = load(str(tmp_path / "own.npz"))
    assert list(model) == ["forum"]
    np.testing.assert_array_equal(model["forum"].content.value, tree.value)
    keep = seeker.judge(parse(ARTICLE), Options(model=str(tmp_path / "own.npz"), page_type="news")).keep
    assert keep.dtype == bool


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"\x80\x04pickle"])
def test_what_is_no_model_is_refused_with_advice(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.npz").write_bytes(content)
    with pytest.raises(NeedsModel, match="thresher train seeker"):
        load(str(tmp_path / "bad.npz"))
    np.savez(tmp_path / "other.npz", features=np.array(["a"]))
    with pytest.raises(NeedsModel, match="other features"):
        load(str(tmp_path / "other.npz"))


def test_the_shipped_model_has_every_type_and_a_card() -> None:
    assert tuple(load()) == TYPES
    data = Path(thresher.__file__).parent / "data"
    card = json.loads((data / "seeker.json").read_text())
    assert {"data", "split", "date", "command", "types"} <= card.keys()
    assert (data / "seeker.npz").stat().st_size < 500_000


# ---- labels --------------------------------------------------------------------------------------------------


@few
@given(anything, st.randoms(use_true_random=False))
def test_the_cheapest_segmentation_is_that_of_a_recursion(page: Page, random: object) -> None:
    rows = candidates(page)
    size = chars(page) * readable(page)
    wanted = np.array([random.choice([0.0, 0.5, 1.0]) for _ in size]) * size  # type: ignore[attr-defined]
    whole, parts = costs(page, rows, wanted, 0.05)
    price = 0.05 * float(size.sum())
    for k, row in enumerate(rows.tolist()):
        expected = naive.cheapest(page, rows.tolist(), wanted.tolist(), price, row)
        assert (whole[k], parts[k]) == pytest.approx(expected)


def test_an_article_is_one_good_segment_and_its_body_is_not() -> None:
    page = parse(ARTICLE.format(k=1))
    one = example(page, GOLD.format(k=1), "1", "article")
    assert one is not None
    name = {page.name(int(row)): k for k, row in enumerate(one.row)}
    assert one.good[name["article"]]
    assert one.content[name["article"]]
    assert not one.good[name["body"]]
    assert not one.content[name["nav"]]
    assert not one.content[name["footer"]]
    assert gold_chars(page, GOLD.format(k=1)).sum() == one.gold[0]


def examples(count: int = 24) -> list:
    return [
        example(parse(ARTICLE.format(k=k), url=f"https://site{k}.example/"), GOLD.format(k=k), str(k), "article")
        for k in range(count)
    ]


def test_training_learns_what_it_is_shown_and_repeats_itself() -> None:
    shown = examples()
    model, again = (fit(shown, TreeSettings()) for _ in range(2))
    page = parse(ARTICLE.format(k=77))
    text = output.to_text(page, seeker.kept(page, model, "none"))
    assert text.split() == GOLD.format(k=77).split()
    for part in ("segment", "content"):
        for array, other in zip(
            getattr(model, part).arrays().values(), getattr(again, part).arrays().values(), strict=True
        ):
            np.testing.assert_array_equal(array, other)


def test_sites_are_whole_in_a_fold_and_learners_are_compared() -> None:
    fold = fold_of_sites(["a", "b", "a", "c"], 2)
    assert set(fold) == {"a", "b", "c"}
    assert set(fold.values()) == {0, 1}
    rows = cross_validated(examples(12), "content", folds=2)
    assert list(rows) == list(LEARNERS)
    assert rows["Random forest"].f1 > 0.9


# ---- the method ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("post_filter", ["none", "lbs", "sls", "tp"])
@pytest.mark.parametrize("page_type", TYPES)
@settings(max_examples=8, deadline=None)
@given(page=pages())
def test_a_filter_keeps_some_of_what_the_classifiers_keep(post_filter: str, page_type: str, page: Page) -> None:
    keep = seeker.judge(page, Options(page_type=page_type, post_filter=post_filter)).keep  # type: ignore[arg-type]
    whole = seeker.judge(page, Options(page_type=page_type, post_filter="none")).keep  # type: ignore[arg-type]
    assert keep.shape == (len(page.text),)
    assert post_filter == "tp" or not (keep & ~whole).any()
    assert not (keep & ~readable(page)).any()
    assert keep.any() == whole.any()


@some
@given(anything)
def test_a_page_with_text_in_its_body_gives_something_and_scores_lie_between_0_and_1(page: Page) -> None:
    keep = methods.get("seeker")(page)
    assert keep.any() == (len(candidates(page)) > 0)
    score = seeker.judge(page).score
    assert ((score >= 0) & (score <= 1)).all()


def test_lbs_takes_a_box_out_of_a_segment_and_is_not_believed_when_little_is_left() -> None:
    box = "<div><ul><li><a href='/x'>Read this, too</a></li></ul></div>"
    page = parse(f"<article><p>{PARAGRAPH}</p>{box}<p>{PARAGRAPH}</p></article>")
    article = np.flatnonzero([page.name(row) == "article" for row in range(len(page))])
    kept = "".join(page.cut(np.flatnonzero(filtered(page, article, "lbs"))))
    assert kept == PARAGRAPH * 2
    sections = "".join(f"<section><p>{PARAGRAPH} {k}</p></section>" for k in range(5))
    page = parse(f"<article>{sections}</article>")
    article = np.flatnonzero([page.name(row) == "article" for row in range(len(page))])
    assert filtered(page, article, "lbs").sum() == 5


def test_the_verdict_on_an_article_comes_with_reasons() -> None:
    result = thresher.extract(ARTICLE.format(k=1), method="seeker")
    assert PARAGRAPH in result.text
    assert "imprint" not in result.text
    for block in result.blocks:
        assert block.reasons
        assert all(reason.startswith(("for: ", "against: ")) for reason in block.reasons)


def test_figures_of_the_paper_stand_beside_the_same_method_with_the_same_options() -> None:
    run = {*rivals.RIVALS, *(f"seeker:{name}" for name in seeker.VARIANTS)}
    assert {name for figures in report.PAPER_METHODS.values() for name in figures} <= run
    lqf = next(name for name in run if name.startswith("lqf"))
    assert methods.split(lqf)[1] == {"quota": 0.75}  # LQF-75 in Tables 5 and 6


def test_variants_are_evaluable_by_name() -> None:
    usable, missing = extractors.check(["seeker", "seeker:none", "seeker:lbs", "seeker:sls", "seeker:tp"])
    assert len(usable) == 5
    assert not missing
    with pytest.raises(UnknownMethod, match="seeker:tp"):
        extractors.check(["seeker:xyz"])
    with pytest.raises(UnknownMethod, match="no variant"):
        extractors.check(["bte:lbs"])
    with pytest.raises(UnknownMethod, match="no method"):
        extractors.check(["nothing:lbs"])


# ---- the command ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    (root / "article").mkdir()
    for k in range(12):
        (root / f"article/{k}.html").write_text(ARTICLE.format(k=k))
        (root / f"article/{k}.txt").write_text(GOLD.format(k=k))
    return root


def test_the_command_writes_trees_card_and_tables(dataset: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    labels.write_text(
        '{"page": "article/1", "xpath": "/html/body/footer", "label": "noise", "labeller": "ada", '
        '"time": "2026-11-16T03:00:00Z"}\n'
    )
    arguments = ["train", "seeker", "--data", str(dataset), "--labels", str(labels), "-o", str(tmp_path / "m.npz")]
    done = CliRunner().invoke(cli, [*arguments, "--folds", "2", "--report", str(tmp_path / "tables.md")])
    assert done.exit_code == 0, done.output
    assert set(load(str(tmp_path / "m.npz"))) == {"news"}
    card = json.loads((tmp_path / "m.json").read_text())
    assert card["types"]["news"]["pages"] == 12
    assert card["types"]["news"]["f1"]["seeker:none"] > 0.9
    tables = (tmp_path / "tables.md").read_text()
    for wanted in ("Table 2", "Table 3", "Table 4", "CS+LBS", "tccb", "0.905 ± 0.182", "Support vector machine"):
        assert wanted in tables
    assert "2 folds" in tables
    assert "--folds 2" in card["command"]


def test_pages_of_no_told_type_teach_the_type_that_they_are_taken_for(dataset: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        cli, ["train", "seeker", "--data", str(dataset / "article"), "-o", str(tmp_path / "m.npz")]
    )
    assert done.exit_code == 0, done.output
    detected = detect(parse(ARTICLE.format(k=1)))
    assert detected != "other"
    assert set(load(str(tmp_path / "m.npz"))) == {detected}


def test_the_command_says_what_is_wrong(dataset: Path, tmp_path: Path) -> None:
    few_pages = tmp_path / "few"
    few_pages.mkdir()
    for name in ("1.html", "1.txt"):
        shutil.copy(dataset / "article" / name, few_pages / name)
    done = CliRunner().invoke(cli, ["train", "seeker", "--data", str(few_pages), "-o", str(tmp_path / "m.npz")])
    assert done.exit_code == 1
    assert "needs 10 labelled pages" in done.output
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n")
    done = CliRunner().invoke(
        cli, ["train", "seeker", "--data", str(dataset), "--labels", str(bad), "-o", str(tmp_path / "m.npz")]
    )
    assert done.exit_code == 1
    assert "line 1" in done.output


def test_what_training_could_not_use_is_named(dataset: Path, tmp_path: Path) -> None:
    data = tmp_path / "my data"
    shutil.copytree(dataset, data)
    (data / "article" / "lonely.html").write_text("<p>No gold")
    labels = tmp_path / "labels.jsonl"
    line = {"page": "gone", "xpath": "/html", "label": "noise", "labeller": "ada", "time": "2026-11-16T03:00:00Z"}
    labels.write_text(json.dumps(line) + "\n", "utf-8-sig")
    arguments = ["train", "seeker", "--data", str(data), "--labels", str(labels), "-o", str(tmp_path / "v1.2")]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    assert "article/lonely: left out, no gold text" in done.stderr
    assert "gone: left out, has labels" in done.stderr
    assert "2 pages left out" in done.stdout
    assert (tmp_path / "v1.2.npz").exists()
    assert f"--data '{data}'" in json.loads((tmp_path / "v1.2.json").read_text())["command"]
    with labels.open("a") as file:  # as the labelling page writes
        file.write('{"page": "1", "labeller": "ada", "time": "2026-11-16T03:00:00Z", "status": "done"}\n')
    assert "download the data set" in CliRunner().invoke(cli, arguments).stderr
