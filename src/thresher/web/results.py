"""The result of Try as a piece of a page: the extract, its blocks, its table, the clusters of its site."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import Response

from thresher.web.context import Context
from thresher.web.options import Options, pages_of, task_request
from thresher.web.sources import LoadedPage

__all__ = ["ENDINGS", "result_page"]

ENDINGS = {"text": "txt", "markdown": "md", "html": "html", "xml": "xml", "json": "json"}


async def result_page(request: Request, here: Context, source: LoadedPage, options: Options) -> Response:
    """What a method takes out of a page."""
    task = task_request(source, options)
    result = await here.pool.run("thresher.web.views:try_result", task, *pages_of(source, options))
    here.metrics.extracted(result["status"])
    return here.page(request, "try_result.html", result=result, source=source, options=options, endings=ENDINGS)
