"""Does a declaration block hide what it applies to?

Each way of hiding has a key, the property that does it; a later declaration of the same key that does not hide shows
the element again.  Lengths are judged in pixels of a desktop screen; percentages and unknown units hide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["KEYS", "Declarations", "hiding", "parse", "plain", "showing"]

Declarations = dict[str, tuple[str, bool]]  # property -> value, important

_DECLARATION = re.compile(r"([a-z-]+)\s*:\s*([^;]*)")
_NUMBER = re.compile(r"([-+]?\d*\.?\d+(?:e[-+]?\d+)?)\s*([a-z%]*)")
_PIXELS = {
    "": 1.0,
    "px": 1.0,
    "em": 16.0,
    "rem": 16.0,
    "pt": 1.33,
    "vw": 12.8,
    "vh": 8.0,
    "ch": 8.0,
    "cm": 38.0,
    "in": 96.0,
}
_FAR = -900.0  # pixels to the left or above: off every screen
_SMALL = 1.5  # pixels: the box of text that only screen readers get


def plain(text: str) -> str:
    """CSS without comments, and letters that are written as escapes as letters: `n\\6f ne` is `none`."""
    if "/*" in text:
        text = re.sub(r"/\*.*?(?:\*/|\Z)", "", text, flags=re.DOTALL)
    if "\\" in text:
        text = re.sub(r"\\0{0,4}([2-7][0-9a-fA-F])[ \n]?", _letter, text)
    return text


def _letter(escape: re.Match[str]) -> str:
    letter = chr(int(escape[1], 16))
    return letter if letter.isalpha() else escape[0]


def parse(text: str) -> Declarations:
    """Declarations by property, in lower case; the last one of a property wins, `!important` before others."""
    found: Declarations = {}
    for name, value in _DECLARATION.findall(text.lower()):
        value, _, flag = value.partition("!")
        important = flag.strip() == "important"
        if important or not found.get(name, ("", False))[1]:
            found[name] = (value.strip(), important)
    return found


def hiding(declared: Declarations) -> dict[str, bool]:
    """The keys by which these declarations hide, each with whether it is important."""
    result = {}
    for key, hides in KEYS.items():
        if key in declared and hides(declared[key][0], declared):
            result[key] = declared[key][1]
    return result


def showing(declared: Declarations) -> dict[str, bool]:
    """The keys that these declarations set to something that does not hide, each with whether it is important."""
    return {
        key: declared[key][1]
        for key, hides in KEYS.items()
        if key in declared and not hides(declared[key][0], declared)
    }


def _pixels(value: str) -> float | None:
    number = _NUMBER.fullmatch(value.strip())
    if not number or number[2] not in _PIXELS:
        return None
    return float(number[1]) * _PIXELS[number[2]]


def _said(declared: Declarations, name: str) -> str:
    return declared.get(name, ("", False))[0]


def _clipped(declared: Declarations) -> bool:
    return _said(declared, "overflow").split(" ")[0] in ("hidden", "clip")


def _tiny(value: str, declared: Declarations) -> bool:
    size = _pixels(value)
    return size is not None and size <= _SMALL and _clipped(declared)


def _far(value: str, declared: Declarations) -> bool:
    place = _pixels(value)
    return place is not None and place <= _FAR and _said(declared, "position") in ("absolute", "fixed")


def _far_transform(value: str, declared: Declarations) -> bool:
    if re.search(r"scale(?:3d|x|y)?\(\s*0(?:\.0*)?\s*[,)]", value):
        return True
    moved = re.search(r"translate(?:3d|x|y)?\(\s*([^,)]+)", value)
    place = _pixels(moved[1]) if moved else None
    return place is not None and place <= _FAR


def _zero(value: str, declared: Declarations) -> bool:
    number = _NUMBER.fullmatch(value)
    return bool(number) and float(number[1]) == 0  # type: ignore[index]


def _clip(value: str, declared: Declarations) -> bool:
    edges = re.fullmatch(r"rect\(([^)]*)\)", value)
    if not edges or _said(declared, "position") not in ("absolute", "fixed"):
        return False
    sizes = [_pixels(edge) for edge in re.split(r"[\s,]+", edges[1].strip())]
    return len(sizes) == 4 and all(size is not None and abs(size) <= _SMALL for size in sizes)


def _clip_path(value: str, declared: Declarations) -> bool:
    inset = re.match(r"(?:inset\(\s*(\d+(?:\.\d+)?)%|(circle|ellipse)\(\s*0)", value)
    return bool(inset) and (inset[1] is None or float(inset[1]) >= 50)  # type: ignore[index]


def _same_colour(value: str, declared: Declarations) -> bool:
    """Text in the colour of its ground: transparent, or the very same words for both."""
    if re.fullmatch(r"transparent|rgba\([^)]*,\s*0(?:\.0*)?%?\s*\)|#[0-9a-f]{3}0|#[0-9a-f]{6}00", value):
        # Letters cut out of a picture are transparent, too.
        return "text" not in _said(declared, "background-clip") + _said(declared, "-webkit-background-clip")
    ground = _said(declared, "background-color") or _said(declared, "background")
    return bool(ground) and _colour(ground) == _colour(value)


_NAMED = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "blue": "#0000ff", "green": "#008000"}


def _colour(value: str) -> str:
    value = re.sub(r"\s+", "", value)
    value = _NAMED.get(value, value)
    short = re.fullmatch(r"#([0-9a-f])([0-9a-f])([0-9a-f])", value)
    if short:
        return "#" + "".join(digit * 2 for digit in short.groups())
    mixed = re.fullmatch(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,1(?:\.0*)?)?\)", value)
    return "#" + "".join(f"{min(int(part), 255):02x}" for part in mixed.groups()) if mixed else value


KEYS: dict[str, Callable[[str, Declarations], bool]] = {
    "display": lambda value, declared: value == "none",
    "visibility": lambda value, declared: value in ("hidden", "collapse"),
    "content-visibility": lambda value, declared: value == "hidden",
    "opacity": _zero,
    "font-size": _zero,
    "max-height": _tiny,
    "height": _tiny,
    "width": _tiny,
    "left": _far,
    "top": _far,
    "right": _far,
    "text-indent": lambda value, declared: (_pixels(value) or 0) <= _FAR,
    "margin-left": lambda value, declared: (_pixels(value) or 0) <= _FAR,
    "transform": _far_transform,
    "clip": _clip,
    "clip-path": _clip_path,
    "color": _same_colour,
}
