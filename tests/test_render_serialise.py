"""The browser's tree written as HTML and found again: every element keeps its own number, whatever the tree is like."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from thresher.render.capture import page_from_snapshot, without_marks
from thresher.render.serialise import SnapshotTree, to_html
from thresher.render.styles import PROPERTIES

_NAMES = "div p span a b table tr td tbody form button ul li svg title select option pre textarea h1 iframe".split()
_NAMES += "script style noscript template plaintext xmp math foreignObject my-box frameset body head br img".split()


class Snapshot:
    """Builds what `DOMSnapshot.captureSnapshot` gives."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._numbers: dict[str, int] = {}
        self.nodes: dict[str, Any] = {
            name: [] for name in ("parentIndex", "nodeType", "nodeName", "nodeValue", "attributes")
        }
        self.shadow: list[tuple[int, int]] = []
        self.add(-1, 9, "#document")

    def string(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.strings)
            self.strings.append(text)
        return self._numbers[text]

    def add(self, parent: int, kind: int, name: str, value: str = "", /, **attributes: str) -> int:
        nodes = self.nodes
        nodes["parentIndex"].append(parent)
        nodes["nodeType"].append(kind)
        nodes["nodeName"].append(self.string(name))
        nodes["nodeValue"].append(self.string(value) if value else -1)
        nodes["attributes"].append([self.string(part) for pair in attributes.items() for part in pair])
        return len(nodes["nodeType"]) - 1

    def element(self, parent: int, name: str, /, **attributes: str) -> int:
        number = len(self.nodes["nodeType"])
        return self.add(parent, 1, name.upper(), **{"id": f"n{number}", **attributes})

    def text(self, parent: int, value: str) -> int:
        return self.add(parent, 3, "#text", value)

    def mark(self, node: int, kind: str) -> int:
        """As of a shadow root of some kind."""
        self.shadow.append((node, self.string(kind)))
        return node

    @property
    def tree(self) -> SnapshotTree:
        roots = {"index": [node for node, _ in self.shadow], "value": [kind for _, kind in self.shadow]}
        return SnapshotTree(self.strings, {**self.nodes, "shadowRootType": roots})

    def captured(self) -> dict[str, Any]:
        """With a box for every element: x is its number."""
        boxed = [node for node, kind in enumerate(self.nodes["nodeType"]) if kind == 1]
        block = self.string("block")
        layout = {
            "nodeIndex": boxed,
            "bounds": [[node, 0, 10, 10] for node in boxed],
            "styles": [[block] * len(PROPERTIES) for _ in boxed],
        }
        return {"documents": [{"nodes": self.tree.nodes, "layout": layout}], "strings": self.strings}


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """Trees that a script can make, and most of which no parser would."""
    made = Snapshot()
    if draw(st.booleans()):
        made.add(0, 10, "html")
    root = made.element(0, "html")
    body = made.element(root, "body")
    elements = [root, body, body, body]
    words = st.text(alphabet='ab <>&"\n\xa0\ud800/!-', max_size=6)
    for _ in range(draw(st.integers(0, 25))):
        parent = draw(st.sampled_from(elements))
        if draw(st.integers(0, 3)):
            name = draw(st.sampled_from([*_NAMES, "p<x", "a b", "1"]))
            extra = draw(st.dictionaries(st.sampled_from(["class", "x<y", 'q"', "a b", "="]), words, max_size=2))
            elements.append(made.element(parent, name, **extra))
        else:
            made.text(parent, draw(words) + draw(st.sampled_from(["", "</script>", "<!--<script>", "</title>"])))
    return made


@settings(max_examples=60, deadline=None)
@given(snapshots())
def test_every_element_keeps_its_own_number_and_the_marks_leave_no_trace(made):
    mark = "t0123456789ab"
    html = to_html(made.tree, mark)
    page, node = without_marks(thresher.parse(html), mark)
    again = thresher.parse(re.sub(f' {mark}="\\d+"', "", html))
    assert page.markup == again.markup
    assert page.text == again.text
    for column in ("tag", "parent", "end", "first", "last", "tag_start", "tag_stop", "position", "owner", "block"):
        np.testing.assert_array_equal(getattr(page, column), getattr(again, column))
    known = node[node >= 0]
    assert len(set(known.tolist())) == len(known)
    for row in np.flatnonzero(node >= 0).tolist():
        assert page.attribute(row, "id") == f"n{node[row]}"


@settings(max_examples=30, deadline=None)
@given(snapshots())
def test_any_tree_becomes_a_page_whose_boxes_are_those_of_its_elements(made):
    page = page_from_snapshot(made.captured(), (1280, 800))
    assert page.box.shape == (len(page), 4)
    for row in range(len(page)):
        mine = page.attribute(row, "id")
        if not np.isnan(page.box[row, 0]):
            assert mine == f"n{int(page.box[row, 0])}"
            assert page.style.of("display")[row] == "block"


def test_a_paragraph_in_a_paragraph_keeps_its_box_and_is_told_of():
    made = Snapshot()
    made.add(0, 10, "html")
    body = made.element(made.element(0, "html"), "body")
    outer = made.element(body, "p")
    made.text(outer, "outer ")
    inner = made.element(outer, "p")
    made.text(inner, "inner")
    page = page_from_snapshot(made.captured(), (1280, 800))
    assert [problem.code for problem in page.problems] == ["restructured"]
    rows = {page.attribute(row, "id"): row for row in range(len(page))}
    assert page.box[rows[f"n{inner}"], 0] == inner
    assert page.box[rows[f"n{outer}"], 0] == outer


def test_a_table_in_a_paragraph_is_as_the_browser_has_it_in_quirks_mode():
    for doctype, problems in ((False, []), (True, ["restructured"])):
        made = Snapshot()
        if doctype:
            made.add(0, 10, "html")
        body = made.element(made.element(0, "html"), "body")
        table = made.element(made.element(body, "p"), "table")
        made.text(made.element(made.element(made.element(table, "tbody"), "tr"), "td"), "x")
        assert [problem.code for problem in page_from_snapshot(made.captured(), (1280, 800)).problems] == problems


def test_browser_widgets_pseudo_elements_and_noscript_are_no_content():
    made = Snapshot()
    body = made.element(made.element(0, "html"), "body")
    host = made.element(body, "my-card")
    made.mark(made.element(host, "h2"), "open")
    made.text(made.element(host, "h2"), "of a shadow root")
    details = made.element(body, "details")
    widget = made.mark(made.element(details, "div"), "user-agent")
    made.text(widget, "widget")
    made.text(details, "content")
    made.text(made.element(body, "noscript"), "<p>please enable scripts</p>")
    assert page_from_snapshot(made.captured(), (1280, 800)).text == ("of a shadow root", "content")


def test_display_contents_is_told_by_what_stands_inside():
    made = Snapshot()
    body = made.element(made.element(0, "html"), "body")
    wrapper = made.element(body, "div")
    inner = made.element(wrapper, "p")
    made.text(inner, "x")
    hidden = made.element(body, "div")
    made.text(hidden, "y")
    captured = made.captured()
    layout = captured["documents"][0]["layout"]
    shown = [place for place, node in enumerate(layout["nodeIndex"]) if node not in (wrapper, hidden)]
    for name, column in layout.items():
        layout[name] = [column[place] for place in shown]
    page = page_from_snapshot(captured, (1280, 800))
    display = dict(zip([page.attribute(row, "id") for row in range(len(page))], page.style.of("display"), strict=True))
    assert display[f"n{wrapper}"] == "contents"
    assert display[f"n{hidden}"] == ""
    assert display[f"n{inner}"] == "block"


def test_deep_trees_do_not_exhaust_the_stack():
    made = Snapshot()
    parent = made.element(made.element(0, "html"), "body")
    for _ in range(5_000):
        parent = made.element(parent, "div")
    made.text(parent, "deep")
    page = page_from_snapshot(made.captured(), (1280, 800))
    assert page.inner_text(0) == "deep"
    assert "too_deep" in [problem.code for problem in page.problems]
