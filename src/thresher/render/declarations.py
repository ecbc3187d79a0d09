"""All computed properties of the elements around texts, as far as their value is not the default.

A browser computes some 400 properties of every element, most of which have their initial value everywhere.  A script
of ours reads them of the elements that hold a text and, where these are inline, of those around them up to the next
block, so that every block of text has its element among them.  Only what differs from the initial value comes back,
with names and values listed once.  The initial values are those of an element with `all: initial` in an empty document.

An element of the snapshot that follows is known by an attribute which the script has put on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from thresher.fetch.limits import Deadline
from thresher.page.types import Rows
from thresher.render.serialise import SnapshotTree
from thresher.render.styles import ComputedDeclarations
from thresher.render.tab import Tab
from thresher.render.waiting import evaluate

__all__ = ["MarkedDeclarations", "declarations_of", "read_declarations"]

_MAX_ELEMENTS = 4_000  # that are read; some 0.2 ms each
_MAX_MILLISECONDS = 4_000  # for all of them
_MAX_VALUE_LENGTH = 200  # characters

_SCRIPT = """((mark, most, milliseconds, longest) => {
  const end = performance.now() + milliseconds;
  const frame = document.createElement("iframe");
  document.documentElement.append(frame);
  const bare = frame.contentDocument.createElement("div");
  bare.style.all = "initial";
  frame.contentDocument.body.append(bare);
  const initial = frame.contentWindow.getComputedStyle(bare);
  const names = Array.from(initial), usual = names.map((name) => initial.getPropertyValue(name));
  frame.remove();
  const values = new Map(), elements = [], seen = new Set();
  const read = (element) => {
    const style = getComputedStyle(element), pairs = [];
    for (let place = 0; place < names.length; place++) {
      const value = style.getPropertyValue(names[place]);
      if (value === usual[place]) continue;
      const short = value.slice(0, longest);
      if (!values.has(short)) values.set(short, values.size);
      pairs.push(place, values.get(short));
    }
    element.setAttribute(mark, elements.length);
    elements.push(pairs);
    return style.display;
  };
  const add = (element) => {
    while (element && !seen.has(element) && elements.length < most && performance.now() < end) {
      seen.add(element);
      if (!read(element).startsWith("inline")) break;
      element = element.parentElement;
    }
  };
  add(document.body);
  const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) if (/\\S/.test(node.data)) add(node.parentElement);
  return { names, values: Array.from(values.keys()), elements };
})"""


class MarkedDeclarations(NamedTuple):
    """What the script has read, by the numbers that it has put on the elements."""

    attribute: str
    names: list[str]
    values: list[str]
    elements: list[list[int]]  # of each: name, value, name, value, …


def read_declarations(tab: Tab, attribute: str, deadline: Deadline) -> MarkedDeclarations | None:
    """Read the page's styles and mark its elements; None where that cannot be done."""
    limits = f"{_MAX_ELEMENTS}, {_MAX_MILLISECONDS}, {_MAX_VALUE_LENGTH}"
    answer: Mapping[str, Any] | None = evaluate(tab, f"{_SCRIPT}({json.dumps(attribute)}, {limits})", deadline)
    if not isinstance(answer, dict):
        return None
    return MarkedDeclarations(attribute, answer["names"], answer["values"], answer["elements"])


def declarations_of(marked: MarkedDeclarations, tree: SnapshotTree, node: Rows) -> ComputedDeclarations:
    """The same by the rows of the page; `node` is the node of the snapshot that each element comes from."""
    number_of = _numbers(marked, tree)
    pairs_of: dict[int, list[int]] = {}
    for row, own in enumerate(node.tolist()):
        number = number_of.get(own, -1)
        if 0 <= number < len(marked.elements):
            pairs_of[row] = marked.elements[number]
    entries = np.array([entry for pairs in pairs_of.values() for entry in pairs], np.int32).reshape(-1, 2)
    used, place = np.unique(entries[:, 0], return_inverse=True)
    return ComputedDeclarations(
        tuple(marked.names[name] for name in used.tolist()),
        tuple(marked.values),
        np.fromiter(pairs_of, np.int32, len(pairs_of)),
        np.cumsum([0, *(len(pairs) // 2 for pairs in pairs_of.values())], dtype=np.int32),
        place.reshape(-1).astype(np.int32),
        entries[:, 1].copy(),
    )


def _numbers(marked: MarkedDeclarations, tree: SnapshotTree) -> dict[int, int]:
    """The number on each node that has one."""
    names = [place for place, text in enumerate(tree.strings) if text == marked.attribute]
    numbers: dict[int, int] = {}
    for node, attributes in enumerate(tree.nodes["attributes"] if names else ()):
        for name, value in zip(attributes[::2], attributes[1::2], strict=False):
            if name in names and tree.strings[value].isdecimal():
                numbers[node] = int(tree.strings[value])
    return numbers
