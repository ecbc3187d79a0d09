"""Computed styles as columns: per CSS property the distinct values, and for each element the number of its own.

    values["display"] = ("block", "inline", "none")
    codes["display"]  = [0, 0, 1, -1, …]                -1: the browser made no layout for this element

A page has thousands of elements and a property a handful of values, so that a question about all elements ("which
are bold?") costs one look at the values and one look-up by code:

    page.style.equals("float", "left", "right")         bool (n,)
    page.style.pixels("font-size")                      float64 (n,), NaN where the value is no length in px
    page.style.of("color")                              object (n,), "" where there is none

These are the properties that methods ask for by name (PROPERTIES).  `page.style.declarations` has all that the browser
knows, of the elements around texts, as far as they are not the default:

    page.style.declarations.entries(row)                [("color", "rgb(0, 0, 238)"), ("cursor", "pointer"), …]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Bools, Floats, Ints

__all__ = ["PAINT", "PROPERTIES", "VIEWPORT", "ComputedDeclarations", "ComputedStyles"]

_SIDES = ("top", "right", "bottom", "left")

# What is asked of the browser, as longhands: the computed value of a shorthand is the text of its parts.
PROPERTIES: tuple[str, ...] = (
    *"display position float clear visibility opacity color background-color background-image".split(),
    *"font-size font-weight font-style font-family line-height text-align text-decoration-line".split(),
    *"text-transform letter-spacing white-space overflow-x overflow-y z-index list-style-type".split(),
    *(f"border-{side}-{part}" for part in ("width", "style", "color") for side in _SIDES),
    *(f"margin-{side}" for side in _SIDES),
    *(f"padding-{side}" for side in _SIDES),
    *"width height max-width min-height flex-direction align-items justify-content".split(),
    *"grid-template-columns box-shadow cursor vertical-align".split(),
    *(f"border-{corner}-radius" for corner in ("top-left", "top-right", "bottom-right", "bottom-left")),
    *"clip-path transform".split(),
)

PAINT = "-thresher-paint"  # a column of ours: whether the texts of an element are painted (painted.py)
VIEWPORT = (1280, 800)  # CSS pixels: a desktop window

_PIXELS = re.compile(r"(-?[0-9.]+(?:e[+-]?[0-9]+)?)px")


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: two arrays have no single truth value
class ComputedDeclarations:
    """Properties that have not their initial value: those of rows[k] are the entries from start[k] to start[k + 1]."""

    names: tuple[str, ...]  # of the properties that occur
    values: tuple[str, ...]
    rows: Ints  # elements of the page, ascending
    start: Ints  # (rows + 1,)
    name: Ints  # (entries,)  an index into `names`
    value: Ints  # (entries,)  an index into `values`

    def __post_init__(self) -> None:
        entries = len(self.name)
        if not (
            len(self.start) == len(self.rows) + 1
            and (np.diff(self.rows) > 0).all()
            and (np.diff(self.start) >= 0).all()
            and self.start[0] == 0
            and self.start[-1] == entries == len(self.value)
            and (self.rows >= 0).all()
            and _inside(self.name, len(self.names))
            and _inside(self.value, len(self.values))
        ):
            raise ValueError("the declarations do not fit their elements, names and values")

    def entries(self, row: int) -> list[tuple[str, str]]:
        """The names and values of an element; none where it was not read."""
        place = int(np.searchsorted(self.rows, row))
        if place == len(self.rows) or self.rows[place] != row:
            return []
        own = slice(int(self.start[place]), int(self.start[place + 1]))
        pairs = zip(self.name[own].tolist(), self.value[own].tolist(), strict=True)
        return [(self.names[name], self.values[value]) for name, value in pairs]


def _inside(numbers: Ints, end: int) -> bool:
    return bool(((numbers >= 0) & (numbers < end)).all())


@dataclass(frozen=True, slots=True, eq=False)
class ComputedStyles:
    """The computed styles of a page's elements, in the order of its rows."""

    values: Mapping[str, tuple[str, ...]]  # by property: the distinct values
    codes: Mapping[str, Ints]  # by property: (n,) an index into them, -1 where there is no layout
    viewport: tuple[int, int] = VIEWPORT  # width and height of the window, CSS pixels
    declarations: ComputedDeclarations | None = None  # all properties, where the browser was asked for them

    @classmethod
    def make(cls, strings: Mapping[str, Iterable[str]], viewport: tuple[int, int] = VIEWPORT) -> ComputedStyles:
        """From one string per element and property; "" where there is no layout."""
        values: dict[str, tuple[str, ...]] = {}
        codes: dict[str, Ints] = {}
        for name, column in strings.items():
            number: dict[str, int] = {}
            numbers = [number.setdefault(value, len(number)) if value else -1 for value in column]
            values[name], codes[name] = tuple(number), np.asarray(numbers, np.int32)
        return cls(values, codes, viewport)

    @property
    def names(self) -> tuple[str, ...]:
        """The properties that were captured."""
        return tuple(name for name in self.values if name != PAINT)

    def of(self, name: str) -> NDArray[np.object_]:
        """The value of a property for each element; "" where there is none."""
        table = np.array((*self._values(name), ""), dtype=object)  # code -1 reads the last one
        strings: NDArray[np.object_] = table[self.codes[name]]
        return strings

    def equals(self, name: str, *values: str) -> Bools:
        """Which elements have one of these values."""
        table = np.array((*(value in values for value in self._values(name)), False), dtype=bool)
        mask: Bools = table[self.codes[name]]
        return mask

    def pixels(self, name: str) -> Floats:
        """A length in pixels for each element; NaN where there is none ("auto", "50%", "normal")."""
        table = np.array((*map(_length, self._values(name)), np.nan), dtype=np.float64)
        lengths: Floats = table[self.codes[name]]
        return lengths

    def _values(self, name: str) -> tuple[str, ...]:
        try:
            return self.values[name]
        except KeyError:
            raise KeyError(f"no property {name!r} was captured; there are: {', '.join(self.names)}") from None


def _length(value: str) -> float:
    match = _PIXELS.fullmatch(value)
    try:
        return float(match[1]) if match else float("nan")
    except ValueError:  # "1.2.3px"
        return float("nan")
