"""batch --dedupe: near-duplicates name the first page, whatever part they are in and however the run went."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.batch_faults import in_process
from tests.kernels import both
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


@pytest.mark.parametrize("together", [1, 7, 1000])
def test_pages_are_looked_up_as_a_comparison_with_all_would_find_them(together: int) -> None:
    choice = random.Random(5)
    fingerprints = [choice.getrandbits(64) for _ in range(40)]
    for _ in range(400):
        flipped = choice.sample(range(64), choice.randrange(12))
        fingerprints.append(choice.choice(fingerprints) ^ sum(1 << bit for bit in flipped))
    first_pages, firsts, found = FirstPages(), [], []
    for at in range(0, len(fingerprints), together):
        some = range(at, min(at + together, len(fingerprints)))
        found += first_pages.originals_of([fingerprints[number] for number in some], [str(number) for number in some])
    for number, fingerprint in enumerate(fingerprints):
        near = [page for page in firsts if differing_bits(fingerprints[page], fingerprint) <= MAX_BITS]
        assert found[number] == (str(near[0]) if near else None)
        if not near:
            firsts.append(number)
    assert 0 < len(firsts) < len(fingerprints)


def kept(fingerprints: list[int], bands: list[list[int]]) -> list[Any]:
    """Arguments of the loop with some fingerprints kept before; the first page of each chain is the last of them."""
    before = np.array(bands, np.int32).reshape(-1, 4)
    newest = np.full((4, 1 << 16), len(fingerprints) - 1, np.int32)
    return [
        len(fingerprints),
        np.array([*fingerprints, 0, 0], np.uint64),
        newest,
        np.resize(before, (len(bands) + 2, 4)),
    ]


@pytest.mark.parametrize("chain", [-1, 0, 1, 2, 99, 1 << 30])
def test_the_loop_ends_whatever_its_chains_say_and_is_the_same_compiled_and_not(chain: int) -> None:
    answers = []
    for module in both("thresher.batch.near_kernels"):
        count, known, newest, before = kept([5, 1 << 40], [[chain] * 4] * 2)
        newest[1] = chain
        first = np.zeros(2, np.int64)
        given = np.array([7, (1 << 64) - 1], np.uint64)
        total = module.first_of_each(given.data, 7, count, known.data, newest.data, before.data, first.data)
        answers.append((total, first.tolist(), known.tolist(), before.tolist()))
    assert answers[0] == answers[1]


def test_arrays_that_are_too_short_are_refused() -> None:
    for module in both("thresher.batch.near_kernels"):
        count, known, newest, before = kept([5], [[-1] * 4])
        first, given = np.zeros(3, np.int64), np.zeros(3, np.uint64)
        with pytest.raises(ValueError, match="lengths"):
            module.first_of_each(given.data, 7, count, known.data, newest.data, before.data, first.data)
