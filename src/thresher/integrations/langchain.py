"""LangChain: `ThresherLoader` loads pages as documents, `ThresherTransformer` makes texts of documents that are HTML.

loader = ThresherLoader(["https://example.org/", "saved/page.html"], form="markdown")
documents = loader.load()
documents = ThresherTransformer().transform_documents(html_documents)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from thresher.errors import MissingExtra
from thresher.integrations.documents import Form, OnError, document_of, results_of
from thresher.result.extraction import extract

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document
except ImportError as missing:
    raise MissingExtra("this needs LangChain: pip install langchain-core") from missing

__all__ = ["ThresherLoader", "ThresherTransformer"]


class ThresherLoader(BaseLoader):
    """Addresses and files as documents, with title, author, date, language and status as metadata.

    on_error    "raise" the first error, or "skip" what cannot be read, with a warning in the log
    options     of `thresher.extract` (method, focus, …) and of `thresher.fetch` (allow_hosts, cache, …)
    """

    def __init__(
        self,
        sources: str | Path | Iterable[str | Path],
        form: Form = "markdown",
        on_error: OnError = "raise",
        **options: Any,
    ) -> None:
        self._sources = [sources] if isinstance(sources, (str, Path)) else list(sources)
        self._form, self._on_error, self._options = form, on_error, options

    def lazy_load(self) -> Iterator[Document]:
        for source, result in results_of(self._sources, self._on_error, **self._options):
            text, metadata = document_of(result, self._form, source)
            yield Document(page_content=text, metadata=metadata)


class ThresherTransformer(BaseDocumentTransformer):
    """Documents whose content is HTML: the content becomes what is extracted from it, the metadata grow."""

    def __init__(self, form: Form = "markdown", **options: Any) -> None:
        self._form, self._options = form, options

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        return [self._transformed(document) for document in documents]

    def _transformed(self, document: Document) -> Document:
        source = str(document.metadata.get("source", ""))
        url = source if source.startswith(("http://", "https://")) else None
        text, metadata = document_of(extract(document.page_content, url=url, **self._options), self._form, source)
        return Document(page_content=text, metadata={**document.metadata, **metadata}, id=document.id)
