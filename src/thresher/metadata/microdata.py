"""Microdata -> items in the form JSON-LD has, so that one reader serves both.

An element with `itemscope` is an item; an `itemprop` belongs to the nearest item around it.  Properties that stand in
no item at all (themes forget the scope) are taken for the page's own, but for the names and days of comments.
"""

from __future__ import annotations

from typing import Any

from thresher.metadata.byline_area import in_other_content
from thresher.metadata.clean import text_of
from thresher.metadata.items import Item
from thresher.page import Page, attributes

__all__ = ["read"]

_MAX_PROPERTIES = 500  # itemprop attributes
_MAX_TEXT_BYTES = 2_000  # characters of a property's text; an articleBody is none of our business
_ADDRESSES = {"a": "href", "area": "href", "link": "href", "img": "src"}
_TEXTS = {"time": "datetime", "data": "value", "meter": "value"}
# What is asked for somewhere.
_WANTED = frozenset(
    """name headline author creator datepublished datecreated datemodified uploaddate publisher ispartof
    sourceorganization image thumbnailurl primaryimageofpage url contenturl keywords articlesection license inlanguage
    description abstract mainentity mainentityofpage givenname familyname
    price lowprice highprice pricecurrency availability sku brand manufacturer ratingvalue ratingcount
    reviewcount""".split()
)
_BYLINE = frozenset(("author", "creator", "datePublished", "dateCreated"))
_ON_TOP = frozenset({"mainEntity", "mainEntityOfPage"})


def read(page: Page) -> list[Item]:
    """The items that are no property of another but its main entity, in document order."""
    properties = attributes.values(page, "itemprop")
    if not properties:
        return []
    scopes = attributes.rows_with(page, "itemscope").nonzero()[0].tolist()[:_MAX_PROPERTIES]
    kinds = attributes.values(page, "itemtype")
    items: dict[int, Item] = {row: {"@type": kinds.get(row, "").split()} for row in scopes}
    stray: Item = {"@type": ["WebPage"]}
    top: list[Item] = [stray]
    open_: list[int] = []  # the items around the current row, outermost first
    for row in sorted({*list(properties)[:_MAX_PROPERTIES], *scopes}):
        while open_ and page.end[open_[-1]] <= row:
            open_.pop()
        holder = items[open_[-1]] if open_ else stray
        names = properties.get(row, "").split()
        if holder is stray and not _BYLINE.isdisjoint(names) and in_other_content(page, row):
            continue  # who wrote a comment, and when
        wanted = row in items or any(name.lower() in _WANTED for name in names)
        value = items.get(row) or (_value(page, row) if wanted else "")
        for name in names if value else ():
            holder.setdefault(name, []).append(value)
        if row in items:
            if not names or not _ON_TOP.isdisjoint(names):
                top.append(items[row])
            open_.append(row)
    return top


def _value(page: Page, row: int) -> Any:
    """The value of a property: an attribute or the text, by the standard's rules; `content` counts on any element."""
    name = page.name(row)
    own = page.attributes(row)
    if own.get("content"):
        return own["content"]
    if name in _ADDRESSES:
        # <a itemprop="author" href="/staff/jane">Jane Doe</a>: people mean the text.
        address = own.get(_ADDRESSES[name], "")
        text = text_of(page, row) if name == "a" else ""
        return {"@type": [], "name": text, "url": address} if text else address
    if own.get(_TEXTS.get(name, "")):
        return own[_TEXTS[name]]
    first, last = page.first[row], page.last[row]
    short = first < last and page.stop[last - 1] - page.start[first] <= _MAX_TEXT_BYTES
    return text_of(page, row) if short else ""
