"""The items of JSON-LD and microdata: which one the page is about, and what it says.

An item is a dict in the manner of JSON-LD: "@type", and properties that hold strings, items or lists of both.
A page carries many: its publisher, its breadcrumbs, twenty teasers.  What describes the page itself is

    subject   an article, product, question, recipe … that is the only one, or names this page's address or heading
    web page  WebPage and its kin: facts about the page around the subject

and nothing else is asked for title, author or date.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from thresher.http.urls import without_www
from thresher.text.plain import LIMIT, same_words

__all__ = ["Item", "Items", "collect", "parts", "strings", "subject_and_page", "types"]

Item = dict[str, Any]

_MAX_ITEMS = 2_000  # items looked at
_MAX_UNCONFIRMED_SUBJECTS = 2  # subjects without any sign of being the page's own; of more, none is believed
_MAX_VALUES = 50  # values of one property

# Properties that lead from one item of the top level to another of the same rank.
_CONTAINERS = ("@graph", "mainEntity", "mainEntityOfPage", "mainentity", "mainentityofpage")

_SUBJECTS = frozenset(
    """
    article newsarticle blogposting blogpost posting techarticle scholarlyarticle medicalscholarlyarticle
    reportagenewsarticle analysisnewsarticle opinionnewsarticle backgroundnewsarticle reviewnewsarticle
    askpublicnewsarticle advertisercontentarticle satiricalarticle apireference liveblogposting socialmediaposting
    discussionforumposting report review criticreview recipe howto question quiz course learningresource book movie
    tvepisode podcastepisode videoobject event musicevent jobposting product productmodel productgroup
    individualproduct vehicle car softwareapplication mobileapplication webapplication videogame softwaresourcecode
    dataset creativework chapter claimreview interview medicalcondition statement hentry thesis legislation service
    """.split()
)
_WEB_PAGES = frozenset(
    """
    webpage collectionpage itempage aboutpage faqpage profilepage contactpage searchresultspage qapage checkoutpage
    medicalwebpage realestatelisting imagegallery videogallery mediagallery
    """.split()
)
_HAS_OWN_QUESTIONS = frozenset({"faqpage"})

_VOCABULARY = re.compile(r"^.*[/#:]")  # "https://schema.org/", "schema:"


class Items(NamedTuple):
    """Items of the top level, and all that have a name to be referred to by."""

    top: list[Item]
    named: dict[str, Item]
    read: Callable[[object], str]  # a string of this page -> plain text


def collect(values: Iterable[Any], read: Callable[[object], str]) -> Items:
    """Sort the values out, breadth first, so that neither depth nor size of a hostile page matters."""
    top: list[Item] = []
    named: dict[str, Item] = {}
    queue = deque((value, True, False) for value in values)
    seen = 0
    while queue and seen < _MAX_ITEMS:
        value, on_top, in_faq = queue.popleft()
        if isinstance(value, list):
            queue.extend((part, on_top, in_faq) for part in value[:_MAX_ITEMS])
        if not isinstance(value, dict):
            continue
        seen += 1
        kinds = types(value)
        identity = value.get("@id")
        if isinstance(identity, str) and len(value) > len(named.get(identity, ())):
            named[identity] = value
        if on_top and not (in_faq and "question" in kinds):
            top.append(value)
        in_faq = not kinds.isdisjoint(_HAS_OWN_QUESTIONS)
        for key, part in value.items():
            if isinstance(part, dict | list):
                queue.append((part, on_top and key in _CONTAINERS, in_faq))
    return Items(top, named, read)


def types(item: Item) -> frozenset[str]:
    """The item's types in lower case, without the vocabulary's address."""
    stated = item.get("@type") or item.get("type") or ()
    kinds = [stated] if isinstance(stated, str) else stated if isinstance(stated, list) else []
    return frozenset(_VOCABULARY.sub("", kind).lower() for kind in kinds[:_MAX_VALUES] if isinstance(kind, str))


def subject_and_page(
    items: Items, addresses: Iterable[str | None], headings: Iterable[str]
) -> tuple[Item | None, Item | None]:
    """The subject of the page and the web page itself; `addresses` and `headings` are what the page is known by."""
    subjects = [item for item in items.top if not types(item).isdisjoint(_SUBJECTS)]
    web_pages = [item for item in items.top if not types(item).isdisjoint(_WEB_PAGES)]
    here = {_host_and_path(address) for address in addresses if address}
    headings = [heading for heading in headings if heading]
    return _own(items, subjects, here, headings), _own(items, web_pages, here, headings)


def _own(items: Items, candidates: list[Item], here: set[str], headings: list[str]) -> Item | None:
    """The candidate that is about this page: by address, by heading, or because there is no other.

    A single item is believed even if its address differs (campaign parameters, moved pages); of several, one with
    another address is a teaser.
    """
    if len(candidates) > 1:
        by_address = [item for item in candidates if not here.isdisjoint(_addresses(item))]
        by_heading = [item for item in by_address or candidates if _is_called(items, item, headings)]
        if by_address or by_heading:
            return (by_heading or by_address)[0]
        candidates = [item for item in candidates if not _addresses(item)]
    return candidates[0] if 0 < len(candidates) <= _MAX_UNCONFIRMED_SUBJECTS else None


def _is_called(items: Items, item: Item, headings: list[str]) -> bool:
    names = strings(items, item.get("headline")) or strings(items, item.get("name"))
    return any(same_words(name, heading) for name in names for heading in headings)


def _addresses(item: Item) -> set[str]:
    """The pages an item says it belongs to."""
    stated: list[Any] = [item.get("url"), item.get("@id")]
    of_page = item.get("mainEntityOfPage", item.get("mainentityofpage"))
    stated += [of_page.get("@id"), of_page.get("url")] if isinstance(of_page, dict) else [of_page]
    return {_host_and_path(value) for value in stated if isinstance(value, str) and "/" in value} - {""}


def _host_and_path(address: str) -> str:
    """Host and path, for two addresses of one page differ in scheme, www, query, fragment or a slash."""
    try:
        parts = urlsplit(address[:LIMIT])
    except ValueError:
        return ""
    return unquote(without_www(parts.netloc) + parts.path.rstrip("/")).lower()


def strings(items: Items, value: Any) -> list[str]:
    """What a property holds, as plain strings; items give their names."""
    texts = (items.read(_name(part) if isinstance(part, dict) else part) for part in parts(items, value))
    return [text for text in texts if text]


def parts(items: Items, value: Any) -> list[Any]:
    """The strings and items of a property: lists opened (two deep, pages nest them wrongly), references followed."""
    values = value if isinstance(value, list) else [value]
    values = [inner for part in values[:_MAX_VALUES] for inner in (part if isinstance(part, list) else [part])]
    return [_resolved(items, part) for part in values[:_MAX_VALUES]]


def _resolved(items: Items, part: Any) -> Any:
    """A reference {"@id": …} becomes what it refers to; the fuller of two namesakes wins."""
    if isinstance(part, dict) and isinstance(part.get("@id"), str) and len(part) <= 2:
        return items.named.get(part["@id"], part)
    return part


def _name(item: Item) -> str:
    """What to call an item: its name, or the value it wraps ({"@value": …, "@language": …})."""
    for key in ("name", "@value", "headline", "title"):
        value = item.get(key)
        for part in value[:_MAX_VALUES] if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                part = part.get("@value")
            if isinstance(part, str) and part:
                return part
    given, family = item.get("givenName"), item.get("familyName")
    return f"{given} {family}" if isinstance(given, str) and isinstance(family, str) else ""
