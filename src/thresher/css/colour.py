"""Colours: one spelling for each, and which text colours could vanish into a background."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb

import numpy as np
from numpy.typing import NDArray

from thresher.css.text import Places
from thresher.words8 import words_at

__all__ = [
    "TRANSPARENT",
    "UNKNOWN",
    "WHITE",
    "WHITE_HEADS",
    "background",
    "background_image",
    "colour",
    "head",
    "heads",
    "may_be_clear",
    "may_vanish",
    "with_shades",
]

TRANSPARENT = b"transparent"
UNKNOWN = b"?"  # a background that is no plain colour: text on it may be seen whatever its own colour
_BASIC = {
    b"black": b"000000", b"silver": b"c0c0c0", b"gray": b"808080", b"grey": b"808080", b"white": b"ffffff",
    b"maroon": b"800000", b"red": b"ff0000", b"purple": b"800080", b"fuchsia": b"ff00ff", b"green": b"008000",
    b"lime": b"00ff00", b"olive": b"808000", b"yellow": b"ffff00", b"navy": b"000080", b"blue": b"0000ff",
    b"teal": b"008080", b"aqua": b"00ffff", b"snow": b"fffafa", b"ghostwhite": b"f8f8ff",
}  # fmt: skip
_NO_COLOURS = frozenset({b"initial", b"currentcolor"})  # black or that of the text: not known here
WHITE = _BASIC[b"white"]
_ZERO = re.compile(rb"0*\.?0*%?")
_COMPONENTS = re.compile(rb"[\s,/]+")


def colour(value: bytes) -> bytes:
    """A colour in one spelling: six hexadecimal digits, `transparent`, a name, or `?` for what is no plain colour.

    What no eye tells from white or black is white or black.
    """
    found = _spelled(value)
    if found[:1] not in _NEAR_FIRST or len(found) != 6:
        return found
    if all(digits >= b"f8" for digits in (found[:2], found[2:4], found[4:])):
        return WHITE
    return _BLACK if all(digits <= b"07" for digits in (found[:2], found[2:4], found[4:])) else found


_NEAR_FIRST = (b"0", b"f")
_BLACK = _BASIC[b"black"]


def _spelled(value: bytes) -> bytes:
    if value.startswith(b"#"):
        digits = value[1:]
        if len(digits) in (3, 4):
            digits = b"".join(bytes((digit, digit)) for digit in digits)
        return TRANSPARENT if len(digits) == 8 and digits.endswith(b"00") else digits[:6]
    name, bracket, inside = value.partition(b"(")
    if not bracket:
        return _BASIC.get(name, name if name.isalpha() and name not in _NO_COLOURS else UNKNOWN)
    parts = _COMPONENTS.split(inside.rstrip(b") ").strip())
    if len(parts) == 4 and _ZERO.fullmatch(parts[3]):
        return TRANSPARENT
    numbers = [_component(part) for part in parts[:3]]
    if len(parts) not in (3, 4) or any(number is None for number in numbers):
        return UNKNOWN
    if name in (b"rgb", b"rgba"):
        shares = [(share if relative else share / 255) for share, relative in filter(None, numbers)]
    elif name in (b"hsl", b"hsla"):
        hue, saturation, lightness = (share for share, _ in filter(None, numbers))
        shares = list(hls_to_rgb(hue / 360, min(lightness, 1.0), min(saturation, 1.0)))
    else:
        return UNKNOWN
    return b"".join(b"%02x" % round(255 * min(max(share, 0.0), 1.0)) for share in shares)


def _component(part: bytes) -> tuple[float, bool] | None:
    """A number, and whether it is a percentage."""
    match = _PART.fullmatch(part)
    return None if match is None else (float(match[1]) / (100 if match[2] else 1), bool(match[2]))


_PART = re.compile(rb"(\d{1,5}(?:\.\d{0,9})?|\.\d{1,9})(%)?(?:deg)?")


def background(value: bytes) -> bytes:
    """The shorthand: a plain colour, alone or with words; anything with an image or a function is unknown."""
    if b"(" in value and not value.startswith((b"rgb", b"hsl")):
        return UNKNOWN
    if b"(" in value:
        return colour(value) if value.endswith(b")") else UNKNOWN
    plain = [colour(word) for word in value.split() if word.startswith(b"#") or word in _BASIC or word == TRANSPARENT]
    if plain:
        return plain[0]
    return TRANSPARENT if value == b"none" else UNKNOWN


def background_image(value: bytes) -> bytes | None:
    return None if value == b"none" else UNKNOWN


def heads(buffer: NDArray[np.uint8], at: Places) -> NDArray[np.uint32]:
    """The first four bytes of each value, letters made small: enough to tell that two colours differ, for most."""
    found: NDArray[np.uint32] = (words_at(buffer, at) & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    found |= np.uint32(0x20202020)
    last = found >> np.uint32(24)
    beyond = (last < ord("0")) | ((last > ord("9")) & (last < ord("a"))) | (last > ord("z"))
    found[beyond] = (found[beyond] & np.uint32(0xFFFFFF)) | np.uint32(0x20000000)  # `red;` and `red}` are `red`
    place = _NAMED.searchsorted(found) % len(_NAMED)
    return np.where(_NAMED[place] == found, _DIGITS[place], found)


def head(value: bytes) -> int:
    """The same of one value."""
    found = int.from_bytes(value[:4].ljust(4).lower(), "little") | 0x20202020
    if not value[3:4].isalnum():
        found = found & 0xFFFFFF | 0x20000000
    return _SPELLINGS.get(found, found)


_SPELLINGS: dict[int, int] = {}
_SPELLINGS |= {head(name): head(b"#" + digits) for name, digits in _BASIC.items()}
_NAMED, _DIGITS = np.array(sorted(_SPELLINGS.items()), np.uint32).T
WHITE_HEADS = frozenset(
    {head(b"rgb("), head(b"rgba"), head(b"hsl("), head(b"hsla"), *(head(b"#f%cf" % digit) for digit in b"89abcdef")}
)
_BLACK_HEADS = frozenset({*(head(b"#0%c0" % digit) for digit in b"01234567"), head(b"rgb("), head(b"hsl(")})
_CLEAR = head(TRANSPARENT)
_BEFORE_ALPHA = np.isin(np.arange(256), np.frombuffer(b", /.", np.uint8))


def may_be_clear(buffer: NDArray[np.uint8], value: Places, stop: Places) -> NDArray[np.bool_]:
    """Which colours may be transparent: by name, by a last component of 0, or by a fourth hexadecimal one."""
    last, second, third = (buffer[np.maximum(stop - k, 0)] for k in (1, 2, 3))
    clear: NDArray[np.bool_] = (last == ord(")")) & (second == ord("0")) & _BEFORE_ALPHA[third]
    length = stop - value
    clear |= (buffer[value] == ord("#")) & (last == ord("0")) & ((length == 5) | (length == 9))
    clear |= heads(buffer, value) == _CLEAR
    return clear


def may_vanish(value: bytes, papers: set[int]) -> bool:
    """Whether a text colour may be transparent or that of a background with one of these heads."""
    return head(value) in papers or value.startswith((TRANSPARENT, b"rgb", b"hsl")) or len(value) in (5, 9)


def with_shades(papers: set[int]) -> set[int]:
    """Some heads of backgrounds, with those of the colours that nobody tells from white or black where these are."""
    for shades in (WHITE_HEADS, _BLACK_HEADS):
        if papers & shades:
            papers = papers | shades
    return papers
