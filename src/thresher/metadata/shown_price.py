"""The price that a product's page shows: under its heading, in an element that is called so.

Only an element of few words that has one sum with a currency is believed, and only where it stands close to the
heading; prices that are crossed out, of shipping or of instalments, and those of other products are passed over.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from thresher.data.tags import group
from thresher.metadata.clean import text_of
from thresher.page import Page, attributes
from thresher.page.columns import tag_mask
from thresher.text.patterns import compile_later
from thresher.text.prices import Money, parse_money
from thresher.visible.readable import readable

__all__ = ["country_of", "shown_amounts", "shown_price"]

_MAX_TEXTS = 60  # readable texts between the heading and its price
_MAX_LENGTH = 60  # characters of an element that is a price
_NAMES = ("class", "id", "itemprop", "data-testid")
_PRICE = compile_later(r"price|preis|prix|precio|prezzo|preco|\bamount\b")
_OTHER_PRICE = compile_later(
    r"old|was|list-?price|regular|strike|cross|before|compare|previous|original|rrp|msrp|uvp|ship|deliver|install|month|unit"
    r"|per-|save|saving|discount|related|recommend|upsell|carousel|cart|basket|filter|range-|member"
)
_CROSSED = group({"del", "s", "strike"})
_MAX_NAMED = 200  # elements that are called a price
_MAX_ALIKE = 2  # sums in elements of the same name; more are a list of products
_DEEP = 6  # elements above one that are asked for their names


def country_of(page: Page) -> str:
    """The last label of the page's host: "de", "com"; "" without an address."""
    try:
        return (urlsplit(page.url or "").hostname or "").rpartition(".")[2]
    except ValueError:
        return ""


def shown_price(page: Page) -> Money | None:
    """The sum in the first element under the heading that is called a price; None on a list of prices."""
    headings = tag_mask(page, "h1").nonzero()[0].tolist()
    if len(headings) != 1:
        return None
    seen = readable(page)
    after = (seen[page.last[headings[0]] :]).nonzero()[0][:_MAX_TEXTS] + page.last[headings[0]]
    if not len(after):
        return None
    named = _called_price(page)
    for row in named:
        first, last = int(page.first[row]), int(page.last[row])
        if not after[0] <= first <= after[-1] or not seen[first:last].any() or _is_another(page, row, headings[0]):
            continue
        sums = _sums(page, row)
        if len(sums) == 1:
            alike = set().union(*(_sums(page, other) for other in named if named[other] == named[row]))
            return sums.pop() if len(alike) <= _MAX_ALIKE else None
    return None


def shown_amounts(page: Page, currency: str) -> set[float]:
    """All that elements called a price say in one currency."""
    return {money.amount for row in _called_price(page) for money in _sums(page, row) if money.currency == currency}


def _sums(page: Page, row: int) -> set[Money]:
    return set(parse_money(text_of(page, row, _MAX_LENGTH + 1), country_of(page)))


def _called_price(page: Page) -> dict[int, str]:
    """Elements whose names say that they are a price, in document order, and these names."""
    rows = {
        row: value
        for name in _NAMES
        for row, value in attributes.values(page, name).items()
        if _PRICE.search(value.lower()) and not _OTHER_PRICE.search(value.lower())
    }
    return dict(sorted(rows.items())[:_MAX_NAMED])


def _is_another(page: Page, row: int, heading: int) -> bool:
    """Whether the element is crossed out or lies in something that is not the product of the heading."""
    if _CROSSED[page.tag[row : page.end[row]]].any():
        return True
    for depth, above in enumerate(page.ancestors(row)):
        if depth >= _DEEP or above <= heading < page.end[above]:
            return False
        names = " ".join(page.attributes(above).get(name, "") for name in ("class", "id")).lower()
        if _CROSSED[page.tag[above]] or _OTHER_PRICE.search(names):
            return True
    return False
