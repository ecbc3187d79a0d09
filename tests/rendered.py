"""Rendered pages without a browser: HTML whose elements carry their box and display in a `data-box` attribute.

    page(\"\"\"<body data-box="0 0 1000 800"><div data-box="0 0 700 100 flex">…</div></body>\"\"\")

`data-box` is x, y, width, height, then the display (by default block for block elements, inline for others), then
other properties as name:value.  An element without the attribute takes the box of its parent; `data-box="none"` has
none, with all that is in it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from thresher.data.tags import BLOCK
from thresher.page import Page
from thresher.parse import parse
from thresher.render.styles import PROPERTIES, ComputedStyles

DEFAULTS = {
    "position": "static", "float": "none", "visibility": "visible", "opacity": "1", "font-size": "16px",
    "overflow-x": "visible", "overflow-y": "visible", "clip-path": "none",
}  # fmt: skip


def rendered(html: str) -> Page:
    """The page of some HTML, with boxes and styles as its attributes say."""
    return in_boxes(parse(html))


def in_boxes(page: Page, width: float = 1000, height: float = 800) -> Page:
    """The page with boxes and styles as its attributes say."""
    boxes: list[tuple[float, ...] | None] = []
    styles: list[dict[str, str]] = []
    for row in range(len(page)):
        name, parent = page.name(row), int(page.parent[row])
        inherited = boxes[parent] if parent >= 0 else (0.0, 0.0, width, height)
        style = DEFAULTS | {"display": "block" if name in BLOCK else "inline"}
        said = (page.attribute(row, "data-box") or "").split()
        numbers = [float(word) for word in said if _is_number(word)]
        for word in said[len(numbers) :]:
            key, _, value = word.rpartition(":")
            style[key or "display"] = value
        box = tuple(numbers) if numbers else inherited
        if style["display"] == "none" or inherited is None or name == "head":
            box = None
        if box is None and style["display"] != "contents":
            style = {}
        boxes.append(box)
        styles.append(style)
    for row, style in enumerate(styles):
        if style.get("display") == "contents":
            boxes[row] = None
    table = np.array([(np.nan,) * 4 if box is None else box for box in boxes], np.float32).reshape(-1, 4)
    columns = {name: [style.get(name, "") for style in styles] for name in PROPERTIES}
    return replace(page, box=table, style=ComputedStyles.make(columns, (int(width), int(height))))


def _is_number(word: str) -> bool:
    return word.lstrip("-").replace(".", "", 1).isdigit()
