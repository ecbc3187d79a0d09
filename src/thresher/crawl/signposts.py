"""What a page says to a crawler: where it leads, what it is a copy of, and what it does not want.

    links      <a href>, <area href>, <iframe src>, <frame src>, <link rel="next|prev">, <meta http-equiv=refresh>,
               in document order, each once; without rel="nofollow" and `download`
    feeds      <link rel=alternate type="application/rss+xml|application/atom+xml">
    original   <link rel=canonical>, or the same in a Link header
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

__all__ = ["Signposts", "read_signposts"]

MOST = 5_000  # links of one page

_A, _AREA, _IFRAME, _FRAME, _LINK = (NUMBER[name] for name in ("a", "area", "iframe", "frame", "link"))
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/rdf+xml")
_LINK_HEADER = re.compile(r"<([^<>]*)>([^<>]*)")
_CANONICAL = re.compile(r";\s*rel\s*=\s*\"?[^\";]*\bcanonical\b", re.IGNORECASE)
# Directives with a colon of their own: what stands before it is no crawler's name.
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


@dataclass(frozen=True, slots=True)
class Signposts:
    """Canonical addresses, and what the page asks of crawlers."""

    links: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    original: str | None = None
    noindex: bool = False
    nofollow: bool = False
    title: str = ""


def read_signposts(page: Page, headers: Mapping[str, str], token: str) -> Signposts:
    """All of it; `token` is the crawler's name in lower case, `page.url` where the page came from."""
    found = head.read(page)
    base = found.base or page.url or ""
    wishes = _wishes(headers.get("x-robots-tag", ""), token)
    for name in ("robots", token):
        wishes |= {wish for content in found.meta.get(name, ()) for wish in re.split(r"[\s,]+", content.lower())}
    nofollow = not wishes.isdisjoint({"nofollow", "none"})
    links: tuple[str, ...] = ()
    if not nofollow:
        addresses = [*head.refreshes(found), *_addresses(page)]
        urls = (canonical(address, base, page.encoding) for address in dict.fromkeys(addresses))
        links = tuple(dict.fromkeys(url for url in urls if url))[:MOST]
    return Signposts(
        links,
        tuple(url for address in _feeds(page) if (url := canonical(address, base))),
        _original(found, headers.get("link", ""), base),
        not wishes.isdisjoint({"noindex", "none"}),
        nofollow,
        found.title,
    )


def _addresses(page: Page) -> Iterator[str]:
    """What stands in the links of the page, in document order."""
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


def _original(found: head.Head, header: str, base: str) -> str | None:
    """The address the page gives as its own."""
    stated = [address for address in found.link.get("canonical", ()) if address.strip()]
    stated += [address for address, rest in _LINK_HEADER.findall(header) if _CANONICAL.match(rest.strip())]
    # Two different ones cancel each other out, as search engines have it.
    originals = {canonical(address, base) for address in stated}
    return originals.pop() if len(originals) == 1 else None


def _wishes(header: str, token: str) -> set[str]:
    """The directives of X-Robots-Tag for everybody and for us: "noindex, otherbot: nofollow" is noindex."""
    wishes, meant = set(), True
    for piece in header.lower().split(","):
        name, colon, value = piece.partition(":")
        if colon and name.strip() not in _WITH_VALUE:
            meant, piece = name.strip() in ("*", token), value
        if meant:
            wishes.add(piece.strip())
    return wishes
