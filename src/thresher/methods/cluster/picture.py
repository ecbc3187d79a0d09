"""Clusters of a page, a colour for each, the content's filled, noise grey: over a picture of it, or as SVG.

Colours go round the colour circle by the golden angle, so that the largest clusters, which have the first numbers, are
far from each other; a cluster has the same colour on every page of the site.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator
from html import escape
from io import BytesIO
from textwrap import wrap

import numpy as np

from thresher.errors import MissingExtra
from thresher.methods.cluster.blocks import SiteBlocks
from thresher.page.types import Bools, Rows

__all__ = ["colour", "draw", "svg"]

_GOLDEN = 0.381966  # of a turn
_NOISE = (128, 128, 128)
_PALE, _FULL = 45, 110  # of 255
_MAX_SVG_BLOCKS, _MAX_SVG_TEXT, _MAX_SVG_SIDE = 2_000, 600, 30_000  # blocks, characters of each, pixels
_LINE_HEIGHT, _LETTER_WIDTH = 15, 6.6  # pixels
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")  # no XML may have them


def colour(cluster: int) -> tuple[int, int, int]:
    """The colour of a cluster."""
    if cluster < 0:
        return _NOISE
    red, green, blue = colorsys.hsv_to_rgb((0.02 + cluster * _GOLDEN) % 1, 0.95, 0.85 - 0.15 * (cluster % 3))
    return round(255 * red), round(255 * green), round(255 * blue)


def draw(png: bytes, blocks: SiteBlocks, page: int, number: Rows, content: int = -1) -> bytes:
    """The picture of a page with its blocks outlined in the colours of their clusters, `number` that of each block.

    A pixel of the picture is a CSS pixel of the page.
    """
    try:
        from PIL import Image, ImageDraw
    except ImportError as missing:
        raise MissingExtra("drawing over a picture needs Pillow: pip install 'thresher[render]'") from missing
    with Image.open(BytesIO(png)) as opened:
        picture = opened.convert("RGBA")
    over = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(over)
    rows = blocks.of(page)
    for (x, y, width, height), cluster in zip(blocks.box[rows].tolist(), number[rows].tolist(), strict=True):
        right, bottom = min(x + width, picture.width) - 1, min(y + height, picture.height) - 1
        if right <= x or bottom <= y or not np.isfinite((x, y, right, bottom)).all():
            continue
        shade = colour(cluster)
        chosen = cluster == content and cluster >= 0
        fill = (*shade, _FULL if chosen else _PALE)
        pen.rectangle((x, y, right, bottom), fill=fill, outline=(*shade, 255), width=2 if chosen else 1)
    sink = BytesIO()
    Image.alpha_composite(picture, over).convert("RGB").save(sink, "PNG", optimize=True)
    return sink.getvalue()


def svg(blocks: SiteBlocks, page: int, number: Rows, content: Bools) -> str:
    """A page's blocks where they stand, in the colours of their clusters, as SVG; those in `content` are filled.

    The texts of the page stand in it escaped.  Nothing in it needs a style sheet, a script or a file.
    """
    facts = blocks.pages[page]
    rows = [row for row in blocks.of(page).tolist() if np.isfinite(blocks.box[row]).all()][:_MAX_SVG_BLOCKS]
    boxes = np.clip(blocks.box[rows].astype(np.float64).reshape(-1, 4), 0, _MAX_SVG_SIDE)
    width = max(facts.width, float((boxes[:, 0] + boxes[:, 2]).max(initial=0)), 1.0)
    height = max(float((boxes[:, 1] + boxes[:, 3]).max(initial=0)) + 10, 1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        'font-family="sans-serif" font-size="12"><title>The text blocks of the page by cluster</title>'
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>'
    ]
    for row, (x, y, wide, high) in zip(rows, boxes.tolist(), strict=True):
        if wide < 1 or high < 1:
            continue
        cluster = int(number[row])
        shade = "rgb({}, {}, {})".format(*colour(cluster))
        name = f"cluster {cluster}" if cluster >= 0 else "no cluster"
        kept = bool(content[row])
        text = _CONTROLS.sub("", blocks.text[row][:_MAX_SVG_TEXT])
        parts.append(
            f"<g><title>{escape(name + (', content' if kept else '') + ': ' + text)}</title>"
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{high:.0f}" fill="{shade}" '
            f'fill-opacity="{0.4 if kept else 0.12}" stroke="{shade}" stroke-width="{2.5 if kept else 1}"/>'
            + "".join(_lines(text, x, y, wide, high))
            + "</g>"
        )
    return "".join(parts) + "</svg>"


def _lines(text: str, x: float, y: float, wide: float, high: float) -> Iterator[str]:
    """As much of a text as fits into its box."""
    count = max(int(high // _LINE_HEIGHT), 1)
    for place, line in enumerate(wrap(text, max(int(wide // _LETTER_WIDTH), 1))[:count]):
        yield f'<text x="{x + 3:.0f}" y="{y + 12 + place * _LINE_HEIGHT:.0f}" fill="#222">{escape(line)}</text>'
