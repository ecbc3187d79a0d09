"""The licence of a page: stated in its head or by its items, or linked in its footer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thresher.data.tags import NUMBER
from thresher.metadata.clean import absolute_url
from thresher.metadata.evidence import MetadataEvidence
from thresher.metadata.titles import MetadataClaim
from thresher.page import Page, attributes, memoised
from thresher.page.parts import Parts, with_part
from thresher.text.plain import plain

__all__ = ["license_name", "license_of"]

_CREATIVE_COMMONS = re.compile(
    r"creativecommons\.org/(?:licenses/(by(?:-nc)?(?:-nd|-sa)?)|publicdomain/(zero|mark))/(\d\.\d)", re.IGNORECASE
)
_PUBLIC_DOMAIN = {"zero": "CC0", "mark": "Public Domain Mark"}
_ADDRESS, _SIGN = b"creativecommons.org/", b"CC BY"
_FOOTER, _FOOTER_PARTS = NUMBER["footer"], Parts(b"footer", b"licens", b"licenc", b"copyright", b"legal")
_LICENSE = Parts(b"license")  # a relation
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
    """The licences linked in the footer, or anywhere by a link that says so, spelled out."""
    for row in _creative_commons_rows(page):
        address = page.attribute(row, "href") or ""
        name = license_name(address)
        if name != address:
            yield name


def _written(page: Page) -> Iterator[str]:
    """The licences a text in the footer consists of, mostly a link to the site's own words about it."""
    for area in _footers(page) if _SIGN in page.utf8 else ():
        first, last = int(page.first[area]), int(page.last[area])
        span = (int(page.start[first]), int(page.stop[last - 1])) if first < last else (0, 0)
        for at in _occurrences(page.utf8, _SIGN, *span):
            text = int(page.start.searchsorted(at, side="right")) - 1
            name = page.utf8[page.start[text] : page.stop[text]].decode().strip(" .")
            if _NAME.fullmatch(name):
                yield name


def _creative_commons_rows(page: Page) -> Iterator[int]:
    """The elements in the footer, and those with the relation `license`, whose opening tag has an address of a Creative
    Commons licence."""
    for area in _footers(page) if _ADDRESS in page.markup else ():
        last = int(page.end[area]) - 1
        for at in _occurrences(page.markup, _ADDRESS, int(page.tag_start[area]), int(page.tag_stop[last])):
            row = int(page.tag_start.searchsorted(at)) - 1
            if at < page.tag_stop[row]:
                yield row
    relations = attributes.numbered(page, "rel")
    for row in attributes.rows_of(relations, with_part(page, "rel", _LICENSE)).tolist()[:_MAX_OCCURRENCES]:
        if "license" in (page.attribute(row, "rel") or "").lower().split():
            yield row


def _occurrences(text: bytes, needle: bytes, start: int, stop: int) -> Iterator[int]:
    """Where a byte string stands, the first few times."""
    at = text.find(needle, start, stop)
    for _ in range(_MAX_OCCURRENCES):
        if at < 0:
            return
        yield at
        at = text.find(needle, at + len(needle), stop)


@memoised
def _footers(page: Page) -> list[int]:
    """The elements that are footers or call themselves one, none in another."""
    rows: set[int] = set((page.tag == _FOOTER).nonzero()[0].tolist())
    for name in ("class", "id"):
        rows.update(attributes.rows_of(attributes.numbered(page, name), with_part(page, name, _FOOTER_PARTS)).tolist())
    outermost: list[int] = []
    end, ends = 0, page.end.data
    for row in sorted(rows):
        if row >= end:
            outermost.append(row)
            end = ends[row]
    return outermost
