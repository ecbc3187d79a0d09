"""Retrain and show what changes: in the background, with a table of every page before and after, then accept or not.

    GET  /label/train         what may be chosen, and how far it is
    POST /label/train         start
    GET  /label/train/state   progress, then the table, as a piece of a page
    POST /label/train/cancel, /label/train/accept

Whoever starts the server says which folders are read and written: the model goes beside the labels, into `models`.
"""

from __future__ import annotations

import re

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from thresher.labelling.export import labelled, write
from thresher.labelling.retrain import RetrainJob
from thresher.labelling.retraining import Retraining
from thresher.web.answers import Refused
from thresher.web.context import Context, Here
from thresher.web.desk import Desk, desk, labeller_of

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

METHODS = ("auto", "seeker")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


@router.get("/label/train", response_class=HTMLResponse)
async def show(request: Request, here: Here) -> Response:
    at = desk(request)
    progress = await run_in_threadpool(at.progress, labeller_of(request))
    return here.page(
        request, "label_train.html", run=at.retraining, bases=list(at.bases), progress=progress, models=at.models
    )


@router.post("/label/train", response_class=HTMLResponse)
async def start(request: Request, here: Here) -> Response:
    at = desk(request)
    form = await request.form(max_files=0, max_fields=40)
    method = str(form.get("method") or "auto")
    bases = [str(name) for name in form.getlist("base")]
    if method not in METHODS or any(name not in at.bases for name in bases):
        raise Refused(400, "bad_request", "no such method or data set")
    if at.retraining is not None and at.retraining.state == "running":
        raise Refused(409, "running", "a retraining is running; wait for it or cancel it")
    await run_in_threadpool(_begin, at, method, bases)
    return _state(request, here, at)


@router.get("/label/train/state", response_class=HTMLResponse)
async def state(request: Request, here: Here) -> Response:
    return _state(request, here, desk(request))


@router.post("/label/train/cancel", response_class=HTMLResponse)
async def cancel(request: Request, here: Here) -> Response:
    at = desk(request)
    if at.retraining is not None:
        at.retraining.cancel()
    return _state(request, here, at)


@router.post("/label/train/accept", response_class=HTMLResponse)
async def accept(request: Request, here: Here) -> Response:
    at = desk(request)
    form = await request.form(max_files=0, max_fields=5)
    name = str(form.get("name") or "").strip().removesuffix(".npz")
    if not _NAME.fullmatch(name):
        raise Refused(400, "bad_name", "a name has letters, digits, dots and dashes")
    if at.retraining is None or at.retraining.state != "done":
        raise Refused(409, "no_model", "there is no model to accept")
    try:
        await run_in_threadpool(at.retraining.accept, at.models / f"{name}.npz")
    except OSError as error:
        raise Refused(507, "disk", f"the model could not be written: {error.strerror or error}") from None
    return _state(request, here, at)


def _begin(at: Desk, method: str, bases: list[str]) -> None:
    if at.retraining is not None:
        at.retraining.close()
        at.retraining = None
    folder = Retraining.workplace()
    pages = list(labelled(at.queue, at.store))
    if not pages:
        folder.rmdir()
        raise Refused(409, "no_labels", "no page is finished yet; press Enter on a page when its labels are complete")
    write(pages, folder / "data")
    chosen = tuple(str(at.bases[name].resolve()) for name in bases)
    job = RetrainJob(method, str(folder / "data"), str(folder / "model.npz"), chosen)  # type: ignore[arg-type]
    at.retraining = Retraining(job, folder)


def _state(request: Request, here: Context, at: Desk) -> Response:
    return here.page(request, "label_train_state.html", run=at.retraining, models=at.models)
