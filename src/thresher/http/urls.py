"""Web addresses as browsers read them, so that what is judged is what is asked for.

    parse_url("HTTP://0x7f.1\\@x/a/../b c#d")  ->  http://127.0.0.1/@x/b%20c

The rules are those of the WHATWG URL standard for http and https: blanks at the ends and line breaks anywhere are
ignored, a backslash is a slash, the host is what stands after the last @, host names are percent-decoded and mapped
(full-width digits, ideographic full stops), and a host that ends in a number is an IPv4 address in whatever spelling:
2130706433, 0177.1, 0x7f.0.0.1.  Fragments are dropped: no server sees them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from thresher.errors import FetchError, MissingExtra

__all__ = [
    "DEFAULT_PORTS",
    "MAX_LINK_LENGTH",
    "WebUrl",
    "canonical_host",
    "join",
    "parse_url",
    "percent_encode",
    "trim",
    "without_www",
]

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_LINK_LENGTH = 8_000  # characters; a longer link on a page is data, not an address
_MAX_URL_LENGTH = 65_536  # characters
_MAX_HOST_LENGTH = 253
_C0_AND_SPACE = "".join(map(chr, range(33)))
_LINE_BREAKS_AND_TABS = str.maketrans("", "", "\t\n\r")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_SLASHES = re.compile(r"[/\\]*")
_NOT_IN_TARGET = re.compile(r"[^A-Za-z0-9!$%&'()*+,\-./:;=?@\[\]^_|~\\]")
_DOTS = re.compile(r"\.|%2e", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")


@dataclass(frozen=True, slots=True)
class WebUrl:
    """An address taken apart.  The host is canonical: lower-case ASCII, or an IP address in its usual spelling."""

    scheme: str
    host: str
    port: int
    target: str  # path and query
    userinfo: str = ""  # still percent-encoded; never printed

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host and, where it is not the scheme's own, port: the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"


def parse_url(text: str) -> WebUrl:
    """An absolute address taken apart; FetchError `bad_url` for anything that is no http or https address."""
    text = _trimmed(text)
    scheme, rest = _scheme(text)
    if scheme is None:
        raise _bad(text, "start it with https:// or http://")
    return _absolute(text, scheme, rest)


def join(base: WebUrl, reference: str) -> WebUrl:
    """Where a reference on a page of `base` leads."""
    text = _trimmed(reference)
    scheme, rest = _scheme(text)
    if scheme is not None and scheme != base.scheme:
        return _absolute(text, scheme, rest)
    path, mark, query = rest.partition("#")[0].partition("?")
    path = path.replace("\\", "/")
    if path.startswith("//"):
        return _absolute(text, base.scheme, path + mark + query)
    own_path, _, own_query = base.target.partition("?")
    if not path:
        path, mark, query = own_path, "?" if mark or own_query else "", query if mark else own_query
    elif not path.startswith("/"):
        path = own_path.rpartition("/")[0] + "/" + path
    return WebUrl(base.scheme, base.host, base.port, _target(path, mark, query))


def canonical_host(text: str) -> str:
    """The one spelling of a host: `EXAMPLE.org.` is example.org, `0x7f.1` is 127.0.0.1, `[::0:1]` is ::1."""
    if text.startswith("[") or ":" in text:
        inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        try:
            if "%" in inner:
                raise ValueError("zone identifiers name interfaces of this machine")
            from ipaddress import IPv6Address  # few addresses need it

            return str(IPv6Address(inner))
        except ValueError as error:
            raise _bad(text, f"the host is no IPv6 address ({error})") from None
    try:
        name = unquote_to_bytes(text).decode("utf-8")
    except UnicodeError:
        raise _bad(text, "the host is not valid UTF-8") from None
    name = (name if name.isascii() else _ascii(name)).lower().removesuffix(".")
    if not _HOST.fullmatch(name) or len(name) > _MAX_HOST_LENGTH:
        raise _bad(text, "this is no host name")
    return _ipv4(name) if _NUMBER.fullmatch(name.rpartition(".")[2]) else name


def trim(text: str, also: str = "") -> str:
    """What the WHATWG standard reads of an address: no controls and spaces at the ends, no tabs and line breaks at all.
    `also` are further characters to take off the ends."""
    return text.strip(_C0_AND_SPACE + also).translate(_LINE_BREAKS_AND_TABS)


def percent_encode(text: str, unsafe: re.Pattern[str]) -> str:
    """The text with all that matches percent-encoded, as UTF-8."""
    return unsafe.sub(_percent_encoded, text)


def without_www(host: str) -> str:
    """The host as sites are compared: with and without `www.` is one."""
    return host.removeprefix("www.")


def _percent_encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _trimmed(text: str) -> str:
    text = trim(text)
    if len(text) > _MAX_URL_LENGTH:
        raise _bad(text, f"it has more than {_MAX_URL_LENGTH:,} characters")
    return text


def _scheme(text: str) -> tuple[str | None, str]:
    """The scheme, if the text has one, and what follows; FetchError for one that is not of the web."""
    match = _SCHEME.match(text)
    if not match:
        return None, text
    scheme = match[1].lower()
    if scheme not in DEFAULT_PORTS:
        # `localhost:8000/x` looks like a scheme, but it is a forgotten one.
        hint = "start it with https:// or http://" if text[match.end() :][:1].isdigit() else f"not {scheme}:"
        raise _bad(text, f"only http and https addresses are fetched; {hint}")
    return scheme, text[match.end() :]


def _absolute(text: str, scheme: str, rest: str) -> WebUrl:
    rest = rest[_SLASHES.match(rest).end() :]  # type: ignore[union-attr]
    rest, mark, query = rest.partition("#")[0].partition("?")
    authority, slash, path = rest.replace("\\", "/").partition("/")
    userinfo, _, place = authority.rpartition("@")
    host, port = _host_and_port(text, place)
    return WebUrl(scheme, host, port or DEFAULT_PORTS[scheme], _target(slash + path, mark, query), userinfo)


def _host_and_port(text: str, place: str) -> tuple[str, int | None]:
    end = place.find("]") + 1 if place.startswith("[") else place.find(":")
    host, rest = (place, "") if end < 0 else (place[:end], place[end:])
    if not host or (rest and not rest.startswith(":")):
        raise _bad(text, "it has no proper host")
    digits = rest[1:]
    if not digits:
        return canonical_host(host), None
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and 0 < int(digits) < 65536):
        raise _bad(text, "the port is no number from 1 to 65535")
    return canonical_host(host), int(digits)


def _target(path: str, mark: str, query: str) -> str:
    """Path and query with . and .. resolved and everything odd percent-encoded."""
    kept: list[str] = []
    segments = path.split("/")[1:] or [""]
    for segment in segments:
        dots = _DOTS.sub(".", segment)
        if dots == ".." and kept:
            kept.pop()
        if dots not in (".", ".."):
            kept.append(segment)
    if dots in (".", ".."):
        kept.append("")
    return percent_encode("/" + "/".join(kept) + mark + query, _NOT_IN_TARGET)


def _ascii(name: str) -> str:
    """An international name as it stands in the DNS: mapped as UTS 46 says, and each label in punycode."""
    try:
        import idna
    except ImportError as missing:
        raise MissingExtra("international host names need: pip install 'thresher[fetch]'") from missing
    try:
        labels = idna.uts46_remap(name, std3_rules=False).split(".")
        # Letter by letter, not idna.encode: browsers also take names that IDNA 2008 refuses (☃.net).
        return ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in labels)
    except UnicodeError as error:  # idna.IDNAError is one
        raise _bad(name, f"this is no host name ({error})") from None


def _ipv4(name: str) -> str:
    """An IPv4 address of one to four numbers, each decimal, octal (0…) or hexadecimal (0x…); the last fills up."""
    try:
        numbers = [_number(part) for part in name.split(".")]
        last = numbers.pop()
        if len(numbers) > 3 or any(number > 255 for number in numbers) or last >= 256 ** (4 - len(numbers)):
            raise ValueError
    except ValueError:
        raise _bad(name, "the host ends in a number but is no IPv4 address") from None
    high = sum(number << (24 - 8 * place) for place, number in enumerate(numbers))
    from ipaddress import IPv4Address

    return str(IPv4Address(high + last))


def _number(part: str) -> int:
    if not _NUMBER.fullmatch(part):
        raise ValueError
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if part.startswith("0") else 10)


def _bad(text: str, why: str) -> FetchError:
    shown = text if len(text) <= 200 else text[:199] + "…"
    return FetchError(f"{shown!r} is no address to fetch: {why}", "bad_url", shown)
