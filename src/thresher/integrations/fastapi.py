"""FastAPI: a router to mount in an application of your own.

app = FastAPI()
app.include_router(create_router(workers=2), prefix="/pages")       # POST /pages/extract

It is `POST /extract` of `thresher serve`, with its request, its answer and its processes, and without its guard: who
may ask is for your application to say.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from thresher.errors import MissingExtra

try:
    from fastapi import APIRouter, FastAPI, HTTPException

    from thresher.web.answers import Refused
    from thresher.web.api import ExtractRequest
    from thresher.web.settings import ServerSettings
    from thresher.web.sources import Sources
    from thresher.web.workers import WorkerPool
except ImportError as missing:
    raise MissingExtra("this needs FastAPI: pip install 'thresher[web]'") from missing

__all__ = ["create_router"]


def create_router(**settings: Any) -> APIRouter:
    """The router; `settings` are those of the server: workers, queue, page_seconds, allow_hosts, cache, …"""
    chosen = ServerSettings(**settings)
    pool, sources = WorkerPool(chosen), Sources(chosen)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool.start()
        yield
        pool.close()
        sources.close()

    router = APIRouter(tags=["Thresher"], lifespan=lifespan)

    async def extract(wishes: ExtractRequest) -> dict[str, Any]:
        """Take the main content out of a page: `html`, or the page at `url`."""
        try:
            return await _extracted(wishes, pool, sources)
        except Refused as error:
            detail = {"code": error.code, "message": error.message}
            raise HTTPException(error.status, detail, dict(error.headers or {})) from error

    router.post("/extract")(extract)
    return router


async def _extracted(wishes: ExtractRequest, pool: WorkerPool, sources: Sources) -> dict[str, Any]:
    url, encoding, further = wishes.url, wishes.encoding, {}
    problems: list[str] = []
    if wishes.html is not None:
        data, encoding = wishes.html.encode("utf-8", "replace"), "utf-8"
    elif url is None:
        raise Refused(400, "bad_request", "name a page: html or url")
    else:
        page = await sources.fetch(url)
        data, url, problems, further = page.data, page.url, page.problems, page.to_dict()
        encoding = encoding or page.encoding
    named = [one for one in wishes.siblings if not one.lstrip().startswith("<")]
    given = [("", one.encode("utf-8", "replace")) for one in wishes.siblings if one not in named]
    siblings = (*given, *await sources.fetch_siblings(named))
    task = {
        "method": wishes.method,
        "focus": wishes.focus,
        "hidden": wishes.hidden,
        "blocks": wishes.blocks,
        "forms": wishes.formats,
        "url": url,
        "encoding": encoding,
        "siblings": [sibling for sibling, _ in siblings],
    }
    result = await pool.run("thresher.web.tasks:extracted", task, data, *(html for _, html in siblings))
    return {**result, **further, "warnings": [*problems, *result["warnings"]]}
