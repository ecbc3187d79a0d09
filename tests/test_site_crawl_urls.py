"""Addresses: one spelling for each page, what belongs to the site, and what is a trap."""

from __future__ import annotations

from datetime import date
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawl.scope import Reach, Scope
from thresher.crawl.traps import TrapLimits, shape, trap
from thresher.crawl.urls import canonical, host_of, key, origin
from thresher.http.domains import registrable_domain

TODAY = date(2024, 5, 17)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:443/a", "http://example.org:443/a"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://bücher.example/ü?q=ü", "http://xn--bcher-kva.example/%C3%BC?q=%C3%BC"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://[2001:DB8::0:1]:80/", "http://[2001:db8::1]/"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/a/%2e%2E/b/..", "http://example.org/"),
        ("http://example.org/../../a", "http://example.org/a"),
        ("http://example.org/%7euser/%c3%bc", "http://example.org/~user/%C3%BC"),
        ("http://example.org/a%2Fb%3f", "http://example.org/a%2Fb%3F"),
        ("http://example.org/a b|c", "http://example.org/a%20b%7Cc"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://example.org/a#b", "http://example.org/a"),
        ("http://example.org/a?", "http://example.org/a"),
        ("http://example.org/a?&&b&c=", "http://example.org/a?b&c="),
        ("http://example.org/a?b=2&a=1", "http://example.org/a?b=2&a=1"),
        ("http://example.org/?utm_source=x&id=3&gclid=y&fbclid=z", "http://example.org/?id=3"),
        ("http://example.org/?UTM_Campaign=x", "http://example.org/"),
        ("http://example.org/?sid=0123456789abcdef0123456789abcdef&s=blue", "http://example.org/?s=blue"),
        ("http://example.org/?PHPSESSID=a1&p=2", "http://example.org/?p=2"),
        ("http://example.org/shop;jsessionid=1F/x", "http://example.org/shop/x"),
        ("http://example.org/(S(abcdefghij0123456789abcd))/x", "http://example.org/x"),
        ("http://example.org\\a\\b", "http://example.org/a/b"),
        (" \n http://exa\tmple.org/a\n", "http://example.org/a"),
        ("//other.org/x", "https://other.org/x"),
        ("?page=2", "https://example.org/base/page?page=2"),
        ("", "https://example.org/base/page?x=1"),
        ("#top", "https://example.org/base/page?x=1"),
        ("../up", "https://example.org/up"),
    ],
)
def test_an_address_has_one_spelling(address: str, expected: str) -> None:
    assert canonical(address, "https://example.org/base/page?x=1") == expected


@pytest.mark.parametrize(
    "address",
    [
        "mailto:a@example.org",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://user:secret@example.org/",
        "http://exa mple.org/",
        "http://[::1",
        "http://example.org:99999/",
        "http://example.org/" + "x" * 9000,
    ],
)
def test_what_is_no_page_on_the_web_is_nothing(address: str) -> None:
    assert canonical(address, "https://example.org/") is None


def test_a_query_is_written_in_the_encoding_of_its_page() -> None:
    base = "http://example.org/"
    assert canonical("/ü?q=ü", base, "iso-8859-1") == "http://example.org/%C3%BC?q=%FC"
    assert canonical("?q=я#я", base, "windows-1251") == "http://example.org/?q=%FF"
    assert canonical("?q=я", base, "iso-8859-1") == "http://example.org/?q=%D1%8F"  # it has no such letter
    assert canonical("?q=ü", base, "utf-16le") == canonical("?q=ü", base, "no-such") == "http://example.org/?q=%C3%BC"


_PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            ["/", "//", ".", "..", "%2e", "%2E%2e", "?", "&", "=", "#", ";sid=1", "%", "%4", "%41", "utm_x=1"]
        ),
        st.text(max_size=3),
        st.sampled_from(
            ["/(S(aaaaaaaaaaaaaaaaaaaaaaaa))", "sid=" + "a" * 32, ";jsessionid=", "\\", " ", "ü", "\ud800"]
        ),
    ),
    max_size=8,
).map("".join)


@given(_PIECES)
def test_the_one_spelling_is_its_own_spelling(tail: str) -> None:
    url = canonical(f"http://example.org/{tail}")
    assert url is not None
    assert canonical(url) == url
    assert url.isascii()
    assert url.isprintable()
    assert "#" not in url
    assert not {".", ".."} & set(urlsplit(url).path.split("/"))
    assert key(url) == key(key(url))
    assert origin(url) == "http://example.org"
    assert host_of(url) == "example.org"


_HOSTS = st.one_of(
    st.text("ab1-_.xn", min_size=1, max_size=8),
    st.sampled_from(
        ["127.0.0.1", "0x7f.1", "a.0x1", "xn--bcher-kva.de", "a" * 64 + ".org", "a." * 126 + "org", "1.a", "A.org"]
    ),
)


@given(_HOSTS, st.one_of(_PIECES, st.text("/a._~%(S);", max_size=12)))
def test_the_short_cut_leads_to_the_same_place(host: str, tail: str) -> None:
    address = f"http://{host}/{tail}".rstrip("".join(map(chr, range(33))))
    assert canonical(address) == canonical(f"{address}#")  # a fragment is not on the short cut


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("123")), max_size=5), st.randoms())
def test_the_order_of_parameters_does_not_tell_pages_apart(pairs: list[tuple[str, str]], random) -> None:  # type: ignore[no-untyped-def]
    # Parameters of one name keep their order: a list is not the list turned around.
    names = [name for name, _ in pairs]
    random.shuffle(names)
    values = {name: iter([value for other, value in pairs if other == name]) for name in names}
    mixed = [(name, next(values[name])) for name in names]
    one, other = (canonical("http://h/?" + "&".join(f"{a}={b}" for a, b in some)) for some in (pairs, mixed))
    assert one is not None
    assert other is not None
    assert key(one) == key(other)
    assert sorted(parse_qsl(urlsplit(one).query)) == sorted(pairs)


@pytest.mark.parametrize(
    ("reach", "inside", "outside"),
    [
        (
            "domain",
            ["http://blog.example.co.uk/", "https://example.co.uk/", "http://example.co.uk:8080/x"],
            [
                "https://other.co.uk/",
                "https://example.co.uk.evil.com/",
                "https://example.com/",
                "https://example.co.uk:9/",
            ],
        ),
        (
            "host",
            ["http://example.co.uk:8080/y", "http://www.example.co.uk:8080/"],
            ["http://blog.example.co.uk:8080/", "http://example.co.uk/"],
        ),
        (
            "path",
            ["http://example.co.uk:8080/docs", "http://example.co.uk:8080/docs/a?b"],
            ["http://example.co.uk:8080/", "http://example.co.uk:8080/docs2", "http://example.co.uk:8080/x/docs/"],
        ),
    ],
)
def test_the_scope_is_domain_host_or_folder(reach: Reach, inside: list[str], outside: list[str]) -> None:
    scope = Scope.around(["http://www.example.co.uk:8080/docs"], reach)
    assert [url for url in inside if not scope.covers(url)] == []
    assert [url for url in outside if scope.covers(url)] == []


@pytest.mark.parametrize(
    ("seed", "inside", "outside"),
    [
        ("http://h.org/a/b.html", "http://h.org/a/c/d", "http://h.org/"),
        ("http://h.org/a/", "http://h.org/a", "http://h.org/ab"),
        ("http://h.org/", "http://h.org/x", "http://g.org/"),
    ],
)
def test_a_file_stands_for_its_folder(seed: str, inside: str, outside: str) -> None:
    scope = Scope.around([seed], "path")
    assert scope.covers(inside)
    assert not scope.covers(outside)


def test_addresses_and_bare_names_are_sites_of_their_own() -> None:
    for seed in ("http://127.0.0.1:8000/", "http://localhost:8000/", "http://[::1]:8000/"):
        scope = Scope.around([seed], "domain")
        assert scope.covers(f"{seed}x")
        assert not scope.covers(seed.replace("8000", "8001"))
        assert not scope.covers("http://127.0.0.2:8000/")


def test_hosters_are_no_sites() -> None:
    assert registrable_domain("www.example.co.uk") == "example.co.uk"
    assert registrable_domain("anna.github.io") == "anna.github.io"
    assert registrable_domain("anna.github.io", hosters=True) == "github.io"
    assert registrable_domain("co.uk") == registrable_domain("10.0.0.1") == registrable_domain("localhost") == ""


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/article", None),
        ("/photo.JPG", "not_a_page"),
        ("/photo.jpg?size=2", "not_a_page"),
        ("/download.php?file=x.zip", None),
        ("/wiki/File:Flail.jpg", None),
        ("/tags/node.js", None),
        ("/manual.pdf", None),
        ("/a/b/a/b", None),
        ("/a/b/a/b/a/b", "repeating_path"),
        ("/2011/11/11/11-things", None),
        ("/0/0/0", None),
        ("/0/0/0/0", "repeating_path"),
        ("/" + "/".join(map(str, range(21))), "path_too_deep"),
        ("/" + "x" * 2000, "url_too_long"),
        ("/2025/12/", None),
        ("/2026/01/", "calendar"),
        ("/history/1848/03/18", None),
        ("/rtx-3090-12-gb", None),
        ("/calendar/1975/03", "calendar"),
        ("/events/1848-revolution", None),
        ("/calendar/2024/05/17", None),
        ("/x?month=5&year=2026", "calendar"),
        ("/x?date=1901-01-01", "calendar"),
        ("/x?year=2024", None),
        ("/x?id=9999", None),
    ],
)
def test_traps_are_told_by_their_addresses(path: str, reason: str | None) -> None:
    assert trap(f"http://example.org{path}", TrapLimits(), TODAY) == reason


def test_endless_addresses_have_one_shape() -> None:
    assert shape("http://h/list?page=1&sort=a") == shape("http://h/list?x") == "http://h/list"
    assert shape("http://h/calendar/2024/05/17") == shape("http://h/calendar/1999/1/1")
    assert shape("http://h/article/17") is None
