"""What cuts a box away, shrinks it to nothing, shifts it out of sight or paints it with nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from thresher.css.colour import TRANSPARENT, gradient
from thresher.css.lengths import MAX_INVISIBLE_SHARE, NUMBER, TINY, all_pixels, is_clear, is_far, pixels, share
from thresher.css.outcome import BY_ELEMENT, DOUBLE_SHIFT, FROM_BEHIND, Outcome
from thresher.css.text import split_list
from thresher.text.patterns import compile_later

__all__ = [
    "clip", "clip_path", "filtered", "is_less_than_letter", "masked", "refers_to", "scale_left",
    "transform", "translate", "travels_out", "turned",
]  # fmt: skip


def clip(value: bytes) -> bool:
    """rect(top, right, bottom, left) that leaves at most a pixel; `auto` is no number and leaves the box open."""
    if not value.startswith(b"rect(") or b"auto" in value:
        return False
    sides = all_pixels(value)
    return len(sides) == 4 and (sides[1] - sides[3] <= TINY or sides[2] - sides[0] <= TINY)


_WIDE_INSET = 900.0  # pixels: from all sides that is more than a text has


def clip_path(value: bytes) -> Outcome:
    """Whether nothing is left, or that an element of the page says what is."""
    return BY_ELEMENT if refers_to(value) is not None else _clips_all(value)


def refers_to(value: bytes) -> str | None:
    """The id of the element of the page that a mask or a clip path is: `url(#shape)`."""
    match = _REFERENCE.match(value)
    return None if match is None else match[1].decode(errors="replace")


_REFERENCE = compile_later(rb"url\(\s*[\"']?#([^\"')\s]+)")


def _clips_all(value: bytes) -> bool:
    """inset(…) whose opposite sides meet, a circle or ellipse without radius, a polygon that is a point or a line, a
    rectangle without a side."""
    shape, _, inside = value.partition(b"(")
    if shape == b"inset":
        numbers = [float(n) if unit == b"%" else 0.0 for n, unit in NUMBER.findall(inside.partition(b"round")[0])]
        count = len(numbers)
        if not 1 <= count <= 4:
            return False
        if all(abs(size) >= _WIDE_INSET for size in all_pixels(inside)):
            return True
        top, right = numbers[0], numbers[1 % count]
        bottom, left = numbers[2] if count > 2 else top, numbers[3] if count > 3 else right
        return top + bottom >= 100 or left + right >= 100
    if shape in (b"circle", b"ellipse"):
        radii, _, place = inside.partition(b"at ")
        radius = NUMBER.match(radii.lstrip())
        if radius is None:
            return False
        centre, size = NUMBER.findall(place), all_pixels(radii)[:1]
        outside = any(-at >= edge for at in all_pixels(place) for edge in size)
        beyond = radius[2] == b"%" and any(unit == b"%" and float(at) >= 150 + float(radius[1]) for at, unit in centre)
        return outside or beyond or float(radius[1]) * (1 if radius[2] == b"%" else 0.5) < 0.5
    if shape == b"path":
        return _is_flat([float(n) for n, _ in NUMBER.findall(inside)]) and not _CURVES.search(inside)
    if shape in (b"rect", b"xywh"):
        parts = inside.partition(b"round")[0].rstrip(b") ").split()
        # Of a rectangle `auto` is the edge of the box.
        sides = [pixels(part) if part != b"auto" else edge for part, edge in zip(parts, _EDGES, strict=False)]
        if len(parts) != 4 or None in sides:
            return False
        top, right, bottom, left = (side or 0.0 for side in sides)
        if shape == b"xywh":  # left, top, width, height
            return min(bottom, left) <= 0 or any(part.endswith(b"%") and float(part[:-1]) >= 100 for part in parts[:2])
        return right <= left or bottom <= top
    points = {b" ".join(point.split()) for point in inside.rstrip(b") ").split(b",")}
    if shape != b"polygon":
        return False
    corners = [(float(size), unit) for size, unit in NUMBER.findall(inside)]
    alike = len({unit for size, unit in corners if size}) <= 1 and len(corners) == 2 * (inside.count(b",") + 1)
    shares = {unit for _, unit in corners} <= {b"%", b""}
    return len(points) <= 2 or (alike and _is_flat([size for size, _ in corners], 100.0 if shares else math.inf))


def _is_flat(numbers: list[float], edge: float = math.inf) -> bool:
    """Whether points (x, y, x, y, …) span no area, or lie all on one side of the box, which ends at an edge."""
    across, down = numbers[::2], numbers[1::2]
    if not across or not down:
        return True
    flat = max(across) <= min(across) or max(down) <= min(down)
    return flat or min(max(across), max(down)) <= 0 or max(min(across), min(down)) >= edge


_EDGES = (0.0, math.inf, math.inf, 0.0)


_CURVES = compile_later(rb"[hvcsqtaz]*[hvcsqta]", re.IGNORECASE)


def travels_out(value: bytes) -> bool:
    """A path along which a box is moved, that begins out of sight."""
    if not value.startswith(b"path("):
        return False
    numbers = [float(n) for n, _ in NUMBER.findall(value)][:2]
    return any(is_far(b"%f" % number) for number in numbers)


_TURNS = frozenset({b"rotatex", b"rotatey", b"rotate3d"})
_FUNCTION = compile_later(rb"(?<![a-z])([a-z]+(?:[23][a-z]*)?)\(((?:[^()]++|\([^()]*+\))*+)\)")


def transform(value: bytes) -> Outcome:
    """A scale of nothing, or a shift out of sight; the share of a scale that leaves little; or how a box is turned or
    shifted."""
    left, depth = 1.0, None
    functions = _FUNCTION.findall(value)
    for name, inside in functions:
        parts = split_list(inside)
        if name in (b"scale", b"scalex", b"scaley", b"scale3d"):
            left *= min(abs(size) if (size := share(part)) is not None else 1.0 for part in parts[:2])
        if name == b"perspective":
            depth = pixels(parts[0])
        if name in (b"translatez", b"translate3d") and depth and (pixels(parts[-1]) or 0) >= depth:
            return True  # behind the eye
        if name in (b"translate", b"translatex", b"translate3d") and _shifts_double(parts[0]):
            return DOUBLE_SHIFT
        if name in (b"skew", b"skewx", b"skewy") and any(map(_is_right_angle, parts)):
            return True
        if name.startswith(b"translate") and any(map(is_far, parts[:2])):
            return True
        if name in (b"matrix", b"matrix3d") and _matrix(all_pixels(inside)):
            return True
    turns = [[name[6:], *inside.split(b",")] for name, inside in functions if name in _TURNS]
    return turned(turns) or scale_left(left)


def _is_right_angle(value: bytes) -> bool:
    angle = _ANGLE.fullmatch(value)
    return angle is not None and abs(float(angle[1]) * _DEGREES[angle[2]] % 180 - 90) < 0.5


def scale_left(left: float) -> Outcome:
    """What hides of a scale: nothing is left, or so little that with another one around it nothing is."""
    return left <= MAX_INVISIBLE_SHARE or (left if left <= _MAX_SMALL_SCALE else False)


_MAX_SMALL_SCALE = 0.35


def _shifts_double(value: bytes) -> bool:
    match = NUMBER.fullmatch(value)
    return match is not None and match[2] == b"%" and float(match[1]) <= -200


def translate(value: bytes) -> Outcome:
    """A shift out of sight."""
    parts = value.split()
    return True if any(map(is_far, parts)) else DOUBLE_SHIFT if parts and _shifts_double(parts[0]) else False


def turned(turns: list[list[bytes]]) -> Outcome:
    """Turns around axes in the plane of the page, [axis …, angle]: by a right angle what is left is a line, by more the
    back of the box is seen.

    rotateX(90deg), rotateY(90deg), rotate3d(1, 0, 0, 90deg); `rotate: x 90deg`.  A turn in the plane hides nothing.
    """
    angles = [0.0, 0.0]
    for turn in turns:
        angle, axis = _ANGLE.fullmatch(turn[-1].strip()), [part.strip() for part in turn[:-1]]
        flat = axis in ([b"x"], [b"y"]) or (len(axis) > 2 and any(pixels(part) for part in axis[-3:-1]))
        if angle is not None and flat:
            angles[axis == [b"y"] or (len(axis) > 2 and not pixels(axis[-3]))] += float(angle[1]) * _DEGREES[angle[2]]
    across = math.prod(math.cos(math.radians(angle)) for angle in angles)
    return abs(across) < _MIN_ACROSS or (FROM_BEHIND if across < 0 else False)


_MIN_ACROSS = 0.01
_ANGLE = compile_later(rb"([+-]?\d{1,6}(?:\.\d{0,12})?|[+-]?\.\d{1,12})(deg|turn|rad|grad)")
_DEGREES = {b"deg": 1.0, b"turn": 360.0, b"rad": 57.29578, b"grad": 0.9}


def _matrix(numbers: list[float]) -> bool:
    """matrix(a, b, c, d, x, y) makes an area of |ad - bc|; the one of three dimensions has the same in its corner."""
    if len(numbers) == 16:
        numbers = [*numbers[:2], *numbers[4:6], *numbers[12:14]]
    if len(numbers) != 6:
        return False
    a, b, c, d, x, y = numbers
    return a * d == b * c or any(is_far(b"%f" % shift) for shift in (x, y))


def filtered(value: bytes) -> bool:
    """`opacity(0)` among the filters, a blur that leaves no letter, or black that is made white on the way."""
    light = 0.0
    for name, inside in _FUNCTION.findall(value):
        amount = share(inside.strip()) if inside.strip() else 1.0
        if (name == b"opacity" and is_clear(inside.strip())) or (
            name == b"blur" and (pixels(inside.strip()) or 0) >= _MAX_READABLE_BLUR
        ):
            return True
        if amount is not None and name in _LIGHTS:
            light = min(max(_LIGHTS[name](light, amount), 0.0), 1.0)
    return light >= _MIN_WHITE_LIGHT


_MAX_READABLE_BLUR = 12.0  # pixels
_MIN_WHITE_LIGHT = 0.96
_LIGHTS: dict[bytes, Callable[[float, float], float]] = {
    b"brightness": lambda light, amount: light * amount,
    b"contrast": lambda light, amount: (light - 0.5) * amount + 0.5,
    b"invert": lambda light, amount: light + (1 - 2 * light) * min(amount, 1.0),
}


def masked(value: bytes) -> Outcome:
    """A mask of nothing: a gradient all of whose colours are transparent, an image of one clear pixel, or one that is
    not repeated and is smaller than a letter; or that an element of the page says what is left."""
    if value.startswith(b"url("):
        return BY_ELEMENT if refers_to(value) is not None else bool(_CLEAR_PIXEL.match(value))
    if b"gradient(" not in value:
        return False
    size = _MASK_SIZE.search(value) if b"no-repeat" in value else None
    return gradient(value) == {TRANSPARENT} or (size is not None and is_less_than_letter(size[1]))


# A GIF of one pixel, GIF89a 01 00 01 00, that is transparent, 21 F9 04 01; base64 in lower case.
_CLEAR_PIXEL = compile_later(rb"url\([\"']?data:image/gif;base64,r0lgodlhaqab[^\s\"')]{1,40}(?:ifkeaq|yh5bae|h\+qqb)")


def is_less_than_letter(value: bytes) -> bool:
    """A width and a height that leave nothing to be read, or one of nothing."""
    sizes = value.split()
    return all(map(_is_less_than_letter, sizes)) or any(pixels(size) == 0 for size in sizes)


def _is_less_than_letter(value: bytes) -> bool:
    size = pixels(value)
    return size is not None and size <= _MAX_SMALL_MASK and not value.endswith(b"%")


_MAX_SMALL_MASK = 10.0  # pixels
_MASK_SIZE = compile_later(rb"/\s*([\d.]+[a-z]*(?:\s+[\d.]+[a-z]*)?)\s*(?:,|$|no-repeat)")
