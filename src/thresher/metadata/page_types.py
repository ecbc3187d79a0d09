"""The kind of page, where the page says so itself."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["from_open_graph", "from_types"]

_KINDS = {
    "forum": "discussionforumposting qapage question socialmediaposting",
    "product": """product productmodel productgroup individualproduct vehicle car book movie videogame
        softwareapplication mobileapplication webapplication""",
    "documentation": "techarticle apireference softwaresourcecode",
    "article": """article newsarticle blogposting blogpost scholarlyarticle medicalscholarlyarticle
        reportagenewsarticle analysisnewsarticle opinionnewsarticle backgroundnewsarticle reviewnewsarticle
        advertisercontentarticle satiricalarticle liveblogposting report review criticreview recipe howto claimreview
        interview hentry""",
    "collection": "collectionpage",
    "listing": "searchresultspage",
    "service": "service",
}
_BY_TYPE = {kind: name for name, kinds in _KINDS.items() for kind in kinds.split()}
_BY_OPEN_GRAPH = {
    "article": "article",
    "product": "product",
    "og:product": "product",
    "product.item": "product",
    "product.group": "collection",
    "books.book": "product",
    "blog": "listing",
}


def from_types(types: Iterable[str]) -> str | None:
    """The kind of page of the types of its main item; the table's order decides between several."""
    kinds = {_BY_TYPE[kind] for kind in types if kind in _BY_TYPE}
    return next((name for name in _KINDS if name in kinds), None)


def from_open_graph(value: str) -> str | None:
    """The kind of page of an og:type; "website" says nothing."""
    return _BY_OPEN_GRAPH.get(value.strip().lower())
