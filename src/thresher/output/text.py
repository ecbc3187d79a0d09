"""Page and verdict -> plain text.

Paragraphs are separated by blank lines.  List items stand on lines of their own, with blank lines between only where an
item has several blocks.  A row of a data table is one line, a tab between its cells.  A `br` is a line end.  Elsewhere
white space is collapsed as a browser does it; preformatted text keeps its lines and indentation.  A formula is TeX.

No element is visited: the columns say what stands between any two texts, these are joined as bytes with signs for line
ends between them, and the white space of the whole is collapsed at once (collapse.py).  Where a listing, a formula or
the like is to be put in, the texts are pieces of a list before they are joined.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER, group
from thresher.output import formulas, permalinks
from thresher.output.asides import asides
from thresher.output.collapse import (
    BLOCK_SIGN,
    LINE_SIGN,
    PART_SIGN,
    TAB_SIGN,
    collapsed,
    collapsed_in_place,
    joined,
    place_sign,
    with_places,
)
from thresher.output.containers import (
    BLOCK,
    JOINED,
    LINE,
    SPACE,
    TRAITS,
    Rows,
    closing_tag_start,
    elements_with_text,
    gaps,
    has_space_before,
    nearest_ancestor,
    tag_numbers,
)
from thresher.output.formulas import Formula
from thresher.output.gap_kernels import tighten
from thresher.output.grids import find_grids, table_parts
from thresher.output.listings import Listing, listings
from thresher.output.media import in_content, media_mask, picture
from thresher.output.printed import printed_texts, requested
from thresher.output.quotes import is_quoted
from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.page.tree import nearest
from thresher.page.types import Bools
from thresher.text.invisible import without_invisible_runs
from thresher.visible.readable import readable

__all__ = ["to_text", "to_texts"]

_TAB = BLOCK + 1
_SIGNS = (b"", b" ", LINE_SIGN, BLOCK_SIGN, TAB_SIGN)
_PAIRS = b"".join(sign.ljust(2, b"\0") for sign in _SIGNS)
_TABLE, _LINK, _READING, _QUOTE = (NUMBER[name] for name in ("table", "a", "rt", "q"))
_ENCLOSED = frozenset((_READING, _QUOTE))
_MATH = frozenset((NUMBER["math"], NUMBER["thresher-tex"]))
_ITEM_NAMES = ("li", "dt", "dd")
_ITEM, _ITEM_NUMBERS = group(_ITEM_NAMES), frozenset(NUMBER[name] for name in _ITEM_NAMES)
_IMAGE = group(("img",))


def to_text(
    page: Page,
    keep: Bools,
    *,
    links: bool = False,
    images: bool = False,
    tables: bool = True,
    captions: bool = True,
    elements: Bools | None = None,
) -> str:
    """The kept texts as a reader would copy them.

    `links` adds `<address>` after the text of each link, `images` a paragraph `[description] <address>` for each image;
    `tables=False` leaves tables of data out, `captions=False` the captions of pictures.  `elements` is as for
    `media_mask`.
    """
    keep = requested(page, keep, tables=tables, captions=captions)
    return _written(page, keep, links, images, elements)[0].decode()


def to_texts(page: Page, part: NDArray[np.integer[Any]]) -> dict[int, str]:
    """The texts of each part, given the number of the part of every text of the page, -1 for those of none: what
    `to_text` says of each, all written at once."""
    written, numbers = _written(page, part >= 0, part=part)
    texts: dict[int, str] = {}
    for number, text in zip(numbers, written.split(PART_SIGN), strict=False):
        texts[number] = "\n\n".join(filter(None, (texts.get(number, ""), text.decode().strip())))
    return texts


def _written(
    page: Page,
    keep: Bools,
    links: bool = False,
    images: bool = False,
    elements: Bools | None = None,
    part: NDArray[np.integer[Any]] | None = None,
) -> tuple[bytes, list[int]]:
    """The text as UTF-8, a sign where another part begins, and the numbers of the parts in this order."""
    shown = printed_texts(page, keep)
    kept = shown.nonzero()[0]
    if not len(kept):
        return b"", []
    present = tag_numbers(page)
    written: dict[int, Formula] = {}
    if not _MATH.isdisjoint(present):
        written = formulas.content_formulas(page, shown, in_content(page, keep, elements))
        shown = _with_formulas(page, shown, written)
        kept = shown.nonzero()[0]
    gap = _separators(page, kept)
    lines, notes = listings(page, shown, kept), asides(page)
    if not (lines or notes or written or links or images or part is not None) and _ENCLOSED.isdisjoint(present):
        return collapsed_in_place(joined(page, kept, gap, _PAIRS)), []
    pieces, signs = _pieces(page, kept, gap)
    taken = _take_listings(page, lines, kept, pieces, signs)
    if _READING in present:
        _enclose(page, (page.tag == _READING).nonzero()[0].tolist(), kept, pieces, "(", ")")
    if _QUOTE in present:
        rows = (page.tag == _QUOTE).nonzero()[0].tolist()
        _enclose(page, [row for row in rows if not is_quoted(page, row)], kept, pieces, "“", "”")
    _enclose(page, [content for _, content in notes], kept, pieces, " (", ")")
    _write_formulas(page, written, kept, pieces, signs)
    if links:
        _add_addresses(page, kept, pieces)
    if images:
        _add_images(page, keep, elements, kept, pieces, signs)
    numbers = _sign_parts(part[kept], signs) if part is not None else []
    both = [b""] * (2 * len(pieces))
    both[0::2] = signs
    both[1::2] = pieces
    text = collapsed(b"".join(both))
    return with_places(text, taken) if taken else text, numbers


def _pieces(page: Page, kept: Rows, gap: NDArray[np.int8]) -> tuple[list[bytes], list[bytes]]:
    """The kept texts without the white space at their ends, which their gaps know about, and the signs before them."""
    utf8 = page.utf8
    spans = zip(page.start[kept].tolist(), page.stop[kept].tolist(), strict=True)
    return [utf8[start:stop].strip() for start, stop in spans], [_SIGNS[code] for code in gap.tolist()]


def _sign_parts(part: NDArray[np.integer[Any]], signs: list[bytes]) -> list[int]:
    """Put a sign before each text with which another part begins; the numbers of these parts.  A text of no part, a
    formula behind a picture, goes with the one before it."""
    numbers: list[int] = []
    for place, number in enumerate(part.tolist()):
        if not numbers:
            numbers.append(number)
        elif number not in (-1, numbers[-1]):
            numbers.append(number)
            signs[place] = BLOCK_SIGN + PART_SIGN + BLOCK_SIGN
    return numbers


def _separators(page: Page, kept: Rows) -> NDArray[np.int8]:
    """What stands before each kept text, as an index into _SIGNS.

    The gap is known from the columns; between blocks it depends on where they stand, so lists and tables are looked
    at once per block.
    """
    code = gaps(page, kept)
    present = tag_numbers(page)
    if not _ITEM_NUMBERS.isdisjoint(present):
        tighten(
            kept,
            page.owner,
            nearest(page, _ITEM[page.tag]),
            page.parent,
            page.end,
            page.tag,
            TRAITS,
            np.zeros(len(page), np.int32),
            code,
        )
    real = _TABLE in present and len(elements_with_text(page, (page.tag == _TABLE).nonzero()[0], kept)) > 0
    if real or find_grids(page) is not None:
        _tabulate(page, kept, code)
    code[0] = JOINED
    return code


def _tabulate(page: Page, kept: Rows, code: NDArray[np.int8]) -> None:
    """Separators inside tables: a tab between cells, a line end between rows, a space within a cell."""
    tables, lines, cells = table_parts(page)
    owner = page.owner[kept]
    table = nearest_ancestor(page, tables, owner)
    inside = table >= 0
    if not inside.any():
        return
    row = nearest_ancestor(page, lines, owner)
    cell = nearest_ancestor(page, cells, owner)
    same_table = inside[1:] & (table[1:] == table[:-1])
    same_row = same_table & (row[1:] == row[:-1])
    same_cell = same_row & (cell[1:] == cell[:-1])
    after = code[1:]
    after[same_cell & (after > SPACE)] = SPACE
    after[same_table & ~same_row] = LINE
    after[same_row & ~same_cell] = _TAB


def _take_listings(
    page: Page, lines: dict[int, Listing], kept: Rows, pieces: list[bytes], signs: list[bytes]
) -> list[str]:
    """The listings; where the first text of one stands, its number is left, and nothing where others do."""
    taken: list[str] = []
    for row, (code, _) in lines.items():
        first, last = kept.searchsorted((page.first[row], page.last[row])).tolist()
        nothing = [b""] * (last - first - 1)
        signs[first + 1 : last] = nothing
        pieces[first:last] = [place_sign(len(taken)) if code else b"", *nothing]
        if code:
            taken.append(without_invisible_runs(code))
    return taken


def _enclose(page: Page, rows: list[int], kept: Rows, pieces: list[bytes], opening: str, closing: str) -> None:
    """Put signs around what stands in some elements: readings over words (`rt`), quotations (`q`), notes in lines."""
    for row in rows:
        first, last = kept.searchsorted((page.first[row], page.last[row])).tolist()
        if first < last:
            pieces[first] = opening.encode() + pieces[first]
            pieces[last - 1] += closing.encode()


def _with_formulas(page: Page, shown: Bools, written: dict[int, Formula]) -> Bools:
    """Of a formula that no text of is read, the first is taken, to keep its place: Wikipedia hides the MathML of each
    behind a picture."""
    shown = shown.copy()
    for row in written:
        first, last = int(page.first[row]), int(page.last[row])
        if first < last and not shown[first:last].any():
            shown[first] = True
    return shown


def _write_formulas(
    page: Page, written: dict[int, Formula], kept: Rows, pieces: list[bytes], signs: list[bytes]
) -> None:
    """Of a formula that the page gives as TeX and draws as well, only the TeX is printed; so is MathML that would lose
    its meaning, a half that becomes 12.  White space around it counts, and none in it."""
    visible = readable(page)
    for row, formula in written.items():
        first, last = np.searchsorted(kept, (page.first[row], page.last[row])).tolist()
        if first < last and not (formula.flat and visible[kept[first]]):
            nothing = [b""] * (last - first - 1)
            pieces[first:last] = [formula.tex.encode(), *nothing]
            signs[first + 1 : last] = nothing
            if first and signs[first] == b" ":
                before = int(page.position[kept[first - 1]])
                signs[first] = b" " if has_space_before(page, int(page.tag_start[row]), before) else b""
            if last < len(kept) and signs[last] == b" ":
                after = kept[last]
                white = page.utf8[page.start[after] : page.start[after] + 1].isspace()
                white = white or has_space_before(page, int(page.position[after]), closing_tag_start(page, row))
                signs[last] = b" " if white else b""


def _add_addresses(page: Page, kept: Rows, pieces: list[bytes]) -> None:
    """Write the address of each link after the last of its kept texts."""
    resolve = Resolver(page)
    plain = permalinks.find(page).plain
    link = nearest_ancestor(page, np.flatnonzero(page.tag == _LINK), page.owner[kept])
    last = np.flatnonzero((link >= 0) & (np.append(link[1:], -1) != link))
    for place in last.tolist():
        row = int(link[place])
        address = "" if row in plain else resolve(page.attribute(row, "href"))
        if address:
            pieces[place] += f" <{address}>".encode()


def _add_images(
    page: Page,
    keep: Bools,
    elements: Bools | None,
    kept: Rows,
    pieces: list[bytes],
    signs: list[bytes],
) -> None:
    """Write each image of the content as a paragraph, before the kept text that follows it."""
    resolve = Resolver(page)
    rows = np.flatnonzero(media_mask(page, keep, elements) & _IMAGE[page.tag])
    place = np.searchsorted(page.position[kept], page.tag_start[rows])
    added: list[bytes] = []
    signs_added: list[bytes] = []
    done = 0
    for row, at in zip(rows.tolist(), place.tolist(), strict=True):
        image = picture(page, row, resolve)
        if image is not None:
            added += (*pieces[done:at], f"[{image.description}] <{image.address}>".encode())
            signs_added += (*signs[done:at], _SIGNS[BLOCK])
            done = at
            if at < len(signs):
                signs[at] = _SIGNS[BLOCK]
    pieces[:0], signs[:0] = added, signs_added
    del pieces[len(added) : len(added) + done], signs[len(added) : len(added) + done]
