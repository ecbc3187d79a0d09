"""Characters that show nothing, and messages written in them.

Some are noise anywhere: control characters, soft hyphens, byte order marks, invisible operators, the tag characters
with which any sentence can be spelled unseen.  They are dropped.  Others belong to the text, one at a time: the joiners
of Persian, Hindi and emoji (U+200C, U+200D), the selectors of a variant (U+FE0F), the zero-width space between words of
Thai, Lao, Burmese and Khmer.  A row of several is no writing but a code: no language needs two of them in a row, save
an emoji's style before its joiner (❤️‍🔥).  Direction marks stay, unless there are more in a row than any text nests.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from thresher.text.patterns import compile_later

__all__ = [
    "BOUNDS",
    "KINDS",
    "LEADS",
    "without_invisible",
    "without_invisible_runs",
    "without_invisible_runs_utf8",
    "without_noise",
]

# C0 but white space, DEL, C1, soft hyphens, invisible operators, deprecated format characters, zero-width no-break
# space, marks of annotations, two noncharacters (not allowed in XML), halves of surrogate pairs, controls of shorthand
# and of music, tag characters.
_NOISE = compile_later(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]+"
)
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai and Lao, Burmese, Khmer
_ZERO_WIDTH_SPACE = compile_later(f"(?<![{_UNSPACED}])\u200b|\u200b(?![{_UNSPACED}])")
_STYLED_JOINER = compile_later("[\ufe00-\ufe0f]\u200d")
# The controls of shorthand and of music, in UTF-8; other signs of music begin alike.
_CONTROLS = compile_later(rb"\xf0\x9b\xb2[\xa0-\xa3]|\xf0\x9d\x85[\xb3-\xba]")
_MAX_SHORT = 2_000  # characters of a string that is read faster one by one
_MAX_DIRECTION_MARKS = 7  # direction marks in a row

Places = NDArray[np.intp]


def without_invisible(value: str) -> str:
    """The string without characters that show nothing and mean nothing where they stand; white space stays."""
    if value.isascii():
        return without_noise(value)
    if value.isprintable() and not value.encode().translate(None, _LEADS_OF_NO_SELECTOR):
        return value  # noise, joiners and marks of direction are not printable
    return without_invisible_runs(without_noise(value))


def without_noise(value: str) -> str:
    """The same, character by character: runs of joiners and selectors stay."""
    if value.isprintable():
        return value
    value = _NOISE.sub("", value)
    return _ZERO_WIDTH_SPACE.sub("", value) if "\u200b" in value else value


def without_invisible_runs(value: str) -> str:
    """The string without runs of invisible characters; of the same joiner several times one stays."""
    if value.isascii() or (len(value) <= _MAX_SHORT and not _two_in_a_row().search(value)):
        return value
    text = value.encode("utf-8", "replace")
    left = without_invisible_runs_utf8(text)
    return value if left is text else left.decode()


def without_invisible_runs_utf8(text: bytes) -> bytes:
    """The same for UTF-8, in which other bytes may stand as well; the very same object if there is nothing to do.

    In a run each character ends where the next begins: at_k + size_k = at_k+1.
    """
    at, kind = _find(text)
    if (kind == _CONTROL).any():
        text = _CONTROLS.sub(b"", text)
        at, kind = _find(text)
    spans = _runs(text, at[(kind == _JOINER) | (kind == _SELECTOR)], 2)
    spans += _runs(text, at[(kind == _JOINER) | (kind == _DIRECTION)], _MAX_DIRECTION_MARKS + 1)
    if not spans:
        return text
    pieces: list[bytes] = []
    done = 0
    for start, stop in sorted(spans):
        if start >= done:
            pieces += text[done:start], _without_code(text[start:stop].decode()).encode()
            done = stop
    return b"".join((*pieces, text[done:]))


def _find(text: bytes) -> tuple[Places, NDArray[np.uint8]]:
    """Where the characters of the kinds below stand in UTF-8, and of which kind each is.

    The first three bytes tell, for all characters at once: the kind is that of the last bound at or below them.
    """
    array = np.frombuffer(text, np.uint8)
    at = (array >= 0xC2).nonzero()[0]
    at = at[_OF_LEAD[array[at]]]
    if not len(at):
        return at, _KINDS[:0]
    words: NDArray[np.uint32] = np.ndarray((len(text),), ">u4", text + b"\0\0\0", strides=(1,))
    kind = _KINDS[_BOUNDS.searchsorted(words[at] >> np.uint32(8), "right")]
    rows = kind.nonzero()[0]
    return at[rows], kind[rows]


def _runs(text: bytes, at: Places, least: int) -> list[tuple[int, int]]:
    """Start and stop of each run of at least `least` of the characters that begin at the bytes `at`."""
    if len(at) < least:
        return []
    stop = at + _sizes(np.frombuffer(text, np.uint8)[at])
    begins = np.flatnonzero(np.concatenate(([True], stop[:-1] != at[1:])))
    ends = np.append(begins[1:], len(at)) - 1
    long = ends - begins + 1 >= least
    return list(zip(at[begins[long]].tolist(), stop[ends[long]].tolist(), strict=True))


def _sizes(lead: NDArray[np.uint8]) -> Places:
    """How many bytes the characters have that begin with these, all beyond ASCII."""
    return 2 + (lead >= 0xE0).astype(np.intp) + (lead >= 0xF0)


def _without_code(run: str) -> str:
    """What of a run belongs to the text: an emoji's style before its joiner, or one of equal joiners."""
    if _STYLED_JOINER.fullmatch(run):
        return run
    return run[0] if run[0] in "\u200c\u200d" and run.count(run[0]) == len(run) else ""


# Kinds of characters.  White space that is wide, what is dropped anywhere, what is dropped but between two words
# of Thai, Lao, Burmese or Khmer; then those that are dropped in rows, and those that may be controls.
_WHITE, _UNWANTED, _BETWEEN, _JOINER, _SELECTOR, _DIRECTION, _CONTROL = range(1, 8)
_RANGES = (  # by the first three bytes
    (0xC28000, 0xC29FFF, _UNWANTED),  # U+0080–U+009F
    (0xC2A000, 0xC2A0FF, _WHITE),  # U+00A0
    (0xC2AD00, 0xC2ADFF, _UNWANTED),  # U+00AD
    (0xCD8F00, 0xCD8FFF, _SELECTOR),  # U+034F
    (0xE1859F, 0xE185A0, _SELECTOR),  # U+115F, U+1160, fillers of Korean
    (0xE19A80, 0xE19A80, _WHITE),  # U+1680
    (0xE19EB4, 0xE19EB5, _SELECTOR),  # U+17B4, U+17B5
    (0xE1A08B, 0xE1A08F, _SELECTOR),  # U+180B–U+180F
    (0xE28080, 0xE2808A, _WHITE),  # U+2000–U+200A
    (0xE2808B, 0xE2808B, _BETWEEN),  # U+200B
    (0xE2808C, 0xE2808D, _JOINER),  # U+200C, U+200D
    (0xE2808E, 0xE2808F, _DIRECTION),  # U+200E, U+200F
    (0xE280A8, 0xE280A9, _WHITE),  # U+2028, U+2029
    (0xE280AA, 0xE280AE, _DIRECTION),  # U+202A–U+202E
    (0xE280AF, 0xE280AF, _WHITE),  # U+202F
    (0xE2819F, 0xE2819F, _WHITE),  # U+205F
    (0xE281A0, 0xE281A4, _UNWANTED),  # U+2060–U+2064
    (0xE281A6, 0xE281A9, _DIRECTION),  # U+2066–U+2069
    (0xE281AA, 0xE281AF, _UNWANTED),  # U+206A–U+206F
    (0xE38080, 0xE38080, _WHITE),  # U+3000
    (0xE385A4, 0xE385A4, _SELECTOR),  # U+3164
    (0xEFB880, 0xEFB88F, _SELECTOR),  # U+FE00–U+FE0F
    (0xEFBBBF, 0xEFBBBF, _UNWANTED),  # U+FEFF
    (0xEFBEA0, 0xEFBEA0, _SELECTOR),  # U+FFA0
    (0xEFBFB9, 0xEFBFBB, _UNWANTED),  # U+FFF9–U+FFFB
    (0xEFBFBE, 0xEFBFBF, _UNWANTED),  # U+FFFE, U+FFFF
    (0xF09BB2, 0xF09BB2, _CONTROL),  # U+1BC80–U+1BCBF, of which some are controls of shorthand
    (0xF09D85, 0xF09D85, _CONTROL),  # U+1D140–U+1D17F, of which some are controls of music
    (0xF3A080, 0xF3A081, _UNWANTED),  # U+E0000–U+E007F
    (0xF3A084, 0xF3A087, _SELECTOR),  # U+E0100–U+E01FF
)


@cache
def _two_in_a_row() -> re.Pattern[str]:
    """What a run has at least: two of those that are dropped in rows, or what may be a control."""
    in_rows = "".join(_characters(*bounds) for *bounds, kind in _RANGES if kind in (_JOINER, _SELECTOR, _DIRECTION))
    controls = "".join(_characters(*bounds) for *bounds, kind in _RANGES if kind == _CONTROL)
    return re.compile(f"[{in_rows}]{{2}}|[{controls}]")


def _characters(low: int, high: int) -> str:
    """All characters whose first three bytes are in a range, for a regular expression."""
    size = 2 if low < 0xE00000 else 3 if low < 0xF00000 else 4
    first, last = ((bound.to_bytes(3, "big") + end)[:size] for bound, end in ((low, b"\x80"), (high, b"\xbf")))
    return f"{first.decode()}-{last.decode()}"


_SELECTOR_LEADS = {low >> 16 for low, _, kind in _RANGES if kind == _SELECTOR}
_LEADS_OF_NO_SELECTOR = bytes(byte for byte in range(256) if byte not in _SELECTOR_LEADS)
_OF_LEAD = np.zeros(256, bool)
_OF_LEAD[[low >> 16 for low, _, _ in _RANGES]] = True
_BOUNDS = np.array([edge for low, high, _ in _RANGES for edge in (low, high + 1)], np.uint32)
_KINDS = np.array([0] + [step for *_, kind in _RANGES for step in (kind, 0)], np.uint8)
# The same for loops: the bytes that begin such characters, and the kind between two bounds of the first three bytes.
LEADS, BOUNDS, KINDS = _OF_LEAD.tobytes(), _BOUNDS.data, _KINDS.tobytes()
