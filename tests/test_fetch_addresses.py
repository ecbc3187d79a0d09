"""Only public addresses, in whatever form a private one comes."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import FetchError
from thresher.fetch.addresses import Policy, is_public
from thresher.fetch.gate import Gate
from thresher.http.urls import canonical_host

REFUSED = """
0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255
192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
:: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.1.2.3 ::ffff:0:8.8.8.8 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe
64:ff9b:1::1 64:ff9b:1::8.8.8.8 100::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1
3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 ff0e::1
2001:0:808:808:0:0:80ff:fffe 2606:4700::5efe:127.0.0.1 2606:4700::200:5efe:10.0.0.1 4000::1 junk
"""
PUBLIC = """
1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 172.15.255.255 172.32.0.1 192.0.1.1 192.167.255.255
198.17.255.255 198.20.0.1 223.255.255.255 2606:4700::1111 2a00:1450:4001::200e ::ffff:8.8.8.8 64:ff9b::8.8.8.8
2002:808:808::1 2001:200::1 2001:0:808:808:0:0:f7f7:f7f7 2606:4700::5efe:8.8.8.8
"""

# Builders of IPv6 addresses around an IPv4 address.
SHELLS = {
    "mapped": lambda four: 0xFFFF << 32 | four,
    "compatible": lambda four: four,
    "translated": lambda four: 0xFFFF << 48 | four,
    "nat64": lambda four: 0x64FF9B << 96 | four,
    "nat64 local": lambda four: 0x64FF9B0001 << 80 | four,
    "6to4": lambda four: 0x2002 << 112 | four << 80 | 1,
    "teredo server": lambda four: 0x20010000 << 96 | four << 64 | 0xF7F7F7F7,
    "teredo client": lambda four: 0x20010000 << 96 | 0x08080808 << 64 | four ^ 0xFFFFFFFF,
    "isatap": lambda four: 0x26064700 << 96 | 0x5EFE << 32 | four,
    "isatap, global": lambda four: 0x26064700 << 96 | 0x02005EFE << 32 | four,
}

private_ipv4 = st.sampled_from(
    [ipaddress.ip_network(block) for block in "10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 "
     "100.64.0.0/10 0.0.0.0/8 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4".split()]
).flatmap(lambda net: st.integers(int(net.network_address), int(net.broadcast_address)))  # fmt: skip


@pytest.mark.parametrize("address", REFUSED.split())
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@given(private_ipv4, st.sampled_from(sorted(SHELLS)))
def test_a_private_address_is_refused_in_every_shell(four: int, shell: str) -> None:
    assert not is_public(IPv4Address(four))
    assert not is_public(IPv6Address(SHELLS[shell](four)))


@given(st.integers(0, 2**32 - 1) | private_ipv4)
def test_nothing_that_the_standard_library_calls_private_is_public(four: int) -> None:
    """`ipaddress` as a naive twin: it misses multicast and some more, but what it refuses, we refuse."""
    address = IPv4Address(four)
    if not address.is_global:
        assert not is_public(address) or address in ipaddress.ip_network("192.0.0.0/16")
    if is_public(address):
        assert not any((address.is_private, address.is_multicast, address.is_reserved, address.is_loopback))


@given(
    st.integers(0, 2**128 - 1)
    | st.builds(lambda a, b: a << 96 | b, st.integers(0, 2**32 - 1), st.integers(0, 2**96 - 1))
)
def test_a_public_ipv6_address_is_global_for_the_standard_library_too(bits: int) -> None:
    address = IPv6Address(bits)
    if is_public(address) and not address.ipv4_mapped:
        assert not any((address.is_multicast, address.is_link_local, address.is_site_local, address.is_loopback))
        assert bits >> 125 == 1 or bits >> 32 == 0x64FF9B << 64


SPELLINGS = """
{dotted} {d} {d}. 0x{x:x} 0{x:o} %3{first}{rest} {wide} [::ffff:{dotted}] [64:ff9b::{dotted}] x@{d} example.org@{dotted}
""".split()


@given(private_ipv4, st.sampled_from(SPELLINGS))
def test_every_spelling_of_a_private_address_is_refused_by_the_gate(four: int, spelling: str) -> None:
    digits = str(four)
    place = spelling.format(
        d=digits, x=four, first=digits[0], rest=digits[1:], dotted=IPv4Address(four),
        wide="".join(chr(0xFF10 + int(digit)) for digit in digits),
    )  # fmt: skip
    with Gate(retries=0) as gate, pytest.raises(FetchError) as caught:
        gate.fetch(f"http://{place}/")
    assert caught.value.reason == "blocked_address"


def test_a_named_host_is_allowed_under_its_name_and_port_only() -> None:
    named = Policy.of(["localhost:8000", "Box.Example.", "[::1]:8080", "::2", "0x7f.1:80"])

    def allows(address: str, host: str, port: int) -> bool:
        return named.permits(address, canonical_host(host), port)

    assert allows("127.0.0.1", "LOCALHOST.", 8000)
    assert not allows("127.0.0.1", "localhost", 8001)
    assert not allows("127.0.0.1", "other", 8000)
    assert allows("10.1.1.1", "box.example", 1)
    assert allows("::1", "::1", 8080)
    assert not allows("::1", "::1", 8081)
    assert allows("::2", "[::0:2]", 5)
    assert allows("127.0.0.1", "2130706433", 80)
    assert not allows("127.0.0.1", "a.box.example", 80)
    assert allows("8.8.8.8", "anything.example", 80)
    assert Policy.of("localhost") == Policy.of(["localhost"])


@pytest.mark.parametrize(
    "entry", ["", "http://localhost", "localhost:", "localhost:x", "localhost:0", "a b", "*", "[::1", "10.0.0.0/8"]
)
def test_an_entry_that_names_no_host_says_how_to_write_one(entry: str) -> None:
    with pytest.raises(FetchError, match="HOST:PORT"):
        Policy.of([entry])
