"""The white space of a whole page at once: collapsed, line ends put in, unwanted characters taken out.

Works on the bytes of UTF-8, in one pass; `characters.collapse` does the same to one string.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.output.kernels import collapse, join_texts
from thresher.page import Page
from thresher.page.types import Rows
from thresher.text.invisible import BOUNDS, KINDS, LEADS, without_invisible_runs_utf8
from thresher.text.patterns import compile_later

__all__ = [
    "BLOCK_SIGN",
    "LINE_SIGN",
    "PART_SIGN",
    "TAB_SIGN",
    "collapsed",
    "collapsed_in_place",
    "joined",
    "lines",
    "place_sign",
    "white_ends",
    "with_places",
]


# No UTF-8 holds these bytes, so they can say where a paragraph, a line or a cell ends and where something is to be
# put in later.  A paragraph ends with two, for two line ends.
BLOCK_SIGN, LINE_SIGN, TAB_SIGN = b"\xf8\xf8", b"\xf9", b"\xfa"
PART_SIGN = b"\xfd"  # between texts that are told apart later; it stays
_PLACE = compile_later(rb"\xfb(\d+)\xfc")
_IS_SPACE = np.array([byte < 128 and chr(byte).isspace() for byte in range(256)])
# All other white space there is, in UTF-8.
_WIDE_SPACES = tuple(
    chr(number).encode()
    for number in (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
)
_MAY_BEGIN_SPACE, _MAY_END_SPACE = np.zeros((2, 256), bool)
_MAY_BEGIN_SPACE[[space[0] for space in _WIDE_SPACES]] = True
_MAY_END_SPACE[[space[-1] for space in _WIDE_SPACES]] = True


def place_sign(number: int) -> bytes:
    """Stands for the piece of this number until `with_places` puts it in."""
    return b"\xfb%d\xfc" % number


def with_places(text: bytes, pieces: list[str]) -> bytes:
    """Put the pieces where their signs stand."""
    return _PLACE.sub(lambda match: pieces[int(match[1])].encode(), text)


def joined(page: Page, kept: Rows, gap: NDArray[np.int8], signs: bytes) -> bytearray:
    """The kept texts, before each the sign of its gap: signs[2 g:2 g + 2] but NULs."""
    text = bytearray(int(page.stop[kept[-1]] - page.start[kept[0]]) + 2 * len(kept) if len(kept) else 0)
    length = join_texts(page.utf8, page.start, page.stop, kept, gap, signs, memoryview(text))
    del text[length:]
    return text


def lines(page: Page, kept: Rows) -> list[str]:
    """Each of the kept texts as one line, runs of invisible characters as they are: `characters.collapse` of each."""
    text = joined(page, kept, np.zeros(len(kept), np.int8), PART_SIGN + b"\0")
    length = collapse(memoryview(text), LEADS, BOUNDS, KINDS)
    del text[length if length >= 0 else -1 - length :]
    joined_lines = text.replace(PART_SIGN, b"\n").decode()
    found = joined_lines.split("\n")[1:]
    if " \n" in joined_lines or "\n " in joined_lines or joined_lines.endswith(" "):
        return [line.strip(" ") for line in found]
    return found


def white_ends(page: Page, texts: Rows) -> tuple[list[bool], list[bool]]:
    """Which of some texts begin with white space, and which end with it, as they stand in the page."""
    utf8, start, stop = np.frombuffer(page.utf8, np.uint8), page.start[texts], page.stop[texts]
    first, last = utf8[start], utf8[stop - 1]
    begins: list[bool] = _IS_SPACE[first].tolist()
    ends: list[bool] = _IS_SPACE[last].tolist()
    for place in _MAY_BEGIN_SPACE[first].nonzero()[0].tolist():
        begins[place] = page.utf8.startswith(_WIDE_SPACES, int(start[place]), int(stop[place]))
    for place in _MAY_END_SPACE[last].nonzero()[0].tolist():
        ends[place] = page.utf8.endswith(_WIDE_SPACES, int(start[place]), int(stop[place]))
    return begins, ends


def collapsed(text: bytes) -> bytes:
    """One space for each run of white space, none beside a line end, and line ends and tabs for the signs; the
    strongest where signs meet with nothing to print between, none at the ends."""
    return collapsed_in_place(bytearray(text))


def collapsed_in_place(text: bytearray) -> bytes:
    """The same; what was given is written over."""
    length = collapse(memoryview(text), LEADS, BOUNDS, KINDS)
    if length >= 0:
        return bytes(text[:length])
    return without_invisible_runs_utf8(bytes(text[: -1 - length]))
