"""What a page carries about itself, read once: its head, its items, and how dates are to be read on it."""

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
from thresher.metadata.titles import Claim
from thresher.page import Page
from thresher.page.columns import tag_mask
from thresher.text.dates import Reading
from thresher.text.plain import plain, plain_unescaped
from thresher.visible.readable import readable

__all__ = ["Evidence", "Source", "gather", "headings_of", "sources_of"]

_MOST_HEADINGS = 10
_SAMPLE = 400  # texts that show the language

# Where 3/4/2024 is March the fourth.  Canada writes both ways, so there it stays open.
_MONTH_FIRST = frozenset({"US", "PH", "PR", "GU"})
_EITHER = frozenset({"CA"})
# Country codes of the domain names that companies anywhere take for their sound.
_ANYWHERE = frozenset("ai cc co fm gg io is ly me so to tv us vc ws".split())


class Source(NamedTuple):
    """The items of one source, and those among them that describe the page."""

    name: str
    known: Items
    subject: Item | None
    page: Item | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sources of a page that are read before any field is decided."""

    page: Page
    head: Head
    headings: list[str]  # the h1 elements a reader sees
    sources: tuple[Source, ...]
    language: Claim | None
    reading: Reading

    def meta(self, names: Names) -> Iterator[Claim]:
        """What meta elements of these names say, the better names first."""
        for source, group in names:
            for name in group:
                for value in self.head.meta.get(name, ()):
                    yield Claim(source, value)

    def parts(self, *properties: str) -> Iterator[tuple[Source, list[Any]]]:
        """The values of the first of these properties an item has: the subject's by every source, then the page's."""
        described = [(source, source.subject) for source in self.sources]
        described += [(source, source.page) for source in self.sources]
        for source, item in described:
            key = next((key for key in properties if item and item.get(key)), "")
            if item and key:
                yield source, items.parts(source.known, item[key])

    def said(self, *properties: str) -> Iterator[tuple[str, list[str]]]:
        """The same as plain strings, with the name of the source."""
        for source, parts in self.parts(*properties):
            found = items.strings(source.known, parts)
            if found:
                yield source.name, found


def gather(page: Page, text: str, today: date | None) -> Evidence:
    """Read head and items; the visible page is left alone."""
    top = head.read(page)
    headings = headings_of(page, "h1")
    sources = _sources(page, top, headings)
    language = _language(page, top, text, sources)
    reading = Reading(language.value if language else None, _month_first(page, top, language), today or date.today())
    return Evidence(page, top, headings, sources, language, reading)


def sources_of(page: Page) -> tuple[Source, ...]:
    """JSON-LD and microdata, and which of their items describe the page."""
    return _sources(page, head.read(page), headings_of(page, "h1"))


def _sources(page: Page, top: Head, headings: list[str]) -> tuple[Source, ...]:
    addresses = [page.url, *top.link.get("canonical", ()), top.first("og:url")]
    names = [*headings, top.first("og:title")]
    return tuple(
        Source(name, known, *items.describing(known, addresses, names))
        for name, known in (
            ("json-ld", items.collect(json_ld.read(page.islands), plain_unescaped)),
            ("microdata", Items(microdata.read(page), {}, plain)),
        )
    )


def headings_of(page: Page, *names: str) -> list[str]:
    """The headings of these names that a reader sees, the first few."""
    rows = np.flatnonzero(tag_mask(page, *names))[:_MOST_HEADINGS].tolist()
    if not rows:
        return []
    seen = readable(page)
    return [text_of(page, row, signs=False) for row in rows if seen[page.first[row] : page.last[row]].any()]


def _language(page: Page, top: Head, text: str, sources: tuple[Source, ...]) -> Claim | None:
    """What the page states, the root element first; else what its text looks like."""
    from thresher.text.language import detect, normalise

    stated = [Claim("html: lang", top.language)]
    stated += [Claim("meta", value) for value in top.meta.get("content-language", [])]
    stated += [Claim("opengraph", value) for value in top.meta.get("og:locale", [])]
    stated += [Claim("dublin-core", value) for value in top.meta.get("dc.language", [])]
    for source in sources:
        for item in (source.subject, source.page):
            values = items.strings(source.known, item.get("inLanguage")) if item else []
            stated += [Claim(source.name, value) for value in values]
    for claim in stated:
        code = normalise(claim.value[:100])
        if code:
            return Claim(claim.source, code)
    if not text:
        text = " ".join(page.cut(np.flatnonzero(readable(page))[:_SAMPLE]))
    code, _ = detect(text)
    return Claim("text", code) if code else None


def _month_first(page: Page, top: Head, language: Claim | None) -> bool | None:
    """Whether the page's country writes the month first; None when that cannot be told."""
    if not language:
        return None
    if language.value != "en":
        return False
    for tag in (top.language, top.first("og:locale"), top.first("content-language")):
        region = tag.replace("_", "-").partition("-")[2][:2].upper()
        if region:
            return None if region in _EITHER else region in _MONTH_FIRST
    try:
        ending = (urlsplit(page.url or "").hostname or "").rpartition(".")[2]
    except ValueError:
        ending = ""
    return len(ending) != 2 or ending in _ANYWHERE
