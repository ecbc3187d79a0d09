"""The licence of a page: stated in its head or by its items, or linked in its footer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from thresher.metadata.clean import absolute_url
from thresher.metadata.evidence import MetadataEvidence
from thresher.metadata.titles import MetadataClaim
from thresher.page import Page
from thresher.text.plain import plain

__all__ = ["license_name", "license_of"]

_CREATIVE_COMMONS = re.compile(
    r"creativecommons\.org/(?:licenses/(by(?:-nc)?(?:-nd|-sa)?)|publicdomain/(zero|mark))/(\d\.\d)", re.IGNORECASE
)
_PUBLIC_DOMAIN = {"zero": "CC0", "mark": "Public Domain Mark"}
_LICENSE_AREAS = re.compile(r"footer|licen[sc]|copyright|legal", re.IGNORECASE)
_NAME = re.compile(r"CC BY(?:-NC)?(?:-ND|-SA)?(?: \d\.\d)?")
_SCHEME = re.compile(r"[a-z][\w.+&;\s-]*:\S", re.IGNORECASE)  # "Licence: CC BY" is none: a blank follows
_MAX_OCCURRENCES = 50  # links


def license_name(value: str) -> str:
    """A licence as people write it: "CC BY-SA 4.0" for the address of that one, anything else as it stands."""
    match = _CREATIVE_COMMONS.search(value)
    if not match:
        return value
    kind, free, version = match.groups()
    return f"CC {kind.upper()} {version}" if kind else f"{_PUBLIC_DOMAIN[free.lower()]} {version}"


def license_of(evidence: MetadataEvidence) -> MetadataClaim | None:
    """<link rel=license>, the items' `license`, Dublin Core's rights, a link with rel=license, a Creative Commons
    licence in the footer.  One elsewhere is about a picture or a quotation."""
    top = evidence.head
    for value in top.link.get("license", ()):
        if absolute_url(value, top.base):
            return MetadataClaim("link: license", license_name(absolute_url(value, top.base) or ""))
    for source, parts in evidence.parts("license"):
        for part in parts:
            stated = part.get("url") or part.get("@id") or part.get("name") if isinstance(part, dict) else part
            if _stated(stated):
                return MetadataClaim(source.name, license_name(_stated(stated)))
    for name in ("dc.rights.license", "dc.license", "dc.rights"):
        for value in top.meta.get(name, ()):
            if _stated(value):
                return MetadataClaim("dublin-core", license_name(_stated(value)))
    for place, license_names in (("page: link", _linked(evidence.page)), ("page: text", _written(evidence.page))):
        names = set(license_names)
        if names:
            return MetadataClaim(place, names.pop()) if len(names) == 1 else None
    return None


def _stated(value: object) -> str:
    """A licence by name or by its address on the web; "" for any other address (`javascript:`, `data:`)."""
    text = plain(value)
    return text if not _SCHEME.match(text) or absolute_url(text) else ""


def _linked(page: Page) -> Iterator[str]:
    """The licences linked in the body, spelled out."""
    for row in _creative_commons_rows(page):
        own = page.attributes(row)
        name = license_name(own.get("href", ""))
        if name != own.get("href", "") and ("license" in own.get("rel", "").lower().split() or _in_footer(page, row)):
            yield name


def _written(page: Page) -> Iterator[str]:
    """The licences a text in the footer consists of, mostly a link to the site's own words about it."""
    for at in _occurrences(page.utf8, b"CC BY"):
        text = int(np.searchsorted(page.start, at, side="right")) - 1
        name = page.utf8[page.start[text] : page.stop[text]].decode().strip(" .")
        if _NAME.fullmatch(name) and _in_footer(page, int(page.owner[text])):
            yield name


def _creative_commons_rows(page: Page) -> Iterator[int]:
    """The elements whose opening tag has an address of a Creative Commons licence."""
    for at in _occurrences(page.markup, b"creativecommons.org/"):
        row = int(np.searchsorted(page.tag_start, at)) - 1
        if row >= 0 and at < page.tag_stop[row]:
            yield row


def _occurrences(text: bytes, needle: bytes) -> Iterator[int]:
    """Where a byte string stands, the first few times."""
    at = text.find(needle)
    for _ in range(_MAX_OCCURRENCES):
        if at < 0:
            return
        yield at
        at = text.find(needle, at + len(needle))


def _in_footer(page: Page, row: int) -> bool:
    """Whether an element around the link is a footer, or calls itself one."""
    for around in (row, *page.ancestors(row)):
        own = page.attributes(around)
        if page.name(around) == "footer" or _LICENSE_AREAS.search(own.get("class", "") + " " + own.get("id", "")):
            return True
    return False
