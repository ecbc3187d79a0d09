"""What the pages of the app show of a result, made in the processes that read pages: (request, pages) -> JSON."""

from __future__ import annotations

from itertools import islice
from typing import Any

from thresher.output.references import references
from thresher.page import Page
from thresher.result.agreement import agreement, side_by_side
from thresher.result.extraction import Extraction
from thresher.template.distance import by_distance
from thresher.template.links import address, links
from thresher.text.summary import summarise
from thresher.web.tasks import page_of, result_of, written

__all__ = ["comparison", "download", "try_result"]

Json = dict[str, Any]

_MAX_BLOCKS = 3_000  # shown
_MAX_TEXT_LENGTH = 400  # characters of a block
_MAX_LINKS = 500
_MAX_EXTRACT_LENGTH, _MAX_TABLE_TEXT_LENGTH = (
    2_000_000,
    20_000,
)  # characters of the extract, and of its place in the table
_MAX_NEIGHBOURS = 4
_FACTS = (
    "author",
    "date",
    "modified",
    "language",
    "sitename",
    "url",
    "description",
    "image",
    "tags",
    "categories",
    "license",
)


def try_result(request: Json, pages: list[bytes]) -> Json:
    """Everything that Try shows beside the page itself."""
    result = result_of(request, pages)
    form = request.get("form", "reading")
    return {
        **_about(result),
        "form": form,
        **_shown(written(result, "markdown" if form == "reading" else form)),
        "blocks": _blocks(result),
        "table": _table(result),
        "neighbours": _neighbours(result.page),
    }


def download(request: Json, pages: list[bytes]) -> Json:
    """A result in one form, to be saved."""
    result = result_of(request, pages)
    return {"text": written(result, request["form"]), "title": result.metadata.title or ""}


def comparison(request: Json, pages: list[bytes]) -> Json:
    """Several methods on one page: what each keeps, and how far they agree."""
    page = page_of(request, pages)
    results: dict[str, Extraction] = {}
    failed: dict[str, str] = {}
    for name in request["methods"]:
        try:
            results[name] = result_of({**request, "method": name}, pages, page)
        except Exception as error:  # a method that needs what this page lacks does not stop the others
            failed[name] = str(error)
    return {
        "methods": {name: _about(result) for name, result in results.items()},
        "failed": failed,
        "agreement": agreement(results).tolist() if results else [],
        "blocks": [
            {
                "number": block.number,
                "text": _short(block.text),
                "kept": [name in block.kept_by for name in results],
            }
            for block in side_by_side(results)[:_MAX_BLOCKS]
        ],
    }


def _about(result: Extraction) -> Json:
    facts = result.metadata.to_dict()
    return {
        "title": facts["title"],
        "page_type": facts["page_type"],
        "facts": {name: facts[name] or None for name in _FACTS},
        "sources": {name: facts["sources"].get(name, "") for name in _FACTS},
        "status": result.status,
        "confidence": result.confidence,
        "warnings": list(result.warnings),
        "method": result.method,
        "focus": result.focus,
        "words": len(result.text.split()),
        "kept": sum(block.kept for block in result.blocks),
        "total": len(result.blocks),
    }


def _blocks(result: Extraction) -> list[Json]:
    return [
        {
            "number": block.number,
            "text": _short(block.text),
            "kept": block.kept,
            "score": block.score,
            "reasons": list(block.reasons),
            "xpath": block.xpath,
        }
        for block in result.blocks[:_MAX_BLOCKS]
    ]


def _table(result: Extraction) -> Json:
    """Title, author, date, summary, text, links and images in a table, as paper 001 has it."""
    links, images = references(result.page, result.keep, result.elements)
    return {
        "summary": summarise(result.text, language=result.metadata.language),
        "text": result.text[:_MAX_TABLE_TEXT_LENGTH],
        "links": [link._asdict() for link in links[:_MAX_LINKS]],
        "images": [image._asdict() for image in images[:_MAX_LINKS]],
    }


def _shown(text: str) -> Json:
    return {"written": text[:_MAX_EXTRACT_LENGTH], "cut": max(len(text) - _MAX_EXTRACT_LENGTH, 0)}


def _neighbours(page: Page) -> list[str]:
    """Pages of the site that this one links to, the nearest first: those to compare it with."""
    own = address(page.url or "")
    return [link.url for link in islice(by_distance(page, own, links(page)), _MAX_NEIGHBOURS)] if own else []


def _short(text: str) -> str:
    return text if len(text) <= _MAX_TEXT_LENGTH else text[: _MAX_TEXT_LENGTH - 1] + "…"
