"""What <meta>, <link>, <title> and <html> say, wherever they stand.

A `<noscript><img>` in the head makes the HTML parser open the body early, so half of a page's meta elements may lie
in its body.  They are found by element name, never by place; only <title> is looked at twice, for svg has one, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from thresher.data.tags import NUMBER
from thresher.metadata.clean import absolute_url, text_of
from thresher.page import Page, memoised

__all__ = ["Head", "read", "refresh_urls"]

_MAX_ELEMENTS = 1_000  # meta elements; real pages have at most some hundreds
_MAX_TITLES = 100  # those of svg icons counted along
_HTML, _META, _LINK, _TITLE, _BASE = (NUMBER[name] for name in ("html", "meta", "link", "title", "base"))
_FOREIGN = (NUMBER["svg"], NUMBER["math"], NUMBER["template"])
_RELATION = re.compile(rb' rel="[^"]*\b(?:canonical|license|image_src|author)\b', re.IGNORECASE)
# "DC.Title", "dc:title", "dcterms.title" and "DC.terms.title" are one name.
_DUBLIN_CORE = re.compile(r"dc\.?terms\.|dc\.")
_REFRESH = re.compile(r"\s*(?:[0-9.]+\s*)?[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)


class Head(NamedTuple):
    """Meta contents by name, link addresses by relation, both in lower case and in document order."""

    meta: dict[str, list[str]]
    link: dict[str, list[str]]
    title: str
    language: str  # the lang attribute of <html>
    base: str | None  # what relative addresses are relative to

    def first(self, *names: str) -> str:
        """The content of the first of these names that says anything."""
        said = (value for name in names if name in self.meta for value in self.meta[name])
        return next((value for value in said if value.strip()), "")


@memoised
def read(page: Page) -> Head:
    """Read the head from the few rows of the page that it stands in."""
    root = page.attributes(0) if len(page) and page.tag[0] == _HTML else {}
    base = page.url
    for row in (page.tag == _BASE).nonzero()[0][:1].tolist():
        base = absolute_url(page.attribute(row, "href"), page.url) or base
    language = root.get("lang") or root.get("xml:lang") or ""
    return Head(_meta(page), _links(page), _title(page), language, absolute_url(base))


def refresh_urls(head: Head) -> Iterator[str]:
    """The addresses of <meta http-equiv=refresh>."""
    for content in head.meta.get("refresh", ()):
        if match := _REFRESH.match(content):
            yield match[1].strip()


def _meta(page: Page) -> dict[str, list[str]]:
    """Contents by `property`, `name`, `http-equiv`; a page may name one element twice (property and name)."""
    meta: dict[str, list[str]] = {}
    for row in (page.tag == _META).nonzero()[0][:_MAX_ELEMENTS].tolist():
        attributes = page.attributes(row)
        content = attributes.get("content") or attributes.get("value")
        if not content:
            continue
        for attribute in ("property", "name", "http-equiv"):
            for name in attributes.get(attribute, "").lower().split():
                name = _DUBLIN_CORE.sub("dc.", name.replace(":", "."), count=1) if name.startswith("dc") else name
                meta.setdefault(name, []).append(content)
    return meta


def _links(page: Page) -> dict[str, list[str]]:
    """Addresses of <link> elements by relation; style sheets and preloads, most of them, are passed over."""
    link: dict[str, list[str]] = {}
    rows = (page.tag == _LINK).nonzero()[0][:_MAX_ELEMENTS]
    spans = zip(page.tag_start[rows].tolist(), page.tag_stop[rows].tolist(), rows.tolist(), strict=True)
    for start, stop, row in spans:
        if _RELATION.search(page.markup, start, stop):
            attributes = page.attributes(row)
            for relation in attributes.get("rel", "").lower().split():  # it may stand in the value of another
                link.setdefault(relation, []).append(attributes.get("href", ""))
    return link


def _title(page: Page) -> str:
    """The text of the first <title> that is no drawing's."""
    for row in (page.tag == _TITLE).nonzero()[0][:_MAX_TITLES].tolist():
        title = text_of(page, row)
        if title and not any(page.tag[ancestor] in _FOREIGN for ancestor in page.ancestors(row)):
            return title
    return ""
