"""A table of pages in, a table of results out: what every batch engine calls."""

from __future__ import annotations

from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

import thresher
from tests.archives import page
from thresher.arrow import TableExtractor, TableOptions, extract, schema
from thresher.batch import Job, run
from thresher.batch.schema import arrow_schema
from thresher.errors import NeedsSiblings, UnknownMethod

HANG = b"<p>" + b"<b>" * 50 + b"word " * 2_000_000


def pages(count: int, start: int = 0) -> pyarrow.Table:
    numbers = range(start, start + count)
    return pyarrow.table(
        {
            "url": [f"https://example.org/{number}" for number in numbers],
            "html": [page(number) for number in numbers],
            "shelf": [f"shelf {number % 3}" for number in numbers],
        }
    )


def test_every_row_has_its_row_in_its_order() -> None:
    result = thresher.arrow.extract(pages(150), workers=2)
    assert result.column("url").to_pylist() == [f"https://example.org/{number}" for number in range(150)]
    assert [text.splitlines()[0] for text in result.column("text").to_pylist()] == [f"Page {n}" for n in range(150)]
    assert set(result.column("status").to_pylist()) == {"ok"}


def test_the_columns_and_their_values_are_those_of_a_batch_run(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(pages(5), tmp_path / "pages.parquet")
    run(Job((str(tmp_path / "pages.parquet"),), str(tmp_path / "out")), workers=1)
    written = pyarrow.parquet.read_table(*tmp_path.glob("out/*.parquet"))
    result = extract(pages(5), workers=0)
    assert result.schema == schema() == arrow_schema(Job((), "")) == written.schema
    own = {"id", "source", "position"}  # which say where a page came from
    assert result.drop_columns([*own]).equals(written.drop_columns([*own]))


def test_a_process_of_its_own_and_none_give_the_same() -> None:
    assert extract(pages(3), workers=0, markdown=True).equals(extract(pages(3), workers=1, markdown=True))


def test_a_page_has_one_id_however_the_table_is_cut() -> None:
    whole = extract(pages(6), workers=0).column("id").to_pylist()
    assert whole[4:] == extract(pages(2, start=4), workers=0).column("id").to_pylist()
    assert len(set(whole)) == 6
    named = pages(2).append_column("id", pyarrow.array(["first", "second"]))
    assert extract(named, workers=0).column("id").to_pylist() == ["first", "second"]


def test_what_is_no_page_is_a_row_that_says_why() -> None:
    table = pyarrow.table({"html": pyarrow.array([b"%PDF-1.7", None, b"", page(1)])})
    result = extract(table, workers=0)
    assert result.column("status").to_pylist() == ["not_html", "failed", "empty", "ok"]
    assert [(error or "").partition(":")[0] for error in result.column("error").to_pylist()] == [
        "not_html",
        "unreadable",
        "empty",
        "",
    ]


def test_a_page_that_takes_too_long_costs_its_own_row() -> None:
    table = pyarrow.table({"html": [page(1), HANG, page(2)]})
    result = extract(table, seconds=0.05, workers=1)
    statuses = result.column("status").to_pylist()
    assert statuses[1] == "failed"
    assert result.column("error").to_pylist()[1].startswith("time:")
    assert len(statuses) == 3


def test_columns_can_be_passed_on() -> None:
    result = extract(pages(4), workers=0, pass_on=["shelf"])
    assert result.column("shelf").to_pylist() == ["shelf 0", "shelf 1", "shelf 2", "shelf 0"]
    assert result.schema == schema(TableOptions(pass_on=["shelf"]), pages(1))


def test_text_that_is_decoded_already_stays_as_it_is() -> None:
    html = "<meta charset=koi8-r><article><h1>Dreschen</h1><p>Über die Tenne, eine Fläche aus Lehm.</article>"
    assert "Über die Tenne" in extract(pyarrow.table({"html": [html]}), workers=0).column("text")[0].as_py()


def test_processes_are_kept_from_table_to_table() -> None:
    with TableExtractor(TableOptions(workers=1)) as extractor:
        first, second = extractor(pages(2)), extractor(pages(2))
    assert first.equals(second)


def test_an_empty_table_gives_an_empty_one() -> None:
    result = extract(pages(0), workers=0)
    assert (result.num_rows, result.schema) == (0, schema())


def test_record_batches_and_data_frames_are_tables() -> None:
    table = pages(2)
    expected = extract(table, workers=0)
    assert extract(table.to_batches()[0], workers=0).equals(expected)
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert extract(pandas.DataFrame(table.to_pylist()).loc[::-1], workers=0).equals(expected.take([1, 0]))


def test_a_frame_of_polars_is_a_table_and_takes_the_result() -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed: pip install 'thresher[integrations]'")
    table = pages(2)
    result = polars.from_arrow(extract(polars.from_arrow(table), workers=0))
    assert result.to_dicts() == extract(table, workers=0).to_pylist()


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="no column 'content'; it has url, html, shelf"):
        extract(pages(1), html="content")
    with pytest.raises(ValueError, match="column 'url' of its own"):
        extract(pages(1), pass_on=["url"])
    with pytest.raises(ValueError, match="no column 'colour'"):
        extract(pages(1), pass_on=["colour"])
    with pytest.raises(TypeError, match="not list"):
        extract([page(1)])
    with pytest.raises(ValueError, match="from 0 on"):
        extract(pages(1), workers=-1)
    with pytest.raises(UnknownMethod):
        extract(pages(1), method="magic")
    with pytest.raises(NeedsSiblings):
        extract(pages(1), method="site")
