"""The links of a page that lead to other pages of its site, one per address, in document order.

Left out are links to other hosts, to the page itself (fragments among them), downloads, and addresses that end like
something else than a page.  `www.` and the scheme do not tell sites apart, nor do the spellings of a host.

    address(url) = host, path, query        decoded, without index.html, sessions and trackers: equal for two spellings
                                            of one page
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from thresher.data.tags import NUMBER
from thresher.http.session_ids import without_sessions
from thresher.http.urls import DEFAULT_PORTS, without_www
from thresher.output.urls import Resolver
from thresher.page import Page, attributes

__all__ = ["Address", "SiteLink", "address", "is_page", "links"]

# What a path of something else than a page ends in: pictures, sound, film, documents, archives, programs, feeds.
_OTHER_ENDINGS = frozenset(
    """
    7z aac apk asc atom avi avif bib bin bmp bz2 bz css csv deb dmg doc docx eot epub exe flac flv gif gz ico ics iso
    jar jpe jpeg jpg js json jsonld key log m3u8 m4a m4v map md mid mkv mobi mov mp3 mp4 mpeg mpg msi odp ods odt ogg
    ogv pdf pkg png ppt pptx ps psd py rar rdf rpm rss rtf sig sql svg svgz swf tar tex tgz tif tiff torrent ttf txt
    wasm wav webm webmanifest webp wma wmv woff woff2 xls xlsx xml xsl xz yaml yml zip zst
    """.split()
)
_INDEX = re.compile(r"(?<=/)(?:index|default)\.(?:x?html?|shtml|php\d?|aspx?|jsp)$", re.IGNORECASE)


class Address(NamedTuple):
    """Where a page is, whatever the spelling."""

    host: str
    path: str
    query: str = ""

    @property
    def directories(self) -> tuple[str, ...]:
        """The directories above the page, from the root down."""
        return tuple(self.path.split("/")[1:-1])


class SiteLink(NamedTuple):
    """A link of the page: the row of its first `a` element, and where it leads."""

    row: int
    url: str
    address: Address


def address(url: str) -> Address | None:
    """The address of a page on the web; None for anything else."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        return None
    host = without_www(parts.hostname)
    if port not in (None, DEFAULT_PORTS[parts.scheme]):
        host += f":{port}"
    path, query = without_sessions(parts.path, parts.query)
    path = _INDEX.sub("", unquote(path) or "/")
    return Address(host, path if path.startswith("/") else "/" + path, unquote(query))


def is_page(place: Address) -> bool:
    """Whether an address may lead to a page, as far as its ending tells."""
    name = place.path.rsplit("/", 1)[-1]
    return "." not in name or name.rsplit(".", 1)[-1].lower() not in _OTHER_ENDINGS


def links(page: Page) -> list[SiteLink]:
    """The links to other pages of the site.  A page without an address has none: nothing says what its site is."""
    own = address(page.url or "")
    if own is None:
        return []
    resolve = Resolver(page)
    downloads = attributes.rows_with(page, "download")
    site_links: dict[Address, SiteLink] = {}
    for row, href in sorted(attributes.values(page, "href").items()):
        if page.tag[row] != NUMBER["a"] or downloads[row] or href.startswith("#"):
            continue
        url = resolve(href).partition("#")[0]
        place = address(url)
        if place is not None and place.host == own.host and place != own and is_page(place):
            site_links.setdefault(place, SiteLink(row, url, place))
    return list(site_links.values())
