"""`POST /v2/scrape` as Firecrawl has it, so that its clients can be pointed here.

    {"url": …, "formats": ["markdown", "html", "rawHtml", "links", "images", "summary"], "onlyMainContent": true, …}
    {"success": true, "data": {"markdown": …, "links": […], "metadata": {…, "sourceURL": …, "statusCode": 200}}}
    {"success": false, "code": "SCRAPE_TIMEOUT", "error": …}

`onlyMainContent: false` takes the whole page.  A page that comes with an error (404) is a success whose metadata have
the status, as there.  What needs a browser or a language model (screenshot, json, actions, …) is refused with 400;
other options that mean nothing here are passed over, and `warning` names them.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from thresher.result.inputs import Input
from thresher.text.printing import json_line
from thresher.web.answers import Refused
from thresher.web.context import Context, Here

__all__ = ["ENTRY", "router"]

ENTRY = None
router = APIRouter(tags=["API"])

FORMATS = ("markdown", "html", "rawHtml", "links", "images", "summary")
# Options that change how the page is fetched elsewhere, or what a scrape costs; pages come out the same here.
_WITHOUT_EFFECT = frozenset(
    "maxAge minAge storeInCache parsers blockAds removeBase64Images integration origin zeroDataRetention fastMode "
    "checkPromptInjection lockdown useMock".split()
)
_CODES = {
    "timeout": (408, "SCRAPE_TIMEOUT"),
    "idle_timeout": (408, "SCRAPE_TIMEOUT"),
    "time": (408, "SCRAPE_TIMEOUT"),
    "dns": (500, "SCRAPE_DNS_RESOLUTION_ERROR"),
    "tls": (500, "SCRAPE_SSL_ERROR"),
    "blocked_address": (403, "SCRAPE_SITE_NOT_ALLOWED"),
    "bad_url": (400, "BAD_REQUEST"),
    "bad_request": (400, "BAD_REQUEST"),
    "busy": (429, "RATE_LIMIT_EXCEEDED"),
}


class ScrapeRequest(BaseModel):
    """An address, and what is wanted of its page."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{"url": "https://example.org/page", "formats": ["markdown", "links"]}]},
    )

    url: str = Field(description="The page.")
    formats: list[str | dict[str, Any]] = Field(["markdown"], description=f"Some of {', '.join(FORMATS)}.")
    onlyMainContent: bool = Field(True, description="False: the whole page.")
    includeTags: list[str] = Field([], description="CSS selectors: only these elements.")
    excludeTags: list[str] = Field([], description="CSS selectors: not these elements.")
    headers: dict[str, str] = Field({}, description="Sent along when the page is fetched.")
    timeout: int = Field(30_000, ge=1, le=300_000, description="Milliseconds.")
    waitFor: int = Field(0, ge=0)
    mobile: bool = False
    skipTlsVerification: bool = Field(False, description="Certificates are always verified.")
    actions: list[Any] = []
    proxy: str | None = None
    location: dict[str, Any] | None = None


@router.post("/v2/scrape", response_class=Response)
async def scrape(here: Here, scrape_request: ScrapeRequest) -> Response:
    """A page as Firecrawl gives it: Markdown, HTML, links, images, a summary, and metadata."""
    formats = _formats(scrape_request)
    try:
        data = await asyncio.wait_for(_scrape(here, scrape_request, formats), scrape_request.timeout / 1000)
    except TimeoutError:
        raise Refused(408, "SCRAPE_TIMEOUT", f"not done within {scrape_request.timeout / 1000:g} s") from None
    except Refused as refused:
        status, code = _CODES.get(refused.code, (500, "SCRAPE_ALL_ENGINES_FAILED"))
        raise Refused(status, code, refused.message, refused.headers) from refused
    return Response(json_line({"success": True, "data": data}), media_type="application/json")


async def _scrape(here: Context, scrape_request: ScrapeRequest, formats: list[str]) -> dict[str, Any]:
    page = await here.sources.fetch(scrape_request.url, scrape_request.headers)
    task = {
        "url": page.url,
        "encoding": page.encoding,
        "method": "auto" if scrape_request.onlyMainContent else "plain",
        "formats": formats,
        "include": scrape_request.includeTags,
        "exclude": scrape_request.excludeTags,
    }
    data = await here.pool.run("thresher.web.scraping:scrape_data", task, page.data)
    here.metrics.extracted(data.pop("status"))
    warnings = [*page.problems, *data.pop("warnings"), *_ignored_options(scrape_request)]
    data["metadata"] |= _transport(scrape_request, page)
    return data | ({"warning": "; ".join(warnings)} if warnings else {})


def _formats(scrape_request: ScrapeRequest) -> list[str]:
    names = [str(one.get("type")) if isinstance(one, dict) else one for one in scrape_request.formats] or ["markdown"]
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        message = f"the format {unknown[0][:50]!r} is not made here; there are: {', '.join(FORMATS)}"
        raise Refused(400, "BAD_REQUEST", message)
    if scrape_request.actions:
        raise Refused(400, "BAD_REQUEST", "actions need a browser and are not supported here")
    return list(dict.fromkeys(names))


def _transport(scrape_request: ScrapeRequest, page: Input) -> dict[str, Any]:
    response = page.response
    assert response is not None
    transport: dict[str, Any] = {
        "sourceURL": scrape_request.url,
        "url": response.url,
        "statusCode": response.status,
        "contentType": response.headers.get("content-type", ""),
        "proxyUsed": "basic",
        "cacheState": "hit" if response.from_cache else "miss",
    }
    if not response.ok:
        standard = response.status in set(HTTPStatus)
        transport["error"] = HTTPStatus(response.status).phrase if standard else f"status {response.status}"
    return transport


def _ignored_options(scrape_request: ScrapeRequest) -> list[str]:
    """Options that were given and have no effect."""
    named = ("waitFor", "mobile", "proxy", "location")
    ignored = [name for name in named if name in scrape_request.model_fields_set and getattr(scrape_request, name)]
    ignored += [name for name in scrape_request.model_extra or {} if name not in _WITHOUT_EFFECT]
    return [f"ignored: {', '.join(sorted(ignored))}"[:500]] if ignored else []
