"""The texts of a whole page as bytes: signs between them, white space collapsed, unwanted characters taken out.

Works on UTF-8, in one go; `characters.collapse` does the same to one string.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.output.containers import JOINED, NOT_SHOWN
from thresher.output.kernels import write_texts
from thresher.output.line_kernels import has_invisible_row, note_lines
from thresher.page import Page
from thresher.page.types import Ints, Rows
from thresher.text.invisible import BOUNDS, KINDS, LEADS, without_invisible_runs, without_invisible_runs_utf8
from thresher.text.patterns import compile_later

__all__ = [
    "BEGINS_WHITE",
    "BLOCK_SIGN",
    "ENDS_WHITE",
    "NO_TEXT",
    "PART_SIGN",
    "collapsed_parts",
    "lines",
    "place_sign",
    "with_places",
    "without_invisible_rows",
    "written",
]


# No UTF-8 holds these bytes, so they can say where a paragraph, a line or a cell ends and where something is to be
# put in later.  A paragraph ends with two, for two line ends.
BLOCK_SIGN, _LINE_SIGN, _TAB_SIGN = b"\xf8\xf8", b"\xf9", b"\xfa"
PART_SIGN = b"\xfd"  # between texts that are told apart later; it stays
_SIGNS = b"".join(sign.ljust(2, b"\0") for sign in (b"", b" ", _LINE_SIGN, BLOCK_SIGN, _TAB_SIGN))  # of each gap
_PART = PART_SIGN + b"\0"
NO_TEXT = 8  # bit of a gap: only its sign is written
_NOWHERE: Ints = np.zeros(1, np.int32)
_NOTHING: Ints = _NOWHERE[:0]
_Texts = tuple[bytes, Ints, Ints]  # their bytes, and where in these each starts and stops
_PLACE = compile_later(rb"\xfb(\d+)\xfc")
BEGINS_WHITE, ENDS_WHITE = 1, 2  # what is noted of lines


def place_sign(number: int) -> bytes:
    """Stands for the piece of this number until `with_places` puts it in."""
    return b"\xfb%d\xfc" % number


def with_places(text: bytes, pieces: list[str]) -> bytes:
    """Put the pieces where their signs stand."""
    return _PLACE.sub(lambda match: pieces[int(match[1])].encode(), text)


def written(page: Page, gap: NDArray[np.int8], size: int, added: dict[int, bytes] | None = None) -> bytes:
    """The texts that have a gap, which have so many bytes, before each the sign of it: one space for each run of white
    space, none beside a line end, and line ends and tabs for the signs; the strongest where signs meet with nothing to
    print between, none at the ends.

    What is `added` stands before the sign of text t (at 3 t), between the two (3 t + 1) or behind the text (3 t + 2).
    """
    places, edges, pieces = _NOTHING, _NOWHERE, b""
    if added:
        at = sorted(added)
        places, edges = np.array(at, np.int32), np.zeros(len(at) + 1, np.int32)
        np.cumsum([len(added[place]) for place in at], out=edges[1:])
        pieces = b"".join([added[place] for place in at])
    text, in_rows = _write((page.utf8, page.start, page.stop), gap, size, _SIGNS, places, edges, pieces)
    utf8 = text.tobytes()
    return without_invisible_runs_utf8(utf8) if in_rows else utf8


def _write(
    texts: _Texts, gap: NDArray[np.int8], size: int, signs: bytes, places: Ints, edges: Ints, added: bytes
) -> tuple[memoryview, bool]:
    """The bytes, and whether characters that show nothing may stand in a row."""
    room = size + 2 * len(gap) + len(added)
    words, text = np.empty(room // 8 + 1, np.uint64), np.empty(room + 8, np.uint8)
    length: int = write_texts(
        *texts, gap, signs, places, edges, added, LEADS, BOUNDS, KINDS, words.view(np.uint8), words, text
    )
    return text[: length if length >= 0 else -1 - length].data, length < 0


def lines(page: Page, kept: Rows, signs: bytes) -> tuple[list[str], bytes]:
    """Each of the kept texts as one line, runs of invisible characters as they are: `characters.collapse` of each; and
    what is noted of each: whether it BEGINS_WHITE or ENDS_WHITE in the page, and the bits of its bytes in `signs`."""
    notes = bytearray(len(kept))
    if not len(kept):
        return [""], bytes(notes)
    gap = np.full(len(page.start), NOT_SHOWN, np.int8)
    gap[kept] = JOINED
    size = int(page.stop[kept[-1]] - page.start[kept[0]])
    text, _ = _write((page.utf8, page.start, page.stop), gap, size, _PART, _NOTHING, _NOWHERE, b"")
    length = note_lines(page.utf8, page.start, page.stop, kept, PART_SIGN[0], signs, text, memoryview(notes))
    return str(text[:length], "utf-8").split("\n"), bytes(notes)


def collapsed_parts(parts: list[bytes]) -> list[str] | None:
    """Each of some texts as one line; None where characters that show nothing may stand in a row."""
    whole = PART_SIGN.join(parts)
    texts = whole, _NOWHERE, np.array([len(whole)], np.int32)
    text, in_rows = _write(texts, np.full(1, JOINED, np.int8), len(whole), _SIGNS, _NOTHING, _NOWHERE, b"")
    return None if in_rows else [line.strip(b" ").decode() for line in bytes(text).split(PART_SIGN)]


def without_invisible_rows(text: str) -> str:
    """`without_invisible_runs`, which reads the few texts again in which there may be something to take out."""
    if text.isascii() or not has_invisible_row(text.encode("utf-8", "replace"), LEADS, BOUNDS, KINDS):
        return text
    return without_invisible_runs(text)
