"""A run as JSON lines, for `jq`, notebooks and `thresher serve`: pages, broken records, summaries, comparisons, run.

{"type": "page", "id": "0001", "method": "accb", "page_type": "article", "seconds": 0.004, "bow": {"f1": 0.93, …}, …}
{"type": "broken", "id": "0002", "reason": "BadGzipFile: …"}
{"type": "summary", "method": "accb", "measure": "bow", "group": null, "f1": {"mean": 0.81, "sd": …}, …}
{"type": "comparison", "a": "auto", "b": "accb", "measure": "bow", "difference": 0.05, "low": …, "p_value": …}
{"type": "run", "dataset": "wcxb", "methods": ["accb", "auto"], "measures": ["bow"], "root": "/data/wcxb", …}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from typing import Any

from thresher.evaluate.results import (
    FLOOR,
    EvaluationRun,
    Outcome,
    ms_per_page,
    paired_f1,
    score_column,
    seconds_per_kilobyte,
)
from thresher.evaluate.statistics import compare, summary
from thresher.evaluate.tables import ranking

Object = dict[str, Any]


def json_lines(run: EvaluationRun) -> Iterator[str]:
    """Each object on its line."""
    return (json.dumps(_finite(one), ensure_ascii=False) for one in objects(run))


def objects(run: EvaluationRun) -> Iterator[Object]:
    """Everything, pages first."""
    yield from (_page(outcome) for outcome in run.outcomes if not outcome.method.startswith(FLOOR))
    yield from ({"type": "broken", "id": record.id, "reason": record.reason} for record in run.broken)
    for method in run.methods:
        for measure in run.measures:
            yield from (_summary(run, method, measure, group) for group in (None, *run.groups()))
    for method in dict.fromkeys(o.method for o in run.outcomes if o.method.startswith(FLOOR)):
        yield {"type": "floor", "method": method.removeprefix(FLOOR), **_time(run.select(method))}
    for measure in run.measures:
        first, *others = ranking(run, measure) or [""]
        for other in others:
            comparison = compare(*paired_f1(run, first, other, measure))
            yield {"type": "comparison", "a": first, "b": other, "measure": measure, **asdict(comparison)}
    names = ("dataset", "kind", "pages", "methods", "measures", "unlabelled", "by", "command", "root")
    yield {"type": "run", **{name: getattr(run, name) for name in names}}


def _page(outcome: Outcome) -> Object:
    facts = {
        "type": "page",
        "id": outcome.record,
        "method": outcome.method,
        "page_type": outcome.page_type,
        "site": outcome.site,
        "status": outcome.status,
        "seconds": round(outcome.seconds, 6),
        "kilobytes": outcome.kilobytes,
    }
    problem = {"problem": outcome.problem} if outcome.problem else {}
    return {**facts, **problem, **{name: asdict(score) for name, score in outcome.scores.items()}}


def _summary(run: EvaluationRun, method: str, measure: str, group: str | None) -> Object:
    outcomes = run.select(method, group)
    return {
        "type": "summary",
        "method": method,
        "version": run.versions.get(method, ""),
        "measure": measure,
        "group": group,
        "precision": asdict(summary(score_column(outcomes, measure, "precision"))),
        "recall": asdict(summary(score_column(outcomes, measure, "recall"))),
        "f1": asdict(summary(score_column(outcomes, measure, "f1"))),
        "failed": sum(outcome.status == "failed" for outcome in outcomes),
        "skipped": sum(outcome.status == "skipped" for outcome in outcomes),
        **_time(outcomes),
    }


def _time(outcomes: list[Outcome]) -> Object:
    return {"ms_per_page": ms_per_page(outcomes), "seconds_per_kilobyte": seconds_per_kilobyte(outcomes)}


def _finite(value: Any) -> Any:
    """JSON has no nan: where nothing was measured there is null."""
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return None if isinstance(value, float) and not isfinite(value) else value
