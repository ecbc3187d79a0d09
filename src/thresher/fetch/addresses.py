"""Which addresses may be connected to: those of the public internet, and what the caller named.

An IPv4 address is public unless it lies in a block that the IANA registry of special-purpose addresses keeps from
global unicast.  An IPv6 address is public if it lies in 2000::/3, outside such blocks.  Addresses that carry another
one are judged by it, since packets to them end up there:

    ::ffff:a.b.c.d                    IPv4-mapped: the kernel connects to a.b.c.d
    64:ff9b::a.b.c.d                  NAT64 (RFC 6052), how networks without IPv4 reach the rest
    2002:aabb:ccdd::                  6to4
    2001:0:server:…:~client           Teredo: both of its addresses
    …:0:5efe:a.b.c.d, …:200:5efe:…    ISATAP, in any prefix

All other forms (IPv4-compatible ::a.b.c.d, translated ::ffff:0:a.b.c.d, NAT64 for local use 64:ff9b:1::/48, unique
local, link local, site local) lie outside 2000::/3 and are refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from thresher.errors import FetchError
from thresher.http.urls import canonical_host

__all__ = ["REFUSED_PORTS", "Policy", "embedded_ipv4", "is_public"]

# Ports of services that are no web servers and might take the lines of a request for commands: those that browsers
# refuse (https://fetch.spec.whatwg.org/#port-blocking), and Redis and memcached.
REFUSED_PORTS = frozenset(
    map(
        int,
        """
        0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119
        123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989
        990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
        6379 11211
        """.split(),
    )
)

_REFUSED_4 = tuple(
    IPv4Network(block)
    for block in """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    168.63.129.16/32
    """.split()  # the last one is public by number, but on Azure it is the machine's own host
)
_GLOBAL_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_TEREDO = IPv6Network("2001::/32")
_REFUSED_6 = tuple(IPv6Network(block) for block in "2001::/23 2001:db8::/32 3fff::/20".split())
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


def embedded_ipv4(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses that an IPv6 address carries."""
    bits = int(address)
    last = IPv4Address(bits & 0xFFFFFFFF)
    addresses: tuple[IPv4Address, ...] = ()
    if address.ipv4_mapped or address in _NAT64:
        addresses += (last,)
    if bits >> 112 == 0x2002:
        addresses += (IPv4Address(bits >> 80 & 0xFFFFFFFF),)
    if address in _TEREDO:
        addresses += (IPv4Address(bits >> 64 & 0xFFFFFFFF), IPv4Address(~bits & 0xFFFFFFFF))
    if bits >> 32 & 0xFFFFFFFF in _ISATAP:
        addresses += (last,)
    return addresses


def is_public(address: str | IPv4Address | IPv6Address) -> bool:
    """Whether this is a global unicast address, and so is every address within it."""
    if isinstance(address, str):
        try:
            address = ip_address(address.partition("%")[0])  # a zone changes the interface, not the kind
        except ValueError:
            return False
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _REFUSED_4)
    inner = embedded_ipv4(address)
    if not all(map(is_public, inner)):
        return False
    if address.ipv4_mapped or address in _NAT64 or address in _TEREDO:
        return True
    return address in _GLOBAL_6 and not any(address in block for block in _REFUSED_6)


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may be talked to: public addresses, and any address of the hosts (and ports) that were named."""

    named: frozenset[tuple[str, int | None]] = frozenset()

    @classmethod
    def of(cls, allow_hosts: Iterable[str]) -> Policy:
        """From `HOST` or `HOST:PORT`; an IPv6 address with a port stands in brackets, `[::1]:8080`."""
        entries = [allow_hosts] if isinstance(allow_hosts, str) else allow_hosts
        return cls(frozenset(map(_entry, entries)))

    def names(self, host: str, port: int) -> bool:
        """Whether this host was named, for this port or for all."""
        return (host, None) in self.named or (host, port) in self.named

    def permits(self, address: str, host: str, port: int) -> bool:
        """Whether `address`, to which the canonical name `host` led, may be connected to."""
        return is_public(address) or self.names(host, port)


def _entry(text: str) -> tuple[str, int | None]:
    host, _, digits = text.strip().rpartition(":")
    has_port = host and (":" not in host or host.endswith("]"))
    if not has_port:
        host, digits = text.strip(), ""
    try:
        if has_port and not (digits.isascii() and digits.isdigit() and 0 < int(digits) < 65536):
            raise FetchError("no port", "bad_url")
        return canonical_host(host), int(digits) if has_port else None
    except FetchError:
        raise FetchError(
            f"{text!r} names no host to allow; write HOST or HOST:PORT, such as localhost:8000", "bad_url"
        ) from None
