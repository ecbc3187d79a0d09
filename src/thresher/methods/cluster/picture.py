"""Clusters drawn over a picture of a page: a colour for each, the content's filled, noise grey.

Colours go round the colour circle by the golden angle, so that the largest clusters, which have the first numbers, are
far from each other; a cluster has the same colour on every page of the site.
"""

from __future__ import annotations

import colorsys
from io import BytesIO

import numpy as np

from thresher.errors import MissingExtra
from thresher.methods.cluster.blocks import SiteBlocks
from thresher.page.types import Rows

__all__ = ["colour", "draw"]

_GOLDEN = 0.381966  # of a turn
_NOISE = (128, 128, 128)
_PALE, _FULL = 45, 110  # of 255


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
