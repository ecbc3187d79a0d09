"""Colours of other spaces in the shares of red, green and blue that a screen shows (CSS Color 4, section 17).

    hwb(h w b)       white and black mixed into a pure hue:  c · (1 - w - b) + w, all in sRGB
    oklab(L a b)     l, m, s = cubes of linear sums of L, a, b;  linear light = a matrix times these
    lab(L a b)       XYZ = D50 white · f⁻¹ of sums of L, a, b;   linear light = a matrix times these
    lch, oklch       a = C · cos h, b = C · sin h
    sRGB = 12.92 x, or 1.055 x^(1 / 2.4) - 0.055 from x = 0.0031308 on

The matrices are rounded: it is only asked whether two colours look the same.
"""

from __future__ import annotations

import math
from colorsys import hls_to_rgb

__all__ = ["SPACES", "to_rgb"]

Shares = tuple[float, float, float]

SPACES = frozenset({b"rgb", b"rgba", b"hsl", b"hsla", b"hwb", b"lab", b"lch", b"oklab", b"oklch"})
_FULL = {b"lab": 100.0, b"lch": 100.0, b"oklab": 1.0, b"oklch": 1.0}  # the lightness of white
_WHITE_D50 = (0.9643, 1.0, 0.8251)


def to_rgb(space: bytes, components: list[tuple[float, bool]]) -> Shares | None:
    """Three components, each with whether it was a percentage (then a share), as shares from 0 to 1; None for spaces
    we do not know."""
    (x, x_relative), (y, _), (z, _) = components
    if space in (b"rgb", b"rgba"):
        red, green, blue = (share if relative else share / 255 for share, relative in components)
        return red, green, blue
    if space in (b"hsl", b"hsla"):
        return hls_to_rgb(x / 360, min(z, 1.0), min(y, 1.0))
    if space == b"hwb":
        white, black = (y, z) if y + z <= 1 else (y / (y + z), z / (y + z))
        red, green, blue = (share * (1 - white - black) + white for share in hls_to_rgb(x / 360, 0.5, 1.0))
        return red, green, blue
    if space not in _FULL:
        return None
    light = x * _FULL[space] if x_relative else x
    a, b = (y, z) if space.endswith(b"lab") else (y * math.cos(math.radians(z)), y * math.sin(math.radians(z)))
    red, green, blue = map(_shown, _oklab(light, a, b) if space.startswith(b"ok") else _lab(light, a, b))
    return red, green, blue


def _oklab(light: float, a: float, b: float) -> Shares:
    long = (light + 0.3963 * a + 0.2158 * b) ** 3
    medium = (light - 0.1056 * a - 0.0639 * b) ** 3
    short = (light - 0.0895 * a - 1.2915 * b) ** 3
    return (
        4.0767 * long - 3.3077 * medium + 0.2310 * short,
        -1.2684 * long + 2.6098 * medium - 0.3413 * short,
        -0.0042 * long - 0.7034 * medium + 1.7076 * short,
    )


def _lab(light: float, a: float, b: float) -> Shares:
    y = (light + 16) / 116
    x, y, z = (white * _cube(share) for white, share in zip(_WHITE_D50, (y + a / 500, y, y - b / 200), strict=True))
    return (
        3.1341 * x - 1.6172 * y - 0.4907 * z,
        -0.9787 * x + 1.9160 * y + 0.0334 * z,
        0.0719 * x - 0.2290 * y + 1.4052 * z,
    )


def _cube(share: float) -> float:
    return share**3 if share**3 > 216 / 24389 else (116 * share - 16) * 27 / 24389


def _shown(linear: float) -> float:
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
