"""The methods that choose elements: LQF, Crunch, FE and K-FE, LP, CETD, WLR, LBS, SLS, TP, semantic markup."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden import PAGES, golden, lines
from tests.reference import cetd as naive_cetd
from tests.reference import crunch as naive_crunch
from tests.reference import fe as naive_fe
from tests.reference import lbs as naive_lbs
from tests.reference import lp as naive_lp
from tests.reference import lqf as naive_lqf
from tests.reference import segments as naive
from tests.reference import sls as naive_sls
from tests.reference import tp as naive_tp
from tests.reference import tree as naive_tree
from tests.reference import wlr as naive_wlr
from tests.strategies import pages, tidy
from thresher import methods
from thresher.methods import _segments, cetd, crunch, fe, kfe, lbs, lp, lqf, semantic, sls, tp, wlr
from thresher.page import Page
from thresher.parse import parse
from thresher.visible.readable import readable

NAMES = ["cetd", "crunch", "fe", "kfe", "lbs", "lp", "lqf", "semantic", "sls", "tp", "wlr"]
CHOOSERS = ["cetd", "crunch", "lbs", "lp", "lqf", "semantic", "tp", "wlr"]
PARAGRAPH = "The harbour was quiet that morning, and the gulls had not yet found the nets that lay along the wall. "

some = settings(max_examples=50, deadline=None)
few = settings(max_examples=20, deadline=None)
anything = pages() | tidy().map(parse)


def rows(mask: np.ndarray) -> set[int]:
    return set(np.flatnonzero(mask).tolist())


@pytest.mark.parametrize("name", CHOOSERS)
@given(page=pages())
@few
def test_the_kept_texts_are_those_of_the_chosen_elements(name: str, page: Page) -> None:
    chosen = methods.judge(name, page).elements
    assert chosen.dtype == bool
    assert chosen.shape == (len(page),)
    np.testing.assert_array_equal(chosen[page.owner] & readable(page), methods.get(name)(page))


# ---- what they share -----------------------------------------------------------------------------------------


@given(anything)
@some
def test_shown_elements_are_those_no_ancestor_hides(page: Page) -> None:
    assert _segments.shown(page).tolist() == [naive.is_shown(page, row) for row in range(len(page))]


@given(anything, st.integers(1, 5))
@some
def test_the_nearest_element_that_stands_is_found_by_doubling(page: Page, step: int) -> None:
    stands = np.arange(len(page)) % step == 0
    own = np.arange(len(page))
    assert _segments.nearest(page, stands).tolist() == naive_tree.inherit(page, own.tolist(), stands.tolist())


@given(anything, st.integers(0, 2**32 - 1))
@some
def test_the_largest_number_of_a_subtree_is_found(page: Page, seed: int) -> None:
    x = np.random.default_rng(seed).random(len(page))
    slow = [max(x[inner] for inner in naive.branch(page, row)) for row in range(len(page))]
    np.testing.assert_array_equal(_segments.subtree_max(page, x, np.arange(len(page))), slow)


# ---- each method against its paper ---------------------------------------------------------------------------


@given(anything, st.sampled_from([0.25, 0.5, 0.75]))
@some
def test_lqf_agrees_with_the_paper(page: Page, quota: float) -> None:
    assert lqf.elements(page, lqf.Options(quota)).tolist() == naive_lqf.kept_elements(page, quota)


@given(
    anything,
    st.builds(
        crunch.Options,
        link_lists=st.sampled_from([None, 0.35, 1.0]),
        text_links=st.booleans(),
        forms=st.booleans(),
        text_lists=st.sampled_from([None, 3]),
        image_cells=st.booleans(),
        empty_tables=st.integers(0, 3),
    ),
)
@some
def test_crunch_agrees_with_its_filters_one_by_one(page: Page, options: crunch.Options) -> None:
    assert crunch.elements(page, options).tolist() == naive_crunch.kept_elements(page, options, ad_hosts())


@pytest.mark.parametrize(
    ("url", "served"),
    [
        ("https://ad.doubleclick.net/x", True),
        ("//doubleclick.net", True),
        ("HTTP://DoubleClick.net:8080/?q", True),
        ("https://notdoubleclick.net/", False),
        ("https://example.org/doubleclick.net", False),
        ("https://doubleclick.net.example.org/", False),
        ("/local//doubleclick.net/", False),
    ],
)
def test_an_advertisement_is_known_by_its_host(url: str, served: bool) -> None:
    page = parse(f'<a href="{url}">Buy now</a> <p>{PARAGRAPH}</p>')
    assert ("Buy now" in " ".join(lines(page, crunch.judge(page).keep))) != served
    link = int(np.flatnonzero(crunch.tag_mask(page, "a"))[0])
    assert naive_crunch.is_advertisement(page, link, ad_hosts()) == served


def test_no_advertisement_host_has_more_labels_than_are_compared() -> None:
    assert max(host.count(".") + 1 for host in ad_hosts()) <= crunch._LABELS


def ad_hosts() -> list[str]:
    return sorted(host.decode() for host in crunch._ad_hosts())


@given(anything)
@some
def test_fe_agrees_with_the_paper(page: Page) -> None:
    blocks, slow = fe.segment(page), naive_fe.blocks(page)
    counts = [counts for _, counts in slow]
    assert [np.flatnonzero(blocks.of_text == b).tolist() for b in range(len(slow))] == [texts for texts, _ in slow]
    assert blocks.counts.tolist() == counts
    assert fe.winner(blocks) == naive_fe.winner(counts)


# Powers of two, so that sums and means are exact and ties are ties in both.
@given(
    st.lists(st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0])] * 3), min_size=1, max_size=16),
    st.integers(1, 4),
    st.data(),
)
@some
def test_kfe_clusters_as_lloyd_does(points: list[tuple[float, ...]], k: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(points) - 1))
    assert kfe.clusters(np.array(points), k, start).tolist() == naive_fe.clusters(points, k, start)


@given(anything)
@some
def test_kfe_keeps_the_blocks_in_the_cluster_of_the_winner(page: Page) -> None:
    blocks = fe.segment(page)
    best = fe.winner(blocks)
    kept = set[int]()
    if best is not None:
        labels = kfe.clusters(fe.shares(blocks), 3, best).tolist()
        kept = {k for k, b in enumerate(blocks.of_text.tolist()) if labels[b] == labels[best] and readable(page)[k]}
    assert rows(kfe.judge(page).keep) == kept


def links_everywhere(html: str) -> Page:
    """Random pages hardly ever have seven links: make every span one."""
    return parse(html.replace("<span", "<a href=x").replace("</span", "</a"))


@given(tidy().map(links_everywhere) | pages(), st.integers(1, 3))
@some
def test_lp_agrees_with_the_paper(page: Page, k: int) -> None:
    assert rows(lp.pagelets(page, lp.Options(k))) == set(naive_lp.linked(page, k))
    assert rows(lp.pagelets(page, lp.Options(k, "all"))) == set(naive_lp.partition(page, k))
    largest = naive_lp.largest(page, naive_lp.linked(page, k))
    assert rows(lp.elements(page, lp.Options(k))) == set(naive.branch(page, largest))


@pytest.mark.parametrize("kind", ["composite", "text"])
@given(page=anything)
@some
def test_cetd_agrees_with_the_paper(kind, page: Page) -> None:  # type: ignore[no-untyped-def]
    options, every = cetd.Options(kind), range(len(page))
    density = cetd.composite_text_density(page) if kind == "composite" else cetd.text_density(page)
    one = naive_cetd.composite_text_density if kind == "composite" else naive_cetd.text_density
    total = cetd.density_sum(page, options)
    np.testing.assert_allclose(density, [one(page, row) for row in every], atol=1e-12)
    np.testing.assert_allclose(total, [naive_cetd.density_sum(page, row, kind) for row in every], atol=1e-12)
    assert cetd.threshold(page, density, total) == naive_cetd.threshold(page, density, total)
    assert rows(cetd.elements(page, options)) == naive_cetd.content(page, density, total)


@given(anything, st.booleans())
@some
def test_wlr_agrees_with_its_definition(page: Page, position: bool) -> None:
    every = range(len(page))
    np.testing.assert_allclose(wlr.words_leaves_ratio(page), [naive_wlr.ratio(page, row) for row in every])
    fast = wlr.relevance(page, wlr.Options(position))
    np.testing.assert_allclose(fast, [naive_wlr.relevance(page, row, position) for row in every], atol=1e-12)
    best = int(np.argmax(fast))
    assert rows(wlr.elements(page, wlr.Options(position))) == set(naive.branch(page, best) if fast[best] else [])


@given(anything, st.sampled_from(["transparent", "opaque"]), st.data())
@some
def test_lbs_agrees_with_the_paper_in_any_segment(page: Page, inline, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
    options, transparent = lbs.Options(inline), inline == "transparent"
    holders = [row for row in range(len(page)) if not transparent or row == 0 or page.name(row) in lbs.BLOCK]
    fast = lbs.block_lengths(page, options)
    assert [fast[row] for row in holders] == [naive_lbs.block(page, row, transparent)[0] for row in holders]
    segment = data.draw(st.sampled_from(holders))
    kept = {k for k in naive_lbs.largest_block(page, segment, transparent) if readable(page)[k]}
    assert rows(lbs.largest_block(page, segment, options)[page.owner] & readable(page)) == kept


@given(anything, st.integers(0, 4), st.data())
@some
def test_sls_agrees_with_the_paper_in_any_segment(page: Page, radius: int, data: st.DataObject) -> None:
    segment = data.draw(st.integers(0, len(page) - 1))
    s, texts, place = sls.string_lengths(page, segment)
    slow = naive_sls.string_array(page, segment)
    assert s.tolist() == [length for length, _ in slow]
    assert dict(zip(place.tolist(), texts.tolist(), strict=True)) == {
        i: k for i, (_, k) in enumerate(slow) if k is not None
    }
    e = sls.smoothed(s, radius)
    np.testing.assert_allclose(e, naive_sls.smoothed(s.tolist(), radius), atol=1e-9)
    if len(e) and np.abs(e - e.std()).min() > 1e-9:  # not on the edge, where the last bit decides
        assert rows(sls.smoothed_strings(page, segment, sls.Options(radius))) == naive_sls.kept(page, segment, radius)


def thread(posts: Iterable[tuple[str, str, str, str]]) -> str:
    """Posts from (element, class, author, text), each with an author's box and a body; now and then a reply inside."""
    html = ""
    for element, classes, author, text in posts:
        inside = f"<div class=who>{author}</div><div class='body {classes}'>{text}</div>"
        html += f"<{element} class='{classes}' width=9>{inside}</{element}>"
    return html


posts = st.tuples(
    st.sampled_from(["div", "li", "section", "x-post", "p", "tr"]),
    st.sampled_from(["", "post", "post odd", "post even", "post-17 post", "row1", "row2", "post starter"]),
    st.sampled_from(["jib", "genoa <b>41 posts</b>", "<a href=x>spinnaker</a>", ""]),
    st.sampled_from(
        [PARAGRAPH, "Thanks!", PARAGRAPH * 2, "<p>" + PARAGRAPH + "</p><p>Two.</p>", "", "帆を縫う糸は何ですか。"]
    ),
)
threads = st.lists(posts, max_size=6).map(thread)
tables = st.lists(posts, max_size=5).map(
    lambda found: "<table>" + "".join(f"<tr><td>{a}<td class='{c}'>{t}" for _, c, a, t in found) + "</table>"
)
nested = st.tuples(threads, threads).map(
    lambda two: f"{two[0]}<div class=post>{two[1]}<div class=body>{two[1]}</div></div>"
)


@given(
    (threads | tables | nested).map(parse) | anything,
    st.builds(
        tp.Options, members=st.integers(2, 3), share=st.sampled_from([0.0, 0.2]), body_share=st.sampled_from([0.5, 0.6])
    ),
    st.data(),
)
@settings(max_examples=120, deadline=None)
def test_tp_agrees_with_loops_and_dictionaries_in_any_segment(
    page: Page, options: tp.Options, data: st.DataObject
) -> None:
    segment = data.draw(st.integers(0, len(page) - 1)) if data.draw(st.booleans()) else naive.body(page)
    chosen = naive_tp.bodies(page, segment, options)
    if chosen is None:
        expected = rows(lbs.largest_block(page, segment))
    else:
        expected = {inner for row in chosen for inner in naive.branch(page, row)}
    assert rows(tp.posts(page, segment, options)) == expected


@given(anything, st.sampled_from(["article", "main", "either"]))
@some
def test_semantic_takes_the_first_zone_in_breadth_first_order(page: Page, tag) -> None:  # type: ignore[no-untyped-def]
    names, chars = {"article", "main"} if tag == "either" else {tag}, naive.seen_chars(page)
    level, found = [0], None
    while level and found is None:
        found = next((r for r in level if page.name(r) in names and any(chars[k] for k in naive.texts(page, r))), None)
        level = [child for row in level for child in naive.children(page, row)]
    expected = set() if found is None else set(naive.branch(page, found))
    assert rows(semantic.elements(page, semantic.Options(tag))) == expected


# ---- golden pages: the idea ----------------------------------------------------------------------------------

EXACT = {
    "article-between-menus": ["cetd"],
    "article-in-sections": ["cetd", "crunch", "kfe", "lqf", "wlr"],
    "article-inside-main": ["cetd", "lbs", "sls", "wlr"],
    "forum-of-divs": ["tp"],
    "forum-of-tables": ["tp"],
    "forum-with-one-post": ["lbs", "tp", "wlr"],
    "forum-without-classes": ["tp"],
    "legal-notes-in-the-footer": ["lbs", "wlr"],
    "paragraphs-between-line-breaks": ["cetd", "kfe", "lqf", "wlr"],
    "paragraphs-in-spans": ["lbs"],
    "short-lines-between-long-ones": ["cetd", "crunch", "kfe", "lbs", "lqf", "sls", "wlr"],
}


@pytest.mark.parametrize(("name", "method"), [(name, method) for name, found in EXACT.items() for method in found])
def test_a_golden_page_gives_its_content_and_nothing_else(name: str, method: str) -> None:
    page, expected = golden(name)
    assert lines(page, methods.get(method)(page)) == expected


@pytest.mark.parametrize("quota", [0.25, 0.5])
def test_lqf_takes_out_the_menus_but_not_their_heading_nor_the_article_with_them(quota: float) -> None:
    page, expected = golden("article-between-menus")
    assert lines(page, lqf.judge(page, lqf.Options(quota)).keep) == [*expected, "Most read", "© The Coast Post"]


@pytest.mark.parametrize("method", ["lbs", "sls", "wlr"])
def test_the_paragraphs_of_an_article_are_found_but_not_the_headline_a_level_above(method: str) -> None:
    page, expected = golden("article-between-menus")
    assert lines(page, methods.get(method)(page)) == expected[1:]


def test_crunch_takes_out_adverts_forms_and_link_lists_and_leaves_the_article() -> None:
    page, expected = golden("adverts-forms-and-link-lists")
    *article, footer = lines(page, crunch.judge(page).keep)
    assert article == expected
    assert footer.startswith("Copyright")


@pytest.mark.parametrize(
    ("options", "back"),
    [
        (crunch.Options(advertisements=False, link_lists=None), "Cheap flights"),
        (crunch.Options(link_lists=None), "Local news"),
        (crunch.Options(forms=False), "Our newsletter"),
    ],
)
def test_a_crunch_filter_that_is_off_takes_nothing_out(options: crunch.Options, back: str) -> None:
    page, _ = golden("adverts-forms-and-link-lists")
    assert back not in " ".join(lines(page, crunch.judge(page).keep))
    assert back in " ".join(lines(page, crunch.judge(page, options).keep))


@pytest.mark.parametrize(
    ("options", "gone"),
    [
        (crunch.Options(text_links=True), "report by the county"),
        (crunch.Options(text_lists=5), "2021: the first design"),
    ],
)
def test_a_crunch_filter_that_is_on_takes_its_kind_out(options: crunch.Options, gone: str) -> None:
    page, _ = golden("adverts-forms-and-link-lists")
    assert gone in " ".join(lines(page, crunch.judge(page).keep))
    assert gone not in " ".join(lines(page, crunch.judge(page, options).keep))


def test_crunch_removes_cells_with_nothing_but_images_and_the_tables_that_are_left_empty() -> None:
    page = parse("<table><tr><td><img src=a.png></td></tr></table><table><tr><td>Words.</td></tr></table>")
    assert [page.name(row) for row in np.flatnonzero(crunch.elements(page))].count("table") == 1
    kept = crunch.elements(page, crunch.Options(image_cells=False, empty_tables=0))
    assert kept.all()


def test_crunch_leaves_a_form_that_is_the_page() -> None:
    page = parse(f"<form><p>{PARAGRAPH}</p></form><p>Search</p>")
    assert PARAGRAPH.strip() in lines(page, crunch.judge(page).keep)


def test_fe_keeps_one_paragraph_and_kfe_all_that_are_like_it() -> None:
    page, expected = golden("article-in-sections")
    assert lines(page, fe.judge(page).keep) == [expected[-1]]
    assert lines(page, kfe.judge(page).keep) == expected


def test_lp_finds_the_list_of_links_that_is_the_content() -> None:
    page, expected = golden("links-are-the-content")
    assert lines(page, lp.judge(page).keep) == expected[1:]


def test_semantic_takes_the_zone_nearest_to_the_root() -> None:
    page, expected = golden("article-inside-main")
    assert lines(page, semantic.judge(page, semantic.Options("main")).keep) == [
        "Museum, buildings, tide mill",
        *expected,
    ]
    assert lines(page, semantic.judge(page, semantic.Options("article")).keep) == ["Become a member."]
    np.testing.assert_array_equal(semantic.judge(page).keep, semantic.judge(page, semantic.Options("main")).keep)


def test_lbs_by_the_letter_of_the_paper_finds_one_span_and_not_its_neighbours() -> None:
    page, expected = golden("paragraphs-in-spans")
    assert lines(page, lbs.judge(page, lbs.Options("opaque")).keep) == expected[:1]


def test_tp_passes_over_the_authors_boxes() -> None:
    page, expected = golden("forum-of-divs")
    assert "Meisterin" in " ".join(lines(page, readable(page)))
    assert lines(page, tp.judge(page).keep) == expected


@pytest.mark.parametrize("change", [("odd", "x"), ("even", "y"), ("post-7302", "post"), (" topic-starter", "")])
def test_tp_does_not_mind_names_that_come_and_go(change: tuple[str, str]) -> None:
    source = (PAGES / "forum-of-divs" / "source.html").read_text()
    _, expected = golden("forum-of-divs")
    assert source.count(change[0])
    changed = parse(source.replace(*change))
    assert lines(changed, tp.judge(changed).keep) == expected


def test_tp_takes_the_opening_post_in_a_wrapper_of_its_own() -> None:
    source = (PAGES / "forum-of-divs" / "source.html").read_text()
    _, expected = golden("forum-of-divs")
    changed = parse(source.replace('article class="post post-7301', 'section class="question', 1))
    assert lines(changed, tp.judge(changed).keep) == expected


# ---- golden pages: where a method fails ----------------------------------------------------------------------


@pytest.mark.parametrize("method", ["crunch", "kfe", "lqf"])
def test_what_filters_links_loses_a_page_whose_content_is_links(method: str) -> None:
    page, expected = golden("links-are-the-content")
    assert not set(lines(page, methods.get(method)(page))) & set(expected[1:])


@pytest.mark.parametrize("method", ["crunch", "kfe", "lqf", "sls"])
def test_what_only_weighs_text_keeps_the_legal_notes(method: str) -> None:
    page, expected = golden("legal-notes-in-the-footer")
    found = lines(page, methods.get(method)(page))
    assert set(expected) <= set(found)
    assert any(line.startswith("All timetables") for line in found)


def test_cetd_keeps_a_cookie_notice_as_dense_as_the_article() -> None:
    page, expected = golden("cookie-notice-as-dense-as-the-article")
    found = lines(page, cetd.judge(page).keep)
    assert set(expected) < set(found)
    assert any(line.startswith("We and our partners") for line in found)


def test_a_stray_word_of_a_wrapper_does_not_make_it_one_string() -> None:
    """Section 2.3.1 by hand: the strings of a block stand on one level.  Below the wrapper that is its word alone, 4
    characters; in the inner div it is the two paragraphs."""
    text = "A paragraph of the article that the page is about, and of some length."
    page = parse(f"""<body><div>Skip <ul><li>Menu</li><li>More of the menu</li></ul>
        <div><p>{text}</p><div class="ad"><span><a href="/">Buy this, it is cheap and very good</a></span></div>
        <p>{text}</p></div></div></body>""")
    assert lines(page, lbs.judge(page).keep) == [text, text]
    assert lines(page, lbs.judge(page, lbs.Options("opaque")).keep) == [text, text]


def test_lbs_keeps_one_section_of_an_article_that_has_several() -> None:
    page, expected = golden("article-in-sections")
    assert lines(page, lbs.judge(page).keep) == [expected[-1]]


@pytest.mark.parametrize("method", ["lbs", "sls", "wlr"])
def test_short_cells_are_lost_and_the_note_below_is_kept(method: str) -> None:
    page, expected = golden("table-of-short-cells")
    found = lines(page, methods.get(method)(page))
    assert len(set(expected) & set(found)) <= 1
    assert any(line.startswith("Times are local") for line in found)


def test_wlr_loses_all_posts_but_one() -> None:
    page, expected = golden("forum-of-tables")
    assert lines(page, wlr.judge(page).keep) == [expected[2]]


def test_lp_loses_an_article_without_links() -> None:
    page, expected = golden("advert-between-articles")
    assert not set(lines(page, lp.judge(page).keep)) & set(expected)


def test_semantic_takes_the_first_of_many_teasers() -> None:
    page, expected = golden("teasers-marked-article")
    assert lines(page, semantic.judge(page).keep) == expected[:2]


def test_semantic_finds_nothing_where_nobody_uses_the_tags() -> None:
    page, _ = golden("forum-of-tables")
    assert not semantic.judge(page).keep.any()


def test_tp_takes_what_repeats_for_posts_when_it_is_longer_than_they_are() -> None:
    page, expected = golden("forum-under-cookie-settings")
    found = lines(page, tp.judge(page).keep)
    assert not set(found) & set(expected)
    assert len(found) == 3


def test_tp_drops_a_short_story_above_long_comments() -> None:
    page, expected = golden("short-news-long-comments")
    found = lines(page, tp.judge(page).keep)
    assert len(found) == 5
    assert not set(found) & set(expected)
