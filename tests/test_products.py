"""What a product's page says of its price: read from its data or beside its heading, and never printed twice."""

from __future__ import annotations

import json
from typing import Any

import pytest

import thresher
from thresher.metadata.record import Product
from thresher.text.prices import Money, names_price, parse_money, parse_number, written

_URL = "https://shop.example/p/teapot"
_WORDS = "".join(
    f"<p>{sentence}</p>"
    for sentence in (
        "This teapot is thrown by hand in a small workshop near the river and fired twice in a wood kiln.",
        "It holds enough tea for four people, and its lid sits so well that not a drop is spilt in pouring.",
        "Every piece is a little different, for the glaze runs as it will while the kiln is hot.",
    )
)


def _page(head: str = "", under: str = "", words: str = _WORDS) -> str:
    return (
        f"<!doctype html><html lang=en><head><title>Clay teapot</title>{head}</head>"
        f"<body><main><h1>Clay teapot</h1>{under}{words}</main></body></html>"
    )


def _linked(**item: Any) -> str:
    data = {"@context": "https://schema.org", "@type": "Product", "name": "Clay teapot", **item}
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def _product(html: str, url: str = _URL) -> Product:
    product = thresher.extract(html, url=url).metadata.product
    assert product is not None
    return product


_OFFER = {"@type": "Offer", "price": "19.99", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}


def test_json_ld_gives_all_fields() -> None:
    rating = {"@type": "AggregateRating", "ratingValue": "4,5", "reviewCount": 12}
    found = _product(_page(_linked(offers=_OFFER, sku="T-1", brand={"name": "Kiln"}, aggregateRating=rating)))
    assert found == Product(19.99, None, "EUR", "in stock", "T-1", "Kiln", 4.5, 12)


@pytest.mark.parametrize(
    "item",
    [
        {"offers": [{**_OFFER, "price": 5}, {**_OFFER, "price": "1.299,00"}]},
        {"offers": {"@type": "AggregateOffer", "lowPrice": 5, "highPrice": 1299, "priceCurrency": "EUR"}},
        {"offers": {"@type": "AggregateOffer", "offers": [{**_OFFER, "price": 1299}, {**_OFFER, "price": 5}]}},
        {
            "@type": "ProductGroup",
            "hasVariant": [{"@type": "Product", "offers": {**_OFFER, "price": price}} for price in (5, 1299)],
        },
    ],
)
def test_several_offers_have_a_lowest_and_a_highest_price(item: dict[str, Any]) -> None:
    found = _product(_page(_linked(**item)))
    assert (found.price, found.highest_price, found.currency) == (5.0, 1299.0, "EUR")


def test_a_price_in_pence_is_read_as_the_page_shows_it() -> None:
    shown = '<p class=price>£88</p><p class="price other">£42</p>'
    stated = _linked(offers={**_OFFER, "price": "8800", "priceCurrency": "GBP"})
    assert _product(_page(stated, shown)).price == 88.0
    assert _product(_page(stated, shown + "<p class=price>£8,800</p>")).price == 8800.0
    assert _product(_page(stated, "<p class=price>£42</p>")).price == 8800.0


def test_a_brand_whose_letters_are_escaped_twice_is_read() -> None:
    assert _product(_page(_linked(offers=_OFFER, brand={"name": "L&amp;#8217;atelier"}))).brand == "L’atelier"


def test_a_shop_that_names_itself_or_its_theme_is_no_author() -> None:
    head = '<meta name=author content="Anna Kiln">'
    assert thresher.extract(_page(head + _linked(offers=_OFFER))).metadata.author is None
    assert thresher.extract(_page(head)).metadata.author == "Anna Kiln"
    assert thresher.extract(_page(head + _linked(offers=_OFFER, author="Ben Clay"))).metadata.author == "Ben Clay"


def test_a_list_price_that_is_crossed_out_does_not_count() -> None:
    prices = [
        {"price": 30, "priceCurrency": "EUR", "priceType": "https://schema.org/ListPrice"},
        {"price": 20, "priceCurrency": "EUR"},
    ]
    found = _product(_page(_linked(offers={"@type": "Offer", "priceSpecification": prices})))
    assert (found.price, found.highest_price) == (20.0, None)


def test_an_item_in_a_graph_and_an_offer_by_reference() -> None:
    product = {"@type": "Product", "name": "Clay teapot", "offers": {"@id": "#offer"}}
    graph = {"@graph": [{"@type": "WebSite", "name": "Shop"}, product, {"@id": "#offer", **_OFFER}]}
    found = _product(_page(f'<script type="application/ld+json">{json.dumps(graph)}</script>'))
    assert (found.price, found.currency) == (19.99, "EUR")


def test_microdata() -> None:
    under = """<div itemscope itemtype="https://schema.org/Product"><span itemprop=name>Clay teapot</span>
        <meta itemprop=sku content=T-1><span itemprop=brand>Kiln</span>
        <div itemprop=offers itemscope itemtype="https://schema.org/Offer"><meta itemprop=priceCurrency content=GBP>
        <span itemprop=price content="24.50">£24.50</span><link itemprop=availability href="https://schema.org/OutOfStock">
        </div></div>"""
    assert _product(_page(under=under)) == Product(24.5, None, "GBP", "out of stock", "T-1", "Kiln")


@pytest.mark.parametrize("prefix", ["product", "og"])
def test_meta_elements(prefix: str) -> None:
    head = f"""<meta property="og:type" content="product"><meta property="{prefix}:price:amount" content="1,299.00">
        <meta property="{prefix}:price:currency" content="usd"><meta property="{prefix}:availability" content="instock">
        <meta property="product:brand" content="Kiln">"""
    assert _product(_page(head)) == Product(1299.0, None, "USD", "in stock", None, "Kiln")


def test_the_price_beside_the_heading_where_the_page_has_no_data() -> None:
    kind = '<meta property="og:type" content="product">'
    under = "<div class=product-price><del class=old-price>39,00 €</del> <b class=price>1.299,00 €</b></div>"
    assert _product(_page(kind, under)) == Product(1299.0, None, "EUR")


def test_the_prices_of_a_list_are_not_the_page_s() -> None:
    kind = '<meta property="og:type" content="product">'
    several = "".join(f"<div><a href=/p/{n}>Pot {n}</a> <b class=price>{n} €</b></div>" for n in range(5, 9))
    assert thresher.extract(_page(kind, several)).metadata.product is None


def test_an_article_has_no_product() -> None:
    article = _linked(**{"@type": "NewsArticle", "headline": "Clay teapot", "offers": _OFFER})
    assert thresher.extract(_page(article)).metadata.product is None


# ---- in the text ---------------------------------------------------------------------------------------------


def test_a_price_that_the_extract_lacks_is_its_last_line() -> None:
    result = thresher.extract(_page(_linked(offers=_OFFER)), url=_URL, focus="recall")
    assert result.text.splitlines()[-1] == result.markdown.splitlines()[-1] == "Price: 19.99 EUR · in stock"
    assert any(warning.startswith("recovered: the price") for warning in result.warnings)
    assert "price of the product" in result.blocks[-1].reasons[0]
    assert result.to_dict()["product"]["price"] == 19.99


def test_with_any_other_focus_the_text_is_as_the_page_shows_it() -> None:
    assert "Price" not in thresher.extract(_page(_linked(offers=_OFFER)), url=_URL).text


def test_the_line_of_several_offers() -> None:
    offers = [{"price": 5, "priceCurrency": "JPY"}, {"price": 1299, "priceCurrency": "JPY"}]
    result = thresher.extract(_page(_linked(offers=offers)), url=_URL, focus="recall")
    assert result.text.splitlines()[-1] == "Price: 5 to 1299 JPY"


@pytest.mark.parametrize("shown", ["19.99 €", "EUR 19,99", "€19 99"])
def test_a_price_that_is_there_is_not_printed_again(shown: str) -> None:
    words = f"{_WORDS}<p>The teapot costs {shown}, and the second one in the same parcel costs half of that.</p>"
    text = thresher.extract(_page(_linked(offers=_OFFER), words=words), url=_URL, focus="recall").text
    assert shown in text
    assert "Price:" not in text


def test_a_page_without_any_text_gets_no_price() -> None:
    result = thresher.extract(_page(_linked(offers=_OFFER), words="<div id=root></div>"), url=_URL, focus="recall")
    assert "Price" not in result.text


def test_the_product_stands_in_front_matter_and_schema() -> None:
    from thresher.output.front_matter import front_matter
    from thresher.result.schema import result_schema

    record = thresher.extract(_page(_linked(offers=_OFFER)), url=_URL, focus="recall").metadata.to_dict()
    assert 'product: {"price": 19.99' in front_matter(record)
    assert "highest_price" in json.dumps(result_schema()["properties"]["product"])


# ---- sums of money -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("1.299,00 €", 1299.0, "EUR"),
        ("$1,299.00", 1299.0, "USD"),
        ("CHF 1'299.-", 1299.0, "CHF"),
        ("2 999,00 Kč", 2999.0, "CZK"),
        ("12,800円", 12800.0, "JPY"),
        ("19,- €", 19.0, "EUR"),
        ("1.299 zł", 1299.0, "PLN"),
        ("5,5 lei", 5.5, "RON"),
        ("C$ 20", 20.0, "CAD"),
    ],
)
def test_sums_as_shops_write_them(text: str, amount: float, currency: str) -> None:
    assert parse_money(text) == [Money(amount, currency)]
    assert parse_number(text) == amount
    assert names_price(f"It costs {text} today", amount)


def test_the_country_tells_crowns_and_dollars_apart() -> None:
    assert parse_money("299 kr", "se") == [Money(299.0, "SEK")]
    assert parse_money("299 kr") == [Money(299.0, None)]
    assert parse_money("$5", "au") == [Money(5.0, "AUD")]


def test_a_number_without_a_currency_is_no_sum() -> None:
    assert parse_money("20 pieces") == parse_money("Size 42") == []
    assert parse_number("-5") is None
    assert not names_price("20 pieces", 20)
    assert not names_price("119.99 EUR", 19.99)
    assert not names_price("$1,299.99", 1299)


def test_sums_are_written_plainly() -> None:
    assert (written(1299, "EUR"), written(1299, "JPY"), written(5.5, None)) == ("1299.00 EUR", "1299 JPY", "5.50")
