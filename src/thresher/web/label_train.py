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

from thresher.labelling.export import labelled_pages, write_dataset
from thresher.labelling.retrain import RetrainJob
from thresher.labelling.retraining import Retraining
from thresher.web.answers import Refused
from thresher.web.context import Context, Here
from thresher.web.label_session import LabelSession, label_session, labeller_of

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

METHODS = ("auto", "seeker")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


@router.get("/label/train", response_class=HTMLResponse)
async def show(request: Request, here: Here) -> Response:
    session = label_session(request)
    progress = await run_in_threadpool(session.progress, labeller_of(request))
    return here.page(
        request,
        "label_train.html",
        run=session.retraining,
        bases=list(session.bases),
        progress=progress,
        models=session.models,
    )


@router.post("/label/train", response_class=HTMLResponse)
async def start(request: Request, here: Here) -> Response:
    session = label_session(request)
    form = await request.form(max_files=0, max_fields=40)
    method = str(form.get("method") or "auto")
    bases = [str(name) for name in form.getlist("base")]
    if method not in METHODS or any(name not in session.bases for name in bases):
        raise Refused(400, "bad_request", "no such method or data set")
    if session.retraining is not None and session.retraining.state == "running":
        raise Refused(409, "running", "a retraining is running; wait for it or cancel it")
    await run_in_threadpool(_begin, session, method, bases)
    return _state(request, here, session)


@router.get("/label/train/state", response_class=HTMLResponse)
async def state(request: Request, here: Here) -> Response:
    return _state(request, here, label_session(request))


@router.post("/label/train/cancel", response_class=HTMLResponse)
async def cancel(request: Request, here: Here) -> Response:
    session = label_session(request)
    if session.retraining is not None:
        session.retraining.cancel()
    return _state(request, here, session)


@router.post("/label/train/accept", response_class=HTMLResponse)
async def accept(request: Request, here: Here) -> Response:
    session = label_session(request)
    form = await request.form(max_files=0, max_fields=5)
    name = str(form.get("name") or "").strip().removesuffix(".npz")
    if not _NAME.fullmatch(name):
        raise Refused(400, "bad_name", "a name has letters, digits, dots and dashes")
    if session.retraining is None or session.retraining.state != "done":
        raise Refused(409, "no_model", "there is no model to accept")
    try:
        await run_in_threadpool(session.retraining.accept, session.models / f"{name}.npz")
    except OSError as error:
        raise Refused(507, "disk", f"the model could not be written: {error.strerror or error}") from None
    return _state(request, here, session)


def _begin(session: LabelSession, method: str, bases: list[str]) -> None:
    if session.retraining is not None:
        session.retraining.close()
        session.retraining = None
    folder = Retraining.workplace()
    pages = list(labelled_pages(session.queue, session.store))
    if not pages:
        folder.rmdir()
        raise Refused(409, "no_labels", "no page is finished yet; press Enter on a page when its labels are complete")
    write_dataset(pages, folder / "data")
    chosen = tuple(str(session.bases[name].resolve()) for name in bases)
    job = RetrainJob(method, str(folder / "data"), str(folder / "model.npz"), chosen)  # type: ignore[arg-type]
    session.retraining = Retraining(job, folder)


def _state(request: Request, here: Context, session: LabelSession) -> Response:
    return here.page(request, "label_train_state.html", run=session.retraining, models=session.models)
