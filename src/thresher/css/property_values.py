"""What the value of one declaration says: hides, shows, or nothing, because CSS would not accept it."""

from __future__ import annotations

from collections.abc import Callable

from thresher.css.lengths import NUMBER, is_beyond, is_clear, is_far, is_tiny, is_zero, pixels, share, up_far
from thresher.css.shapes import turned
from thresher.text.patterns import compile_later

__all__ = [
    "DISPLAYS",
    "Outcome",
    "ValueReader",
    "any_of",
    "clips_to_text",
    "font",
    "font_size",
    "is_indented",
    "is_narrow",
    "is_out",
    "is_turned",
    "is_up_out",
    "line_height",
    "measure",
    "offset",
    "opacity",
    "overflow",
    "position",
    "word",
    "zoom",
]


def font_size(value: bytes) -> int | None:
    """0 for a size that can be read, 1 for none at all; a size relative to the parent's says nothing of its own."""
    if is_tiny(value) or (value.endswith(b"%") and (pixels(value) or 0) <= 20):  # a twentieth of the parent's
        return 1
    relative = value.endswith((b"em", b"ex", b"%", b"smaller", b"larger")) and not value.endswith(b"rem")
    return None if relative else 0


def font(value: bytes) -> int | None:
    """The shorthand: its size stands before a slash or is the first length."""
    match = _FONT_LENGTH.search(value)
    return font_size(match[1]) if match else 0


_FONT_LENGTH = compile_later(rb"(?:^|\s)((?:\d+(?:\.\d*)?|\.\d+)(?:%|[a-z]*))(?=[\s/])")


# Hides or not; a colour; a share that is left; None: not valid, or nothing of its own
Outcome = bool | int | bytes | float | None
ValueReader = Callable[[bytes], Outcome]


def word(*hiding: bytes, valid: bytes) -> ValueReader:
    """Of a property whose values are keywords."""
    words = frozenset(valid.split())

    def read(value: bytes) -> Outcome:
        if value in hiding:
            return True
        return False if b"(" in value or words.issuperset(value.split()) else None

    return read


def measure(hides: Callable[[bytes], bool]) -> ValueReader:
    """Of a property whose values are numbers, functions or the keywords of boxes."""

    def read(value: bytes) -> Outcome:
        if hides(value):
            return True
        return False if b"(" in value or value in _BOX_WORDS or NUMBER.fullmatch(value) else None

    return read


def offset(hides: Callable[[bytes], bool]) -> ValueReader:
    """Of a side of a placed box: a share below 1 where it is out of sight if the box is fixed to the window."""
    plain = measure(hides)

    def read(value: bytes) -> Outcome:
        verdict = plain(value)
        return _OUT_IF_FIXED if verdict is False and is_beyond(value) else verdict

    return read


_OUT_IF_FIXED = 0.5
_MIN_READABLE_ZOOM = 0.25  # letters of four pixels


def zoom(value: bytes) -> Outcome:
    """Letters that are made too small to be read."""
    left = share(value)
    return None if left is None else 0 < left <= _MIN_READABLE_ZOOM


def opacity(value: bytes) -> Outcome:
    """What is left of an element, where that is less than a half: with others around it that may be nothing."""
    verdict, left = _OPACITY(value), share(value)
    return left if verdict is False and left is not None and left < _FADING_BELOW else verdict


def line_height(value: bytes) -> Outcome:
    """Lines without a height, which a box that cuts off what does not fit does not show."""
    return is_zero(value) if value != b"normal" else False


_FADING_BELOW = 0.5
_BOX_WORDS = frozenset(b"auto none initial fit-content min-content max-content -webkit-fill-available stretch".split())
_OPACITY = measure(is_clear)
DISPLAYS = b"""
    block inline inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell table-row-group
    table-header-group table-footer-group table-column table-column-group table-caption list-item contents flow
    flow-root run-in ruby math initial -webkit-box -webkit-flex -webkit-inline-box -webkit-inline-flex -ms-flexbox
    -ms-grid
"""
_SCROLLS = b"visible auto scroll overlay initial hidden clip"


def is_out(value: bytes) -> bool:
    return any(map(is_far, value.split()))


def is_up_out(value: bytes) -> bool:
    return any(map(up_far, value.split()))


def is_indented(value: bytes) -> bool:
    """Far out, or by the width of the box itself, as images stand in for a text."""
    match = NUMBER.fullmatch(value)
    return is_far(value) or (match is not None and match[2] == b"%" and float(match[1]) >= 100)


def overflow(value: bytes) -> Outcome:
    """A box that scrolls shows nothing where it has no size, as one that cuts off what does not fit."""
    return not value.startswith((b"visible", b"initial")) if set(value.split()) <= set(_SCROLLS.split()) else None


def is_narrow(value: bytes) -> bool:
    """Letters that stand on top of each other, or run backwards; those of headings are set a pixel closer."""
    size = pixels(value)  # a percentage is of the letters' own size
    return size is not None and size <= (-200 if value.endswith(b"%") else -8)


def any_of(hides: Callable[[bytes], bool]) -> ValueReader:
    """Of a property whose values are one or several numbers."""
    return lambda value: any(map(hides, value.split()))


def is_turned(value: bytes) -> bool:
    return turned(value.split())


def position(value: bytes) -> Outcome:
    return {b"static": False, b"initial": False}.get(value, True if value in _PLACED else None)


_PLACED = (b"absolute", b"fixed", b"relative", b"sticky", b"-webkit-sticky")


def clips_to_text(value: bytes) -> bool:
    return b"text" in value
