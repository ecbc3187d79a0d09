"""What a page states about itself, read once: its head, its items, its language, and how dates are read on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from thresher.metadata import head, items, json_ld, microdata
from thresher.metadata.clean import text_of
from thresher.metadata.head import Head
from thresher.metadata.items import Item, Items
from thresher.metadata.meta_names import Names
from thresher.metadata.titles import MetadataClaim
from thresher.page import Page, memoised
from thresher.page.columns import tag_mask
from thresher.text.dates import Reading
from thresher.text.plain import plain, plain_unescaped
from thresher.visible.readable import readable

__all__ = ["ItemSource", "MetadataEvidence", "gather_evidence", "headings_of", "sources_of"]

_MAX_HEADINGS = 10
_MAX_SAMPLE_TEXTS = 400  # from which the language is detected

# Where 3/4/2024 is March the fourth.  Canada writes both ways, so there it stays open.
_MONTH_FIRST = frozenset({"US", "PH", "PR", "GU"})
_EITHER_ORDER = frozenset({"CA"})
# Country codes of the domain names that companies anywhere take for their sound.
_COUNTRY_CODES_USED_ANYWHERE = frozenset("ai cc co fm gg io is ly me so to tv us vc ws".split())


class ItemSource(NamedTuple):
    """The items of one source, and those among them that describe the page."""

    name: str
    known: Items
    subject: Item | None
    page: Item | None


@dataclass(frozen=True, slots=True)
class MetadataEvidence:
    """The structured sources of a page, read before any field is decided."""

    page: Page
    head: Head
    headings: list[str]  # the h1 elements a reader sees
    sources: tuple[ItemSource, ...]
    described: tuple[tuple[ItemSource, Item], ...]  # the subjects that the sources know, then the pages
    language: MetadataClaim | None
    reading: Reading

    def meta(self, names: Names) -> Iterator[MetadataClaim]:
        """What meta elements of these names say, the better names first."""
        meta = self.head.meta
        for source, group in names:
            for name in group:
                if name in meta:
                    for value in meta[name]:
                        yield MetadataClaim(source, value)

    def parts(self, *properties: str) -> Iterator[tuple[ItemSource, list[Any]]]:
        """The values of the first of these properties an item has: the subject's by every source, then the page's."""
        for source, item in self.described:
            for key in properties:
                if item.get(key):
                    yield source, items.parts(source.known, item[key])
                    break

    def strings(self, *properties: str) -> Iterator[tuple[str, list[str]]]:
        """The values of these properties as plain strings, with the name of the source."""
        for source, parts in self.parts(*properties):
            values = items.strings(source.known, parts)
            if values:
                yield source.name, values


def gather_evidence(page: Page, text: str, today: date | None) -> MetadataEvidence:
    """Read head and items; the visible page is left alone."""
    top, sources = head.read(page), sources_of(page)
    language = _language(page, top, text, sources)
    reading = Reading(language.value if language else None, _month_first(page, top, language), today or date.today())
    described = [(source, source.subject) for source in sources] + [(source, source.page) for source in sources]
    known = tuple((source, item) for source, item in described if item)
    return MetadataEvidence(page, top, _main_headings(page), sources, known, language, reading)


@memoised
def sources_of(page: Page) -> tuple[ItemSource, ...]:
    """JSON-LD and microdata, and which of their items describe the page."""
    top = head.read(page)
    addresses = [page.url, *top.link.get("canonical", ()), top.first("og:url")]
    names = [*_main_headings(page), top.first("og:title")]
    return tuple(
        ItemSource(name, known, *items.subject_and_page(known, addresses, names))
        for name, known in (
            ("json-ld", items.collect(json_ld.read(page.islands), plain_unescaped)),
            ("microdata", Items(microdata.read(page), {}, plain)),
        )
    )


@memoised
def _main_headings(page: Page) -> list[str]:
    return headings_of(page, "h1")


def headings_of(page: Page, *names: str) -> list[str]:
    """The headings of these names that a reader sees, the first few."""
    rows = tag_mask(page, *names).nonzero()[0][:_MAX_HEADINGS].tolist()
    if not rows:
        return []
    seen = readable(page)
    shown = [row for row in rows if np.count_nonzero(seen[page.first[row] : page.last[row]])]
    return [text_of(page, row, signs=False) for row in shown]


def _language(page: Page, top: Head, text: str, sources: tuple[ItemSource, ...]) -> MetadataClaim | None:
    """What the page states, the root element first; else what its text looks like."""
    from thresher.text.language import detect, normalise

    stated = [MetadataClaim("html: lang", top.language)]
    stated += [MetadataClaim("meta", value) for value in top.meta.get("content-language", [])]
    stated += [MetadataClaim("opengraph", value) for value in top.meta.get("og:locale", [])]
    stated += [MetadataClaim("dublin-core", value) for value in top.meta.get("dc.language", [])]
    for source in sources:
        for item in (source.subject, source.page):
            values = items.strings(source.known, item.get("inLanguage")) if item else []
            stated += [MetadataClaim(source.name, value) for value in values]
    for claim in stated:
        code = normalise(claim.value[:100])
        if code:
            return MetadataClaim(claim.source, code)
    if not text:
        text = " ".join(page.cut(readable(page).nonzero()[0][:_MAX_SAMPLE_TEXTS]))
    code, _ = detect(text)
    return MetadataClaim("text", code) if code else None


def _month_first(page: Page, top: Head, language: MetadataClaim | None) -> bool | None:
    """Whether the page's country writes the month first; None when that cannot be told."""
    if not language:
        return None
    if language.value != "en":
        return False
    for tag in (top.language, top.first("og:locale"), top.first("content-language")):
        region = tag.replace("_", "-").partition("-")[2][:2].upper()
        if region:
            return None if region in _EITHER_ORDER else region in _MONTH_FIRST
    try:
        ending = (urlsplit(page.url or "").hostname or "").rpartition(".")[2]
    except ValueError:
        ending = ""
    return len(ending) != 2 or ending in _COUNTRY_CODES_USED_ANYWHERE
