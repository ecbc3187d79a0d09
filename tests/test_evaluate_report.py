"""Tables, plots, differences and the report: they say what was found, and nothing in them runs."""

from __future__ import annotations

import json
import re
import statistics
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import measures as naive
from thresher.evaluate import plots, tables
from thresher.evaluate.datasets import BrokenRecord
from thresher.evaluate.diff import MAX_COMPARED_WORDS, Piece, diff
from thresher.evaluate.lines import json_lines
from thresher.evaluate.measures import Score
from thresher.evaluate.report import html_report
from thresher.evaluate.results import EvaluationRun, Outcome
from thresher.text.lcs import lcs_pairs

HOSTILE = "<script>alert(1)</script>\"'&</style>"


def outcome(record: str, method: str, f1: float, page_type: str = "article", **more) -> Outcome:
    return Outcome(record, method, page_type, "a.test", 10.0, 0.002, scores={"bow": Score(f1, f1, f1)}, **more)


def make_run(**changes) -> EvaluationRun:
    outcomes = [outcome(f"{i}", "accb", 0.5 + i / 100) for i in range(30)]
    outcomes += [outcome(f"{i}", "peer:other", 0.4 + i / 100) for i in range(30)]
    outcomes += [outcome("f", "accb", 0.2, "forum"), outcome("f", "peer:other", 0.9, "forum")]
    outcomes += [Outcome("0", "floor:lexbor parse", "article", "a.test", 10.0, 0.001)]
    values = {
        "dataset": "tiny",
        "kind": "folder",
        "pages": 31,
        "methods": ("accb", "peer:other"),
        "measures": ("bow",),
        "outcomes": outcomes,
        "command": "thresher evaluate tiny",
    }
    return EvaluationRun(**{**values, **changes})


def texts(record: str, method: str) -> tuple[str, str, str]:
    return "http://a.test/", "wanted words", "other words"


def test_the_overview_has_mean_deviation_interval_and_time():
    table = tables.overview(make_run(), "bow")
    text = tables.to_text(table)
    ours, theirs = table.rows
    assert ours[0].text == "accb"
    f1 = [0.5 + i / 100 for i in range(30)] + [0.2]
    assert ours[4].text == f"{statistics.mean(f1):.3f} ± {statistics.stdev(f1):.3f}"
    assert ours[4].best
    assert not theirs[4].best
    assert "2.00" in text
    assert len({len(line) for line in text.split("\n")[1:]}) == 1  # a grid


def test_methods_by_page_type_mark_the_best_of_each_column():
    table = tables.by_group(make_run(), "bow")
    assert table.head == ("method", "article (30)", "forum (1)")
    assert [[cell.best for cell in row[1:]] for row in table.rows] == [[True, False], [False, True]]


def test_all_groups_have_their_figures_however_many_they_are():
    outcomes = [outcome(f"{i}", "accb", 0.5, f"type {i % 14:02}") for i in range(40)]
    run = make_run(methods=("accb",), outcomes=outcomes)
    assert len(run.groups()) == 14
    assert run.pages_in["type 13"] == len(run.select("accb", "type 13")) == 2
    assert sum(run.pages_in.values()) == 40
    assert "type 13 (2)" in "\n".join(tables.text_lines(run))


def test_more_groups_than_fit_across_stand_below_each_other():
    outcomes = [outcome(f"{i}", method, 0.5, f"type {i % 30:02}") for i in range(40) for method in ("accb", "bte")]
    run = make_run(methods=("accb", "bte"), outcomes=outcomes)
    table = tables.fitting(tables.by_group(run, "bow"), run)
    assert table.head == ("page type", "accb", "bte")
    assert [row[0].text for row in table.rows][:2] == ["type 00 (2)", "type 01 (2)"]
    assert len(table.rows) == 30
    assert tables.fitting(tables.times(run), run).rows[0][0].text == "ms/page"
    report = html_report(run, lambda record, method: None)
    assert report.count("<figcaption>type") == 12
    assert "The 12 largest of 30." in report


def test_the_comparison_tells_methods_apart():
    (row,) = tables.comparisons(make_run(), "bow").rows
    assert row[0].text == "accb − peer:other"
    assert row[2].text == "+0.0742"


def test_times_have_the_floor_below():
    table = tables.times(make_run())
    assert [row[0].text for row in table.rows] == ["accb", "peer:other", "lexbor parse"]
    assert [cell.text for cell in table.rows[0][1:3]] == ["2.00", "200"]


def test_markdown_escapes_bars_and_has_the_command_at_its_head():
    document = tables.markdown_document(make_run(methods=("a|b",)))
    assert document.startswith("# Results: tiny\n\n    thresher evaluate tiny\n")
    assert "| a\\|b |" in document


def test_a_method_without_scores_has_dashes():
    skipped = [Outcome("0", "layout", "article", "", 1.0, 0.0, "skipped", "needs boxes")]
    run = make_run(methods=("layout",), outcomes=skipped)
    assert "layout skipped 1 pages: needs boxes." in tables.to_text(tables.overview(run, "bow"))
    assert "layout" in html_report(run, texts)
    assert all(json.loads(line) for line in json_lines(run))


@given(st.floats(0.001, 1e6))
def test_the_axis_of_time_has_two_numbers_even_for_one_point(milliseconds):
    svg = plots.scatter([plots.Point("auto", "ours", milliseconds, 0.5, 0.4, 0.6)])
    assert len(re.findall(r'<text class="axis middle"[^>]*>[\d.e+]+<', svg)) >= 2


def test_a_measure_that_no_page_has_labels_for_is_one_table_that_says_so():
    run = make_run(measures=("nodes",))
    first, *others = tables.all_tables(run)
    assert "No page could be measured" in first.note
    assert [table.caption for table in others] == ["Time: CPU ms per page, then µs per KB of HTML"]
    assert "<svg" not in html_report(run, texts)


def test_json_lines_have_pages_summaries_and_comparisons():
    objects = [json.loads(line) for line in json_lines(make_run(broken=[BrokenRecord("x", "why")]))]
    kinds = [one["type"] for one in objects]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "page": 62,
        "broken": 1,
        "summary": 6,
        "floor": 1,
        "comparison": 1,
        "run": 1,
    }
    assert objects[0]["bow"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5}


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes


def test_the_report_has_tables_plots_and_the_worst_pages():
    document = html_report(make_run(), texts)
    seen = Elements()
    seen.feed(document)
    assert seen.tags.count("svg") == 3  # the scatter and a panel for each page type
    assert seen.tags.count("table") == 4
    assert document.count('<details class="page">') == 40
    assert "<del>wanted words</del><ins>other words</ins>" in document
    assert "thresher evaluate tiny" in document


def test_nothing_hostile_gets_through_and_nothing_is_fetched():
    run = make_run(
        dataset=HOSTILE,
        command=HOSTILE,
        methods=(HOSTILE,),
        outcomes=[
            outcome(HOSTILE, HOSTILE, 0.5, HOSTILE),
            outcome("b", HOSTILE, 0, "b", problem=HOSTILE, status="failed"),
        ],
        broken=[BrokenRecord(HOSTILE, HOSTILE)],
        versions={HOSTILE: HOSTILE},
    )
    document = html_report(run, lambda record, method: (HOSTILE, HOSTILE + " gold", "extract " + HOSTILE))
    seen = Elements()
    seen.feed(document)
    assert "script" not in seen.tags
    assert document.count("</style>") == 1
    assert not {name for name, _ in seen.attributes} & {"src", "href", "srcset", "onload", "onclick"}
    assert "url(" not in document


def test_pages_with_an_empty_gold_are_not_among_the_worst():
    document = html_report(make_run(), lambda record, method: ("", "" if record == "0" else "gold", "extract"))
    assert '<details class="page"><summary><b>0.500</b> 0 ' not in document


def test_a_difference_by_hand():
    assert diff("One two three four. Five", "One two three FOUR! Six") == [
        Piece("same", "One two three four. "),
        Piece("missed", "Five"),
        Piece("extra", "Six"),
    ]


def test_stray_equal_words_are_no_agreement():
    kinds = [piece.kind for piece in diff("the a b c", "the x y z")]
    assert kinds == ["missed", "extra"]


def test_long_stretches_are_shown_by_their_ends_and_long_texts_are_cut():
    gold = " ".join(f"w{i}" for i in range(MAX_COMPARED_WORDS + 10))
    pieces = diff(gold, "")
    assert [piece.kind for piece in pieces] == ["missed", "gap", "missed", "gap"]
    assert pieces[1].text == f"{MAX_COMPARED_WORDS - 50:,} words"
    assert pieces[3].text == "not compared: 10 more words in the gold, 0 in the extract"
    assert sum(len(piece.text) for piece in pieces) < 600
    assert diff("", "...") == []


@given(st.text("abc ", max_size=60), st.text("abc ", max_size=60))
def test_a_difference_leaves_nothing_out(gold, extract):
    pieces = diff(gold, extract)
    words = {
        kind: [w for p in pieces if p.kind == kind for w in p.text.split()] for kind in ("same", "missed", "extra")
    }
    assert len(words["same"]) + len(words["missed"]) == len(gold.split())
    assert len(words["same"]) + len(words["extra"]) == len(extract.split())


@given(st.lists(st.integers(0, 5), max_size=30), st.lists(st.integers(0, 5), max_size=30))
def test_the_pairs_are_a_longest_common_subsequence(a, b):
    pairs = lcs_pairs(a, b)
    assert len(pairs) == naive.lcs_length(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


def test_labels_of_a_scatter_do_not_cover_each_other():
    few = [(100.0, 100.0, "one"), (101.0, 112.0, "two")]
    many = [(100.0 + i % 3, 100.0 + i / 10, f"method {i}") for i in range(20)]
    assert plots._beside(few) == [(109.0, 100.0), (110.0, 112.0)]
    assert plots._beside(many) is None
    heights = sorted(y for _, y in plots._column(many, 500.0, 10.0, 400.0))
    assert all(b - a >= 13.9 for a, b in pairwise(heights))
    assert heights[-1] <= 400


@pytest.mark.parametrize("values", [[], [0.5], [0.0, 1.0], list(np.linspace(0, 1, 50))])
def test_a_box_plot_takes_any_number_of_values(values):
    svg = plots.box_plot([plots.Series("a&b", "ours", np.array(values))])
    assert svg.startswith("<svg")
    assert "a&amp;b" in svg
    assert "nan" not in svg


def test_a_scatter_of_nothing_is_nothing():
    assert plots.scatter([]) == ""
    assert "nan" not in plots.scatter([plots.Point("a", "ours", 1.0, 0.5, 0.5, 0.5)])
