"""Scrapy: the result of a response, and an item pipeline that extracts.

    result = extract_response(response)                                 in a callback
    ITEM_PIPELINES = {"thresher.integrations.scrapy.ThresherPipeline": 300}     in the settings

The pipeline reads the page from the item's field `html` and its address from `url`, and fills the fields text, title,
author, date, language, status and confidence, as far as the item has them.  Settings:

    THRESHER_HTML_FIELD  "html"        THRESHER_URL_FIELD  "url"
    THRESHER_OPTIONS     {}            of `thresher.extract`
    THRESHER_KEEP_HTML   True          False empties the field when the page was read
"""

from __future__ import annotations

from typing import Any

from thresher.errors import MissingExtra
from thresher.result.extraction import Extraction, extract

try:
    from itemadapter import ItemAdapter
    from scrapy.http import TextResponse
except ImportError as missing:
    raise MissingExtra("this needs Scrapy: pip install scrapy") from missing

__all__ = ["ThresherPipeline", "extract_response"]


def extract_response(response: Any, **options: Any) -> Extraction:
    """The main content of a response, with the charset that its header names."""
    encoding = response.encoding if isinstance(response, TextResponse) else None
    return extract(response.body, **{"url": response.url, "encoding": encoding, **options})


class ThresherPipeline:
    """Fills the fields of items that hold a page."""

    def __init__(
        self, html: str = "html", url: str = "url", options: dict[str, Any] | None = None, keep_html: bool = True
    ) -> None:
        self._html, self._url, self._options, self._keep_html = html, url, options or {}, keep_html

    @classmethod
    def from_crawler(cls, crawler: Any) -> ThresherPipeline:
        """As the settings say."""
        settings = crawler.settings
        return cls(
            settings.get("THRESHER_HTML_FIELD", "html"),
            settings.get("THRESHER_URL_FIELD", "url"),
            settings.getdict("THRESHER_OPTIONS"),
            settings.getbool("THRESHER_KEEP_HTML", True),
        )

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """The item with its fields filled; one without a page passes as it is."""
        adapter = ItemAdapter(item)
        html = adapter.get(self._html)
        if not html:
            return item
        result = extract(html, url=adapter.get(self._url), **self._options)
        about = result.metadata
        values = {
            "text": result.text if result.keep.any() else "",
            "title": about.title,
            "author": about.author,
            "date": about.date,
            "language": about.language,
            "status": result.status,
            "confidence": result.confidence,
        }
        declared = set(adapter.field_names())
        for name, value in values.items():
            if isinstance(item, dict) or name in declared:
                adapter[name] = value
        if not self._keep_html:
            adapter[self._html] = None
        return item
