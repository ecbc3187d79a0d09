"""Which texts of a snapshot are painted where a reader can get to see them.

The tree is walked once, from the root down; each element hands on what it does to the texts inside:

    clip        the rectangle that boxes with hidden overflow leave of the page
    fixed       it stays where it is in the window however one scrolls
    opacity     the product of all opacities
    background  the last plain colour behind it
    doubtful    something cuts, masks, filters, blends or turns it: what is left of it only pixels tell

Three outcomes.  A text without a box, off the page, in letters of six pixels or less or of dots is UNPAINTED.  One
whose opacities leave nothing is FAINT.  One on which a doubt rests, by its surroundings, because its colour is near
that of the background, or because it stands outside of `clip`, is compared in two screenshots, with texts and without
(`pixels.py`); all others are PAINTED.

Boxes that scroll show what is in them.  A box with hidden overflow that is as large as a picture is taken for one that
a click moves or opens (a carousel, "read more"): nothing is cut off by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from thresher.page.types import Bools, Floats
from thresher.render.serialise import SnapshotTree

__all__ = ["FAINT", "PAINTED", "PAINT_PROPERTIES", "UNPAINTED", "ScreenArea", "judge_texts"]

PAINTED, FAINT, UNPAINTED = "painted", "faint", "unpainted"
# What is asked of the browser for this alone.
PAINT_PROPERTIES: tuple[str, ...] = (
    *"position overflow-x overflow-y opacity visibility background-color background-image".split(),
    *"-webkit-text-fill-color clip-path mask-image filter mix-blend-mode clip backface-visibility".split(),
    *"-webkit-text-security background-clip perspective transform contain".split(),
)
_NEUTRAL = {
    "clip-path": "none",
    "mask-image": "none",
    "filter": "none",
    "mix-blend-mode": "normal",
    "clip": "auto",
    "backface-visibility": "visible",
    "background-clip": "border-box",
    "perspective": "none",
}
_TEXT = 3
# Pixels of a line: that of letters of six, the least that a browser gives to a relative size (`font-size: .01em`).
_MIN_LETTER_HEIGHT = 7.5
_MIN_WIDTH_PER_LETTER = 1.0  # pixels
_MIN_OPENING_SIDE = 100.0  # pixels of a box that may be a carousel or the start of an article
_MIN_SCROLLER_SIDE = 10.0  # pixels of a box that can be scrolled
_MAX_FAINT_OPACITY = 0.05
_MAX_COLOUR_DISTANCE = 60  # steps of the three channels together
_NUMBERS = re.compile(r"-?[\d.]+(?:e-?\d+)?")
_EVERYWHERE = (float("-inf"), float("-inf"), float("inf"), float("inf"))

Box = tuple[float, float, float, float]  # left, top, right, bottom
Colour = tuple[float, float, float, float]


class ScreenArea(NamedTuple):
    """The window, and the page that can be scrolled through it; pixels."""

    viewport: tuple[float, float]
    content: tuple[float, float]


class _Around(NamedTuple):
    """What the elements around a text do to it."""

    clip: Box = _EVERYWHERE
    fixed: bool = False
    opens: bool = False  # it may be moved into sight
    opacity: float = 1.0
    background: Colour = (255.0, 255.0, 255.0, 1.0)
    doubtful: bool = False
    skipped: bool = False  # judged otherwise: formulas, frames


def judge_texts(
    tree: SnapshotTree, layout: Mapping[str, Any], area: ScreenArea, pixels: Callable[[list[int], Floats], Bools]
) -> dict[int, str]:
    """For each element with texts of its own: PAINTED if one of them is, FAINT, or UNPAINTED.

    `pixels` tells of some elements, by the browser's numbers of them, and boxes on the page (n, 4) in which boxes their
    letters are painted.
    """
    reader = _Reader(tree, layout, area)
    certain, doubted = reader.read()
    if doubted:
        nodes = list(doubted)
        numbers, parents = tree.nodes["backendNodeId"], tree.parent[nodes].tolist()
        painted = pixels([numbers[holder] for holder in parents], np.array(list(doubted.values()), np.float64))
        certain |= {node: PAINTED if there else UNPAINTED for node, there in zip(nodes, painted.tolist(), strict=True)}
    best: dict[int, str] = {}
    order = (PAINTED, FAINT, UNPAINTED)
    parent = tree.parent.tolist()
    for node, verdict in certain.items():
        best[parent[node]] = min(best.get(parent[node], UNPAINTED), verdict, key=order.index)
    return best


class _Reader:
    """One snapshot with its layout."""

    def __init__(self, tree: SnapshotTree, layout: Mapping[str, Any], area: ScreenArea) -> None:
        self.tree, self.area = tree, area
        self.strings = tree.strings
        self.row: dict[int, int] = {}
        for row, node in enumerate(layout["nodeIndex"]):
            self.row.setdefault(node, row)
        self.bounds: Sequence[Sequence[float]] = layout["bounds"]
        self.styles: Sequence[Sequence[int]] = layout["paint"]
        self.lines: Mapping[int, float] = layout["line"]  # by row of the layout: the height of its first line
        self.framed: Collection[int] = layout["framed"]  # nodes of other documents
        self._effects: dict[tuple[int, ...], _Effect] = {}  # by the numbers of the values

    def read(self) -> tuple[dict[int, str], dict[int, Box]]:
        """The texts whose verdict is certain, and the boxes of those that must be looked at."""
        certain: dict[int, str] = {}
        doubted: dict[int, Box] = {}
        around: dict[int, _Around] = {-1: _Around()}
        parents, kinds = self.tree.parent.tolist(), self.tree.kind
        for node, parent in enumerate(parents):
            outer = around.get(parent, around[-1])
            if kinds[node] != _TEXT:
                around[node] = self._inside(node, outer)
            elif not outer.skipped and self.tree.value(node).strip():
                verdict = self._text(node, outer)
                if isinstance(verdict, str):
                    certain[node] = verdict
                else:
                    doubted[node] = verdict
        return certain, doubted

    def _style(self, row: int) -> dict[str, str]:
        values = self.styles[row]
        if len(values) != len(PAINT_PROPERTIES):
            return {}
        return {
            name: self.strings[value] if value >= 0 else ""
            for name, value in zip(PAINT_PROPERTIES, values, strict=True)
        }

    def _inside(self, node: int, outer: _Around) -> _Around:
        """What the texts inside an element are subject to."""
        row = self.row.get(node, -1)
        if self.tree.names[node] == "math" or node in self.framed:
            return outer._replace(skipped=True)
        if row < 0:
            return outer
        key = tuple(self.styles[row])
        effect = self._effects.get(key)
        if effect is None:
            effect = self._effects[key] = _effect(self._style(row))
        if effect == _NO_EFFECT:
            return outer
        box = _corners(self.bounds[row])
        inside = outer._replace(
            fixed=outer.fixed or effect.fixed,
            opacity=outer.opacity * effect.opacity,
            background=_blended(effect.background, outer.background),
            doubtful=outer.doubtful or effect.doubtful,
        )
        if effect.overflow and self.tree.names[node] not in ("html", "body"):
            inside = self._cut(inside, box, effect.overflow)
        return inside

    def _cut(self, inside: _Around, box: Box, overflow: str) -> _Around:
        width, height = box[2] - box[0], box[3] - box[1]
        least = _MIN_SCROLLER_SIDE if overflow == "scroll" else _MIN_OPENING_SIDE
        if min(width, height) < least:
            return inside._replace(clip=_intersection(inside.clip, box))
        if overflow == "scroll" and (_is_empty(_intersection(inside.clip, box)) or self._is_out(box, inside)):
            return inside._replace(doubtful=True)
        return inside._replace(fixed=False, opens=True)

    def _is_out(self, box: Box, around: _Around) -> bool:
        """Whether no scrolling brings a box into the window."""
        left, top, right, bottom = box
        if right <= 0 or bottom <= 0:
            return True
        width, height = self.area.viewport if around.fixed else self.area.content
        return not around.opens and (left >= width or top >= height)

    def _text(self, node: int, around: _Around) -> str | Box:
        row = self.row.get(node, -1)
        if row < 0:
            return UNPAINTED
        style = self._style(row)
        if style.get("visibility", "visible") != "visible":
            return PAINTED  # of that judges who knows the whole page
        box = _corners(self.bounds[row])
        length = len(self.tree.value(node).strip())
        line = self.lines.get(row, box[3] - box[1])
        if line < _MIN_LETTER_HEIGHT or box[2] <= box[0] or self._is_out(box, around):
            return UNPAINTED
        if style.get("-webkit-text-security", "none") != "none":
            return UNPAINTED
        if around.opacity <= _MAX_FAINT_OPACITY:
            return FAINT
        narrow = (box[2] - box[0]) * max((box[3] - box[1]) / line, 1) < _MIN_WIDTH_PER_LETTER * length
        pale = _distance(_rgb(style.get("-webkit-text-fill-color", "")), around.background) <= _MAX_COLOUR_DISTANCE
        centre = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        left, top, right, bottom = around.clip
        cut = not (left <= centre[0] <= right and top <= centre[1] <= bottom)
        return box if around.doubtful or pale or cut or narrow else PAINTED


class _Effect(NamedTuple):
    """What an element's own styles do to the texts inside."""

    fixed: bool = False
    opacity: float = 1.0
    background: Colour = (0.0, 0.0, 0.0, 0.0)
    overflow: str = ""  # "", "scroll" or "hidden"
    doubtful: bool = False


_NO_EFFECT = _Effect()
_CLIPPING_CONTAIN = frozenset(("paint", "content", "strict"))  # values of `contain` that clip as hidden overflow does


def _effect(style: Mapping[str, str]) -> _Effect:
    if not style:
        return _NO_EFFECT
    overflow = {style["overflow-x"], style["overflow-y"]} - {"visible"}
    scrolls = bool(overflow & {"auto", "scroll", "overlay"})
    cuts = bool(overflow) or not _CLIPPING_CONTAIN.isdisjoint(style.get("contain", "").split())
    return _Effect(
        fixed=style["position"] == "fixed",
        opacity=float(style["opacity"] or 1),
        background=_rgb(style["background-color"]),
        overflow="scroll" if scrolls else "hidden" if cuts else "",
        doubtful=any(style[name] not in (neutral, "") for name, neutral in _NEUTRAL.items())
        or "matrix3d" in style["transform"],
    )


def _corners(bounds: Sequence[float]) -> Box:
    x, y, width, height = bounds
    return x, y, x + width, y + height


def _intersection(one: Box, other: Box) -> Box:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _is_empty(box: Box) -> bool:
    return box[2] <= box[0] or box[3] <= box[1]


@lru_cache(1 << 10)
def _rgb(value: str) -> Colour:
    """`rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`; what is written otherwise counts as a colour that nobody knows: clear."""
    numbers = [float(number) for number in _NUMBERS.findall(value)] if value.startswith("rgb") else []
    if len(numbers) == 3:
        return numbers[0], numbers[1], numbers[2], 1.0
    return (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else (0.0, 0.0, 0.0, 0.0)


def _blended(upper: Colour, lower: Colour) -> Colour:
    share = upper[3]
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(upper[:3], lower[:3], strict=True))
    return red, green, blue, 1.0


def _distance(text: Colour, background: Colour) -> float:
    """How far the colour that a text gets on a background is from it."""
    return text[3] * sum(abs(a - b) for a, b in zip(text[:3], background[:3], strict=True))
