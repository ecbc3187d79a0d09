"""Links of a heading to itself: gone from every form, and nothing that says something goes with them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.clock import at_most
from thresher.output import permalinks, to_html, to_markdown, to_text, to_xml
from thresher.parse import parse
from thresher.visible.readable import readable

_HIDDEN = "\u200b"


def forms(html: str) -> list[str]:
    page = parse(html, url="https://example.org/a/b.html")
    keep = readable(page)
    return [
        to_text(page, keep),
        to_text(page, keep, links=True, images=True),
        to_markdown(page, keep),
        to_html(page, keep),
        to_xml(page, keep),
    ]


def expected(title: str) -> list[str]:
    return [
        f"{title}\n\nBody.",
        f"{title}\n\nBody.",
        f"## {title}\n\nBody.",
        f"<h2>{title}</h2>\n<p>Body.</p>",
        f'<doc>\n<main>\n<head rend="h2">{title}</head>\n<p>Body.</p>\n</main>\n</doc>',
    ]


@pytest.mark.parametrize(
    "heading",
    [
        '<h2 id="x">Title<a class="headerlink" href="#x">#</a></h2>',
        '<h2 id="x">Title <a href="#x" title="Permanent link">¶</a></h2>',
        '<h2 id="x"><a href="#x">§</a>Title</h2>',
        '<h2 id="x">Title<a href="#x">🔗</a></h2>',
        '<h2 id="x">Title<a href="#x">\uf0c1</a></h2>',
        f'<h2 id="x">Title <a href="#x" aria-label="Permalink">{_HIDDEN}</a></h2>',
        '<h2 id="x">Title<a href="#x"><svg><path d="M0 0"></path></svg></a></h2>',
        '<h2 id="x">Title<a href="#x"><img src="/link.png" alt="Link"></a></h2>',
        '<h2><span id="x">Title</span><a href="#x">#</a></h2>',
        '<section id="x"><h2>Title<a href="#x">#</a></h2></section>',
        '<a name="x"></a><h2>Title<a href="#x">#</a></h2>',
        '<h2 id="a b">Title<a href="#a%20b">#</a></h2>',
        '<h2>Title<a href="#made-by-a-script">#</a></h2>',
        '<h2 id="x">Title<a href="/docs/page#x">#</a></h2>',
        '<div><h2 id="x">Title</h2><a href="#x">#</a></div>',
        '<div><h2>Title</h2><a id="user-content-x" class="anchor" href="#x">#</a></div>',
        '<div><a id="x" href="#x">#</a><h2>Title</h2></div>',
        '<div id="x"><h2>Title</h2></div><a href="#x">#</a>',
        '<h2 id="x">Title<a href="#x"><span>Permalink to this heading</span></a></h2>',
        '<h2 id="x">Title <a href="#x">Link to this section</a></h2>',
        '<h2 id="x">Title <a href="#x">Section titled “Title”</a></h2>',
        '<div><h2 id="x">Title</h2><a href="#x">Direct link to Title</a></div>',
        '<h2 id="x">Title<a href="#x">#x</a></h2>',
        '<h2 id="x"><a href="#x">Title</a></h2>',
        '<h2><a href="#x">Title</a></h2>',
        '<h2 id="x"><a href="/docs/page#x">Title</a></h2>',
        '<h2 id="x"><a href="#x">Title</a> <a href="#x">#</a></h2>',
    ],
)
def test_a_heading_is_its_title(heading):
    assert forms(f"{heading}<p>Body.</p>") == expected("Title")


def test_words_that_all_such_links_say_go_in_any_language():
    one, two = '<h2 id="a">Eins <a href="#a">Hierher</a></h2>', '<h2 id="b">Zwei <a href="#b">Hierher</a></h2>'
    assert forms(f"{one}<p>Text.</p>{two}")[2] == "## Eins\n\nText.\n\n## Zwei"


@pytest.mark.parametrize("place", ["", '<a id="{0}" href="#{0}"></a>'])
def test_links_to_the_top_in_every_heading_go(place: str) -> None:
    html = '<div id="up"></div><p>T</p>' + "".join(
        f'<h2>{place.format(name)}{name} <a href="#up">top</a></h2>' for name in ("NAME", "USE", "BUGS")
    )
    assert forms(html)[0] == "T\n\nNAME\n\nUSE\n\nBUGS"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<dl><dt id="f">f(x)<a href="#f">¶</a></dt><dd>Calls.</dd></dl>', "f(x)\nCalls."),
        ('<p id="p1">Words.<a href="#p1">¶</a></p>', "Words."),
        ('<figure><img src="/a.png"><figcaption id="c">Words.<a href="#c">¶</a></figcaption></figure>', "Words."),
    ],
)
def test_signs_that_lead_to_where_they_stand_go_elsewhere_too(html, text):
    assert forms(html)[0] == text


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<h2>See <a href="#y">below</a></h2><p id="y">Text.</p>', "## See [below](#y)\n\nText."),
        ('<h2 id="x">1. <a href="#x">Title</a></h2>', "## 1. Title"),
        ('<h2><a href="/other">Title</a> <a href="/more">#</a></h2>', "## [Title](/other) [#](/more)"),
        (
            '<h2>Plans</h2><a href="#buy">Buy</a><h2>More</h2><a href="#buy">Buy</a>',
            "## Plans\n\n[Buy](#buy)\n\n## More\n\n[Buy](#buy)",
        ),
        (
            '<h4 id="a">fn <a href="#a">from</a>(x)</h4><h4 id="b">fn <a href="#b">from</a>(y)</h4>',
            "#### fn from(x)\n\n#### fn from(y)",
        ),
        ('<p>So.<a href="#n">*</a></p><p id="n">Note.</p>', r"So.[\*](#n)" + "\n\nNote."),
        ('<p>See <a href="#y">§</a> there.</p><p id="y">Text.</p>', "See [§](#y) there.\n\nText."),
    ],
)
def test_what_says_something_or_leads_elsewhere_stays(html, markdown):
    page = parse(html)
    assert to_markdown(page, readable(page)) == markdown


def test_the_verdict_plays_no_part_in_it():
    page = parse('<h2 id="x">Title<a href="#x">#</a></h2><p>Body.</p>')
    assert to_text(page, np.array([False, True, False])) == ""
    found = permalinks.find(page).texts
    assert found is not None
    assert found.tolist() == [False, True, False]


def test_a_heading_of_thousands_of_links_takes_linear_time():
    page = parse('<h1 id="x">T' + '<a href="#x">#</a> ' * 20_000 + "</h1>")
    with at_most(2):
        to_text(page, readable(page))


@pytest.mark.parametrize(
    "heading",
    [
        '<div class="mw-heading"><h2 id="x">Title</h2>{}</div>',
        '<h2><span class="mw-headline" id="x">Title</span>{}</h2>',
    ],
)
@pytest.mark.parametrize(
    "link",
    [
        '<span class="mw-editsection"><span>[</span><a href="/w?action=edit">edit</a><span>]</span></span>',
        '<span class="mw-editsection">[<a href="/w?action=edit">bearbeiten</a> | <a href="/s">Quelltext</a>]</span>',
        '<span class="mw-editsection">[<a href="/login"><svg><path d="M0 0"></path></svg></a>]</span>',
        '<span class="editsection noprint">[<a href="/w?action=edit">edit</a>]</span>',
    ],
)
def test_links_to_the_editor_of_a_wiki_are_gone(heading: str, link: str) -> None:
    wiki = f'<body class="ltr mediawiki">{heading.format(link)}<p>Body.</p>'
    assert forms(wiki) == expected("Title")


def test_what_is_no_wiki_keeps_its_brackets() -> None:
    page = parse('<h2>Title</h2>[<a href="/a.pdf">pdf</a>] <span class="editsection">Body.</span>')
    assert to_text(page, readable(page)) == "Title\n\n[pdf] Body."
