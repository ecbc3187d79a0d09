"""JSON-LD as it is found: badly written, wrongly nested, hostile."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clock import at_most
from tests.strategies import soup
from thresher.metadata import Metadata, metadata
from thresher.parse import parse

TODAY = date(2026, 1, 15)
URL = "https://www.example.org/news/bees"
ARTICLE = '{"@type": "Article", "headline": "Bees return", "author": "Jane Doe"}'


def read(*islands: str, body: str = "", url: str | None = URL) -> Metadata:
    scripts = "".join(f'<script type="application/ld+json">{island}</script>' for island in islands)
    return metadata(parse(f"<html lang=en><head>{scripts}</head><body>{body}</body></html>", url=url), today=TODAY)


# ---- badly written -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        ARTICLE,
        f"<!-- {ARTICLE} -->",
        f"//<![CDATA[\n{ARTICLE}\n//]]>",
        f"/* <![CDATA[ */ {ARTICLE} /* ]]> */",
        f"{ARTICLE};",
        '{"@type": "Article", "headline": "Bees return", "author": "Jane Doe",}',
        '{"@type": "Article", "headline": "Bees return", "author": ["Jane Doe",],}',
        '{"@type": "Article", // a comment\n "headline": "Bees return", /* another */ "author": "Jane Doe"}',
        '{"@type": "Article", "headline": "Bees\nreturn\x07", "author": "Jane\tDoe"}',
        r'{"@type": "Article", "headline": "Bees return", "author": "Jane Doe", "x": "it\'s"}',
        '{"@type": "Organization", "name": "Example"}' + ARTICLE,
        ARTICLE + '{"@type": "Organization", "name": "Exa',
        ARTICLE.replace('"', "&quot;"),
        f"[[{ARTICLE}]]",
        f'{{"@graph": [{{"@type": "WebSite", "name": "Example"}}, {ARTICLE}]}}',
        f'{{"@graph": {{"@graph": [{ARTICLE}]}}}}',
        f'{{"@type": "WebPage", "mainEntity": {ARTICLE}}}',
        ARTICLE.replace('"Article"', '["Article", "https://schema.org/WebPage"]'),
        ARTICLE.replace('"Article"', '"http://schema.org/Article"'),
    ],
)
def test_what_can_be_read_is_read(text):
    found = read(text)
    assert (found.title, found.author) == ("Bees return", "Jane Doe")


@pytest.mark.parametrize("text", ["", "null", "{", '{"@type": ', "[]", "not json", '"string"', "{}" * 500, "[1, 2]"])
def test_what_cannot_be_read_is_passed_over(text):
    assert read(text, ARTICLE).title == "Bees return"


# ---- which item ----------------------------------------------------------------------------------------------


def test_an_organisation_or_its_breadcrumbs_are_not_the_page():
    organisation = (
        '{"@type": "Organization", "name": "Example", "foundingDate": "2001-01-01", "author": "Nobody Known"}'
    )
    crumbs = '{"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "name": "Home"}]}'
    found = read(organisation, crumbs, body="<h1>Bees</h1>")
    assert (found.title, found.author, found.date) == ("Bees", None, None)


def teaser(name: str, path: str) -> str:
    item = {"@type": "Article", "headline": name, "url": f"https://example.org/{path}", "author": f"{name} Writer"}
    return json.dumps(item)


def test_of_several_articles_the_one_with_this_address_is_the_page():
    found = read(teaser("Wasps", "news/wasps"), teaser("Bees", "news/bees/"), teaser("Ants", "news/ants"))
    assert found.author == "Bees Writer"


def test_of_several_articles_the_one_with_this_heading_is_the_page():
    names = ("Wasps", "Bees", "Ants")
    items = [json.dumps({"@type": "Article", "headline": name, "author": f"{name} Writer"}) for name in names]
    assert read(*items, body="<h1>Bees</h1>").author == "Bees Writer"


def test_a_page_of_teasers_has_no_article_of_its_own():
    found = read(*(teaser(f"Story {k}", f"story/{k}") for k in range(5)), body="<h1>All stories</h1>")
    assert (found.title, found.author) == ("All stories", None)
    assert found.page_type != "article"


def test_the_questions_of_an_faq_are_not_the_page():
    faq = {"@type": "FAQPage", "mainEntity": [{"@type": "Question", "name": "Why?", "author": "Jane Doe"}]}
    found = read(json.dumps(faq), body="<h1>Help</h1>")
    assert (found.title, found.author) == ("Help", None)


def test_the_question_of_a_question_page_is():
    question = {"@type": "Question", "name": "Why bees?", "author": {"name": "Jane Doe"}, "dateCreated": "2024-03-05"}
    page = {"@type": "QAPage", "mainEntity": question}
    found = read(json.dumps(page))
    assert (found.title, found.author, found.date, found.page_type) == ("Why bees?", "Jane Doe", "2024-03-05", "forum")


def test_references_are_followed_to_the_fuller_item():
    graph = {
        "@graph": [
            {"@type": "Article", "headline": "Bees", "author": {"@id": "#jane"}, "publisher": {"@id": "#site"}},
            {"@id": "#jane", "@type": "Person", "name": "Jane Doe"},
            {"@id": "#site", "@type": "Organization", "name": "Example News"},
        ]
    }
    found = read(json.dumps(graph))
    assert (found.author, found.sitename) == ("Jane Doe", "Example News")


def test_a_reference_to_itself_ends():
    item = {"@id": "#a", "@type": "Article", "headline": "Bees", "author": {"@id": "#b"}}
    assert read(json.dumps([item, {"@id": "#b", "author": {"@id": "#a"}, "name": {"@id": "#b"}}])).author is None


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("Jane Doe", "Jane Doe"),
        ({"@type": "Person", "name": "Jane Doe"}, "Jane Doe"),
        ({"@type": "Person", "givenName": "Jane", "familyName": "Doe"}, "Jane Doe"),
        ([{"name": "Jane Doe"}, {"name": "John Roe"}], "Jane Doe; John Roe"),
        ([["Jane Doe"], [["John Roe"]]], "Jane Doe; John Roe"),
        ({"name": ["Jane Doe", "Janie"]}, "Jane Doe"),
        ({"name": {"@value": "Jane Doe", "@language": "en"}}, "Jane Doe"),
        ([{"@type": "Organization", "name": "Example"}, {"@type": "Person", "name": "Jane Doe"}], "Jane Doe"),
        ({"@type": "Person", "url": "https://example.org/jane"}, None),
        (7, None),
        (None, None),
        (True, None),
        ({"name": {"name": {"name": "Jane"}}}, None),
    ],
)
def test_authors_in_all_shapes(author, expected):
    assert read(json.dumps({"@type": "Article", "headline": "Bees", "author": author})).author == expected


def test_the_page_fills_in_what_its_subject_leaves_out():
    items = [{"@type": "Article", "headline": "Bees"}, {"@type": "WebPage", "datePublished": "2024-03-05", "name": "X"}]
    found = read(json.dumps(items))
    assert (found.title, found.date) == ("Bees", "2024-03-05")


# ---- hostile -------------------------------------------------------------------------------------------------


def clean(found: Metadata) -> bool:
    values = [value for value in found.to_dict().values() if isinstance(value, str)] + [*found.tags, *found.categories]
    return all(
        len(value) <= 2_048 and value.isprintable() and "<script" not in value and value.encode("utf-8")
        for value in values
    )


@pytest.mark.parametrize("opening", ['{"a":', "[", '{"@graph":[', '[{"mainEntity":'])
def test_nesting_of_ten_thousand_levels_is_refused(opening):
    assert read(opening * 10_000, ARTICLE).title == "Bees return"
    closing = "".join("]}"["[{".index(c)] for c in reversed(opening) if c in "[{")
    assert read(opening * 10_000 + "1" + closing * 10_000, ARTICLE).title == "Bees return"


@pytest.mark.parametrize(
    "value",
    [
        "x" * 1_000_000,
        "<script>alert(1)</script>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "\u001b[31mred\u0007",
        "\ud800 half",
        "\U000e0041\U000e0042 hidden",
        "<" * 20_000,
        "<a" * 20_000,
        "<!--" * 10_000,
        "\u202e" + "a" * 3_000,
        ["x"] * 100_000,
        [[[["x"]]]],
        {"name": {"name": {}}},
        "1" * 100_000,
    ],
    ids=lambda value: str(value)[:12].encode("unicode_escape").decode(),
)
def test_any_value_in_any_property_leaves_clean_strings(value):
    keys = "headline name author datePublished publisher description image keywords articleSection license".split()
    item = {"@type": "Article", "@id": "#x", "url": value, **dict.fromkeys(keys, value)}
    with at_most(2):
        found = read(json.dumps(item))
    assert clean(found) or "\u202e" in str(value)


@pytest.mark.parametrize(
    "text",
    [
        '"\\"' * 200_000,
        "/*" * 300_000,
        ", " * 300_000 + "]",
        "{" + " " * 500_000,
        '{"a": ' + "9" * 900_000 + "}",
        '{"a": "' + "\\" * 900_001 + '"}',
        "[" * 100 + ARTICLE,
        "{}" * 200_000,
    ],
    ids=lambda text: text[:12],
)
def test_bad_json_costs_no_more_than_its_length(text):
    with at_most(2):
        read(text)


@pytest.mark.parametrize(
    "html",
    [
        f"<title>{'x' * 1_000_000}</title>",
        "<h1><div>" * 300 + "word " * 50_000,
        '<meta property="og:title" content="' + "a b " * 250_000 + '">',
        '<meta name="author" content="Jane Doe">' * 20_000,
        '<p class="author">Jane Doe</p>' * 20_000,
        '<h1>x</h1><div data-state="' + "author date published " * 50_000 + '"></div>',
        '<div itemscope itemprop="author">' * 500 + "x",
        '<span itemprop="name">x</span>' * 20_000,
        "<time>5 March 2024</time>" * 20_000,
        "<title>a</title>" + "<svg><title>x</title></svg>" * 5_000,
        '<link rel="canonical" href="' + "a/" * 500_000 + '">',
        f'<html lang="{"en-" * 300_000}">',
    ],
    ids=lambda html: html[:20],
)
def test_big_and_deep_pages_are_read_in_time(html):
    page = parse(html, url=URL)
    with at_most(2):
        found = metadata(page, today=TODAY)
    assert clean(found)


@settings(max_examples=80, deadline=None)
@given(
    soup(), st.sampled_from(["", '<h1 class="author">', '<p itemprop="author date">', "<title>", '<time datetime="'])
)
def test_no_page_raises_and_no_value_is_dirty(html, opening):
    found = metadata(parse(opening + html, url=URL), today=TODAY)
    assert "\x00" not in repr(found)
    assert found == metadata(parse(opening + html, url=URL), today=TODAY)


_json = st.recursive(
    st.none() | st.booleans() | st.text(max_size=8) | st.sampled_from(["Article", "#a", "2024-03-05", "Jane Doe", URL]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from("@type @id @graph name headline author mainEntity datePublished image url".split()),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(_json)
def test_any_json_at_all_is_survived(value):
    found = read(json.dumps(value).replace("<", "\\u003c"))
    assert isinstance(found.to_dict(), dict)
    json.dumps(found.to_dict())
