"""Haystack: `ThresherConverter`, a component that turns HTML (files, byte streams, addresses) into documents.

pipeline.add_component("converter", ThresherConverter(form="markdown"))
"""

from pathlib import Path
from typing import Any

from thresher.errors import MissingExtra, ThresherError
from thresher.integrations.documents import FETCH_OPTIONS, Form, document_of, results_of
from thresher.result.extraction import Extraction, extract
from thresher.text.log import logger

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.dataclasses import ByteStream
except ImportError as missing:
    raise MissingExtra("this needs Haystack: pip install haystack-ai") from missing

__all__ = ["ThresherConverter"]

_LOG = logger("thresher.integrations")


@component
class ThresherConverter:
    """`run(sources)` gives `documents`; what cannot be read is left out, with a warning in the log.

    options     of `thresher.extract` (method, focus, …) and of `thresher.fetch` (allow_hosts, cache, …)
    """

    def __init__(self, form: Form = "markdown", options: dict[str, Any] | None = None) -> None:
        self.form, self.options = form, options or {}

    @component.output_types(documents=list[Document])
    def run(
        self, sources: list[str | Path | ByteStream], meta: dict[str, Any] | list[dict[str, Any]] | None = None
    ) -> dict[str, Any]:
        """The documents of the sources; `meta` goes with all of them, or a list of it with each."""
        given = meta if isinstance(meta, list) else [meta or {}] * len(sources)
        documents = []
        for source, further in zip(sources, given, strict=True):
            try:
                name, result = self._result(source)
            except ThresherError as error:
                _LOG.warning("%s: %s", source, error)
                continue
            text, metadata = document_of(result, self.form, name)
            own = source.meta if isinstance(source, ByteStream) else {}
            documents.append(Document(content=text, meta={**own, **metadata, **further}))
        return {"documents": documents}

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = default_to_dict(self, form=self.form, options=self.options)
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "ThresherConverter":
        converter: ThresherConverter = default_from_dict(cls, data)
        return converter

    def _result(self, source: str | Path | ByteStream) -> tuple[str, Extraction]:
        if not isinstance(source, ByteStream):
            return next(results_of([source], **self.options))
        url = source.meta.get("url")
        options = {name: value for name, value in self.options.items() if name not in FETCH_OPTIONS}
        return url or str(source.meta.get("file_path", "")), extract(source.data, url=url, **options)
