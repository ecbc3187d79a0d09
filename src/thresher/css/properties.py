"""The properties by which something may be hidden: their names, what reads a value, what is needed beside them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from thresher.css.colour import background, background_colour, background_image, colour, shadow, stroke
from thresher.css.lengths import is_far, is_nil, is_tiny, is_zero, up_far
from thresher.css.property_values import (
    DISPLAYS,
    ValueReader,
    any_of,
    clips_to_text,
    font,
    font_size,
    is_indented,
    is_narrow,
    is_out,
    is_turned,
    is_up_out,
    line_height,
    measure,
    offset,
    opacity,
    overflow,
    position,
    word,
    zoom,
)
from thresher.css.shapes import clip, clip_path, filtered, masked, transform, travels_out
from thresher.css.suspects import BACKGROUND, TEXT_COLOUR
from thresher.css.tokeniser import FADES, FRACTIONS, MINUS, Properties
from thresher.page.types import Ints, LongBits

__all__ = [
    "ANSWERS",
    "ANSWERS_AROUND",
    "HIDE_ALONE",
    "HIDE_WITH",
    "INHERITED",
    "NAMES",
    "OF_BOXES",
    "PROPERTIES",
    "PROPERTY_NUMBERS",
    "PROPERTY_OF_NAME",
    "READERS",
    "ROLES",
    "SIZES",
    "SIZES_AND_LINES",
    "TEXT_ONLY",
    "TOGETHER",
    "bits_of",
]

_CALC_FIRST = b"+cm"  # how calc, clamp, min and max begin, and a number with a sign
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_FONT_FIRST = b"01." + _LETTERS
_FAR_FIRST = b"-19" + _CALC_FIRST
_SIDES_FIRST = b"-0123456789acfm"
# All that can hide: name -> (the property it sets, first bytes of the values that may hide, what reads a value).  The
# first property of this order that hides an element is named as the cause.  Which of them need others beside them, are
# inherited or concern texts only is told below.
READERS: dict[bytes, tuple[str, bytes, ValueReader]] = {
    b"display": ("display", b"n", word(b"none", valid=DISPLAYS)),
    b"visibility": ("visibility", b"hc", word(b"hidden", b"collapse", valid=b"visible initial")),
    b"opacity": ("opacity", b"0123456789.-" + _CALC_FIRST, opacity),
    b"content-visibility": ("content-visibility", b"h", word(b"hidden", valid=b"visible auto initial")),
    b"filter": ("filter", _LETTERS, filtered),
    b"-webkit-filter": ("filter", _LETTERS, filtered),
    b"mask": ("mask", b"lr-", masked),
    b"-webkit-mask": ("mask", b"lr-", masked),
    b"mask-image": ("mask", b"lr-", masked),
    b"-webkit-mask-image": ("mask", b"lr-", masked),
    b"font-size": ("font-size", b"01." + _CALC_FIRST, font_size),
    b"font": ("font-size", _FONT_FIRST, font),
    b"line-height": ("line-height", b"0." + _CALC_FIRST, line_height),
    b"width": ("width", b"0." + _CALC_FIRST, measure(is_zero)),
    b"inline-size": ("width", b"0." + _CALC_FIRST, measure(is_zero)),
    b"max-width": ("max-width", b"0." + _CALC_FIRST, measure(is_zero)),
    b"max-inline-size": ("max-width", b"0." + _CALC_FIRST, measure(is_zero)),
    b"height": ("height", b"01." + _CALC_FIRST, measure(is_tiny)),
    b"block-size": ("height", b"01." + _CALC_FIRST, measure(is_tiny)),
    b"max-height": ("max-height", b"01." + _CALC_FIRST, measure(is_tiny)),
    b"max-block-size": ("max-height", b"01." + _CALC_FIRST, measure(is_tiny)),
    b"overflow": ("overflow", b"", overflow),
    b"overflow-x": ("overflow", b"", overflow),
    b"overflow-y": ("overflow", b"", overflow),
    b"clip": ("clip", b"r", clip),
    b"clip-path": ("clip-path", b"iceprx", clip_path),
    b"-webkit-clip-path": ("clip-path", b"iceprx", clip_path),
    b"position": ("position", b"", position),
    b"float": ("float", b"", word(b"left", b"right", b"inline-start", b"inline-end", valid=b"none initial")),
    b"left": ("left", _FAR_FIRST, offset(is_far)),
    b"inset-inline-start": ("left", _FAR_FIRST, offset(is_far)),
    b"right": ("right", _FAR_FIRST, offset(is_far)),
    b"inset-inline-end": ("right", _FAR_FIRST, offset(is_far)),
    b"top": ("top", b"-1" + _CALC_FIRST, offset(up_far)),
    b"inset-block-start": ("top", b"-1" + _CALC_FIRST, offset(up_far)),
    b"bottom": ("bottom", b"-1" + _CALC_FIRST, offset(up_far)),
    b"inset": ("inset", _SIDES_FIRST, is_out),
    b"inset-inline": ("inset", _SIDES_FIRST, is_out),
    b"inset-block": ("inset", _SIDES_FIRST, is_out),
    b"text-indent": ("text-indent", b"-129" + _CALC_FIRST, measure(is_indented)),
    b"margin": ("margin-left", _SIDES_FIRST, is_up_out),
    b"margin-inline": ("margin-left", _SIDES_FIRST, is_up_out),
    b"margin-block": ("margin-top", _SIDES_FIRST, is_up_out),
    b"margin-left": ("margin-left", b"-" + _CALC_FIRST, measure(up_far)),
    b"margin-inline-start": ("margin-left", b"-" + _CALC_FIRST, measure(up_far)),
    b"margin-top": ("margin-top", b"-" + _CALC_FIRST, measure(up_far)),
    b"margin-block-start": ("margin-top", b"-" + _CALC_FIRST, measure(up_far)),
    b"letter-spacing": ("letter-spacing", b"-" + _CALC_FIRST, measure(is_narrow)),
    b"transform": ("transform", _LETTERS, transform),
    b"-webkit-transform": ("transform", _LETTERS, transform),
    b"scale": ("scale", b"01.", any_of(is_nil)),
    b"translate": ("translate", b"0" + _FAR_FIRST, any_of(is_far)),
    b"rotate": ("rotate", b"xy01", is_turned),
    b"zoom": ("zoom", b"012.", zoom),
    b"font-size-adjust": ("font-size-adjust", b"0", measure(is_zero)),
    b"-webkit-text-security": ("text-security", b"dcs", word(b"disc", b"circle", b"square", valid=b"none")),
    b"offset-path": ("offset-path", b"p", travels_out),
    b"color": ("color", b"#" + _LETTERS, colour),
    b"-webkit-text-fill-color": ("color", b"#" + _LETTERS, colour),
    b"text-shadow": ("text-shadow", b"", shadow),
    b"-webkit-text-stroke": ("text-stroke", b"", stroke),
    b"background": ("background", b"c", background),
    b"background-color": ("background", b"c", background_colour),
    b"background-image": ("background", b"", background_image),
    b"background-clip": ("background-clip", b"", clips_to_text),
    b"-webkit-background-clip": ("background-clip", b"", clips_to_text),
}
# Names whose values hide only by a minus sign, wherever it stands; margins are everywhere.
_HIDE_BY_MINUS = (b"margin", b"inset", b"margin-inline", b"margin-block", b"inset-inline", b"inset-block")
# Names whose values may hide with a fraction: .4px is no letter and no height, but .4 no transparency.
_HIDE_BY_FRACTION = (b"font-size", b"font", b"height", b"max-height", b"zoom")
# Properties that say how large a box is.
SIZES = ("width", "max-width", "height", "max-height")
SIZES_AND_LINES = (*SIZES, "line-height")  # those that hide nothing in a box that has room all the same
# Properties whose value goes on to the elements inside, until one of them has a value of its own.
INHERITED = ("visibility", "font-size", "letter-spacing", "color", "line-height")
# What must be known besides to judge a property that hides; all others stand alone.
_KIND_OF_BOX = ("display", "position", "float")
# Properties that a line of text does not have, only a box of its own.
OF_BOXES = (*SIZES, "text-indent", "transform", "scale", "translate", "rotate", "offset-path")
_BESIDE_COLOUR = ("background", "background-clip", "text-shadow", "text-stroke")
TOGETHER: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(OF_BOXES, _KIND_OF_BOX),
    **dict.fromkeys(SIZES, ("overflow", *_KIND_OF_BOX)),
    **dict.fromkeys(("left", "right", "top", "bottom", "inset", "clip"), ("position",)),
    "color": _BESIDE_COLOUR,
    "background": ("color", *_BESIDE_COLOUR[1:]),
    "line-height": ("overflow", "height", *_KIND_OF_BOX),
}
# Properties that concern the text of an element only, not its images.
TEXT_ONLY = frozenset({"font-size", "letter-spacing", "line-height", "color", "text-indent"})
# The properties, numbered; a bit for each; the properties that may answer to one that hides.
PROPERTY_NUMBERS: dict[str, int] = {
    name: number for number, name in enumerate(dict.fromkeys(sets for sets, _, _ in READERS.values()))
}


def bits_of(names: Iterable[str]) -> int:
    """A bit for each of some properties."""
    return sum(1 << PROPERTY_NUMBERS[name] for name in names)


# Properties that hide where one other does what they need.
HIDE_WITH: dict[str, str] = {
    name: needed[0]
    for name, needed in TOGETHER.items()
    if needed[0] in ("overflow", "position") and name not in INHERITED
}
_COMPANIONS = {"overflow", "position", "float", *_BESIDE_COLOUR}  # that hide nothing
# Properties that hide all that is inside, each by itself.
HIDE_ALONE = tuple(name for name in PROPERTY_NUMBERS if name not in {*INHERITED, *HIDE_WITH, *_COMPANIONS})
ANSWERS: LongBits = np.array([bits_of((name, *TOGETHER.get(name, ()))) for name in PROPERTY_NUMBERS], np.uint64)
# Of a text colour the background may stand on an element around it, and so may the colour of a text in its background.
ANSWERS_AROUND: LongBits = np.array(
    [bits_of(TOGETHER[name]) if name in ("color", "background") else 0 for name in PROPERTY_NUMBERS], np.uint64
)
NAMES: tuple[bytes, ...] = tuple(READERS)
PROPERTIES = Properties(
    NAMES,
    {name: first for name, (_, first, _) in READERS.items()},
    dict.fromkeys(_HIDE_BY_MINUS, MINUS) | dict.fromkeys(_HIDE_BY_FRACTION, FRACTIONS) | {b"opacity": FADES},
)
_ROLE_OF = {"color": TEXT_COLOUR, "background": BACKGROUND}
# By the number of the name: the number of its property, and its role.
PROPERTY_OF_NAME: Ints = np.array([PROPERTY_NUMBERS[reader[0]] for reader in READERS.values()], np.int32)
ROLES = bytes(_ROLE_OF.get(reader[0], 0) for reader in READERS.values())
