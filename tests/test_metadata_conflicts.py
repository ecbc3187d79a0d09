"""Where the sources of a page contradict each other, are broken, or belong to something else on it."""

from __future__ import annotations

from datetime import date

import pytest

from thresher.metadata import Metadata, metadata
from thresher.metadata.json_ld import read
from thresher.page import Island
from thresher.parse import parse

PROSE = "<p>" + "Bees fly far and see much, and nobody knows what they think of it all. " * 6 + "</p>"


def described(byline: str = "", head: str = "", after: str = "", language: str = "en", **page: str) -> Metadata:
    title, heading = (page.get(name, "Nine bees in a jar") for name in ("title", "heading"))
    html = (
        f'<html lang="{language}"><title>{title}</title>{head}'
        f"<main><article><h1>{heading}</h1>{byline}{PROSE}{PROSE}</article>{after}</main>"
    )
    return metadata(parse(html, url=page.get("url", "https://www.example.org/bees")), today=date(2026, 1, 15))


# ---- people --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("byline", "language", "author"),
    [
        ('<p><a href="/author/jane-doe/">Jane Doe</a> · 12 March 2024</p>', "en", "Jane Doe"),
        ('<p><a href="/authors/j">Jane Doe</a> and <a href="/authors/r">John Roe</a></p>', "en", "Jane Doe; John Roe"),
        ('<p><a href="/autoren/anna-mueller">Anna Müller</a></p>', "de", "Anna Müller"),
        ('<p><a href="/authority/rules">Read These Rules</a></p>', "en", None),
        ("<div>Jane Doe</div><div>Senior Reporter</div>", "en", "Jane Doe"),
        ("<div>Jane Doe, Staff Writer</div>", "en", "Jane Doe"),
        ("<div>Anna Müller</div><div>Redakteurin, Berlin</div>", "de", "Anna Müller"),
        ("<div>Latest News</div><div>Editor's picks of the week</div>", "en", None),
        ('<div class="author">张三</div>', "zh", "张三"),
        ('<div class="author">编辑部</div>', "zh", None),
        ('<div class="author">山田太郎</div>', "ja", "山田太郎"),
        ('<div class="author">राहुल शर्मा</div>', "hi", "राहुल शर्मा"),
        ('<div class="author">สมชาย ใจดี</div>', "th", "สมชาย ใจดี"),
        ('<div class="author">Редакция</div>', "ru", None),
        ('<div class="author">читать все новости</div>', "ru", None),
    ],
)  # fmt: skip
def test_who_wrote_it(byline, language, author):
    assert described(byline, language=language).author == author


TEASERS = """<section><h2>More stories</h2>
<div><a href="/w"><h3>Wasps in a box again</h3></a><span>By Bob Roe</span><span>May 5, 2024</span></div>
<div><a href="/v"><h3>Ants in a line</h3></a><span>By Al Poe</span><span>May 6, 2024</span></div></section>"""


@pytest.mark.parametrize("level", ["h1", "h2", "h3", "h4"])
def test_a_heading_in_a_link_is_that_of_another_page(level):
    found = described(after=TEASERS.replace("h3>", f"{level}>"))
    assert (found.author, found.date) == (None, None)


# ---- days ----------------------------------------------------------------------------------------------------


def test_an_address_knows_the_day_of_its_place_and_the_head_the_moment():
    head = '<meta property="article:published_time" content="2024-03-13T01:30:00+00:00">'
    found = described(head=head, url="https://www.example.org/2024/03/12/bees")
    assert (found.date, found.sources["date"]) == ("2024-03-12", "url")
    assert found.datetime == "2024-03-13T01:30:00+00:00"
    later = described(head=head, url="https://www.example.org/2024/03/02/bees")
    assert (later.date, later.sources["date"]) == ("2024-03-13", "opengraph")


def test_a_class_may_say_that_a_day_is_that_of_the_last_change():
    hatom = '<abbr class="published" title="2024-03-12">x</abbr> <abbr class="updated" title="2024-03-13">y</abbr>'
    found = described(hatom)
    assert (found.date, found.modified) == ("2024-03-12", "2024-03-13")


# ---- broken JSON-LD ------------------------------------------------------------------------------------------

ARTICLE = '"@type":"NewsArticle","datePublished":"2024-03-12T10:00:00Z","author":{"@type":"Person","name":"Jane Doe"}'


@pytest.mark.parametrize(
    "text",
    [
        "{" + ARTICLE + ',"headline":"Nine "big" bees"}',
        "{" + ARTICLE + ',"articleBody":"Bees fly',
        ("{" + ARTICLE + "}").replace('"', "'"),
    ],
)
def test_the_facts_of_a_broken_article_are_saved(text):
    found = described(head=f'<script type="application/ld+json">{text}</script>')
    assert (found.author, found.date) == ("Jane Doe", "2024-03-12")


@pytest.mark.parametrize(
    "text",
    [
        "{" + ARTICLE + '},{"@type":"NewsArticle","datePublished":"2023-01-01","author":{"name":"John Roe"},"x":"',
        '{"@type":"Organization","name":"Example","x":"',
        '{"datePublished":"2024-03-12","x":"',
        '["',
    ],
)
def test_nothing_is_saved_that_may_be_another_article_s(text):
    values = read([Island("script", "application/ld+json", "", '[{"a" "b"},' + text)])
    assert not any("datePublished" in value or "author" in value for value in values)


# ---- titles --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("九只蜜蜂在罐子里_新闻频道_示例网", "九只蜜蜂在罐子里"),
        ("九只蜜蜂在罐子里-示例网", "九只蜜蜂在罐子里"),
        ("瓶の中の九匹の蜂｜示例网", "瓶の中の九匹の蜂"),
        ("병 속의 벌 아홉 마리-示例网", "병 속의 벌 아홉 마리"),
        ("snake_case in Python", "snake_case in Python"),
        ("Twenty-one bees", "Twenty-one bees"),
    ],
)
def test_site_names_in_titles_without_spaces(title, expected):
    assert described(title=title, heading="", head='<meta property="og:site_name" content="示例网">').title == expected
