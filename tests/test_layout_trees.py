"""Zone tree and column tree against slow twins, on random pages with random boxes and displays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import layout as naive
from tests.rendered import rendered
from thresher.methods.layout.column_tree import collapsed, columns
from thresher.methods.layout.main_column import column_leaves, column_scores, main_column
from thresher.methods.layout.zones import zones
from thresher.visible.readable import readable

_DISPLAYS = "block inline inline-block flex grid list-item table-cell contents none math inline-flex flow-root".split()
_EXTRA = ["", " float:left", " position:absolute", " visibility:hidden", " font-size:40px"]
_TEXTS = ["word", "two words", "A sentence of some words.", " ", "", "<br>", "<hr>"]


def _element(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    place = st.tuples(
        st.sampled_from([0, 10, 300, 700]), st.sampled_from([0, 60, 120]), st.sampled_from([0, 280, 300, 990])
    )
    return st.builds(
        lambda name, box, display, extra, content: (
            f'<{name} data-box="{box[0]} {box[1]} {box[2]} 60 {display}{extra}">{content}</{name}>'
        ),
        st.sampled_from(["div", "span", "section", "b"]), place, st.sampled_from(_DISPLAYS), st.sampled_from(_EXTRA),
        inside,
    )  # fmt: skip


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(parts, max_size=4).map("".join)


_html = _joined(st.recursive(st.sampled_from(_TEXTS), lambda inner: _element(_joined(inner)), max_leaves=14))


@settings(max_examples=60, deadline=None)
@given(_html)
def test_leaves_are_the_runs_that_a_walk_finds(html: str) -> None:
    page = rendered(html)
    tree = zones(page)
    runs = [np.flatnonzero(tree.of_text == leaf).tolist() for leaf in range(tree.leaves)]
    assert runs == naive.leaves(page)


@settings(max_examples=60, deadline=None)
@given(_html)
def test_the_zone_tree_is_the_one_built_node_by_node(html: str) -> None:
    page = rendered(html)
    tree, slow = zones(page), naive.zone_tree(page)
    if slow is None:
        assert len(tree) == 0
        return
    flat: list[tuple[int | None, int, list[int]]] = []

    def walk(zone: naive.Zone, depth: int) -> None:
        flat.append((zone.element if zone.children or depth == 0 else None, depth, zone.texts))
        for child in zone.children:
            walk(child, depth + 1)

    walk(slow, 0)
    texts = [np.flatnonzero((tree.of_text >= tree.first[z]) & (tree.of_text < tree.last[z])) for z in range(len(tree))]
    fast = [
        (None if tree.leaf[z] else int(tree.element[z]), int(tree.depth[z]), texts[z].tolist())
        for z in range(len(tree))
    ]
    assert fast == flat
    for zone in range(1, len(tree)):
        parent = tree.parent[zone]
        assert tree.first[parent] <= tree.first[zone]
        assert tree.last[zone] <= tree.last[parent]
        assert tree.depth[zone] == tree.depth[parent] + 1


@settings(max_examples=60, deadline=None)
@given(_html, st.sampled_from([0.0, 0.05, 0.10, 0.3]))
def test_the_column_tree_is_the_recursive_one(html: str, tolerance: float) -> None:
    tree = zones(rendered(html))
    if not len(tree):
        assert len(columns(tree)) == 0
        return
    slow = naive.column_tree(tree, tolerance)
    fast = columns(tree, tolerance)
    assert _shape(fast) == _naive_shape(slow)
    assert _shape(collapsed(fast, tolerance)) == _naive_shape(naive.collapse(slow, tolerance))


def _shape(found) -> list:
    below: dict[int, list[int]] = {}
    for column, parent in enumerate(found.parent.tolist()):
        below.setdefault(parent, []).append(column)

    def walk(column: int) -> list:
        edges = (float(found.left[column]), float(found.right[column]))
        return [edges, sorted((walk(child) for child in below.get(column, [])), key=repr)]

    return walk(0)


def _naive_shape(column: naive.Column) -> list:
    children = sorted((_naive_shape(child) for child in column.children), key=repr)
    return [(float(column.left), float(column.right)), children]


@settings(max_examples=40, deadline=None)
@given(_html)
def test_every_visible_text_is_in_one_leaf_and_scores_add_up(html: str) -> None:
    page = rendered(html)
    tree = zones(page)
    body = np.zeros(len(page.start), bool)
    row = [page.name(r) for r in range(len(page))].index("body")
    body[page.first[row] : page.last[row]] = True
    assert ((tree.of_text >= 0) == (readable(page) & body)).all()
    if not len(tree):
        return
    found = collapsed(columns(tree))
    words = np.arange(1, tree.leaves + 1)
    score = column_scores(tree, found, words, np.ones(tree.leaves, bool))
    for column in range(len(found)):
        held = column_leaves(tree, found, column)
        assert score[column] == pytest.approx(words[held].sum() / words.sum())
    best = main_column(found, score)
    assert score[best] >= 0
    assert score[0] == pytest.approx(1)


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<div>one</div><div>two</div>", ["one", "two"]),  # two block children
        ("one <b>and</b> more<div>two</div>", ["one and more", "two"]),  # a block child and inline children
        ("one<br>two", ["one", "two"]),  # inline children with a line break between them
        ("one <b>two</b>", ["one two"]),  # none of the three
        ("<div><div>one</div></div>", ["one"]),  # one block child breaks no line
        ("one<hr>two", ["one", "two"]),
        ('a <span data-box="0 0 50 20 inline-block">b c</span> d', ["a b c d"]),
        ('a <span data-box="0 0 50 20 inline-block"><div>b</div></span> d', ["a b d"]),
        ('a <span data-box="0 0 50 20 inline-block"><div>b</div><div>c</div></span> d', ["a", "b", "c", "d"]),
        ('a <span data-box="0 0 50 200 inline-block">b c</span> d', ["a", "b c", "d"]),  # many lines high
        ('<span data-box="0 0 9 9 block float:left">O</span>nce upon', ["Once upon"]),  # an initial
        ('<div data-box="0 0 9 9 block float:left">A side note.</div>text', ["A side note.", "text"]),
        ('<div data-box="contents">a <b>b</b></div> c', ["a b c"]),
        ('a <i data-box="none">b</i> c', ["a c"]),
        ("<x-app>one<div>two</div></x-app>", ["one", "two"]),
        ('<span data-box="0 0 50 20 flex">one</span> two', ["one", "two"]),
        ('a <math><mi data-box="0 0 9 9 block">x</mi><mo data-box="0 0 9 9 block">=</mo></math> b', ["a x= b"]),
        ("<table><tr><td>a</td><td>b</td></tr></table>", ["a", "b"]),
    ],
)
def test_what_breaks_a_line(html: str, wanted: list[str]) -> None:
    page = rendered(html)
    tree = zones(page)
    lines = [[] for _ in range(tree.leaves)]
    for text, leaf in enumerate(tree.of_text.tolist()):
        if leaf >= 0:
            lines[leaf].append(" " * int(page.spaced[text]) + page.text[text])
    assert [" ".join("".join(line).split()) for line in lines] == wanted


def test_an_element_whose_ends_are_ends_of_lines_groups_what_is_in_it_whatever_its_display() -> None:
    page = rendered("<x-menu><div>a</div><div>b</div></x-menu><x-text><p>c</p><p>d</p></x-text>")
    tree = zones(page)
    assert [page.name(int(row)) for row in tree.element[~tree.leaf]] == ["body", "x-menu", "x-text"]
