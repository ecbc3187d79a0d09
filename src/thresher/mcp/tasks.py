"""What is done to a page in a process of its own: (task, request, page) -> JSON.

    length of the head in JSON, a line    head    the page's bytes

read      facts about the page, and its content in one form
explain   every block with its verdict, score and reasons
search    the passages of the content in which words occur
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from thresher.errors import ThresherError
from thresher.result.blocks import unseen
from thresher.result.extraction import Extraction, extract

__all__ = ["TASKS", "message", "prepare"]

Request = dict[str, Any]
Json = dict[str, Any]

_WARM_UP = b"<title>t</title><article><h1>Grain</h1><p>A first page, so that every import is done.</p></article>"
_WORD = re.compile(r"\w+")


def prepare(settings: None) -> Callable[[bytes], bytes]:
    """In the process: the function that serves a message, with everything imported."""
    read({}, _WARM_UP)
    return serve


def message(task: str, request: Request, html: bytes) -> bytes:
    """What `serve` takes."""
    return json.dumps([task, request]).encode() + b"\n" + html


def serve(data: bytes) -> bytes:
    """The answer to a message; `refused` in it says what the caller should change."""
    head, _, html = data.partition(b"\n")
    task, request = json.loads(head)
    try:
        answer = TASKS[task](request, html)
    except (ThresherError, ValueError) as error:
        answer = {"refused": str(error)}
    return json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")


def read(request: Request, html: bytes) -> Json:
    """The content in the form that was asked for."""
    result, form = _result(request, html), request.get("format", "markdown")
    if form == "json":
        return {**facts(result), "content": json.dumps(result.to_dict(), ensure_ascii=False, indent=1)}
    return {**facts(result), "content": result.render(form) if result.keep.any() else ""}


def explain(request: Request, html: bytes) -> Json:
    """The blocks: all, or those `kept`, `dropped` or `hidden`."""
    result, only = _result(request, html), request.get("only")
    blocks = unseen(result) if only == "hidden" else result.blocks
    rows = [
        {"kept": block.kept, "score": round(block.score, 2), "reasons": list(block.reasons), "text": block.text}
        for block in blocks
        if only in (None, "hidden") or block.kept == (only == "kept")
    ]
    return {**facts(result), "blocks": rows}


def search(request: Request, html: bytes) -> Json:
    """Paragraphs of the Markdown that have the words of the query, those with most of them first."""
    result = _result(request, html)
    wanted = set(_WORD.findall(request["query"].casefold()))
    if not wanted:
        raise ValueError("the query has no word to search for")
    markdown = result.markdown if result.keep.any() else ""
    matches: list[Json] = []
    heading = ""
    for paragraph in re.finditer(r"(?:.+\n?)+", markdown):
        text = paragraph[0].strip()
        folded = text.casefold()
        share = sum(word in folded for word in wanted) / len(wanted)
        if share:
            matches.append({"index": paragraph.start(), "share": share, "heading": heading, "text": text})
        if text.startswith("#"):
            heading = text.lstrip("# ")
    matches.sort(key=lambda match: (-match["share"], match["index"]))
    return {**facts(result), "length": len(markdown), "matches": matches}


TASKS: dict[str, Callable[[Request, bytes], Json]] = {"read": read, "explain": explain, "search": search}


def facts(result: Extraction) -> Json:
    """What an agent should know before it reads."""
    about = result.metadata
    return {
        "title": about.title,
        "author": about.author,
        "date": about.date,
        "language": about.language,
        "url": result.page.url or about.url,
        "status": result.status,
        "confidence": None if result.confidence is None else round(result.confidence, 2),
        "warnings": list(result.warnings),
    }


def _result(request: Request, html: bytes) -> Extraction:
    wishes = {name: request[name] for name in ("url", "encoding", "focus", "hidden") if name in request}
    return extract(html, **wishes)
