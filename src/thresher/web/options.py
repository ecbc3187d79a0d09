"""What a form or a link asks for, and the page that it means."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from dataclasses import replace
from importlib.resources import files
from io import BytesIO
from typing import Any, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from thresher import methods
from thresher.errors import UnknownMethod, WrongOption
from thresher.parse.limits import LIMITS
from thresher.web.answers import Refused
from thresher.web.context import Context
from thresher.web.sources import LoadedPage
from thresher.web.tasks import check_method

__all__ = ["FORMS", "Options", "from_form", "options_of", "pages_of", "source_of", "task_request"]

FORMS = {"reading": "Reading", "text": "Text", "markdown": "Markdown", "html": "HTML", "xml": "XML", "json": "JSON"}
_BUTTONS = ("fresh", "learn", "example")  # that mean another page than the one that is shown
_MAX_MODEL_BYTES = 20_000_000


class Options(BaseModel):
    """How a page is extracted and shown."""

    method: str = "auto"
    focus: Literal["precision", "balanced", "recall"] = "balanced"
    form: Literal["reading", "text", "markdown", "html", "xml", "json"] = "reading"
    pictures: bool = False  # of the page, and its style sheets, fetched through the gate
    rendered: bool = False  # in a browser, scripts and all

    def query(self, **changes: Any) -> str:
        """These options in an address; only those that are not the default."""
        chosen = self.model_copy(update=changes).model_dump(exclude_defaults=True)
        return urlencode({name: str(value).lower() if value is True else value for name, value in chosen.items()})


def from_form(form: FormData) -> Options:
    """The options in a form; Refused for values that there are not."""
    return options_of({name: value for name, value in form.items() if isinstance(value, str) and value})


def options_of(values: dict[str, str]) -> Options:
    try:
        options = Options.model_validate({name: values[name] for name in Options.model_fields if name in values})
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise Refused(400, "bad_request", problems[:500]) from None
    try:
        check_method(options.method)
    except (UnknownMethod, WrongOption) as error:
        raise Refused(400, "unknown_method", str(error)[:1000]) from None
    return options


def task_request(source: LoadedPage, options: Options) -> dict[str, Any]:
    """The request to a task: a page and its options."""
    return {
        "method": options.method,
        "focus": options.focus,
        "form": options.form,
        "url": source.url,
        "encoding": source.encoding,
        "siblings": [url for url, _ in source.siblings],
        "rendered": _reads_rendering(options) and source.rendered is not None,
        "model": _model_for(source, options) is not None,
        "compared": len(source.siblings) if source.gathered else None,
        "rules": source.rules,
    }


def pages_of(source: LoadedPage, options: Options) -> list[bytes]:
    """The pages that go with the request."""
    page = source.rendered if _reads_rendering(options) and source.rendered is not None else source.data
    model = _model_for(source, options)
    return [page, *(html for _, html in source.siblings), *([] if model is None else [model])]


def _model_for(source: LoadedPage, options: Options) -> bytes | None:
    """The model that goes with the request: one that was learned is for cluster alone."""
    return source.model if source.learned is None or options.method.partition(":")[0] == "cluster" else None


def _reads_rendering(options: Options) -> bool:
    """Whether the page as a browser shows it is read: because that is wished, or the method needs it."""
    return options.rendered or "layout" in methods.needs(options.method)


async def _model(file: UploadFile) -> bytes:
    data = await file.read()
    if len(data) > _MAX_MODEL_BYTES:
        raise Refused(413, "too_large", f"a model may have {_MAX_MODEL_BYTES:,} bytes")
    return data


async def source_of(
    request: Request, here: Context, form: FormData, options: Options, renders: bool = True
) -> LoadedPage:
    """The page that a form means: a new one when its button was pressed, else the one that is shown.

    `kind` says which of `url`, `file` and `html` is meant; `siblings` are addresses, one a line; `base` is the address
    of a page that was not fetched.  `model` is a file with a model for the method.  Whatever
    goes wrong with it later, the answer names the page (`problem.html`).
    """
    if any(form.get(name) for name in _BUTTONS) or not form.get("source"):
        source = here.sources.add(await _new(here, form))
    else:
        source = here.sources.get(str(form["source"]))
    request.state.source = source.id
    siblings = [line.strip() for line in str(form.get("siblings") or "").splitlines() if line.strip()]
    if siblings != [url for url, _ in source.siblings] and (siblings or not source.gathered):
        source = replace(source, siblings=await here.sources.fetch_siblings(siblings), gathered=False)
    model = form.get("model")
    if isinstance(model, UploadFile) and model.filename:
        source = replace(source, model=await _model(model), learned=None)
    if renders and _reads_rendering(options) and source.rendered is None:
        source = replace(source, rendered=await here.renderer.render(source))
    here.sources.put(source)
    return source


async def _new(here: Context, form: FormData) -> LoadedPage:
    if form.get("example"):
        return LoadedPage("an example", files("thresher.web").joinpath("templates/example.html").read_bytes())
    kind, base = form.get("kind", "url"), str(form.get("base") or "").strip() or None
    if kind == "file":
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise Refused(400, "no_page", "choose a file first")
        return LoadedPage(
            file.filename[:200], await asyncio.to_thread(_decompressed, file.filename, await file.read()), base
        )
    if kind == "html":
        html = str(form.get("html") or "")
        if not html.strip():
            raise Refused(400, "no_page", "paste the HTML of a page first")
        return LoadedPage("pasted HTML", html.encode("utf-8", "replace"), base, "utf-8")
    url = str(form.get("url") or "").strip()
    if not url:
        raise Refused(400, "no_page", "type the address of a page first")
    # People leave out what browsers put before it.
    address = url if "://" in url else f"https://{url}"
    page = await here.sources.fetch(address)
    return LoadedPage(address, page.data, page.url, page.encoding, tuple(page.problems), fetched=True)


def _decompressed(name: str, data: bytes) -> bytes:
    """A file as it is, or what is in it when its name ends in .gz, as on the command line."""
    if not name.lower().endswith(".gz"):
        return data
    try:
        with gzip.open(BytesIO(data)) as file:
            return file.read(
                LIMITS.bytes + 1
            )  # a byte beyond what is read of any page: known to be longer, and no bomb
    except (OSError, EOFError, zlib.error):
        raise Refused(400, "unreadable", "the gzip data is cut off or broken") from None
