"""Files of labels: what is written is read, the last word counts, and bad lines are named."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.errors import DatasetError
from thresher.learn.labelfile import LABELS, Label, append, current, element_votes, label, read, text_votes
from thresher.learn.seeker.examples import example
from thresher.page.xpath import xpath
from thresher.parse import parse

HTML = "<body><div id=a><p>Grain and more grain.</p><p>Chaff</p></div><div id=b><p>Straw</p></div></body>"
printable = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.builds(
            label,
            page=printable,
            xpath=printable.map("/".__add__),
            label=st.sampled_from(LABELS),
            labeller=printable,
            time=st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
        ),
        max_size=6,
    )
)
def test_what_is_appended_is_read(tmp_path_factory: pytest.TempPathFactory, labels: list[Label]) -> None:
    path = tmp_path_factory.mktemp("labels") / "deeper" / "labels.jsonl"
    append(path, labels[:2])
    append(path, labels[2:])
    assert read(path) == labels


def test_a_line_cut_by_a_killed_writer_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    append(path, [label("1", "/html", "content", "ada")])
    with path.open("a") as file:
        file.write('{"page": "2", "xp')
    append(path, [label("3", "/html", "noise", "ada")])
    with pytest.raises(DatasetError, match="line 2"):
        read(path)
    path.write_text("".join(line for line in path.read_text().splitlines(True) if '"xp\n' not in line))
    assert [one.page for one in read(path)] == ["1", "3"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"label": "good"}, "label is one of"),
        ({"time": "yesterday"}, "time is like"),
        ({"time": "2026-13-01T00:00:00Z"}, "time is like"),
        ({"time": 5}, "time is like"),
        ({"xpath": "html/body"}, "starts with a slash"),
        ({"page": ""}, "page is a text"),
        ({"page": 7}, "page is a text"),
        ({"labeller": "a\x1b[31m"}, "cannot be printed"),
        ({"xpath": "/" + "a" * 30_000}, "xpath is a text"),
    ],
)
def test_a_line_that_is_no_label_is_named_with_the_reason(
    tmp_path: Path, change: dict[str, object], complaint: str
) -> None:
    good = {"page": "1", "xpath": "/html", "label": "noise", "labeller": "ada", "time": "2026-11-16T03:00:00Z"}
    path = tmp_path / "labels.jsonl"
    path.write_text("\n" + json.dumps({**good, "note": "further fields do no harm"}) + "\n" + json.dumps(good | change))
    with pytest.raises(DatasetError, match="line 3") as caught:
        read(path)
    assert complaint in str(caught.value)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("text", ["[]", "{", "null", '{"page": "1"}'])
def test_other_json_is_no_label(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels").write_text(text)
    with pytest.raises(DatasetError, match="line 1"):
        read(tmp_path / "labels")


def test_a_missing_or_binary_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name in ("none", "binary"):
        with pytest.raises(DatasetError, match=name):
            read(tmp_path / name)


def test_the_last_word_of_each_labeller_on_each_question_counts() -> None:
    said = [
        label("1", "/a", "content", "ada"),
        label("1", "/a", "good_segment", "ada"),
        label("1", "/a", "noise", "bob"),
        label("1", "/a", "noise", "ada"),
    ]
    assert [(one.labeller, one.label) for one in current(said)] == [
        ("ada", "good_segment"),
        ("bob", "noise"),
        ("ada", "noise"),
    ]


def test_labels_become_verdicts_on_rows_and_texts() -> None:
    page = parse(HTML)
    rows = {page.attribute(row, "id"): row for row in range(len(page)) if page.attribute(row, "id")}
    a, b, first = rows["a"], rows["b"], rows["a"] + 1
    said = element_votes(
        page,
        [
            label("1", xpath(page, a), "content", "ada"),
            label("1", xpath(page, a + 2), "noise", "ada"),
            label("1", xpath(page, b), "bad_segment", "ada"),
            label("1", xpath(page, b), "good_segment", "bob"),
            label("1", "/html/body/div[9]", "noise", "bob"),
        ],
    )
    assert said.content == {a: 1.0, a + 2: 0.0}
    assert said.segment == {b: 0.5}
    assert said.lost == ("/html/body/div[9]",)
    np.testing.assert_array_equal(text_votes(page, said.content), [1.0, 0.0, np.nan])
    assert first == a + 1


def test_labels_make_an_example_without_any_gold_text_and_overrule_one() -> None:
    page = parse(HTML, url="https://a.example/")
    a = next(row for row in range(len(page)) if page.attribute(row, "id") == "a")
    said = [label("1", xpath(page, a), "content", "ada"), label("1", xpath(page, a), "bad_segment", "ada")]
    alone = example(page, None, "1", "article", said)
    assert alone is not None
    at = alone.row.tolist().index(a)
    assert alone.content[at]
    assert not alone.good[at]
    assert alone.known.tolist() == [a <= row < page.end[a] for row in alone.row.tolist()]
    both = example(page, "Straw", "1", "article", said)
    assert both is not None
    assert both.known.all()
    assert both.content[at]
    assert both.gold[0] == both.text[0]
