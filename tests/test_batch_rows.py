"""One record in, one row out; a bad page costs one row and nothing else."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.archives import page
from tests.clock import slowness
from thresher import __version__
from thresher.batch.isolation import CannotStart, Isolated
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.parts import open_writer, part_suffix
from thresher.batch.record import PageRecord
from thresher.batch.rows import COLUMNS, model, row
from thresher.batch.schema import in_schema
from thresher.batch.store import LocalStore

JOB = Job((), "")
RECORD = PageRecord(
    "<urn:uuid:1>", "a.warc.gz", "17", page(1), "http://example.org/1", "2024-05-01T12:00:00Z", 200, "text/html"
)


def test_a_row_says_everything_about_a_page() -> None:
    found = row(RECORD, replace(JOB, markdown=True))
    assert found["text"].startswith("Page 1")
    assert "Imprint" not in found["text"]
    assert found["markdown"].startswith("# Page 1")
    assert (found["id"], found["url"], found["date"]) == (
        "<urn:uuid:1>",
        "http://example.org/1",
        "2024-05-01T12:00:00Z",
    )
    assert (found["status"], found["http_status"], found["error"]) == ("ok", 200, None)
    assert (found["title"], found["language"]) == ("Page 1", "en")
    assert (found["method"], found["model"], found["version"]) == ("auto", model("auto"), __version__)
    assert (found["source"], found["position"]) == ("a.warc.gz", "17")
    assert 0 < found["confidence"] <= 1
    assert set(COLUMNS) - set(found) == {"seconds"}


@pytest.mark.parametrize("language", ["en", "EN"])
def test_a_page_in_the_language_of_the_job_is_as_without_it(language: str) -> None:
    assert row(RECORD, replace(JOB, language=language)) == row(RECORD, JOB)


def test_a_page_in_another_language_is_held_back_and_says_so() -> None:
    found = row(RECORD, replace(JOB, language="de", markdown=True))
    assert (found["status"], found["text"], found["markdown"]) == ("held_back", "", "")
    assert found["error"] == "language: its language is en, not de"
    assert (found["title"], found["language"]) == ("Page 1", "en")
    empty = row(replace(RECORD, body=b""), replace(JOB, language="de"))
    assert (empty["status"], empty["error"]) == ("empty", row(replace(RECORD, body=b""), JOB)["error"])


def test_a_page_that_is_an_error_says_so() -> None:
    found = row(replace(RECORD, http_status=404), JOB)
    assert (found["warnings"], found["error"]) == (["http_404: the server answered 404"], None)


@pytest.mark.parametrize(
    ("record", "status", "code"),
    [
        (replace(RECORD, body=b"%PDF-1.4"), "not_html", "not_html"),
        (replace(RECORD, body=b""), "empty", "empty"),
        (replace(RECORD, body=b"<div id=root></div><script src=x></script>"), "js_shell", "js_shell"),
        (replace(RECORD, body=b"", error="damaged: incorrect data check"), "failed", "damaged"),
        (replace(RECORD, body=b"\x1f\x8b\x08" + b"x" * 99, codings=("gzip",)), "failed", "coding"),
    ],
)
def test_a_record_without_text_is_an_error_row(record: PageRecord, status: str, code: str) -> None:
    found = row(record, JOB)
    assert (found["status"], found["text"]) == (status, "")
    assert found["error"].partition(":")[0] == code
    assert found["id"] == RECORD.id


def test_the_charset_comes_from_the_http_header_and_codings_are_undone() -> None:
    text = page(1).replace(b"The flail", "Der Dreschflegel für Überkopf".encode("cp1251", "replace"))
    russian = page(1).replace(b"The flail", "Цеп молотит зерно".encode("koi8-r"))
    record = replace(
        RECORD, body=gzip.compress(russian), codings=("gzip",), content_type="text/html; charset=koi8-r", http_length=9
    )
    assert "Цеп молотит зерно" in row(record, JOB)["text"]
    assert row(replace(RECORD, body=text), JOB)["status"] in ("ok", "partial")


def test_truncated_payloads_are_flagged() -> None:
    cut = replace(RECORD, http_length=len(RECORD.body) + 100)
    assert any(warning.startswith("truncated:") for warning in row(cut, JOB)["warnings"])
    cut = replace(RECORD, body=gzip.compress(page(1, 200))[:-40], codings=("gzip",))
    assert any(warning.startswith("truncated:") for warning in row(cut, JOB)["warnings"])
    assert not row(RECORD, JOB)["warnings"]


def test_datatrove_has_its_names() -> None:
    asked = replace(JOB, schema="datatrove")
    found = in_schema(row(RECORD, asked), asked)
    assert list(found) == ["text", "id", "metadata"]
    assert found["metadata"]["url"] == "http://example.org/1"
    assert found["metadata"]["date"] == "2024-05-01T12:00:00Z"
    assert found["metadata"]["language"] == "en"
    assert "markdown" not in found["metadata"]


@pytest.mark.parametrize("schema", ["thresher", "datatrove"])
@pytest.mark.parametrize("packed", ["none", "gzip", "zstd"])
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_parts_can_be_read_back_and_are_the_same_every_time(
    tmp_path: Path, form: str, packed: str, schema: str
) -> None:
    asked = Job((), "", format=form, compression=packed, schema=schema)  # type: ignore[arg-type]
    odd = replace(RECORD, url="http://example.org/\ud800", source="b\udcff.warc", warnings=("x: \udc00",))
    rows = [row(replace(RECORD, id=str(number)), asked) for number in range(3)] + [row(odd, asked)]
    written = []
    for time_ in range(2):
        store = LocalStore(str(tmp_path / str(time_)))
        with store.draft("part" + part_suffix(asked)) as draft:
            writer = open_writer(draft, asked)
            for each in rows:
                writer.write(each)
            writer.close()
        written.append(store.read("part" + part_suffix(asked)))
        assert len(written[-1]) == draft.size
    assert written[0] == written[1]
    path = tmp_path / "0" / ("part" + part_suffix(asked))
    if form == "parquet":
        found = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    else:
        pyarrow = pytest.importorskip("pyarrow")
        data = pyarrow.input_stream(str(path), compression=None if packed == "none" else packed).read()
        found = [json.loads(line) for line in data.splitlines()]
    assert [each["id"] for each in found] == ["0", "1", "2", "<urn:uuid:1>"]
    assert found[0]["text"] == rows[0]["text"]


# In a process that may die


FAULTY = Job((), "", function="tests.batch_faults:faulty")


def at(what: str) -> PageRecord:
    return replace(RECORD, url=f"http://example.org/{what}", id=what)


def test_a_bad_page_costs_one_row() -> None:
    causes = {
        "good": None,
        "hang": "time: no result after 2 s",
        "spin": "time: no result after 2 s",
        "crash": "crash: the process was ended by SIGSEGV",
        "fine": None,
        "exit": "crash: the process ended with code 7",
        "memory": "memory: the page needs more than 2048 MB",
        "bug": "failed: KeyError: 'a bug of ours'",
        "well": None,
    }
    with Isolated(FAULTY, WorkerLimits(page_seconds=2)) as isolated:
        rows = [isolated.row(at(what))[0] for what in causes]
    assert {each["id"]: each["error"] for each in rows} == causes
    assert {each["status"] for each in rows if each["error"]} == {"failed"}
    assert {each["text"] for each in rows if not each["error"]} == {row(RECORD, JOB)["text"]}


def test_a_page_is_tried_twice(tmp_path: Path) -> None:
    asked = replace(FAULTY, html_column=str(tmp_path / "mark"))
    with Isolated(asked) as isolated:
        assert isolated.row(at("once"))[0]["error"] is None
    assert (tmp_path / "mark").exists()


def test_what_a_library_prints_does_not_get_between() -> None:
    with Isolated(FAULTY) as isolated:
        assert [isolated.row(at(each))[0]["error"] for each in ("print", "good")] == [None, None]


def test_processes_are_replaced_after_so_many_pages() -> None:
    asked = replace(JOB, function="tests.batch_faults:process_id")
    with Isolated(asked, WorkerLimits(recycle_pages=3)) as isolated:
        seen = [isolated.row(RECORD)[0]["text"] for _ in range(7)]
    assert [seen.index(each) for each in seen] == [0, 0, 0, 3, 3, 3, 6]
    with Isolated(asked, WorkerLimits(recycle_mb=1)) as isolated:
        assert len({isolated.row(RECORD)[0]["text"] for _ in range(2)}) == 2


def test_a_process_that_cannot_start_is_no_fault_of_the_page() -> None:
    with Isolated(replace(JOB, function="no_such_module:x")) as isolated, pytest.raises(CannotStart, match="no_such"):
        isolated.row(RECORD)


def test_the_isolated_row_is_the_same_and_takes_little_longer() -> None:
    """The CPU time that it says is that of the page: no process is started for it, and nothing imported."""
    with Isolated(JOB) as isolated:
        isolated.row(RECORD)
        found, seconds = isolated.row(RECORD)
    assert found == row(RECORD, JOB)
    assert 0 < seconds < 0.3 * slowness()
    with Isolated(replace(JOB, function="tests.batch_faults:process_id")) as isolated:
        assert isolated.row(RECORD)[0]["text"] == isolated.row(RECORD)[0]["text"]


def test_the_model_is_that_of_the_method_whatever_its_options(tmp_path: Path) -> None:
    assert model("auto:focus=recall") == model("auto")
    own = tmp_path / "own.npz"
    own.write_bytes(b"weights")
    assert model(f"auto:model={own}") == "auto-" + hashlib.sha256(b"weights").hexdigest()[:12]
    assert model("lqf:quota=0.75") is None
