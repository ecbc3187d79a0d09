"""The pages in a page's frames, put where they are shown: a snapshot of several documents as one.

    page    … <iframe></iframe> …                 …  <iframe></iframe><div><div> text </div></div>  …
    frame   <html><head>…<body> text      →

Counted are frames at least half as wide and half as high as the window: what a page shows so large is its content (a
blog around its post, a manual around its chapter), what is smaller are advertisements, buttons and films.  Frames of
other sites have processes of their own and are not in the snapshot.  A frame's boxes move to where the frame stands,
and its links are made absolute.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

__all__ = ["merge_frames"]

Document = Mapping[str, Any]

_MIN_SHARE_OF_WINDOW = 0.5  # of the window, each way
_MAX_DEPTH = 5  # frames in frames
_COLUMNS = ("nodeType", "nodeName", "nodeValue", "attributes", "parentIndex", "backendNodeId")
_RARE = ("shadowRootType", "pseudoType")
_DOCUMENT, _DOCTYPE = 9, 10
_TAG_IN_FRAME = {
    "html": "div",
    "body": "div",
    "frameset": "div",
    "frame": "iframe",
}  # a page has but one of these, or none


def merge_frames(snapshot: Mapping[str, Any], viewport: tuple[int, int], most: int) -> tuple[Document, list[str]]:
    """The first document with those of its large frames in it, and the strings; `most` nodes in all."""
    documents = snapshot["documents"]
    frames = dict(_large_frames(documents, viewport, most))
    if not frames:
        layout = {**documents[0]["layout"], "line": _line_heights(documents[0]), "framed": set()}
        return {**documents[0], "layout": layout}, snapshot["strings"]
    joined = _Joined(documents, list(snapshot["strings"]), frames)
    joined.add(0, -1, 0.0, 0.0)
    return {"nodes": joined.nodes, "layout": joined.layout}, joined.strings


def _large_frames(
    documents: Sequence[Document], viewport: tuple[int, int], most: int
) -> Iterator[tuple[tuple[int, int], int]]:
    """The frames that count, as (document, node), and the document in each."""
    left = most - len(documents[0]["nodes"]["nodeType"])
    todo = [(0, 1)]
    while todo:
        number, depth = todo.pop()
        content = documents[number]["nodes"].get("contentDocumentIndex", {"index": (), "value": ()})
        box = _boxes(documents[number]) if content["index"] else {}
        for node, child in zip(content["index"], content["value"], strict=True):
            _, _, width, height = box.get(node, (0, 0, 0, 0))
            size = len(documents[child]["nodes"]["nodeType"])
            if (
                width >= _MIN_SHARE_OF_WINDOW * viewport[0]
                and height >= _MIN_SHARE_OF_WINDOW * viewport[1]
                and size <= left
                and depth <= _MAX_DEPTH
            ):
                left -= size
                todo.append((child, depth + 1))
                yield (number, node), child


def _boxes(document: Document) -> dict[int, Sequence[float]]:
    """Where each node stands that has a box; the first of several counts."""
    layout = document["layout"]
    return dict(zip(reversed(layout["nodeIndex"]), reversed(layout["bounds"]), strict=True))


def _line_heights(document: Document) -> dict[int, float]:
    """By row of the layout of a text, the height of its first line."""
    boxes = document.get("textBoxes", {"layoutIndex": (), "bounds": ()})
    return {row: box[3] for row, box in zip(reversed(boxes["layoutIndex"]), reversed(boxes["bounds"]), strict=True)}


@dataclass(slots=True, eq=False)
class _Joined:
    """One document in the making, with the columns that are read of it."""

    documents: Sequence[Document]
    strings: list[str]
    frames: Mapping[tuple[int, int], int]
    nodes: dict[str, Any] = field(
        default_factory=lambda: {name: [] for name in _COLUMNS} | {name: {"index": [], "value": []} for name in _RARE}
    )
    layout: dict[str, Any] = field(
        default_factory=lambda: {"nodeIndex": [], "styles": [], "bounds": [], "line": {}, "framed": set()}
    )

    def add(self, number: int, above: int, x: float, y: float) -> None:
        """Add a document below a node, its corner at a place."""
        document, framed = self.documents[number], number > 0
        own, box = document["nodes"], _boxes(document)
        new = {-1: above}  # of its nodes, those that are taken
        for node, parent in enumerate(own["parentIndex"]):
            name = self.strings[own["nodeName"][node]].lower()
            if parent not in new or (framed and name == "head"):
                continue
            if framed and own["nodeType"][node] in (_DOCUMENT, _DOCTYPE):
                new[node] = above
                continue
            new[node] = len(self.nodes["nodeType"])
            for column in _COLUMNS:
                self.nodes[column].append(own[column][node])
            self.nodes["parentIndex"][-1] = new[parent]
            if name in _TAG_IN_FRAME and (framed or name.startswith("frame")):
                self.nodes["nodeName"][-1] = self._number(_TAG_IN_FRAME[name])
            if framed:
                self._resolve_links(document)
            if (number, node) in self.frames:
                left, top, *_ = box[node]
                self.add(self.frames[number, node], new[parent], x + left, y + top)
        new = {node: at for node, at in new.items() if at != above}
        self._add_layout(document, new, x, y, framed)

    def _add_layout(self, document: Document, new: Mapping[int, int], x: float, y: float, framed: bool) -> None:
        """What the browser tells of the nodes that were taken."""
        for name in _RARE:
            rare = document["nodes"].get(name, {"index": ()})
            for node, value in zip(rare["index"], rare.get("value", rare["index"]), strict=True):
                if node in new:
                    self.nodes[name]["index"].append(new[node])
                    self.nodes[name]["value"].append(value)
        shown, line = document["layout"], _line_heights(document)
        rows = zip(shown["nodeIndex"], shown["styles"], shown["bounds"], strict=True)
        for row, (node, styles, bounds) in enumerate(rows):
            if node in new:
                if row in line:
                    self.layout["line"][len(self.layout["nodeIndex"])] = line[row]
                if framed:
                    self.layout["framed"].add(new[node])
                self.layout["nodeIndex"].append(new[node])
                self.layout["styles"].append(styles)
                self.layout["bounds"].append([bounds[0] + x, bounds[1] + y, *bounds[2:]])

    def _resolve_links(self, document: Document) -> None:
        """Resolve the links of the last node against the address of its own document."""
        given = self.nodes["attributes"][-1]
        written = list(given)
        for at in range(0, len(given) - 1, 2):
            if self.strings[given[at]] in ("href", "src") and given[at + 1] >= 0:
                with contextlib.suppress(ValueError):  # no address at all
                    address = urljoin(self.strings[document["baseURL"]], self.strings[given[at + 1]])
                    written[at + 1] = self._number(address)
        self.nodes["attributes"][-1] = written

    def _number(self, text: str) -> int:
        self.strings.append(text)
        return len(self.strings) - 1
