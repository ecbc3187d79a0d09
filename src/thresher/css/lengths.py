"""Lengths, for judging "far out", "tiny" and "nothing" only: in pixels, whatever the unit; sums of `calc` too."""

from __future__ import annotations

import re

from thresher.text.patterns import compile_later

__all__ = [
    "MAX_INVISIBLE_SHARE",
    "NUMBER",
    "all_pixels",
    "back_far",
    "is_beyond",
    "is_clear",
    "is_far",
    "is_flat",
    "is_nil",
    "is_tiny",
    "is_zero",
    "pixels",
    "share",
    "up_far",
]

FAR_OUT = -900.0  # pixels: further left or up than this is out of sight on any screen
FAR_RIGHT = 9000.0
MAX_INVISIBLE_SHARE = 0.02  # an opacity or a scale up to this leaves nothing that can be read
TINY = 1.0  # pixels: a box of this size shows nothing (the usual screen-reader rule makes it 1px)

# Sizes of CSS units in pixels.  A percentage is of a narrow column, so that a slide at -100% is not far.
_UNITS = {
    b"": 1.0, b"px": 1.0, b"em": 16.0, b"rem": 16.0, b"ex": 8.0, b"ch": 8.0, b"pt": 1.33, b"pc": 16.0, b"in": 96.0,
    b"cm": 37.8, b"mm": 3.78, b"vw": 12.8, b"vh": 9.0, b"vmin": 9.0, b"vmax": 12.8, b"%": 4.0,
}  # fmt: skip
NUMBER = compile_later(rb"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)(%|[a-z]*)")


def pixels(value: bytes) -> float | None:
    """A length in pixels; None for what is no plain length."""
    match = NUMBER.fullmatch(value)
    if match is None:
        return _calculated(value) if value.startswith(_FUNCTIONS) else None
    return float(match[1]) * _UNITS[match[2]] if match[2] in _UNITS else None


def all_pixels(value: bytes) -> list[float]:
    """Every length in a value."""
    return [float(number) * _UNITS.get(unit, 0.0) for number, unit in NUMBER.findall(value)]


def is_far(value: bytes) -> bool:
    """Out of sight, to the left or up, or very far to the right."""
    size = pixels(value)
    return size is not None and (size <= FAR_OUT or size >= FAR_RIGHT)


def up_far(value: bytes) -> bool:
    """Out of sight, to the left or up."""
    size = pixels(value)
    return size is not None and size <= FAR_OUT


def is_beyond(value: bytes) -> bool:
    """As much as the window is wide or high, or more, in units of it, or more than any: where a fixed box is out of
    sight."""
    match = NUMBER.fullmatch(value)
    if match is None or match[2] not in _WINDOW_UNITS:
        size = pixels(value) or 0
        return size <= FAR_OUT or size >= _MAX_WINDOW
    return abs(float(match[1])) >= 100


def back_far(value: bytes, window: float) -> bool:
    """A side to the right or below that is moved in by a window or more: the box is out of sight to the left or up."""
    size = pixels(value)
    return size is not None and size >= window and not value.endswith(b"%")


_MAX_WINDOW = 3840.0  # pixels
_WINDOW_UNITS = frozenset({b"vw", b"vh", b"vmax", b"%", b"dvh", b"svh", b"lvh", b"dvw"})


def is_tiny(value: bytes) -> bool:
    """A pixel or less."""
    size = pixels(value)
    return size is not None and size <= TINY


def is_flat(value: bytes) -> bool:
    """A height of a pixel or less; a share of a height that is not known is all that the box needs."""
    return is_tiny(value) and not value.endswith(b"%")


def is_zero(value: bytes) -> bool:
    """Nothing, or less."""
    size = pixels(value)
    return size is not None and size <= 0


def is_nil(value: bytes) -> bool:
    """Nothing, as a scale: -1 is a mirror image."""
    size = pixels(value.rstrip(b"%"))
    return size is not None and abs(size) <= (
        100 * MAX_INVISIBLE_SHARE if value.endswith(b"%") else MAX_INVISIBLE_SHARE
    )


def share(value: bytes) -> float | None:
    """An opacity: 30% is 0.3."""
    number = pixels(value.rstrip(b"%"))
    return number / 100 if number is not None and value.endswith(b"%") else number


def is_clear(value: bytes) -> bool:
    """Nothing, as an opacity."""
    left = share(value)
    return left is not None and left <= MAX_INVISIBLE_SHARE


# ---- calc ----------------------------------------------------------------------------------------------------

_FUNCTIONS = (b"calc(", b"min(", b"max(", b"clamp(")
_TOKEN = compile_later(rb"\s*(" + NUMBER.pattern + rb"(?!\()|(?:calc|min|max|clamp)\(|[-+*/(),])\s*")
_MAX_CALC_BYTES, _MAX_CALC_BRACKETS = 100, 10  # bytes of a sum that are looked at, and brackets in them


def _calculated(value: bytes) -> float | None:
    """`calc(-1 * (100px + 2em))`, `min(…)`, `max(…)`, `clamp(…)` in pixels; None for what else stands in it.

    Precedence climbing, no recursion but for brackets.
    """
    if len(value) > _MAX_CALC_BYTES or value.count(b"(") > _MAX_CALC_BRACKETS:
        return None
    tokens, at = [], 0
    while at < len(value):
        match = _TOKEN.match(value, at)
        if match is None:
            return None
        tokens.append(match)
        at = match.end()
    shares = _PERCENT_SIZES if b"%" in value else _PERCENT_SIZES[:1]
    sums = [_Sum([_operand(match, share) for match in tokens]) for share in shares]
    totals = [(reader.sum(), reader.at == len(tokens)) for reader in sums]
    known = [total for total, read in totals if read and total is not None]
    return max(known) if len(known) == len(totals) else None


_PERCENT_SIZES = (
    _UNITS[b"%"],
    12.8,
)  # a percentage of a narrow column and of the window: `calc(100% - 480px)` is something


def _operand(match: re.Match[bytes], share: float) -> float | bytes:
    """A number in pixels, or an operator."""
    if match[2] is None:
        return b"(" if match[1] == b"calc(" else match[1].strip()
    return float(match[2]) * (share if match[3] == b"%" else _UNITS.get(match[3], float("nan")))


class _Sum:
    """A sum of products, read from left to right; NaN for what is wrong, which makes all of it NaN."""

    def __init__(self, tokens: list[float | bytes]) -> None:
        self.tokens = tokens
        self.at = 0

    def _next(self, *operators: bytes) -> bytes:
        token = self.tokens[self.at] if self.at < len(self.tokens) else b""
        if isinstance(token, bytes) and token in operators:
            self.at += 1
            return token
        return b""

    def sum(self) -> float | None:
        total = self._product()
        while operator := self._next(b"+", b"-"):
            other = self._product()
            total += other if operator == b"+" else -other
        return None if total != total else total

    def _product(self) -> float:
        total = self._value()
        while operator := self._next(b"*", b"/"):
            other = self._value()
            if operator == b"/":
                other = 1 / other if other else float("nan")
            total *= other
        return total

    def _value(self) -> float:
        if self._next(b"("):
            total = self.sum()
            return float("nan") if total is None or not self._next(b")") else total
        if function := self._next(b"min(", b"max(", b"clamp("):
            return self._chosen(function)
        token = self.tokens[self.at] if self.at < len(self.tokens) else b""
        if isinstance(token, bytes):
            return float("nan")
        self.at += 1
        return token

    def _chosen(self, function: bytes) -> float:
        """clamp(low, x, high) is max(low, min(x, high))."""
        values = [self.sum()]
        while self._next(b","):
            values.append(self.sum())
        known = [value for value in values if value is not None]
        if len(known) < len(values) or not self._next(b")"):
            return float("nan")
        if function == b"clamp(":
            return max(known[0], min(known[1:])) if len(known) == 3 else float("nan")
        return min(known) if function == b"min(" else max(known)
