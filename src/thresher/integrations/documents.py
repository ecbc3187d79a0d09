"""What libraries of documents share: from pages to texts with their metadata."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

from thresher.errors import ThresherError
from thresher.result.addresses import extract_url
from thresher.result.extraction import Extraction, extract
from thresher.result.inputs import is_url, read, with_scheme
from thresher.text.log import logger

__all__ = ["FETCH_OPTIONS", "Form", "OnError", "document_of", "results_of"]

_LOG = logger("thresher.integrations")

Form = Literal["text", "markdown", "html"]
OnError = Literal["raise", "skip"]
FETCH_OPTIONS = frozenset({"allow_hosts", "limits", "user_agent", "cache", "headers"})


def results_of(
    sources: Iterable[str | Path], on_error: OnError = "raise", **options: Any
) -> Iterator[tuple[str, Extraction]]:
    """Every source with its result: addresses are fetched through the gate, the rest are files.

    `options` are those of `thresher.extract_url` for addresses (allow_hosts, cache, …) and of `thresher.extract`.
    """
    extracting = {name: value for name, value in options.items() if name not in FETCH_OPTIONS}
    for source in map(str, sources):
        try:
            address = with_scheme(source)
            if is_url(address):
                yield source, extract_url(address, **options)
            else:
                yield source, extract(read(source), **extracting)
        except ThresherError as error:
            if on_error == "raise":
                raise
            _LOG.warning("%s: %s", source, error)


def document_of(result: Extraction, form: Form, source: str = "") -> tuple[str, dict[str, Any]]:
    """The text of a document, and its metadata: values that any store takes, none of them empty."""
    about = result.metadata
    metadata = {
        "source": source or about.url,
        "title": about.title,
        "author": about.author,
        "date": about.date,
        "language": about.language,
        "description": about.description,
        "page_type": about.page_type,
        "status": result.status,
        "confidence": None if result.confidence is None else round(result.confidence, 4),
        "warnings": "\n".join(result.warnings),
    }
    text = result.render(form) if result.keep.any() else ""
    return text, {name: value for name, value in metadata.items() if value not in (None, "")}
