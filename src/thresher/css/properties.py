"""The properties by which something may be hidden: their names, what reads a value, what is needed beside them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from thresher.css.colour import background, background_colour, background_image, colour, shadow, stroke, text_fill
from thresher.css.lengths import is_far, is_flat, is_zero, up_far
from thresher.css.outcome import ValueReader
from thresher.css.property_values import (
    DISPLAYS,
    animation,
    any_of,
    clips_to_text,
    contained,
    font,
    font_size,
    from_below,
    from_right,
    indent,
    is_narrow,
    line_height,
    margin,
    margins,
    measure,
    offset,
    opacity,
    overflow,
    position,
    ratio,
    replaced,
    rotate,
    scale,
    sides,
    tall,
    word,
    zoom,
)
from thresher.css.shapes import (
    clip,
    clip_path,
    filtered,
    is_less_than_letter,
    masked,
    transform,
    translate,
    travels_out,
)
from thresher.css.suspects import BACKGROUND, TEXT_COLOUR
from thresher.css.tokeniser import FADES, FAR, FRACTIONS, MINUS, Properties
from thresher.page.types import Ints, LongBits

__all__ = [
    "ANSWERS",
    "ANSWERS_AROUND",
    "BESIDE",
    "HIDE_ALONE",
    "HIDE_WITH",
    "HIDING_FIRST",
    "HIDING_KINDS",
    "INHERITED",
    "NAMES",
    "OF_BOXES",
    "OF_NO_CELLS",
    "PLACES",
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
_DIGITS = b"0123456789"
_FAR_FIRST = b"-123456789" + _CALC_FIRST
_SIDES_FIRST = b"-0123456789acfm"
# All that can hide: name -> (the property it sets, first bytes of the values that may hide, what reads a value).  The
# first property of this order that hides an element is named as the cause.  Which of them need others beside them, are
# inherited or concern texts only is told below.
READERS: dict[bytes, tuple[str, bytes, ValueReader]] = {
    b"display": ("display", b"nt", word(b"none", b"table-column", b"table-column-group", valid=DISPLAYS)),
    b"visibility": ("visibility", b"hc", word(b"hidden", b"collapse", valid=b"visible initial")),
    b"opacity": ("opacity", b"a0123456789.-" + _CALC_FIRST, opacity),
    b"content-visibility": ("content-visibility", b"h", word(b"hidden", valid=b"visible auto initial")),
    b"filter": ("filter", _LETTERS, filtered),
    b"-webkit-filter": ("filter", _LETTERS, filtered),
    b"mask": ("mask", b"clru-", masked),
    b"-webkit-mask": ("mask", b"clru-", masked),
    b"mask-image": ("mask", b"clru-", masked),
    b"-webkit-mask-image": ("mask", b"clru-", masked),
    b"mask-size": ("mask-size", b"01.", is_less_than_letter),
    b"-webkit-mask-size": ("mask-size", b"01.", is_less_than_letter),
    b"mask-repeat": ("mask-repeat", b"", word(b"no-repeat", valid=b"repeat repeat-x repeat-y space round initial")),
    b"-webkit-mask-repeat": ("mask-repeat", b"", word(b"no-repeat", valid=b"repeat repeat-x repeat-y initial")),
    b"content": ("content", b"u", replaced),
    b"contain": ("contain", b"lps", contained),
    b"contain-intrinsic-size": ("contain-intrinsic-size", b"", tall),
    b"contain-intrinsic-height": ("contain-intrinsic-size", b"", tall),
    b"contain-intrinsic-block-size": ("contain-intrinsic-size", b"", tall),
    b"min-height": ("min-height", b"", tall),
    b"min-block-size": ("min-height", b"", tall),
    b"aspect-ratio": ("aspect-ratio", b"123456789", ratio),
    b"backface-visibility": ("backface-visibility", b"h", word(b"hidden", valid=b"visible initial")),
    b"-webkit-backface-visibility": ("backface-visibility", b"h", word(b"hidden", valid=b"visible initial")),
    b"animation": ("animation", b"." + _LETTERS + _DIGITS, animation),
    b"-webkit-animation": ("animation", b"." + _LETTERS + _DIGITS, animation),
    b"animation-name": ("animation", b"", animation),
    b"animation-fill-mode": ("animation-fill-mode", b"fb", animation),
    b"white-space": (
        "white-space",
        b"",
        word(b"nowrap", b"pre", valid=b"normal pre-wrap pre-line break-spaces initial"),
    ),
    b"font-size": ("font-size", b"a01." + _CALC_FIRST, font_size),
    b"font": ("font-size", _FONT_FIRST, font),
    b"line-height": ("line-height", b"0." + _CALC_FIRST, line_height),
    b"width": ("width", b"0." + _CALC_FIRST, measure(is_zero)),
    b"inline-size": ("width", b"0." + _CALC_FIRST, measure(is_zero)),
    b"max-width": ("max-width", b"0." + _CALC_FIRST, measure(is_zero)),
    b"max-inline-size": ("max-width", b"0." + _CALC_FIRST, measure(is_zero)),
    b"height": ("height", b"01." + _CALC_FIRST, measure(is_flat)),
    b"block-size": ("height", b"01." + _CALC_FIRST, measure(is_flat)),
    b"max-height": ("max-height", b"01." + _CALC_FIRST, measure(is_flat)),
    b"max-block-size": ("max-height", b"01." + _CALC_FIRST, measure(is_flat)),
    b"overflow": ("overflow", b"", overflow),
    b"overflow-x": ("overflow", b"", overflow),
    b"overflow-y": ("overflow", b"", overflow),
    b"clip": ("clip", b"r", clip),
    b"clip-path": ("clip-path", b"iceprux", clip_path),
    b"-webkit-clip-path": ("clip-path", b"iceprux", clip_path),
    b"position": ("position", b"", position),
    b"float": ("float", b"", word(b"left", b"right", b"inline-start", b"inline-end", valid=b"none initial")),
    b"left": ("left", _FAR_FIRST, offset(is_far)),
    b"inset-inline-start": ("left", _FAR_FIRST, offset(is_far)),
    b"right": ("right", _FAR_FIRST, offset(from_right)),
    b"inset-inline-end": ("right", _FAR_FIRST, offset(from_right)),
    b"top": ("top", _FAR_FIRST, offset(up_far)),
    b"inset-block-start": ("top", _FAR_FIRST, offset(up_far)),
    b"bottom": ("bottom", _FAR_FIRST, offset(from_below)),
    b"inset": ("inset", _SIDES_FIRST, sides),
    b"inset-inline": ("inset", _SIDES_FIRST, sides),
    b"inset-block": ("inset", _SIDES_FIRST, sides),
    b"text-indent": ("text-indent", b"-129" + _CALC_FIRST, indent),
    b"margin": ("margin-left", _SIDES_FIRST, margins),
    b"margin-inline": ("margin-left", _SIDES_FIRST, any_of(up_far)),
    b"margin-block": ("margin-top", _SIDES_FIRST, any_of(up_far)),
    b"margin-left": ("margin-left", b"-" + _CALC_FIRST, margin),
    b"margin-inline-start": ("margin-left", b"-" + _CALC_FIRST, margin),
    b"margin-top": ("margin-top", b"-" + _CALC_FIRST, measure(up_far)),
    b"margin-block-start": ("margin-top", b"-" + _CALC_FIRST, measure(up_far)),
    b"letter-spacing": ("letter-spacing", b"-" + _CALC_FIRST, measure(is_narrow)),
    b"transform": ("transform", _LETTERS, transform),
    b"-webkit-transform": ("transform", _LETTERS, transform),
    b"scale": ("scale", b"01.", scale),
    b"translate": ("translate", b"-0129" + _CALC_FIRST, translate),
    b"rotate": ("rotate", b"xy01", rotate),
    b"zoom": ("zoom", b"012.", zoom),
    b"font-size-adjust": ("font-size-adjust", b"0", measure(is_zero)),
    b"-webkit-text-security": ("text-security", b"dcs", word(b"disc", b"circle", b"square", valid=b"none")),
    b"offset-path": ("offset-path", b"p", travels_out),
    b"offset": ("offset-path", b"p", travels_out),
    b"color": ("color", b"#" + _LETTERS, colour),
    b"-webkit-text-fill-color": ("text-fill", b"#" + _LETTERS, text_fill),
    b"text-shadow": ("text-shadow", b"", shadow),
    b"-webkit-text-stroke": ("text-stroke", b"", stroke),
    b"background": ("background", b"c", background),
    b"background-color": ("background", b"c", background_colour),
    b"background-image": ("background", b"", background_image),
    b"background-clip": ("background-clip", b"", clips_to_text),
    b"-webkit-background-clip": ("background-clip", b"", clips_to_text),
}
# Names whose values hide only by a minus sign, wherever it stands; margins are everywhere.
_HIDE_BY_MINUS = (b"margin", b"margin-inline", b"margin-block")
# Names whose values may hide with a fraction: .4px is no letter and no height, but .4 no transparency.
_HIDE_BY_FRACTION = (b"font-size", b"font", b"height", b"max-height", b"zoom", b"scale")
# Names of sides, which are everywhere, and far out only with three digits.
_HIDE_BY_HUNDREDS = (
    b"left", b"right", b"top", b"bottom", b"inset-inline-start", b"inset-inline-end", b"inset-block-start",
)  # fmt: skip
# Properties that say how large a box is.
SIZES = ("width", "max-width", "height", "max-height", "aspect-ratio")
SIZES_AND_LINES = (*SIZES, "line-height", "contain")  # those that hide nothing in a box that has room all the same
# Properties whose value goes on to the elements inside, until one of them has a value of its own.
INHERITED = ("visibility", "font-size", "letter-spacing", "color", "line-height", "text-indent", "text-fill")
# What must be known besides to judge a property that hides; all others stand alone.
_KIND_OF_BOX = ("display", "position", "float")
# Properties that a line of text does not have, only a box of its own.
OF_BOXES = (
    *SIZES, "text-indent", "transform", "scale", "translate", "rotate", "offset-path", "margin-top", "contain",
    "content-visibility", "backface-visibility",
)  # fmt: skip
OF_NO_CELLS = (*SIZES, "line-height", "margin-left", "margin-top", "contain")  # nor a cell of a table
_BESIDE_COLOUR = ("background", "background-clip", "text-shadow", "text-stroke", "text-fill")
TOGETHER: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(OF_BOXES, _KIND_OF_BOX),
    **dict.fromkeys(SIZES, ("overflow", "height", "min-height", *_KIND_OF_BOX)),
    "margin-left": _KIND_OF_BOX,
    "text-indent": (*_KIND_OF_BOX, "overflow", "white-space", "height"),
    "contain": ("height", "min-height", "contain-intrinsic-size", "overflow", *_KIND_OF_BOX),
    "backface-visibility": ("transform", "rotate", *_KIND_OF_BOX),
    "mask-size": ("mask", "mask-repeat"),
    "animation": ("animation-fill-mode",),
    "animation-fill-mode": ("animation",),
    **dict.fromkeys(("right", "bottom", "inset", "clip"), ("position",)),
    "top": ("position", "height"),
    "left": ("position", "width"),
    "color": _BESIDE_COLOUR,
    "background": ("color", *_BESIDE_COLOUR[1:]),
    "text-fill": ("color", *_BESIDE_COLOUR[:-1]),
    "line-height": ("overflow", "height", *_KIND_OF_BOX),
}
# Properties that concern the text of an element only, not its images.
TEXT_ONLY = frozenset({"font-size", "letter-spacing", "line-height", "color", "text-indent", "text-fill"})
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
_COMPANIONS = {
    "overflow", "position", "float", "min-height", "contain-intrinsic-size", "mask-repeat", "animation-fill-mode",
    "white-space", *_BESIDE_COLOUR,
}  # fmt: skip
# What tells where something stands in a box.
PLACES = (*SIZES[:4], *_KIND_OF_BOX, "transform", "overflow", "margin-left", "margin-top", "top", "left")
# What else may answer: an animation may end with another value.
_UNDONE = dict.fromkeys(("opacity", "visibility", "transform"), ("animation", "animation-fill-mode"))
BESIDE = {name: (*TOGETHER.get(name, ()), *_UNDONE.get(name, ())) for name in PROPERTY_NUMBERS}  # that hide nothing
# Properties that hide all that is inside, each by itself.
HIDE_ALONE = tuple(name for name in PROPERTY_NUMBERS if name not in {*INHERITED, *HIDE_WITH, *_COMPANIONS})
ANSWERS: LongBits = np.array([bits_of({name, *BESIDE[name]}) for name in PROPERTY_NUMBERS], np.uint64)
# Of a text colour the background may stand on an element around it, and so may the colour of a text in its background.
ANSWERS_AROUND: LongBits = np.array(
    [bits_of(TOGETHER[name]) if name in ("color", "text-fill", "background") else 0 for name in PROPERTY_NUMBERS],
    np.uint64,
)
NAMES: tuple[bytes, ...] = tuple(READERS)
HIDING_FIRST = {name: first for name, (_, first, _) in READERS.items()}
HIDING_KINDS = (
    dict.fromkeys(_HIDE_BY_MINUS, MINUS)
    | dict.fromkeys(_HIDE_BY_FRACTION, FRACTIONS)
    | dict.fromkeys(_HIDE_BY_HUNDREDS, FAR)
    | {b"opacity": FADES}
)
PROPERTIES = Properties(NAMES, HIDING_FIRST, HIDING_KINDS)
_ROLE_OF = {"color": TEXT_COLOUR, "text-fill": TEXT_COLOUR, "background": BACKGROUND}
# By the number of the name: the number of its property, and its role.
PROPERTY_OF_NAME: Ints = np.array([PROPERTY_NUMBERS[reader[0]] for reader in READERS.values()], np.int32)
ROLES = bytes(_ROLE_OF.get(reader[0], 0) for reader in READERS.values())
