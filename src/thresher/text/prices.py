"""Sums of money: read as shops write them, printed plainly, and looked for in a text.

    "1.299,00 €"  "$1,299.00"  "1 299 kr"  "CHF 1'299.-"     ->  Money(1299.0, "EUR"), …

A separator with one or two digits behind it is the decimal one; with three, it groups.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from thresher.text.patterns import compile_later

__all__ = ["Money", "currency_code", "names_price", "parse_money", "parse_number", "written"]

_MAX_LENGTH = 60  # characters of a text that is a price and nothing else
_MAX_PRICE = 1e12
# Signs that mean one currency; "$", "kr" and "¥" are several countries'.
_SIGNS = {
    "€": "EUR",
    "£": "GBP",
    "US$": "USD",
    "CA$": "CAD",
    "C$": "CAD",
    "AU$": "AUD",
    "A$": "AUD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "S$": "SGD",
    "R$": "BRL",
    "NT$": "TWD",
    "MX$": "MXN",
    "₹": "INR",
    "Rs.": "INR",
    "₽": "RUB",
    "руб": "RUB",
    "₩": "KRW",
    "원": "KRW",
    "円": "JPY",
    "元": "CNY",
    "₺": "TRY",
    "₴": "UAH",
    "грн": "UAH",
    "₪": "ILS",
    "฿": "THB",
    "₫": "VND",
    "₱": "PHP",
    "zł": "PLN",
    "Kč": "CZK",
    "Ft": "HUF",
    "lei": "RON",
    "лв": "BGN",
    "Fr.": "CHF",
}
_SHARED = {
    "$": {"": "USD"}
    | {"au": "AUD", "ca": "CAD", "nz": "NZD", "sg": "SGD", "hk": "HKD", "mx": "MXN", "ar": "ARS", "cl": "CLP"},
    "¥": {"": "JPY", "cn": "CNY"},
    "￥": {"": "JPY", "cn": "CNY"},
    "kr": {"se": "SEK", "no": "NOK", "dk": "DKK", "is": "ISK"},
}
_CODES = frozenset(
    """AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW MAD MXN MYR NGN
    NOK NZD PEN PHP PKR PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD UYU VND ZAR""".split()
)
_WITHOUT_CENTS = frozenset({"CLP", "HUF", "IDR", "ISK", "JPY", "KRW", "VND"})

_SPACE = "\u0020\u00a0\u2009\u202f"
_NUMBER = rf"\d{{1,3}}(?:[.,'’{_SPACE}]\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)|\d+(?:[.,]\d{{1,2}})?(?!\d)"
_SIGN = "|".join(re.escape(sign) for sign in sorted([*_SIGNS, *_SHARED, *_CODES], key=len, reverse=True))
_MONEY = compile_later(
    rf"(?<![\w.,])(?:(?P<before>{_SIGN})\.?[{_SPACE}]?(?P<left>{_NUMBER})"
    rf"|(?P<right>{_NUMBER})(?:[.,][-–—]+)?[{_SPACE}]?(?P<after>{_SIGN})(?![^\W\d_]))",
    re.IGNORECASE,
)
_DECIMAL = compile_later(r"\d{1,15}(?:\.\d{1,15})?")  # as machines write numbers
_FIRST_NUMBER = compile_later(_NUMBER)
_BY_SIGN = {sign.casefold(): code for sign, code in _SIGNS.items()}


class Money(NamedTuple):
    """A sum, and its currency where the sign says it (ISO 4217)."""

    amount: float
    currency: str | None


def parse_money(text: str, country: str = "") -> list[Money]:
    """The sums with a currency in a short text, in their order; `country` (as in a domain name) tells dollars apart."""
    if len(text) > _MAX_LENGTH:
        return []
    found = []
    for match in _MONEY.finditer(text):
        amount = _human(match["left"] or match["right"])
        if 0 < amount < _MAX_PRICE:
            found.append(Money(amount, currency_code(match["before"] or match["after"], country)))
    return found


def currency_code(sign: str, country: str = "") -> str | None:
    """The ISO 4217 code of a sign or code; None for one that several countries have, where the country is not known."""
    sign = sign.strip()
    if sign.upper() in _CODES or (len(sign) == 3 and sign.isascii() and sign.isupper()):
        return sign.upper()
    shared = _SHARED.get(sign.casefold())
    if shared:
        return shared.get(country) or shared.get("")
    return _BY_SIGN.get(sign.casefold())


def parse_number(value: str) -> float | None:
    """The number of a field that is one: a point is the decimal one, as schema.org has it, unless it cannot be."""
    value = value.strip()[:_MAX_LENGTH]
    if _DECIMAL.fullmatch(value):
        return float(value)
    match = _FIRST_NUMBER.search(value)
    return _human(match[0]) if match and not value.startswith("-") else None


def _human(digits: str) -> float:
    """The value of a number as people write it."""
    whole, cents = digits, ""
    if len(digits) > 2 and digits[-3] in ".,":
        whole, cents = digits[:-3], digits[-2:]
    elif len(digits) > 1 and digits[-2] in ".,":
        whole, cents = digits[:-2], digits[-1]
    return float("".join(sign for sign in whole if sign.isdigit()) + "." + (cents or "0"))


def written(amount: float, currency: str | None) -> str:
    """A sum in plain form: "1299.00 EUR"."""
    places = 0 if currency in _WITHOUT_CENTS and amount == int(amount) else 2
    return f"{amount:.{places}f}{f' {currency}' if currency else ''}"


def names_price(text: str, amount: float) -> bool:
    """Whether a text has this sum in any way of writing it; a round one below 100 only beside a currency or cents."""
    whole, _, cents = f"{amount:.2f}".partition(".")
    groups = [whole[max(at - 3, 0) : at] for at in range(len(whole), 0, -3)][::-1]
    number = r"(?<!\d)(?<!\d[.,])" + rf"[.,'’{_SPACE}]?".join(groups)
    if cents != "00":
        last = rf"\s*[.,·]?\s*{cents[0]}{cents[1] if cents[1] != '0' else '0?'}(?!\d)"
        return re.search(number + last, text) is not None
    end = r"(?!\d)(?![.,]\d)"
    if re.search(rf"{number}[.,]0?0{end}", text) or (amount >= 100 and re.search(number + end, text)):
        return True
    beside = rf"(?:{_SIGN})\.?[{_SPACE}]?{number}{end}|{number}(?:[.,][-–—]+)?[{_SPACE}]?(?:{_SIGN})"
    return re.search(beside, text, re.IGNORECASE) is not None
