"""In = out: whatever pages, processes, inputs and disks do, every page has its row, and what is wrong is told."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.archives import gzipped, page, record, records, response
from tests.batch_faults import in_process
from thresher.batch import Job, run, status
from thresher.batch.driver import Stopped
from thresher.batch.isolation import Isolated
from thresher.batch.journal import Journal
from thresher.batch.plan import Changed
from thresher.batch.record import PageRecord, pack
from thresher.batch.sources import archives as archive_source
from thresher.batch.store import LocalStore
from thresher.workers.pipes import send


def folder(path: Path, count: int, killers: dict[int, str] | None = None) -> Path:
    path.mkdir()
    for number in range(count):
        what = (killers or {}).get(number, "")
        (path / f"{number:03}.html").write_bytes(page(number) + f"<!-- {what} -->".encode())
    return path


def asked(inputs: Path, output: Path, **options: Any) -> Job:
    return Job((str(inputs),), str(output), **{"method": "plain", "format": "jsonl"} | options)


def rows(output: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(output.glob("part-*")) for line in path.read_text().splitlines()]


def parts(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.glob("part-*"))}


# Pages that kill


@pytest.mark.parametrize("slice_pages", [12, 4])
def test_pages_that_kill_processes_cost_themselves(tmp_path: Path, slice_pages: int) -> None:
    killers = {0: "kill the worker", 5: "kill the worker", 6: "kill the page process", 7: "kill the group"}
    pages = folder(tmp_path / "pages", 12, killers)
    job = asked(pages, tmp_path / "out", function="tests.batch_faults:deadly", slice_pages=slice_pages)
    report = run(job, workers=2)
    assert (report.rows, report.errors, report.failed) == (12, {"crash": 4}, [])
    written = rows(tmp_path / "out")
    assert [row["source"][-8:-5] for row in written] == [f"{number:03}" for number in range(12)]
    assert [number for number, row in enumerate(written) if row["error"]] == sorted(killers)
    assert all(f"of page {number}." in row["text"] for number, row in enumerate(written) if number not in killers)
    assert {row["error"] for row in (written[0], written[5])} == {"crash: the worker died 2 times at this page"}
    assert status(str(tmp_path / "out"), verify=True)["complete"]
    assert not list((tmp_path / "out/_thresher/drafts").glob("*"))


def test_a_process_whose_page_hangs_ends_though_nobody_waits_for_it() -> None:
    """Whoever started it may be gone.  The page holds the interpreter's lock, so no handler of Python's ever runs."""
    code = "import thresher.workers.child as child; child.PATIENCE = child._GRACE = 0.2; child.main()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        settings = {"job": Job((), "", function="tests.batch_faults:faulty").to_dict(), "evidence": None}
        config = {
            "prepare": "thresher.batch.isolation:prepare",
            "settings": settings,
            "seconds": 0.5,
            "megabytes": 2048,
        }
        send(process.stdin.fileno(), json.dumps(config).encode())
        send(process.stdin.fileno(), *pack(PageRecord("1", "", "", b"<p>grain", "http://a.example/hang"), b"r"))
        assert process.wait(60) == -signal.SIGALRM


def test_a_slice_that_only_kills_is_given_up_with_an_error_row_for_every_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.batch.local._MAX_ALL_DEATHS", 3)
    pages = folder(tmp_path / "pages", 6, dict.fromkeys(range(6), "kill the worker"))
    report = run(asked(pages, tmp_path / "out", function="tests.batch_faults:deadly"), workers=1)
    assert (report.rows, report.errors.total()) == (6, 6)
    ((name, reason),) = report.failed
    assert name.endswith("[slice 0]")
    assert reason == "its worker died 3 times"
    said = status(str(tmp_path / "out"))
    assert (said["complete"], said["slices_done"], said["rows"]) == (False, 0, 6)
    assert said["failed"] == [{"slice": 0, "source": "", "reason": reason}]


def test_a_journal_knows_rows_and_deaths_and_forgets_what_was_cut_off(tmp_path: Path) -> None:
    first, second = (PageRecord("same id", "a", str(number)) for number in range(2))
    path = tmp_path / "journal"
    with Journal(path) as journal:
        assert journal.row(first) is None
        journal.begin(first)
        journal.done(first, {"text": "x"}, 0.5)
        journal.begin(second)
    with path.open("ab") as file:
        file.write(b'{"done": "1 a", "row"')  # killed while it wrote
    with Journal(path) as journal:
        assert journal.row(first) == ({"text": "x"}, 0.5)
        assert (journal.row(second), journal.deaths(first), journal.deaths(second)) == (None, 0, 1)
        journal.begin(second)
    with Journal(path) as journal:
        assert journal.deaths(second) == 2


# Functions that give no row, processes that do not start, inputs that cannot be read


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_what_is_no_row_becomes_an_error_row(form: str, tmp_path: Path) -> None:
    kinds = ["fine", "none", "list", "number", "large", "infinite", "mixed", "nothing", "raises", "exits", "well"]
    archive = tmp_path / "a.warc"
    archive.write_bytes(
        b"".join(record(response(page(i)), i, url=f"http://example.org/{kind}") for i, kind in enumerate(kinds))
    )
    job = asked(archive, tmp_path / "out", function="tests.batch_faults:odd", format=form)
    report = run(job, engine=in_process)  # type: ignore[arg-type]
    assert (report.rows, report.failed) == (len(kinds), [])
    assert report.errors == {"failed": 7, "empty": 1, "crash": 1}
    with Isolated(job) as isolated:
        row, _ = isolated.row(PageRecord("7", "a", "0", b"<p>x", "http://example.org/none"))
    assert (row["id"], row["error"]) == ("7", "failed: tests.batch_faults:odd gave NoneType instead of a row")


def test_where_no_page_can_be_tried_every_page_is_an_error_row_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = folder(tmp_path / "pages", 5)
    job = asked(pages, tmp_path / "out", function="tests.batch_faults:slowly")
    monkeypatch.setenv("THRESHER_TEST_NO_START", "1")
    report = run(job, workers=1)
    assert (report.rows, report.errors) == (5, {"failed": 5})
    assert "does not start" in report.failed[0][1]
    monkeypatch.delenv("THRESHER_TEST_NO_START")
    report = run(job, workers=1)  # the same command
    assert (report.rows, report.errors, report.failed) == (5, {}, [])


class Broken:
    """A file on a disk with a bad sector."""

    def __init__(self, file: BinaryIO, bad: int) -> None:
        self._file, self._bad = file, bad

    def read(self, length: int = -1) -> bytes:
        if self._file.tell() + max(length, 1) > self._bad:
            raise OSError(errno.EIO, "Input/output error")
        return self._file.read(length)

    def __enter__(self) -> Broken:
        return self

    def __exit__(self, *about: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_an_input_that_breaks_off_gives_what_came_before_and_the_next_run_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thresher.warc import streams

    archive = tmp_path / "a.warc.gz"
    members = gzipped(records(40))
    archive.write_bytes(b"".join(members))
    job = asked(archive, tmp_path / "out")
    real = archive_source.open_binary
    with monkeypatch.context() as patched:
        patched.setattr(streams, "WINDOW", 600)
        patched.setattr(archive_source, "open_binary", lambda path: Broken(real(path), len(b"".join(members[:20]))))
        report = run(job, engine=in_process)  # type: ignore[arg-type]
    assert 10 <= report.rows < 20
    assert "Input/output error" in report.failed[0][1]
    assert not status(job.output)["complete"]
    report = run(job, engine=in_process)  # type: ignore[arg-type]
    assert (report.rows, report.failed) == (40, [])


# Disks


def test_a_part_whose_bytes_changed_is_made_anew_on_request(tmp_path: Path) -> None:
    pages = folder(tmp_path / "pages", 6)
    job = asked(pages, tmp_path / "out", slice_pages=2)
    run(job, engine=in_process)  # type: ignore[arg-type]
    whole = parts(tmp_path / "out")
    part = tmp_path / "out/part-000001.jsonl"
    part.write_bytes(part.read_bytes().replace(b"flail", b"fla1l"))
    run(job, engine=in_process)  # type: ignore[arg-type]
    assert parts(tmp_path / "out") != whole  # by size it is as it was, and reading everything takes long
    assert status(job.output, verify=True)["wrong"] == [part.name]
    times = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("part-*")}
    report = run(job, engine=in_process, repair=True)  # type: ignore[arg-type]
    assert report.rows == 6
    assert parts(tmp_path / "out") == whole
    changed = [name for name, before in times.items() if (tmp_path / "out" / name).stat().st_mtime_ns != before]
    assert changed == [part.name]
    assert status(job.output, verify=True)["wrong"] == []


def test_a_finished_output_on_a_disk_that_can_only_be_read_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = folder(tmp_path / "pages", 4)
    job = asked(pages, tmp_path / "out", slice_pages=2)
    finished = run(job, engine=in_process)  # type: ignore[arg-type]

    @contextmanager
    def lock(self: LocalStore) -> Iterator[None]:
        raise OSError(errno.EROFS, "Read-only file system")
        yield

    monkeypatch.setattr(LocalStore, "lock", lock)
    assert run(job) == finished
    assert run(job, repair=True) == finished
    assert status(job.output, verify=True)["complete"]
    with pytest.raises(Stopped, match="Read-only"):
        run(job, overwrite=True)
    with pytest.raises(Changed):
        run(replace(job, markdown=True))
    (tmp_path / "out/part-000001.jsonl").unlink()
    with pytest.raises(Stopped, match="Read-only"):
        run(job)


# Inputs that are edited


@pytest.mark.parametrize("kind", ["a.warc", "pages"])
def test_an_edited_input_of_the_same_size_is_another_input(kind: str, tmp_path: Path) -> None:
    edited = inputs = tmp_path / kind
    if kind == "pages":
        folder(inputs, 3)
        edited = inputs / "001.html"
    else:
        inputs.write_bytes(b"".join(records(3)))
    job = asked(inputs, tmp_path / "out")
    before = run(job, engine=in_process)  # type: ignore[arg-type]
    assert run(job, engine=in_process) == before  # type: ignore[arg-type]
    times = edited.stat()
    edited.write_bytes(edited.read_bytes().replace(b"flail", b"FLAIL"))
    os.utime(edited, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(Changed, match="was edited"):
        run(job, engine=in_process)  # type: ignore[arg-type]
    edited.write_bytes(edited.read_bytes().replace(b"FLAIL", b"flail"))
    assert run(job, engine=in_process) == before  # type: ignore[arg-type]  # it is what it was


def test_an_input_that_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = tmp_path / "a.warc"
    inputs.write_bytes(b"".join(records(3)))
    monkeypatch.setattr("thresher.batch.digests._SETTLED_SECONDS", -1.0)
    job = asked(inputs, tmp_path / "out")
    run(job, engine=in_process)  # type: ignore[arg-type]
    monkeypatch.setattr("thresher.batch.digests._PIECE_BYTES", None)  # it would read everything at once, and fail
    monkeypatch.setattr("hashlib.sha256", None)
    assert run(job, engine=in_process).rows == 3  # type: ignore[arg-type]
