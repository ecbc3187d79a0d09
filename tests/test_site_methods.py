"""`site` as printed in paper 002, `temex`, and our `site_plus`."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings

from tests.data import DATA, needs
from tests.reference import site as naive
from tests.test_site_mapping import small
from tests.test_site_nset import IMPRINT, MENU, article, prose
from thresher import extract
from thresher.errors import NeedsSiblings
from thresher.evaluate.datasets.sites import Sites
from thresher.evaluate.measures import bow
from thresher.methods import site, site_plus, temex
from thresher.page import Page
from thresher.parse import parse
from thresher.template.mapping import occurrences
from thresher.template.nodes import nodes, within
from thresher.template.nset import at_random, copies
from thresher.visible.readable import readable

some = settings(max_examples=80, deadline=None)


def numbers(mask: np.ndarray) -> set[int]:
    return set(np.flatnonzero(mask).tolist())


def kept(page: Page, keep: np.ndarray) -> list[str]:
    return [text.strip() for text, chosen in zip(page.text, keep, strict=True) if chosen]


# ---- Algorithms 1 to 5 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("equal", "repeats"), [("attributes", 0), ("children", 0), ("text", 0), ("attributes", 1), ("children", 1)]
)
@some
@given(page=small, one=small, two=small)
def test_each_algorithm_is_the_printed_one(
    equal: Literal["attributes", "children", "text"], repeats: int, page: Page, one: Page, two: Page
) -> None:
    table, slow = nodes(page), naive.Algorithms(page)
    options = site.Options(equal=equal, repeats=repeats)
    candidates = occurrences(page, [one, two], equal) <= repeats
    in_head = [v for v, (kind, row) in enumerate(slow.tree.node) if kind == "element" and page.name(row) == "head"]
    candidates[[v for head in in_head for v in slow.subtree(head)]] = False
    # Theorem 1: what lies below a candidate is a candidate.
    assert numbers(within(table, candidates)) == numbers(candidates)
    reduced = site.reduced(table, candidates)
    assert numbers(reduced) == slow.algorithm_2(numbers(candidates))
    if len(numbers(reduced)) > 1:
        branch = site.main_branch(table, reduced)
        assert branch == slow.algorithm_3(numbers(reduced))
        final = site.in_branch(table, reduced, branch)
        assert numbers(final) == slow.algorithm_4(numbers(reduced), branch)
        content = within(table, site.main_content(table, final))
        assert numbers(content) == {v for node in slow.algorithm_5(numbers(final)) for v in slow.subtree(node)}
    assert numbers(site.content_nodes(page, [one, two], options)) == slow.content(numbers(candidates))


@pytest.mark.parametrize("equal", ["attributes", "children", "text"])
def test_the_example_of_the_paper(equal: Literal["attributes", "children", "text"]) -> None:
    """Figure 3: three candidates under one div are replaced by it, the others elsewhere are discarded.

    The div is repeated on the other pages: there it has as many children, or their number does not count."""

    def page(date: str, body: str) -> Page:
        top = f"<div id=top><span>{date}</span><i>Conference</i></div>"
        return parse(f"<title>t</title>{top}<div id=main><img src=logo.png>{body}</div>")

    key = page("Monday", "<h2>Keynote speakers</h2><p>Prof. One on mappings</p><p>Prof. Two on trees</p>")
    chairs = (
        ("<ul><li>Chairs</ul>", "<table><tr><td>Venue") if equal == "attributes" else ("<ul></ul>" * 3, "<ol></ol>" * 3)
    )
    options = site.Options(siblings=[page("Tuesday", chairs[0]), page("Friday", chairs[1])], equal=equal)
    assert kept(key, site.judge(key, options).keep) == [
        "Keynote speakers",
        "Prof. One on mappings",
        "Prof. Two on trees",
    ]
    chosen = [key.name(row) for row in np.flatnonzero(site.judge(key, options).elements)]
    assert chosen == ["div", "img", "h2", "p", "p"]  # the picture comes in with the div: Algorithm 5


def test_paragraphs_at_equal_places_leave_nothing_but_texts_to_choose_from() -> None:
    """Elements with equal attributes at equal places are repeated; all parents of the texts are as large."""
    siblings = [article(number) for number in range(1, 6)]
    assert extract(article(0), method="site:equal=attributes", siblings=siblings).text == "Field 0"
    others = [article(number, body=prose(number, 3 + number)) for number in range(1, 6)]
    page = article(0, body=prose(0, 3))
    assert extract(page, method="site:equal=attributes", siblings=others).text == "Field 0"
    whole = extract(page, method="site", siblings=others).text
    assert whole.startswith("Field 0")
    assert whole.count("0.") == 3
    assert "harvest office" not in whole


def test_a_leaf_with_other_text_is_another_element_where_text_counts() -> None:
    """Two leaves under one parent are candidates; with equal attributes only their texts are, in parents alike."""
    siblings = [article(number) for number in range(1, 6)]
    whole = extract(article(0), method="site:equal=text", siblings=siblings).text
    assert whole.startswith("Field 0")
    assert whole.count("0.") == 4


def test_a_candidate_may_be_repeated_so_often() -> None:
    def page(text: str, note: str) -> Page:
        return parse(f"<title>t</title><ul><li>Home</li></ul><div><p id={text}>{text}</p><p id={note}>{note}</p></div>")

    key = page("Wheat", "Sale")
    siblings = [page("Rye", "Sale"), page("Oats", "Sold"), page("Barley", "Sold")]
    texts = [extract(key, method=f"site:repeats={n}", siblings=siblings).text for n in (0, 1)]
    assert ["Sale" in text for text in texts] == [False, True]
    assert "Home" in extract(key, method="site:repeats=3", siblings=siblings).text  # nothing is template any more


def test_pages_drawn_by_lot_are_the_same_for_a_seed() -> None:
    siblings = [article(number) for number in range(1, 9)]
    drawn = [at_random(article(0), siblings, 4, seed) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert extract(article(0), method="site:choice=random:seed=1", siblings=siblings).keep.any()
    with pytest.raises(NeedsSiblings):
        extract(article(0), method="site:choice=random")


def test_a_single_candidate_is_the_content() -> None:
    def page(text: str) -> Page:
        return parse(f"<title>t</title><ul><li>Home</li></ul><div><p>{text}</p><p>Imprint</p></div>")

    options = site.Options(siblings=[page("Rye"), page("Oats")])
    assert kept(page("Wheat"), site.judge(page("Wheat"), options).keep) == ["Wheat"]


# ---- TemEx ---------------------------------------------------------------------------------------------------


@some
@given(small, small, small)
def test_temex_keeps_what_fewer_than_t_pages_have(page: Page, one: Page, two: Page) -> None:
    for threshold in (1, 2):
        options = temex.Options(siblings=(one, two), threshold=threshold)
        chosen = temex.compared("temex", page, options.siblings, 4)
        count = naive.occurrences(page, chosen)
        least = min(threshold, max(len(chosen), 1))
        table = nodes(page)
        seen = readable(page)
        expected = [bool(seen[k]) and count[v] < least for k, v in enumerate(table.text)]
        assert temex.judge(page, options).keep.tolist() == expected


# ---- what all three share ------------------------------------------------------------------------------------

METHODS = [site, temex, site_plus]
NAMES = [module.__name__.rsplit(".", 1)[-1] for module in METHODS]


@pytest.mark.parametrize("name", NAMES)
def test_the_article_is_kept_and_the_template_is_not(name: str) -> None:
    def lists(number: int) -> Page:
        return article(number, body=f"<ul>{prose(number)}</ul>")

    result = extract(article(0), method=name, siblings=[lists(number) for number in range(1, 6)])
    assert result.text.count("0.") == 4
    assert "harvest office" not in result.text
    assert "All the news" not in result.text


@pytest.mark.parametrize("name", NAMES)
def test_without_other_pages_the_command_is_named(name: str) -> None:
    with pytest.raises(NeedsSiblings, match=rf"thresher site extract PAGE --method {name}"):
        extract(article(0), method=name)


@pytest.mark.parametrize("name", NAMES)
def test_copies_do_not_make_content_template(name: str) -> None:
    siblings = [article(0, template=MENU + f"<p>Views: {n}</p>{{}}" + IMPRINT) for n in (1, 2)]
    siblings += [article(number) for number in (1, 2, 3)]
    with_copies = extract(article(0), method=name, siblings=siblings)
    assert with_copies.text == extract(article(0), method=name, siblings=siblings[2:]).text


@pytest.mark.parametrize("name", NAMES)
def test_where_all_are_copies_nothing_is_known_to_be_template(name: str) -> None:
    page = article(0)
    assert extract(page, method=name, siblings=[article(0)]).keep.all() == readable(page).all()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "site_plus"])
def test_where_siblings_have_another_template_the_result_says_that_they_told_nothing(name: str) -> None:
    strangers = [f"<title>{n}</title><table><tr><td>Seed {n}<td>{'Price list. ' * n}</table>" for n in (2, 3, 4)]
    result = extract(article(0), method=name, siblings=strangers)
    assert [problem.code for problem in result.problems] == ["unused"]
    assert (result.keep == readable(article(0))).all()
    if name != "site":  # whose algorithm takes this article with the menu
        assert not extract(article(0), method=name, siblings=[article(n) for n in (1, 2, 3)]).problems


def test_the_number_of_pages_is_an_option() -> None:
    pages = [article(number, body=f"<p>Common</p>{prose(number)}" if number > 2 else None) for number in range(1, 5)]
    key = article(0, body=f"<p>Common</p>{prose(0)}")
    texts = [extract(key, method="temex", siblings=pages, options={"pages": n, "threshold": 1}).text for n in (2, 4)]
    assert ["Common" in text for text in texts] == [True, False]
    with pytest.raises(ValueError, match="no option 'n' in method temex; it has: siblings, pages, threshold"):
        extract(key, method="temex", siblings=pages, options={"n": 2})


# ---- site_plus -----------------------------------------------------------------------------------------------

POST = """<title>{title} | The Barn</title><div class=head><h2><a href=/>The Barn</a></h2></div>
<article id=post-{number} class="post-{number} tag-{title}"><header><h1><a href=/{number}>{title}</a></h1>
<div class=meta>on <time>{number} May</time> by <a href=/author>Author {number}</a></div></header>
<div class=body>{text}<div class=related><ul><li><a href=/x>Read {number} too</a></li></ul></div></div>
<footer class=tags><a href=/t1>tag {number}</a>, <a href=/t2>also {number}</a></footer>
<div id=comments class=comments><ol><li>{remark}</li></ol></div></article>
<div class=side><h3>Latest</h3><ul><li>{number} days ago</li></ul></div>"""


def post(number: int, text: str | None = None, remark: str = "") -> Page:
    words = text if text is not None else prose(number)
    html = POST.format(number=number, title=f"Sheaf{'abcdefgh'[number]}", text=words, remark=remark)
    return parse(html, url=f"http://x.test/{number}")


POSTS = [post(number) for number in range(1, 6)]


def plus(page: Page, siblings: list[Page] = POSTS) -> list[str]:
    return kept(page, site_plus.judge(page, site_plus.Options(siblings=siblings)).keep)


def test_the_text_and_the_title_are_kept_dates_tags_and_links_are_not() -> None:
    texts = plus(post(0))
    assert texts[0] == "Sheafa"
    assert len(texts) == 5
    assert all(text.endswith("0.") for text in texts[1:])


def test_comments_are_left_out_unless_they_are_the_page() -> None:
    assert not any("5." in text for text in plus(post(0, remark=prose(5, 6))))
    assert any("5." in text for text in plus(post(0, text="", remark=prose(5, 6))))


def test_what_a_page_shares_inside_its_own_text_stays() -> None:
    def recipes(shared: str) -> list[Page]:
        return [post(number, text=shared + prose(number)) for number in range(5)]

    key, *siblings = recipes("<p>Ingredients:</p>")
    assert "Ingredients:" in plus(key, siblings)
    key, *siblings = recipes("<p>Ingredients:</p>" + prose(99, 6))
    assert "Ingredients:" not in plus(key, siblings)


def test_the_posts_of_a_thread_are_one_slot() -> None:
    def thread(first: int, posts: int) -> Page:
        each = "".join(
            f"<div id=p{n} class=post><dl class=author><dt>user {n}<dd>joined {n} May</dl>"
            f"<div class=content>{prose(n, 3) if n % 2 else f'<p>Thanks {n}, that was it. 0{n}.</p>'}</div></div>"
            for n in range(first, first + posts)
        )
        return parse(f"<title>Thread {first}</title>{MENU}<h1>Thread {first}</h1>{each}{IMPRINT}")

    texts = plus(thread(10, 6), [thread(20, 4), thread(30, 8), thread(40, 6)])
    assert texts[0] == "Thread 10"
    assert len(texts) == 1 + 3 * 3 + 3
    assert not any("joined" in text or "user" in text for text in texts)


def test_lists_of_links_are_kept_where_a_page_is_one() -> None:
    def shelf(number: int) -> Page:
        items = "".join(
            f"<li class=item><a href=/{number}/{k}>Good {k} of {number}</a> <b class=price>{number}{k} €</b></li>"
            for k in range(20)
        )
        return parse(f"<title>Shelf {number}</title>{MENU}<ul class=goods>{items}</ul>{IMPRINT}")

    texts = plus(shelf(1), [shelf(2), shelf(3)])
    assert sum("Good" in text for text in texts) == 20
    assert sum("€" in text for text in texts) == 20
    assert "All the news" not in texts


def test_elements_hold_the_text_and_the_pictures_among_it() -> None:
    page = post(0, text=prose(0) + "<p><img src=a.png></p>")
    chosen = site_plus.judge(page, site_plus.Options(siblings=POSTS)).elements
    names = [page.name(row) for row in np.flatnonzero(chosen)]
    assert "img" in names
    assert {"body", "footer", "time", "li"}.isdisjoint(names)


@some
@given(small, small, small)
def test_kept_texts_stand_in_chosen_elements(page: Page, one: Page, two: Page) -> None:
    options = site_plus.Options(siblings=(one, two))
    keep, chosen = site_plus.judge(page, options).keep, site_plus.judge(page, options).elements
    assert chosen[page.owner[keep]].all()


@needs("sites")
def test_on_real_sites_site_plus_is_ahead_of_site_and_temex() -> None:
    sites = Sites(DATA / "sites")
    scores: dict[str, list[float]] = {name: [] for name in NAMES}
    for id in sites.ids()[::7]:
        record = sites.read(id)
        if len(record.siblings) < 2:
            continue
        siblings = [parse(file.read_bytes(), url=url) for url, file in record.siblings.items()]
        page = parse(record.html or b"", url=record.url)
        for name in NAMES:
            scores[name].append(bow(record.gold or "", extract(page, method=name, siblings=siblings).text).f1)
    means = {name: float(np.mean(found)) for name, found in scores.items()}
    assert len(scores["site"]) >= 6
    assert means["site_plus"] > 0.97
    assert means["site_plus"] > max(means["temex"], means["site"])
    assert min(means["temex"], means["site"]) > 0.95


# ---- galleries -----------------------------------------------------------------------------------------------

SITE_METHODS = ["site", "temex", "site_plus", "sst", "rtdm", "iwptd", "rbmtd"]
SHOWN = (
    "<ul class=menu><li><a href=/>Home</a></li><li><a href=/all>All galleries</a></li></ul>{}<div class=foot>{}</div>"
)
RIGHTS = "Photographs by the harbour office, all rights reserved. <img src=/logo.png>"
PICTURES = "<div class=main><img src=/{0}a.jpg><img src=/{0}b.jpg></div>"
LAZY = "<div class=main><img src=/blank.gif data-src=/{0}a.jpg><img src=/blank.gif data-src=/{0}b.jpg></div>"


def gallery(number: int, *, title: str = "Gallery", body: str = PICTURES, foot: str = RIGHTS) -> Page:
    inside = SHOWN.format(body.format(number), foot)
    return parse(f"<title>{title}</title><div id=page>{inside}</div>", url=f"http://x.test/g/{number}.html")


@pytest.mark.parametrize("name", SITE_METHODS)
@pytest.mark.parametrize("body", [PICTURES, LAZY], ids=["pictures", "lazy"])
@pytest.mark.parametrize("foot", [RIGHTS, ""], ids=["imprint", "bare"])
@pytest.mark.parametrize("titles", ["one", "each"])
def test_a_gallery_gives_its_two_pictures(name: str, body: str, foot: str, titles: str) -> None:
    pages = [
        gallery(number, title="Gallery" if titles == "one" else f"Boats {number}", body=body, foot=foot)
        for number in range(7)
    ]
    result = extract(pages[0], method=name, siblings=pages[1:])
    assert [image.url for image in result.images] == ["http://x.test/0a.jpg", "http://x.test/0b.jpg"]
    assert result.text == ""
    assert result.status == "ok"
    assert result.markdown.count("![](http://x.test/0") == 2
    assert result.elements is not None
    names = [pages[0].name(row) for row in np.flatnonzero(result.elements)]
    assert names in (["img", "img"], ["div", "img", "img"])


@pytest.mark.parametrize("name", SITE_METHODS)
def test_a_gallery_among_articles_gives_its_two_pictures(name: str) -> None:
    texts = [f"<div class=main><h1>Field {n}</h1>{prose(n)}</div>" for n in range(1, 7)]
    siblings = [gallery(n, title=f"Field {n}", body=text) for n, text in enumerate(texts, start=1)]
    result = extract(gallery(0, title="The harbour"), method=name, siblings=siblings)
    assert [image.url for image in result.images] == ["http://x.test/0a.jpg", "http://x.test/0b.jpg"]
    assert result.text == ""


@pytest.mark.parametrize("name", SITE_METHODS)
@pytest.mark.parametrize(
    "body",
    [
        "<main><figure><a href=/x><img src=/{0}a.jpg></a></figure>"
        "<figure><a href=/y><img src=/{0}b.jpg></a></figure></main>",
        "<table><tr><td><img src=/{0}a.jpg></td><td><img src=/{0}b.jpg></td></tr></table>",
    ],
    ids=["figures", "table"],
)
def test_pictures_with_parents_of_their_own_are_all_given(name: str, body: str) -> None:
    pages = [gallery(number, body=body) for number in range(7)]
    result = extract(pages[0], method=name, siblings=pages[1:])
    assert [image.url for image in result.images] == ["http://x.test/0a.jpg", "http://x.test/0b.jpg"]
    assert result.text == ""


@pytest.mark.parametrize("name", SITE_METHODS)
def test_a_video_is_content_too(name: str) -> None:
    pages = [gallery(n, title=f"Boats {n}", body="<div class=main><video src=/{}.mp4></video></div>") for n in range(7)]
    result = extract(pages[0], method=name, siblings=pages[1:])
    assert result.text == ""
    assert result.elements is not None
    assert "video" in [pages[0].name(row) for row in np.flatnonzero(result.elements)]
    assert "menu" not in result.html


def test_the_same_gallery_at_another_address_is_a_copy() -> None:
    again = gallery(0, foot=RIGHTS + "<p>Views: 7</p>")
    assert copies(gallery(0), [again, *(gallery(n) for n in range(1, 4))]).tolist() == [True, False, False, False]
    assert copies(gallery(0), [again]).tolist() == [True]
    assert copies(gallery(0), [gallery(1)]).tolist() == [False]
