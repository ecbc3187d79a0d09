"""Label: a queue of pages, and on each of them people say what is content.

    GET  /label              the queue, progress, names, downloads
    GET  /label/next         to the page that should be labelled next
    GET  /label/page/KEY     a page as an outline of its elements, beside the page itself
    POST /label/page/KEY/…   mark, undo, fill, status: JSON in, the labels of the page out
    GET  /label/frame/KEY    the page, inert, with the labels painted over it, for a sandboxed frame
    GET  /label/data.zip     the finished pages as a data set          (label_train: /label/train…)

Of a page only text reaches our own origin, escaped; its markup is shown in the frame alone, where nothing runs.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, Field

from thresher.labelling.entries import State
from thresher.labelling.export import labelled_pages, zip_archive
from thresher.labelling.queue import QueuedPage
from thresher.learn.labelfile import Label, Name
from thresher.web import label_train
from thresher.web.answers import FRAME_POLICY, Refused
from thresher.web.context import Here, NavigationEntry, context
from thresher.web.label_session import (
    COOKIE,
    LabelSession,
    clean_name,
    cookie_value,
    label_session,
    labeller_of,
    task_request,
)

__all__ = ["ENTRY", "router"]

ENTRY = NavigationEntry("Label", "/label")
_ROWS_PER_PAGE = 200  # pages of the queue that are shown at a time
_MAX_ELEMENTS = 5_000  # of one request


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    here = app.state.context
    session: LabelSession | None = getattr(
        app.state, "label_session", None
    )  # the command line makes it, to tell what is wrong with it
    if session is None and here.settings.label is not None:
        session = app.state.label_session = await run_in_threadpool(LabelSession, here.settings)
    if session is not None:
        session.start(here)
    yield
    if session is not None:
        session.close()


router = APIRouter(include_in_schema=False, lifespan=_lifespan)
router.include_router(label_train.router)


class Marks(BaseModel):
    """Elements, and what somebody says of them; no label takes back what was said."""

    xpaths: list[str] = Field(max_length=_MAX_ELEMENTS, min_length=1)
    label: Name | Literal["clear"]


class Done(BaseModel):
    """How far somebody is with a page."""

    status: State


@router.get("/label", response_class=HTMLResponse)
async def index(request: Request, here: Here, start: int = 0) -> Response:
    if getattr(request.app.state, "label_session", None) is None:
        return here.page(request, "label_none.html")
    session, labeller = label_session(request), labeller_of(request)
    values = await run_in_threadpool(_queue, session, labeller, max(start, 0) // _ROWS_PER_PAGE * _ROWS_PER_PAGE)
    return here.page(
        request, "label.html", labeller=labeller, queue=session.queue, path_of=session.store.path, **values
    )


@router.post("/label/name")
async def name(request: Request, here: Here) -> Response:
    form = await request.form(max_files=0, max_fields=5)
    labeller = clean_name(str(form.get("name") or ""))
    if not labeller:
        raise Refused(400, "no_name", "type a name first")
    answer = JSONResponse({"go": "/label"})
    secure = request.url.scheme == "https"
    answer.set_cookie(
        COOKIE,
        cookie_value(labeller),
        max_age=31_536_000,
        httponly=True,
        samesite="strict",
        secure=secure,
        path="/label",
    )
    return answer


@router.get("/label/next")
async def following(request: Request) -> Response:
    session, labeller = label_session(request), _require_labeller(request)
    page = await run_in_threadpool(session.next_for, labeller)
    return RedirectResponse(f"/label/page/{page.key}" if page else "/label", 303)


@router.get("/label/page/{key}", response_class=HTMLResponse)
async def page(request: Request, here: Here, key: str) -> Response:
    session, labeller = label_session(request), labeller_of(request)
    if not labeller:
        return RedirectResponse("/label", 303)
    entry = session.entry(key)
    loaded = await session.load(here, entry)
    labels = await run_in_threadpool(session.store.labels, entry.id)
    request_ = task_request(loaded, labelled=[one.xpath for one in labels])
    outline = await here.pool.run("thresher.labelling.tasks:page_outline", request_, loaded.data)
    order = [one.key for one in session.order()]
    place = order.index(key)
    values: dict[str, Any] = {
        "entry": entry,
        "labeller": labeller,
        "outline": outline,
        "own": json.dumps(_own(labels, labeller)),
        "others": _others(labels, labeller),
        "lost": sorted({one.xpath for one in labels} - {item["xpath"] for item in outline["items"]}),
        "mine": session.store.status(entry.id).get(labeller, "open"),
        "place": place + 1,
        "before": order[place - 1] if place else None,
        "behind": order[place + 1] if place + 1 < len(order) else None,
        "progress": session.progress(labeller),
    }
    return here.page(request, "label_page.html", **values)


@router.post("/label/page/{key}/mark")
async def mark(request: Request, key: str, marks: Annotated[Marks, Body()]) -> Response:
    session, entry, labeller = _who_and_where(request, key)

    def write() -> None:
        if marks.label == "clear":
            session.store.clear(entry.id, labeller, marks.xpaths)
        else:
            session.store.add(entry.id, labeller, [(xpath, marks.label) for xpath in marks.xpaths])

    await _written(write)
    return await _labels(session, entry, labeller)


@router.post("/label/page/{key}/undo")
async def undo(request: Request, key: str) -> Response:
    session, entry, labeller = _who_and_where(request, key)
    undone = await _written(lambda: session.store.undo(entry.id, labeller))
    return await _labels(session, entry, labeller, undone=undone)


@router.post("/label/page/{key}/fill")
async def fill(request: Request, here: Here, key: str) -> Response:
    """What has no label gets what `auto` says of it."""
    session, entry, labeller = _who_and_where(request, key)
    loaded = await session.load(here, entry)
    labels = await run_in_threadpool(session.store.labels, entry.id)
    own = {one.xpath for one in labels if one.labeller == labeller and one.question == "content"}
    request_ = task_request(loaded, labelled=sorted(own))
    suggested = await here.pool.run("thresher.labelling.tasks:suggested_labels", request_, loaded.data)
    if suggested["labels"]:
        await _written(lambda: session.store.add(entry.id, labeller, [(x, n) for x, n in suggested["labels"]]))
    return await _labels(session, entry, labeller)


@router.post("/label/page/{key}/status")
async def status(request: Request, key: str, done: Annotated[Done, Body()]) -> Response:
    session, entry, labeller = _who_and_where(request, key)
    await _written(lambda: session.store.mark(entry.id, labeller, done.status))
    following_page = await run_in_threadpool(session.next_for, labeller, entry.id)
    return JSONResponse({"go": f"/label/page/{following_page.key}" if following_page else "/label"})


@router.get("/label/frame/{key}", response_class=HTMLResponse)
async def frame(request: Request, key: str) -> Response:
    session, entry, labeller = _who_and_where(request, key)
    here = context(request)
    loaded = await session.load(here, entry)
    labels = await run_in_threadpool(session.store.labels, entry.id)
    own = [[one.xpath, one.label, one.time] for one in labels if one.labeller == labeller]
    painted = await here.pool.run(
        "thresher.web.label_views:painted_labels", task_request(loaded, labels=own), loaded.data
    )
    policy = FRAME_POLICY.format(sheets="", pictures="")
    return HTMLResponse(painted["html"], headers={"Content-Security-Policy": policy})


@router.get("/label/data.zip")
async def data(request: Request) -> Response:
    session = label_session(request)
    zipped = await run_in_threadpool(lambda: zip_archive(labelled_pages(session.queue, session.store)))
    return Response(
        zipped, media_type="application/zip", headers={"Content-Disposition": 'attachment; filename="labelled.zip"'}
    )


def _queue(session: LabelSession, labeller: str, start: int) -> dict[str, Any]:
    rows = []
    for entry in session.order()[start : start + _ROWS_PER_PAGE]:
        states = session.store.status(entry.id)
        rows.append(
            {
                "entry": entry,
                "confidence": session.queue.confidence.get(entry.id),
                "status": session.queue.status.get(entry.id, ""),
                "labels": len(session.store.labels(entry.id)),
                "mine": states.get(labeller, "open"),
                "others": sorted(name for name, state in states.items() if state == "done" and name != labeller),
            }
        )
    return {"rows": rows, "start": start, "step": _ROWS_PER_PAGE, "progress": session.progress(labeller)}


def _require_labeller(request: Request) -> str:
    labeller = labeller_of(request)
    if not labeller:
        raise Refused(409, "no_name", "say who you are first, at /label")
    return labeller


def _who_and_where(request: Request, key: str) -> tuple[LabelSession, QueuedPage, str]:
    session = label_session(request)
    return session, session.entry(key), _require_labeller(request)


async def _written(write: Any) -> Any:
    """Write in a thread; a full disk and labels that are invalid are refusals."""
    try:
        return await run_in_threadpool(write)
    except OSError as error:
        raise Refused(507, "disk", f"the label could not be written: {error.strerror or error}") from None
    except ValueError as error:
        raise Refused(400, "bad_request", str(error)) from None


async def _labels(session: LabelSession, entry: QueuedPage, labeller: str, **more: Any) -> Response:
    labels = await run_in_threadpool(session.store.labels, entry.id)
    return JSONResponse({"own": _own(labels, labeller), **more})


def _own(labels: Sequence[Label], labeller: str) -> dict[str, dict[str, str]]:
    """One labeller's labels: by element, then by question."""
    own: dict[str, dict[str, str]] = {}
    for one in labels:
        if one.labeller == labeller:
            own.setdefault(one.xpath, {})[one.question] = one.label
    return own


def _others(labels: Sequence[Label], labeller: str) -> dict[str, list[str]]:
    others: dict[str, list[str]] = {}
    for one in labels:
        if one.labeller != labeller:
            others.setdefault(one.xpath, []).append(f"{one.labeller}: {one.label.replace('_', ' ')}")
    return others
