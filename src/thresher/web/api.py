"""The HTTP API of our own: pages in, JSON out; health and counts for those who watch over the server."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from thresher import __version__
from thresher.http.media_types import HTML_TYPES, charset_of, media_type
from thresher.text.printing import json_line
from thresher.web.answers import Refused
from thresher.web.context import Context, Here
from thresher.web.sources import LoadedPage

__all__ = ["ENTRY", "router"]

ENTRY = None
router = APIRouter(tags=["API"])

Form = Literal["html", "xml"]

_ENCODED_WHOLE = re.compile(r"https?%3A", re.IGNORECASE)  # as encodeURIComponent writes an address
_ONE_SLASH = re.compile(r"^(https?):/(?!/)", re.IGNORECASE)  # what proxies make of two


class ExtractOptions(BaseModel):
    """What to do with a page."""

    method: str = Field("auto", description="One of `thresher methods`, with options of it: `lqf:quota=0.75`.")
    focus: Literal["precision", "balanced", "recall"] = Field("balanced", description="Keep less and surer, or more.")
    hidden: Literal["default", "strict"] = Field("default", description="strict leaves out what may be hidden.")
    encoding: str | None = Field(None, description="The charset that came with the page.")
    blocks: bool = Field(False, description="Also every block with its verdict, score and reasons.")
    formats: list[Form] = Field([], description="Further forms beside `text` and `markdown`.")


class ExtractQuery(ExtractOptions):
    """The same in a query, where the page itself is the body."""

    model_config = ConfigDict(extra="forbid")

    url: str | None = Field(None, description="Where the page comes from; links are resolved against it.")


class ExtractAddress(ExtractOptions):
    """A page by its address alone."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(description="The page to fetch.")


class ExtractRequest(ExtractQuery):
    """A page, and what to do with it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"url": "https://example.org/page"}]})

    html: str | None = Field(None, description="The page.  Without it, it is fetched from `url`.")
    siblings: list[str] = Field([], description="Addresses of other pages of the site, or their HTML.")


_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": ExtractRequest.model_json_schema(ref_template="#/components/schemas/{model}")
            },
            "text/html": {"schema": {"type": "string", "description": "The page; options go into the query."}},
        },
    }
}


@router.post("/extract", openapi_extra=_BODY, response_class=JSONResponse)
async def extract(request: Request, here: Here, query: Annotated[ExtractQuery, Query()]) -> Response:
    """Take the main content out of a page.

    The body is JSON, or the page itself with `Content-Type: text/html` and the options in the query.  The answer is
    what `thresher.extract(…).to_dict()` gives: title, author, date, text, markdown, status, confidence, warnings, …;
    for fetched pages also `http`.  Errors: `{"error": {"code": …, "message": …}}`.
    """
    content_type = request.headers.get("content-type")
    kind = media_type(content_type)
    body = await request.body()
    http: dict[str, Any] = {}
    if kind in HTML_TYPES:
        wishes: ExtractOptions = query
        source = LoadedPage("", body, query.url, query.encoding or charset_of(content_type))
    elif kind == "application/json":
        wishes, source, http = await _from_json(here, body)
    else:
        raise Refused(415, "content_type", "send JSON (Content-Type: application/json) or a page (text/html)")
    return await _extracted(here, wishes, source, http)


@router.get("/extract", response_class=JSONResponse)
async def extract_address(here: Here, query: Annotated[ExtractAddress, Query()]) -> Response:
    """The same for an address in the query: `GET /extract?url=https://example.org/page&blocks=true`.

    An address that has a query itself is percent-encoded.
    """
    page = await here.sources.fetch(query.url)
    source = LoadedPage("", page.data, page.url, page.encoding, tuple(page.problems))
    return await _extracted(here, query, source, page.to_dict())


@router.get("/r/{address:path}", response_class=PlainTextResponse)
async def read(request: Request, here: Here) -> Response:
    """Markdown of an address that is written behind `/r/`, query and all: `GET /r/https://example.org/page?id=7`.

    Front matter has title, author, date, …, and `status` and `warnings` as of `/extract`.
    """
    page = await here.sources.fetch(_address_behind(request, "/r/"))
    task = {"url": page.url, "encoding": page.encoding, "problems": list(page.problems)}
    result = await here.pool.run("thresher.web.tasks:markdown_page", task, page.data)
    here.metrics.extracted(result["status"])
    return Response(result["markdown"], media_type="text/markdown")


def _address_behind(request: Request, prefix: str) -> str:
    """The address in a path, as it was sent: what is percent-encoded in it belongs to it."""
    address = request.scope["raw_path"].decode("ascii", "replace").removeprefix(prefix)
    if _ENCODED_WHOLE.match(address):
        address = unquote(address)
    address = _ONE_SLASH.sub(r"\1://", address)
    query = request.scope["query_string"].decode("ascii", "replace")
    if not address:
        raise Refused(400, "bad_url", f"write an address behind {prefix}, as in {prefix}https://example.org/page")
    return (address if "://" in address.partition("?")[0] else f"https://{address}") + (f"?{query}" if query else "")


async def _extracted(here: Context, wishes: ExtractOptions, source: LoadedPage, http: dict[str, Any]) -> Response:
    task = {
        "method": wishes.method,
        "focus": wishes.focus,
        "hidden": wishes.hidden,
        "blocks": wishes.blocks,
        "forms": wishes.formats,
        "url": source.url,
        "encoding": wishes.encoding or source.encoding,
        "siblings": [url for url, _ in source.siblings],
    }
    others = [page for _, page in source.siblings]
    result = await here.pool.run("thresher.web.tasks:extracted", task, source.data, *others)
    here.metrics.extracted(result["status"])
    result = {**result, **http, "warnings": [*source.problems, *result["warnings"]]}
    return Response(json_line(result), media_type="application/json")


async def _from_json(here: Context, body: bytes) -> tuple[ExtractRequest, LoadedPage, dict[str, Any]]:
    try:
        wishes = ExtractRequest.model_validate_json(body)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'body'}: {one['msg']}" for one in error.errors())
        raise Refused(400, "bad_request", problems[:1000]) from None
    if len(wishes.siblings) > here.settings.siblings:
        raise Refused(400, "too_many", f"name {here.settings.siblings} other pages at most")
    others = [await _sibling(here, one) for one in wishes.siblings]
    if wishes.html is not None:
        # JSON may name halves of characters, which no page has.
        return (
            wishes,
            LoadedPage("", wishes.html.encode("utf-8", "replace"), wishes.url, "utf-8", (), tuple(others)),
            {},
        )
    if wishes.url is None:
        raise Refused(400, "bad_request", "name a page: html or url")
    page = await here.sources.fetch(wishes.url)
    return (
        wishes,
        LoadedPage("", page.data, page.url, page.encoding, tuple(page.problems), tuple(others)),
        page.to_dict(),
    )


async def _sibling(here: Context, sibling: str) -> tuple[str, bytes]:
    if sibling.lstrip().startswith("<"):
        return "", sibling.encode("utf-8", "replace")
    page = await here.sources.fetch(sibling)
    return page.url or sibling, page.data


@router.get("/health")
async def health(here: Here) -> dict[str, Any]:
    """Whether the server is up."""
    return {"status": "ok", "version": __version__, "workers": here.pool.size, "busy": here.pool.busy}


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(here: Here) -> Response:
    """Counts and times in the text form that Prometheus reads."""
    return Response(here.metrics.text(here.pool), media_type="text/plain; version=0.0.4; charset=utf-8")
