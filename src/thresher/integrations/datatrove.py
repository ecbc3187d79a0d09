"""datatrove: `ThresherExtractor` stands where `Trafilatura` stands in a pipeline.

LocalPipelineExecutor([WarcReader("crawl/"), ThresherExtractor(focus="precision"), JsonlWriter("out/")])
"""

from __future__ import annotations

from thresher.errors import MissingExtra
from thresher.result.extraction import Focus, extract

try:
    from datatrove.pipeline.extractors.base import BaseExtractor
except ImportError as missing:
    raise MissingExtra("this needs datatrove: pip install datatrove") from missing

__all__ = ["ThresherExtractor"]


class ThresherExtractor(BaseExtractor):
    """The main content of every document.  A page without any is left out, as in all its extractors.

    timeout     seconds for a document, after which datatrove leaves it out; it runs in a process of datatrove's
    """

    name = "⛏ Thresher"

    def __init__(
        self, method: str = "auto", focus: Focus = "balanced", markdown: bool = False, timeout: float = 10
    ) -> None:
        super().__init__(timeout)
        self.method, self.focus, self.markdown = method, focus, markdown

    def extract(self, text: str) -> str:
        """The text of a page."""
        result = extract(text, method=self.method, focus=self.focus)
        if not result.keep.any():
            return ""
        return result.markdown if self.markdown else result.text
