"""A snapshot of the browser's tree, written as HTML with a number on every element.

`DOMSnapshot.captureSnapshot` gives one row per node: type, name, value, attributes, parent.  Written out and parsed
again, these rows become a Page; the number, an attribute whose name occurs nowhere in the page, tells from which node
each element of the Page came.  So it does not matter where the parser sees things otherwise than the browser (a `p`
that a script has put into a `p`, a form in a form, a row outside of a table): each element keeps its box and style.

The snapshot is the flat tree, what a reader sees: the content of a shadow root stands below its host, and the host's
own children where a slot takes them.  Scripts have run, so `noscript` says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from thresher.data.tags import RAW, VOID
from thresher.page.types import Rows

__all__ = ["SnapshotTree", "to_html"]

_ELEMENT, _TEXT, _DOCTYPE, _FRAGMENT = 1, 3, 10, 11
# Names that survive being written and read.  Scripts can make others.
_TAG = re.compile(r"[a-zA-Z][^\s/<>\"'=&\x00]*")
_ATTRIBUTE = re.compile(r"[^\s/<>\"'=\x00]+")
_FRAME_DOCUMENT = "srcdoc"  # not written: the browser has decided what of a frame is shown (frames.py)
_INVALID_NAME = "x-unnamed"
_REPLACED_TAGS = {"plaintext": "pre"}  # nothing could follow it
_FORMATTED = frozenset({"pre", "textarea", "listing"})  # the parser drops a line feed at their start
_ESCAPABLE_RAW_TEXT = frozenset({"title", "textarea"})  # a tag inside them is text to the parser
_TEXT_ONLY = RAW - {"iframe", "plaintext"}


@dataclass(frozen=True)
class SnapshotTree:
    """The nodes of one document of a snapshot."""

    strings: list[str]
    nodes: Mapping[str, Any]

    @cached_property
    def kind(self) -> list[int]:
        return list(self.nodes["nodeType"])

    @cached_property
    def parent(self) -> Rows:
        return np.asarray(self.nodes["parentIndex"], np.intp)

    @cached_property
    def names(self) -> list[str]:
        """Lower case for the elements of HTML, as it stands for all others."""
        return [self.strings[number].lower() if number >= 0 else "" for number in self.nodes["nodeName"]]

    @cached_property
    def children(self) -> list[list[int]]:
        """The nodes below each, in order; not what is of the style (::before) or of the browser's own widgets."""
        lists: list[list[int]] = [[] for _ in self.kind]
        roots = self.nodes.get("shadowRootType", {})
        kinds = zip(roots.get("index", ()), roots.get("value", ()), strict=True)
        apart = {node for node, kind in kinds if self.strings[kind] == "user-agent"}
        apart |= set(self.nodes.get("pseudoType", {}).get("index", ()))
        for node, above in enumerate(self.parent.tolist()):
            if above >= 0 and node not in apart:
                lists[above].append(node)
        return lists

    def attributes(self, node: int) -> list[tuple[str, str]]:
        numbers = self.nodes["attributes"][node]
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        return [(self.strings[name], self.strings[value] if value >= 0 else "") for name, value in pairs]

    def value(self, node: int) -> str:
        number = self.nodes["nodeValue"][node]
        return self.strings[number] if number >= 0 else ""


def to_html(tree: SnapshotTree, mark: str, scripts: bool = True, left_out: Collection[str] = ()) -> str:
    """The document as HTML, `mark="NODE"` in every opening tag.

    `scripts`: whether the page's scripts were run.  `left_out`: attributes that are not written.
    """
    # Without it the page is in quirks mode, where a table may stand in a paragraph.
    out = ["<!DOCTYPE html>"] if any(tree.kind[node] == _DOCTYPE for node in tree.children[0]) else []
    todo: list[int | str] = list(reversed(tree.children[0]))  # nodes, and closing tags
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            out.append(node)
            continue
        kind = tree.kind[node]
        if kind == _TEXT:
            out.append(_escaped(tree.value(node)))
        elif kind == _FRAGMENT:  # what a template holds
            todo += reversed(tree.children[node])
        elif kind == _ELEMENT:
            name = tree.names[node]
            name = _REPLACED_TAGS.get(name, name) if _TAG.fullmatch(name) else _INVALID_NAME
            out.append(_opening(tree, node, name, mark, left_out))
            if name in VOID:
                continue
            if name in _TEXT_ONLY or name in _ESCAPABLE_RAW_TEXT:
                text = "".join(tree.value(child) for child in tree.children[node] if tree.kind[child] == _TEXT)
                out += (_escaped(text) if name in _ESCAPABLE_RAW_TEXT else _raw(text, name)), f"</{name}>"
                continue
            todo.append(f"</{name}>")
            if name == "iframe" or (name == "noscript" and scripts):
                continue
            todo += reversed(tree.children[node])
    return "".join(out)


def _opening(tree: SnapshotTree, node: int, name: str, mark: str, left_out: Collection[str]) -> str:
    pieces = [f'<{name} {mark}="{node}"']
    for attribute, value in tree.attributes(node):
        if _ATTRIBUTE.fullmatch(attribute) and attribute not in (mark, _FRAME_DOCUMENT) and attribute not in left_out:
            pieces.append(f' {attribute}="{_quoted(value)}"')
    pieces.append(">\n" if name in _FORMATTED else ">")
    return "".join(pieces)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\xa0", "&nbsp;")


def _quoted(value: str) -> str:
    return value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def _raw(text: str, name: str) -> str:
    """The inside of a raw-text element, without anything in it that the parser would take for its end or, in scripts,
    for the start of a comment that hides the end.  `\\u003c` means the same in the strings of scripts and JSON."""
    if name == "script":
        return re.sub(r"<(?=/script|!--)", r"\\u003c", text, flags=re.IGNORECASE)
    return re.sub(rf"</(?={name})", r"<\\/", text, flags=re.IGNORECASE)
