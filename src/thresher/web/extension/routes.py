"""What the browser add-on asks for.  Only a paired add-on comes this far (`cors.check_extension`), but for pairing.

    GET  /extension              for people: the code, and which add-ons are paired
    POST /extension/forget       … end a pairing, from that page; the list as it is then
    POST /extension/pair         the code -> the token of the add-on that asks
    POST /extension/hello        the version, the methods, and whether there is a benchmark
    POST /extension/page         a live page -> its name here, under which the others mean it
    POST /extension/links        … -> addresses of other pages of its site, the nearest first
    POST /extension/extract      … with options and siblings -> the result, and marks to draw
    POST /extension/correct      … with what is content and what is not -> labels, rules, and the new result
    POST /extension/rules        the rules of a site; or, with `forget`, take back those of its readers
    POST /extension/markdown     a piece of a page as Markdown
    POST /extension/benchmark    the key pages of the saved sites (`benchmark`)

Cookies of the reader never come here: what needs their login is fetched in the browser, and sent as HTML.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from math import ceil
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from thresher import __version__, methods
from thresher.errors import RulesError
from thresher.labelling.queue import Loaded
from thresher.rules.rules import SiteRules
from thresher.text.printing import json_line
from thresher.web.answers import Refused
from thresher.web.context import Context, Here
from thresher.web.extension.live_page import FORMAT, unmarked
from thresher.web.sources import LoadedPage

__all__ = ["ENTRY", "router"]

ENTRY = None  # the start page links to it
router = APIRouter(include_in_schema=False)

_SPARE_PAGES = 2  # loaded beyond those to compare with: some are copies of the page, which do not count
_MAX_CHANGES = 200
_TASKS = "thresher.web.extension.tasks"


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class UploadedPage(_Request):
    """A page of the reader's browser: live, as `live_page` describes it, or as HTML that was fetched there."""

    url: str = Field(max_length=20_000)
    html: str
    mark: str = ""
    viewport: tuple[int, int] = (1280, 800)
    box: list[Any] | None = None
    style: dict[str, Any] | None = None
    cut: bool = False


class Sibling(_Request):
    """Another page of the site, fetched in the reader's browser."""

    url: str = Field(max_length=20_000)
    html: str


class ExtractLive(_Request):
    """Which page, and how it is extracted."""

    source: str
    method: str = "auto"
    focus: Literal["precision", "balanced", "recall"] = "balanced"
    siblings: list[Sibling] | None = None  # None: those that the page has already
    gather: int = 0  # so many are fetched through the server's own gate
    compared: int = 0  # of the siblings, at most so many are compared with


class CorrectLive(ExtractLive):
    """The elements that a reader calls content, or not, by number."""

    changes: list[tuple[int, bool]] = Field(min_length=1, max_length=_MAX_CHANGES)
    labeller: str = Field("reader", max_length=60)


class AskLinks(_Request):
    source: str
    count: int = Field(4, ge=1, le=50)


class AskRules(_Request):
    url: str
    forget: bool = False


class AskMarkdown(_Request):
    html: str
    url: str | None = None


class AskLink(_Request):
    url: str


class PairingCode(_Request):
    code: str = Field(max_length=100)


@router.get("/extension", response_class=HTMLResponse)
async def about(request: Request, here: Here) -> Response:
    return here.page(request, "extension.html", code=here.pairings.code, paired=here.pairings.listed())


@router.post("/extension/forget")
async def forget(request: Request, here: Here) -> Response:
    form = await request.form(max_files=0, max_fields=5)
    await run_in_threadpool(here.pairings.forget, str(form.get("origin") or ""))
    return here.page(request, "extension_paired.html", paired=here.pairings.listed())


@router.post("/extension/pair")
async def pair(request: Request, here: Here, given: Annotated[PairingCode, Body()]) -> Response:
    """Guessing takes time, as with the server's token."""
    address = request.client.host if request.client else ""
    wait = ceil(here.logins.wait(address))
    if wait:
        message = f"too many wrong codes; try again in {wait} s"
        raise Refused(429, "attempts", message, {"Retry-After": str(wait)})
    token = await run_in_threadpool(here.pairings.pair, request.headers.get("origin", ""), given.code)
    if token is None:
        here.logins.wrong(address)
        raise Refused(401, "code", "that is not the code; `thresher serve` shows it when it starts, and /extension")
    here.logins.right(address)
    return JSONResponse({"token": token})


@router.post("/extension/hello")
async def hello(here: Here) -> dict[str, Any]:
    usable = [name for name in methods.names() if "model" not in methods.needs(name)]
    described = [
        {"name": name, "about": methods.describe(name), "needs": sorted(methods.needs(name))} for name in usable
    ]
    return {
        "version": __version__,
        "methods": described,
        "siblings": here.settings.siblings,
        "benchmark": here.settings.benchmark is not None,
    }


@router.post("/extension/page")
async def upload(here: Here, page: Annotated[UploadedPage, Body()]) -> dict[str, str]:
    """Keep a page; everything else is asked for under its name."""
    plain = unmarked(page.html, page.mark).encode("utf-8", "replace")
    live = None
    if page.box is not None and page.style is not None:
        fields = page.model_dump()
        live = json.dumps({"format": FORMAT, **fields}, ensure_ascii=False, separators=(",", ":"))
    rendered = None if live is None else live.encode("utf-8", "replace")
    return {"source": here.sources.add(LoadedPage(page.url, plain, page.url, "utf-8", rendered=rendered)).id}


@router.post("/extension/fetch")
async def fetch(here: Here, link: Annotated[AskLink, Body()]) -> dict[str, Any]:
    """A page that the reader has not opened, through the gate and without their login."""
    page = await here.sources.fetch(link.url)
    source = LoadedPage(link.url, page.data, page.url, page.encoding, tuple(page.problems), fetched=True)
    return {"source": here.sources.add(source).id, "url": page.url}


@router.post("/extension/links")
async def links(here: Here, asked: Annotated[AskLinks, Body()]) -> dict[str, Any]:
    return {"urls": await _neighbours(here, here.sources.get(asked.source), asked.count)}


@router.post("/extension/extract")
async def extract(here: Here, wishes: Annotated[ExtractLive, Body()]) -> Response:
    source = await _with_siblings(here, here.sources.get(wishes.source), wishes)
    source = replace(source, rules=await _rules(here, source.url))
    here.sources.put(source)
    answer = await _asked(here, source, wishes, "extracted")
    here.metrics.extracted(answer["result"]["status"])
    return _json({**answer, **_about(source)})


@router.post("/extension/correct")
async def correct(here: Here, wishes: Annotated[CorrectLive, Body()]) -> Response:
    source = here.sources.get(wishes.source)
    if not source.url:
        raise Refused(400, "bad_request", "a page without an address belongs to no site")
    learned = await _asked(here, source, wishes, "corrected", changes=wishes.changes)
    page = Loaded(source.data, source.url, source.encoding)
    labels = [(str(path), name) for path, name in learned["labels"]]
    rules = SiteRules.from_dict({"rules": learned["rules"]}).rules

    def write() -> dict[str, Any]:
        assert source.url is not None
        here.site_files.correct(source.url, page, wishes.labeller or "reader", labels)
        return here.site_files.learn(source.url, list(rules))

    try:
        source = replace(source, rules=await run_in_threadpool(write))
    except OSError as error:
        raise Refused(507, "disk", f"the correction could not be written: {error.strerror or error}") from None
    except (RulesError, ValueError) as error:
        raise Refused(422, "rules", str(error)) from None
    here.sources.put(source)
    answer = await _asked(here, source, wishes, "extracted")
    return _json({**answer, **_about(source), "learned": [str(rule) for rule in rules]})


@router.post("/extension/rules")
async def rules(here: Here, asked: Annotated[AskRules, Body()]) -> dict[str, Any]:
    if asked.forget:
        await run_in_threadpool(here.site_files.forget, asked.url)
    return {"rules": ((await _rules(here, asked.url)) or {}).get("rules", [])}


@router.post("/extension/markdown")
async def markdown(here: Here, asked: Annotated[AskMarkdown, Body()]) -> Response:
    task = {"url": asked.url}
    return _json(await here.pool.run(f"{_TASKS}:markdown", task, asked.html.encode("utf-8", "replace")))


async def _asked(here: Context, source: LoadedPage, wishes: ExtractLive, task: str, **more: Any) -> dict[str, Any]:
    """A task about a page with its siblings."""
    request = {
        "method": wishes.method,
        "focus": wishes.focus,
        "url": source.url,
        "encoding": source.encoding,
        "siblings": [url for url, _ in source.siblings],
        "rendered": source.rendered is not None,
        "rules": source.rules,
        "compared": min(wishes.compared or len(source.siblings), len(source.siblings)),
        **more,
    }
    pages = [source.rendered or source.data, *(html for _, html in source.siblings)]
    return await here.pool.run(f"{_TASKS}:{task}", request, *pages)


async def _neighbours(here: Context, source: LoadedPage, count: int) -> list[str]:
    request = {"count": count, "url": source.url, "encoding": source.encoding}
    answer = await here.pool.run(f"{_TASKS}:neighbours", request, source.rendered or source.data)
    urls: list[str] = answer["urls"]
    return urls


async def _with_siblings(here: Context, source: LoadedPage, wishes: ExtractLive) -> LoadedPage:
    """The page with the siblings that were sent, or that are fetched here."""
    most = here.settings.siblings + _SPARE_PAGES
    if wishes.gather:
        if wishes.gather > here.settings.siblings:
            raise Refused(400, "too_many", f"compare with {here.settings.siblings} other pages at most")
        urls = await _neighbours(here, source, wishes.gather + _SPARE_PAGES)
        answers = await asyncio.gather(*(here.sources.fetch(url) for url in urls), return_exceptions=True)
        pages = zip(urls, answers, strict=True)
        fetched = [(url, one.data) for url, one in pages if not isinstance(one, BaseException) and not one.failure]
        return replace(source, siblings=tuple(fetched), gathered=True)
    if wishes.siblings is None:
        return source
    if len(wishes.siblings) > most:
        raise Refused(400, "too_many", f"send {most} other pages at most")
    sent = [(one.url, one.html.encode("utf-8", "replace")) for one in wishes.siblings]
    return replace(source, siblings=tuple(sent), gathered=True)


async def _rules(here: Context, url: str | None) -> dict[str, Any] | None:
    try:
        return await run_in_threadpool(here.site_files.rules, url)
    except RulesError as error:
        raise Refused(422, "rules", str(error)) from None


def _about(source: LoadedPage) -> dict[str, Any]:
    """What the add-on shows beside the result."""
    return {
        "source": source.id,
        "siblings": [url for url, _ in source.siblings],
        "rules": (source.rules or {}).get("rules", []),
        "problems": list(source.problems),
    }


def _json(value: dict[str, Any]) -> Response:
    return Response(json_line(value), media_type="application/json")
