"""What a page tells a crawler: its links and feeds, its canonical address, its robots directives.

    links      <a href>, <area href>, <iframe src>, <frame src>, <link rel="next|prev">, <meta http-equiv=refresh>,
               in document order, each once; without rel="nofollow" and `download`
    feeds      <link rel=alternate type="application/rss+xml|application/atom+xml">
    canonical  <link rel=canonical>, or the same in a Link header
    noindex    <meta name=robots content=noindex>, or X-Robots-Tag: noindex       the page must not be kept
    nofollow   the same with nofollow; `none` is both                             its links must not be followed

The two robots lines may name a crawler: <meta name=thresher …>, X-Robots-Tag: thresher: noindex.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from thresher.crawl.urls import canonical
from thresher.data.tags import NUMBER
from thresher.metadata import head
from thresher.page import Page, attributes

__all__ = ["PageLinks", "read_page_links"]

MAX_LINKS = 5_000  # links of one page

_A, _AREA, _IFRAME, _FRAME, _LINK = (NUMBER[name] for name in ("a", "area", "iframe", "frame", "link"))
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
_LINK_HEADER = re.compile(r"<([^<>]*)>([^<>]*)")
_CANONICAL = re.compile(r";\s*rel\s*=\s*\"?[^\";]*\bcanonical\b", re.IGNORECASE)
# Directives with a colon of their own: what stands before it is no crawler's name.
_DIRECTIVES_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Links of a page, in one spelling each, and its robots directives."""

    links: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    canonical_url: str | None = None
    noindex: bool = False
    nofollow: bool = False
    title: str = ""


def read_page_links(page: Page, headers: Mapping[str, str], token: str) -> PageLinks:
    """Read links and directives; `token` is the crawler's name in lower case, `page.url` where the page came from."""
    head_data = head.read(page)
    base = head_data.base or page.url or ""
    directives = _robots_directives(headers.get("x-robots-tag", ""), token)
    for name in ("robots", token):
        directives |= {
            directive for content in head_data.meta.get(name, ()) for directive in re.split(r"[\s,]+", content.lower())
        }
    nofollow = not directives.isdisjoint({"nofollow", "none"})
    links: tuple[str, ...] = ()
    if not nofollow:
        addresses = [*head.refresh_urls(head_data), *_addresses(page)]
        urls = (canonical(address, base, page.encoding) for address in dict.fromkeys(addresses))
        links = tuple(dict.fromkeys(url for url in urls if url))[:MAX_LINKS]
    return PageLinks(
        links,
        tuple(url for address in _feeds(page) if (url := canonical(address, base))),
        _canonical_url(head_data, headers.get("link", ""), base),
        not directives.isdisjoint({"noindex", "none"}),
        nofollow,
        head_data.title,
    )


def _addresses(page: Page) -> Iterator[str]:
    """The addresses in the links of the page, as they are written, in document order."""
    href, source = attributes.values(page, "href"), attributes.values(page, "src")
    relation = attributes.tokens(page, "rel")
    download = attributes.rows_with(page, "download")
    rows = np.flatnonzero(np.isin(page.tag, (_A, _AREA, _IFRAME, _FRAME, _LINK)))
    for row in rows.tolist():
        tag, relations = page.tag[row], relation.get(row, ())
        if "nofollow" in relations or download[row]:
            continue
        if tag in (_IFRAME, _FRAME):
            address = source.get(row)
        elif tag == _LINK and "next" not in relations and "prev" not in relations:
            continue
        else:
            address = href.get(row)
        if address and not address.startswith("#"):
            yield address


def _feeds(page: Page) -> Iterator[str]:
    for row in np.flatnonzero(page.tag == _LINK).tolist():
        link = page.attributes(row)
        if "alternate" in link.get("rel", "").lower().split() and link.get("type", "").strip().lower() in _FEED_TYPES:
            yield link.get("href", "")


def _canonical_url(head_data: head.Head, header: str, base: str) -> str | None:
    """The address the page gives as its own."""
    stated = [address for address in head_data.link.get("canonical", ()) if address.strip()]
    stated += [address for address, rest in _LINK_HEADER.findall(header) if _CANONICAL.match(rest.strip())]
    # Two different ones cancel each other out, as search engines have it.
    addresses = {canonical(address, base) for address in stated}
    return addresses.pop() if len(addresses) == 1 else None


def _robots_directives(header: str, token: str) -> set[str]:
    """The directives of X-Robots-Tag for everybody and for us: "noindex, otherbot: nofollow" is noindex."""
    directives, applies = set(), True
    for piece in header.lower().split(","):
        name, colon, value = piece.partition(":")
        if colon and name.strip() not in _DIRECTIVES_WITH_VALUE:
            applies, piece = name.strip() in ("*", token), value
        if applies:
            directives.add(piece.strip())
    return directives
