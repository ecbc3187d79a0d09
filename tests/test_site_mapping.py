"""The equal top-down mapping, what makes nodes equal, and the evidence that comes of it."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clock import slowness
from tests.reference import site as naive
from tests.reference import templates as naive_keys
from tests.strategies import pages as any_pages
from thresher.page import Page
from thresher.parse import parse
from thresher.template import evidence
from thresher.template.fingerprint import element_keys, kind_keys, piece_keys, text_keys
from thresher.template.mapping import EQUALITIES, Equality, mapped, occurrences, paths_by_kind
from thresher.template.nodes import nodes

some = settings(max_examples=60, deadline=None)

# Small pages of few words have much in common, in other orders and at other places.
_leaf = st.sampled_from(["x", "y", "z 1", "z 2", "<b>x</b>", "<img src=1>", "<img src=2>", "<br>"])
_open = st.sampled_from(
    ["<div>", "<div class=a>", "<div class='a b'>", "<p>", "<div id=i1>", "<div id=i2>", "<a href=1>"]
)
_tree = st.recursive(
    _leaf,
    lambda inner: st.builds(
        lambda tag, inside: f"{tag}{''.join(inside)}</{tag[1:].split(' ')[0].rstrip('>')}>",
        _open,
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)
small = st.lists(_tree, max_size=4).map(lambda parts: parse("<title>t</title>" + "".join(parts)))


def rows(page: Page, mask: np.ndarray) -> set[int]:
    return set(np.flatnonzero(mask).tolist())


# ---- equality ------------------------------------------------------------------------------------------------


def keys_of(*tags: str) -> list[int]:
    page = parse("".join(tags))
    return element_keys(page)[page.tag == page.tag[-1]].tolist()


@pytest.mark.parametrize(
    ("one", "two", "equal"),
    [
        ("<i class=a id=b></i>", "<i id=b class=a></i>", True),
        ("<i href=1></i>", "<i href=2></i>", True),
        ("<i data-n=1 onclick=x></i>", "<i></i>", True),
        ("<i class=a></i>", "<i class=b></i>", False),
        ("<i class=a></i>", "<i></i>", False),
        ("<i id=a></i>", "<i class=a></i>", False),
        ("<i a=x b=y></i>", "<i a=y b=x></i>", False),
        ("<img src=1>", "<img src=2>", False),
        ("<i title=a></i>", "<i title=b></i>", False),
        ("<x-a c=1 href=2></x-a>", "<x-a c=1 href=3></x-a>", True),
        ("<x-a></x-a>", "<x-b></x-b>", False),
    ],
)
def test_elements_are_equal_but_for_the_state_of_the_page(one: str, two: str, equal: bool) -> None:
    first, second = (parse(f"<body>{html}") for html in (one, two))
    assert (element_keys(first)[-1] == element_keys(second)[-1]) is np.bool_(equal)


def test_the_frame_of_a_page_is_equal_whatever_its_attributes() -> None:
    one, two = parse("<html lang=en><body class=page-1>"), parse("<html><body id=x>")
    np.testing.assert_array_equal(element_keys(one), element_keys(two))


@given(
    st.lists(st.sampled_from(["A b", "a  B", "a-b", "ab", "a 1", "a 2", "»", "|", "é", "É", "a\xa0b", "_"]), min_size=1)
)
def test_texts_are_equal_that_have_the_same_letters_and_digits(texts: list[str]) -> None:
    page = parse("".join(f"<p>{text}</p>" for text in texts))
    fast = text_keys(page)
    slow = [naive_keys.text_key(text) for text in page.text]
    for a in range(len(slow)):
        assert [key == fast[a] for key in fast] == [key == slow[a] for key in slow]


@some
@given(any_pages(), any_pages())
def test_elements_are_equal_where_names_and_attributes_are(page: Page, other: Page) -> None:
    slow = [naive_keys.element_key(p, row) for p in (page, other) for row in range(len(p))]
    fast = np.concatenate((element_keys(page), element_keys(other))).tolist()
    assert len(set(fast)) >= len(set(slow))
    # Tags too odd to take apart may differ where their attributes do not; nothing else may.
    assert len(set(zip(slow, fast, strict=True))) == len(set(fast))


@given(st.lists(st.binary(max_size=6), min_size=1))
def test_numbers_of_pieces_do_not_depend_on_where_they_stand(pieces: list[bytes]) -> None:
    buffer = np.frombuffer(b"".join(pieces) + b"!", np.uint8)
    stop = np.cumsum([len(piece) for piece in pieces])
    got = piece_keys(buffer, np.column_stack((np.concatenate(([0], stop[:-1])), stop)))[:, 0].tolist()
    alone = [piece_keys(np.frombuffer(p + b"?", np.uint8), np.array([[0, len(p)]]))[0, 0] for p in pieces]
    assert got == [int(key) for key in alone]
    assert len(set(got)) == len(set(pieces))


def test_pieces_longer_than_a_part_have_their_numbers() -> None:
    buffer = np.arange(3 << 20, dtype=np.uint32).astype(np.uint8)
    bounds = np.array([[5, 100], [200, 2_000_000], [2_000_000, 2_100_000]])
    whole = piece_keys(buffer, bounds)[:, 0].tolist()
    assert whole == [int(piece_keys(buffer[a:b], np.array([[0, b - a]]))[0, 0]) for a, b in bounds]


def test_a_kind_is_the_name_and_the_first_class_without_digits_or_the_id() -> None:
    html = "<i class='post-1 x'></i><i class='post-22 y' id=z></i><i id=n1></i><i id=n2></i><i></i><b></b>"
    a, b, c, d, e, f = kind_keys(parse(html))[3:].tolist()
    assert a == b
    assert c == d
    assert len({a, c, e, f}) == 4


# ---- the mapping ---------------------------------------------------------------------------------------------


@some
@given(any_pages())
def test_nodes_stand_in_document_order_with_their_subtrees(page: Page) -> None:
    slow, table = naive_keys.tree(page), nodes(page)
    for v, (kind, number) in enumerate(slow.node):
        assert (table.element if kind == "element" else table.text)[number] == v
        assert table.end[v] - v == len(slow.branch(v))
        assert all(table.parent[child] == v and table.depth[child] == table.depth[v] + 1 for child in slow.children[v])


@pytest.mark.parametrize("equal", EQUALITIES)
@settings(max_examples=150, deadline=None)
@given(page=small, other=small)
def test_the_mapping_is_that_of_the_recursion(equal: Equality, page: Page, other: Page) -> None:
    assert rows(page, mapped(page, other, equal)) == set(naive.mapping(page, other, equal))


@some
@given(any_pages(), any_pages())
def test_the_mapping_is_that_of_the_recursion_on_any_pages(page: Page, other: Page) -> None:
    assert rows(page, mapped(page, other)) <= set(naive.mapping(page, other))


@some
@given(any_pages())
def test_a_page_is_mapped_to_itself_whole(page: Page) -> None:
    for equal in EQUALITIES:
        assert mapped(page, replace(page), equal).all()


@some
@given(small, small)
def test_as_many_are_mapped_one_way_as_the_other_and_all_above_them(page: Page, other: Page) -> None:
    there, back = mapped(page, other), mapped(other, page)
    assert there.sum() == back.sum()
    assert there[nodes(page).parent[1:]][there[1:]].all()


@some
@given(small, st.lists(small, max_size=3))
def test_occurrences_are_counted_as_in_algorithm_1(page: Page, others: list[Page]) -> None:
    assert occurrences(page, others).tolist() == naive.occurrences(page, others)


def test_equal_children_are_matched_in_order() -> None:
    page = parse("<div><p>one</p><p>two</p><p>three</p></div>")
    other = parse("<div><p>one</p><p>zwei</p></div>")
    found = mapped(page, other)[nodes(page).text]
    assert dict(zip(page.text, found.tolist(), strict=True)) == {"one": True, "two": False, "three": False}


def test_items_of_a_list_have_one_path() -> None:
    page = parse("<ul class=l><li class=i1>a<li class=i2>b</ul>")
    items = nodes(page).element[[4, 5]]
    assert len(set(paths_by_kind(page)[items].tolist())) == 1


def test_numbers_are_the_same_in_every_process() -> None:
    # They are kept with pages that are sent from process to process.
    assert hex(text_keys(parse("<p>Grain and chaff"))[0]) == "0xf2cbb3e593b3ff06"


def test_a_page_of_5000_nodes_is_mapped_within_20_milliseconds() -> None:
    def made(word: str) -> Page:
        items = "".join(f"<li class=n{k % 9}><a href=/{k}>{word} {k}</a>" for k in range(1_650))
        return parse(f"<ul>{items}</ul>")

    page, other = made("one"), made("two")
    assert len(nodes(page)) >= 4_950
    spent = []
    for _ in range(9):
        key, sibling = replace(page), replace(other)
        start = time.process_time()
        mapped(key, sibling)
        spent.append(time.process_time() - start)
    assert min(spent) < 0.020 * slowness()


# ---- evidence ------------------------------------------------------------------------------------------------

ARTICLE = (
    "<title>{0}</title><ul class=menu><li>Home</li><li>News</li></ul><div class=main>{1}</div><p>Copyright 2024</p>"
)


def article(name: str, text: str) -> Page:
    return parse(ARTICLE.format(name, text), url=f"http://x.test/{name}")


def test_evidence_is_the_share_of_the_other_pages() -> None:
    page = article("a", "<p>Wheat is threshed in the barn all winter</p><p>2</p>")
    siblings = [
        article("b", "<p>Rye is sown on the lower fields</p><p>3</p>"),
        article("c", "<p>Oats are cut</p><hr class=end>"),
        article("d", "<p>2</p>"),
    ]
    text = dict(zip(page.text, evidence.text_repeated(page, siblings).tolist(), strict=True))
    assert text["Home"] == text["Copyright 2024"] == 1
    assert text["Wheat is threshed in the barn all winter"] == 0
    assert text["2"] == pytest.approx(1 / 3)
    share = evidence.repeated(page, siblings)
    assert share.dtype == np.float32
    names = [page.name(row) for row in range(len(page))]
    assert share[names.index("ul")] == 1
    assert share[-1] == 1  # the paragraph with the copyright
    assert share[names.index("p") + 1] == pytest.approx(1 / 3)  # only one page has two paragraphs there


def test_copies_say_nothing() -> None:
    page = article("a", "<p>Wheat is threshed in the barn all winter, with flails</p>")
    copy = article("a2", "<p>Wheat is threshed in the barn all winter, with flails</p>")
    other = article("b", "<p>Rye is sown on the lower fields, and oats on the upper</p>")
    np.testing.assert_array_equal(evidence.repeated(page, [copy, other]), evidence.repeated(page, [other]))
    np.testing.assert_array_equal(evidence.text_repeated(page, [copy, other]), evidence.text_repeated(page, [other]))
    assert not evidence.repeated(page, [copy]).any()
    assert not evidence.text_repeated(page, []).any()
