"""What the crawler reads besides pages: sitemaps, feeds, and what pages say to crawlers."""

from __future__ import annotations

import gzip
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.clock import at_most
from thresher.crawl.page_links import PageLinks, read_page_links
from thresher.crawl.sitemaps import MAX_URLS, SitemapUrls, parse_sitemap
from thresher.crawl.urls import canonical
from thresher.parse import parse

URL = "https://example.org/dir/page"


def seeds(text: str | bytes, encoding: str | None = None) -> SitemapUrls | None:
    return parse_sitemap(text.encode() if isinstance(text, str) else text, URL, encoding)


def page_links(markup: str, **headers: str) -> PageLinks:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return read_page_links(parse(markup, url=URL), named, "thresher")


def test_a_sitemap_gives_its_pages_and_not_their_pictures() -> None:
    found = seeds(
        """<?xml version="1.0"?><!-- <url><loc>https://example.org/comment</loc></url> -->
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">
        <url><loc> https://example.org/a?x=1&amp;y=2 </loc><image:image><image:loc>https://example.org/p.png</image:loc>
        </image:image></url><url><loc><![CDATA[https://example.org/b?x=1&y=2]]></loc></url>
        <url><loc>/relative</loc></url><url><loc>https://example.org/&#x61;</loc></url>
        <url><loc>https://example.org/a?x=1&amp;y=2</loc></url><url><loc>ftp://example.org/</loc></url>"""
    )
    assert found == SitemapUrls(
        (
            "https://example.org/a?x=1&y=2",
            "https://example.org/b?x=1&y=2",
            "https://example.org/relative",
            "https://example.org/a",
        )
    )


def test_a_prefix_of_the_namespace_is_no_hindrance() -> None:
    found = seeds('<sm:urlset xmlns:sm="s"><sm:url><sm:loc>/a</sm:loc><loc>/b</loc></sm:url></sm:urlset>')
    assert found == SitemapUrls(("https://example.org/a",))


def test_an_index_names_further_sitemaps() -> None:
    found = seeds("<sitemapindex><sitemap><loc>/1.xml</loc></sitemap><sitemap><loc>/2.xml.gz</loc></sitemap>")
    assert found == SitemapUrls(sitemaps=("https://example.org/1.xml", "https://example.org/2.xml.gz"))


@pytest.mark.parametrize(
    "text",
    [
        "<rss><channel><item><link>https://example.org/a</link></item><item><guid>https://example.org/b</guid></item>",
        "<rss><item><link><![CDATA[ https://example.org/a ]]></link><guid isPermaLink='false'>77</guid></item>"
        "<item><link/><guid isPermaLink='true'>https://example.org/b</guid></item></rss>",
        '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="/feed"/><entry><link href="/a"/></entry>'
        '<entry><link rel="alternate" type="text/html" href="/b"/><link rel="enclosure" href="/c.mp3"/></entry></feed>',
        '<rdf:RDF xmlns:rdf="r"><item rdf:about="x"><link>/a</link></item><item><link>/b</link></item></rdf:RDF>',
    ],
)
def test_feeds_give_the_pages_of_their_entries(text: str) -> None:
    assert seeds(text) == SitemapUrls(("https://example.org/a", "https://example.org/b"))


def test_a_list_of_addresses_is_a_sitemap_and_any_other_text_is_none() -> None:
    assert seeds("\ufeffhttps://example.org/a\n\nhttps://example.org/b\n") == SitemapUrls(
        ("https://example.org/a", "https://example.org/b")
    )
    for text in ("", "Hello\nhttps://example.org/a", "<html><a href=/x>", "{}", "<urls><loc>/a</loc></urls>"):
        assert seeds(text) is None


def test_packed_and_foreign_spellings_are_read() -> None:
    text = '<?xml version="1.0" encoding="{}"?><urlset><url><loc>https://example.org/ü</loc></url></urlset>'
    expected = SitemapUrls(("https://example.org/%C3%BC",))
    assert seeds(gzip.compress(text.format("utf-8").encode())) == expected
    assert seeds(text.format("iso-8859-1").encode("latin-1")) == expected
    assert seeds(text.format("utf-16").encode("utf-16")) == expected


def test_entities_that_a_file_declares_are_not_expanded() -> None:
    found = seeds(
        '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
        "<urlset><url><loc>https://example.org/&x;</loc></url><url><loc>https://example.org/&b;</loc></url></urlset>"
    )
    assert found == SitemapUrls(("https://example.org/&x;", "https://example.org/&b;"))


@pytest.mark.parametrize(
    "hostile",
    [
        b"<urlset>" + b"<loc>" * 400_000,
        b"<urlset>" + b"<loc><![CDATA[" * 200_000,
        b"<urlset>" + b"<!--" * 500_000,
        b"<rss>" + b"<link " * 400_000,
        b"<rss>" + b"<link a=" * 200_000 + b">" * 10,
        b"<" * 2_000_000,
        gzip.compress(b"<urlset>" + bytes(300_000_000), 1),
    ],
    ids=["loc", "cdata", "comment", "link", "attribute", "bracket", "bomb"],
)
def test_hostile_lists_cost_little(hostile: bytes) -> None:
    with at_most(3):
        seeds(hostile)


def test_a_packed_list_is_unpacked_only_as_far_as_a_sitemap_may_go() -> None:
    large = b"<urlset>" + b" " * 60_000_000 + b"<loc>/beyond</loc>"
    assert seeds(gzip.compress(large, 1)) == seeds(large) == SitemapUrls()


def test_long_lists_are_cut() -> None:
    found = seeds("<urlset>" + "".join(f"<loc>/{number}</loc>" for number in range(MAX_URLS + 10)))
    assert found is not None
    assert len(found.pages) == MAX_URLS
    assert found.pages[-1] == f"https://example.org/{MAX_URLS - 1}"


def test_broken_gzip_is_no_list() -> None:
    packed = gzip.compress(b"<urlset><loc>/a</loc></urlset>")
    assert seeds(b"\x1f\x8b" + packed[5:]) is None
    with pytest.raises(EOFError):
        gzip.decompress(packed[:-4])
    assert seeds(packed[:-4]) == SitemapUrls(("https://example.org/a",))


@given(st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), max_size=20), max_size=5))
def test_whatever_a_program_writes_into_a_sitemap_is_read(names: list[str]) -> None:
    root = ElementTree.Element("urlset")
    for name in names:
        ElementTree.SubElement(ElementTree.SubElement(root, "url"), "loc").text = f"https://example.org/{name}/"
    body = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    wanted = [canonical(f"https://example.org/{name}/") for name in names]
    assert seeds(body) == SitemapUrls(tuple(dict.fromkeys(url for url in wanted if url)))


def test_links_come_in_document_order_each_once() -> None:
    found = page_links(
        """<base href="/base/"><link rel=next href="?2"><meta http-equiv=refresh content="5; URL='/later'">
        <a href="a">1</a><a href="/b#x">2</a><a href="/b">3</a><a href="#top">4</a><area href="c">
        <iframe src="/d"></iframe><a rel="external nofollow" href="/no">5</a>
        <a download href="/file">6</a><a href="mailto:x@y.z">7</a><a>8</a>
        <link rel=stylesheet href="/style"><img src="/picture">"""
    )
    base = "https://example.org/"
    assert found.links == (f"{base}later", f"{base}base/?2", f"{base}base/a", f"{base}b", f"{base}base/c", f"{base}d")


def test_feeds_are_found() -> None:
    found = page_links(
        '<link rel=alternate type="application/rss+xml" href=/rss><link rel="alternate" type="Application/Atom+XML" '
        "href=/atom><link rel=alternate hreflang=de href=/de>"
    )
    assert found.feeds == ("https://example.org/rss", "https://example.org/atom")


@pytest.mark.parametrize(
    ("markup", "headers", "noindex", "nofollow"),
    [
        ("<meta name=robots content='noindex, follow'>", {}, True, False),
        ("<META NAME=ROBOTS CONTENT=NOFOLLOW>", {}, False, True),
        ("<meta name=robots content=none>", {}, True, True),
        ("<meta name=robots content='index,follow,max-snippet:-1'>", {}, False, False),
        ("<meta name=googlebot content=noindex>", {}, False, False),
        ("<meta name=Thresher content='noindex'>", {}, True, False),
        ("", {"x_robots_tag": "noindex"}, True, False),
        ("", {"x_robots_tag": "nosnippet, nofollow"}, False, True),
        ("", {"x_robots_tag": "otherbot: noindex, nofollow"}, False, False),
        ("", {"x_robots_tag": "otherbot: noindex, thresher: nofollow"}, False, True),
        ("", {"x_robots_tag": "noindex, otherbot: nofollow"}, True, False),
        ("", {"x_robots_tag": "unavailable_after: 25 Jun 2030 15:00:00 PST, noindex"}, True, False),
    ],
)
def test_the_wishes_of_a_page_are_read(markup: str, headers: dict[str, str], noindex: bool, nofollow: bool) -> None:
    found = page_links(f"{markup}<a href=/x>x</a>", **headers)
    assert (found.noindex, found.nofollow) == (noindex, nofollow)
    assert found.links == (() if nofollow else ("https://example.org/x",))


@pytest.mark.parametrize(
    ("markup", "headers", "original"),
    [
        ("<link rel=canonical href='/a?utm_source=x#y'>", {}, "https://example.org/a"),
        (
            "",
            {"link": '<https://example.org/style>; rel=preload, <https://example.org/a>; rel="canonical"'},
            "https://example.org/a",
        ),
        ("<link rel=canonical href=/a>", {"link": "</a>; rel=canonical"}, "https://example.org/a"),
        ("<link rel=canonical href=/a><link rel=canonical href=/b>", {}, None),  # which one?
        ("<link rel=canonical href=''>", {}, None),
        ("<link rel=canonical href='javascript:x'>", {}, None),
        ("<a rel=canonical href=/a>", {}, None),
    ],
)
def test_the_original_of_a_page_is_read(markup: str, headers: dict[str, str], original: str | None) -> None:
    assert page_links(markup, **headers).canonical_url == original


@given(st.text(alphabet="<>/= \"'abhreflinkmtou:;,#?&%.", max_size=200), st.text(max_size=40), st.text(max_size=40))
def test_nothing_on_a_page_breaks_the_reading(markup: str, robots: str, link: str) -> None:
    found = page_links(f"<a href=/x {markup}", x_robots_tag=robots, link=link)
    assert all(url.startswith(("http://", "https://")) for url in found.links)
