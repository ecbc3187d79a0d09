"""Price, currency, availability, SKU, brand and rating of the product that a page sells.

    JSON-LD, microdata     the item that the page is about, its offers and ratings
    <meta>                 product:price:amount, og:price:amount and their kin
    the visible page       a price under the heading, where none of these is there and the page is a product's

Price and currency come from one source, every other field from the first that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from thresher.metadata import items
from thresher.metadata.evidence import ItemSource, sources_of
from thresher.metadata.head import Head
from thresher.metadata.head import read as read_head
from thresher.metadata.items import Item, Items
from thresher.metadata.meta_names import PRODUCT
from thresher.metadata.page_types import from_open_graph, from_types
from thresher.metadata.record import Product
from thresher.metadata.shown_price import country_of, shown_amounts, shown_price
from thresher.page import Page
from thresher.text.plain import plain, plain_unescaped
from thresher.text.prices import currency_code, parse_money, parse_number

__all__ = ["product_of"]

_MAX_LENGTH = 100  # characters of a brand or a SKU
_MAX_RATING = 100.0
_FREE = ("application", "game")  # what may cost nothing; a shop's zero means that it does not tell
_AVAILABILITY = {
    "in stock": "instock instoreonly onlineonly available availablefororder yes true",
    "out of stock": "outofstock soldout oos unavailable no false",
    "preorder": "preorder presale",
    "backorder": "backorder madetoorder",
    "limited": "limitedavailability limitedstock",
    "discontinued": "discontinued",
}
_BY_WORD = {word: name for name, words in _AVAILABILITY.items() for word in words.split()}
_NO_LETTER = re.compile(r"[^a-z]+")


class _Offers(NamedTuple):
    """What the offers of a product say together."""

    prices: list[float]
    currency: str | None
    availability: str | None


def product_of(page: Page, likely_product: bool) -> tuple[str, Product] | None:
    """The product of a page and the source of its price, else of the rest; None where the page is no product's.

    `likely_product` is what a judge says of a page that does not name its own kind.
    """
    sources, head = sources_of(page), read_head(page)
    named = [from_types(items.types(item)) for source in sources if (item := source.subject)]
    named += [from_open_graph(head.first("og:type"))]
    stated = [_of_item(page, source, item) for source in sources for item in _products(source, "product" in named)]
    if not any(kind not in (None, "product") for kind in named) or stated:
        stated.append(_of_meta(page, head))
    found = [(source, fields) for source, fields in stated if fields]
    priced = next((one for one in found if "price" in one[1]), None)
    if not priced and ("product" in named or (likely_product and not any(named))):
        money = shown_price(page)
        if money:
            priced = "page", {"price": money.amount, "currency": money.currency}
            found.append(priced)
    if not found:
        return None
    fields: dict[str, Any] = {}
    for _, some in reversed(found):
        fields |= some
    for name in ("price", "highest_price", "currency"):
        fields[name] = priced[1].get(name) if priced else None
    if fields["price"] and _is_in_hundredths(page, fields["price"], fields["currency"]):
        fields |= {name: fields[name] and fields[name] / 100 for name in ("price", "highest_price")}
    return (priced or found[0])[0], Product(**fields)


def _is_in_hundredths(page: Page, price: float, currency: str | None) -> bool:
    """Whether a price is stated in pence: a hundredth of it is shown as a price, and the whole is not."""
    if price < 100 or price % 1 or not currency:
        return False
    shown = shown_amounts(page, currency)
    return price not in shown and price / 100 in shown


def _products(source: ItemSource, is_product: bool) -> Iterator[Item]:
    """The items that are the product: the subject, and on a product's page properties without an item of their own."""
    if source.subject and from_types(items.types(source.subject)) == "product":
        yield source.subject
    if is_product and source.page and (source.page.get("offers") or source.page.get("price")):
        yield source.page


def _of_item(page: Page, source: ItemSource, item: Item) -> tuple[str, dict[str, Any]]:
    known = source.known
    variants = [part for part in items.parts(known, item.get("hasVariant")) if isinstance(part, dict)]
    offers = _offers(known, [item, *variants], country_of(page))
    may_be_free = any(kind.endswith(_FREE) for kind in items.types(item))
    prices = [price for price in offers.prices if price or may_be_free]
    fields: dict[str, Any] = {"availability": offers.availability, "currency": offers.currency}
    if prices:
        fields["price"] = min(prices)
        fields["highest_price"] = max(prices) if max(prices) > min(prices) else None
    for name, properties in (("brand", ("brand", "manufacturer")), ("sku", ("sku",))):
        values = [value for key in properties for value in items.strings(known, item.get(key))]
        fields[name] = plain_unescaped(values[0], _MAX_LENGTH) if values else None  # some shops escape them twice
    fields |= _rating(known, item)
    told = {name: value for name, value in fields.items() if value is not None}
    return source.name, {} if told.keys() <= {"currency"} else told


def _offers(known: Items, products: list[Item], country: str) -> _Offers:
    """The offers of a product and its variants; of several currencies the first counts."""
    prices: list[float] = []
    currency, availability = None, []
    for offer in (offer for product in products for offer in _each_offer(known, product)):
        for key in ("lowPrice", "price", "highPrice"):
            for value in map(plain, items.parts(known, offer.get(key))):
                stated = items.strings(known, offer.get("priceCurrency"))
                money = next(iter(parse_money(value, country)), None)
                code = currency_code(stated[0]) if stated else money and money.currency
                amount = parse_number(value)
                if amount is not None and (not prices or code == currency):
                    currency = code
                    prices.append(amount)
        availability += [_availability(value) for value in items.strings(known, offer.get("availability"))[:1]]
    told = [value for value in availability if value]
    return _Offers(prices, currency, "in stock" if "in stock" in told else told[0] if told else None)


def _each_offer(known: Items, product: Item) -> Iterator[Item]:
    """The offers of a product; of one that has no price itself those inside it, and specifications of prices."""
    if product.get("price"):  # properties without an item of their own
        yield product
    for offer in items.parts(known, product.get("offers")):
        if not isinstance(offer, dict):
            continue
        yield offer
        if offer.get("price") or offer.get("lowPrice"):
            continue
        inner = [*items.parts(known, offer.get("offers")), *items.parts(known, offer.get("priceSpecification"))]
        for part in inner:
            if isinstance(part, dict) and not _is_crossed_out(known, part):
                yield {"priceCurrency": offer.get("priceCurrency"), **part}


def _is_crossed_out(known: Items, specification: Item) -> bool:
    kinds = items.strings(known, specification.get("priceType"))
    return any(kind.rpartition("/")[2] in ("ListPrice", "StrikethroughPrice", "SRP", "MSRP") for kind in kinds)


def _rating(known: Items, item: Item) -> dict[str, Any]:
    """The mean of the ratings and their number, where there are any."""
    for rating in items.parts(known, item.get("aggregateRating")):
        if not isinstance(rating, dict):
            continue
        value, count = (
            next((number for text in map(plain, items.parts(known, given)) if (number := parse_number(text))), None)
            for given in (rating.get("ratingValue"), rating.get("ratingCount") or rating.get("reviewCount"))
        )
        if value and value <= _MAX_RATING and count != 0:
            return {"rating": round(value, 2), "rating_count": int(count) if count else None}
    return {}


def _of_meta(page: Page, head: Head) -> tuple[str, dict[str, Any]]:
    """What meta elements say; a brand alone makes no product."""
    if not head.first(*PRODUCT["price"]):
        return "opengraph", {}
    said = {name: plain_unescaped(head.first(*names), _MAX_LENGTH) for name, names in PRODUCT.items()}
    amount = parse_number(said["price"])
    if not amount:
        return "opengraph", {}
    money = next(iter(parse_money(said["price"], country_of(page))), None)
    fields = {
        "price": amount,
        "currency": currency_code(said["currency"]) or (money and money.currency),
        "availability": _availability(said["availability"]),
        "brand": said["brand"] or None,
        "sku": said["sku"] or None,
    }
    return "opengraph", {name: value for name, value in fields.items() if value}


def _availability(value: str) -> str | None:
    """The words for "https://schema.org/InStock", "in stock", "oos"."""
    return _BY_WORD.get(_NO_LETTER.sub("", value.rpartition("/")[2].lower()))
