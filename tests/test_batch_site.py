"""Evidence from the archive: what recurs on the pages of a host is counted in little memory, and left out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.archives import TEXT, gzipped, record, response
from tests.batch_faults import in_process
from thresher import extract, parse
from thresher.batch import Job, run
from thresher.batch.evidence import HostEvidence, KeyCounts, record_keys
from thresher.batch.record import PageRecord
from thresher.batch.sketch import Sketch

JOB = Job((), "")
ASIDE = f"<p>Welcome to the threshing museum, where every visitor gets a free ear of corn. {TEXT}</p>"


def page(number: int, host: str = "example.org", aside: str = ASIDE) -> PageRecord:
    words = " ".join(f"sheaf{number}x{i}" for i in range(60))
    html = f"<title>{number}</title><main><h1>Harvest {number}</h1><p>Own text: {words}. {words}.</p>{aside}</main>"
    return PageRecord(str(number), "", "", html.encode(), f"http://{host}/{number}")


def evidence(*pages: PageRecord, megabytes: int = 1) -> HostEvidence:
    key_counts = KeyCounts()
    for each in pages:
        key_counts.add(record_keys(each, JOB))
    sketch = Sketch.of_size(megabytes)
    sketch.add(*key_counts.to_arrays())
    return HostEvidence(sketch)


def shares(found: HostEvidence, record: PageRecord) -> dict[str, float]:
    """Share by the start of each text."""
    seen = parse(record.body, record.url)
    return {text[:7]: round(float(share), 2) for text, share in zip(seen.text, found.shares(seen), strict=True)}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(0, 2**64 - 1), max_size=30), max_size=10))
def test_a_sketch_counts_as_a_counter_does(batches: list[list[int]]) -> None:
    counter: Counter[int] = Counter()
    sketch, other = Sketch.of_size(1), Sketch.of_size(1)
    for batch in batches:
        found = Counter(batch)
        counter += found
        for target in (sketch, other):
            target.add(np.array(list(found), np.uint64), np.array(list(found.values()), np.int64))
    keys = np.array([*counter, 12345], np.uint64)
    np.testing.assert_array_equal(sketch.counts(keys), [*counter.values(), counter[12345]])
    np.testing.assert_array_equal(sketch.counters, other.counters)


def test_a_sketch_is_never_too_low_stops_counting_in_time_and_knows_when_it_is_full(tmp_path: Path) -> None:
    keys = np.arange(1, 400_001, dtype=np.uint64)
    sketch = Sketch.of_size(1)
    sketch.add(keys, np.full(len(keys), 40_000, np.int64))
    sketch.add(keys, np.full(len(keys), 40_000, np.int64))
    assert (sketch.counts(keys) == 65_535).all()
    assert sketch.error_rate > 0.5
    (tmp_path / "sketch.npy").write_bytes(sketch.to_bytes())
    assert Sketch.load(tmp_path / "sketch.npy").counters.nbytes <= 1 << 20
    small = Sketch.of_size(1)
    small.add(keys[:5000], np.ones(5000, np.int64))
    assert (small.counts(keys[:5000]) >= 1).all()
    assert small.error_rate < 1e-4
    assert (small.counts(keys[5000:]) > 0).mean() < 1e-3


def test_shares_are_those_of_the_other_pages() -> None:
    pages = [page(number) for number in range(5)] + [page(9, aside=""), page(3, host="example.net")]
    found = evidence(*pages)
    assert shares(found, pages[0]) == {"0": 0.0, "Harvest": 0.0, "Own tex": 0.0, "Welcome": 0.8}
    assert set(shares(found, pages[-1]).values()) == {0.0}  # alone on its host


def test_copies_and_a_single_other_page_are_no_evidence() -> None:
    one, again = page(1), PageRecord("2", "", "", page(1).body, "http://example.org/print/1")
    assert set(shares(evidence(one, again, page(2)), one).values()) == {0.0}
    found = shares(evidence(one, again, page(2), page(3), page(4, aside="")), one)
    assert found["Welcome"] == round(2 / 3, 2)
    assert found["Own tex"] == 0.0


def test_unreadable_records_are_not_counted() -> None:
    assert record_keys(PageRecord("", "", "", b"x"), JOB) == b""
    assert record_keys(PageRecord("", "", "", b"x", "http://[bad"), JOB) == b""
    assert record_keys(PageRecord("", "", "", url="http://a/", error="damaged: x"), JOB) == b""
    assert record_keys(PageRecord("", "", "", b"x", "http://a/", codings=("compress",)), JOB) == b""


def test_by_site_leaves_out_what_recurs_whatever_the_slices(tmp_path: Path) -> None:
    pages = [page(number) for number in range(12)]
    archive = tmp_path / "a.warc.gz"
    parts = [record(response(each.body), number, url=each.url) for number, each in enumerate(pages)]
    archive.write_bytes(b"".join(gzipped(parts)))
    texts = {}
    for name, size, engine in (("one", 1 << 20, in_process), ("many", 1000, "local")):
        asked = Job((str(archive),), str(tmp_path / name), format="jsonl", by_site=True, sketch_mb=1, slice_bytes=size)
        report = run(asked, engine=engine, workers=2)  # type: ignore[arg-type]
        assert report.rows == 12
        lines = [line for part in sorted((tmp_path / name).glob("part-*")) for line in part.read_text().splitlines()]
        texts[name] = [json.loads(line)["text"] for line in lines]
    assert texts["one"] == texts["many"]
    assert all("museum" not in text and "sheaf" in text for text in texts["one"])
    run(Job((str(archive),), str(tmp_path / "plain"), format="jsonl"), engine=in_process)  # type: ignore[arg-type]
    assert "museum" in (tmp_path / "plain/part-000000.jsonl").read_text()


def test_a_host_with_one_page_is_judged_as_it_is_without_evidence() -> None:
    """That nothing recurs says something only where there are pages on which it could."""
    one = page(1)
    alone = parse(one.body, one.url)
    assert evidence(one).extract(alone, JOB).score.tolist() == extract(alone).score.tolist()
    moved = evidence(*(page(number) for number in range(9))).extract(alone, JOB)
    assert moved.score.tolist() != extract(alone).score.tolist()
    assert "sheaf1x3" in moved.text
    assert "museum" not in moved.text
