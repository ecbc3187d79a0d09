"""What the headers of an answer allow a private cache (RFC 9111, without the guesses it permits).

    lifetime = max-age, else Expires - Date, else 0
    age      = Age header + seconds since it was stored
    fresh    = age < lifetime

An answer that is not fresh is still of use if it has a validator (ETag, Last-Modified): the server is asked whether it
still holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

__all__ = ["directives", "http_date", "is_fresh", "is_storable", "lifetime", "validators"]

_DIRECTIVE = re.compile(r"""([^\s,=;"]+)\s*(?:=\s*(?:"([^"]*)"|([^\s,;"]*)))?""")


def directives(headers: Mapping[str, str]) -> dict[str, str]:
    """The words of Cache-Control with their values; of two equal words the first counts."""
    values: dict[str, str] = {}
    for name, quoted, bare in _DIRECTIVE.findall(headers.get("cache-control", "")):
        values.setdefault(name.lower(), quoted or bare)
    return values


def http_date(text: str) -> float | None:
    """A date of HTTP as seconds since 1970."""
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def lifetime(headers: Mapping[str, str]) -> float:
    """For how many seconds an answer may be used without asking again."""
    control = directives(headers)
    if "no-cache" in control or ("cache-control" not in headers and "no-cache" in headers.get("pragma", "").lower()):
        return 0.0
    if "max-age" in control:
        return _seconds(control["max-age"])
    expires, date = http_date(headers.get("expires", "")), http_date(headers.get("date", ""))
    return max(expires - date, 0.0) if expires is not None and date is not None else 0.0


def is_fresh(headers: Mapping[str, str], stored: float, now: float) -> bool:
    """Whether an answer stored at a time may be used as it is.  One from the future is not: a clock was set back."""
    return now >= stored and _seconds(headers.get("age", "0")) + now - stored < lifetime(headers)


def is_storable(status: int, headers: Mapping[str, str]) -> bool:
    """Whether keeping an answer is allowed and of any use."""
    if status != 200 or "no-store" in directives(headers) or "*" in headers.get("vary", ""):
        return False
    return lifetime(headers) > 0 or bool(validators(headers))


def validators(headers: Mapping[str, str]) -> dict[str, str]:
    """The request headers that ask whether a stored answer still holds."""
    conditions = {"If-None-Match": headers.get("etag", ""), "If-Modified-Since": headers.get("last-modified", "")}
    return {name: value for name, value in conditions.items() if value and value.isprintable()}


def _seconds(text: str) -> float:
    return float(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0.0
