"""Addresses are read as browsers read them, whatever their spelling."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import FetchError
from thresher.http.urls import canonical_host, join, parse_url

GOOD = [
    ("http://example.org", "http://example.org/"),
    (" \t\nHTTPS://Example.ORG:443/a\n", "https://example.org/a"),
    ("http://example.org:8080/?q=1#part", "http://example.org:8080/?q=1"),
    ("http:\\\\example.org\\a\\..\\b?x\\y", "http://example.org/b?x\\y"),
    ("http:example.org/x", "http://example.org/x"),
    ("http://example.org/a/./b/../c/%2e%2E/d/.", "http://example.org/a/d/"),
    ('http://example.org/über uns?q="ä"', "http://example.org/%C3%BCber%20uns?q=%22%C3%A4%22"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://☃.net/", "http://xn--n3h.net/"),
    ("http://exa\u00admple.org/", "http://example.org/"),
    ("http://example。org/", "http://example.org/"),
    ("http://my_host.example.org./", "http://my_host.example.org/"),
    ("http://good.example\\@evil.example/", "http://good.example/@evil.example/"),
    ("http://good.example@evil.example/", "http://evil.example/"),
    ("http://a:b@c@d.example/", "http://d.example/"),
    ("http://ex\tam\nple.org/", "http://example.org/"),
    ("http://%65xample.org/", "http://example.org/"),
    ("http://[2001:DB8:0::1]:81/", "http://[2001:db8::1]:81/"),
    ("http://1.2.3/", "http://1.2.0.3/"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://0300.0250.1/", "http://192.168.0.1/"),
    ("http://4294967295/", "http://255.255.255.255/"),
    ("http://１２７.０.０.１/", "http://127.0.0.1/"),
    ("http://127.0.0.1./", "http://127.0.0.1/"),
    ("http://0x/", "http://0.0.0.0/"),
]
BAD = """
 | example.org | //example.org | localhost:8000 | file:///etc/passwd | data:text/html,x | javascript:alert(1) | ftp://a.b/
http:// | http:///?x | http://@/ | http://a..b/ | http://.a/ | http://a b/ | http://a%00b/ | http://a%2fb/ | http://a<b/
http://exa／mple.org/ | http://256.1.1.1/ | http://1.2.3.4.5/ | http://09/ | http://0xg.1 | http://4294967296/ | http://1.2.3.256/
http://a:0/ | http://a:65536/ | http://a:８０/ | http://a:-1/ | http://a:1:2/ | http://[::1/ | http://[::1]x/ | http://[::g]/
http://[fe80::1%25eth0]/ | http://[fe80::1%eth0]/ | http://%ff.org/ | http://a.%/ | http://foo.0x7f.1x.09/
"""


@pytest.mark.parametrize(("text", "expected"), GOOD)
def test_spellings_of_an_address_become_one(text: str, expected: str) -> None:
    assert str(parse_url(text)) == expected
    assert str(parse_url(expected)) == expected


@pytest.mark.parametrize(
    "text", [part.strip(" ") for line in BAD.strip("\n").split("\n") for part in line.split(" | ")]
)
def test_what_is_no_web_address_is_refused(text: str) -> None:
    with pytest.raises(FetchError) as caught:
        parse_url(text)
    assert caught.value.reason == "bad_url"


@pytest.mark.parametrize(
    "text", ["http://" + "a" * 64 + ".org/", "http://" + "a." * 130 + "org/", "http://a/" + "x" * 70_000]
)
def test_overlong_addresses_are_refused(text: str) -> None:
    with pytest.raises(FetchError, match="no address to fetch"):
        parse_url(text)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("", "http://h.example/a/b?q"),
        ("#x", "http://h.example/a/b?q"),
        ("?r", "http://h.example/a/b?r"),
        ("c", "http://h.example/a/c"),
        ("../../c", "http://h.example/c"),
        ("/c?d#e", "http://h.example/c?d"),
        ("//o.example/c", "http://o.example/c"),
        ("\\\\o.example\\c", "http://o.example/c"),
        ("http:c", "http://h.example/a/c"),
        ("https:o.example", "https://o.example/"),
        ("https://o.example", "https://o.example/"),
        (" \n/c ", "http://h.example/c"),
        ("c:d", None),
        ("file:///etc/passwd", None),
        ("data:text/html,x", None),
        ("//", None),
    ],
)
def test_references_are_resolved_as_in_browsers(reference: str, expected: str | None) -> None:
    base = parse_url("http://u:p@h.example/a/b?q")
    if expected is None:
        with pytest.raises(FetchError):
            join(base, reference)
    else:
        found = join(base, reference)
        assert str(found) == expected
        assert found.userinfo == ""


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.lists(st.sampled_from("dox"), min_size=4, max_size=4))
def test_every_spelling_of_an_ipv4_address_is_the_same_host(number: int, parts: int, bases: list[str]) -> None:
    """Numbers of 8 bits, the last of what is left, each in one of three bases: what inet_aton takes."""
    heads = [number >> (24 - 8 * place) & 255 for place in range(parts - 1)]
    last = number & (1 << 8 * (5 - parts)) - 1
    spell = {"d": str, "o": lambda n: f"0{n:o}", "x": lambda n: f"0x{n:X}"}
    spelling = ".".join(spell[base](value) for base, value in zip(bases, [*heads, last], strict=False))
    assert canonical_host(spelling) == str(ipaddress.IPv4Address(number))


@given(st.text(max_size=40), st.sampled_from(["http://", "https://h.example/", "", "http:\\\\a@"]))
def test_any_text_gives_an_address_that_reads_the_same_again_or_bad_url(text: str, start: str) -> None:
    try:
        found = str(parse_url(start + text))
    except FetchError as error:
        found = error.reason
    assert found == "bad_url" or str(parse_url(found)) == found
    assert found.isascii()
    assert not set(found) & set(' "<>\r\n\t\0')
