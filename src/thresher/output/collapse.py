"""The white space of a whole page at once: collapsed, line ends put in, unwanted characters taken out.

Works on the bytes of UTF-8, in one pass; `characters.collapse` does the same to one string.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.output.kernels import collapse, join_texts
from thresher.output.line_kernels import has_invisible_row, note_lines
from thresher.page import Page
from thresher.page.types import Rows
from thresher.text.invisible import BOUNDS, KINDS, LEADS, without_invisible_runs, without_invisible_runs_utf8
from thresher.text.patterns import compile_later

__all__ = [
    "BEGINS_WHITE",
    "BLOCK_SIGN",
    "ENDS_WHITE",
    "LINE_SIGN",
    "PART_SIGN",
    "TAB_SIGN",
    "collapsed",
    "collapsed_in_place",
    "collapsed_parts",
    "joined",
    "lines",
    "place_sign",
    "with_places",
    "without_invisible_rows",
]


# No UTF-8 holds these bytes, so they can say where a paragraph, a line or a cell ends and where something is to be
# put in later.  A paragraph ends with two, for two line ends.
BLOCK_SIGN, LINE_SIGN, TAB_SIGN = b"\xf8\xf8", b"\xf9", b"\xfa"
PART_SIGN = b"\xfd"  # between texts that are told apart later; it stays
_PLACE = compile_later(rb"\xfb(\d+)\xfc")
BEGINS_WHITE, ENDS_WHITE = 1, 2  # what is noted of lines


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


def lines(page: Page, kept: Rows, signs: bytes) -> tuple[list[str], bytes]:
    """Each of the kept texts as one line, runs of invisible characters as they are: `characters.collapse` of each; and
    what is noted of each: whether it BEGINS_WHITE or ENDS_WHITE in the page, and the bits of its bytes in `signs`."""
    text, notes = joined(page, kept, np.zeros(len(kept), np.int8), PART_SIGN + b"\0"), bytearray(len(kept))
    room = memoryview(text)
    length = collapse(room, LEADS, BOUNDS, KINDS)
    room = room[: length if length >= 0 else -1 - length]
    length = note_lines(page.utf8, page.start, page.stop, kept, PART_SIGN[0], signs, room, memoryview(notes))
    return str(room[:length], "utf-8").split("\n"), bytes(notes)


def collapsed_parts(parts: list[bytes]) -> list[str] | None:
    """Each of some texts as one line; None where characters that show nothing may stand in a row."""
    text = bytearray(PART_SIGN.join(parts))
    length = collapse(memoryview(text), LEADS, BOUNDS, KINDS)
    if length < 0:
        return None
    return [line.strip(b" ").decode() for line in text[:length].split(PART_SIGN)]


def without_invisible_rows(text: str) -> str:
    """`without_invisible_runs`, which reads the few texts again in which there may be something to take out."""
    if text.isascii() or not has_invisible_row(text.encode("utf-8", "replace"), LEADS, BOUNDS, KINDS):
        return text
    return without_invisible_runs(text)


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
