"""Text that stands below or beside the part of a low box that is seen.

    <div style="height: 20px; overflow: hidden"><div style="height: 500px"></div>…</div>

Where things stand is known only as far as declarations say it: an element is as far down as the heights of what stands
before it, if that holds no text, and its own margin, or where it is placed by `top` and `left`.  Nobody sees what is
further than the box is high or wide.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.css.cascade_entries import Styles
from thresher.css.lengths import pixels
from thresher.page import Page
from thresher.page.types import Bools
from thresher.text.patterns import compile_later

__all__ = ["cut_off"]

_MAX_BOXES, _MAX_CHILDREN, _MAX_DEPTH = 200, 200, 6
_MAX_LOOKED_AT = 5_000  # elements in all these boxes
_MAX_LOW = 100.0  # pixels: boxes that are larger show most of what is in them
_MIN_DISTANCE = 150.0  # pixels beyond the edge: what stands nearer may be moved by what is not known
_OUT_OF_FLOW = (b"absolute", b"fixed")


def cut_off(page: Page, won: Styles) -> Bools:
    """Rows that stand where a low box does not show them."""
    beyond = np.zeros(len(page), bool)
    left = _MAX_LOOKED_AT
    for row in won.low_boxes[:_MAX_BOXES].tolist():
        box = _Box(page, won, row, beyond)
        left -= min(int(page.end[row]) - row, _MAX_LOOKED_AT)
        if left <= 0:
            break
        if box.height < _MAX_LOW or box.width < _MAX_LOW:
            box.mark(row, 0.0, 0, box.is_placed(row))
    return beyond


class _Box:
    """A box that cuts off what does not fit, and the rows in it that nobody sees."""

    def __init__(self, page: Page, won: Styles, row: int, beyond: Bools) -> None:
        self.page, self.won, self.beyond = page, won, beyond
        cuts = self._value("overflow", row).startswith((b"hidden", b"clip"))
        cuts &= self._value("display", row) not in (b"inline", b"contents")
        self.height, self.width = (
            min(self._length(name, row, np.inf), self._length(f"max-{name}", row, np.inf)) if cuts else np.inf
            for name in ("height", "width")
        )

    def mark(self, row: int, down: float, depth: int, holds: bool) -> None:
        """Mark what stands too far down or to the right in an element of the box that stands so far down itself.

        `holds` tells whether what is placed in the element is placed in the box.
        """
        page, child, shows, full = self.page, row + 1, False, int(self.page.last[row])
        in_lines = self._value("display", row) not in (b"", b"block", b"flow-root", b"list-item")
        for _ in range(_MAX_CHILDREN):
            if child >= page.end[row]:
                break
            position = self._value("position", child)
            if position in _OUT_OF_FLOW:
                top, left = self._length("top", child, 0.0), self._length("left", child, 0.0)
                self.beyond[child] |= holds and (top >= self.height or left >= self.width + _MIN_DISTANCE)
                shows |= not self.beyond[child]
            elif page.first[child] < page.last[child]:
                at = down + self._margin("margin-top", child) + self._moved(child, position)
                far = self._margin("margin-left", child) >= self.width + _MIN_DISTANCE
                self.beyond[child] |= at >= self.height + _MIN_DISTANCE or far
                if depth < _MAX_DEPTH and not self.beyond[child]:
                    self.mark(child, at, depth + 1, holds and not self.is_placed(child))
                shows |= not self.beyond[child]
            elif not in_lines and self._value("float", child) in (b"", b"none"):
                down += self._margin("margin-top", child) + self._length("height", child, 0.0)
                full = min(full, int(page.last[child])) if down >= self.height + _MIN_DISTANCE else full
            child = int(page.end[child])
        before = page.text[int(page.first[row]) : full]
        filled = down >= self.height + _MIN_DISTANCE
        self.beyond[row] |= filled and not shows and not any(text.strip() for text in before)

    def _moved(self, row: int, position: bytes) -> float:
        """How far down an element is moved from where it would stand."""
        shift = _SHIFT.search(self._value("transform", row))
        top = self._length("top", row, 0.0) if position == b"relative" else 0.0
        return top + (0.0 if shift is None else pixels(shift[1].strip()) or 0.0)

    def is_placed(self, row: int) -> bool:
        """Whether what is in an element can be placed in it."""
        return self._value("position", row) not in (b"", b"static")

    def _value(self, name: str, row: int) -> bytes:
        entry = int(self.won.winner[name][row]) if name in self.won.winner else 0
        return self.won.value(entry) if entry else b""

    def _length(self, name: str, row: int, none: float) -> float:
        value = self._value(name, row)
        size = None if value.endswith(b"%") else pixels(value)
        return none if size is None else size

    def _margin(self, name: str, row: int) -> float:
        entry = int(self.won.winner["margin-left"][row]) if "margin-left" in self.won.winner else 0
        declared = self.won.declared(entry) if entry else None
        if declared is None or not _SHORTHAND.match(declared.text):
            return self._length(name, row, 0.0)
        parts = declared.value.split()
        side = parts[0] if name == "margin-top" or len(parts) == 1 else parts[3 if len(parts) == 4 else 1]
        return self._length(name, row, 0.0) if name == "margin-top" and self._value(name, row) else pixels(side) or 0.0


_SHIFT = compile_later(rb"translate(?:y\(|(?:3d)?\([^,()]*,)\s*([^,()%]+)[,)]")
_SHORTHAND = compile_later(rb"\s*margin\s*:", re.IGNORECASE)
