"""What is done to pages in the processes that read them: (request, pages) -> JSON.

The first of `pages` is the page, the others are pages of its site.  Of the request: `method`, `focus`, `url`,
`encoding`, `siblings` (the addresses of the others), `rendered` (the page is one that a browser had, as saved or as the
add-on sends it), `rules` (of its site), `model` (the last of `pages` is a model).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thresher import methods
from thresher.errors import NeedsLayout, NeedsModel, NeedsSiblings, ThresherError, UnknownMethod, WrongOption
from thresher.output.front_matter import front_matter
from thresher.output.painting import paint
from thresher.page import Page
from thresher.parse import parse
from thresher.result.extraction import Extraction, extract
from thresher.result.models import method_of_model
from thresher.result.preview import block_marks
from thresher.rules.rules import SiteRules
from thresher.workers.child import function_at

__all__ = [
    "answer",
    "check_method",
    "extracted",
    "markdown_page",
    "page_of",
    "painted",
    "prepare",
    "reading",
    "result_of",
    "siblings_of",
]

Request = dict[str, Any]
Json = dict[str, Any]

_NEEDS: dict[type, str] = {NeedsSiblings: "needs_siblings", NeedsLayout: "needs_layout", NeedsModel: "needs_model"}
_WARM_UP = b"<title>t</title><article><h1>Grain</h1><p>A first page, so that every import is done.</p></article>"
FORMS = ("text", "markdown", "html", "xml", "json")


def prepare(settings: None) -> Callable[[bytes], bytes]:
    """In a process of `workers.WorkerPool`: the function that serves its messages, with everything imported."""
    extract(_WARM_UP)
    return lambda message: json.dumps(answer(message), ensure_ascii=False).encode("utf-8", "replace")


def answer(message: bytes) -> Json:
    """What `workers.WorkerPool` asks for: the head says which task and how long each page behind it is."""
    head, _, body = message.partition(b"\n")
    task = json.loads(head)
    pages, start = [], 0
    for size in task["sizes"]:
        pages.append(body[start : start + size])
        start += size
    try:
        answer_json: Json = function_at(task["task"])(task["request"], pages)
    except UnknownMethod as error:
        return _refused(400, "unknown_method", error)
    except WrongOption as error:
        return _refused(400, "bad_request", error)
    except ThresherError as error:
        return _refused(422, _NEEDS.get(type(error), "failed"), error)
    except ValueError as error:
        return _refused(400, "bad_request", error)
    return answer_json


def extracted(request: Request, pages: list[bytes]) -> Json:
    """The JSON of the library; `blocks` and further `forms` on request."""
    result = result_of(request, pages)
    fields = result.to_dict(blocks=request.get("blocks", False))
    for form in request.get("forms", ()):
        fields[form] = written(result, form)
    return fields


def markdown_page(request: Request, pages: list[bytes]) -> Json:
    """The extract as Markdown below its metadata; `problems` are warnings of the fetch."""
    result = result_of(request, pages)
    facts = result.metadata.to_dict()
    warnings = [*request.get("problems", ()), *result.warnings]
    above = {"title": facts["title"], **facts, "url": request.get("url"), "status": result.status, "warnings": warnings}
    return {"markdown": front_matter(above) + result.markdown.rstrip("\n") + "\n", "status": result.status}


def painted(request: Request, pages: list[bytes]) -> Json:
    """The page with what a method keeps painted over it; `asset` is where pictures and sheets come from, if any."""
    result = result_of(request, pages)
    shown = paint(result.page, block_marks(result), asset=request.get("asset"))
    return {"html": shown.html, "resources": shown.resources}


def reading(request: Request, pages: list[bytes]) -> Json:
    """The extract as an article to read."""
    result = result_of(request, pages)
    style = files("thresher.web").joinpath("static/reading.css").read_text(encoding="utf-8")
    page = parse(f"<!doctype html><body>{result.html}", url=result.page.url)
    shown = paint(page, {}, asset=request.get("asset"), head=f"<style>{style}</style>")
    return {"html": shown.html, "resources": shown.resources}


def result_of(request: Request, pages: list[bytes], page: Page | None = None) -> Extraction:
    """The extraction that a request asks for."""
    method, focus = request.get("method", "auto"), request.get("focus", "balanced")
    check_method(method)
    if request.get("model"):
        pages, model = pages[:-1], pages[-1]
    else:
        model = b""
    siblings = siblings_of(request, pages)
    known = methods.split(method)[0].Options.__dataclass_fields__
    compared = {"pages": request["compared"]} if request.get("compared") and "pages" in known else {}
    with _model_file(method, model) as options:
        options = {**compared, **options}
        site = SiteRules.from_dict(request["rules"]) if request.get("rules") else None
        wishes: dict[str, Any] = {"focus": focus, "hidden": request.get("hidden", "default")}
        return extract(
            page or page_of(request, pages), method=method, siblings=siblings, options=options, site=site, **wishes
        )


@contextmanager
def _model_file(method: str, model: bytes) -> Iterator[dict[str, Any]]:
    """The option that gives a method its model, where it is one for this method: loaders read files."""
    if not model or "model" not in methods.split(method)[0].Options.__dataclass_fields__:
        yield {}
        return
    with TemporaryDirectory(prefix="thresher-model-") as folder:
        file = Path(folder) / "model.npz"
        file.write_bytes(model)
        made_for = method_of_model(str(file))
        if made_for != method.partition(":")[0] and made_for != "auto":
            raise WrongOption(f"this is a model of {made_for}, and the method is {method}: choose the one it is for")
        yield {"model": str(file)}


def check_method(name: str) -> None:
    """UnknownMethod or WrongOption for a method that strangers may not name, with its options."""
    _, options = methods.split(name)
    if "model" in options:
        raise WrongOption("this server reads no files for those who ask it: leave out model=")


def page_of(request: Request, pages: list[bytes]) -> Page:
    """The page itself."""
    if request.get("rendered"):
        from thresher.render.saved import loads
        from thresher.web.extension.live_page import is_live, read_live

        return read_live(pages[0]).page if is_live(pages[0]) else loads(pages[0])
    return parse(pages[0], url=request.get("url"), encoding=request.get("encoding"))


def siblings_of(request: Request, pages: list[bytes]) -> list[Page]:
    """The other pages of its site."""
    urls = request.get("siblings") or [None] * (len(pages) - 1)
    return [parse(html, url=url) for html, url in zip(pages[1:], urls, strict=True)]


def written(result: Extraction, form: str) -> str:
    """A result in one of FORMS."""
    if form == "json":
        return json.dumps(result.to_dict(blocks=True), ensure_ascii=False, indent=2)
    if form not in FORMS:
        raise ValueError(f"no format {form!r}; choose one of: {', '.join(FORMS)}")
    return result.render(form)  # type: ignore[arg-type]


def _refused(status: int, code: str, error: Exception) -> Json:
    return {"refused": {"status": status, "code": code, "message": str(error)}}
