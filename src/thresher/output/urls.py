"""Addresses: resolved against the page, and only such as can do no harm when somebody clicks or loads them."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from thresher.data.tags import NUMBER
from thresher.http.urls import MAX_LINK_LENGTH, percent_encode, trim, without_www
from thresher.page import Page, attributes, memoised
from thresher.page.parts import Parts, with_part
from thresher.text.patterns import compile_later

__all__ = ["Resolver", "resolver"]

_WIDE_SPACES = "\x7f\xa0\ufeff\u3000"  # at the ends of an address; pages have them by mistake
_SCHEME = compile_later(r"[^/?#]*?:")
_ALLOWED = frozenset({"http:", "https:", "mailto:"})
# What may stand in an address as it is; all else is percent-encoded: blanks, quotes, angle brackets, braces, controls.
_UNSAFE = compile_later(r"[^\w!#$%&'()*+,\-./:;=?@\[\]~|^\\]")
_PLAIN = compile_later(r"(https?://[\w.-]+(?::\d+)?)(?:[/?#][\w!#$%&'()*+,\-./:;=?@~]*)?", re.ASCII)
_MAX_HOME_SLASHES = 3  # https://example.org/
_CANONICAL, _OG_URL = Parts(b"canonical"), Parts(b"og:url")
_PLAIN_PATH = compile_later(r"/(?!/)[\w%~+,./-]*(?:\?[\w%~+,.=&;:@!$'()*/-]*)?", re.ASCII)
_PLAIN_RELATIVE = compile_later(
    r"(?!//)[\w%~+,./-]+(?:\?[\w%~+,.=&;:@!$'()*/-]+)?(?:#[\w%~+,.=&;:@!$'()*/-]+)?", re.ASCII
)
_NOT_PLAIN = compile_later(r"[./]|[^?#]*/[./]")  # other steps than into directories


class Resolver:
    """Turns what stands in `href` and `src` into absolute, harmless addresses.

    Only http, https and mailto pass, and relative addresses: against the page's `<base>` and URL if there are any (the
    one that was given, else the canonical one or og:url), else as they are.  Anything else, and whatever cannot be read
    as an address, is "".
    """

    __slots__ = ("base", "directory", "origin", "pictures", "resolved")

    def __init__(self, page: Page) -> None:
        self.base = _base(page)
        self.origin = _origin(self.base)
        self.directory = _directory(self.base, self.origin)
        self.resolved: dict[str, str] = {}
        self.pictures: dict[int, str] = {}  # what the sources of a `picture` offer, by its row

    def __call__(self, address: str | None) -> str:
        if not address:
            return ""
        if address not in self.resolved:
            self.resolved[address] = self._resolve(address)
        return self.resolved[address]

    def is_home(self, address: str | None) -> bool:
        """Whether an address is that of a front page: of the site, of a part of it, or of the one it is part of."""
        absolute = self(address)
        if not self.base:
            return absolute == "/"
        if absolute.count("/") > _MAX_HOME_SLASHES and "#" not in absolute:
            return False
        plain = _PLAIN.fullmatch(absolute)
        if plain and absolute[plain.end(1) :].partition("#")[0] not in ("", "/", "?", "/?"):
            return False
        there, here = urlsplit(absolute), urlsplit(self.base)
        if there.path not in ("", "/") or there.query or not there.hostname or not here.hostname:
            return False
        one, other = (f".{without_www(host)}" for host in (there.hostname, here.hostname))
        return one.endswith(other) or other.endswith(one)

    def _resolve(self, address: str) -> str:
        if len(address) > MAX_LINK_LENGTH:
            return ""
        if _PLAIN.fullmatch(address):
            return address
        if self.origin:
            if "/." not in address and _PLAIN_PATH.fullmatch(address):
                return self.origin + address
            if self.directory and not _NOT_PLAIN.match(address) and _PLAIN_RELATIVE.fullmatch(address):
                return self.directory + address
        elif not self.base and _PLAIN_RELATIVE.fullmatch(address):
            return address
        safe = _harmless(address)
        if not safe or not self.base:
            return safe
        try:
            absolute = urljoin(self.base, safe)
        except ValueError:  # an invalid host, such as http://[x
            return ""
        return absolute if _harmless(absolute) == absolute else safe


@memoised
def resolver(page: Page) -> Resolver:
    """One for all that read addresses of a page."""
    return Resolver(page)


def _origin(address: str) -> str:
    """Scheme and host of an absolute address; "" for any other."""
    plain = _PLAIN.fullmatch(address)
    if plain:
        return plain[1]
    parts = urlsplit(address) if address else None
    return f"{parts.scheme}://{parts.netloc}" if parts and parts.netloc else ""


def _directory(address: str, origin: str) -> str:
    """The directory of a plain address; "" for one with steps that are none into directories."""
    if not origin or not _PLAIN.fullmatch(address):
        return ""
    path = re.split("[?#]", address[len(origin) :], maxsplit=1)[0] or "/"
    return "" if _NOT_PLAIN.match(path[1:]) else origin + path[: path.rindex("/") + 1]


def _harmless(address: str) -> str:
    """The address with everything odd in it encoded; "" if its scheme is not allowed or it says nothing."""
    if _PLAIN.fullmatch(address):
        return address
    address = trim(address, also=_WIDE_SPACES)
    scheme = _SCHEME.match(address)
    if scheme and scheme[0].lower() not in _ALLOWED:
        return ""
    if scheme and scheme[0].lower() == "mailto:":
        return percent_encode(address, _UNSAFE)
    place = re.search("[?#]", address)
    cut = place.start() if place else len(address)
    # To a browser a backslash in a path is a slash: `\\host` is another host.
    address = percent_encode(address[:cut].replace("\\", "/") + address[cut:], _UNSAFE)
    try:
        urlsplit(address)
    except ValueError:
        return ""
    return "" if address == "#" else address


@memoised
def _base(page: Page) -> str:
    """The address that relative ones start from: the first `<base href>`, itself relative to the page's URL."""
    own = page.url or ""
    own = own if _is_web(own) else _declared(page)
    for row in (page.tag == NUMBER["base"]).nonzero()[0].tolist():
        href = _harmless(page.attribute(row, "href") or "")
        if href:
            try:
                joined = urljoin(own, href)
            except ValueError:
                break
            return joined if _is_web(joined) else own
    try:
        _origin(own)
    except ValueError:
        return ""
    return own


def _declared(page: Page) -> str:
    """The address that a page gives itself: its canonical one, else that of its OpenGraph metadata; "" for none."""
    for name, attribute, label, part, value in (
        ("link", "rel", "canonical", _CANONICAL, "href"),
        ("meta", "property", "og:url", _OG_URL, "content"),
    ):
        values = attributes.numbered(page, attribute)
        for row in attributes.rows_of(values, with_part(page, attribute, part)).tolist():
            declared = page.attributes(row) if page.tag[row] == NUMBER[name] else {}
            if label in declared.get(attribute, "").lower().split():
                address = _harmless(declared.get(value, ""))
                if _is_web(address):
                    return address
    return ""


def _is_web(address: str) -> bool:
    return address[:5].lower() == "http:" or address[:6].lower() == "https:"
