"""What a Content-Type header says: `Text/HTML; charset="utf-8"` is `text/html`, in `utf-8`; names of page files."""

from __future__ import annotations

import re

__all__ = ["HTML_TYPES", "PAGE_SUFFIXES", "charset_of", "media_type"]

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".shtml"})  # of a site that was saved

# Servers forget the semicolon and the second quote, and say it twice.
_CHARSET = re.compile(r"(?:^|[\s;,])charset\s*=\s*[\"']?\s*([^\"';,\s]+)", re.IGNORECASE)


def media_type(header: str | None) -> str:
    """The type in lower case, without parameters; empty without a header."""
    return (header or "").partition(";")[0].strip().lower()


def charset_of(header: str | None) -> str | None:
    """The name of the encoding, as the header writes it."""
    match = _CHARSET.search(header or "")
    return match[1] if match else None
