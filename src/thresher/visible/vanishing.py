"""Text that nobody can tell from what is behind it, or that is painted with nothing.

    text        the colour declared on the element or, as it is inherited, on the nearest one around it; or what
                letters are filled with
    behind it   the nearest background in the same way; the page is white where no other style sheet is loaded

Colours that differ by a few steps look the same.  A transparent text is seen by its shadow or its outline, where these
have another colour than what is behind, and where the background is cut out to the shape of the text, by that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.css.cascade_entries import ATTRIBUTE, RULE, Styles
from thresher.css.colour import CURRENT, TRANSPARENT, UNKNOWN, WHITE
from thresher.css.page_sheets import uses_other_sheets
from thresher.page import Page
from thresher.page.types import Bools, Bytes, Ints
from thresher.visible.colour_kernels import find_vanishing
from thresher.visible.kernels import mark_entries

__all__ = ["Vanishing", "vanishing"]

_COLOURED = ("color", "text-fill", "background", "background-clip", "text-shadow", "text-stroke")
_NUMBERED = (b"", UNKNOWN, TRANSPARENT, CURRENT, WHITE)  # the first colours of every page, as the loop knows them
_HIDES, _FAR = 1, 2  # traits of an entry: it paints, or cuts out; it is of a rule or an attribute
_STATE_ROWS = 8
_HEXADECIMAL = frozenset(b"0123456789abcdef")
_NOWHERE: Ints = np.zeros(0, np.int32)


class Vanishing(NamedTuple):
    """Rows whose own text vanishes, and of these those on which a colour is declared."""

    rows: Bools
    declared: Bools


def vanishing(page: Page, won: Styles) -> Vanishing:
    """What vanishes."""
    winners = [won.winner.get(name, _NOWHERE) for name in _COLOURED]
    number, traits, levels = _entries(won, winners)
    color, fill, background, clip, shadow, stroke = winners
    state, vanishes = np.empty((_STATE_ROWS, len(page)), np.int32), np.empty((2, len(page)), bool)
    find_vanishing(
        page.parent, page.first, page.last, page.owner, color, fill, background, clip, shadow, stroke, number, traits,
        levels, uses_other_sheets(page), state, vanishes.view(np.uint8),
    )  # fmt: skip
    return Vanishing(*vanishes)


def _entries(won: Styles, winners: list[Ints]) -> tuple[Ints, Bytes, Ints]:
    """The number of the colour of each entry that wins somewhere, its traits, and the levels of each colour."""
    traits = np.zeros(len(won.origin), np.uint8)
    for winner in winners:
        mark_entries(winner, traits)
    colours = {colour: number for number, colour in enumerate(_NUMBERED)}
    number = np.zeros(len(traits), np.int32)
    for entry in traits.nonzero()[0].tolist():
        effect = won.effect(entry)
        number[entry] = colours.setdefault(effect.colour, len(colours))
        traits[entry] = (_HIDES if effect.hides else 0) | (_FAR if won.origin[entry] in (ATTRIBUTE, RULE) else 0)
    return number, traits, np.array(list(map(_level, colours)), np.int32)


def _level(colour: bytes) -> int:
    """Red, green and blue of a plain colour as one number; -1 of others."""
    return int(colour, 16) if len(colour) == 6 and _HEXADECIMAL.issuperset(colour) else -1
