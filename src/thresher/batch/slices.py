"""One slice in, one part out: the function that every engine calls.

    source -> records -> isolated rows -> draft of a part -> part -> manifest

The manifest is written last.  Its first line says what the part holds, its size and digest, what was skipped and what
was damaged; then a line for every record, in the order of the rows, with its id and the CPU seconds it took.  A slice
is done when its manifest and its part are there; done again, it gives the same part.  Times are in the manifest as
they differ from run to run, and parts do not.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from thresher.batch.attempt import Attempt, Retry
from thresher.batch.files import PRIVATE
from thresher.batch.isolation import Isolated
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.parts import open_writer, part_suffix
from thresher.batch.plan import Slice
from thresher.batch.sources import PageSource, open_source
from thresher.batch.store import OutputStore, open_store

__all__ = [
    "SKETCH",
    "Manifest",
    "ReportProgress",
    "SliceWorker",
    "count_name",
    "is_intact",
    "manifest_name",
    "part_name",
    "read_manifest",
]

SKETCH = f"{PRIVATE}/site/sketch.npy"
_REPORT_SECONDS = 0.5

ReportProgress = Callable[[int, int, int], None]
"""Called now and then while a slice runs, with its rows, errors and bytes of the input."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What became of a slice."""

    slice: int
    source: str
    part: str | None  # None when it held no page
    rows: int = 0
    size: int = 0  # bytes of the part
    sha256: str = ""
    read: int = 0  # bytes of the input
    errors: dict[str, int] = field(default_factory=dict)  # error rows by code
    skipped: dict[str, int] = field(default_factory=dict)  # records that are no pages, by what they are
    damage: list[dict[str, Any]] = field(default_factory=list)
    begin: tuple[int, int] | None = None  # of an archive: where the first record began
    next: tuple[int, int] | None = None  # and where the slice after it has to
    seconds: float = 0.0  # CPU time of the pages
    failed: str = ""  # why pages were not tried or are missing; then the next run does the slice again

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Manifest:
        places = {name: tuple(values[name]) if values[name] else None for name in ("begin", "next")}
        return cls(**values | places)


class SliceWorker:
    """Extracts or counts slice after slice; the process that reads pages lasts from one to the next."""

    def __init__(self, job: Job, limits: WorkerLimits = WorkerLimits(), with_evidence: bool = False) -> None:
        self._job, self._limits = job, limits
        self._store = open_store(job.output)
        evidence = self._store.local_copy(SKETCH) if with_evidence else None
        self._isolated = Isolated(job, limits, evidence)

    def close(self) -> None:
        self._isolated.close()

    def extract(
        self, piece: Slice, report: ReportProgress = lambda rows, errors, read: None, retry: Retry = Retry()
    ) -> Manifest:
        """Write the part and the manifest of a slice."""
        source = open_source(piece, self._job, self._limits)
        attempt = Attempt(source, self._isolated, self._job, retry)
        name = part_name(piece, self._job)
        done: list[tuple[str, float]] = []
        errors: Counter[str] = Counter()
        reported = time.monotonic()
        with self._store.draft(name) as draft:
            writer = open_writer(draft, self._job)
            try:
                for record, row, seconds in attempt.rows():
                    if self._job.timing:
                        row["seconds"] = seconds
                    writer.write(row)
                    done.append((record.id, seconds))
                    if row.get("error"):
                        errors[row["error"].partition(":")[0]] += 1
                    if attempt.careful or time.monotonic() - reported > _REPORT_SECONDS:
                        reported = time.monotonic()
                        report(len(done), errors.total(), source.read)
                writer.close()
            except BaseException:
                writer.abandon()
                raise
            draft.wanted = bool(done)
        if not done:
            self._store.remove(name)  # of a first reading that began in the wrong place
        part = name if done else None
        manifest = _manifest(piece, source, part, done, errors, draft.size, draft.sha256, attempt.failed)
        lines = (json.dumps(line) + "\n" for line in (manifest.to_dict(), *done))
        self._store.write(manifest_name(piece), "".join(lines).encode())
        return manifest

    def count(self, piece: Slice, report: ReportProgress = lambda rows, errors, read: None) -> Manifest:
        """The first pass of --by-site: which blocks stand on how many pages of which host."""
        import numpy as np

        from thresher.batch.evidence import KeyCounts

        source = open_source(piece, self._job, self._limits)
        key_counts, pages, reported = KeyCounts(), 0, time.monotonic()
        for keys_of_page in Attempt(
            source, self._isolated, self._job
        ).page_keys():  # what fails is told by the second pass
            key_counts.add(keys_of_page)
            pages += 1
            if time.monotonic() - reported > _REPORT_SECONDS:
                reported = time.monotonic()
                report(pages, 0, source.read)
        keys, counts = key_counts.to_arrays()
        data = io.BytesIO()
        np.savez(data, keys=keys, counts=counts)
        self._store.write(count_name(piece), data.getvalue())
        return Manifest(piece.number, piece.source, None, pages, read=piece.size)


def part_name(piece: Slice, job: Job) -> str:
    return f"part-{piece.number:06d}{part_suffix(job)}"


def manifest_name(piece: Slice) -> str:
    return f"{PRIVATE}/manifests/{piece.number:06d}.jsonl"


def count_name(piece: Slice) -> str:
    return f"{PRIVATE}/site/{piece.number:06d}.npz"


def read_manifest(piece: Slice, store: OutputStore) -> Manifest | None:
    """The manifest of a slice that is done, part and all; None when it has to be done."""
    first = store.first_line(manifest_name(piece))
    if first is None:
        return None
    try:
        manifest = Manifest.from_dict(json.loads(first))
    except (ValueError, TypeError, KeyError):  # not as it was written: a damaged disk
        return None
    if manifest.part and store.size(manifest.part) != manifest.size:
        return None
    return manifest


def is_intact(manifest: Manifest, store: OutputStore) -> bool:
    """Whether the bytes of a part are those that were written."""
    return not manifest.part or hashlib.sha256(store.read(manifest.part)).hexdigest() == manifest.sha256


def _manifest(
    piece: Slice,
    source: PageSource,
    part: str | None,
    done: list[tuple[str, float]],
    errors: Counter[str],
    size: int,
    sha256: str,
    failed: str,
) -> Manifest:
    return Manifest(
        slice=piece.number,
        source=piece.source,
        part=part,
        rows=len(done),
        size=size if part else 0,
        sha256=sha256 if part else "",
        read=piece.size,
        errors=dict(sorted(errors.items())),
        skipped=dict(sorted(source.skipped.items())),
        damage=[asdict(each) for each in source.damage],
        begin=source.begin,
        next=source.next,
        seconds=round(sum(seconds for _, seconds in done), 6),
        failed=failed,
    )
