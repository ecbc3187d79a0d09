"""The price of a product as a line of its text, where the extract lacks it.

    Price: 19.99 EUR · in stock
    Price: 19.99 to 49.00 EUR

Shops write it where no method looks for content: beside a button, by a script, in the page's data only.  The line
stands at the end; a page that names the price in any way of writing it has it once.
"""

from __future__ import annotations

from thresher import output
from thresher.metadata.record import Product
from thresher.page import Page, Problem
from thresher.page.columns import chars_in
from thresher.page.verdict import Verdict
from thresher.result.structured_text import with_added, with_article
from thresher.text.patterns import compile_later
from thresher.text.prices import names_price, written

__all__ = ["price_line", "with_price"]

_MIN_CHARS = 40  # of an extract that a price is added to: a shell stays one
_DATA = compile_later(rb'itemprop="(?:price|lowPrice|offers)"|"(?:product|og):(?:sale_)?price')
_PRICE = compile_later(r'"(?:price|lowPrice)"\s*:')
_REASON = "for: the price of the product, which the page's data has or shows beside the content"


def with_price(verdict: Verdict) -> Verdict:
    """The verdict on the page with a line that says the price; the same verdict where that is not needed."""
    page = verdict.page
    if page.box is not None or not _may_sell(page) or chars_in(page, verdict.keep) < _MIN_CHARS:
        return verdict
    from thresher.metadata.products import product_of  # with much of the metadata, which most pages do not need

    found = product_of(page, _is_product(page))
    if not found or not found[1].price:
        return verdict
    whole = (
        None
        if names_price(output.to_text(page, verdict.keep), found[1].price)
        else with_article(page, price_line(found[1]))
    )
    if whole is None:
        return verdict
    problem = Problem("recovered", "the price of the product, which the extract lacks otherwise, is its last line")
    return with_added(verdict, whole, problem, _REASON, verdict.keep)


def price_line(product: Product) -> str:
    """Price, highest price, currency and availability in one line."""
    low, high = product.price or 0.0, product.highest_price
    money = (
        f"{written(low, product.currency).split()[0]} to {written(high, product.currency)}"
        if high
        else written(low, product.currency)
    )
    return f"Price: {money}" + (f" · {product.availability}" if product.availability else "")


def _may_sell(page: Page) -> bool:
    """Whether the page has a price in its data, or its kind is known and is a product's: told without reading it."""
    return (
        any("ld+json" in island.type and _PRICE.search(island.text) for island in page.islands)
        or _DATA.search(page.markup) is not None
        or _is_product(page)
    )


def _is_product(page: Page) -> bool:
    """Whether the network takes the page for a product's, if it has judged it: it is not run for a line."""
    from thresher.methods.auto import known_page_types

    types = known_page_types(page)
    return bool(types) and max(types, key=types.__getitem__) == "product"
