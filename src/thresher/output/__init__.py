"""Page and verdict -> text, Markdown, HTML, XML: one verdict, several forms.

Each takes the page and the bool array that a method gave, and prints what is kept.  Options choose what of it is
printed and never change the verdict.
"""

from __future__ import annotations

from thresher.output.html import to_html
from thresher.output.markdown import to_markdown
from thresher.output.media import media_mask
from thresher.output.text import to_text
from thresher.output.xml import to_xml

__all__ = ["media_mask", "to_html", "to_markdown", "to_text", "to_xml"]
