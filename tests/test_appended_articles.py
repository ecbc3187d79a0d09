"""Of whole articles one below the other, as endless scrolling makes them, the first is the result; long pages stay."""

from __future__ import annotations

import json

import pytest

import thresher

TITLES = ("Herring boats return to the harbour", "The mill at Orford is sold", "A winter without any ice")
SUBJECTS = ("boat", "mill", "winter")
PLACES = ("harbour", "river", "market", "church", "bridge", "garden", "school", "station")
NAV = "<nav><a href='/'>Home</a> <a href='/news'>News</a></nav>"


def prose(subject: str) -> str:
    """Eight paragraphs about a subject."""
    return "".join(
        f"<p>In the {place} the {subject} was what everybody spoke about for many weeks, and number {number} of the old"
        f" stories that people tell of it there begins with a {subject}, a storm and two brothers.</p>"
        for number, place in enumerate(PLACES)
    )


def article(number: int, around: str = '<article class="story" data-url="/news/{}">', end: str = "</article>") -> str:
    return f"{around.format(number)}<h1>{TITLES[number]}</h1>{prose(SUBJECTS[number])}{end}"


def page(
    body: str, title: str = TITLES[0], head: str = '<link rel="canonical" href="https://x.example/news/0">'
) -> str:
    return f"<title>{title} - The Gazette</title>{head}<body>{NAV}<main>{body}</main><footer>Imprint</footer>"


ALL = page("".join(map(article, range(3))))


def test_the_first_article_is_the_result_and_the_others_are_offered():
    result = thresher.extract(ALL)
    assert "boat" in result.text
    assert "mill" not in result.text
    assert "winter" not in result.text
    assert any(warning.startswith("appended_articles: the page appends 2 articles") for warning in result.warnings)
    assert [other.title for other in result.others] == list(TITLES[1:])
    assert [other.url for other in result.others] == ["https://x.example/news/1", "https://x.example/news/2"]
    assert result.others[0].text.count("mill") >= 16
    assert result.others[0].markdown.startswith("# The mill at Orford is sold")
    assert "winter" not in result.others[0].text
    assert result.to_dict()["others"][1]["title"] == TITLES[2]
    dropped = next(block for block in result.blocks if "mill" in block.text and not block.kept)
    assert dropped.reasons == ("against: an article that the page appends to its own",)


@pytest.mark.parametrize(
    ("around", "end"),
    [
        ('<div class="infinite-item"><div data-permalink="https://x.example/news/{}">', "</div></div>"),
        ('<section class=story itemscope><meta itemprop="mainEntityOfPage" content="/news/{}">', "</section>"),
        (
            "<article>",
            '<a href="https://www.facebook.com/sharer/sharer.php?u=https://x.example/news/{}">Share</a></article>',
        ),
        ('<div class=post><link rel="canonical" href="/news/{}">', "</div>"),
    ],
)
def test_addresses_are_found_where_sites_put_them(around, end):
    body = "".join(article(number, around, end.format(number)) for number in range(3))
    assert [other.url for other in thresher.extract(page(body)).others] == [
        "https://x.example/news/1",
        "https://x.example/news/2",
    ]


def test_days_of_their_own_do_where_the_page_says_that_it_is_one_article():
    item = json.dumps({"@context": "https://schema.org", "@type": "NewsArticle", "headline": TITLES[0]})
    head = f'<script type="application/ld+json">{item}</script>'
    body = "".join(article(number, "<article><time>3 May 2021</time>") for number in range(2))
    result = thresher.extract(page(body, head=head))
    assert [(other.title, other.url) for other in result.others] == [(TITLES[1], None)]
    assert thresher.extract(page(body, head="")).others == ()


@pytest.mark.parametrize(
    "html",
    [
        page("".join(map(article, range(3))), title="All the news"),
        page("".join(map(article, range(3))), head='<link rel="canonical" href="https://x.example/">'),
        page("".join(article(number, "<article class=story>") for number in range(3))),
        page("".join(article(number, '<section data-url="/news/0#part-{}">', "</section>") for number in range(3))),
        page("".join(article(0, '<article data-url="/news/{}">') for _ in range(3))),
        page("<article>" + "".join(article(number, "", "") for number in range(3)) + "</article>"),
        page(f"<h1>{TITLES[0]}</h1>" + "".join(map(article, (1, 2)))),
        page("".join(map(article, range(3))), title="; ".join(TITLES)),
        page(
            "".join(map(article, range(3))),
            head='<script type="application/ld+json">{"@type": "LiveBlogPosting", "headline": "x"}</script>',
        ),
    ],
    ids=["archive", "front page", "chapters", "parts", "repeated", "headings", "ticker", "round-up", "live"],
)
def test_other_long_pages_are_not_cut(html):
    result = thresher.extract(html)
    assert result.others == ()
    assert not any("appended" in warning for warning in result.warnings)


def test_other_methods_keep_what_they_kept():
    result = thresher.extract(ALL, method="readability" if "readability" in thresher.methods.names() else "cetd")
    assert result.others == ()
