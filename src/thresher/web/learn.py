"""Learn this site: an address -> crawl, render, cluster, label, train, and the page extracted by what was learned.

    POST /site/learn              {"url": …, "method": …, "pages": …}  ->  a run, which begins at once
    GET  /site/learn/ID           how far each stage is; when it is done, the page's content, table and clusters
    POST /site/learn/ID/cancel    the run ends
    GET  /model/SOURCE            the model, for `thresher extract --model`

The app starts runs through Try (`web.try_`) and looks at them here, as pieces of a page.  Names of runs and pages are
secret, so whoever knows one may see it.
"""

from __future__ import annotations

import re
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from thresher.text.printing import json_line
from thresher.web.answers import FRAGMENT, Refused
from thresher.web.context import Context, Here
from thresher.web.options import options_of, pages_of, task_request
from thresher.web.results import result_page
from thresher.web.site_runs import SiteRun, needs_site
from thresher.web.sources import LoadedPage

__all__ = ["ENTRY", "router"]

ENTRY = None
router = APIRouter(tags=["API"])


class LearnRequest(BaseModel):
    """A site, by one of its pages."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"url": "https://example.org/page"}]})

    url: str = Field(description="The page to extract; the crawl begins there.")
    method: str = Field(
        "cluster", description="`cluster`, or a method that compares pages: `site`, `temex`, …; with its options."
    )
    pages: int = Field(20, description="Pages of the site to learn from.")
    siblings: list[str] = Field([], description="Addresses of pages to learn from, instead of a crawl.")


@router.post("/site/learn", status_code=202, response_class=Response)
async def learn(here: Here, wishes: LearnRequest) -> Response:
    """Begin to learn a site.

    The answer has the address of the run (`state`), to be asked until its `state` is `done`, `failed` or `cancelled`.
    """
    options = options_of({"method": wishes.method})
    if not needs_site(wishes.method):
        raise Refused(400, "bad_request", f"{wishes.method} learns nothing from other pages; try cluster or site")
    if len(wishes.siblings) > here.settings.siblings:
        raise Refused(400, "too_many", f"name {here.settings.siblings} other pages at most")
    page = await here.sources.fetch(wishes.url)
    source = LoadedPage(wishes.url, page.data, page.url, page.encoding, tuple(page.problems), fetched=True)
    run = here.runs.start(here.sources.add(source), options, wishes.pages, wishes.siblings)
    return _json(_state(run), 202)


@router.get("/site/learn/{id}", response_class=Response)
async def state(request: Request, here: Here, id: str) -> Response:
    """How far a run is, and what came of it: the extract as JSON (`result`), the address of the model (`model`)."""
    run = here.runs.get(id)
    if FRAGMENT in request.headers:
        if run.state == "done":
            return await result_page(request, here, run.source, run.options)
        return here.page(request, "run.html", run=run)
    fields = _state(run)
    if run.state == "done":
        fields |= await _result(here, run)
    return _json(fields)


@router.post("/site/learn/{id}/cancel", response_class=Response)
async def cancel(request: Request, here: Here, id: str) -> Response:
    """End a run, whatever it does; pages that it has read are forgotten."""
    run = here.runs.get(id)
    here.runs.cancel(run)
    if FRAGMENT in request.headers:
        return here.page(request, "run.html", run=run)
    return _json(_state(run))


@router.get("/model/{id}", response_class=Response)
async def model(here: Here, id: str) -> Response:
    """The model that was learned for a page, as a file for `thresher extract --model`."""
    source = here.sources.get(id)
    if source.model is None:
        raise Refused(404, "not_found", "nothing was learned for this page")
    name = re.sub(r"[^a-z0-9.-]+", "-", str((source.learned or {}).get("site") or "site").lower())[:80]
    headers = {"Content-Disposition": f'attachment; filename="{name}.npz"'}
    return Response(source.model, media_type="application/octet-stream", headers=headers)


def _state(run: SiteRun) -> dict[str, Any]:
    return {
        "id": run.id,
        "state": run.state,
        "address": f"/site/learn/{run.id}",
        "method": run.options.method,
        "seconds": round(run.seconds, 1),
        "stages": [{"stage": one.name, "state": one.state, "done": one.done, "total": one.total} for one in run.stages],
        "left_out": [{"page": page, "reason": reason} for page, reason in run.left_out],
        **({"error": {"code": "failed", "message": run.problem}} if run.state == "failed" else {}),
    }


async def _result(here: Context, run: SiteRun) -> dict[str, Any]:
    source = run.source
    task = task_request(source, run.options)
    result = await here.pool.run("thresher.web.tasks:extracted", task, *pages_of(source, run.options))
    learned = {name: value for name, value in (source.learned or {}).items() if name != "svg"}
    pages = [url for url, _ in source.siblings] or learned.get("pages", [])
    fields: dict[str, Any] = {"result": result, "pages": pages}
    return fields | ({"learned": learned, "model": f"/model/{source.id}"} if source.model is not None else {})


def _json(fields: dict[str, Any], status: int = 200) -> Response:
    return Response(json_line(fields), status, media_type="application/json")
