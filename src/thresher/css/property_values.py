"""What the value of one declaration says: hides, shows, or nothing, because CSS would not accept it."""

from __future__ import annotations

from collections.abc import Callable

from thresher.css.lengths import (
    NUMBER,
    TINY,
    back_far,
    is_beyond,
    is_clear,
    is_far,
    is_tiny,
    is_zero,
    pixels,
    share,
    up_far,
)
from thresher.css.outcome import (
    DOUBLE_SHIFT,
    IF_CUT,
    IF_FIXED,
    IF_NO_LARGER,
    ONLY_UP,
    Outcome,
    ValueReader,
)
from thresher.css.shapes import scale_left, turned
from thresher.text.patterns import compile_later

__all__ = [
    "DISPLAYS",
    "animation",
    "any_of",
    "clips_to_text",
    "contained",
    "font",
    "font_size",
    "from_below",
    "from_right",
    "indent",
    "is_narrow",
    "line_height",
    "margin",
    "margins",
    "measure",
    "offset",
    "opacity",
    "overflow",
    "position",
    "ratio",
    "replaced",
    "rotate",
    "scale",
    "sides",
    "tall",
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
        if verdict is not False:
            return verdict
        return IF_FIXED if is_beyond(value) else IF_NO_LARGER if (pixels(value) or 0) <= _FEW_OUT else False

    return read


def zoom(value: bytes) -> Outcome:
    """How large letters are made; with others around it that may be too small to be read."""
    left = share(value)
    return False if value == b"normal" or left == 0 else left


def opacity(value: bytes) -> Outcome:
    """What is left of an element, where that is less than a half: with others around it that may be nothing."""
    number = NUMBER.fullmatch(value)
    if number is not None and number[2] not in (b"", b"%"):
        return None
    verdict, left = _OPACITY(value), share(value)
    return left if verdict is False and left is not None and left < _FADING_BELOW else verdict


def line_height(value: bytes) -> Outcome:
    """Lines without a height, which a box that cuts off what does not fit does not show."""
    return is_zero(value) if value != b"normal" else False


_FEW_OUT = -100.0  # pixels
_FADING_BELOW = 0.5
_BOX_WORDS = frozenset(
    b"auto none normal initial fit-content min-content max-content -webkit-fill-available stretch".split()
)
_OPACITY = measure(is_clear)
_INDENT, _MARGIN = measure(is_far), measure(up_far)
DISPLAYS = b"""
    block inline inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell table-row-group
    table-header-group table-footer-group table-column table-column-group table-caption list-item contents flow
    flow-root run-in ruby math initial -webkit-box -webkit-flex -webkit-inline-box -webkit-inline-flex -ms-flexbox
    -ms-grid
"""
_SCROLLS = b"visible auto scroll overlay initial hidden clip"


def sides(value: bytes) -> Outcome:
    """The sides of a placed box: far out, or a share below 1 as `offset` has it."""
    parts = value.split()
    if any(map(is_far, parts)):
        return True
    return IF_FIXED if any(map(is_beyond, parts)) else False


def from_right(value: bytes) -> bool:
    """So far from the right, or beyond it, that a box is out of sight."""
    return is_far(value) or back_far(value, _WINDOW_WIDTH)


def from_below(value: bytes) -> bool:
    """So far up from below that a box is out of sight; one that is further down is scrolled to."""
    return back_far(value, 2 * _WINDOW_HEIGHT)


_WINDOW_WIDTH, _WINDOW_HEIGHT = 1280.0, 800.0  # pixels of the imagined window


def margins(value: bytes) -> Outcome:
    """Margins that move a box out of sight; a share below 1 where only those above do, which a line has not."""
    parts = value.split()
    if not any(map(up_far, parts)):
        return False
    left = parts[3] if len(parts) > 3 else parts[1] if len(parts) > 1 else parts[0]
    return True if up_far(left) else ONLY_UP


def indent(value: bytes) -> Outcome:
    """Far out to the left; a share below 1 to the right, by the width of the box itself or more, as images stand in for
    a text: that hides a line that is not broken, in a box that cuts off what does not fit."""
    match = NUMBER.fullmatch(value)
    if match is not None and (pixels(value) or 0) > 0:
        return IF_CUT if is_far(value) or (match[2] == b"%" and float(match[1]) >= 100) else False
    return _INDENT(value)


def overflow(value: bytes) -> Outcome:
    """A box that scrolls shows nothing where it has no size, as one that cuts off what does not fit."""
    return not value.startswith((b"visible", b"initial")) if set(value.split()) <= set(_SCROLLS.split()) else None


def is_narrow(value: bytes) -> bool:
    """Letters that stand on top of each other, or run backwards; those of headings are set a pixel closer."""
    size = pixels(value)  # a percentage is of the letters' own size
    return size is not None and size <= (-200 if value.endswith(b"%") else -8)


def margin(value: bytes) -> Outcome:
    """A margin to the left that moves a box out of sight."""
    match = NUMBER.fullmatch(value)
    if match is not None and match[2] == b"%" and float(match[1]) <= -200:
        return DOUBLE_SHIFT
    return _MARGIN(value)


def scale(value: bytes) -> Outcome:
    """The least of the scales across and down."""
    sizes = [share(part) for part in value.split()[:2]]
    known = [abs(size) for size in sizes if size is not None]
    return scale_left(min(known)) if known and len(known) == len(sizes) else False


def tall(value: bytes) -> Outcome:
    """A height that a box has at least, or without what is in it."""
    parts = [part for part in value.split() if part != b"auto"]
    return (pixels(parts[-1]) or 0) <= TINY if parts else True


def any_of(hides: Callable[[bytes], bool]) -> ValueReader:
    """Of a property whose values are one or several numbers."""
    return lambda value: any(map(hides, value.split()))


def rotate(value: bytes) -> Outcome:
    """Seen from the side, or a share below 0 from behind."""
    return turned([value.split()])


def replaced(value: bytes) -> Outcome:
    """An image instead of what is in an element."""
    return True if _IMAGE.fullmatch(value) else False if value in (b"normal", b"none", b"initial") else None


_IMAGE = compile_later(rb"url\(\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'()]*)\s*\)(?:\s*/.*)?")


def contained(value: bytes) -> Outcome:
    """A box whose size does not depend on what is in it, and that cuts off what does not fit; a share below 1 for one
    that does not."""
    words = value.split()
    if b"strict" in words or (b"size" in words and (b"paint" in words or b"content" in words)):
        return True
    return IF_CUT if b"size" in words else False


def ratio(value: bytes) -> Outcome:
    """A box that is hardly higher than nothing, however wide."""
    width, _, height = value.rpartition(b" ")[2].partition(b"/") if b" / " not in value else value.partition(b"/")
    sizes = pixels(width.strip()), pixels(height.strip() or b"1")
    return None if None in sizes else bool(sizes[0] and sizes[1] and sizes[0] >= _FLAT_RATIO * sizes[1])


_FLAT_RATIO = 1000


def animation(value: bytes) -> Outcome:
    """One that stays as it ends."""
    words = set(value.replace(b",", b" ").split())
    return not words.isdisjoint((b"forwards", b"both")) and words.isdisjoint((b"infinite", b"paused"))


def position(value: bytes) -> Outcome:
    """Whether a box is moved by its sides; one that sticks is only kept from leaving."""
    return True if value in _PLACED else False if value in _NOT_MOVED else None


_PLACED = (b"absolute", b"fixed", b"relative")
_NOT_MOVED = (b"static", b"initial", b"sticky", b"-webkit-sticky")


def clips_to_text(value: bytes) -> bool:
    return b"text" in value
