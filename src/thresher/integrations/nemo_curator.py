"""NeMo Curator: `ThresherAlgorithm` for its extraction of Common Crawl.

CommonCrawlDownloadExtractStage(…, html_extraction=ThresherAlgorithm(focus="precision"))
"""

from __future__ import annotations

from thresher.errors import MissingExtra
from thresher.result.extraction import Focus, extract

try:
    from nemo_curator.stages.text.download.html_extractors.base import HTMLExtractorAlgorithm
except ImportError as missing:
    raise MissingExtra("this needs NeMo Curator: pip install nemo-curator") from missing

__all__ = ["ThresherAlgorithm"]


class ThresherAlgorithm(HTMLExtractorAlgorithm):
    """The paragraphs of a page's main content; None where there are none."""

    def __init__(self, method: str = "auto", focus: Focus = "balanced") -> None:
        self.method, self.focus = method, focus

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:
        """Paragraphs.  Stop words and language are not needed: the method brings its own."""
        result = extract(html, method=self.method, focus=self.focus)
        paragraphs = [paragraph for paragraph in result.text.split("\n\n") if paragraph] if result.keep.any() else []
        return paragraphs or None
