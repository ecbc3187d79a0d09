"""What the layout analysis sees, drawn over a picture of the page, as in the figures of paper 003.

    zones     leaf zones outlined, paragraphs tinted                  its figure 2
    columns   the columns of the collapsed tree outlined, the main    its figure 3
              content column in another colour
    content   what is taken for main content, highlighted             its figure 1

A pixel of the picture is a CSS pixel of the page; what lies outside of the picture is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Literal, NamedTuple

import numpy as np

from thresher.errors import MissingExtra, NeedsLayout
from thresher.methods.layout import content_column
from thresher.methods.layout.main_column import column_leaves
from thresher.methods.layout.paragraphs import paragraphs
from thresher.methods.layout.zones import zones
from thresher.page import Page
from thresher.visible.browser import is_laid_out

__all__ = ["Kind", "Shape", "draw", "shapes"]

Kind = Literal["zones", "columns", "content"]
Colour = tuple[int, int, int, int]

_RED, _BLUE = (204, 0, 0, 255), (0, 82, 204, 255)
_TINT, _YELLOW, _CLEAR = (0, 120, 220, 40), (255, 226, 0, 90), (0, 0, 0, 0)


class Shape(NamedTuple):
    """A rectangle in CSS pixels."""

    left: float
    top: float
    right: float
    bottom: float
    outline: Colour
    fill: Colour
    width: int = 1


def shapes(page: Page, kind: Kind) -> Iterator[Shape]:
    """The rectangles of an overlay, in the order in which they are drawn."""
    if not is_laid_out(page):
        raise NeedsLayout("an overlay shows the boxes of a rendered page and this one has none; run: thresher render")
    tree = zones(page)
    if not len(tree):
        return
    leaf = np.flatnonzero(tree.leaf)
    boxes = np.stack((tree.left, tree.top, tree.right, tree.bottom), axis=1)
    if kind == "zones":
        for (left, top, right, bottom), paragraph in zip(
            boxes[leaf].tolist(), paragraphs(page, tree).tolist(), strict=True
        ):
            yield Shape(left, top, right, bottom, _RED, _TINT if paragraph else _CLEAR)
        return
    columns, main = content_column(page)
    if kind == "content":
        for left, top, right, bottom in boxes[leaf[column_leaves(tree, columns, main)]].tolist():
            yield Shape(left, top, right, bottom, _CLEAR, _YELLOW)
        return
    for column in (*range(1, len(columns)), main):
        held = leaf[column_leaves(tree, columns, column)]
        yield Shape(
            float(columns.left[column]),
            float(tree.top[held].min()),
            float(columns.right[column]),
            float(tree.bottom[held].max()),
            outline=_BLUE if column == main else _RED,
            fill=_CLEAR,
            width=4 if column == main else 2,
        )


def draw(page: Page, png: bytes, kind: Kind) -> bytes:
    """The picture of a page with an overlay drawn over it, as PNG."""
    if kind not in ("zones", "columns", "content"):
        raise ValueError(f"an overlay is one of zones, columns, content, not {kind!r}")
    Image, ImageDraw = _pillow()
    picture = Image.open(BytesIO(png)).convert("RGBA")
    layer = Image.new("RGBA", picture.size, _CLEAR)
    pen = ImageDraw.Draw(layer)
    width, height = picture.size
    for shape in shapes(page, kind):
        left, right = (min(max(edge, 0.0), width - 1.0) for edge in (shape.left, shape.right))
        top, bottom = (min(max(edge, 0.0), height - 1.0) for edge in (shape.top, shape.bottom))
        if right > left and bottom > top:
            pen.rectangle((left, top, right, bottom), fill=shape.fill, outline=shape.outline, width=shape.width)
    out = BytesIO()
    Image.alpha_composite(picture, layer).convert("RGB").save(out, "PNG", optimize=True)
    return out.getvalue()


def _pillow() -> tuple[Any, Any]:
    try:
        from PIL import Image, ImageDraw
    except ImportError as missing:
        raise MissingExtra("drawing over a picture needs Pillow: pip install 'thresher[render]'") from missing
    return Image, ImageDraw
