"""The application: parts, the guard around them, errors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from thresher import __version__
from thresher.web.answers import Refused, failure_response
from thresher.web.context import STATIC, Context, NavigationEntry
from thresher.web.extension.pairing import Pairings
from thresher.web.extension.site_files import SiteFiles
from thresher.web.rendering import BrowserRenderer
from thresher.web.security import Guard
from thresher.web.settings import ServerSettings
from thresher.web.site_runs import SiteRuns
from thresher.web.sources import Sources
from thresher.web.workers import WorkerPool

__all__ = ["PARTS", "create_app"]

# In the order of the navigation; each has `router` and `ENTRY`.
PARTS = (
    "thresher.web.try_",
    "thresher.web.compare",
    "thresher.web.label",
    "thresher.web.evaluate",
    "thresher.web.docs",
    "thresher.web.api",
    "thresher.web.scrape",
    "thresher.web.learn",
    "thresher.web.extension.routes",
    "thresher.web.extension.benchmark",
)

# What the framework itself refuses, in our words.
_OUR_WORDS = {
    404: ("not_found", "this server has no such address"),
    405: ("method_not_allowed", "this address takes other kinds of requests"),
}


def create_app(settings: ServerSettings = ServerSettings()) -> FastAPI:
    """The whole application, ready to serve."""
    sources = Sources(settings)
    runs = SiteRuns(settings, sources)
    pairings, site_files = Pairings(settings.data / "extensions.json"), SiteFiles(settings)
    context = Context(settings, WorkerPool(settings), sources, BrowserRenderer(settings), runs, pairings, site_files)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        context.pool.start()
        yield
        await context.runs.close()
        context.pool.close()
        context.sources.close()

    app = FastAPI(
        title="Thresher",
        version=__version__,
        summary="Takes the main content out of web pages.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.context = context
    for name in PARTS:
        part = import_module(name)
        app.include_router(part.router)
        entry: NavigationEntry | None = part.ENTRY
        if entry is not None:
            context.navigation.append(entry)
    app.mount("/static", StaticFiles(directory=STATIC), "static")
    app.add_middleware(Guard, context=context)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return failure_response(context, request, error)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        code, message = _OUR_WORDS.get(error.status_code, ("error", str(error.detail)))
        return failure_response(context, request, Refused(error.status_code, code, message, error.headers))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        message = "; ".join(f"{'.'.join(map(str, one['loc'][1:])) or 'body'}: {one['msg']}" for one in error.errors())
        return failure_response(context, request, Refused(400, "bad_request", message[:1000]))

    return app
