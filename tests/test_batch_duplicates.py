"""batch --dedupe: near-duplicates name the first page, whatever part they are in and however the run went."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.batch_faults import in_process
from thresher.batch import Job, run, status
from thresher.batch.duplicates import MAX_BITS, FirstPages
from thresher.batch.parts import read_rows
from thresher.http.content_codings import zstd
from thresher.text.simhash import differing_bits

WORDS = [
    f"{first}{last}" for first in ("bar", "gra", "mil", "sho", "win") for last in ("ley", "in", "ler", "vel", "now")
]


def article(seed: int, line: str = "") -> str:
    """A page of made-up prose; `line` is what one copy has and another has not."""
    choice = random.Random(seed)
    prose = "".join(f"<p>{' '.join(choice.choices(WORDS, k=60))}.</p>" for _ in range(6))
    return (
        f"<title>Page {seed}</title><nav><a href=/>Home</a></nav><article><h1>Page {seed}</h1>{prose}{line}</article>"
    )


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six pages, of which two repeat the first, and two are empty."""
    folder = tmp_path_factory.mktemp("pages")
    copies = (article(1), article(2), article(1), "", article(3), article(1, "<p>Seen in May.</p>"), "")
    for number, html in enumerate(copies):
        (folder / f"{number}.html").write_text(html)
    return folder


def job(pages: Path, output: Path, **options: object) -> Job:
    wishes = {"format": "jsonl", "slice_pages": 2, "dedupe": True, **options}
    return Job((str(pages),), str(output), **wishes)  # type: ignore[arg-type]


def parts(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.glob("part-*"))}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"compression": "gzip"},
        {"compression": "zstd"},
        {"schema": "datatrove"},
        {"format": "parquet"},
        {"format": "parquet", "schema": "datatrove"},
        {"slice_pages": 100},
    ],
)
def test_copies_name_the_first_page(pages: Path, tmp_path: Path, options: dict[str, object]) -> None:
    if options.get("format") == "parquet":
        pytest.importorskip("pyarrow")
    if options.get("compression") == "zstd" and zstd() is None:
        pytest.skip("no Zstandard here")
    asked = job(pages, tmp_path, **options)
    report = run(asked, engine=in_process)  # type: ignore[arg-type]
    rows = [row for data in parts(tmp_path).values() for row in read_rows(data, asked)]
    first = rows[0]["id"]
    assert [row["duplicate_of"] for row in rows] == [None, None, first, None, None, first, None]
    assert [bool(row["text"]) for row in rows] == [True, True, True, False, True, True, False]
    assert (report.duplicates, report.rows, report.size) == (2, 7, sum(map(len, parts(tmp_path).values())))
    assert status(str(tmp_path), verify=True)["wrong"] == []


def test_without_it_there_is_no_such_column(pages: Path, tmp_path: Path) -> None:
    report = run(job(pages, tmp_path, dedupe=False), engine=in_process)  # type: ignore[arg-type]
    row = json.loads(next(iter(parts(tmp_path).values())).splitlines()[0])
    assert not {"fingerprint", "duplicate_of"} & set(row)
    assert report.duplicates is None


def test_a_run_that_was_killed_in_the_last_pass_ends_in_the_same_bytes(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(job(pages, tmp_path / "whole"), engine=in_process)  # type: ignore[arg-type]
    asked = job(pages, tmp_path / "killed")

    def killed(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("thresher.batch.duplicates.manifest_name", killed)  # the part is written, its manifest not
        with pytest.raises(KeyboardInterrupt):
            run(asked, engine=in_process)  # type: ignore[arg-type]
    assert parts(tmp_path / "killed") != parts(tmp_path / "whole")
    assert run(asked, engine=in_process).duplicates == 2  # type: ignore[arg-type]
    assert parts(tmp_path / "killed") == parts(tmp_path / "whole")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "killed").rglob("*.jsonl")}
    run(asked, engine=in_process)  # type: ignore[arg-type]
    assert times == {path: path.stat().st_mtime_ns for path in (tmp_path / "killed").rglob("*.jsonl")}


def test_pages_are_looked_up_as_a_comparison_with_all_would_find_them() -> None:
    choice = random.Random(5)
    fingerprints = [choice.getrandbits(64) for _ in range(40)]
    for _ in range(400):
        flipped = choice.sample(range(64), choice.randrange(12))
        fingerprints.append(choice.choice(fingerprints) ^ sum(1 << bit for bit in flipped))
    first_pages, firsts = FirstPages(), []
    for number, fingerprint in enumerate(fingerprints):
        same = [page for page in firsts if fingerprints[page] == fingerprint]
        near = [page for page in firsts if differing_bits(fingerprints[page], fingerprint) <= MAX_BITS]
        expected = (same or near or [None])[0]
        assert first_pages.original_of(fingerprint, str(number)) == (None if expected is None else str(expected))
        if expected is None:
            firsts.append(number)
