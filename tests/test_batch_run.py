"""Exactly once: whatever is killed, and whenever, the same command started again ends in the same bytes."""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.archives import flip, gzipped, identifier, page, record, records, response
from tests.batch_faults import in_process
from thresher.batch import Job, run, status
from thresher.batch.driver import BatchProgress, Stopped
from thresher.batch.plan import Changed, make_plan
from thresher.batch.store import Busy, Draft, LocalStore, RemoteStore, open_store
from thresher.errors import ThresherError

ROOT = Path(__file__).parents[1]
PAGES = 90


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two archives, one of them with a broken member, and a few pages in files."""
    folder = tmp_path_factory.mktemp("archives")
    members = gzipped(records(PAGES))
    (folder / "a.warc.gz").write_bytes(b"".join(members[:60]))
    start = sum(map(len, members[60:70]))
    (folder / "b.warc.gz").write_bytes(flip(b"".join(members[60:]), start + 100, 30))
    (folder / "pages").mkdir()
    for number in range(5):
        (folder / "pages" / f"{number}.html").write_bytes(page(number))
    return folder


def job(archives: Path, output: Path, **options: object) -> Job:
    inputs = (str(archives / "*.warc.gz"), str(archives / "pages"))
    return Job(inputs, str(output), slice_bytes=5000, slice_pages=2, format="jsonl", **options)  # type: ignore[arg-type]


def parts(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.glob("part-*"))}


def rows(output: Path) -> list[dict]:
    return [json.loads(line) for data in parts(output).values() for line in data.splitlines()]


@pytest.fixture(scope="module")
def whole(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an undisturbed run writes."""
    output = tmp_path_factory.mktemp("whole")
    report = run(job(archives, output), workers=1)
    assert (report.failed, len(report.damage)) == ([], 1)
    ids = Counter(row["id"] for row in rows(output) if row["source"].endswith(".gz"))
    intact = {identifier(number) for number in range(PAGES) if number != 70}
    assert intact <= set(ids)
    assert set(ids.values()) == {1}
    assert report.rows == len(rows(output)) == len(ids) + 5
    return parts(output)


def test_care_is_the_deprecated_name_of_worker_limits():
    from thresher import batch

    with pytest.warns(DeprecationWarning, match="thresher.batch.WorkerLimits"):
        assert batch.Care is batch.WorkerLimits


def test_the_engine_and_the_workers_do_not_matter(archives: Path, whole: dict[str, bytes], tmp_path: Path) -> None:
    run(job(archives, tmp_path / "3"), workers=3)
    assert parts(tmp_path / "3") == whole
    run(job(archives, tmp_path / "0"), engine=in_process)  # type: ignore[arg-type]
    assert parts(tmp_path / "0") == whole


def test_a_finished_run_is_left_as_it_is_and_a_missing_part_is_done_again(
    archives: Path, whole: dict[str, bytes], tmp_path: Path
) -> None:
    asked = job(archives, tmp_path / "out")
    run(asked, workers=2)
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("part-*")}
    seen: list[BatchProgress] = []
    again = run(asked, workers=2, watch=seen.append)
    assert again.rows == len(rows(tmp_path / "out"))
    assert not seen
    assert times == {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("part-*")}
    broken, lost, *_ = sorted(times)
    broken.write_bytes(broken.read_bytes()[:-1])
    lost.unlink()
    assert not status(str(tmp_path / "out"))["complete"]
    run(asked, workers=1)
    assert parts(tmp_path / "out") == whole


def test_manifests_name_every_record_in_the_order_of_the_rows(archives: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run(job(archives, output), engine=in_process)  # type: ignore[arg-type]
    for path in sorted((output / "_thresher/manifests").glob("*.jsonl")):
        manifest, *done = map(json.loads, path.read_text().splitlines())
        if manifest["part"]:
            data = (output / manifest["part"]).read_bytes()
            assert hashlib.sha256(data).hexdigest() == manifest["sha256"]
            assert [json.loads(line)["id"] for line in data.splitlines()] == [id for id, _ in done]
            assert all(seconds >= 0 for _, seconds in done)
        assert manifest["rows"] == len(done)
    said = status(str(output), verify=True)
    assert said["complete"]
    assert said["wrong"] == []
    assert said["rows"] == len(rows(output))
    part = next(output.glob("part-*"))
    part.write_bytes(part.read_bytes().replace(b"flail", b"fla1l"))
    assert status(str(output), verify=True)["wrong"] == [part.name]


@pytest.mark.parametrize("spoilt", ["part-000000.jsonl", "_thresher/manifests/000000.jsonl"])
def test_what_the_disk_has_spoilt_is_told_and_made_again(archives: Path, tmp_path: Path, spoilt: str) -> None:
    output = tmp_path / "out"
    run(job(archives, output), engine=in_process)  # type: ignore[arg-type]
    whole = parts(output)
    (output / spoilt).write_bytes(b'{"torn')
    said = status(str(output), verify=True)
    assert (said["complete"], said["wrong"]) == (False, ["part-000000.jsonl"])
    run(job(archives, output), engine=in_process)  # type: ignore[arg-type]
    assert parts(output) == whole
    (output / "_thresher/plan.jsonl").write_bytes(b'{"torn')
    for again in (lambda: status(str(output)), lambda: run(job(archives, output))):
        with pytest.raises(ThresherError, match=r"plan.jsonl is damaged; start over with --overwrite"):
            again()


def test_slices_that_begin_inside_a_page_are_put_right(tmp_path: Path) -> None:
    """An archive in an archive: the slices in its middle find records that are none."""
    inner = b"".join(gzipped(records(60)))
    members = gzipped(records(6))
    members[2] = gzip.compress(record(response(b"<p>" + inner), 2), 0)  # as if it would not compress any more
    (tmp_path / "a.warc.gz").write_bytes(b"".join(members))
    asked = Job((str(tmp_path / "a.warc.gz"),), str(tmp_path / "out"), format="jsonl", slice_bytes=3000)
    assert len(make_plan(asked).slices) > 5
    report = run(asked, engine=in_process)  # type: ignore[arg-type]
    assert [row["id"] for row in rows(tmp_path / "out")] == [identifier(number) for number in range(6)]
    assert (report.rows, report.damage) == (6, [])


# Killed


def start(asked: Job, workers: int = 2, **options: object) -> subprocess.Popen[bytes]:
    program = (
        "import json, sys; from thresher.batch import Job, run\n"
        "run(Job.from_dict(json.loads(sys.argv[1])), workers=int(sys.argv[2]))"
    )
    command = [sys.executable, "-c", program, json.dumps(asked.to_dict()), str(workers)]
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload,no-any-return]


def family(session: int) -> list[int]:
    """Processes of a session that are still there."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, leader = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(leader) == session and state != "Z":
            found.append(int(path.parent.name))
    return sorted(found)


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@needs_proc
@pytest.mark.parametrize("victim", ["parent", "group", "worker"])
def test_killed_at_any_time_it_goes_on_and_ends_the_same(
    archives: Path, whole: dict[str, bytes], tmp_path: Path, victim: str
) -> None:
    chance = random.Random(victim)
    asked = job(archives, tmp_path / "out", function="tests.batch_faults:slowly")
    killed = 0
    # While pages are read, and before there is anything to kill.
    for wanted in (0, chance.choice([1, 4, 8, 12])):
        process = start(asked)
        until = time.monotonic() + 60
        while len(parts(tmp_path / "out")) < wanted and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(chance.random() / 4)
        if process.poll() is None:
            killed += 1
            if victim == "group":
                os.killpg(process.pid, signal.SIGKILL)
            elif victim == "parent":
                process.kill()
            else:
                others = [number for number in family(process.pid) if number != process.pid]
                for number in chance.sample(others, min(2, len(others))):
                    os.kill(number, signal.SIGKILL)
                process.wait(60)  # it mends itself
        process.wait(60)
        assert process.stderr is not None
        process.stderr.close()
        until = time.monotonic() + 15
        while family(process.pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert family(process.pid) == []  # nobody is left behind
        for data in parts(tmp_path / "out").values():
            assert data.endswith(b"\n")
    assert killed
    report = run(asked, workers=2)
    assert report.failed == []
    assert parts(tmp_path / "out") == whole
    assert not list((tmp_path / "out/_thresher").glob("drafts/*"))


@needs_proc
def test_terminated_it_leaves_in_good_order(archives: Path, whole: dict[str, bytes], tmp_path: Path) -> None:
    output = tmp_path / "out"
    command = [sys.executable, "-m", "thresher", "batch", str(archives / "*.warc.gz"), str(archives / "pages")]
    command += ["-o", str(output), "--format", "jsonl", "--slice-mb", str(5000 / (1 << 20)), "--slice-pages", "2"]
    process = subprocess.Popen([*command, "-j", "1"], stderr=subprocess.PIPE, start_new_session=True)
    until = time.monotonic() + 60
    while len(parts(output)) < 2 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    process.terminate()
    assert process.wait(60) == 128 + signal.SIGTERM
    assert process.stderr is not None
    assert b"go on" in process.stderr.read()
    assert family(process.pid) == []
    assert not list((output / "_thresher/drafts").glob("*"))
    finished = subprocess.run(command, capture_output=True, text=True)
    assert finished.returncode == 1  # for the damage
    assert "b.warc.gz: damaged from byte" in finished.stderr
    assert parts(output) == whole


def test_two_runs_at_once_are_one_too_many(archives: Path, tmp_path: Path) -> None:
    asked = job(archives, tmp_path / "out")
    with open_store(asked.output).lock(), pytest.raises(Busy):
        run(asked)
    run(asked, engine=in_process)  # type: ignore[arg-type]
    with pytest.raises(Changed):
        run(replace(asked, markdown=True))
    assert run(replace(asked, markdown=True), overwrite=True, engine=in_process).rows  # type: ignore[arg-type]
    assert rows(tmp_path / "out")[0]["markdown"]


# A disk that is full


def test_a_full_disk_stops_the_run_and_room_lets_it_go_on(
    archives: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = job(archives, tmp_path / "out")
    written = 0
    real = Draft.write

    def write(self: Draft, data: bytes) -> int:
        nonlocal written
        written += len(data)
        if written > 60_000:
            real(self, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, data)

    monkeypatch.setattr(Draft, "write", write)
    with pytest.raises(Stopped, match="No space left"):
        run(asked, engine=in_process)  # type: ignore[arg-type]
    monkeypatch.undo()
    there = parts(tmp_path / "out")
    assert 0 < len(there) < len(whole)
    assert not list((tmp_path / "out/_thresher/drafts").glob("*"))
    run(asked, workers=2)
    assert parts(tmp_path / "out") == whole


@pytest.mark.parametrize("name", ["plan.jsonl", "sketch.npy", "000003.npz"])
def test_a_disk_that_is_full_for_anything_else_stops_the_run_too(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked = job(archives, tmp_path / "out", by_site=True, sketch_mb=1)
    real = Draft.write

    def write(self: Draft, data: bytes) -> int:
        if self.path.name.startswith(name):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, data)

    monkeypatch.setattr(Draft, "write", write)
    with pytest.raises(Stopped, match="No space left"):
        run(asked, engine=in_process)  # type: ignore[arg-type]
    assert not list((tmp_path / "out/_thresher/drafts").glob("*"))


def test_files_that_may_not_grow_fail_alone(archives: Path, whole: dict[str, bytes], tmp_path: Path) -> None:
    asked = job(archives, tmp_path / "out")

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))

    process = start(asked, preexec_fn=limited)
    process.wait(60)
    assert process.stderr is not None
    process.stderr.close()
    there = parts(tmp_path / "out")
    assert 0 < len(there) < len(whole)
    assert all(whole[name] == data for name, data in there.items())
    run(asked, workers=2)
    assert parts(tmp_path / "out") == whole


# Elsewhere


def test_an_output_behind_fsspec(archives: Path, whole: dict[str, bytes], tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="pip install 'thresher[batch]'")
    for number, whole_objects in enumerate((True, False)):
        store = RemoteStore(f"file://{tmp_path}/{number}")
        store._whole = whole_objects
        with store.draft("a/b.txt") as draft:
            draft.write(b"hello")
        with pytest.raises(TypeError), store.draft("a/c.txt") as draft:
            draft.write(5)  # type: ignore[arg-type]
        assert store.names("a") == ["b.txt"]
        assert store.read("a/b.txt") == b"hello" == LocalStore(f"{tmp_path}/{number}").read("a/b.txt")
        assert (store.size("a/b.txt"), store.size("x")) == (5, None)
        assert Path(store.local_copy("a/b.txt")).read_bytes() == b"hello"
        store.remove("a/b.txt")
        assert not store.exists("a/b.txt")
    run(replace(job(archives, tmp_path), output="memory://out"), engine=in_process)  # type: ignore[arg-type]
    remote = RemoteStore("memory://out")
    assert {name: remote.read(name) for name in remote.names("") if name.startswith("part-")} == whole
