"""A site learned from its rendered pages: blocks, model files, the method, the regimes."""

from __future__ import annotations

import gzip
import io
import json
import sys

import numpy as np
import pytest

import thresher
from tests.data import DATA, needs
from tests.rendered_site import article, rendered
from thresher.errors import MissingExtra, NeedsLayout, NeedsModel
from thresher.methods import cluster
from thresher.methods.cluster import learning, model, picture, regimes, svm
from thresher.methods.cluster.blocks import of_pages, of_renderings
from thresher.methods.cluster.features import encode, tokens, vocabulary


def rendering(page):
    """A page in the form of the data set `rendered-blocks`."""
    found = of_pages([page])
    texts = []
    for k in range(len(found)):
        selector = [_parsed(one) for one in found.selector[k]]
        left, top, width, height = found.box[k].tolist()
        texts.append(
            {
                "text": [found.text[k]],
                "path": list(found.path[k]),
                "selector": selector,
                "computed": dict(one.split(": ", 1) for one in found.style[k]),
                "bound": {"left": left, "top": top, "width": width, "height": height},
            }
        )
    facts = found.pages[0]
    said = [claim.text for claim in facts.claims if claim.source == "description"]
    body = {"bound": {"width": facts.width, "height": facts.height}}
    return {"url": facts.url, "titles": ["T"], "descriptions": said, "body": body, "texts": texts}


def _parsed(selector):
    name, *classes = selector.split(".")
    name, _, id = name.partition("#")
    return {"name": name, "id": id, "classes": classes}


def test_both_kinds_of_data_give_the_same_blocks():
    page = article(1, replies=2)
    ours, theirs = of_pages([page]), of_renderings([rendering(page)])
    for name in ("text", "path", "selector", "style"):
        assert getattr(ours, name) == getattr(theirs, name)
    np.testing.assert_array_equal(ours.box, theirs.box)


def test_a_block_has_the_innermost_element_around_it_and_what_the_body_has_not():
    page = rendered('<body><div id=x class="a b"><p>Some <a href=/>linked</a> text</p><li><a href=/>All link</a></li>')
    found = of_pages([page])
    assert found.text == ("Some linked text", "All link")
    assert found.path == (("div", "p"), ("div", "li", "a"))
    assert found.selector[0] == ("div#x.a.b", "p")
    assert set(found.style[1]) == {"font-size: 12px", "color: rgb(0, 0, 238)", "display: inline"}
    assert found.box[1, 0] == 10


def test_hidden_blocks_and_pages_without_text_are_no_trouble():
    found = of_pages([rendered("<p hidden>unseen</p>"), rendered(""), article(1)])
    assert set(found.page.tolist()) == {2}
    assert "unseen" not in found.text


def test_a_page_without_layout_is_refused_with_the_command_that_adds_it():
    with pytest.raises(NeedsLayout, match="thresher render"):
        of_pages([thresher.parse("<p>x")])
    with pytest.raises(NeedsLayout, match="--render"):
        thresher.extract("<p>x", method="cluster")
    with pytest.raises(NeedsModel, match="thresher site learn URL --method cluster"):
        thresher.extract(rendered("<p>x"), method="cluster")


def test_numbers_in_names_are_blurred_and_paths_have_their_ends():
    found = of_pages([rendered('<body><div class="post-12"><p>x</p></div>')])
    assert {"div", ".post-0", "=p"} <= set(tokens(found, "selector")[0])
    assert set(tokens(found, "path")[0]) == {"/div>p", "p", "div>p"}
    assert tokens(found, "path", parts=False)[0] == ("/div>p",)


def test_what_one_page_alone_has_is_no_column():
    pages = [rendered(f"<body><div class='only-{name} all'><p>x</p><p>y</p></div>") for name in "abc"]
    columns = vocabulary(of_pages(pages), ("selector",))
    assert "selector .all" in columns
    assert not [column for column in columns if "only" in column]


@pytest.fixture(scope="module")
def learned():
    blocks = of_pages([article(seed, replies=3) for seed in range(8)])
    return learning.learn(blocks), blocks


def test_a_site_is_learned_and_held_out_pages_are_right(learned):
    found, _ = learned
    assert found.held_out is not None
    assert found.held_out.f1 == 1
    assert found.labels.sources == {"description": 8}


def test_a_model_survives_its_file_and_judges_new_pages(learned, tmp_path):
    file = tmp_path / "model"
    model.save(model.made_of(*learned, "news.test"), file)
    assert model.is_model(file)
    read = model.load(file)
    assert read.card["site"] == "news.test"
    assert read.card["pages"] == 8
    new = article(1234, replies=4)
    result = thresher.extract(new, method="cluster", options={"model": str(file)})
    kept = [block.text for block in result.blocks if block.kept]
    assert len(kept) == 7
    assert kept[0] == "Story number 1234"
    assert all(block.score > 0.5 for block in result.blocks if block.kept)
    own = of_pages([new])
    np.testing.assert_allclose(read.margins(own), model.made_of(*learned).margins(own), atol=1e-9)


def test_siblings_do_as_well_as_a_model():
    siblings = tuple(article(seed, replies=3) for seed in range(5))
    for labels, texts in {"site": 6, "page": 6, "grown": 7}.items():  # the last has the heading, too
        keep = cluster.judge(article(77, replies=2), cluster.Options(siblings=siblings, labels=labels)).keep
        assert np.count_nonzero(keep) == texts


def test_k_means_finds_the_content_too():
    pages = [article(seed, replies=3) for seed in range(8)]
    blocks = of_pages(pages)
    clustered = learning.cluster(blocks, clustering="kmeans")
    assert (clustered.number >= 0).all()
    size = np.bincount(clustered.number)
    assert len(size) == clustered.clusters.count
    assert (np.diff(size) <= 0).all()
    assert (learning.cluster(blocks, clustering="kmeans").number == clustered.number).all()
    page, *siblings = pages
    kept = thresher.extract(page, method="cluster:clustering=kmeans", siblings=siblings)
    assert kept.text
    assert "Section 3" not in kept.text


def test_learning_needs_scikit_learn_and_a_saved_model_does_not(learned, tmp_path, monkeypatch):
    found, blocks = learned
    model.save(model.made_of(found, blocks), tmp_path / "model.npz")
    saved = {"model": str(tmp_path / "model.npz")}
    usual = thresher.extract(article(100, replies=3), method="cluster", options=saved).text
    for name in ("sklearn", "sklearn.cluster", "sklearn.svm", "scipy", "scipy.sparse"):
        monkeypatch.setitem(sys.modules, name, None)
    for clustering in ("dbscan", "kmeans"):
        with pytest.raises(MissingExtra, match=r"pip install '\.\[learn\]'"):
            learning.learn(blocks, clustering=clustering)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[learn\]'"):
        svm.fit(encode(blocks, found.columns), found.labels.content)
    assert usual
    assert thresher.extract(article(100, replies=3), method="cluster", options=saved).text == usual


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04garbage"])
def test_other_files_are_no_models(content, tmp_path):
    file = tmp_path / "x.npz"
    file.write_bytes(content)
    assert not model.is_model(file)
    with pytest.raises(NeedsModel, match="make one with"):
        model.load(file)


def test_a_file_with_other_arrays_or_pickles_is_no_model(tmp_path):
    other = tmp_path / "other.npz"
    np.savez(other, weight=np.ones(2), card=np.array([{"kind": "x"}], dtype=object))
    assert not model.is_model(other)
    card = np.frombuffer(json.dumps({"kind": "thresher cluster 1", "columns": ["a", "b"]}).encode(), np.uint8)
    np.savez(other, weight=np.ones(2), card=card)  # three weights are due
    assert not model.is_model(other)
    assert not model.is_model(tmp_path / "missing.npz")


def test_unseen_sites_share_no_site_between_parts():
    blocks = of_pages([article(seed) for seed in range(12)])
    site = [f"site{seed % 5}" for seed in range(12)]
    parts = regimes.unseen_sites(blocks, site)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(blocks)))
    held = [{site[page] for page in blocks.page[rows].tolist()} for rows in parts]
    assert sum(map(len, held)) == 5
    mixed = regimes.random_mix(blocks)
    assert sorted(np.concatenate(mixed).tolist()) == list(range(len(blocks)))
    assert all(len(set(blocks.page[rows].tolist())) == 3 for rows in mixed)


def test_every_set_of_features_is_compared():
    blocks = of_pages([article(seed, replies=3) for seed in range(8)])
    content = learning.learn(blocks, check=False).labels.content
    found = regimes.compare(blocks, content, regimes.random_mix(blocks))
    assert list(found) == ["text length", "tag path", "css selectors", "css properties", "all"]
    assert found["tag path"].f1 == found["all"].f1 == 1


def test_a_matrix_has_the_columns_it_is_asked_for():
    blocks = of_pages([article(1), article(2)])
    columns = vocabulary(blocks, ("length", "path"))
    x = encode(blocks, columns)
    assert x.width == len(columns) + 1
    np.testing.assert_array_equal(x.times(np.eye(x.width)[-1]), 1)  # the intercept
    length = x.times(np.eye(x.width)[columns.index("number length")])
    np.testing.assert_allclose(length, np.log1p([len(text) for text in blocks.text]) / np.log1p(1000))


@needs("rendered-blocks")
def test_the_best_cluster_of_a_real_site_is_its_article():
    files = sorted((DATA / "rendered-blocks" / "npr").glob("*.json.gz"))[:8]
    blocks = of_renderings([json.loads(gzip.decompress(file.read_bytes())) for file in files])
    content = learning.learn(blocks, "subsequence", check=False).labels.content
    inside = ["#storytext" in ">".join(blocks.selector[k]) for k in np.flatnonzero(content)]
    assert len(inside) > 50
    assert np.mean(inside) > 0.95


def test_clusters_are_drawn_in_their_colours():
    image = pytest.importorskip("PIL.Image")
    page = rendered("<body><p>One</p><li>Two</li>")
    blocks = of_pages([page])
    white = io.BytesIO()
    image.new("RGB", (1000, 200), "white").save(white, "PNG")
    drawn = image.open(io.BytesIO(picture.draw(white.getvalue(), blocks, 0, np.array([1, -1]), content=1)))
    corners = [tuple(blocks.box[k, :2].astype(int).tolist()) for k in (0, 1)]
    assert [drawn.getpixel(corner) for corner in corners] == [picture.colour(1), picture.colour(-1)]
    assert drawn.getpixel((999, 199)) == (255, 255, 255)
    assert len({picture.colour(k) for k in range(20)}) == 20
