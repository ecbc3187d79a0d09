"""Which pages a key page is compared with: the order of its links, and no copies of itself."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.data import DATA, needs
from tests.strategies import pages as any_pages
from thresher.evaluate.datasets.sites import Sites
from thresher.page import Page
from thresher.parse import parse
from thresher.template.nset import MAX_LOADS_PER_PAGE, alike, choose, collect, copies, gather

WORDS = "wheat rye oats barley straw chaff grain flail barn field winter harvest mill stone sieve wind".split()
MENU = "<ul class=menu><li><a href=/>Home</a></li><li><a href=/news/>All the news</a></li></ul>"
IMPRINT = "<div class=foot>The harvest office is open from nine to five, and closed at noon. Write to us.</div>"


def prose(seed: int, paragraphs: int = 4) -> str:
    draw = random.Random(seed)
    return "".join(f"<p>{' '.join(draw.choices(WORDS, k=20))} {seed}.</p>" for _ in range(paragraphs))


def article(number: int, *, template: str = MENU + "{}" + IMPRINT, body: str | None = None, title: str = "") -> Page:
    inside = template.format(f"<div class=main><h1>Field {number}</h1>{prose(number) if body is None else body}</div>")
    return parse(f"<title>{title or f'Field {number}'}</title>{inside}", url=f"http://x.test/news/{number}.html")


def judged(page: Page, *siblings: Page) -> list[bool]:
    return copies(page, siblings).tolist()


# ---- copies --------------------------------------------------------------------------------------------------

KEY = article(0)
OTHERS = [article(number) for number in range(1, 5)]


def test_other_articles_of_the_site_are_no_copies() -> None:
    assert judged(KEY, *OTHERS) == [False] * 4
    assert judged(KEY, OTHERS[0]) == [False]


def test_the_same_thread_at_another_address_is_a_copy() -> None:
    again = article(0, template=MENU + "<p>Views: 117</p>{}" + IMPRINT)
    assert judged(KEY, again, *OTHERS) == [True] + [False] * 4
    assert judged(KEY, again) == [True]


def test_a_print_view_is_a_copy_and_makes_no_copy_of_others() -> None:
    bare = article(0, template="{}")
    assert judged(KEY, bare, OTHERS[0]) == [True, False]
    assert judged(KEY, bare, *OTHERS) == [True] + [False] * 4


def test_a_front_page_with_the_whole_text_is_a_copy() -> None:
    front = article(9, body="".join(prose(number) for number in (5, 0, 6)), title="Home")
    assert judged(KEY, front, *OTHERS) == [True] + [False] * 4


def test_a_teaser_makes_no_copy() -> None:
    teasers = article(9, body="".join(prose(number, 1) for number in (5, 0, 6)), title="Home")
    assert judged(KEY, teasers, *OTHERS) == [False] * 5


def test_all_may_be_copies() -> None:
    again = [article(0, template=MENU + f"<p>Views: {count}</p>{{}}" + IMPRINT) for count in (1, 2, 3)]
    assert judged(KEY, *again) == [True] * 3


def test_a_short_text_in_a_large_template_has_no_copies() -> None:
    large = MENU + "{}" + IMPRINT + prose(77, 12)
    short = [article(number, template=large, body=f"<p>Sold out {number}, back in May.</p>") for number in range(5)]
    assert judged(short[0], *short[1:]) == [False] * 4
    assert judged(short[0], short[1]) == [False]
    again = article(0, template=large + "<p>Views: 3</p>", body="<p>Sold out 0, back in May.</p>")
    assert judged(short[0], again, *short[1:]) == [True] + [False] * 4
    assert judged(short[0], again) == [True]


@settings(max_examples=40, deadline=None)
@given(any_pages(), st.lists(any_pages(), max_size=3))
def test_any_pages_are_judged(page: Page, siblings: list[Page]) -> None:
    found = copies(page, siblings)
    assert found.dtype == bool
    assert found.shape == (len(siblings),)


# ---- the choice ----------------------------------------------------------------------------------------------


def names(found: list[Page]) -> list[str]:
    return [(page.url or "").removeprefix("http://x.test") for page in found]


def at(path: str, seed: int | None = None) -> Page:
    page = article(len(path) * 31 + ord(path[-6]) if seed is None else seed)
    return parse(page.markup, url=f"http://x.test{path}")


LINKS = ["/", "/a/b/one.html", "/a/up.html", "/a/b/c/down.html", "k.html", "/a/b/thread.html?sid=7", "file.pdf"]
LINKING = parse(
    "<title>k</title>" + "".join(f'<a href="{link}">{link}</a>' for link in LINKS) + prose(100),
    url="http://x.test/a/b/k.html",
)
SITE = [at("/index.html"), at("/a/b/one.html"), at("/a/up.html"), at("/a/b/c/down.html"), at("/a/b/thread.html")]


def test_linked_pages_come_by_hyperlink_distance() -> None:
    expected = ["/a/b/one.html", "/a/b/thread.html", "/a/b/c/down.html", "/a/up.html", "/index.html"]
    assert names(choose(LINKING, SITE, 9)) == expected
    assert names(choose(LINKING, SITE, 2)) == expected[:2]


def test_pages_that_are_not_linked_come_after_by_their_directories() -> None:
    nowhere = parse(article(55).markup)
    far, near = at("/z/y/x.html"), at("/a/b/none.html")
    assert names(choose(LINKING, [nowhere, far, near, SITE[0]], 9)) == [
        "/index.html",
        "/a/b/none.html",
        "/z/y/x.html",
        "",
    ]


def test_without_an_address_the_given_order_stays() -> None:
    page = parse(LINKING.markup)
    assert names(choose(page, SITE, 3)) == names(SITE[:3])


def test_copies_do_not_enter() -> None:
    again = parse(LINKING.markup, url="http://x.test/a/b/one.html")
    assert names(choose(LINKING, [again, *SITE[2:]], 2)) == ["/a/b/thread.html", "/a/b/c/down.html"]
    assert choose(LINKING, [again], 2) == []


def test_pages_are_loaded_one_by_one_until_there_are_enough() -> None:
    asked: list[str] = []
    site = {page.url: page for page in SITE}

    def load(url: str) -> Page | None:
        asked.append(url)
        return site.get(url)

    assert names(gather(LINKING, load, 2)) == ["/a/b/one.html", "/a/b/c/down.html"]
    # thread.html is saved without its query, so nothing is at the address of the link.
    assert asked == [f"http://x.test/a/b/{name}" for name in ("one.html", "thread.html?sid=7", "c/down.html")]
    assert gather(parse(LINKING.markup), load, 2) == []


def test_a_dead_site_is_not_asked_without_end() -> None:
    page = parse("".join(f"<a href={number}>x</a>" for number in range(99)), url="http://x.test/")
    asked: list[str] = []
    assert gather(page, lambda url: asked.append(url), 2) == []
    assert len(asked) == 2 * MAX_LOADS_PER_PAGE


def test_what_is_known_of_the_site_grows_with_every_page() -> None:
    """The first two pages are copies of each other's kind; only the third tells template from content."""
    bare = article(0, template="{}")
    chosen = collect(KEY, iter([bare, OTHERS[0], None, OTHERS[1], OTHERS[2]]), 2)
    assert chosen == OTHERS[:2]


def test_pages_of_the_same_layout_are_alike() -> None:
    index = [at("/list.html", 7), at("/tags.html", 8)]
    index = [parse(f"{MENU}<ol class=list><li>{number}</li></ol>", url=page.url) for number, page in enumerate(index)]
    assert alike(KEY, [*index, *OTHERS], 4) == OTHERS
    assert alike(KEY, [article(0, template=MENU + "{}"), *index], 1) == index[:1]


@needs("sites")
@pytest.mark.parametrize(
    ("key_page", "copied"),
    [
        ("libreumbria/2013/04/libreoffice-firma-con-dike/index.html", 3),  # ?replytocom=… of the same post
        ("dime-shs-fr/posts/colloque-dime-shs/index.html", 1),  # the archive has the posts whole
        ("toyshop-ru/novosti/15.html", 0),  # 80 words of its own in a large template
    ],
)
def test_copies_are_found_on_real_sites(key_page: str, copied: int) -> None:
    record = Sites(DATA / "sites").read(key_page)
    siblings = [parse(file.read_bytes(), url=url) for url, file in record.siblings.items()]
    assert int(np.sum(copies(parse(record.html or b"", url=record.url), siblings))) == copied
