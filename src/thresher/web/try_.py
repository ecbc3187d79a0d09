"""Try: a page from an address, a file or a form, its extract beside it, and every option at hand.

    POST /try             a page and options -> the result, as a piece of a page; the page stays in memory (`sources`)
    GET  /frame/ID        the page itself, inert and painted, for a sandboxed frame
    GET  /reading/ID      the extract as an article, for such a frame
    GET  /download/ID     the extract as a file
    GET  /asset/ID/NAME   a picture or sheet of the page, through the gate, when pictures are asked for

A method that needs to know the site of the page, and does not, has it learned first (`web.learn`): the answer is then
how far that is.  The frame and the rest are functions of the page and the options, so nothing but pages is kept.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from math import ceil
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from thresher.web.answers import FRAME_POLICY, Refused
from thresher.web.context import Context, Here, NavigationEntry
from thresher.web.method_groups import method_groups
from thresher.web.options import FORMS, Options, from_form, pages_of, source_of, task_request
from thresher.web.rendering import can_render
from thresher.web.results import ENDINGS, result_page
from thresher.web.security import COOKIE, same
from thresher.web.site_runs import learns_looks, needs_site
from thresher.web.sources import LoadedPage

__all__ = ["ENTRY", "router"]

ENTRY = NavigationEntry("Try", "/")
router = APIRouter(include_in_schema=False)

_PAGES, _PAGES_TO_COMPARE = 20, 4  # of a site that is learned, and of one that a page is compared with
_MEDIA = {
    "text": "text/plain",
    "markdown": "text/markdown",
    "html": "text/html",
    "xml": "application/xml",
    "json": "application/json",
}
_PICTURES = frozenset("png jpeg gif webp avif bmp x-icon vnd.microsoft.icon".split())
_MAX_ASSET_BYTES = 8_000_000


@router.get("/", response_class=HTMLResponse)
async def index(
    request: Request,
    here: Here,
    url: str = "",
    source: str = "",
    options: Annotated[Options, Query()] = Options(),
) -> Response:
    """The form; with `source`, a page that is in memory already, its result comes at once."""
    return here.page(
        request,
        "try.html",
        groups=method_groups(),
        forms=FORMS,
        can_render=can_render(),
        url=url,
        source=source,
        options=options,
        most_pages=here.settings.site_pages,
    )


@router.post("/try", response_class=HTMLResponse)
async def tried(request: Request, here: Here) -> Response:
    form = await request.form(max_files=2, max_fields=30, max_part_size=here.settings.body_bytes)
    options = from_form(form)
    _end_run(here, form)
    if form.get("learn") and not needs_site(options.method):
        options = options.model_copy(update={"method": "cluster"})
    looks = learns_looks(options.method)
    source = await source_of(request, here, form, options, renders=not looks)
    if _lacks_site(source, options):
        named = [url for url, _ in source.siblings]
        run = here.runs.start(source, options, _pages(form, here, _PAGES if looks else _PAGES_TO_COMPARE), named)
        return here.page(request, "run.html", run=run)
    if looks and source.model is None:
        raise Refused(
            422, "needs_model", f"{options.method} needs to know the site: give its address, or a model of it"
        )
    if looks and source.rendered is None:
        source = replace(source, rendered=await here.renderer.render(source))
        here.sources.put(source)
    return await result_page(request, here, source, options)


def _lacks_site(source: LoadedPage, options: Options) -> bool:
    """Whether the method needs to know the site, which nobody has learned yet, and the page has an address."""
    if not needs_site(options.method) or not source.url:
        return False
    return source.model is None if learns_looks(options.method) else not source.siblings


def _end_run(here: Context, form: FormData) -> None:
    """A run that is shown ends when something else is asked for in its place."""
    if form.get("run"):
        with contextlib.suppress(Refused):  # it is forgotten already
            here.runs.cancel(here.runs.get(str(form["run"])))


def _pages(form: FormData, here: Context, usual: int) -> int:
    given = str(form.get("pages") or "").strip() or str(usual)
    if not (given.isascii() and given.isdigit()):
        raise Refused(400, "bad_request", f"choose 2 to {here.settings.site_pages} pages")
    return int(given[:6])


@router.get("/frame/{id}", response_class=HTMLResponse)
async def frame(request: Request, here: Here, id: str, options: Annotated[Options, Query()]) -> Response:
    return await _framed(request, here, id, options, "thresher.web.tasks:painted")


@router.get("/reading/{id}", response_class=HTMLResponse)
async def reading(request: Request, here: Here, id: str, options: Annotated[Options, Query()]) -> Response:
    return await _framed(request, here, id, options, "thresher.web.tasks:reading")


async def _framed(request: Request, here: Here, id: str, options: Options, task: str) -> Response:
    source = here.sources.get(id)
    asset = f"/asset/{id}/" if options.pictures else None
    painted = await here.pool.run(task, {**task_request(source, options), "asset": asset}, *pages_of(source, options))
    source.resources.update(painted["resources"])
    # In an origin of its own a page has no 'self': what our server hands out is named by its address.
    allowed = f" {request.url.scheme}://{request.headers['host']}/asset/{id}/" if asset else ""
    policy = FRAME_POLICY.format(sheets=allowed, pictures=allowed)
    return HTMLResponse(painted["html"], headers={"Content-Security-Policy": policy})


@router.get("/download/{id}")
async def download(here: Here, id: str, options: Annotated[Options, Query()]) -> Response:
    if options.form not in ENDINGS:
        raise Refused(400, "bad_request", f"no format {options.form!r} to download")
    source = here.sources.get(id)
    extract = await here.pool.run(
        "thresher.web.views:download", task_request(source, options), *pages_of(source, options)
    )
    name = re.sub(r"[^\w-]+", "-", extract["title"] or "extract").strip("-_")[:80] or "extract"
    ending = ENDINGS[options.form]
    named = f"attachment; filename=\"extract.{ending}\"; filename*=UTF-8''{quote(f'{name}.{ending}')}"
    headers = {"Content-Disposition": named}
    return Response(extract["text"], headers=headers, media_type=f"{_MEDIA[options.form]}; charset=utf-8")


@router.get("/asset/{id}/{name}")
async def asset(here: Here, id: str, name: str) -> Response:
    """Only what the page itself names, and only pictures and style sheets."""
    url = here.sources.get(id).resources.get(name)
    if url is None:
        raise Refused(404, "not_found", "no such picture")
    fetched = await here.sources.fetch(url)
    kind = (fetched.response.content_type if fetched.response else None) or ""
    allowed = kind == "text/css" or (kind.startswith("image/") and kind[6:] in _PICTURES)
    if fetched.failure or not allowed or len(fetched.data) > _MAX_ASSET_BYTES:
        raise Refused(404, "not_found", "no picture")
    # The frame has an origin of its own, so to the browser this is another site that loads it.
    return Response(fetched.data, media_type=kind, headers={"Cross-Origin-Resource-Policy": "cross-origin"})


@router.post("/login")
async def login(request: Request, here: Here) -> Response:
    """A visitor with the server's token gets a cookie."""
    form = await request.form(max_files=0, max_fields=5)
    address = request.client.host if request.client else ""
    wait = ceil(here.logins.wait(address))
    if wait:
        message = f"too many wrong tokens; try again in {wait} s"
        raise Refused(429, "attempts", message, {"Retry-After": str(wait)})
    if here.settings.token and not same(str(form.get("token", "")), here.settings.token):
        here.logins.wrong(address)
        refused = Refused(401, "token", "that is not the token")
        return here.page(request, "login.html", 401, refused=refused, wrong=True)
    here.logins.right(address)
    answer = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, here.secrets.visitor, httponly=True, samesite="strict", secure=secure)
    return answer
