"""Metadata: every source of every field, and who wins where several speak."""

from __future__ import annotations

import json
from datetime import date

import pytest

from thresher.metadata import Metadata, metadata
from thresher.parse import parse

TODAY = date(2026, 1, 15)
URL = "https://www.example.org/news/story"


def read(head: str = "", body: str = "", url: str | None = URL, lang: str = "en", text: str = "") -> Metadata:
    html = f'<!DOCTYPE html><html lang="{lang}"><head>{head}</head><body>{body}</body></html>'
    return metadata(parse(html, url=url), text, today=TODAY)


def linked(**properties: object) -> str:
    item = {"@context": "https://schema.org", "@type": "NewsArticle", **properties}
    return f'<script type="application/ld+json">{json.dumps(item)}</script>'


# ---- each source ---------------------------------------------------------------------------------------------


def test_json_ld_gives_every_field():
    found = read(
        linked(
            headline="Bees return",
            author={"@type": "Person", "name": "Jane Doe"},
            datePublished="2024-03-05T10:15:00+01:00",
            dateModified="2024-03-06",
            publisher={"@type": "Organization", "name": "Example News"},
            description="They are back.",
            image={"@type": "ImageObject", "url": "/bees.jpg"},
            keywords=["bees", "spring"],
            articleSection="Nature",
            license="https://creativecommons.org/licenses/by-sa/4.0/",
        )
    )
    assert found.title == "Bees return"
    assert found.author == "Jane Doe"
    assert (found.date, found.datetime, found.modified) == ("2024-03-05", "2024-03-05T10:15:00+01:00", "2024-03-06")
    assert found.sitename == "Example News"
    assert found.description == "They are back."
    assert found.image == "https://www.example.org/bees.jpg"
    assert (found.tags, found.categories) == (("bees", "spring"), ("Nature",))
    assert found.license == "CC BY-SA 4.0"
    assert found.page_type == "article"
    fields = "title author date datetime modified sitename description image tags categories license page_type".split()
    assert {found.sources[field] for field in fields} == {"json-ld"}


def test_open_graph_gives_every_field():
    found = read(
        """
        <meta property="og:title" content="Bees return"><meta property="og:site_name" content="Example News">
        <meta property="og:type" content="article"><meta property="og:url" content="/news/bees">
        <meta property="og:description" content="They are back."><meta property="og:image" content="//cdn.example.org/b.jpg">
        <meta property="article:published_time" content="2024-03-05T10:15:00Z">
        <meta property="article:modified_time" content="2024-03-06T10:15:00Z">
        <meta property="article:author" content="Jane Doe"><meta property="article:section" content="Nature">
        <meta property="article:tag" content="bees"><meta property="article:tag" content="spring">
        """  # noqa: E501
    )
    assert found.title == "Bees return"
    assert found.author == "Jane Doe"
    assert (found.date, found.modified) == ("2024-03-05", "2024-03-06")
    assert found.sitename == "Example News"
    assert found.url == "https://www.example.org/news/bees"
    assert found.image == "https://cdn.example.org/b.jpg"
    assert (found.tags, found.categories) == (("bees", "spring"), ("Nature",))
    assert found.page_type == "article"
    assert set(found.sources.values()) == {"opengraph", "html: lang", "url"}


def test_open_graph_counts_in_the_name_attribute_too():
    assert read('<meta name="og:title" content="Bees return">').title == "Bees return"


@pytest.mark.parametrize("prefix", ["DC.", "dc:", "DCTERMS.", "dcterms:", "DC.terms."])
def test_dublin_core_is_read_in_all_its_spellings(prefix):
    found = read(
        f"""
        <meta name="{prefix}title" content="Bees return"><meta name="{prefix}creator" content="Doe, Jane">
        <meta name="{prefix}created" content="2024-03-05"><meta name="{prefix}publisher" content="Example Press">
        <meta name="{prefix}description" content="They are back."><meta name="{prefix}rights" content="CC BY 4.0">
        """
    )
    assert (found.title, found.author, found.date) == ("Bees return", "Jane Doe", "2024-03-05")
    assert (found.sitename, found.description, found.license) == ("Example Press", "They are back.", "CC BY 4.0")
    assert found.sources["author"] == "dublin-core"


def test_citation_names_list_all_authors():
    found = read(
        """<meta name="citation_title" content="On bees"><meta name="citation_author" content="Doe, Jane">
        <meta name="citation_author" content="Roe, John"><meta name="citation_publication_date" content="2024/03/05">"""
    )
    assert (found.title, found.author, found.date) == ("On bees", "Jane Doe; John Roe", "2024-03-05")


def test_the_day_of_a_new_version_is_not_that_of_the_paper():
    head = """<meta name="citation_date" content="2017/06/12"><meta name="citation_online_date" content="2023/08/02">"""
    assert read(head).date == "2017-06-12"


@pytest.mark.parametrize("name", ["author", "byl", "parsely-author", "sailthru.author"])
def test_meta_names_for_the_author(name):
    assert read(f'<meta name="{name}" content="By Jane Doe">').author == "Jane Doe"


@pytest.mark.parametrize(
    "name", ["date", "pubdate", "publish-date", "parsely-pub-date", "sailthru.date", "w-published-date"]
)
def test_meta_names_for_the_date(name):
    assert read(f'<meta name="{name}" content="2024-03-05 10:00">').date == "2024-03-05"


def test_twitter_cards_name_the_writer_but_handles_are_nobody():
    card = '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Jane Doe">'
    assert read(card + '<meta name="twitter:title" content="Bees">').author == "Jane Doe"
    assert read('<meta name="twitter:creator" content="@jane">').author is None


def test_microdata_is_read_with_its_nested_items():
    found = read(
        body="""<article itemscope itemtype="http://schema.org/BlogPosting"><h2 itemprop="headline">Bees return</h2>
        <span itemprop="author" itemscope itemtype="http://schema.org/Person"><b itemprop="name">Jane Doe</b></span>
        <time itemprop="datePublished" datetime="2024-03-05">yesterday</time>
        <meta itemprop="keywords" content="bees, spring"><div itemprop="articleBody">Long text</div></article>"""
    )
    assert (found.title, found.author, found.date) == ("Bees return", "Jane Doe", "2024-03-05")
    assert found.tags == ("bees", "spring")
    assert {found.sources[field] for field in ("title", "author", "date", "tags", "page_type")} == {"microdata"}


def test_properties_without_a_scope_belong_to_the_page():
    assert read(body='<h1>Bees</h1><span itemprop="author">Jane Doe</span>').author == "Jane Doe"


def test_meta_elements_pushed_into_the_body_still_count():
    head = '<noscript><img src="pixel.gif"></noscript><title>Bees</title><meta name="author" content="Jane Doe">'
    assert (read(head).title, read(head).author) == ("Bees", "Jane Doe")


def test_the_title_of_a_drawing_is_no_title():
    assert read(body="<svg><title>Icon</title></svg><p>Text</p><title>Bees</title>").title == "Bees"


def test_rel_author_away_from_the_heading():
    filler = "".join(f"<p>Paragraph {k} of a long text.</p>" for k in range(60))
    found = read(body=f'<h1>Bees</h1>{filler}<footer><a rel="author" href="/jane">Jane Doe</a></footer>')
    assert (found.author, found.sources["author"]) == ("Jane Doe", "page: rel=author")


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("By Jane Doe", "Jane Doe"),
        ("Written by: Jane Doe", "Jane Doe"),
        ("von Hans Müller", "Hans Müller"),
        ("Par Marie Dupont", "Marie Dupont"),
        ("Por Juan Pérez", "Juan Pérez"),
        ("Автор: Иван Петров", "Иван Петров"),
        ("作者：王小明", "王小明"),
        ("Published March 5, 2024 by Jane Doe", "Jane Doe"),
        ("<span>By</span><span>Jane Doe</span>", "Jane Doe"),
        ("By the end of the year all will be well", None),
    ],
)
def test_bylines_near_the_heading(byline, author):
    assert read(body=f"<h1>Bees return</h1><p>{byline}</p><p>A paragraph.</p>").author == author


def test_a_label_may_stand_in_a_block_of_its_own():
    assert read(body="<h1>Bees</h1><div><p>Written by</p><p>Jane Doe</p></div>").author == "Jane Doe"


def test_co_authors_side_by_side_are_all_named():
    names = '<a class="author">Jane Doe</a> and <a class="author">John Roe</a>'
    assert read(body=f"<h1>Bees</h1><p>{names}</p>").author == "Jane Doe; John Roe"


@pytest.mark.parametrize(
    "elsewhere",
    [
        '<section class="comments"><p class="comment-author">Troll Smith</p></section>',
        '<div class="related"><p class="byline">By Troll Smith</p></div>',
        '<h2><a href="/other">Other story</a></h2><p class="byline">By Troll Smith</p>',
        '<blockquote class="author">Troll Smith</blockquote>',
        '<p class="author" hidden>Troll Smith</p>',
    ],
)
def test_names_that_belong_to_something_else_are_no_authors(elsewhere):
    assert read(body=f"<h1>Bees return</h1><p>A paragraph.</p>{elsewhere}").author is None


def test_a_list_of_articles_has_no_author():
    teasers = "".join(f"<div><b>Story</b> text text <i>x</i> <p class=author>Jane {name}</p></div>" for name in "ABCD")
    assert read(body=f"<h1>All stories</h1>{teasers}").author is None


def test_the_first_poster_is_the_author_of_a_thread():
    posts = "".join(
        f'<div><a class="username">{name}</a><p>Some words.</p></div>' for name in ("bee_keeper", "fly", "ant")
    )
    assert read(body=f"<h1>How to keep bees?</h1>{posts}").author == "bee_keeper"


# ---- dates on the page ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "day"),
    [
        ('<time datetime="2024-03-05T08:00Z">Tuesday</time>', "2024-03-05"),
        ('<span class="post-date">March 5, 2024</span>', "2024-03-05"),
        ("<p>Published on March 5, 2024</p>", "2024-03-05"),
        ("<p>Published</p><p>March 5, 2024</p>", "2024-03-05"),
        ("<p>Jane Doe • March 5, 2024 • 5 min read</p>", "2024-03-05"),
        ("<p>The law of March 5, 2024 changed how everybody thinks about bees.</p>", None),
        ("<p>© March 5, 2024</p>", None),
        ("<p>Joined: March 5, 2024</p>", None),
        ("<p>Copyright 2024</p>", None),
        ("<p>March 2024</p>", None),
        ('<p hidden class="date">March 5, 2024</p>', None),
    ],
)
def test_dates_near_the_heading(markup, day):
    assert read(body=f"<h1>Bees return</h1>{markup}<p>A paragraph.</p>").date == day


def test_an_update_is_no_publication():
    found = read(body="<h1>Bees</h1><p>Published March 5, 2024 · Updated April 6, 2024</p>")
    assert (found.date, found.modified) == ("2024-03-05", "2024-04-06")
    found = read(body="<h1>Bees</h1><p>Last updated: April 6, 2024</p>")
    assert (found.date, found.modified) == (None, "2024-04-06")


def test_a_date_behind_the_heading_beats_one_in_front_of_it():
    found = read(body="<p>Friday, January 9, 2026</p><h1>Bees</h1><p>March 5, 2024</p>")
    assert found.date == "2024-03-05"


def test_away_from_the_heading_dates_must_agree():
    filler = "".join(f"<p>Paragraph {k} of a long text.</p>" for k in range(60))
    one = '<time datetime="2024-03-05">then</time>'
    assert read(body=f"<h1>Bees</h1>{filler}{one}{one}").date == "2024-03-05"
    assert read(body=f'<h1>Bees</h1>{filler}{one}<time datetime="2024-03-06">now</time>').date is None


def test_the_address_may_hold_the_date():
    found = read(body="<h1>Bees</h1>", url="https://example.org/2024/03/05/bees")
    assert (found.date, found.sources["date"]) == ("2024-03-05", "url")


@pytest.mark.parametrize("stated", ["2026-01-16", "1990-01-01"])
def test_the_edges_of_what_is_plausible(stated):
    assert read(linked(datePublished=stated)).date == stated


@pytest.mark.parametrize("stated", ["2026-01-17", "1989-12-31", "0000-00-00", "2024-02-30", "2024", "soon"])
def test_beyond_what_is_plausible(stated):
    assert read(linked(datePublished=stated)).date is None


# ---- precedence ----------------------------------------------------------------------------------------------


def test_the_structured_sources_come_before_the_page():
    found = read(
        linked(headline="Alpha", author="Jane Doe", datePublished="2024-03-05")
        + '<meta property="og:title" content="Beta"><meta name="author" content="John Roe"><title>Gamma</title>'
        + '<meta property="article:published_time" content="2023-01-01">',
        '<h1>Delta</h1><p class="byline">By Jim Poe</p><time datetime="2022-01-01">then</time>',
    )
    assert (found.title, found.author, found.date) == ("Alpha", "Jane Doe", "2024-03-05")


def test_open_graph_comes_before_an_unrelated_heading_and_the_heading_before_nothing():
    assert read('<meta property="og:title" content="Beta">', "<h1>Delta</h1>").title == "Beta"
    assert read("", "<h1>Delta</h1>").title == "Delta"


def test_an_unusable_value_gives_way_to_the_next_source():
    head = '<meta property="article:author" content="https://facebook.com/jane"><meta name="author" content="Jane Doe">'
    assert read(head).author == "Jane Doe"
    assert read(linked(datePublished="soon") + '<meta name="date" content="2024-03-05">').date == "2024-03-05"


def test_a_person_comes_before_the_site_and_the_site_before_nobody():
    head = linked(author={"@type": "Organization", "name": "Example News"}) + (
        '<meta property="og:site_name" content="Example News">'
    )
    assert read(head, "<h1>Bees</h1><p>By Jane Doe</p>").author == "Jane Doe"
    assert read(head, "<h1>Bees</h1>").author == "Example News"


def test_products_have_no_bylines():
    head = '<meta property="og:type" content="product">'
    assert read(head, '<h1>Honey</h1><p class="author">Jane Doe</p>').author is None


# ---- title ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Bees return | Example News", "Bees return"),
        ("Bees return - Example News", "Bees return"),
        ("Bees return – Nature – Example News", "Bees return – Nature"),
        ("Example News: Bees return", "Bees return"),
        ("Example News | Bees return", "Bees return"),
        ("Bees return :: Example.org", "Bees return"),
        ("Bees - friends or foes?", "Bees - friends or foes?"),
        ("Example News", "Example News"),
    ],
)
def test_the_name_of_the_site_is_cut_off(title, expected):
    assert read(f'<title>{title}</title><meta property="og:site_name" content="Example News">').title == expected


def test_who_wrote_a_comment_is_not_the_author():
    comment = (
        '<div><span itemprop="author">bean_fan</span> <time itemprop="datePublished">2024-01-02</time><p>Yes</p></div>'
    )
    found = read(
        body=f"<h1>Bees return</h1><p>They are back.</p><section id=comments><h2>2 comments</h2>{comment * 2}</section>"
    )
    assert (found.author, found.date) == (None, None)
    assert read(body=f"<h1>Bees return</h1>{comment}<p>They are back.</p>").author == "bean_fan"


def test_a_word_of_the_title_above_a_section_is_not_the_title():
    head = "<title>How we took the bees of all the villages home | Example News</title>"
    assert read("<title>Bees of our villages | Example News</title>", "<h1>Bees</h1><h1>More</h1>").title == "Bees"
    assert (
        read(head, "<h1>Our bee diary</h1><h1>Bees</h1><h1>Villages</h1>").title
        == "How we took the bees of all the villages home"
    )


def test_of_headings_that_resemble_the_title_the_first_counts():
    head = '<title>Where to keep bees in Kent</title><meta property="og:title" content="Our favourite hives for Kent">'
    headings = "<h1>The best hives for keeping bees in Kent</h1><h1>Next in your guide to where to be in Kent</h1>"
    assert read(head, headings).title == "The best hives for keeping bees in Kent"


def test_the_heading_shows_where_the_title_ends():
    head = "<title>Bees return - Nature - The Unknown Gazette of Somewhere</title>"
    found = read(head, "<h1>The Unknown Gazette</h1><h1>Bees return</h1>")
    assert (found.title, found.sources["title"]) == ("Bees return", "page: h1")


def test_a_heading_for_readers_beats_a_title_for_search_engines():
    head = "<title>Best ways to keep bees in 2024, explained</title>"
    assert read(head, "<h1>The best ways to keep bees</h1>").title == "The best ways to keep bees"


@pytest.mark.parametrize(
    "heading",
    [
        '<h1 id="x">Keeping bees<a class="headerlink" href="#x" title="Permanent link">¶</a></h1>',
        '<h1><a href="#x">#</a> Keeping bees</h1>',
        '<h1>Keeping bees<a href="#x">\uf0c1</a></h1>',
        '<h2 id="x">Keeping bees<a href="#x">¶</a></h2>',
    ],
)
def test_a_link_of_the_heading_to_itself_is_no_part_of_the_title(heading):
    assert read("<title>Keeping bees - Documentation of the Hive</title>", heading).title == "Keeping bees"
    assert read("<title>C# for bees - Documentation of the Hive</title>", "<h1>C# for bees</h1>").title == "C# for bees"


def test_the_label_of_a_heading_is_no_part_of_the_title():
    head = '<title>[2304.01237] On bees: a study</title><meta name="citation_title" content="On bees: a study">'
    assert read(head, '<h1><span class="descriptor">Title:</span>On bees: a study</h1>').title == "On bees: a study"


def test_a_chapter_is_not_called_like_its_book():
    head = "<title>What is Ownership? - The Bee Keeping Book</title>"
    assert read(head, "<h1>The Bee Keeping Book</h1><h2>What is Ownership?</h2>").title == "What is Ownership?"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<title>AT&amp;T &amp;amp; bees</title>", "AT&T &amp; bees"),
        ("<title>  Bees \n\t return  </title>", "Bees return"),
        (linked(headline="Bees &amp; &#8220;wasps&#8221;"), "Bees & “wasps”"),
        (linked(headline="<b>Bees</b> &lt;i&gt;return&lt;/i&gt;"), "Bees return"),
        ("<title>&lt;canvas&gt;: drawing</title>", "canvas: drawing"),
        ("<title>if a &lt; b &amp; c &gt; d</title>", "if a < b & c > d"),
    ],
)
def test_entities_are_decoded_once_and_markup_goes(markup, expected):
    assert read(markup).title == expected


# ---- site, address, image, licence ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "url", "expected"),
    [
        ('<link rel="canonical" href="/bees">', URL, "https://www.example.org/bees"),
        ('<link rel="canonical" href="bees?x=1">', URL, "https://www.example.org/news/bees?x=1"),
        ('<base href="https://other.org/a/"><link rel="canonical" href="b">', URL, "https://other.org/a/b"),
        ('<link rel="canonical" href="javascript:alert(1)"><meta property="og:url" content="/og">', URL,
         "https://www.example.org/og"),
        ('<link rel="canonical" href="https://www.example.org/">', URL, URL),
        ('<link rel="canonical" href="http://[broken">', URL, URL),
        ('<link rel="canonical" href="/bees">', None, None),
        ('<link rel="canonical" href="https://x.org/bees">', None, "https://x.org/bees"),
        ("", "file:///tmp/page.html", None),
        ("", URL, URL),
    ],
)  # fmt: skip
def test_the_canonical_address(head, url, expected):
    assert read(head, url=url).url == expected


def test_the_host_name_is_that_of_the_address():
    assert read('<link rel="canonical" href="https://news.example.org:8080/a">').hostname == "news.example.org"


def test_the_picture_of_a_page_from_nowhere_is_relative_to_its_canonical_address():
    head = '<link rel="canonical" href="https://x.org/a/bees"><meta property="og:image" content="/b.jpg">'
    assert read(head, url=None).image == "https://x.org/b.jpg"
    assert read(head, url=URL).image == "https://www.example.org/b.jpg"
    assert read('<meta property="og:image" content="/b.jpg">', url=None).image is None


@pytest.mark.parametrize("value", ["data:image/png;base64,AAAA", "javascript:alert(1)", "ftp://x.org/a.png", ""])
def test_images_are_http_or_nothing(value):
    assert read(f'<meta property="og:image" content="{value}">').image is None


def test_the_site_may_be_named_by_its_host_in_the_title():
    found = read("<title>Beginner's guide - Moz</title>", url="https://moz.com/guide")
    assert (found.sitename, found.title) == ("Moz", "Beginner's guide")


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ('<link rel="license" href="https://creativecommons.org/licenses/by/3.0/">', "", "CC BY 3.0"),
        ('<meta name="dcterms.rights" content="All rights reserved">', "", "All rights reserved"),
        ("", '<a rel="license" href="https://creativecommons.org/licenses/by-nc-sa/4.0/">CC</a>', "CC BY-NC-SA 4.0"),
        ("", '<footer><a href="//creativecommons.org/publicdomain/zero/1.0/">CC0</a></footer>', "CC0 1.0"),
        ("", '<div class="site-footer">Licensed under <a href="/licence">CC BY 4.0</a>.</div>', "CC BY 4.0"),
        ("", "<footer>CC BY 4.0</footer><p class=legal>CC BY-SA 3.0</p>", None),
        ("", '<figure><a href="https://creativecommons.org/licenses/by/4.0/">photo</a></figure>', None),
    ],
)
def test_licences(head, body, expected):
    assert read(head, body).license == expected


# ---- language ------------------------------------------------------------------------------------------------

GERMAN = "Der Imker geht am Morgen mit seinem Hund in den Wald, und die Bienen sind schon lange wach und fliegen."


@pytest.mark.parametrize(
    ("html", "expected", "source"),
    [
        ('<html lang="fr-CA"><meta property="og:locale" content="de_DE">', "fr", "html: lang"),
        (
            '<html><meta http-equiv="Content-Language" content="it"><meta property="og:locale" content="de">',
            "it",
            "meta",
        ),
        ('<html lang="und"><meta property="og:locale" content="pt_BR">', "pt", "opengraph"),
        ("<html><p>Hello", "de", "text"),
    ],
)
def test_the_language_is_stated_before_it_is_guessed(html, expected, source):
    found = metadata(parse(html), GERMAN, today=TODAY)
    assert (found.language, found.sources["language"]) == (expected, source)


def test_without_a_main_text_the_readable_text_shows_the_language():
    assert metadata(parse(f"<html><body><p>{GERMAN}</p></body></html>")).language == "de"


@pytest.mark.parametrize(
    ("lang", "url", "expected"),
    [
        ("en-US", "https://example.co.uk/", "2024-03-04"),
        ("en-GB", "https://example.com/", "2024-04-03"),
        ("en", "https://example.com/", "2024-03-04"),
        ("en", "https://example.co.uk/", "2024-04-03"),
        ("fr", "https://example.com/", "2024-04-03"),
        ("en-CA", "https://example.com/", None),
    ],
)
def test_the_country_decides_between_day_and_month(lang, url, expected):
    assert read(linked(datePublished="3/4/2024"), lang=lang, url=url).date == expected


# ---- kinds of pages, and the record --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("BlogPosting", "article"),
        ("Recipe", "article"),
        ("Product", "product"),
        ("DiscussionForumPosting", "forum"),
        ("QAPage", "forum"),
        ("TechArticle", "documentation"),
        ("CollectionPage", "collection"),
        ("SearchResultsPage", "listing"),
        ("Service", "service"),
        (["WebPage", "https://schema.org/NewsArticle"], "article"),
        ("Organization", None),
        ("BreadcrumbList", None),
    ],
)
def test_the_kind_of_page_where_the_page_says_so(kind, expected):
    assert read(linked(**{"@type": kind, "name": "Bees"})).page_type == expected


def test_open_graph_s_website_says_nothing():
    assert read('<meta property="og:type" content="website">').page_type is None


def test_the_record_is_ready_for_json_and_has_trafilatura_s_names():
    record = read('<meta name="keywords" content="bees, honey">', "<h1>Bees</h1>").to_dict()
    assert json.loads(json.dumps(record)) == record
    names = "title author date hostname description sitename categories tags license language image url source"
    assert set(names.split()) <= record.keys()
    assert (record["tags"], record["source"]) == (["bees", "honey"], URL)


_ABOUT = ("sources", "source", "page_type_probability")  # about other fields


def test_every_value_has_a_source_and_every_source_a_value():
    found = read(linked(headline="Bees", author="Jane Doe"), "<h1>Bees</h1>")
    given = {name for name, value in found.to_dict().items() if value and name not in _ABOUT}
    assert given == found.sources.keys()


def test_an_empty_page_has_no_metadata():
    assert metadata(parse("")) == Metadata() == metadata(parse(b""))


# ---- tags that the page shows --------------------------------------------------------------------------------


def test_links_that_say_so_are_tags_and_categories():
    body = """<article><h1>Bees return</h1><p>In <a rel="category tag" href="/n">Nature</a></p>
        <p>Words.</p><footer>Tagged <a href="/t/bees" rel="tag">bees</a>, <a href="/t/hive" rel="nofollow tag">#hive</a>
        </footer></article>"""
    found = read("<title>Bees return</title>", body)
    assert (found.tags, found.categories) == (("bees", "hive"), ("Nature",))
    assert found.sources["tags"] == found.sources["categories"] == "page: rel=tag"


def test_what_the_head_says_is_tagged_comes_first():
    head = '<meta name="keywords" content="honey, wax">'
    assert read(head, '<p><a rel="tag" href="/t/bees">bees</a></p>').tags == ("honey", "wax")


def test_tags_of_teasers_are_not_those_of_the_page():
    teaser = '<article><h2><a href="/{0}">Read of {0}</a></h2><a rel="tag" href="/t/{0}">{0}</a></article>'
    assert read("<title>Latest</title>", teaser.format("bees") + teaser.format("wasps")).tags == ()
    own = '<p><a rel="tag" href="/t/bees">bees</a></p><p>One.</p><p>Two.</p><p>Three.</p>'
    assert read("<title>Bees</title>", f'{own}<a rel="tag" href="/t/wasps">wasps</a>').tags == ("bees",)
