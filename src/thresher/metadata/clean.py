"""Texts and addresses of a page as values: plain text, and http(s) only."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import numpy as np

from thresher.page import Page
from thresher.page.columns import in_link
from thresher.text.invisible import without_invisible
from thresher.text.patterns import compile_later
from thresher.text.plain import LIMIT, plain, words_of

__all__ = ["absolute_url", "text_of"]

_MAX_URL_LENGTH = 2_048  # what browsers and search engines take
_ABSOLUTE = compile_later(r"https?://[^/]")
_NOT_IN_URL = compile_later(r"[<>\"\\`\s]")
_EMPTY_URL = compile_later(r"https?:/{0,2}|//|[#?]")  # no host, no path


def text_of(page: Page, row: int, limit: int = LIMIT, signs: bool = True) -> str:
    """The beginning of an element's text, as plain text: an unclosed heading may hold the whole page.  Without `signs`
    the links in it that have no word are left out: "¶" leads to the heading and is no part of it."""
    first, last = int(page.first[row]), int(page.last[row])
    if first == last:
        return ""
    if last == first + 1:  # most have one
        piece = page.utf8[page.start[first] : page.stop[first]].decode()
        return "" if not signs and in_link(page)[first] and not words_of(piece) else plain(piece, limit)
    if page.stop[last - 1] - page.start[first] > 8 * limit:
        last = first + int(np.searchsorted(page.start[first:last], page.start[first] + 8 * limit))
    gaps = [" " if spaced else "" for spaced in page.spaced[first:last].tolist()]
    pieces = page.cut(slice(first, last))
    if not signs:
        linked = in_link(page)[first:last].tolist()
        pieces = ["" if link and not words_of(piece) else piece for link, piece in zip(linked, pieces, strict=True)]
    return plain("".join(gap + piece for gap, piece in zip(gaps, pieces, strict=True)), limit)


def absolute_url(value: object, base: str | None = None) -> str | None:
    """An absolute http(s) address; None for anything else."""
    if not isinstance(value, str) or not 0 < len(value) <= _MAX_URL_LENGTH:
        return None
    value = without_invisible(value).strip()
    try:
        absolute = value if _ABSOLUTE.match(value) or not base else urljoin(base, value)
        parts = urlsplit(absolute)
        host = parts.hostname
    except ValueError:  # "http://[half an IPv6 address"
        return None
    if parts.scheme not in ("http", "https") or not host or _NOT_IN_URL.search(absolute):
        return None
    return absolute if len(absolute) <= _MAX_URL_LENGTH and not _EMPTY_URL.fullmatch(value) else None
