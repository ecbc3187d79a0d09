"""Data sets: a tiny sample of each kind, made here, whole and damaged."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import pytest

from thresher.errors import DatasetError
from thresher.evaluate.datasets import BrokenRecord, DatasetRecord, open_dataset

PAGE = b"<title>t</title><p>Grain and \xc3\xa9.</p>"


def wcxb(root: Path) -> Path:
    (root / "html").mkdir(parents=True)
    labels = [
        {
            "id": "0001",
            "url": "http://a.test/",
            "page_type": "forum",
            "main_content": "Grain.",
            "with": ["Gr"],
        },
        {"id": "0002", "url": "", "main_content": "", "with": None, "without": ["Home"]},
    ]
    lines = [json.dumps(label).encode() for label in labels]
    with gzip.open(root / "ground-truth.jsonl.gz", "wb") as file:
        file.write(b"\n".join(lines) + b"\n")
    for label in labels:
        (root / "html" / f"{label['id']}.html.gz").write_bytes(gzip.compress(PAGE))
    return root


def sites(root: Path) -> Path:
    site = root / "farm"
    (site / "files" / "a").mkdir(parents=True)
    (site / "files" / "_ext").mkdir()
    (site / "gold").mkdir()
    key = {
        "path": "a/key.html",
        "url": "http://farm.test/a/key.html",
        "page_type": "blog",
        "gold_selectors": ["main"],
        "exclude_selectors": ["nav"],
        "gold_file": "gold/1.txt",
    }
    (site / "site.json").write_text(json.dumps({"id": "farm", "key_pages": [key]}))
    (site / "gold" / "1.txt").write_text("Körner", encoding="utf-8")
    for name in ("a/key.html", "a/other.html", "index.html", "_ext/frame.html", "a/style.css"):
        (site / "files" / name).write_bytes(PAGE)
    return root


def rendered_blocks(root: Path) -> Path:
    for group, number in [("chaos", 0), ("npr", 0), ("npr", 1)]:
        (root / group).mkdir(parents=True, exist_ok=True)
        page = {"url": f"http://{group}.test/{number}", "texts": [{"text": ["Grain"], "bound": {"left": 0}}]}
        (root / group / f"{number:03}.json.gz").write_bytes(gzip.compress(json.dumps(page).encode()))
    (root / "chaos" / "000.gold.txt").write_text("Grain")
    return root


def folder(root: Path) -> Path:
    (root / "shop").mkdir(parents=True)
    (root / "one.html").write_bytes(PAGE)
    (root / "one.txt").write_text("Grain")
    (root / "shop" / "two.html.gz").write_bytes(gzip.compress(PAGE))
    (root / "shop" / "two.md").write_text('# Grain\n\nand [chaff](http://x.test/a_(b) "t") ![pic](p.png)')
    return root


MAKERS = {"wcxb": wcxb, "sites": sites, "rendered-blocks": rendered_blocks, "folder": folder}


@pytest.mark.parametrize("kind", MAKERS)
def test_each_kind_is_recognised_and_read_whole(kind, tmp_path):
    dataset = open_dataset(MAKERS[kind](tmp_path / "data"))
    assert dataset.kind == kind
    records = list(dataset)
    assert [record.id for record in records] == list(dataset.ids())
    assert all(isinstance(record, DatasetRecord) for record in records)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_pickled_data_set_is_its_path_and_loads_the_same_records(kind, tmp_path):
    dataset = open_dataset(MAKERS[kind](tmp_path / "data"))
    list(dataset)
    pickled = pickle.dumps(dataset)
    assert len(pickled) < 500
    assert list(pickle.loads(pickled)) == list(dataset)


def test_wcxb_fields(tmp_path):
    first, second = open_dataset(wcxb(tmp_path / "data"))
    assert (first.html, first.url, first.encoding) == (PAGE, "http://a.test/", "utf-8")
    assert (first.gold, first.page_type, first.wanted, first.unwanted) == ("Grain.", "forum", ("Gr",), ())
    assert second.url is None  # an empty address is none: such a page can be rendered
    assert (second.gold, second.page_type, second.wanted, second.unwanted) == ("", "page", (), ("Home",))


def test_a_key_page_knows_its_siblings_by_address(tmp_path):
    (record,) = open_dataset(sites(tmp_path / "data"))
    assert record.id == "farm/a/key.html"
    assert record.gold == "Körner"
    assert (record.gold_selectors, record.exclude_selectors) == (("main",), ("nav",))
    assert list(record.siblings) == ["http://farm.test/a/other.html", "http://farm.test/index.html"]
    assert record.siblings["http://farm.test/index.html"].read_bytes() == PAGE


def test_a_rendering_is_read_when_asked_for(tmp_path):
    chaos, first, second = open_dataset(rendered_blocks(tmp_path / "data"))
    assert (chaos.html, chaos.gold, dict(chaos.siblings)) == (None, "Grain", {})
    assert chaos.rendering["texts"][0]["text"] == ["Grain"]
    assert (first.gold, first.page_type) == (None, "npr")
    assert list(first.siblings.values()) == [second.rendering_file]


def test_a_folder_takes_its_subfolders_as_page_types_and_link_targets_are_no_words(tmp_path):
    one, two = open_dataset(folder(tmp_path / "data"))
    assert (one.id, one.page_type, one.gold, one.rendering) == ("one", "page", "Grain", None)
    assert (two.id, two.page_type, two.gold) == ("shop/two", "shop", "# Grain\n\nand chaff pic")


def test_a_folder_is_read_at_any_depth_each_place_once_without_what_is_no_page_of_it(tmp_path):
    root = folder(tmp_path / "data")
    for name in ("shop/2024/05/three.XHTML", "linked/four.htm", ".cache/five.html", "._one.html", "one_files/six.html"):
        path = (tmp_path if name.startswith("linked") else root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PAGE)
        path.with_suffix(".txt").write_text("Grain")
    (root / "forum").symlink_to(tmp_path / "linked")
    (root / "shop" / "round").symlink_to(root)
    (root / "lost.html").symlink_to(root / "nowhere.html")
    (root / "lost.txt").write_text("Grain")
    dataset = open_dataset(root)
    assert list(dataset.ids()) == ["lost", "one", "forum/four", "shop/two", "shop/2024/05/three"]
    lost, *found = dataset
    assert isinstance(lost, BrokenRecord)
    assert [record.page_type for record in found] == ["page", "forum", "shop", "shop"]


def test_a_folder_may_tell_the_addresses_of_its_pages(tmp_path):
    root = folder(tmp_path / "data")
    (root / "addresses.json").write_text('{"shop/two": "https://shop.test/2"}')
    assert [record.url for record in open_dataset(root)] == [None, "https://shop.test/2"]
    (root / "addresses.json").write_text("[]")
    assert all("addresses.json" in reason for reason in broken(root).values())
    assert len(broken(root)) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_gold_text_is_unicode_or_broken(encoding, tmp_path):
    root = folder(tmp_path / "data")
    (root / "one.txt").write_bytes("Körner".encode(encoding))
    one = open_dataset(root).load("one")
    if encoding == "latin-1":
        assert one == BrokenRecord("one", "one.txt is not in UTF-8 (byte 1)")
    else:
        assert one.gold == "Körner"


def test_an_unknown_folder_names_the_kinds_that_exist(tmp_path):
    with pytest.raises(DatasetError, match=r"wcxb(.|\n)*sites(.|\n)*rendered-blocks(.|\n)*NAME\.html"):
        open_dataset(tmp_path)
    with pytest.raises(DatasetError, match="no such folder"):
        open_dataset(tmp_path / "missing")


def broken(path: Path) -> dict[str, str]:
    return {record.id: record.reason for record in open_dataset(path) if isinstance(record, BrokenRecord)}


def test_broken_records_of_wcxb_keep_their_place_and_the_rest_is_read(tmp_path):
    root = wcxb(tmp_path / "data")
    lines = gzip.decompress((root / "ground-truth.jsonl.gz").read_bytes()).splitlines()
    lines += [
        b"{not json",
        b'{"id": "0001"}',
        b"[]",
        b'{"id": "0003"}',
        b'{"id": "0004", "main_content": "x"}',
    ]
    (root / "ground-truth.jsonl.gz").write_bytes(gzip.compress(b"\n".join(lines)))
    (root / "html" / "0002.html.gz").write_bytes(gzip.compress(PAGE)[:-9])
    found = broken(root)
    assert list(found) == [
        "0002",
        "ground-truth.jsonl.gz:3",
        "ground-truth.jsonl.gz:4",
        "ground-truth.jsonl.gz:5",
        "0003",
        "0004",
    ]
    assert "EOFError" in found["0002"]
    assert "JSONDecodeError" in found["ground-truth.jsonl.gz:3"]
    assert "seen before" in found["ground-truth.jsonl.gz:4"]
    assert found["0003"] == "no main_content in the ground truth"
    assert "FileNotFoundError" in found["0004"]


@pytest.mark.parametrize(
    "field", [{"with": "Grain"}, {"without": ["Home", 5]}, {"url": 7}, {"page_type": ["forum"]}, {"with": {}}]
)
def test_labels_of_another_type_are_broken_and_end_no_run(field, tmp_path):
    root = wcxb(tmp_path / "data")
    label = json.dumps({"id": "0001", "main_content": "Grain", **field})
    (root / "ground-truth.jsonl.gz").write_bytes(gzip.compress(label.encode()))
    assert "its label" in broken(root)["0001"]


def test_broken_sites_are_reported(tmp_path):
    root = sites(tmp_path / "data")
    (root / "mill" / "files").mkdir(parents=True)
    label = {"path": "a.html", "url": "http://mill.test/a.html", "gold_file": "a.txt"}  # the least that a page needs
    (root / "mill" / "site.json").write_text(json.dumps({"key_pages": [label]}))
    (root / "mill" / "files" / "a.html").write_bytes(PAGE)
    (root / "mill" / "a.txt").write_text("Grain")
    (root / "barn").mkdir()
    (root / "barn" / "site.json").write_text("{}")
    (root / "farm" / "gold" / "1.txt").unlink()
    found = broken(root)
    assert "mill/a.html" not in found
    assert found["barn/site.json"] == "KeyError: 'key_pages'"
    assert "FileNotFoundError" in found["farm/a/key.html"]


def test_broken_renderings_are_reported(tmp_path):
    root = rendered_blocks(tmp_path / "data")
    (root / "chaos" / "001.json.gz").write_bytes(gzip.compress(b"{}"))
    (root / "npr" / "000.json.gz").write_bytes(b"no gzip")
    (root / "npr" / "001.json.gz").write_bytes(gzip.compress(b"[]"))
    found = broken(root)
    assert found["chaos/001"] == "no gold text 001.gold.txt"
    assert "BadGzipFile" in found["npr/000"]
    assert "AttributeError" in found["npr/001"]


def test_broken_pages_of_a_folder_are_reported(tmp_path):
    root = folder(tmp_path / "data")
    (root / "three.html").write_bytes(PAGE)
    (root / "shop" / "two.html.gz").write_bytes(b"no gzip")
    found = broken(root)
    assert found["three"] == "no gold text: three.txt or three.md is missing"
    assert "BadGzipFile" in found["shop/two"]


def test_the_digest_changes_with_the_page_its_gold_and_its_siblings(tmp_path):
    root = sites(tmp_path / "data")
    seen = set()
    for change in ("", "files/a/key.html", "gold/1.txt", "files/index.html"):
        if change:
            path = root / "farm" / change
            path.write_bytes(path.read_bytes() + b" more")
        (record,) = open_dataset(root)
        seen.add(record.digest())
    assert len(seen) == 4
