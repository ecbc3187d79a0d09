"""Addresses as the crawler knows them: one spelling for each page.

`canonical` gives the address that is requested.  `thresher.http.urls` reads it as browsers do (host in lower case and
ASCII, no default port, no `.` and `..`, no fragment); on top of that, after RFC 3986, section 6:

    %7E is ~, %c3 is %C3, what may not stand in an address is encoded; a `%` that encodes nothing is %25
    parameters that only track or hold a session are left out: utm_source, gclid, ;jsessionid, PHPSESSID, …
    empty parameters are left out; addresses with user names are refused

`key` gives what the page is known by: the same with the parameters of the query sorted by name.  So `?b=2&a=1` is asked
for as it is linked, but `?a=1&b=2` is not asked for again.  http and https, `/x` and `/x/`, `www.` and bare names are
different addresses: where they are one page the server redirects from one to the other.
"""

from __future__ import annotations

import re
from functools import lru_cache

from thresher.errors import FetchError
from thresher.http.session_ids import without_sessions
from thresher.http.urls import MAX_LINK_LENGTH, WebUrl, join, parse_url

__all__ = ["canonical", "host_of", "key", "origin"]

# Most addresses in sitemaps are in their one spelling already: no port, no query, nothing to decode or to cut.
_CANONICAL = re.compile(
    r"https?://(?![^/]{254})(?:[a-z0-9_-]{1,63}\.)*[a-z][a-z0-9_-]{0,62}(?:/(?:[A-Za-z0-9_~!$&'*+,=:@-][A-Za-z0-9._~!$&'*+,=:@-]*)?)+"
)
_UNRESERVED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
_TO_ENCODE = re.compile(rb"%([0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?-]")
_PLAIN = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@/?-]*")
# Queries are written in the encoding of the page; these have no bytes for the parts of an address.
_NO_QUERY_ENCODING = ("utf-16", "utf-32", "iso-2022", "replacement")


def canonical(address: str, base: str | None = None, encoding: str | None = None) -> str | None:
    """The address in its one spelling; None for what is no http(s) address of a page.

    `base` is what a relative address starts from, `encoding` that of the page on which the address stands.
    """
    if len(address) > MAX_LINK_LENGTH:
        return None
    if _CANONICAL.fullmatch(address):
        return address
    if not address.isascii():
        address = _query_encoded(address, encoding)
    try:
        url = join(_parsed(base), address) if base else parse_url(address)
        if url.userinfo:
            return None
        path, _, query = url.target.partition("?")
        path, query = without_sessions(_percent_encoded(path), _percent_encoded(query))
        target = f"{path or '/'}?{query}" if query else path or "/"
        # Once more, for decoding and cutting can make new dots: /%2E./, /.;jsessionid=1/
        written = str(
            join(WebUrl(url.scheme, url.host, url.port, "/"), target if target[:2] != "//" else f"/.{target}")
        )
    except FetchError:
        return None
    return written if len(written) <= MAX_LINK_LENGTH else None


def key(url: str) -> str:
    """What the page of a canonical address is known by: equal for addresses that differ in the order of parameters."""
    start, mark, query = url.partition("?")
    return start + mark + "&".join(sorted(query.split("&"), key=lambda piece: piece.partition("=")[0]))


def origin(url: str) -> str:
    """Scheme, host and port of a canonical address: what one robots.txt speaks for."""
    return url[: url.index("/", 8)]


def host_of(url: str) -> str:
    """Host and port of a canonical address: what is asked for one page at a time."""
    return origin(url).partition("://")[2]


@lru_cache(256)
def _parsed(base: str) -> WebUrl:
    return parse_url(base)


def _query_encoded(address: str, encoding: str | None) -> str:
    """The address with the query percent-encoded in the encoding of its page, as forms and browsers do it."""
    start, mark, rest = address.partition("?")
    query, _, _ = rest.partition("#")
    name = (encoding or "utf-8").lower()
    if "#" in start or query.isascii() or name.startswith(_NO_QUERY_ENCODING):
        return address
    try:
        return start + mark + _percent_encoded(query, name)
    except (LookupError, UnicodeError):
        return address


def _percent_encoded(text: str, encoding: str = "utf-8") -> str:
    """Percent-encoding in its one form."""
    if _PLAIN.fullmatch(text):
        return text
    return _TO_ENCODE.sub(_percent_code, text.encode(encoding)).decode("ascii")


def _percent_code(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if code is None:
        return b"%%%02X" % match[0][0]
    byte = int(code, 16)
    return bytes([byte]) if byte in _UNRESERVED else b"%%%02X" % byte
