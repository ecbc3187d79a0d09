"""Colours: one spelling for each, and which text colours could vanish into a background."""

from __future__ import annotations

from functools import lru_cache

from thresher.css.colour_names import COLOUR_NAMES
from thresher.css.colour_spaces import SPACES, to_rgb
from thresher.css.lengths import all_pixels
from thresher.css.text import split_list
from thresher.text.patterns import compile_later

__all__ = [
    "BLACK_PREFIXES",
    "CURRENT",
    "TRANSPARENT",
    "UNKNOWN",
    "WHITE",
    "WHITE_PREFIXES",
    "background",
    "background_colour",
    "background_image",
    "colour",
    "colour_prefix",
    "gradient",
    "may_vanish",
    "shadow",
    "stroke",
    "text_fill",
    "with_shades",
]

TRANSPARENT = b"transparent"
CURRENT = b"currentcolor"  # a background that has the colour of the text
UNKNOWN = b"?"  # a background that is no plain colour: text on it may be seen whatever its own colour
_NO_COLOURS = frozenset({b"initial", b"currentcolor"})  # black or that of the text: not known here
WHITE = COLOUR_NAMES[b"white"]
_COMPONENTS = compile_later(rb"[\s,/]+")


def colour(value: bytes) -> bytes:
    """A colour in one spelling: six hexadecimal digits, `transparent`, a name, or `?` for what is no plain colour.

    What no eye tells from white or black is white or black.
    """
    digits = _normalised(value)
    if digits[:1] not in _SHADE_FIRST_DIGITS or len(digits) != 6 or not _HEXADECIMAL.fullmatch(digits):
        return digits
    light = sum(bytes.fromhex(digits.decode()))
    if 765 - light <= _MAX_SHADE_DISTANCE and all(digits[at] == _HEX_F for at in (0, 2, 4)):
        return WHITE
    return _BLACK if light <= _MAX_SHADE_DISTANCE else digits


_MAX_SHADE_DISTANCE = 24  # steps, of the three channels together
_SHADE_FIRST_DIGITS = (b"0", b"f")
_HEX_F = ord("f")
_HEXADECIMAL = compile_later(rb"[0-9a-f]{3,8}")
_BLACK = COLOUR_NAMES[b"black"]
_MAX_NESTED_COLOURS = 8  # colours in a colour
_MAX_CLEAR_ALPHA = 0.02  # an opacity up to this leaves nothing that can be read


def _normalised(value: bytes) -> bytes:
    if value.startswith(b"#"):
        digits = value[1:]
        if len(digits) in (3, 4):
            digits = b"".join(bytes((digit, digit)) for digit in digits)
        return TRANSPARENT if len(digits) == 8 and digits[6:] <= b"05" else digits[:6]
    name, bracket, inside = value.partition(b"(")
    if not bracket:
        return COLOUR_NAMES.get(name, name if name.isalpha() and name not in _NO_COLOURS else UNKNOWN)
    if inside.count(b"(") > _MAX_NESTED_COLOURS:
        return UNKNOWN
    inside = inside.rstrip(b") ").strip()
    if name == b"light-dark":
        return _normalised(split_list(inside)[0])
    if name == b"color-mix":
        return _mixed(split_list(inside)[1:])
    parts = _COMPONENTS.split(inside)
    if name == b"color":  # color(srgb 1 1 1)
        name, parts = (b"rgb" if parts[0] in _SCREENS else b""), [_relative(part) for part in parts[1:]]
    if name not in SPACES or len(parts) not in (3, 4):
        return UNKNOWN
    alpha = _component(parts[3]) if len(parts) == 4 else None
    if alpha is not None and alpha[0] <= _MAX_CLEAR_ALPHA:
        return TRANSPARENT
    components = [part for part in map(_component, parts[:3]) if part is not None]
    shares = to_rgb(name, components) if len(components) == 3 else None
    if shares is None:
        return UNKNOWN
    return b"".join(b"%02x" % round(255 * min(max(share, 0.0), 1.0)) for share in shares)


_SCREENS = frozenset({b"srgb", b"display-p3"})
_PERCENTAGE = compile_later(rb"\s+[\d.]{1,8}%")


def _relative(part: bytes) -> bytes:
    """A share as a percentage; percentages stay."""
    component = _component(part)
    return b"%f%%" % (100 * component[0]) if component is not None and not component[1] else part


def _mixed(colours: list[bytes]) -> bytes:
    """Two colours mixed by their shares; unknown where one of them is."""
    shares = [_PERCENTAGE.search(mixed) for mixed in colours]
    plain = [_normalised(_PERCENTAGE.sub(b"", mixed).strip()) for mixed in colours]
    if len(set(plain)) == 1:
        return plain[0]
    if len(plain) != 2 or not all(_SIX_DIGITS.fullmatch(digits) for digits in plain):
        return UNKNOWN
    given = [float(share[0].strip(b" %")) / 100 if share else None for share in shares]
    first = given[0] if given[0] is not None else 1 - given[1] if given[1] is not None else 0.5
    pairs = zip(bytes.fromhex(plain[0].decode()), bytes.fromhex(plain[1].decode()), strict=True)
    return b"".join(b"%02x" % round(min(max(first * a + (1 - first) * b, 0), 255)) for a, b in pairs)


_SIX_DIGITS = compile_later(rb"[0-9a-f]{6}")


def _component(part: bytes) -> tuple[float, bool] | None:
    """A number, and whether it is a percentage."""
    match = _COMPONENT.fullmatch(part if part != b"none" else b"0")
    return None if match is None else (float(match[1]) / (100 if match[2] else 1), bool(match[2]))


_COMPONENT = compile_later(rb"(-?(?:\d{1,5}(?:\.\d{0,9})?|\.\d{1,9}))(%)?(?:deg)?")


def background_colour(value: bytes) -> bytes:
    """A colour behind a text; unknown where something shines through, `currentcolor` for that of the text itself."""
    if value == CURRENT:
        return CURRENT
    digits = colour(value)
    return UNKNOWN if digits != TRANSPARENT and _shines_through(value) else digits


def _shines_through(value: bytes) -> bool:
    if value.startswith(b"#"):
        return (len(value) == 9 and value[7:] < b"f0") or (len(value) == 5 and value[4:] < b"f")
    alpha = _ALPHA.search(value)
    share = None if alpha is None else _component(alpha[1])
    return share is not None and share[0] < _MIN_OPAQUE_ALPHA


_ALPHA = compile_later(rb"(?:^(?:rgb|hsl)a\((?:[^,()]*,){3}|/)\s*([-\d.]+%?)\s*\)$")
_MIN_OPAQUE_ALPHA = 0.95


def background(value: bytes) -> bytes:
    """The shorthand: a plain colour, alone or with words; anything with an image or a function is unknown."""
    if b"gradient(" in value and b"url(" not in value:
        painted = gradient(value)
        return painted.pop() if len(painted) == 1 else UNKNOWN
    if b"(" in value and value.partition(b"(")[0] not in _FUNCTION_NAMES:
        return UNKNOWN
    if b"(" in value:
        return background_colour(value) if value.endswith(b")") else UNKNOWN
    plain = [background_colour(word) for word in value.split() if word.startswith(b"#") or word in _BACKGROUND_WORDS]
    if plain:
        return plain[0]
    return TRANSPARENT if value == b"none" else UNKNOWN


_BACKGROUND_WORDS = frozenset({*COLOUR_NAMES, TRANSPARENT, CURRENT})
_FUNCTION_NAMES = SPACES | {b"color", b"color-mix", b"light-dark"}
_COLOUR_STOP = compile_later(rb"(?:[a-z]+|#[0-9a-f]+)(?:\([^()]*\))?")
_GRADIENT_KEYWORDS = frozenset(
    b"to top bottom left right at center circle ellipse deg turn rad px em vh vw from in".split()
)


def gradient(value: bytes) -> set[bytes]:
    """The colours of a gradient."""
    inside = value.partition(b"gradient(")[2]
    return {colour(stop) for stop in _COLOUR_STOP.findall(inside) if stop not in _GRADIENT_KEYWORDS}


def text_fill(value: bytes) -> bytes:
    """The colour that letters are filled with, instead of that of the text."""
    return CURRENT if value == CURRENT else colour(value)


def shadow(value: bytes) -> bytes:
    """The colour of the first shadow of a text that is near enough to be read; transparent where there is none."""
    for cast in split_list(value):
        name = _PLAIN_COLOUR.search(cast) if cast != b"none" else None
        lengths = all_pixels(cast.replace(name[0], b"")) if name else []
        if name and len(lengths) >= 2 and max(map(abs, lengths[:2])) <= _MAX_SHADOW_DISTANCE:
            painted = colour(name[0])
            if painted != TRANSPARENT:
                return painted
    return TRANSPARENT


def stroke(value: bytes) -> bytes:
    """The colour of the outline of letters; transparent where there is none."""
    name = _PLAIN_COLOUR.search(value)
    return colour(name[0]) if name and any(size > 0 for size in all_pixels(value)) else TRANSPARENT


_MAX_SHADOW_DISTANCE = 300.0  # pixels
_PLAIN_COLOUR = compile_later(rb"#[0-9a-f]+|[a-z-]{3,}\([^()]*\)|(?<![\w.])[a-z]{3,}")


def background_image(value: bytes) -> bytes | None:
    return None if value == b"none" else UNKNOWN


def colour_prefix(value: bytes) -> int:
    """The first four bytes of a colour in lower case, as a number: enough to tell that two differ, for most.

    Short hexadecimal colours, names and functions are written out: `#abc` begins as `#aabbcc` does.  Of a gradient that
    of its first colour.
    """
    return _prefix(value[:_MAX_PREFIX_BYTES])


_MAX_PREFIX_BYTES = 120  # of a value, in which its first colour stands


@lru_cache(1 << 12)
def _prefix(value: bytes) -> int:
    if b"-gradient(" in value:
        stop = _FIRST_STOP.search(value)
        value = value[stop.end() :] if stop else value
    if _SHORT_HEX.match(value):
        value = b"#" + bytes((value[1], value[1], value[2]))
    elif written := _FIRST_COLOUR.match(value):
        digits = colour(written[0].lower())
        value = b"#" + digits if _SIX_DIGITS.fullmatch(digits) else value
    prefix = int.from_bytes(value[:4].ljust(4).lower(), "little") | 0x20202020
    return prefix if value[3:4].isalnum() else prefix & 0xFFFFFF | 0x20000000


_FIRST_STOP = compile_later(rb"-gradient\((?:[^,()#]*(?:deg|turn|rad|\bto [a-z ]+|circle|ellipse|at [^,]*)\s*,)?\s*")
_SHORT_HEX = compile_later(rb"#[0-9a-fA-F]{3,4}(?![0-9a-fA-F])")
_FIRST_COLOUR = compile_later(rb"[a-zA-Z-]{3,20}(?:\([^()]{1,100}\)|(?![\w(-]))")
_COLOUR_FUNCTIONS = tuple(name + b"(" for name in sorted(_FUNCTION_NAMES))
WHITE_PREFIXES = frozenset(
    {*map(colour_prefix, _COLOUR_FUNCTIONS), *(colour_prefix(b"#f%cf000" % digit) for digit in b"0123456789abcdef")}
)
BLACK_PREFIXES = frozenset(
    {*map(colour_prefix, _COLOUR_FUNCTIONS), *(colour_prefix(b"#0%c0000" % digit) for digit in b"0123456789abcdef")}
)
_TRANSPARENT_STARTS = (TRANSPARENT, *_COLOUR_FUNCTIONS)


def may_vanish(value: bytes, backgrounds: set[int]) -> bool:
    """Whether a text colour may be transparent or that of a background with one of these prefixes."""
    may_be_transparent = value.startswith(_TRANSPARENT_STARTS) or len(value) in (5, 9)
    return may_be_transparent or colour_prefix(value) in backgrounds


def with_shades(backgrounds: set[int]) -> set[int]:
    """Some prefixes of backgrounds, with those of the colours that nobody tells from them."""
    near = set().union(*map(_near, backgrounds))
    for shades in (WHITE_PREFIXES, BLACK_PREFIXES):
        if backgrounds & shades:
            near |= shades
    return near


@lru_cache(1 << 12)
def _near(prefix: int) -> frozenset[int]:
    """The prefixes of colours that are a little more or less red, and this one."""
    written = prefix.to_bytes(4, "little")
    if not _HEXADECIMAL_PREFIX.fullmatch(written):
        return frozenset((prefix,))
    red = int(written[1:3], 16)
    reds = range(max(red - _MAX_NEAR, 0), min(red + _MAX_NEAR, 255) + 1)
    return frozenset(int.from_bytes(b"#%02x%c" % (near, written[3]), "little") for near in reds)


_HEXADECIMAL_PREFIX = compile_later(rb"#[0-9a-f]{3}")
_MAX_NEAR = 4  # of 255
