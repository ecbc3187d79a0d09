"""Pages as tables: on the terminal, as CSV, as HTML."""

from __future__ import annotations

import csv
import io
import re

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

import thresher
from thresher.cli import main
from thresher.output.record import FIELDS, PageRow, csv_head, to_table
from thresher.output.references import ContentImage, ContentLink

PAGE = """<html lang=en><head><title>=cmd|'/c calc'!A1</title><meta name=author content="Ann Lee">
<meta property="article:published_time" content="2024-03-05"></head><body><article><h1>Vaccines</h1>
<p>The first sentence has a <a href="/v">link <b>to</b> vaccines</a>. The second one says more.</p>
<p>[red]No markup[/red]. Another
paragraph has <a href="javascript:alert(1)">bad</a> and <a href="http://x.org/?a=1&b=2">good</a> links.
<a href="/v">Again.</a></p><img src="/i.png" alt="A needle"></article></body></html>"""
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
anything = st.text("aä水 =+-@＝%|'\"<>&;,[]\n\t\r\x00\x1b\x07\x85\x9b\u2028\u202e\u2066\ud800/:5.", max_size=12)
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
records = st.builds(
    PageRow,
    title=anything,
    author=anything,
    summary=anything,
    text=anything,
    source=anything,
    links=st.lists(st.builds(ContentLink, anything, anything), max_size=3).map(tuple),
    images=st.lists(st.builds(ContentImage, anything, anything), max_size=3).map(tuple),
)


@pytest.fixture(scope="module")
def record() -> PageRow:
    return thresher.extract(PAGE, method="plain", url="http://e.org/a/").record("page.html", sentences=1)


def test_a_record_has_what_the_paper_puts_into_its_table(record):
    assert record.author == "Ann Lee"
    assert record.date == "2024-03-05"
    assert record.summary == "The first sentence has a link to vaccines."
    assert record.links == (
        ContentLink("link to vaccines", "http://e.org/v"),
        ContentLink("good", "http://x.org/?a=1&b=2"),
    )
    assert record.images == (ContentImage("A needle", "http://e.org/i.png"),)


def test_csv_has_a_row_a_page_and_no_formula(record):
    rows = list(csv.DictReader(io.StringIO(csv_head() + to_table(record, "csv"), newline="")))
    assert len(rows) == 1
    assert rows[0]["source"] == "page.html"
    assert rows[0]["links"].split("\n")[1] == "good <http://x.org/?a=1&b=2>"
    formula = PageRow(title="=1+1", author="@x", summary=" =2", text="-5", date="＝3")
    cells = next(csv.reader(io.StringIO(to_table(formula, "csv"))))
    assert cells[1:6] == ["'=1+1", "'@x", "'＝3", "' =2", "-5"]  # a number is no formula


@PATIENT
@given(records)
def test_csv_reads_back_with_one_cell_a_field_and_none_that_computes(record):
    (cells,) = csv.reader(io.StringIO(to_table(record, "csv"), newline=""), strict=True)
    assert len(cells) == 1 + len(FIELDS)
    for cell in cells:
        assert not CONTROL.search(cell)
        assert not cell.lstrip().startswith(("=", "@", "＝", "＋", "－", "＠"))
        assert not cell.startswith(("+", "-")) or re.fullmatch(r"[+-]\d+([.,]\d+)*%?", cell)


@PATIENT
@given(records)
def test_html_is_one_table_without_anything_that_runs_or_loads(record):
    written = to_table(record, "html")
    body = LexborHTMLParser(written).body
    names = {node.tag for node in body.css("*")}
    assert names <= {"body", "table", "caption", "tbody", "tr", "th", "td", "br", "a"}
    assert len(body.css("table")) == 1
    assert len(body.css("td")) == len(FIELDS)
    for link in body.css("a"):
        assert set(link.attributes) == {"href", "rel"}
        assert link.attributes["href"].lower().startswith(("http:", "https:", "mailto:"))


@PATIENT
@given(records, st.integers(10, 120))
def test_the_terminal_gets_no_control_characters_and_no_markup(record, width):
    assert not CONTROL.search(to_table(record, "terminal", width=width))


def test_the_terminal_table_shows_markup_as_text(record):
    assert "[red]No markup[/red]" in to_table(record, width=140)


def test_an_unknown_style_is_an_error():
    with pytest.raises(ValueError, match="terminal, csv, html"):
        to_table(PageRow(), "excel")


def test_the_command_prints_one_head_for_many_pages_and_a_file_each_into_a_folder(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(PAGE)
    files = [str(tmp_path / "a.html"), str(tmp_path / "b.html")]
    options = ["-m", "plain", "-f", "table", "--table-style", "csv", "--sentences", "1"]
    printed = CliRunner().invoke(main, ["extract", *files, *options])
    assert printed.exit_code == 0
    rows = list(csv.DictReader(io.StringIO(printed.stdout, newline="")))
    assert [row["source"] for row in rows] == files
    CliRunner().invoke(main, ["extract", *files, *options, "-o", f"{tmp_path}/out/"])
    for name in ("a", "b"):
        assert (tmp_path / "out" / f"{name}.csv").read_text().startswith('"source"')
    shown = CliRunner().invoke(main, ["extract", files[0], "-m", "plain", "-f", "table"])
    assert "│ title" in shown.stdout
