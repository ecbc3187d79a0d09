"""The links of a page, and the order in which paper 002 takes them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import site as naive
from tests.strategies import pages
from thresher.parse import parse
from thresher.template.distance import by_distance, closeness, dom_distance, hyperlink_distance
from thresher.template.links import address, links

KEY = "https://example.org/a/b/page.html"


def found(body: str, url: str = KEY) -> list[str]:
    return [link.url for link in links(parse(body, url=url))]


# ---- links ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spelling",
    [
        "?utm_source=letter&utm_medium=mail",
        "?PHPSESSID=0123456789abcdef",
        ";jsessionid=1A2B3C",
        "?fbclid=x&",
        "#top",
    ],
)
def test_sessions_and_trackers_make_no_other_page(spelling: str) -> None:
    assert address(KEY + spelling) == address(KEY)
    assert found(f'<a href="{KEY}{spelling}">this page, shared</a>') == []


@pytest.mark.parametrize(
    ("href", "leads_to"),
    [
        ("other.html", "https://example.org/a/b/other.html"),
        ("../up.html#part", "https://example.org/a/up.html"),
        ("/", "https://example.org/"),
        ("//www.example.org/x", "https://www.example.org/x"),
        ("http://EXAMPLE.org/x", "http://EXAMPLE.org/x"),
        ("?page=2", "https://example.org/a/b/page.html?page=2"),
        ("x.php", "https://example.org/a/b/x.php"),
        ("v1.2/notes", "https://example.org/a/b/v1.2/notes"),
    ],
)
def test_links_to_the_same_site_are_taken(href: str, leads_to: str) -> None:
    assert found(f'<a href="{href}">x</a>') == [leads_to]


@pytest.mark.parametrize(
    "href",
    [
        "#part", "page.html", "page.html#part", "", "https://example.com/x", "https://sub.example.org/x",
        "https://example.org:8443/x", "mailto:a@example.org", "javascript:void(0)", "paper.pdf", "a/photo.JPG?w=3",
        "feed.xml", "data:text/html,x", "ftp://example.org/x", "http://[x",
    ],
)  # fmt: skip
def test_other_sites_the_page_itself_and_what_is_no_page_are_left_out(href: str) -> None:
    assert found(f'<a href="{href}">x</a>') == []


def test_an_address_counts_once_and_only_links_and_pages_count() -> None:
    body = '<link href=s.html><area href=m.html><a href=x>1</a><a href="x#b">2</a><a href=y download>3</a><a>4</a>'
    assert found(body) == ["https://example.org/a/b/x"]


def test_links_are_resolved_against_the_base() -> None:
    assert found("<base href=/z/><a href=x>1</a>") == ["https://example.org/z/x"]


def test_a_page_without_an_address_has_no_site() -> None:
    assert found("<a href=x>1</a><a href=https://example.org/>2</a>", "") == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("http://www.example.org/a/", "https://example.org/a/index.html"),
        ("https://example.org", "https://EXAMPLE.org:443/index.php"),
        ("https://example.org/%C3%A4?q=%20", "https://example.org/ä?q= "),
    ],
)
def test_two_spellings_of_one_page_are_one_address(one: str, two: str) -> None:
    assert address(one) == address(two) is not None


# ---- hyperlink distance --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "distance"),
    [
        ("/a/b/other.html", 0),  # stays in the directory of the key page
        ("/a/b/", 0),
        ("/a/b/c/x.html", 1),  # goes down
        ("/a/b/c/d/x.html", 2),
        ("/a/x.html", -1),  # goes up
        ("/", -2),
        ("/a/z/x.html", -1),  # into another branch: the steps up to where the paths part
        ("/a/z/y/x.html", -1),
        ("/z/b/x.html", -2),
    ],
)
def test_the_hyperlink_distance_counts_directories(target: str, distance: int) -> None:
    key, there = address(KEY), address("https://example.org" + target)
    assert key is not None
    assert there is not None
    assert hyperlink_distance(key, there) == distance == naive.hyperlink_distance(KEY, "https://example.org" + target)


paths = st.lists(st.sampled_from("abc"), max_size=4).map(lambda names: "".join(f"{name}/" for name in names))


@given(paths, paths)
def test_the_hyperlink_distance_is_that_of_counting(here: str, there: str) -> None:
    key, target = (f"https://x.org/{path}p.html" for path in (here, there))
    one, two = address(key), address(target)
    assert one is not None
    assert two is not None
    assert hyperlink_distance(one, two) == naive.hyperlink_distance(key, target)


def test_closest_to_zero_comes_first_and_down_before_up() -> None:
    assert sorted([-2, 3, 0, -1, 2, 1], key=closeness) == [0, 1, -1, 2, -2, 3]


# ---- DOM distance --------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(pages(), st.data())
def test_the_dom_distance_is_the_number_of_edges_between(page: object, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, len(page) - 1))
    got = dom_distance(page, row, np.arange(len(page)))
    assert got.tolist() == [naive.dom_distance(page, row, other) for other in range(len(page))]


MENU = """
<ul><li><a href=one.html>1</a></li><li><a href=two.html>2</a></li></ul>
<div><p><a href=three.html>3</a></p></div>
<footer><div><div><a href=four.html>4</a></div></div></footer>
<a href=sub/five.html>5</a> <a href=../six.html>6</a>
"""


def test_links_of_equal_hyperlink_distance_come_farthest_apart() -> None:
    page = parse(MENU, url=KEY)
    own = address(KEY)
    assert own is not None
    names = [link.url.rsplit("/", 1)[-1] for link in by_distance(page, own, links(page))]
    # 1 is first; 4 is 7 edges from it, 3 is 6, 2 is 4; then what goes down, then what goes up.
    assert names == ["one.html", "four.html", "three.html", "two.html", "five.html", "six.html"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["<a href=x{}>", "<div>", "</div>", "<p>", "<ul><li>"]), max_size=25))
def test_each_link_is_as_far_as_possible_from_those_before(pieces: list[str]) -> None:
    page = parse("".join(piece.format(number) for number, piece in enumerate(pieces)), url=KEY)
    own, all_links = address(KEY), links(page)
    assert own is not None
    taken = list(by_distance(page, own, all_links))
    assert sorted(taken) == sorted(all_links)
    for count in range(1, len(taken)):

        def apart(row: int, count: int = count) -> int:
            return min(naive.dom_distance(page, row, before.row) for before in taken[:count])

        assert apart(taken[count].row) == max(apart(link.row) for link in taken[count:])
