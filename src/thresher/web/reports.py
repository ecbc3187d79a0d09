"""Results of `thresher evaluate --json`, read back: the run with its outcomes, and single pages made again.

Files are read when they are asked for, and again when they have changed.  A page's gold and extract are not in them:
they are made again from the data set, if it is still where it was.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from thresher.evaluate import extractors
from thresher.evaluate.datasets import BrokenRecord, open_dataset
from thresher.evaluate.diff import diff
from thresher.evaluate.measures import MEASURES, Score
from thresher.evaluate.results import EvaluationRun, Outcome

__all__ = ["ReportFile", "load", "page_difference", "reports"]

_MAX_FILE_BYTES = 500_000_000  # bytes
_MAX_COMPARED_LENGTH = 200_000  # characters that are compared


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A file of results."""

    name: str
    path: Path
    changed: float
    run: EvaluationRun | None  # None: it cannot be read
    problem: str = ""


def reports(places: Iterable[Path]) -> list[ReportFile]:
    """All files of results, in the order of their names; a folder stands for the .jsonl files in it."""
    paths: list[Path] = []
    for place in places:
        paths += sorted(place.glob("*.jsonl")) if place.is_dir() else [place]
    return [_report(path) for path in dict.fromkeys(paths)]


def _report(path: Path) -> ReportFile:
    try:
        about = path.stat()
        return load(path, about.st_mtime, about.st_size)
    except OSError as error:
        return ReportFile(path.stem, path, 0.0, None, (error.strerror or str(error)).lower())


@lru_cache(maxsize=32)
def load(path: Path, changed: float, size: int) -> ReportFile:
    """One file; `changed` and `size` tell its versions apart."""
    if size > _MAX_FILE_BYTES:
        return ReportFile(path.stem, path, changed, None, f"it has more than {_MAX_FILE_BYTES:,} bytes")
    try:
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file if line.strip()]
        return ReportFile(path.stem, path, changed, _run(path.stem, lines))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        problem = f"it is not what `thresher evaluate --json` prints: {type(error).__name__}: {error}"
        return ReportFile(path.stem, path, changed, None, problem[:500])


def _run(name: str, lines: list[dict[str, Any]]) -> EvaluationRun:
    of_type = {kind: [one for one in lines if one.get("type") == kind] for kind in ("page", "broken", "run", "summary")}
    if not of_type["page"]:
        raise ValueError("no pages")
    outcomes = [_outcome(one) for one in of_type["page"]]
    about = of_type["run"][-1] if of_type["run"] else {}
    methods = about.get("methods") or list(dict.fromkeys(outcome.method for outcome in outcomes))
    measures = about.get("measures") or [m for m in MEASURES if any(m in outcome.scores for outcome in outcomes)]
    by = about.get("by", "page_type")
    return EvaluationRun(
        dataset=str(about.get("dataset", name)),
        kind=str(about.get("kind", "")),
        pages=int(about.get("pages", len({outcome.record for outcome in outcomes}))),
        methods=tuple(map(str, methods)),
        measures=tuple(m for m in map(str, measures) if m in MEASURES),
        outcomes=outcomes,
        broken=[BrokenRecord(str(one["id"]), str(one["reason"])) for one in of_type["broken"]],
        unlabelled=int(about.get("unlabelled", 0)),
        versions={str(one["method"]): str(one.get("version", "")) for one in of_type["summary"]},
        by=by if by in ("page_type", "site", "none") else "page_type",
        command=str(about.get("command", "")),
        root=str(about.get("root", "")),
    )


def _outcome(one: dict[str, Any]) -> Outcome:
    scores = {
        m: Score(*(_number(one[m][part]) for part in ("precision", "recall", "f1"))) for m in MEASURES if m in one
    }
    status = one.get("status", "done")
    return Outcome(
        record=str(one["id"]),
        method=str(one["method"]),
        page_type=str(one.get("page_type", "")),
        site=str(one.get("site", "")),
        kilobytes=_number(one.get("kilobytes")),
        seconds=_number(one.get("seconds")),
        status=status if status in ("done", "failed", "skipped") else "done",
        problem=str(one.get("problem", "")),
        scores=scores,
    )


def _number(value: Any) -> float:
    number = float(value or 0.0)
    return number if math.isfinite(number) else 0.0


def page_difference(request: dict[str, Any], pages: list[bytes]) -> dict[str, Any]:
    """A page of a data set again: its address, the difference of gold and extract, and its HTML.  Runs in a process."""
    dataset = open_dataset(request["root"])
    record = dataset.load(request["id"])
    if isinstance(record, BrokenRecord):
        raise ValueError(f"the record is broken: {record.reason}")
    again = extractors.reader(dataset)(request["id"], request["method"])
    html = (record.html or b"").decode("latin-1")  # bytes have no other way into JSON
    page = {"url": record.url, "encoding": record.encoding, "html": html}
    if again is None:
        return {**page, "pieces": None}
    _, gold, extract = again
    return {
        **page,
        "pieces": [asdict(piece) for piece in diff(gold[:_MAX_COMPARED_LENGTH], extract[:_MAX_COMPARED_LENGTH])],
    }
