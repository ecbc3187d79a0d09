"""Evaluate: the results of `thresher evaluate`, from the table to the single page with its difference."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from thresher.errors import UnknownMethod, WrongOption
from thresher.evaluate import tables
from thresher.evaluate.measures import ABOUT
from thresher.evaluate.results import EvaluationRun, Outcome
from thresher.web.answers import Refused
from thresher.web.context import Context, Here, NavigationEntry
from thresher.web.options import Options
from thresher.web.reports import ReportFile, reports
from thresher.web.sources import LoadedPage
from thresher.web.tasks import check_method

__all__ = ["ENTRY", "router"]

ENTRY = NavigationEntry("Evaluate", "/evaluate")
router = APIRouter(include_in_schema=False)

_ROWS_PER_PAGE = 100  # of a list of pages


@router.get("/evaluate", response_class=HTMLResponse)
async def index(request: Request, here: Here) -> Response:
    files = await run_in_threadpool(reports, here.settings.reports)
    rows = [{"report": one, "day": _day(one.changed), "best": _best(one.run)} for one in files]
    return here.page(request, "evaluate.html", rows=rows)


@router.get("/evaluate/{number}", response_class=HTMLResponse)
async def report(request: Request, here: Here, number: int, measure: str = "") -> Response:
    file, run = await _run(here, number)
    chosen = _measure(run, measure)
    shown = await run_in_threadpool(_tables, run, chosen)
    values: dict[str, Any] = {
        "report": file,
        "run": run,
        "number": number,
        "measure": chosen,
        "about": ABOUT[chosen],
        "tables": shown,
    }
    return here.page(request, "evaluate_report.html", **values)


@router.get("/evaluate/{number}/pages", response_class=HTMLResponse)
async def pages(
    request: Request, here: Here, number: int, method: str, measure: str = "", group: str = "", start: int = 0
) -> Response:
    file, run = await _run(here, number)
    chosen = _measure(run, measure)
    ranked = sorted(run.select(method, group or None), key=lambda one: (_f1(one, chosen), one.record))
    first = min(max(start, 0), max(len(ranked) - 1, 0)) // _ROWS_PER_PAGE * _ROWS_PER_PAGE
    values: dict[str, Any] = {
        "report": file,
        "run": run,
        "number": number,
        "measure": chosen,
        "method": method,
        "group": group,
        "rows": ranked[first : first + _ROWS_PER_PAGE],
        "first": first,
        "total": len(ranked),
        "step": _ROWS_PER_PAGE,
    }
    return here.page(request, "evaluate_pages.html", **values)


@router.get("/evaluate/{number}/page", response_class=HTMLResponse)
async def page(request: Request, here: Here, number: int, id: str, method: str, measure: str = "") -> Response:
    file, run = await _run(here, number)
    chosen = _measure(run, measure)
    others = [one for one in run.outcomes if one.record == id]
    if not others or method not in {one.method for one in others}:
        raise Refused(404, "not_found", "the results have no such page")
    difference, problem = await _difference(here, run, id, method)
    source = None
    if difference and difference["html"]:
        data = difference["html"].encode("latin-1")
        source = here.sources.add(LoadedPage(id, data, difference["url"], difference["encoding"]))
    own = _painting(method)
    values: dict[str, Any] = {
        "report": file,
        "run": run,
        "number": number,
        "measure": chosen,
        "id": id,
        "method": method,
        "others": others,
        "difference": difference,
        "problem": problem,
        "source": source,
        "frame": Options(method=own).query(),
        "painted_by": own,
    }
    return here.page(request, "evaluate_page.html", **values)


async def _difference(here: Context, run: EvaluationRun, id: str, method: str) -> tuple[dict[str, Any] | None, str]:
    if not run.root:
        return None, "the results do not say where the data set is; make them again with this version"
    request = {"root": run.root, "id": id, "method": method}
    try:
        return await here.pool.run("thresher.web.reports:page_difference", request), ""
    except Refused as refused:
        if refused.status == 429:
            raise
        return None, refused.message


async def _run(here: Context, number: int) -> tuple[ReportFile, EvaluationRun]:
    files = await run_in_threadpool(reports, here.settings.reports)
    if not 0 <= number < len(files):
        raise Refused(404, "not_found", "there are no such results")
    chosen = files[number]
    if chosen.run is None:
        raise Refused(422, "unreadable", f"{chosen.path} cannot be read: {chosen.problem}")
    return chosen, chosen.run


def _tables(run: EvaluationRun, measure: str) -> dict[str, tables.ScoreTable]:
    shown = {"overview": tables.overview(run, measure)}
    if len(run.groups()) > 1 and tables.ranking(run, measure):
        shown["groups"] = tables.by_group(run, measure)
    if len(tables.ranking(run, measure)) > 1:
        shown["comparisons"] = tables.comparisons(run, measure)
    return shown


def _measure(run: EvaluationRun, measure: str) -> str:
    if not run.measures:
        raise Refused(422, "unreadable", "the results have no measure that is known here")
    return measure if measure in run.measures else run.measures[0]


def _best(run: EvaluationRun | None) -> tuple[str, str] | None:
    """The method with the best F1 under the first measure."""
    ranked = tables.ranking(run, run.measures[0]) if run and run.measures else []
    if not run or not ranked:
        return None
    scores = [one.scores[run.measures[0]].f1 for one in run.select(ranked[0]) if run.measures[0] in one.scores]
    return ranked[0], tables.score(sum(scores) / len(scores))


def _f1(outcome: Outcome, measure: str) -> float:
    return outcome.scores[measure].f1 if measure in outcome.scores else 2.0


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M") if moment else ""


def _painting(method: str) -> str:
    """The method that paints the page: the one of the results, `auto` for peers and methods on other evidence."""
    try:
        check_method(method)
    except (UnknownMethod, WrongOption):
        return "auto"
    return method
