"""thresher batch, as it is called."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.archives import flip, gzipped, page, record, records, response, zeroed
from thresher.cli import main

Said = tuple[int, list[dict], list[str]]


def batch(*arguments: object) -> Said:
    """Exit code, objects on stdout, lines on stderr."""
    done = CliRunner().invoke(main, ["batch", *map(str, arguments)])
    return told(done.exit_code, done.stdout, done.stderr)


def batch_process(*arguments: object) -> Said:
    """The same from a process of its own, as a shell starts it."""
    command = [sys.executable, "-m", "thresher", "batch", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    return told(done.returncode, done.stdout, done.stderr)


def told(code: int, stdout: str, stderr: str) -> Said:
    return code, [json.loads(line) for line in stdout.splitlines()], stderr.splitlines()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "a.warc.gz"
    path.write_bytes(b"".join(gzipped([*records(3), record(response(b"<p>"), 3), record(b"x", 4, "request")])))
    return path


def test_a_run_and_its_status(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run = (archive, "-o", output, "--format", "jsonl", "--markdown", "--timing", "-j", 1)
    code, (said,), lines = batch_process(*run)
    assert code == 0
    assert (said["rows"], said["rows_without_text"], said["errors"]) == (4, 1, {"empty": 1})
    assert said["skipped"] == {"request": 1}
    rows = [json.loads(line) for line in (output / "part-000000.jsonl").read_text().splitlines()]
    assert rows[0]["markdown"].startswith("# Page 0")
    assert all(row["seconds"] > 0 for row in rows)
    assert lines[-1].startswith("100%  4 pages extracted, 1 without text")
    code, (said,), lines = batch("status", output, "--verify")
    assert (code, lines) == (0, [])
    assert said["complete"]
    assert (said["rows"], said["slices_done"], said["wrong"]) == (4, 1, [])


def test_derived_archives_are_told_from_those_with_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.wet.gz"
    path.write_bytes(b"".join(gzipped(record(b"The text of a page.", number, "conversion") for number in range(3))))
    code, (said,), lines = batch(path, "-o", tmp_path / "out", "-j", 1)
    assert (code, said["rows"]) == (3, 0)
    assert "no page among the records: 3 conversion" in lines
    assert any("WET" in line for line in lines)


@pytest.mark.parametrize("method", ["site", "layout", "cluster"])
def test_a_method_that_needs_what_no_archive_has_is_refused_at_once(archive: Path, tmp_path: Path, method: str) -> None:
    code, said, lines = batch(archive, "-o", tmp_path / "out", "-m", method)
    assert (code, said, len(lines)) == (2, [], 1)
    assert not (tmp_path / "out").exists()


def test_progress_for_machines(archive: Path, tmp_path: Path) -> None:
    code, _, lines = batch(archive, "-o", tmp_path / "out", "--progress", "json", "--format", "jsonl", "-j", 1)
    last = json.loads(lines[-1])
    assert code == 0
    assert (last["slices_done"], last["pages"], last["errors"]) == (1, 4, 1)
    assert last["bytes"] == last["bytes_total"] == archive.stat().st_size
    assert last["pages_per_second"] > 0
    assert last["mb_per_second"] > 0
    assert last["seconds_left"] == 0


def test_exit_codes_tell_what_happened(archive: Path, tmp_path: Path) -> None:
    quiet = ("--format", "jsonl", "--progress", "none", "-j", 1)
    assert batch(archive)[0] == 2  # no folder
    assert batch(archive, "-o", tmp_path / "a", "--allow-host", "a b", *quiet)[0] == 2
    assert batch(tmp_path / "missing.warc", "-o", tmp_path / "a", *quiet)[0] == 2
    assert batch(archive, "-o", tmp_path / "a", "-m", "nonsense", *quiet)[0] == 2
    assert batch("status", tmp_path / "nothing")[0] == 1
    broken = tmp_path / "broken.warc.gz"
    broken.write_bytes(flip(archive.read_bytes(), 200, 20))
    code, (said,), lines = batch(broken, "-o", tmp_path / "b", *quiet)
    assert (code, said["damage"]) == (1, 1)
    assert lines[0].startswith(f"{broken}: damaged from byte 0 to {len(gzipped(records(1))[0]):,} (")
    (tmp_path / "empty.html").write_bytes(b"<p>")
    assert batch(tmp_path / "empty.html", "-o", tmp_path / "c", *quiet)[0] == 3
    code, _, lines = batch(archive, "-o", tmp_path / "b", *quiet)
    assert code == 2
    assert "--overwrite" in lines[0]
    assert batch(archive, "-o", tmp_path / "b", "--overwrite", *quiet)[0] == 0


def test_what_an_archive_lost_or_only_miscounts_is_told(tmp_path: Path) -> None:
    members = gzipped(records(20))
    start, stop = len(b"".join(members[:7])), len(b"".join(members[:8]))
    lost = tmp_path / "lost.warc.gz"
    lost.write_bytes(zeroed(b"".join(members), start, stop - start))
    quiet = ("--format", "jsonl", "--progress", "none", "-j", 1)
    code, (said,), lines = batch(lost, "-o", tmp_path / "a", *quiet)
    assert (code, said["rows"], said["damage"]) == (1, 19, 1)
    assert lines == [f"{lost}: damaged from byte {start:,} to {stop:,} (no gzip member begins here, but zeros)"]
    assert len(batch("status", tmp_path / "a")[1][0]["damage"]) == 1
    lying = tmp_path / "lying.warc"
    lying.write_bytes(
        b"".join([*records(2), record(response(page(2)), 2, length=99), record(b"GET", 3, "request", length=1)])
    )
    code, (said,), lines = batch(lying, "-o", tmp_path / "b", *quiet)
    assert (code, said["rows"], said["rows_without_text"], said["damage"]) == (1, 3, 0, 2)
    assert "Content-Length is 99, the record has " in lines[0]


def test_names_with_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "a\x1b[31m"
    folder.mkdir()
    (folder / "b.warc").write_bytes(b"garbage")
    code, _, lines = batch(folder / "b.warc", "-o", tmp_path / "out", "--format", "jsonl", "-j", 1)
    assert code == 1
    assert not any("\x1b" in line for line in lines)


def test_pages_in_a_folder(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.html").write_bytes(page(number))
    code, (said,), _ = batch(tmp_path, "-o", tmp_path / "out", "--schema", "datatrove", "--format", "jsonl", "-j", 1)
    assert (code, said["rows"]) == (0, 3)
    row = json.loads((tmp_path / "out/part-000000.jsonl").read_text().splitlines()[1])
    assert list(row) == ["text", "id", "metadata"]
    assert row["metadata"]["source"].endswith("1.html")
    # The output lies in the input: started again, it must not be read as one.
    assert batch(tmp_path, "-o", tmp_path / "out", "--schema", "datatrove", "--format", "jsonl", "-j", 1)[0] == 0
