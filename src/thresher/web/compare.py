"""Compare: several methods on one page, how far they agree, and the page painted by any of them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from thresher import methods
from thresher.web.answers import Refused
from thresher.web.context import Here, NavigationEntry
from thresher.web.method_groups import method_groups
from thresher.web.options import from_form, pages_of, source_of, task_request
from thresher.web.rendering import can_render

__all__ = ["ENTRY", "router"]

ENTRY = NavigationEntry("Compare", "/compare")
router = APIRouter(include_in_schema=False)

_CHOSEN = ("auto", "cetd", "bte", "accb", "semantic", "plain")  # at first
_MAX_METHODS = 16


@router.get("/compare", response_class=HTMLResponse)
async def index(request: Request, here: Here, url: str = "") -> Response:
    values: dict[str, Any] = {"groups": method_groups(), "chosen": _CHOSEN, "can_render": can_render(), "url": url}
    return here.page(request, "compare.html", **values)


@router.post("/compare", response_class=HTMLResponse)
async def compared(request: Request, here: Here) -> Response:
    form = await request.form(max_files=1, max_fields=100, max_part_size=here.settings.body_bytes)
    names = [name for name in dict.fromkeys(map(str, form.getlist("methods"))) if name in methods.names()]
    if not 1 <= len(names) <= _MAX_METHODS:
        raise Refused(400, "bad_request", f"choose 1 to {_MAX_METHODS} methods")
    options = from_form(form)
    source = await source_of(request, here, form, options)
    request_ = {**task_request(source, options), "methods": names}
    comparison = await here.pool.run("thresher.web.views:comparison", request_, *pages_of(source, options))
    painted = str(form.get("painted"))
    by_method = comparison["methods"]
    shown = next((name for name in (painted, "auto", *by_method) if name in by_method), "")
    values: dict[str, Any] = {"comparison": comparison, "source": source, "options": options, "shown": shown}
    return here.page(request, "compare_result.html", **values)
