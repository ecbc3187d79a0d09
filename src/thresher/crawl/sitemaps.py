"""Sitemaps (https://www.sitemaps.org/protocol.html), RSS and Atom feeds: the addresses they list.

    <urlset>        the <loc> of every <url>
    <sitemapindex>  the <loc> of every <sitemap>: further sitemaps
    <rss>, <rdf>    the <link> of every item, or its <guid> where that is an address
    <feed>          the href of every <link> that is an alternate: the page of an entry
    plain text      one address a line

Such files are written by programs of every quality and by strangers, so no XML parser reads them: tags are found with
expressions that never look back, only the five entities of XML and character numbers are decoded, and declarations are
not read at all.  So a broken file still gives its addresses, and there is nothing to expand or to load.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from thresher.crawl.urls import canonical
from thresher.http.urls import MAX_LINK_LENGTH
from thresher.parse.encoding.decode import decode

__all__ = ["MAX_URLS", "SitemapUrls", "parse_sitemap"]

MAX_URLS = 50_000  # addresses in one file, as the protocol has it
_MAX_BYTES = 52_428_800  # of one unpacked file, the same
_MAX_ROOT_POSITION = 65_536  # characters before the root element

_ROOT = re.compile(r"<(?:([\w.-]+):)?(urlset|sitemapindex|rss|rdf|feed)[\s>]", re.IGNORECASE)
_TEXT = r"[^<>]*>\s*(?:<!\[CDATA\[([^\]<>]*)|([^<>]*))"
_LINK = re.compile(r"<(?:[\w.-]+:)?(link|guid)(?=[\s/>])([^<>]*)>\s*(?:<!\[CDATA\[([^\]<>]*)|([^<>]*))", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));", re.IGNORECASE)
_XML_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SitemapUrls:
    """Canonical addresses in the order of the file, each once."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(body: bytes, url: str, encoding: str | None = None) -> SitemapUrls | None:
    """The addresses in a sitemap or feed that came from `url`, unpacked if need be; None if it is neither."""
    text = decode(_unpacked(body), encoding).text
    if text.lstrip().startswith("<"):
        text = _without_comments(text)
        root = _ROOT.search(text, 0, _MAX_ROOT_POSITION)
        if not root:
            return None
        kind = root[2].lower()
        if kind in ("rss", "rdf", "feed"):
            return SitemapUrls(_distinct(_feed(text[root.start() :]), url))
        locations = _distinct(_locations(text[root.start() :], root[1] or ""), url)
        return SitemapUrls(sitemaps=locations) if kind == "sitemapindex" else SitemapUrls(locations)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or not all(map(_ADDRESS.match, lines[:10])):
        return None
    return SitemapUrls(_distinct(iter(lines), url))


def _locations(text: str, prefix: str) -> Iterator[str]:
    """The <loc> elements of the sitemap's own namespace: <image:loc> is a picture of a page."""
    name = f"{re.escape(prefix)}:loc" if prefix else "loc"
    for match in re.finditer(rf"<{name}(?=[\s>]){_TEXT}", text):
        yield _unescaped(match[1] or match[2] or "")


def _feed(text: str) -> Iterator[str]:
    for match in _LINK.finditer(text):
        attributes = {name.lower(): one or other for name, one, other in _ATTRIBUTE.findall(match[2])}
        inner = _unescaped(match[3] or match[4] or "").strip()
        if match[1].lower() == "guid":
            if attributes.get("ispermalink", "true").lower() == "true" and _ADDRESS.match(inner):
                yield inner
        elif "href" in attributes:
            if attributes.get("rel", "alternate").lower() == "alternate":
                yield _unescaped(attributes["href"])
        else:
            yield inner


def _distinct(addresses: Iterator[str], base: str) -> tuple[str, ...]:
    """The first `MAX_URLS` valid addresses, each once."""
    urls = (canonical(address, base) for address in addresses if 0 < len(address) <= MAX_LINK_LENGTH)
    return tuple(islice(dict.fromkeys(url for url in islice(urls, 2 * MAX_URLS) if url), MAX_URLS))


def _without_comments(text: str) -> str:
    """Comments out, in one pass; an unclosed one takes all the rest with it."""
    start, *rest = text.split("<!--")
    return start + "".join(piece.partition("-->")[2] for piece in rest)


def _unescaped(text: str) -> str:
    return _ENTITY.sub(_character, text.strip())


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return _XML_ENTITIES[name.lower()]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\N{REPLACEMENT CHARACTER}"


def _unpacked(body: bytes) -> bytes:
    """The file itself, where it came as a .gz; at most as much as a sitemap may have."""
    if not body.startswith(b"\x1f\x8b"):
        return body[:_MAX_BYTES]
    packed = zlib.decompressobj(wbits=31)
    try:
        return packed.decompress(body, _MAX_BYTES)
    except zlib.error:
        return b""
