"""A page as the add-on sends it: the tree of the reader's browser, after its scripts, with boxes and computed styles.

    {"format": "thresher-live", "url": …, "mark": "t0123456789ab", "viewport": [width, height],
     "html": "<html t0123456789ab=\\"0\\">…",
     "box": [[x, y, width, height] or null, …],
     "style": {"display": {"values": ["block", …], "codes": [0, 0, -1, …]}, …}}

The add-on numbers the elements in what it sends, never in the page: `mark` is an attribute that the page does not have.
Boxes and codes are in the order of these numbers.  As in `render.capture`, the numbers are cut out again, and a
parser that sees the tree otherwise than the browser does takes no element its box.  What is answered about a block
names elements by the same numbers, so that the add-on finds them in the page.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from thresher.errors import RenderError
from thresher.page import Page, Problem
from thresher.page.types import Ints, Rows, Singles
from thresher.parse import parse
from thresher.render.capture import without_marks
from thresher.render.styles import PROPERTIES, ComputedStyles

__all__ = ["FORMAT", "LivePage", "is_live", "read_live", "unmarked"]

FORMAT = "thresher-live"
_MARK = re.compile(r"t[0-9a-f]{12}")
_MAX_ELEMENTS = 150_000
_START = f'{{"format":"{FORMAT}"'.encode()


@dataclass(frozen=True, slots=True, eq=False)
class LivePage:
    """The page, and for each of its elements the number that the add-on gave it; -1 for those that only we have."""

    page: Page
    number: Rows


def is_live(data: bytes) -> bool:
    """Whether these bytes are a page of the add-on, and not one of `thresher render`."""
    return data.startswith(_START)


def read_live(data: bytes) -> LivePage:
    """The page; RenderError for what is none."""
    try:
        return _from_dict(json.loads(data))
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, RecursionError, OverflowError) as error:
        raise RenderError(f"this is no page of the add-on: {error!r}"[:300], "unreadable") from error


def unmarked(html: str, mark: str) -> str:
    """The page without the numbers of the add-on."""
    return re.sub(rf' {mark}="\d+"', "", html) if _MARK.fullmatch(mark) else html


def _from_dict(record: dict[str, Any]) -> LivePage:
    mark = str(record["mark"])
    if record.get("format") != FORMAT or not _MARK.fullmatch(mark):
        raise ValueError(f"its format is not {FORMAT}")
    page, number = without_marks(parse(str(record["html"]), url=_text(record.get("url"))), mark)
    boxes, style = record.get("box"), record.get("style")
    if record.get("cut"):
        words = "the page is too large for the add-on; only its first elements were read"
        page = replace(page, problems=(*page.problems, Problem("too_large", words)))
    if boxes is None or style is None:
        return LivePage(page, number)
    if len(boxes) > _MAX_ELEMENTS:
        raise ValueError("it has too many elements")
    place = np.where(number < len(boxes), number, -1)  # where the box of each element stands
    width, height = record["viewport"]
    styles = _styles(style, place, len(boxes), (int(width), int(height)))
    return LivePage(replace(page, box=_boxes(boxes, place), style=_with_contents(styles, page, boxes, place)), number)


def _text(value: Any) -> str | None:
    return str(value) if value is not None else None


def _boxes(rows: list[list[float] | None], place: Rows) -> Singles:
    """Of each element of the page; NaN where the browser has none."""
    given = np.array([*((np.nan,) * 4 if row is None else row for row in rows), (np.nan,) * 4], np.float32)
    if given.shape != (len(rows) + 1, 4):
        raise ValueError("a box has four numbers")
    box: Singles = given[place]
    box.setflags(write=False)
    return box


def _styles(columns: dict[str, Any], place: Rows, elements: int, viewport: tuple[int, int]) -> ComputedStyles:
    values, codes = {}, {}
    for name in PROPERTIES:
        if name not in columns:
            continue
        values[name] = tuple(map(str, columns[name]["values"]))
        given = np.array([*columns[name]["codes"], -1], np.int32)
        if given.shape != (elements + 1,) or not -1 <= given.min() <= given.max() < max(len(values[name]), 1):
            raise ValueError(f"the codes of {name} do not fit its elements and values")
        code: Ints = given[place]
        code.setflags(write=False)
        codes[name] = code
    return ComputedStyles(values, codes, viewport)


def _with_contents(style: ComputedStyles, page: Page, boxes: list[Any], place: Rows) -> ComputedStyles:
    """`display: contents` for elements that only our parser has (a tbody), where something in them is shown."""
    if "display" not in style.codes:
        return style
    has_box = np.array([*(box is not None for box in boxes), False])[place]
    shown = np.concatenate(([0], np.cumsum(has_box)))
    contents = (place < 0) & (shown[page.end] - shown[:-1] > 0) & (page.depth > 0)
    if not contents.any():
        return style
    code = style.codes["display"].copy()
    code[contents] = len(style.values["display"])
    code.setflags(write=False)
    values = {**style.values, "display": (*style.values["display"], "contents")}
    return replace(style, values=values, codes={**style.codes, "display": code})
