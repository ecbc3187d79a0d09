"""Media: which images belong to the content, and where they are loaded from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import output as naive
from tests.strategies import pages
from thresher.output import media_mask, to_markdown
from thresher.output.media import in_content, picture
from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.parse import parse
from thresher.visible.readable import readable

URL = "https://example.org/a/b.html"


def image(tag: str) -> str | None:
    """The address of the first image."""
    page = parse(f"<p>text</p>{tag}", url=URL)
    found = picture(page, next(row for row in range(len(page)) if page.name(row) == "img"), Resolver(page))
    return found.address.removeprefix("https://example.org") if found else None


def names(page: Page, mask: np.ndarray) -> list[str]:
    return [page.name(row) for row in np.flatnonzero(mask).tolist()]


@settings(max_examples=100, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000))
def test_media_go_with_the_nearest_element_that_has_text(page, seed):
    keep = readable(page) & (np.random.default_rng(seed).random(len(page.start)) < 0.5)
    assert in_content(page, keep).tolist() == [naive.in_content(page, keep, row) for row in range(len(page))]


def test_an_image_belongs_to_the_content_if_half_of_the_text_around_it_is_kept():
    page = parse("<div><p>abcd</p><img src=/1.png><p>efgh</p></div><aside>ijkl<img src=/2.png></aside>")
    assert np.flatnonzero(media_mask(page, np.array([True, False, False]))).tolist() == [
        next(row for row in range(len(page)) if page.name(row) == "img")
    ]


@pytest.mark.parametrize(
    "figure",
    [
        "<figure><img src=/1.png><figcaption>mnopqrs</figcaption></figure>",
        "<div class=wp-caption><img src=/1.png><p class=wp-caption-text>mnopqrs</p></div>",
        "<div><img src=/1.png><span class=ImageCaption>mnopqrs</span></div>",
    ],
)
def test_a_picture_stays_with_the_article_when_its_caption_is_left_out(figure):
    page = parse(f"<article><p>abcd</p>{figure}<p>efgh</p></article><aside><p>ijkl</p>{figure}</aside>")
    rows = [row for row in range(len(page)) if page.name(row) == "img"]
    keep = np.array([text in ("abcd", "efgh") for text in page.text])
    assert media_mask(page, keep).nonzero()[0].tolist() == rows[:1]
    captions = np.array([text == "mnopqrs" for text in page.text])
    assert media_mask(page, captions).nonzero()[0].tolist() == rows


def test_chosen_elements_decide_where_a_method_gives_them():
    page = parse("<div><p>abcd</p><img src=/1.png></div><aside>ijkl<img src=/2.png></aside>")
    chosen = np.zeros(len(page), bool)
    aside = next(row for row in range(len(page)) if page.name(row) == "aside")
    chosen[aside : page.end[aside]] = True
    keep = np.array([True, False])
    assert media_mask(page, keep, chosen).nonzero()[0].tolist() == [aside + 1]
    assert "2.png" in to_markdown(page, keep, elements=chosen)


def test_no_media_without_kept_text():
    page = parse("<p>abcd</p><img src=/1.png><hr>")
    assert not media_mask(page, np.zeros(1, bool)).any()


def test_films_count_where_their_player_is_known():
    page = parse(
        "<p>text</p><iframe src='https://player.vimeo.com/video/12'></iframe><iframe src='https://x.example/'></iframe>"
        "<video src=/a.mp4></video><hr><math alttext='x'></math>"
    )
    assert names(page, media_mask(page, readable(page))) == ["iframe", "video", "hr", "math"]


def test_hidden_images_are_no_content():
    page = parse("<p>text</p><div hidden><img src=/1.png></div><template><img src=/2.png></template>")
    assert not media_mask(page, readable(page)).any()


@pytest.mark.parametrize(
    ("tag", "address"),
    [
        ("<img src=/x.png>", "/x.png"),
        ("<img src=x.png>", "/a/x.png"),
        ("<img src=data:image/gif;base64,AA data-src=/late.png>", "/late.png"),
        ("<img src=/small.png data-original=/big.png>", "/big.png"),
        ("<img src=/spacer.gif data-lazy-src=/late.png>", "/late.png"),
        ("<img src=/gray-wolf.jpg>", "/gray-wolf.jpg"),
        ("<img src=/pixel-art.png>", "/pixel-art.png"),
        ("<img src=/img/placeholder-600x400.png>", None),
        ("<img src=/spacer.gif>", None),
        ("<img src=/img/blank.gif width=200 height=20>", None),
        ("<img src=/pixel.gif>", None),
        ("<img src=/assets/placeholder.svg>", None),
        ("<img src=/trans.gif>", None),
        ("<img src=/trans-siberian.png>", "/trans-siberian.png"),
        ("<img src=/i.png width=1 height=1>", None),
        ("<img src=data:image/gif;base64,R0lGOD data-src=/late.png>", "/late.png"),
        ("<img src=/icon.png width=24 height=24>", None),
        ("<img src=/icon.png width=32px height=32px alt=''>", None),
        ("<img src=/icon.png style='width: 16px; height: 16px'>", None),
        ("<img src=/icon.png width=24 height=24 title=Boat>", "/icon.png"),
        ("<img src=/icon.png width=24 height=24 alt=Boat>", "/icon.png"),
        ("<img src=/icon.png width=24>", "/icon.png"),
        ("<img src=/icon.png width=16 height=9 style='min-width: 100%'>", "/icon.png"),
        ("<img src=/icon.png width=20% height=20%>", "/icon.png"),
        ("<img src=/i.png width=33 height=32>", "/i.png"),
        ("<img srcset='/1.png 100w, /2.png 800w, /3.png 5000w'>", "/2.png"),
        ("<img srcset='/w_100,h_100/1.png 1x, /w_200,h_200/2.png 2x'>", "/w_200,h_200/2.png"),
        ("<img srcset='/only.png'>", "/only.png"),
        ("<img srcset='/a.png 9000w, /b.png 5000w'>", "/b.png"),
        ("<picture><source data-srcset='/p.webp'><img src=data:,x></picture>", "/p.webp"),
        ("<img src=/x.png width=1 height=1>", None),
        ("<img src=javascript:x>", None),
        ("<img alt=nothing>", None),
    ],
)
def test_an_image_is_loaded_from_its_best_address(tag, address):
    assert image(tag) == address


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<img src=data:,x alt=a><noscript><img src=/1.png alt=b></noscript>", ["1.png"]),
        ("<img src=/1.png><noscript><img src=/1.png></noscript>", ["1.png"]),
        ("<noscript><img src=/1.png></noscript>", ["1.png"]),
        ("<noscript><img src=/1.png width=1 height=1></noscript>", []),
        ("<noscript><div><img src=/1.png style='position:fixed;left:-9999px' alt=></div></noscript>", []),
        ("<noscript><img src=/1.png></noscript><img class=lazy src=data:,x>", ["1.png"]),
        ("<noscript>Please switch on scripts <img src=/1.png></noscript>", []),
    ],
)
def test_an_image_for_readers_without_scripts_replaces_a_placeholder(html, shown):
    page = parse(f"<p>Some text that is kept.</p><div>{html}</div>", url=URL)
    written = to_markdown(page, readable(page))
    assert [part.split(")")[0].split("/")[-1] for part in written.split("](")[1:]] == shown


@pytest.mark.parametrize(
    ("page_url", "base", "address", "expected"),
    [
        (URL, "", "c.html", "https://example.org/a/c.html"),
        (URL, "", "/c?d=1#e", "https://example.org/c?d=1#e"),
        (URL, "", "../../../c", "https://example.org/c"),
        (URL, "", "//host/x", "https://host/x"),
        (URL, "", "\\\\host\\x", "https://host/x"),
        (URL, "", "?q=1", "https://example.org/a/b.html?q=1"),
        (URL, "", " https://x.example/ ä ", "https://x.example/%20ä"),
        (URL, "", "HTTPS://x.example/", "https://x.example/"),
        (URL, "", "mailto:a@b.example?subject=x y", "mailto:a@b.example?subject=x%20y"),
        (URL, "<base href=/base/>", "c", "https://example.org/base/c"),
        (URL, "<base href=javascript:x>", "c", "https://example.org/a/c"),
        (None, "<base href=https://base.example/x/>", "c", "https://base.example/x/c"),
        (None, "", "c d", "c%20d"),
        (None, "", "//host/x", "//host/x"),
        ("file:///home/page.html", "", "c", "c"),
        (URL, "", "tel:123", ""),
        (URL, "", "a" * 10_000, ""),
        (URL, "", "", ""),
        (URL, "", "//[x", ""),
    ],
)
def test_addresses_are_resolved_and_harmless(page_url, base, address, expected):
    assert Resolver(parse(f"{base}<p>x</p>", url=page_url))(address) == expected


@given(st.text(max_size=30), st.sampled_from([URL, None, "http://[bad", "javascript:x"]))
def test_no_address_has_another_scheme_or_a_blank(address, page_url):
    found = Resolver(parse("<p>x</p>", url=page_url))(address)
    scheme = found.split(":")[0] if ":" in found.split("/")[0].split("?")[0].split("#")[0] else ""
    assert scheme.lower() in ("", "http", "https", "mailto")
    assert not any(character.isspace() or character in '<>"`' or not character.isprintable() for character in found)


def test_an_address_with_a_place_for_the_width_gets_one() -> None:
    page = parse(
        '<!DOCTYPE html><p>Words around it.<img data-src="https://a.example/i_{width}x.jpg" alt="An image"></p>'
    )
    assert "https://a.example/i_1080x.jpg" in to_markdown(page, readable(page))
