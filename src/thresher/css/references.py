"""Masks and clip paths that are elements of the page: `clip-path: url(#shape)`, `mask: url(#shape)`."""

from __future__ import annotations

import numpy as np

from thresher.css.cascade_entries import Styles
from thresher.css.lengths import pixels
from thresher.css.outcome import BY_ELEMENT
from thresher.css.shapes import refers_to
from thresher.page import Page, attributes
from thresher.page.types import Bools
from thresher.text.patterns import compile_later

__all__ = ["cut_by_element"]

_MAX_SHAPES, _MAX_INSIDE = 50, 100  # that are looked at, and elements in each
_NAME = compile_later(rb"<([a-zA-Z]+)")
# What paints by itself, and what a shape must have to paint anything.
_SHAPES = {
    b"rect": ("width", "height"), b"circle": ("r",), b"ellipse": ("rx", "ry"), b"path": ("d",), b"polygon": ("points",),
    b"polyline": ("points",), b"text": (), b"use": (), b"image": (), b"foreignobject": (), b"line": (),
}  # fmt: skip


def cut_by_element(page: Page, won: Styles, name: str) -> Bools:
    """Rows of which a mask or a clip path that is an element of the page leaves nothing: one that paints nothing, and
    as a mask also one that is not there."""
    cut = np.zeros(len(page), bool)
    by_element = won.shares(name) == BY_ELEMENT
    if not by_element.any():
        return cut
    # Declarations are read in lower case.
    places = {value.lower(): row for row, value in reversed(list(attributes.values(page, "id").items()))}
    # np.unique would load masked arrays
    for entry in sorted(set(won.winner[name][by_element].tolist()))[:_MAX_SHAPES]:
        row = places.get(refers_to(won.declared(entry).value) or "")
        if _leaves_nothing(page, row, name):
            cut |= won.winner[name] == entry
    return cut


def _leaves_nothing(page: Page, row: int | None, name: str) -> bool:
    if row is None:
        return name == "mask"
    kind = _name_of(page, row)
    if kind != (b"mask" if name == "mask" else b"clippath"):
        return False
    inside = range(row + 1, int(page.end[row]))
    return len(inside) < _MAX_INSIDE and not any(_paints(page, one) for one in inside)


def _name_of(page: Page, row: int) -> bytes:
    match = _NAME.match(page.markup, int(page.tag_start[row]), int(page.tag_stop[row]))
    return b"" if match is None else match[1].lower()


def _paints(page: Page, row: int) -> bool:
    kind = _name_of(page, row)
    if kind not in _SHAPES:
        return False
    given = page.attributes(row)
    return all(name in given and pixels(given[name].strip().lower().encode()) != 0 for name in _SHAPES[kind])
