"""What a page says of itself, for the words of its content to be compared with.

The paper takes the description of the meta tags.  Where a page has none, the next best is taken, and which one it was
is part of the result:

    description      <meta name=description>
    og:description   <meta property=og:description>, twitter:description
    json-ld          description or articleBody of a JSON-LD item
    title            <title>, og:title
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from thresher.data.tags import NUMBER
from thresher.page import Page

__all__ = ["SOURCES", "Claim", "best", "of_page", "of_rendering"]

SOURCES = ("description", "og:description", "json-ld", "title")
_MAX_CLAIM_LENGTH = 1_000  # characters
_MIN_DESCRIPTION_LENGTH = 20  # "Blog" is none
_MAX_ITEMS, _MAX_JSON_DEPTH = 200, 6
_META = {
    "description": "description",
    "og:description": "og:description",
    "twitter:description": "og:description",
    "og:title": "title",
    "twitter:title": "title",
}


class Claim(NamedTuple):
    """Something a page says of itself, and where."""

    source: str
    text: str


def best(claims: Iterable[Claim]) -> tuple[str, tuple[str, ...]]:
    """The first source in the order above that says something, and all that it says, each once; ("", ()) for none."""
    texts_by_source: dict[str, dict[str, None]] = {}
    for claim in claims:
        texts_by_source.setdefault(claim.source, {})[claim.text] = None
    for source in SOURCES:
        if source in texts_by_source:
            return source, tuple(texts_by_source[source])
    return "", ()


def of_page(page: Page) -> tuple[Claim, ...]:
    """The claims of a page's head."""
    claims = list(_meta(page))
    for island in page.islands:
        if island.tag == "script" and "ld+json" in island.type:
            claims += _json_ld(island.text)
    return tuple(_worth(claims))


def of_rendering(rendering: Mapping[str, Any]) -> tuple[Claim, ...]:
    """The claims that came with a rendering: its meta tags' descriptions, whatever their names, and its titles."""
    claims = [Claim("description", text) for text in rendering.get("descriptions", ())]
    return tuple(_worth([*claims, *(Claim("title", text) for text in rendering.get("titles", ()))]))


def _worth(claims: Iterable[Claim]) -> Iterator[Claim]:
    for source, text in claims:
        text = " ".join(text.split())[:_MAX_CLAIM_LENGTH]
        if len(text) >= (1 if source == "title" else _MIN_DESCRIPTION_LENGTH):
            yield Claim(source, text)


def _meta(page: Page) -> Iterator[Claim]:
    for row in np.flatnonzero(page.tag == NUMBER["meta"])[:_MAX_ITEMS].tolist():
        names = page.attributes(row)
        source = _META.get((names.get("name") or names.get("property") or "").strip().lower())
        if source:
            yield Claim(source, names.get("content", ""))
    for row in np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist():
        yield Claim("title", page.inner_text(row))


def _json_ld(text: str) -> Iterator[Claim]:
    try:
        waiting = [(json.loads(text), 0)]
    except (ValueError, RecursionError):
        return
    for _ in range(_MAX_ITEMS):
        if not waiting:
            return
        item, depth = waiting.pop(0)
        if isinstance(item, dict):
            for name in ("description", "articleBody"):
                if isinstance(item.get(name), str):
                    yield Claim("json-ld", item[name])
        inner = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        if depth < _MAX_JSON_DEPTH:
            waiting += [(one, depth + 1) for one in inner if isinstance(one, (dict, list))]
