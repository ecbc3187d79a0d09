"""What one declaration says about being seen: `opacity: 0` hides, `overflow: hidden` may, `display: flex` shows.

`effect_of` reads a declaration.  `may_hide` tells it from the first bytes of the values, for arrays of
declarations: it lets through all that hide and some that do not.  A value that CSS would not accept says nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from thresher.css.colour import CURRENT, TRANSPARENT, UNKNOWN
from thresher.css.properties import INHERITED, READERS
from thresher.css.text import without_comments
from thresher.text.patterns import compile_later

__all__ = [
    "Effect",
    "effect_of",
    "has_room",
    "is_suspect",
    "may_cut_off",
]

_KEYWORDS = frozenset({b"inherit", b"initial", b"unset", b"revert"})  # values of every property

# What stands for an attribute or a variable of the browser that is not there.
_ABSENT = compile_later(rb"(?:env|attr)\([^(),]*(?:\([^()]*\))?,\s*([^(),]*)\)")
_IMPORTANT = compile_later(rb"\s*!\s*important\s*$")
_MAX_VALUE_BYTES = 1_000  # bytes of a value that are looked at
_MAX_REMEMBERED_BYTES = 200  # bytes of a declaration whose meaning is remembered


_GIVES_ROOM = compile_later(
    rb"(?:^|[;{\s])(?:(?:flex(?:-grow)?|padding(?:-top|-bottom)?|min-(?:width|height))\s*:\s*(?:auto|0*[1-9.])"
    rb"|text-overflow\s*:\s*e)",
    re.IGNORECASE,
)


def has_room(body: bytes) -> bool:
    """Whether a box has room though it is given no size: it grows into the space that is left (`flex: 1`), or is padded
    (`height: 0; padding-bottom: 56%`, the usual frame of a video), or a cell cuts off what does not fit (`max-width: 0;
    text-overflow: ellipsis`)."""
    return _GIVES_ROOM.search(body[:_MAX_VALUE_BYTES]) is not None


def may_cut_off(overflow: bytes, body: bytes) -> bool:
    """Whether a box is low or narrow, and cuts off what does not fit."""
    return overflow[:1] in b"hHcC" and _LOW.search(body[:_MAX_VALUE_BYTES]) is not None


_LOW = compile_later(
    rb"(?:^|[;{\s])(?:max-)?(?:height|width)\s*:\s*(?:[1-9]\d?(?:\.\d*)?px|[1-6](?:\.\d*)?r?em)", re.IGNORECASE
)


class Effect(NamedTuple):
    """What a declaration says."""

    property: str
    hides: bool  # alone or in company; of position and overflow: that they do what others need
    colour: bytes  # of color and background
    important: bool
    share: float = 1.0  # of an opacity that fades; below 1 for a side that is out of sight where the box is fixed
    inherits: bool = False  # says that the value is that of the element around it


def is_suspect(effect: Effect) -> bool:
    """Whether a declaration hides, sets a text colour that may be that of the background, or fades."""
    coloured = effect.property in ("color", "text-fill") and effect.colour not in (UNKNOWN, b"")
    return effect.hides or effect.share < 1 or coloured


def effect_of(declaration: bytes) -> Effect | None:
    """`Display : NONE !important` -> Effect("display", True, b"", True); None where it says nothing we know."""
    return _remembered_effect(declaration) if len(declaration) <= _MAX_REMEMBERED_BYTES else _effect_of(declaration)


def _effect_of(declaration: bytes) -> Effect | None:
    name, _, value = without_comments(declaration, b" ").lower().partition(b":")
    reader = READERS.get(name.strip())
    if reader is None:
        return None
    important = False
    if b"!" in value:
        important = _IMPORTANT.search(value[-50:]) is not None
        value = value.rpartition(b"!")[0] if important else value
    value = b" ".join(value[:_MAX_VALUE_BYTES].split())
    if b"env(" in value or b"attr(" in value:
        value = _ABSENT.sub(rb"\1", value)
    if value in _KEYWORDS:
        return _of_keyword(reader[0], value, important)
    verdict = reader[2](value) if value else None
    if verdict is None:
        return None
    if isinstance(verdict, bytes):
        return Effect(reader[0], verdict == (CURRENT if reader[0] == "background" else TRANSPARENT), verdict, important)
    if isinstance(verdict, float):
        return Effect(reader[0], False, b"", important, verdict)
    return Effect(reader[0], bool(verdict), b"", important)


def _of_keyword(name: str, value: bytes, important: bool) -> Effect:
    """A property that is set back: one that passes on has the value of the element around it, others their first."""
    if name in INHERITED and value != b"initial":
        return Effect(name, False, b"", important, inherits=True)
    return Effect(name, False, _FIRST_COLOURS.get(name, b""), important)


_FIRST_COLOURS = {"color": b"000000", "text-fill": CURRENT, "background": TRANSPARENT}
_remembered_effect = lru_cache(1 << 12)(_effect_of)  # pages are full of the same few declarations
