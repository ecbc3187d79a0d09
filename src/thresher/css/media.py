"""Which conditional rules of a style sheet hold: on a desktop screen of 1280 by 720 pixels, without any preferences."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from thresher.css.lengths import pixels
from thresher.css.supports import supported
from thresher.css.text import split_list
from thresher.text.patterns import compile_later

__all__ = ["holds"]


@lru_cache(1 << 10)
def holds(condition: bytes) -> bool:
    """Whether the rules inside an at-rule apply on a desktop screen.

    Those of `@media` if one of its queries does, those of `@supports` if a browser of today does (supports.py), those
    of `@container` if any box is large enough, of all other at-rules (`@font-face`, `@keyframes`, `@page`, …) never.
    """
    name, _, query = _SPACES.sub(b" ", condition.lower()).replace(b"(", b" (", 1).partition(b" ")
    if name == b"@supports":
        return supported(query)
    if name == b"@container":  # how large the box is we do not know
        return not _SMALL.search(query) and all(float(size) <= _MAX_ASKED_OF_ANY_BOX for size in _SIZE.findall(query))
    return name == b"@media" and any(_media_holds(part) for whole in split_list(query) for part in _OR.split(whole))


_SPACES = compile_later(rb"\s+")
_OR = compile_later(rb"(?<=\)) or (?=\(|not)")
_SMALL = compile_later(rb"max-|<|not|style\(")
_SIZE = compile_later(rb"(?<![\d.])(\d+(?:\.\d+)?)(?:px|r?em)")
_MAX_ASKED_OF_ANY_BOX = 200  # pixels, or less in em
_WIDTH, _HEIGHT = 1280.0, 720.0  # CSS pixels of the imagined window
_FEATURE = compile_later(rb"\(\s*([-a-z]+)\s*(?::([^()]*(?:\([^()]*\)[^()]*)?))?\)")
_RATIO = compile_later(rb"([\d.]{1,9})(?:\s*/\s*([\d.]{1,9}))?(dppx|x|dpi|dpcm)?")
_DOTS = {b"dpi": 1 / 96, b"dpcm": 2.54 / 96}  # of the one dot per pixel that the imagined screen has
_RANGE = compile_later(rb"\(\s*(width|height)\s*([<>]=?)\s*([\d.]+)(px|r?em)\s*\)")
_BETWEEN = compile_later(
    rb"\(\s*([\d.]+)(px|r?em)\s*([<>])=?\s*(width|height)\s*(?:(<=?|>=?)\s*([\d.]+)(px|r?em)\s*)?\)"
)
_TURNED = {b"<": b">=", b">": b"<="}
_TRUE_FEATURES = {
    b"orientation": b"landscape", b"prefers-color-scheme": b"light", b"prefers-reduced-motion": b"no-preference",
    b"hover": b"hover", b"any-hover": b"hover", b"pointer": b"fine", b"any-pointer": b"fine", b"forced-colors": b"none",
    b"scripting": b"enabled", b"update": b"fast", b"prefers-contrast": b"no-preference", b"grid": b"0",
    b"display-mode": b"browser", b"monochrome": b"0", b"overflow-block": b"scroll", b"color-gamut": b"srgb",
    b"prefers-reduced-data": b"no-preference", b"prefers-reduced-transparency": b"no-preference",
    b"inverted-colors": b"none",
}  # fmt: skip
_PRESENT_FEATURES = frozenset(
    b"color hover any-hover pointer any-pointer width height scripting resolution update".split()
)


def _media_holds(query: bytes) -> bool:
    """One media query: a type, and features that must all hold.  A feature we do not know does not hold."""
    if b"<" in query or b">" in query:
        query = _BETWEEN.sub(_two_ranges, query)
    words = _RANGE.sub(b"", _FEATURE.sub(b"", query)).split()
    negated = words[:1] == [b"not"]
    known = all(word in (b"not", b"only", b"and", b"screen", b"all", b"print", b"speech", b"tv") for word in words)
    type_holds = not {b"print", b"speech", b"tv"} & set(words)
    features = [_feature_holds(name, value.strip()) for name, value in _FEATURE.findall(query)]
    ranges = [_compare(*match) for match in _RANGE.findall(query)]
    return known and (type_holds and all(features) and all(ranges)) != negated


def _two_ranges(match: re.Match[bytes]) -> bytes:
    """`(100px <= width < 900px)` as `(width >= 100px) (width < 900px)`."""
    low, unit, operator, dimension, second, high, high_unit = match.groups()
    ranges = b"(%b %b %b%b)" % (dimension, _TURNED[operator], low, unit)
    return ranges if second is None else ranges + b"(%b %b %b%b)" % (dimension, second, high, high_unit)


def _feature_holds(name: bytes, value: bytes) -> bool:
    bound, _, dimension = name.removeprefix(b"-webkit-").rpartition(b"-")
    operator = b">=" if bound.startswith(b"min") else b"<="
    if dimension in (b"width", b"height") and bound in (b"min", b"max", b"min-device", b"max-device"):
        size = pixels(value)
        return size is not None and _compare(dimension, operator, b"%f" % size, b"px")
    if dimension in (b"ratio", b"resolution") and bound.startswith((b"min", b"max")):
        match = _RATIO.fullmatch(value)
        ratio = (
            _number(match[1]) / (_number(match[2] or b"1") or math.inf) * _DOTS.get(match[3], 1) if match else math.nan
        )
        mine = _WIDTH / _HEIGHT if bound.endswith(b"aspect") else 1.0
        return mine >= ratio if operator == b">=" else mine <= ratio
    return _TRUE_FEATURES.get(name) == value if value else name in _PRESENT_FEATURES


def _number(text: bytes) -> float:
    try:
        return float(text)
    except ValueError:  # several dots
        return math.nan


def _compare(dimension: bytes, operator: bytes, number: bytes, unit: bytes) -> bool:
    bound = _number(number) * (1 if unit == b"px" else 16)
    size = _WIDTH if dimension == b"width" else _HEIGHT
    return size >= bound if operator.startswith(b">") else size <= bound
