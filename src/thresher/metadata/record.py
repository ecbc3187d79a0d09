"""The record of a page: what it says about itself, and where each value was found."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Metadata", "Product"]


@dataclass(frozen=True, slots=True)
class Product:
    """What a page sells; None where it does not say."""

    price: float | None = None  # the lowest of several
    highest_price: float | None = None  # of several offers, where they differ
    currency: str | None = None  # ISO 4217
    availability: str | None = None  # "in stock", "out of stock", "preorder", "backorder", "discontinued", "limited"
    sku: str | None = None
    brand: str | None = None
    rating: float | None = None  # on the page's own scale, mostly up to 5
    rating_count: int | None = None  # of ratings, else of reviews


@dataclass(frozen=True, slots=True)
class Metadata:
    """Facts about a page; None or empty where it gives none that can be believed.

    All strings are single lines of plain text: no markup, no control characters, bounded in length.
    """

    title: str | None = None
    author: str | None = None  # several joined by "; "
    date: str | None = None  # of publication, YYYY-MM-DD
    datetime: str | None = None  # the same in full (ISO 8601), where the page gives the time of day
    modified: str | None = None  # of the last change, YYYY-MM-DD
    language: str | None = None  # ISO 639-1
    sitename: str | None = None
    url: str | None = None  # canonical
    hostname: str | None = None
    description: str | None = None
    image: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    license: str | None = None
    page_type: str | None = None  # article, forum, product, collection, listing, documentation, service
    page_type_probability: float | None = None  # that the judge gives this kind of page
    product: Product | None = None  # None where the page is no product's
    sources: dict[str, str] = field(default_factory=dict)  # field -> where its value came from

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the names that trafilatura has, too, mean the same there (`source` is its name for `url`)."""
        record = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return record | {
            "tags": list(self.tags),
            "categories": list(self.categories),
            "page_type_probability": self.page_type_probability and round(self.page_type_probability, 4),
            "product": asdict(self.product) if self.product else None,
            "sources": dict(self.sources),
            "source": self.url,
        }
