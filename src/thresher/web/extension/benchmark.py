"""The add-on's benchmark: key pages of saved sites (`thresher serve --data DIR`), one by one, as paper 002 has them.

    POST /extension/benchmark        the key pages, by site
    POST /extension/benchmark/page   one of them under a method: recall, precision and F1 of nodes and words, seconds

The add-on adds them up.  A page is read and scored as `thresher evaluate --measure nodes,bow` does it: the figures are
the same.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from functools import cache
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Body
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict

from thresher.errors import NeedsEvidence
from thresher.evaluate import extractors
from thresher.evaluate.datasets import Dataset, DatasetRecord, open_dataset
from thresher.evaluate.extractors import ExtractorOutput
from thresher.evaluate.work import WARM_UP, applies, score, timed
from thresher.web.answers import Refused
from thresher.web.context import Context, Here
from thresher.web.tasks import check_method

__all__ = ["ENTRY", "router", "scored"]

ENTRY = None
router = APIRouter(include_in_schema=False)

_MEASURES = ("nodes", "bow")


class BenchmarkPage(BaseModel):
    """A key page, and the method that is measured."""

    model_config = ConfigDict(extra="forbid")

    id: str
    method: str


@router.post("/extension/benchmark")
async def key_pages(here: Here) -> dict[str, Any]:
    dataset = await run_in_threadpool(_dataset, _root(here))
    pages = [{"id": id, "site": id.partition("/")[0]} for id in dataset.ids()]
    return {"name": dataset.root.resolve().name, "pages": pages, "measures": list(_MEASURES)}


@router.post("/extension/benchmark/page")
async def key_page(here: Here, asked: Annotated[BenchmarkPage, Body()]) -> dict[str, Any]:
    request = {"root": _root(here), "id": asked.id, "method": asked.method}
    return await here.pool.run("thresher.web.extension.benchmark:scored", request)


def scored(request: dict[str, Any], pages: list[bytes]) -> dict[str, Any]:
    """In a process that reads pages: one method on one key page."""
    check_method(request["method"])
    dataset = _dataset(request["root"])
    if request["id"] not in dataset.ids():
        raise ValueError("there is no such page among the saved sites")
    record = dataset.read(request["id"])
    extract, seconds, status, problem = ExtractorOutput(""), 0.0, "done", ""
    try:
        extract, seconds = timed(_prepared(request["method"])(record))
    except NeedsEvidence as missing:
        status, problem = "skipped", str(missing)
    except Exception as error:  # as in `thresher evaluate`: a method that fails keeps nothing
        status, problem = "failed", f"{type(error).__name__}: {error}"[:500]
    measures = [name for name in _MEASURES if status != "skipped" and applies(name, request["method"], record)]
    return {
        "id": record.id,
        "site": record.site or urlsplit(record.url or "").hostname or "",
        "status": status,
        "problem": problem,
        "seconds": seconds,
        "scores": {name: asdict(score(name, record, extract)) for name in measures},
    }


@cache
def _dataset(root: str) -> Dataset:
    return open_dataset(root)


@cache
def _prepared(method: str) -> Any:
    """The method, loaded and warm, so that no import is timed."""
    prepare = extractors.prepare(method)
    with suppress(Exception):  # failing on so small a page is a method's right
        prepare(DatasetRecord("warm-up", WARM_UP))()
    return prepare


def _root(here: Context) -> str:
    if here.settings.benchmark is None:
        raise Refused(404, "no_benchmark", "there are no saved sites here; start: thresher serve --data FOLDER")
    return str(here.settings.benchmark)
