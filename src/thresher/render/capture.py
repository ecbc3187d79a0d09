"""What the browser shows, as a Page: one `DOMSnapshot.captureSnapshot`, written as HTML and parsed.

    snapshot --to_html--> HTML with a number on every element --parse--> Page --numbers--> rows of the layout
                                                                           page.box, page.style

The Page is the one that `parse` gives of the same HTML without the numbers: they are cut out of its markup, and the
columns that point into it move up (`without_marks`).  Elements that the browser gives no box (`display: none`, `head`)
have NaN.  An element with `display: contents` has none either, though what it holds is shown: it is told by that.

A page that is too large for this is cut in the browser first, in document order, as `parse` cuts.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from thresher.fetch.limits import Deadline
from thresher.page import Page, Problem
from thresher.page.types import Bools, Floats, Ints, Rows, Singles
from thresher.parse import parse
from thresher.render.cdp import CdpError
from thresher.render.declarations import MarkedDeclarations, declarations_of, read_declarations
from thresher.render.frames import merge_frames
from thresher.render.painted import FAINT, PAINT_PROPERTIES, PAINTED, UNPAINTED, ScreenArea, judge_texts
from thresher.render.pixels import painted_boxes
from thresher.render.serialise import SnapshotTree, to_html
from thresher.render.styles import PAINT, PROPERTIES, ComputedStyles
from thresher.render.tab import Tab
from thresher.render.waiting import evaluate

__all__ = ["capture", "page_from_snapshot", "without_marks"]


_MAX_NODES = 150_000  # of a page, texts included; the largest of some thousand real ones has 60,000
_MAX_CHARACTERS = 32_000_000  # of texts and attributes
_MAX_ATTRIBUTE_LENGTH = 1_000_000  # characters of one attribute: pictures come as data: URLs

# Walks the document in its order and removes what stands behind the last node that is wanted.
_CUT_SCRIPT = """((nodes, characters, value) => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
  let seen = 0, size = 0, node;
  while ((node = walker.nextNode())) {
    seen++;
    if (node.nodeType === 1) {
      for (const attribute of Array.from(node.attributes)) {
        if (attribute.value.length > value) node.removeAttribute(attribute.name);
        else size += attribute.value.length;
      }
    } else if (node.nodeType === 3 && size + node.length > characters) {
      node.deleteData(Math.max(characters - size, 0), node.length);
      size = characters + 1;
    } else size += node.nodeValue ? node.nodeValue.length : 0;
    if (seen > nodes || size > characters) {
      const rest = document.createRange();
      rest.setStartAfter(node);
      rest.setEndAfter(document.documentElement.lastChild || document.documentElement);
      rest.deleteContents();
      return true;
    }
  }
  return false;
})"""


def capture(tab: Tab, deadline: Deadline) -> Page:
    """The page as the browser shows it now."""
    cut = evaluate(tab, f"{_CUT_SCRIPT}({_MAX_NODES}, {_MAX_CHARACTERS}, {_MAX_ATTRIBUTE_LENGTH})", deadline)
    marked = read_declarations(tab, _secret_name(), deadline)
    asked = list(PROPERTIES + PAINT_PROPERTIES)
    snapshot = tab.ask("DOMSnapshot.captureSnapshot", deadline, computedStyles=asked)
    content = tab.ask("Page.getLayoutMetrics", deadline)["cssContentSize"]
    area = ScreenArea(tab.settings.viewport, (content["width"], content["height"]))
    looked_at = partial(painted_boxes, tab, deadline=deadline)
    page = page_from_snapshot(snapshot, tab.settings.viewport, tab.settings.javascript, marked, (area, looked_at))
    if cut:
        words = f"only the first {_MAX_NODES:,} nodes or {_MAX_CHARACTERS:,} characters of the rendered page were read"
        page = replace(page, problems=(*page.problems, Problem("too_large", words)))
    return page


def _secret_name() -> str:
    """An attribute that no page has."""
    return "t" + secrets.token_hex(6)


def page_from_snapshot(
    snapshot: Mapping[str, Any],
    viewport: tuple[int, int],
    scripts: bool = True,
    marked: MarkedDeclarations | None = None,
    screen: tuple[ScreenArea, Callable[[list[int], Floats], Bools]] | None = None,
) -> Page:
    """The Page of a snapshot, with what stands in its large frames.

    `screen`: how large the page is, and what tells in which boxes the letters of elements are painted (painted.py).
    """
    document, strings = merge_frames(snapshot, viewport, _MAX_NODES)
    tree = SnapshotTree(strings, document["nodes"])
    mark = _secret_name()
    left_out = (marked.attribute,) if marked else ()
    page, node = without_marks(parse(to_html(tree, mark, scripts, left_out)), mark)
    layout = document["layout"]
    place = np.full(len(tree.kind) + 1, -1, np.intp)  # by node: its row in the layout; the last one is for -1
    shown = np.asarray(layout["nodeIndex"], np.intp)
    place[shown[::-1]] = np.arange(len(shown))[::-1]  # an element with several boxes counts with its first
    rows = place[node]
    style = _styles(strings, layout["styles"], rows, viewport)
    if marked:
        style = replace(style, declarations=declarations_of(marked, tree, node))
    problems = page.problems
    if screen is not None:
        style, unjudged = _with_painted(style, node, tree, layout, *screen)
        problems += unjudged
    moved = _moved(page, node, tree)
    if moved:
        words = f"{moved:,} elements stand elsewhere than in the browser, because HTML cannot be written as its tree is"
        problems += (Problem("restructured", words),)
    return replace(page, box=_boxes(layout, rows), style=_with_contents(style, page, rows), problems=problems)


def without_marks(page: Page, mark: str) -> tuple[Page, Rows]:
    """The page without its marks, and for each of its elements the number that stood there; -1 where none did."""
    marks = list(re.finditer(rb' %s="(\d+)"' % mark.encode(), page.markup))
    node = np.full(len(page), -1, np.intp)
    if not marks:
        return page, node
    start = np.array([match.start() for match in marks])
    length = np.array([match.end() for match in marks]) - start
    rows = np.searchsorted(page.tag_start, start) - 1
    node[rows] = [int(match[1]) for match in marks]
    _, first = np.unique(node, return_index=True)  # the parser writes an unclosed <b> again in every paragraph
    again = np.ones(len(node), bool)
    again[first] = False
    node[again] = -1
    cut = np.concatenate(([0], np.cumsum(length)))

    def moved(column: Ints) -> Ints:
        new: Ints = (column - cut[np.searchsorted(start, column)]).astype(np.int32)
        new.setflags(write=False)
        return new

    pieces, copied = [], 0
    for match in marks:
        pieces.append(page.markup[copied : match.start()])
        copied = match.end()
    pieces.append(page.markup[copied:])
    page = replace(
        page,
        markup=b"".join(pieces),
        tag_start=moved(page.tag_start),
        tag_stop=moved(page.tag_stop),
        position=moved(page.position),
        size=page.size - int(cut[-1]),
    )
    return page, node


def _boxes(layout: Mapping[str, Any], rows: Rows) -> Singles:
    bounds = np.asarray(layout["bounds"], np.float32).reshape(-1, 4)
    box: Singles = np.full((len(rows), 4), np.nan, np.float32)
    box[rows >= 0] = bounds[rows[rows >= 0]]
    box.setflags(write=False)
    return box


def _styles(
    strings: Sequence[str], table: Sequence[Sequence[int]], rows: Rows, viewport: tuple[int, int]
) -> ComputedStyles:
    """The computed values of the layout's rows, renumbered from the snapshot's strings to those of each property."""
    width = len(PROPERTIES)
    complete = [line[:width] if len(line) >= width else [-1] * width for line in table]
    numbers = np.asarray(complete, np.int32).reshape(-1, width)
    values: dict[str, tuple[str, ...]] = {}
    codes: dict[str, Ints] = {}
    shown = rows >= 0
    for place, name in enumerate(PROPERTIES):
        used, code = np.unique(numbers[rows[shown], place], return_inverse=True)
        offset = int(np.count_nonzero(used < 0))  # no value: -1
        column: Ints = np.full(len(rows), -1, np.int32)
        column[shown] = code.reshape(-1) - offset
        column.setflags(write=False)
        values[name] = tuple(strings[number] for number in used[offset:].tolist())
        codes[name] = column
    return ComputedStyles(values, codes, viewport)


def _with_painted(
    style: ComputedStyles,
    node: Rows,
    tree: SnapshotTree,
    layout: Mapping[str, Any],
    area: ScreenArea,
    pixels: Callable[[list[int], Floats], Bools],
) -> tuple[ComputedStyles, tuple[Problem, ...]]:
    """With a column that says whether the texts of each element are painted (`styles.PAINT`), and what is amiss."""
    problems: list[Problem] = []

    def looked_at(holders: list[int], boxes: Floats) -> Bools:
        try:
            return pixels(holders, boxes)
        except (ImportError, CdpError) as error:
            words = f"{len(boxes):,} texts may be hidden; their pixels could not be compared: {error}"
            problems.append(Problem("styles_unread", words))
            return np.ones(len(boxes), bool)

    paint = [styles[len(PROPERTIES) :] for styles in layout["styles"]]
    verdicts = judge_texts(tree, {**layout, "paint": paint}, area, looked_at)
    values = (PAINTED, FAINT, UNPAINTED)
    code: Ints = np.array([values.index(verdicts[own]) if own in verdicts else -1 for own in node.tolist()], np.int32)
    code.setflags(write=False)
    columns = replace(style, values={**style.values, PAINT: values}, codes={**style.codes, PAINT: code})
    return columns, tuple(problems)


def _with_contents(style: ComputedStyles, page: Page, rows: Rows) -> ComputedStyles:
    """`display: contents` for elements without a box around something that has one."""
    shown = np.concatenate(([0], np.cumsum(rows >= 0)))
    holds = shown[page.end] - shown[:-1] > 0
    contents = (rows < 0) & holds & (page.depth > 0)
    if not contents.any():
        return style
    code = style.codes["display"].copy()
    code[contents] = len(style.values["display"])
    code.setflags(write=False)
    values = {**style.values, "display": (*style.values["display"], "contents")}
    return replace(style, values=values, codes={**style.codes, "display": code})


def _moved(page: Page, node: Rows, tree: SnapshotTree) -> int:
    """How many elements have another parent than in the browser; what the parser puts between (a tbody) does not
    count."""
    parent = page.parent.astype(np.intp)
    known = np.flatnonzero(node >= 0)
    above = parent[known]
    while True:
        between = (above >= 0) & (node[above] < 0)
        if not between.any():
            break
        above[between] = parent[above[between]]
    theirs = tree.parent[node[known]]
    element = np.asarray(tree.kind)[theirs] == 1
    ours = np.where(above >= 0, node[above], -1)
    return int(np.count_nonzero(element & (ours != theirs)))
