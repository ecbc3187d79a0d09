"""LlamaIndex: `ThresherReader` reads pages as documents.

documents = ThresherReader(form="markdown").load_data(["https://example.org/", "saved/page.html"])
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from thresher.errors import MissingExtra
from thresher.integrations.documents import Form, OnError, document_of, results_of

try:
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document
except ImportError as missing:
    raise MissingExtra("this needs LlamaIndex: pip install llama-index-core") from missing

__all__ = ["ThresherReader"]


class ThresherReader(BaseReader):
    """Addresses and files as documents, with title, author, date, language and status as metadata.

    on_error    "raise" the first error, or "skip" what cannot be read, with a warning in the log
    options     of `thresher.extract` (method, focus, …) and of `thresher.fetch` (allow_hosts, cache, …)
    """

    def __init__(self, form: Form = "markdown", on_error: OnError = "raise", **options: Any) -> None:
        self._form, self._on_error, self._options = form, on_error, options

    def lazy_load_data(self, sources: str | Path | Iterable[str | Path]) -> Iterable[Document]:
        """The documents, one after the other."""
        named = [sources] if isinstance(sources, (str, Path)) else sources
        for source, result in results_of(named, self._on_error, **self._options):
            text, metadata = document_of(result, self._form, source)
            yield Document(text=text, metadata=metadata, id_=source)
