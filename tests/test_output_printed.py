"""A heading that is said twice in a row is printed once, and a joiner with nothing to join not at all."""

from __future__ import annotations

import pytest

from thresher.output import to_html, to_markdown, to_text, to_xml
from thresher.parse import parse
from thresher.visible.readable import readable


@pytest.mark.parametrize(
    "html",
    [
        "<header><h1>Pods</h1></header><main><h1>Pods</h1><p>Text.</p></main>",
        "<h1> Pods\n</h1><div></div><h1><span>Po</span>ds</h1><p>Text.</p>",
        '<h1>Pods</h1><h1 id="pods">Pods<a href="#pods">#</a></h1><p>Text.</p>',
        "<h1>Pods</h1><h2></h2><h2>Pods</h2><p>Text.</p>",
        "<h3>Pods</h3><h1>Pods</h1><p>Text.</p>",
        "<h1>Pods</h1><h1>Pods</h1><h1>Pods</h1><p>Text.</p>",
    ],
)
def test_a_heading_right_after_its_like_is_not_printed(html):
    page = parse(html)
    keep = readable(page)
    assert to_text(page, keep) == "Pods\n\nText."
    assert to_markdown(page, keep) == "# Pods\n\nText."
    assert to_html(page, keep) == "<h1>Pods</h1>\n<p>Text.</p>"
    assert to_xml(page, keep) == '<doc>\n<main>\n<head rend="h1">Pods</head>\n<p>Text.</p>\n</main>\n</doc>'


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h1>Pods</h1><p>Text.</p><h1>Pods</h1>", "# Pods\n\nText.\n\n# Pods"),
        ("<h1>Pods</h1><h2>Pods and nodes</h2>", "# Pods\n\n## Pods and nodes"),
        ("<h1>Pods</h1><p>Pods</p>", "# Pods\n\nPods"),
    ],
)
def test_other_headings_stay(html, markdown):
    page = parse(html)
    assert to_markdown(page, readable(page)) == markdown


def test_an_image_beside_it_is():
    page = parse('<div><h1>Pods</h1><img src="/i.png"></div><h1>Pods</h1><p>Text.</p>')
    assert to_markdown(page, readable(page)) == "# Pods\n\n![](/i.png)\n\nText."
    page = parse('<h1>Pods</h1><div><img src="/i.png"><h1>Pods</h1></div><p>Text.</p>')
    assert to_markdown(page, readable(page)) == "# Pods\n\n![](/i.png)\n\nText."


def test_what_the_verdict_dropped_is_not_counted():
    page = parse("<h1>Pods</h1><h1>Pods</h1><p>Text.</p>")
    keep = readable(page)
    keep = keep & ~(page.owner == page.owner[0])
    assert to_text(page, keep) == "Pods\n\nText."


@pytest.mark.parametrize("joiner", ["\u200d", "\u200c"])
def test_a_joiner_alone_in_its_block_is_not_printed(joiner):
    page = parse(f"<p>One.</p><p><b>{joiner}</b></p><h2>{joiner}</h2><ul><li>{joiner}</li></ul><p>Two.</p>")
    assert to_text(page, readable(page)) == "One.\n\nTwo."
    assert to_markdown(page, readable(page)) == "One.\n\nTwo."
    assert to_html(page, readable(page)) == "<p>One.</p>\n<p>Two.</p>"


def test_a_joiner_between_two_texts_is():
    page = parse("<p><b>क्</b>\u200d<i>ष</i></p>")
    assert to_text(page, readable(page)) == "क्\u200dष"


EMPTY = "<h1>Boats</h1><p>Text.</p><h2>Hulls</h2><p>Text.</p>{}<h2>Sails</h2><p>Text.</p><h3>Masts</h3><p>Text.</p>"


@pytest.mark.parametrize(
    "html",
    [
        "<h2>Share</h2><p hidden>Here.</p>",
        "<div><h3>Share</h3></div><form></form>",
        "<h2>Share</h2><form></form><h3>With us</h3><svg></svg>",
    ],
)
def test_a_heading_with_nothing_under_it_is_not_printed(html):
    page, without = parse(EMPTY.format(html)), parse(EMPTY.format(""))
    for write in (to_text, to_markdown, to_html, to_xml):
        assert write(page, readable(page)) == write(without, readable(without))


def test_nor_is_one_before_the_end():
    page = parse(EMPTY.format("") + "<h2>Related</h2>")
    assert to_text(page, readable(page)).endswith("Masts\n\nText.")
    assert "Related" not in to_html(page, readable(page))


@pytest.mark.parametrize(
    "html",
    [
        '<h2><a href="/share">Share</a></h2><form></form>',
        "<ul><li><h2>Share</h2></li></ul><form></form>",
        "<table><tr><td><h2>Share</h2></td><td>x</td></tr></table>",
        '<h2>Share</h2><img src="/i.png">',
        '<h2>Share <img src="/i.png"></h2>',
        "<h2>Share</h2><pre>x</pre>",
        "<h1>Share</h1><form></form>",
        "<h2>Share what you have with those who have not.</h2><form></form>",
        f"<h2>Share {'and share ' * 10}</h2><form></form>",
        "<h3>Share</h3><form></form><h3>Like</h3><form></form><h3>Follow</h3><form></form>",
        "<h2>Share</h2>",
        "<h2>Share</h2><h3>With us</h3><p>Text.</p>",
    ],
)
def test_other_headings_without_text_are(html):
    page = parse(EMPTY.format(html))
    assert "Share" in to_text(page, readable(page))
    assert "Share" in to_markdown(page, readable(page))


@pytest.mark.parametrize(
    "html",
    [
        "<h3>Sea</h3><h1>Boats</h1><h2>1900</h2><form></form><h2>Hulls</h2><p>Text.</p><h2>Sails</h2><p>Text.</p>",
        "<h2>Boats</h2><h2>Hulls</h2><p>Text.</p>",
        "<h1>Boats</h1><p>Text.</p><h2>Hulls</h2><form></form><h2>Sails</h2>",
        "<h1>Boats</h1>",
    ],
)
def test_titles_and_subtitles_and_headings_of_listings_are(html):
    page = parse(html)
    assert to_text(page, readable(page)).split("\n\n") == list(page.text)
