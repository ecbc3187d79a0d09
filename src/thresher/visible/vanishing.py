"""Text that nobody can tell from what is behind it, or that is painted with nothing.

    text        the colour declared on the element or, as it is inherited, on the nearest one around it; or what
                letters are filled with
    behind it   the nearest background in the same way; the page is white where no other style sheet is loaded

Colours that differ by a few steps look the same.  A transparent text is seen by its shadow or its outline, where these
have another colour than what is behind, and where the background is cut out to the shape of the text, by that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.css.cascade_entries import ATTRIBUTE, RULE, Styles
from thresher.css.colour import CURRENT, TRANSPARENT, UNKNOWN, WHITE
from thresher.css.combined_declarations import inherit_sparse
from thresher.css.hiding import Effect
from thresher.css.page_sheets import uses_other_sheets
from thresher.page import Page
from thresher.page.tree import within
from thresher.page.types import Bools, Ints

__all__ = ["vanishing"]

_MAX_COMPARED_COLOURS = 300  # each with each; more are compared row by row
_MAX_LIKE_STEPS = 4  # of 255, in each channel: two colours that no eye tells apart


class _Palette:
    """The colours of a page, numbered; 0 is none, 1 one that may be any, 2 nothing at all."""

    def __init__(self) -> None:
        self._numbers = {b"": _NONE, UNKNOWN: _ANY, TRANSPARENT: _CLEAR}

    def __getitem__(self, colour: bytes) -> int:
        return self._numbers.setdefault(colour, len(self._numbers))

    def read(self, won: Styles, name: str) -> Ints:
        """The colour that a property has on each row."""
        if name not in won.winner:
            return np.zeros(1, np.int32)

        def number(effect: Effect) -> int:
            return self[effect.colour]

        return won.effects(name, number, _NONE).astype(np.int32)

    def alike(self, one: Ints, other: Ints) -> Bools:
        """Where two columns have colours that look the same."""
        levels: NDArray[np.int16] = np.full((len(self._numbers), 3), -1, np.int16)
        for colour, number in self._numbers.items():
            if len(colour) == 6 and _HEXADECIMAL.issuperset(colour):
                levels[number] = list(bytes.fromhex(colour.decode()))
        if len(levels) > _MAX_COMPARED_COLOURS:
            near = np.abs(levels[one] - levels[other]).max(axis=1) <= _MAX_LIKE_STEPS
            near &= (levels[one, 0] >= 0) & (levels[other, 0] >= 0)
            rows: Bools = (near | (one == other)) & (one != _ANY)
            return rows
        same = np.abs(levels[:, None] - levels).max(axis=2) <= _MAX_LIKE_STEPS
        same &= (levels[:, :1] >= 0) & (levels[:, 0] >= 0)
        np.fill_diagonal(same, True)
        same[_ANY] = False
        alike: Bools = same[one, other]
        return alike


_NONE, _ANY, _CLEAR = range(3)
_HEXADECIMAL = frozenset(b"0123456789abcdef")


def vanishing(page: Page, won: Styles) -> Bools:
    """Rows whose own text vanishes."""
    palette = _Palette()
    text, background = palette.read(won, "color"), palette.read(won, "background")
    external = uses_other_sheets(page)
    ground = _NONE if external else palette[WHITE]
    far = _far(page, won, "color", text) & external  # what other rules paint around it is not known
    text = inherit_sparse(page, text, text > _NONE)
    fill = palette.read(won, "text-fill")
    if fill.any():
        far |= _far(page, won, "text-fill", fill) & external
        fill = inherit_sparse(page, fill, fill > _NONE)
        text = np.where((fill > _NONE) & (fill != palette[CURRENT]), fill, text)
    current = background == palette[CURRENT]
    background = np.where(current, np.where(text > _NONE, text, current), background)
    background[background == _CLEAR], declared = _NONE, background
    cut_out = won.hides("background-clip") if "background-clip" in won.winner else np.zeros(len(page), bool)
    if cut_out.any():
        cut_out &= _is_seen_cut_out(page, palette, declared, ground, external, cut_out)
        background = np.where(won.hides("background-clip") & ~cut_out, _NONE, background)
    around = _behind(page, background, ground)
    behind = np.where(far, background, around)
    vanishes = palette.alike(text, behind) & (text > _NONE) | (text == _CLEAR) | within(page, current)
    vanishes &= ~within(page, cut_out)
    for name in ("text-shadow", "text-stroke"):
        if name in won.winner:
            traced = inherit_sparse(page, palette.read(won, name), won.winner[name] > 0)
            vanishes &= (traced == _NONE) | (traced == _CLEAR) | palette.alike(traced, around)
    if external:  # they may colour every element inside; but hardly the element's own text
        vanishes &= np.bincount(page.owner, minlength=len(page)) == page.last - page.first
    rows: Bools = vanishes
    return rows


def _far(page: Page, won: Styles, name: str, text: Ints) -> Bools:
    """Where a text colour comes from a rule or an attribute."""
    origin = won.origin[won.winner[name]]
    far: Bools = inherit_sparse(page, (origin == ATTRIBUTE) | (origin == RULE), text > _NONE)
    return far


def _behind(page: Page, background: Ints, ground: int) -> Ints:
    """The background that is nearest to each row."""
    around: Ints = inherit_sparse(page, background, background > _NONE)
    return np.where(around == _NONE, np.int32(ground), around)


def _is_seen_cut_out(
    page: Page, palette: _Palette, declared: Ints, ground: int, external: bool, cut_out: Bools
) -> Bools:
    """Where a background that is cut out to the shape of the text can be told from what is behind it."""
    painted = np.where(cut_out | (declared == _CLEAR), _NONE, declared)
    behind = _behind(page, painted, ground)
    nothing = (declared == _CLEAR) | ((declared == _NONE) & (not external))
    seen: Bools = ~nothing & ~palette.alike(declared, behind)
    return seen
